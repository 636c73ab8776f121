package schema

// categoryShape and tagShape are the schemas of view.term.
var (
	categoryShape = object(join(termMembers, []member{
		must("taxonomy", choice("tribe_events_cat")),
		must("parent", anInteger, "arg.category.parent"),
	}, termAddressMembers)...)
	tagShape = object(join(termMembers, []member{
		must("taxonomy", choice("post_tag")),
	}, termAddressMembers)...)
)

var termMembers = []member{
	must("id", anInteger),
	must("count", anInteger),
	must("description", aText),
	must("name", aText),
	must("slug", aText),
}

var termAddressMembers = []member{
	must("meta", noEntries, "member.nothing"),
	must("url", anAddress),
	must("urls", Ref("TermURLs")),
	may("_links", Ref("Links")),
	texted[0],
	texted[1],
}

// linksShape is the schema of view.href in api by relation.
var linksShape = mapOf(listOf(object(must("href", anAddress))))

// rootShape is the schema of the root response.
var rootShape = object(
	must("namespace", aText, "arg.root.namespace"),
	must("routes", mapOf(object(
		must("namespace", aText, "arg.root.namespace"),
		must("methods", listOf(aText)),
		must("endpoints", listOf(object(
			must("methods", listOf(aText)),
			must("args", oneOf(noEntries, mapOf(argumentShape))),
		))),
		may("_links", Ref("Links")),
	))),
	must("_links", Ref("Links")),
)

var argumentShape = object(
	must("description", aText, "member.param.description"),
	must("type", aText, "member.param.type"),
	may("items", object(must("type", aText, "member.param.type")), "member.param.items"),
	may("format", aText, "member.param.format"),
	must("required", aSwitch, "member.param.required"),
	may("default", anything, "member.param.default"),
	may("enum", listOf(aText), "member.param.enum"),
)

// documentShape is the schema of an OpenAPI document.
var documentShape = object(
	must("openapi", aText),
	must("info", anObject),
	must("servers", listOf(anObject)),
	must("tags", listOf(anObject), "member.document.tags"),
	must("paths", anObject),
	must("components", anObject),
)

// errorShape is the schema of Failure.JSON. Names of missing arguments are a list, messages about invalid ones an
// object; empty details are a list.
var errorShape = object(
	must("code", aText),
	must("message", aText, "member.error.message"),
	must("data", object(
		must("status", anInteger, "member.error.status"),
		may("params", oneOf(listOf(aText), mapOf(aText))),
		may("details", oneOf(noEntries, mapOf(object(
			must("code", aText),
			must("message", aText, "member.error.message"),
			must("data", object(must("param", aText)), "member.error.data"),
		)))),
		may("term_id", anInteger),
		may("limit", aText),
		may("max", anInteger),
		may("used", anInteger),
		may("scope", Ref("Access")),
		may("categories", listOf(anInteger), "member.key.categories"),
	), "member.error.data"),
	may("additional_data", listOf(anInteger), "member.term_id"),
)
