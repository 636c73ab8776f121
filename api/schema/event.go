package schema

import (
	"strings"

	"github.com/kalends/kalends/calendar"
)

// globalMembers are the globally unique ids.
var globalMembers = []member{
	must("global_id", aText),
	must("global_id_lineage", listOf(aText)),
}

// postMembers are the common keys of events, venues and organizers.
var postMembers = []member{
	must("author", digits),
	must("status", Ref("Status")),
	must("date", aTime),
	must("date_utc", aTime),
	must("modified", aTime),
	must("modified_utc", aTime),
	must("url", anAddress),
}

// eventShape is the schema of view.event in api.
var eventShape = object(join(
	[]member{must("id", anInteger)}, globalMembers, postMembers, eventMembers, linkedMembers, saidMembers(), seriesMembers, texted)...)

// saidMembers are the fields of an event that are members where they are set.
func saidMembers() (list []member) {
	for _, f := range calendar.AllEventFields() {
		shape := aText
		switch {
		case f.Added != nil:
			shape = Ref("FieldValues")
		case f.Words != nil:
			shape = listOf(Ref(componentName(f.Name)))
		case f.Flag != nil:
			shape = aSwitch
		case f.Kind == calendar.Names:
			shape = listOf(aText)
		case f.Kind == calendar.Address:
			shape = anAddress
		case f.Kind == calendar.Clock:
			shape = aTime
		}
		if f.Said {
			list = append(list, may(f.Name, shape, "arg.event."+f.Name))
		}
	}
	return list
}

// componentName returns the name of the component for the words of a field: EventLanguage for event_language.
func componentName(field string) string {
	var name strings.Builder
	for part := range strings.SplitSeq(field, "_") {
		name.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return name.String()
}

var eventMembers = []member{
	must("rest_url", anAddress),
	must("title", aText, "arg.event.title"),
	must("description", aText),
	must("excerpt", aText),
	must("slug", aText),
	must("image", oneOf(isFalse, Ref("Image")), "member.event.image"),
	must("all_day", aMasked, "arg.event.all_day"),
	must("start_date", aTime),
	must("start_date_details", Ref("DateDetails"), "member.details"),
	must("end_date", aTime),
	must("end_date_details", Ref("DateDetails"), "member.details"),
	must("utc_start_date", aTime),
	must("utc_start_date_details", Ref("DateDetails"), "member.details.utc"),
	must("utc_end_date", aTime),
	must("utc_end_date_details", Ref("DateDetails"), "member.details.utc"),
	must("timezone", aText),
	must("timezone_abbr", aText),
	must("cost", aText),
	must("cost_details", Ref("CostDetails")),
	must("website", aText, "member.event.website"),
	must("show_map", aMasked, "arg.event.show_map"),
	must("show_map_link", aMasked, "arg.event.show_map_link"),
	must("hide_from_listings", aMasked, "arg.event.hide_from_listings"),
	must("sticky", aMasked, "arg.event.sticky"),
	must("featured", aMasked, "arg.event.featured"),
}

var linkedMembers = []member{
	must("categories", listOf(Ref("EventTerm"))),
	must("tags", listOf(Ref("EventTerm"))),
	must("venue", oneOf(Ref("Venue"), listOf(Ref("Venue"))), "member.venues"),
	must("organizer", listOf(Ref("Organizer")), "member.organizers"),
	must("custom_fields", noEntries, "member.nothing"),
	may("post_parent", anInteger, "arg.event.post_parent"),
	may("tickets", listOf(Ref("Ticket")), "arg.event.tickets"),
	may("event_status", choice("cancelled", "postponed", "rescheduled"), "arg.event.event_status"),
	may("event_status_reason", aText, "arg.event.event_status_reason"),
	may("previous_start_date", aTime),
	may("attendance_mode", choice("online", "mixed"), "arg.event.attendance_mode"),
	may("virtual_url", anAddress, "arg.event.virtual_url"),
	may("virtual_url_shown", choice("started", "never"), "arg.event.virtual_url_shown"),
}

var seriesMembers = []member{
	may("series", Ref("Series")),
	may("source", Ref("EventOrigin"), "member.event.source"),
	may("recurrence", Ref("Recurrence")),
	may("json_ld", anObject),
}

var seriesShape = object(
	must("id", anInteger, "member.event.id"),
	must("original_start", aTime),
	must("rest_url", anAddress),
)

var recurrenceShape = object(
	must("rrule", oneOf(aText, listOf(aText))),
	must("rdate", listOf(aText)),
	must("exdate", listOf(aText)),
	must("text", aText),
	must("next", listOf(aTime)),
	must("exceptions", listOf(Ref("Series"))),
	may("stored_until", aTime),
)

var previewShape = object(
	must("occurrences", listOf(object(
		must("start_date", aTime),
		must("end_date", aTime),
		must("utc_start_date", aTime),
		must("utc_end_date", aTime),
		must("original_start", aTime),
	))),
	must("timezone", aText),
	may("recurrence", Ref("Recurrence")),
)

var dateShape = object(
	must("year", digits),
	must("month", digits),
	must("day", digits),
	must("hour", digits),
	must("minutes", digits),
	must("seconds", digits),
)

var costShape = object(
	must("currency_symbol", aText),
	must("currency_code", aText, "arg.settings.currency_code"),
	must("currency_position", choice("prefix", "postfix", ""), "arg.settings.currency_position"),
	must("values", listOf(aText)),
)

var eventTermShape = object(
	must("name", aText),
	must("slug", aText),
	must("term_group", anInteger),
	must("term_taxonomy_id", anInteger),
	must("taxonomy", choice("tribe_events_cat", "post_tag")),
	must("description", aText),
	must("parent", anInteger, "arg.category.parent"),
	must("count", anInteger),
	must("filter", aText),
	must("id", anInteger),
	must("urls", Ref("TermURLs")),
	texted[0],
	texted[1],
)

var termURLsShape = object(
	must("self", anAddress),
	must("collection", anAddress),
	may("up", anAddress),
)

var ticketShape = object(
	must("name", aText, "arg.ticket.name"),
	may("url", aText, "arg.ticket.url"),
	may("price", aNumber, "arg.ticket.price"),
	may("currency", aText, "arg.ticket.currency"),
	may("available_from", anInstant),
	may("available_until", anInstant),
	may("status", choice("available", "box_office", "sold_out", "presale", "closed"), "arg.ticket.status"),
)
