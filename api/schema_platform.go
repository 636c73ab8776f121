package api

import "github.com/kalends/kalends/tenancy"

// siteShape is what view.site writes.
var siteShape = object(
	must("id", anInteger),
	must("slug", aText),
	must("name", aText),
	must("timezone", aText),
	must("language", aText),
	must("domains", listOf(aText)),
	must("settings", object(
		must("per_page", anInteger),
		must("currency_symbol", aText),
		must("currency_code", aText),
		must("currency_position", choice("prefix", "postfix")),
	)),
	must("plan", object(must("geo", aSwitch))),
	must("state", choice(tenancy.Active, tenancy.ReadOnly, tenancy.Closed)),
	must("version", anInteger),
	must("created", anInstant),
	must("api", anAddress),
)

// userShape is what view.user writes. The application password is there in the
// answer that creates the user, and never again.
var userShape = object(
	must("id", anInteger),
	must("login", aText),
	must("email", aText),
	must("name", aText),
	must("role", choice(tenancy.Roles()...)),
	must("created", anInstant),
	may("application_password", aText),
)
