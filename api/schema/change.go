package schema

import "github.com/kalends/kalends/calendar/changes"

// changeListShape is the schema of an answer to followers.
var changeListShape = object(
	must("changes", listOf(Ref("Change"))),
	must("next", aText),
	must("more", aSwitch),
)

// changeShape is the schema of view.change in api.
var changeShape = object(
	must("type", choice(changes.Types()...)),
	must("id", anInteger),
	must("action", choice(changes.Created, changes.Updated, changes.Deleted)),
	must("version", anInteger),
	must("at", anInstant),
	may("merged_into", anInteger),
	may("object", anObject),
)
