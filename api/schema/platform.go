package schema

import (
	"github.com/kalends/kalends/jobs"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// siteShape is the schema of view.site in api.
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
		must("tagline", aText),
		may("languages", listOf(aText)),
		may("content_languages", listOf(aText)),
	)),
	may("translations", mapOf(object(may("name", aText), may("tagline", aText), must("made_from", anInteger), must("outdated", aSwitch)))),
	must("plan", object(must("name", aText), must("geo", aSwitch))),
	must("limits", limitsShape),
	must("usage", object(must("events", anInteger), must("occurrences", anInteger),
		must("users", anInteger), must("media_bytes", anInteger))),
	must("state", choice(tenancy.Active, tenancy.ReadOnly, tenancy.Closed, tenancy.Deleted)),
	must("deleted", someInstant),
	must("purge", someInstant),
	must("version", anInteger),
	must("created", anInstant),
	must("api", anAddress),
)

// limitsShape is the schema of view.limits in api; null means unlimited.
var limitsShape = object(
	must("events", someInteger),
	must("occurrences", someInteger),
	must("users", someInteger),
	must("media_bytes", someInteger),
	must("requests_per_minute", someInteger),
)

// planShape is the schema of view.plan in api.
var planShape = object(
	must("name", aText),
	must("geo", aSwitch),
	must("limits", limitsShape),
	must("sites", anInteger),
	must("created", anInstant),
)

// userShape is the schema of view.user in api. Only the response that creates the user contains the application password.
var userShape = object(
	must("id", anInteger),
	must("login", aText),
	must("email", aText),
	must("name", aText),
	must("role", choice(tenancy.Roles()...)),
	must("created", anInstant),
	may("application_password", aText),
)

// historyShape is the schema of a page of a history. The new values are in the next entry of the same object; only
// the provider's entries contain them directly.
var historyShape = object(
	must("entries", listOf(object(
		must("place", aText),
		must("at", anInstant),
		must("action", aText),
		must("kind", aText),
		must("id", anInteger),
		may("object", aText),
		must("user_id", anInteger),
		must("who", aText),
		must("via", aText),
		may("key", aText),
		must("address", aText),
		may("before", anObject),
		may("after", anObject),
	))),
	may("next_rest_url", anAddress),
)

// domainShape is the schema of view.domain in api.
var domainShape = object(
	must("domain", aText),
	must("state", choice(platform.DomainProved, platform.DomainPending, platform.DomainLost)),
	may("proved_by", choice(platform.ByWord, platform.ByDNS, platform.ByHTTP)),
	may("proved", anInstant),
	may("asked", anInstant),
	may("ends", anInstant),
	may("checked", someInstant),
	may("dns", object(must("name", aText), must("type", choice("TXT")), must("value", aText), may("found", findings))),
	may("http", object(must("url", anAddress), must("content", aText), may("found", findings))),
)

// jobShape is the schema of view.job in api.
var jobShape = object(
	must("id", anInteger),
	must("kind", choice(jobs.Export, jobs.Import)),
	must("state", choice(jobs.Queued, jobs.Running, jobs.Done, jobs.Failed, jobs.Cancelled)),
	must("site", aText),
	must("progress", `{"type":["number","null"],"minimum":0,"maximum":1}`),
	must("bytes_done", anInteger),
	must("bytes_total", someInteger),
	must("created", anInstant),
	must("started", someInstant),
	must("finished", someInstant),
	must("expires", someInstant),
	may("problem", Ref("Error")),
	may("archive", object(must("url", anAddress), must("bytes", anInteger), must("sha256", aText))),
	may("site_url", anAddress),
)

// keyShape is the schema of view.credential in api.
var keyShape = object(
	must("id", anInteger),
	must("kind", choice(tenancy.ApplicationPassword, tenancy.APIKey)),
	must("name", aText),
	must("read_only", aSwitch),
	must("user", object(must("id", anInteger), must("login", aText), must("name", aText))),
	must("created", anInstant),
	must("last_used", someInstant),
)

var findings = choice(platform.Shown, platform.Absent, platform.Other, platform.Failed)
