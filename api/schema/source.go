package schema

import "slices"

// sourceShape is the schema of view.source in api.
var sourceShape = object(
	must("id", anInteger, "arg.source.id"),
	must("name", aText, "arg.source.name"),
	must("kind", Ref("SourceKind"), "arg.source.kind"),
	must("url", aText, "member.source.url"),
	must("site", someText, "arg.source.site"),
	must("every", anInteger, "arg.source.every"),
	must("policy", Ref("ImportPolicy"), "arg.import.policy"),
	must("gone", Ref("ImportGone"), "arg.import.gone"),
	may("timezone", anything, "arg.import.timezone"),
	may("status", anything, "arg.import.status"),
	may("categories", anything, "arg.import.categories"),
	may("tags", anything, "arg.import.tags"),
	may("venue", anything, "arg.import.venue"),
	may("organizer", anything, "arg.import.organizer"),
	may("columns", anything, "arg.import.columns"),
	may("date_order", anything, "arg.import.date_order"),
	may("filter", anything, "arg.source.filter"),
	may("mapping", anything, "arg.source.mapping"),
	must("active", aSwitch, "arg.source.active"),
	must("last_read", someInstant, "member.source.last_read"),
	must("last_success", someInstant, "member.source.last_success"),
	must("next_read", someInstant, "member.source.next_read"),
	must("reading", aSwitch, "member.source.reading"),
	must("problem", oneOf(Ref("Error"), isNull), "member.source.problem"),
	must("counts", oneOf(Ref("Counts"), isNull), "member.import.counts"),
	must("author", digits),
	must("created", anInstant),
	must("rest_url", anAddress),
	must("imports_url", anAddress),
)

// originShape is the schema of view.origin in api.
var originShape = object(originMembers...)

// eventOriginShape is the schema of an event's source, including the members that only people who may edit the
// event see.
var eventOriginShape = object(append(slices.Clone(originMembers), may("kept", listOf(aText), "member.source.kept"))...)

var originMembers = []member{
	must("id", anInteger, "arg.source.id"),
	must("name", aText, "arg.source.name"),
	must("site", someText, "arg.source.site"),
}
