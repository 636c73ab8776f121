package schema

import "github.com/kalends/kalends/calendar"

// statuses are the statuses of events, venues and organizers.
var statuses = choice(calendar.Statuses()...)

// globalMembers are the globally unique ids.
var globalMembers = []member{
	must("global_id", aText),
	must("global_id_lineage", listOf(aText)),
}

// postMembers are the common keys of events, venues and organizers.
var postMembers = []member{
	must("author", digits),
	must("status", statuses),
	must("date", aTime),
	must("date_utc", aTime),
	must("modified", aTime),
	must("modified_utc", aTime),
	must("url", anAddress),
}

// eventShape is the schema of view.event in api.
var eventShape = object(join(
	[]member{must("id", anInteger)}, globalMembers, postMembers, eventMembers, linkedMembers, texted)...)

var eventMembers = []member{
	must("rest_url", anAddress),
	must("title", aText),
	must("description", aText),
	must("excerpt", aText),
	must("slug", aText),
	must("image", oneOf(isFalse, Ref("Image"))),
	must("all_day", aMasked),
	must("start_date", aTime),
	must("start_date_details", Ref("DateDetails")),
	must("end_date", aTime),
	must("end_date_details", Ref("DateDetails")),
	must("utc_start_date", aTime),
	must("utc_start_date_details", Ref("DateDetails")),
	must("utc_end_date", aTime),
	must("utc_end_date_details", Ref("DateDetails")),
	must("timezone", aText),
	must("timezone_abbr", aText),
	must("cost", aText),
	must("cost_details", Ref("CostDetails")),
	must("website", aText),
	must("show_map", aMasked),
	must("show_map_link", aMasked),
	must("hide_from_listings", aMasked),
	must("sticky", aMasked),
	must("featured", aMasked),
}

var linkedMembers = []member{
	must("categories", listOf(Ref("EventTerm"))),
	must("tags", listOf(Ref("EventTerm"))),
	must("venue", oneOf(Ref("Venue"), listOf(Ref("Venue")))),
	must("organizer", listOf(Ref("Organizer"))),
	must("custom_fields", noEntries),
	may("post_parent", anInteger),
	may("tickets", listOf(Ref("Ticket"))),
	may("event_status", choice("cancelled", "postponed", "rescheduled")),
	may("event_status_reason", aText),
	may("previous_start_date", aTime),
	may("attendance_mode", choice("online", "mixed")),
	may("virtual_url", anAddress),
	may("virtual_url_shown", choice("started", "never")),
	may("seo_title", aText),
	may("seo_description", aText),
	may("series", Ref("Series")),
	may("recurrence", Ref("Recurrence")),
	may("json_ld", anObject),
}

var seriesShape = object(
	must("id", anInteger),
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
	must("currency_code", aText),
	must("currency_position", choice("prefix", "postfix", "")),
	must("values", listOf(aText)),
)

var eventTermShape = object(
	must("name", aText),
	must("slug", aText),
	must("term_group", anInteger),
	must("term_taxonomy_id", anInteger),
	must("taxonomy", choice("tribe_events_cat", "post_tag")),
	must("description", aText),
	must("parent", anInteger),
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
	must("name", aText),
	may("url", aText),
	may("price", aNumber),
	may("currency", aText),
	may("available_from", anInstant),
	may("available_until", anInstant),
	may("status", choice("available", "sold_out", "presale", "closed")),
)
