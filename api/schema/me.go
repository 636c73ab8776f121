package schema

import "github.com/kalends/kalends/tenancy"

// meShape is the schema of the response about the caller.
var meShape = object(
	must("id", anInteger, "arg.user.id"),
	must("login", aText, "arg.user.login"),
	must("role", Ref("Role"), "arg.user.role"),
	must("key", oneOf(object(
		must("id", anInteger),
		must("kind", choice(tenancy.ApplicationPassword, tenancy.APIKey), "arg.key.kind"),
		must("name", aText, "arg.key.name"),
		must("read_only", aSwitch, "arg.key.read_only"),
	), noValue), "member.me.key"),
	must("scopes", listOf(Ref("Access")), "member.me.scopes"),
	must("categories", listOf(anInteger), "member.key.categories"),
	must("expires", someInstant, "member.key.expires"),
	must("site", object(
		must("slug", aText, "arg.site.slug"),
		must("name", aText, "arg.site.name"),
		must("timezone", aText, "arg.site.timezone"),
		must("language", aText, "arg.site.language"),
	)),
	must("limits", Ref("Limits")),
)
