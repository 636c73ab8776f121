package schema

import (
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/reading"
)

// importShape is the schema of view.importOf in api.
var importShape = object(
	must("id", anInteger),
	must("state", choice(imports.States()...), "member.job.state"),
	must("format", oneOf(choice(imports.Formats()...), isNull), "arg.import.format"),
	must("dry_run", aSwitch, "arg.import.dry_run"),
	must("policy", Ref("ImportPolicy"), "arg.import.policy"),
	must("name", someText),
	must("url", someText, "arg.import.url"),
	must("source", oneOf(Ref("Origin"), isNull), "member.import.source"),
	must("progress", aShare),
	must("counts", Ref("Counts"), "member.import.counts"),
	must("problem", oneOf(Ref("Error"), isNull)),
	may("columns", mapOf(aText), "arg.import.columns"),
	must("left_out", listOf(object(
		must("kind", choice(reading.LeftOutKinds()...)),
		must("count", anInteger),
		must("message", aText, "member.error.message"),
	)), "member.import.left_out"),
	must("created", anInstant),
	must("started", someInstant),
	must("finished", someInstant),
	must("undoable_until", someInstant),
	must("undone", someInstant),
	may("undoes", anInteger),
	must("rest_url", anAddress),
	must("entries_url", anAddress),
)

// importEntryShape is the schema of view.importEntry in api.
var importEntryShape = object(
	must("number", anInteger, "member.import.number"),
	must("line", someInteger, "member.import.line"),
	must("uid", someText),
	must("recurrence_id", someText),
	must("title", someText, "arg.event.title"),
	must("start_date", someText),
	must("result", Ref("ImportResult"), "member.import.result"),
	must("event", oneOf(object(
		must("id", anInteger, "member.event.id"),
		must("rest_url", anAddress),
	), isNull), "member.import.event"),
	must("fields", listOf(aText), "member.import.fields"),
	must("problems", listOf(Ref("Finding")), "member.import.problems"),
	must("warnings", listOf(Ref("Finding")), "member.import.warnings"),
)

var importFindingShape = object(
	must("code", aText),
	must("param", someText, "member.import.param"),
	must("message", aText, "member.error.message"),
)

const (
	isNull   Shape = `{"type":"null"}`
	someText Shape = `{"type":["string","null"]}`
	aShare   Shape = `{"type":"number","format":"double","minimum":0,"maximum":1}`
)
