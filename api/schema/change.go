package schema

import "github.com/kalends/kalends/calendar/changes"

// changeListShape is the schema of an answer to followers.
var changeListShape = object(
	must("changes", listOf(Ref("Change"))),
	must("next", aText, "member.change.next"),
	must("more", aSwitch),
)

// changeShape is the schema of view.change in api.
var changeShape = object(
	must("type", Ref("ChangeType"), "member.kind"),
	must("id", anInteger, "member.object.id"),
	must("action", choice(changes.Created, changes.Updated, changes.Deleted), "member.change.action"),
	must("version", anInteger),
	must("at", anInstant),
	may("merged_into", anInteger),
	may("object", anObject, "member.change.object"),
)
