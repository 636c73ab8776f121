package schema

// categoryShape and tagShape are the schemas of view.term.
var (
	categoryShape = object(join(termMembers, []member{
		must("taxonomy", choice("tribe_events_cat")),
		must("parent", anInteger),
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
	must("meta", noEntries),
	must("url", anAddress),
	must("urls", Ref("TermURLs")),
	may("_links", linksShape),
	texted[0],
	texted[1],
}

// linksShape is the schema of view.href in api by relation.
var linksShape = mapOf(listOf(object(must("href", anAddress))))

// rootShape is the schema of the root response.
var rootShape = object(
	must("namespace", aText),
	must("routes", mapOf(object(
		must("namespace", aText),
		must("methods", listOf(aText)),
		must("endpoints", listOf(object(
			must("methods", listOf(aText)),
			must("args", oneOf(noEntries, mapOf(argumentShape))),
		))),
		may("_links", linksShape),
	))),
	must("_links", linksShape),
)

var argumentShape = object(
	must("description", aText),
	must("type", aText),
	may("items", object(must("type", aText))),
	may("format", aText),
	must("required", aSwitch),
	may("default", anything),
	may("enum", listOf(aText)),
)

// documentShape is the schema of an OpenAPI document.
var documentShape = object(
	must("openapi", aText),
	must("info", anObject),
	must("servers", listOf(anObject)),
	must("tags", listOf(anObject)),
	must("paths", anObject),
	must("components", anObject),
)

// errorShape is the schema of Failure.JSON. Names of missing arguments are a list, messages about invalid ones an
// object; empty details are a list.
var errorShape = object(
	must("code", aText),
	must("message", aText),
	must("data", object(
		must("status", anInteger),
		may("params", oneOf(listOf(aText), mapOf(aText))),
		may("details", oneOf(noEntries, mapOf(object(
			must("code", aText),
			must("message", aText),
			must("data", object(must("param", aText))),
		)))),
		may("term_id", anInteger),
	)),
	may("additional_data", listOf(anInteger)),
)
