package schema

// fieldTextShape is the schema of view.fieldText in api.
var fieldTextShape = object(
	may("label", aText, "arg.field.label"),
	may("hint", aText, "arg.field.hint"),
	may("unit", aText, "arg.field.unit"),
	may("options", mapOf(aText), "member.field.options"),
)

// fieldShape is the schema of view.field in api.
var fieldShape = object(
	must("key", aText, "arg.field.key"),
	must("kind", Ref("FieldKind"), "arg.field.kind"),
	must("of", listOf(choice("event", "venue")), "arg.field.of"),
	must("label", aText, "arg.field.label"),
	may("hint", aText, "arg.field.hint"),
	may("unit", aText, "arg.field.unit"),
	may("options", listOf(object(must("key", aText, "arg.options.key"), must("label", aText, "arg.options.label"))), "arg.field.options"),
	must("public", aSwitch, "arg.field.public"),
	must("filter", aSwitch, "arg.field.filter"),
	may("archived", aSwitch, "arg.field.archived"),
	must("translations", mapOf(fieldTextShape), "arg.field.translations"),
	must("rest_url", anAddress),
)
