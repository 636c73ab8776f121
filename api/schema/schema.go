// Package schema has the JSON Schemas of what the REST interface answers, for its OpenAPI documents. It describes the
// answers; package api writes them, and a test there compares the two.
package schema

import (
	"strings"

	"github.com/kalends/kalends/api/jsontext"
)

// Shape is a JSON Schema in the documentation. Shapes describe what the views write: a key that a view may omit is
// not required, and additional keys are allowed. The keys of texts stand between two bytes of textMark in it.
type Shape string

// textMark surrounds the key of a text in a shape.
const textMark = "\x00"

// Append appends the schema to b, with the texts that say returns for their keys.
func (s Shape) Append(b []byte, say func(key string) string) []byte {
	for i, part := range strings.Split(string(s), textMark) {
		if i%2 == 0 {
			b = append(b, part...)
		} else {
			b = jsontext.AppendString(b, say(part))
		}
	}
	return b
}

// Component is a shape that others refer to by its name.
type Component struct {
	Name   string
	Shape  Shape
	Shared bool // several answers contain the shape, or arguments accept what it describes
}

// Shapes of single values.
const (
	anything    Shape = `{}`
	aText       Shape = `{"type":"string"}`
	digits      Shape = `{"type":"string","pattern":"^[0-9]+$"}`
	anAddress   Shape = `{"type":"string","format":"uri"}`
	aTime       Shape = `{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$"}`
	anInstant   Shape = `{"type":"string","format":"date-time"}`
	aDay        Shape = `{"type":"string","format":"date"}`
	anInteger   Shape = `{"type":"integer"}`
	someInteger Shape = `{"type":["integer","null"]}`
	someInstant Shape = `{"type":["string","null"],"format":"date-time"}`
	aNumber     Shape = `{"type":"number","format":"double"}`
	aSwitch     Shape = `{"type":"boolean"}`
	aMasked     Shape = `{"type":["boolean","null"]}`                 // null if the event is masked
	anObject    Shape = `{"type":"object","additionalProperties":{}}` // without the second, generators make an empty object of it
	noEntries   Shape = `{"type":"array","items":{},"maxItems":0}`
	noValue     Shape = `{"type":"null"}`
	isFalse     Shape = `{"type":"boolean","const":false}`
)

// Ref returns a shape that refers to the component with this name.
func Ref(name string) Shape { return Shape(`{"$ref":"#/components/schemas/` + name + `"}`) }

func listOf(s Shape) Shape { return `{"type":"array","items":` + s + `}` }

func mapOf(s Shape) Shape { return `{"type":"object","additionalProperties":` + s + `}` }

func oneOf(list ...Shape) Shape {
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = string(s)
	}
	return Shape(`{"oneOf":[` + strings.Join(texts, ",") + `]}`)
}

// choice is one of several texts.
func choice[T ~string](texts ...T) Shape {
	w := &jsontext.Writer{Bytes: []byte(`{"type":"string","enum":[`)}
	for _, text := range texts {
		w.Comma()
		w.Bytes = jsontext.AppendString(w.Bytes, string(text))
	}
	return Shape(append(w.Bytes, "]}"...))
}

// member is a key of an object. said is the key of the text that describes it.
type member struct {
	name   string
	shape  Shape
	always bool
	said   string
}

// must returns a key that is always present. Its description is the text member.NAME, which keys of the same name and
// meaning share, unless said names another text.
func must(name string, s Shape, said ...string) member {
	return member{name, s, true, textOf(name, said)}
}

// may returns a key that is omitted if empty, with a description as must.
func may(name string, s Shape, said ...string) member {
	return member{name, s, false, textOf(name, said)}
}

func textOf(name string, said []string) string {
	if len(said) > 0 {
		return said[0]
	}
	return "member." + name
}

// described returns the shape of the key with its description.
func (m member) described() string {
	text := `{"description":` + textMark + m.said + textMark
	if m.shape == anything {
		return text + "}"
	}
	return text + "," + string(m.shape[1:])
}

// object returns an object with these keys.
func object(members ...member) Shape {
	w := &jsontext.Writer{}
	w.Item()
	w.Text("type", "object")
	var required []string
	for _, m := range members {
		if m.always {
			required = append(required, m.name)
		}
	}
	if required != nil {
		w.Texts("required", required...)
	}
	w.Open("properties", '{')
	for _, m := range members {
		w.Raw(m.name, m.described())
	}
	w.Close('}')
	w.Close('}')
	return Shape(w.Bytes)
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
	may("translations", Ref("Translations")),
}

// textsShape is the schema of an item's texts in one language. The name is in title, venue, organizer or name.
var textsShape = object(
	may("title", aText, "arg.event.title"),
	may("venue", aText, "arg.venue.venue"),
	may("organizer", aText, "arg.organizer.organizer"),
	may("name", aText),
	may("description", aText),
	may("excerpt", aText),
	may("slug", aText),
	may("cost", aText),
	may("seo_title", aText, "arg.event.seo_title"),
	may("seo_description", aText, "arg.event.seo_description"),
	may("made_from", anInteger),
	may("outdated", aSwitch),
	may("outdated_fields", listOf(aText)),
)

// pageOf is the schema of a list.
func pageOf(collection, name string) Shape {
	return object(
		must(collection, listOf(Ref(name)), "member.entries"),
		must("rest_url", anAddress, "member.list.rest_url"),
		may("next_rest_url", anAddress),
		may("previous_rest_url", anAddress),
		must("total", anInteger, "doc.header.X-TEC-Total"),
		must("total_pages", anInteger, "doc.header.X-TEC-TotalPages"),
	)
}

// Calendar are the response schemas in resource order.
var Calendar = append([]Component{
	{Name: "Root", Shape: rootShape},
	{Name: "Document", Shape: documentShape},
	{Name: "EventList", Shape: pageOf("events", "Event")},
	{Name: "Event", Shape: eventShape},
	{Name: "DateDetails", Shape: dateShape},
	{Name: "CostDetails", Shape: costShape},
	{Name: "EventTerm", Shape: eventTermShape},
	{Name: "TermURLs", Shape: termURLsShape},
	{Name: "Ticket", Shape: ticketShape},
	{Name: "Series", Shape: seriesShape},
	{Name: "Recurrence", Shape: recurrenceShape},
	{Name: "EventPreview", Shape: previewShape},
	{Name: "VenueList", Shape: pageOf("venues", "Venue")},
	{Name: "Venue", Shape: venueShape},
	{Name: "OrganizerList", Shape: pageOf("organizers", "Organizer")},
	{Name: "Organizer", Shape: organizerShape},
	{Name: "CategoryList", Shape: pageOf("categories", "Category")},
	{Name: "Category", Shape: categoryShape},
	{Name: "TagList", Shape: pageOf("tags", "Tag")},
	{Name: "Tag", Shape: tagShape},
	{Name: "Texts", Shape: textsShape},
	{Name: "Image", Shape: imageShape},
	{Name: "ImageSize", Shape: imageSizeShape},
	{Name: "SubmissionList", Shape: pageOf("submissions", "Submission")},
	{Name: "Submission", Shape: submissionShape},
	{Name: "SubmissionForm", Shape: submissionFormShape},
	{Name: "ImportList", Shape: pageOf("imports", "Import")},
	{Name: "Import", Shape: importShape},
	{Name: "ImportEntryList", Shape: pageOf("entries", "ImportEntry")},
	{Name: "ImportEntry", Shape: importEntryShape},
	{Name: "SourceList", Shape: object(must("sources", listOf(Ref("Source")), "schema.SourceList"))},
	{Name: "Source", Shape: sourceShape},
	{Name: "ChangeList", Shape: changeListShape},
	{Name: "Change", Shape: changeShape},
	{Name: "Me", Shape: meShape},
	{Name: "FieldList", Shape: object(must("fields", listOf(Ref("Field")), "schema.FieldList"))},
	{Name: "Field", Shape: fieldShape},
	{Name: "EventNumbers", Shape: eventNumbersShape},
	{Name: "SiteNumbers", Shape: siteNumbersShape},
	{Name: "WebhookList", Shape: object(must("webhooks", listOf(Ref("Webhook")), "schema.WebhookList"))},
	{Name: "Webhook", Shape: webhookShape},
	{Name: "DeliveryList", Shape: pageOf("deliveries", "Delivery")},
	{Name: "Delivery", Shape: deliveryShape},
	{Name: "Error", Shape: errorShape},
}, sharedOfCalendar...)

// Platform are the schemas of the provider's interface.
var Platform = append([]Component{
	{Name: "Document", Shape: documentShape},
	{Name: "SiteList", Shape: pageOf("sites", "Site")},
	{Name: "Site", Shape: siteShape},
	{Name: "PlanList", Shape: object(must("plans", listOf(Ref("Plan")), "schema.PlanList"))},
	{Name: "Plan", Shape: planShape},
	{Name: "UserList", Shape: pageOf("users", "User")},
	{Name: "User", Shape: userShape},
	{Name: "KeyList", Shape: pageOf("keys", "Key")},
	{Name: "Key", Shape: keyShape},
	{Name: "History", Shape: historyShape},
	{Name: "DomainList", Shape: object(must("domains", listOf(Ref("Domain")), "schema.DomainList"))},
	{Name: "Domain", Shape: domainShape},
	{Name: "GatheringList", Shape: pageOf("gatherings", "Gathering")},
	{Name: "Gathering", Shape: gatheringShape},
	{Name: "RequestsList", Shape: pageOf("requests", "Requests")},
	{Name: "Requests", Shape: requestsShape},
	{Name: "JobList", Shape: pageOf("jobs", "Job")},
	{Name: "Job", Shape: jobShape},
	{Name: "Error", Shape: errorShape},
}, sharedOfPlatform...)
