package api

import "strings"

// shape is a JSON Schema in the documentation. Shapes describe what the views write: a key that a view may omit is
// not required, and additional keys are allowed.
type shape string

// component is a named shape.
type component struct {
	name  string
	shape shape
}

// Shapes of single values.
const (
	anything    shape = `{}`
	aText       shape = `{"type":"string"}`
	digits      shape = `{"type":"string","pattern":"^[0-9]+$"}`
	anAddress   shape = `{"type":"string","format":"uri"}`
	aTime       shape = `{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$"}`
	anInstant   shape = `{"type":"string","format":"date-time"}`
	anInteger   shape = `{"type":"integer"}`
	someInteger shape = `{"type":["integer","null"]}`
	someInstant shape = `{"type":["string","null"],"format":"date-time"}`
	aNumber     shape = `{"type":"number"}`
	aSwitch     shape = `{"type":"boolean"}`
	aMasked     shape = `{"type":["boolean","null"]}` // null if the event is masked
	anObject    shape = `{"type":"object"}`
	noEntries   shape = `{"type":"array","items":{},"maxItems":0}`
	isFalse     shape = `{"type":"boolean","const":false}`
)

func ref(name string) shape { return shape(`{"$ref":"#/components/schemas/` + name + `"}`) }

func listOf(s shape) shape { return `{"type":"array","items":` + s + `}` }

func mapOf(s shape) shape { return `{"type":"object","additionalProperties":` + s + `}` }

func oneOf(list ...shape) shape {
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = string(s)
	}
	return shape(`{"oneOf":[` + strings.Join(texts, ",") + `]}`)
}

// choice is one of several texts.
func choice[T ~string](texts ...T) shape {
	w := &writer{b: []byte(`{"type":"string","enum":[`)}
	for _, text := range texts {
		w.comma()
		w.b = appendString(w.b, string(text))
	}
	return shape(append(w.b, "]}"...))
}

// member is a key of an object.
type member struct {
	name   string
	shape  shape
	always bool
}

// must returns a key that is always present.
func must(name string, s shape) member { return member{name, s, true} }

// may returns a key that is omitted if empty.
func may(name string, s shape) member { return member{name, s, false} }

// object returns an object with these keys.
func object(members ...member) shape {
	w := &writer{}
	w.item()
	w.text("type", "object")
	var required []string
	for _, m := range members {
		if m.always {
			required = append(required, m.name)
		}
	}
	if required != nil {
		w.texts("required", required...)
	}
	w.open("properties", '{')
	for _, m := range members {
		w.raw(m.name, string(m.shape))
	}
	w.close('}')
	w.close('}')
	return shape(w.b)
}

// join concatenates lists of members.
func join(lists ...[]member) []member {
	var all []member
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// texted are the keys of items on a multilingual site. translations has the available languages or, if requested, all
// texts.
var texted = []member{
	may("content_language", aText),
	may("translations", oneOf(listOf(aText), mapOf(ref("Texts")))),
}

// textsShape is the schema of an item's texts in one language. The name is in title, venue, organizer or name.
var textsShape = object(
	may("title", aText),
	may("venue", aText),
	may("organizer", aText),
	may("name", aText),
	may("description", aText),
	may("excerpt", aText),
	may("slug", aText),
	may("cost", aText),
	may("seo_title", aText),
	may("seo_description", aText),
	may("made_from", anInteger),
	may("outdated", aSwitch),
)

// pageOf is the schema of a list.
func pageOf(collection, name string) shape {
	return object(
		must(collection, listOf(ref(name))),
		must("rest_url", anAddress),
		may("next_rest_url", anAddress),
		may("previous_rest_url", anAddress),
		must("total", anInteger),
		must("total_pages", anInteger),
	)
}

// calendarShapes are the response schemas in resource order.
var calendarShapes = []component{
	{"Root", rootShape},
	{"Document", documentShape},
	{"EventList", pageOf("events", "Event")},
	{"Event", eventShape},
	{"DateDetails", dateShape},
	{"CostDetails", costShape},
	{"EventTerm", eventTermShape},
	{"TermURLs", termURLsShape},
	{"Ticket", ticketShape},
	{"Series", seriesShape},
	{"Recurrence", recurrenceShape},
	{"EventPreview", previewShape},
	{"VenueList", pageOf("venues", "Venue")},
	{"Venue", venueShape},
	{"OrganizerList", pageOf("organizers", "Organizer")},
	{"Organizer", organizerShape},
	{"CategoryList", pageOf("categories", "Category")},
	{"Category", categoryShape},
	{"TagList", pageOf("tags", "Tag")},
	{"Tag", tagShape},
	{"Texts", textsShape},
	{"Image", imageShape},
	{"ImageSize", imageSizeShape},
	{"SubmissionList", pageOf("submissions", "Submission")},
	{"Submission", submissionShape},
	{"SubmissionForm", submissionFormShape},
	{"Error", errorShape},
}

// platformShapes are the schemas of the provider's interface.
var platformShapes = []component{
	{"Document", documentShape},
	{"SiteList", pageOf("sites", "Site")},
	{"Site", siteShape},
	{"PlanList", object(must("plans", listOf(ref("Plan"))))},
	{"Plan", planShape},
	{"UserList", pageOf("users", "User")},
	{"User", userShape},
	{"KeyList", pageOf("keys", "Key")},
	{"Key", keyShape},
	{"History", historyShape},
	{"DomainList", object(must("domains", listOf(ref("Domain"))))},
	{"Domain", domainShape},
	{"JobList", pageOf("jobs", "Job")},
	{"Job", jobShape},
	{"Error", errorShape},
}
