package schema

import (
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// siteShape is the schema of view.site in api.
var siteShape = object(
	must("id", anInteger),
	must("slug", aText, "arg.site.slug"),
	must("name", aText, "arg.site.name"),
	must("timezone", aText, "arg.site.timezone"),
	must("language", aText, "arg.site.language"),
	must("domains", listOf(aText), "arg.site.domains"),
	must("settings", object(
		must("per_page", anInteger, "arg.settings.per_page"),
		must("currency_symbol", aText, "arg.settings.currency_symbol"),
		must("currency_code", aText, "arg.settings.currency_code"),
		must("currency_position", Ref("CurrencyPosition"), "arg.settings.currency_position"),
		must("tagline", aText, "arg.settings.tagline"),
		must("map_tiles", aText, "arg.settings.map_tiles"),
		must("map_credit", aText, "arg.settings.map_credit"),
		may("languages", listOf(aText), "arg.settings.languages"),
		may("content_languages", listOf(aText), "arg.settings.content_languages"),
		must("share", listOf(aText), "arg.settings.share"),
		must("share_on", aSwitch, "arg.settings.share_on"),
		must("listed", aSwitch, "arg.settings.listed"),
	)),
	may("translations", mapOf(object(
		may("name", aText, "arg.site.name"),
		may("tagline", aText, "arg.settings.tagline"),
		must("made_from", anInteger),
		must("outdated", aSwitch),
	)), "member.site.translations"),
	must("plan", object(
		must("name", aText, "arg.plan.name"),
		must("geo", aSwitch, "arg.site.geo"),
	)),
	must("limits", Ref("Limits")),
	must("usage", object(
		must("events", anInteger, "member.usage.events"),
		must("occurrences", anInteger, "member.usage.occurrences"),
		must("users", anInteger, "member.usage.users"),
		must("media_bytes", anInteger, "member.usage.media_bytes"),
	)),
	must("state", Ref("SiteState"), "member.site.state"),
	must("deleted", someInstant),
	must("purge", someInstant),
	must("version", anInteger),
	must("created", anInstant),
	must("api", anAddress),
	may("language_change", object(must("from", aText), must("to", aText), must("exchanged", anInteger), must("kept", anInteger))),
)

// limitsShape is the schema of view.limits in api; null means unlimited.
var limitsShape = object(
	must("events", someInteger, "arg.limits.events"),
	must("occurrences", someInteger, "arg.limits.occurrences"),
	must("users", someInteger, "arg.limits.users"),
	must("media_bytes", someInteger, "arg.limits.media_bytes"),
	must("webhooks", someInteger, "arg.limits.webhooks"),
	must("letters", someInteger, "arg.limits.letters"),
	must("requests_per_minute", someInteger, "arg.limits.requests_per_minute"),
)

// planShape is the schema of view.plan in api.
var planShape = object(
	must("name", aText, "arg.plan.name"),
	must("geo", aSwitch, "arg.plan.geo"),
	must("limits", Ref("Limits")),
	must("sites", anInteger),
	must("created", anInstant),
)

// userShape is the schema of view.user in api. Only the response that creates the user contains the application password.
var userShape = object(
	must("id", anInteger),
	must("login", aText, "arg.user.login"),
	must("email", aText, "arg.user.email"),
	must("name", aText, "arg.user.name"),
	must("role", Ref("Role"), "arg.user.role"),
	must("categories", listOf(anInteger), "arg.user.categories"),
	must("venues", listOf(anInteger), "arg.user.venues"),
	must("organizers", listOf(anInteger), "arg.user.organizers"),
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
		must("id", anInteger, "member.object.id"),
		may("object", aText),
		must("user_id", anInteger),
		must("who", aText),
		must("via", aText),
		may("key", aText),
		must("address", aText, "member.client"),
		may("before", anObject),
		may("after", anObject),
	))),
	may("next_rest_url", anAddress),
)

// domainShape is the schema of view.domain in api.
var domainShape = object(
	must("domain", aText, "arg.domain.domain"),
	must("state", choice(platform.DomainProved, platform.DomainPending, platform.DomainLost), "member.domain.state"),
	must("target", aText, "member.domain.target"),
	may(
		"points",
		choice(platform.PointsHere, platform.PointsElsewhere, platform.PointsNowhere, platform.PointsUnknown),
		"member.domain.points",
	),
	may("proved_by", choice(platform.ByWord, platform.ByDNS, platform.ByHTTP)),
	may("proved", anInstant),
	may("asked", anInstant),
	may("ends", anInstant),
	may("checked", someInstant),
	may("dns", object(
		must("name", aText),
		must("type", choice("TXT"), "member.dns.type"),
		must("value", aText, "member.dns.value"),
		may("found", Ref("CheckResult")),
	)),
	may("http", object(
		must("url", anAddress, "member.http.url"),
		must("content", aText, "member.http.content"),
		may("found", Ref("CheckResult")),
	)),
)

// jobShape is the schema of view.job in api.
var jobShape = object(
	must("id", anInteger),
	must("kind", Ref("JobKind"), "member.job.kind"),
	must("state", Ref("JobState"), "member.job.state"),
	must("site", aText, "arg.site.slug"),
	must("progress", `{"type":["number","null"],"format":"double","minimum":0,"maximum":1}`),
	must("bytes_done", anInteger),
	must("bytes_total", someInteger),
	must("created", anInstant),
	must("started", someInstant),
	must("finished", someInstant),
	must("expires", someInstant),
	may("problem", Ref("Error")),
	may("archive", object(
		must("url", anAddress, "member.archive.url"),
		must("bytes", anInteger, "member.filesize"),
		must("sha256", aText),
	)),
	may("site_url", anAddress),
)

// gatheringShape is the schema of view.gathering in api.
var gatheringShape = object(
	must("giver", Ref("GatheringSite"), "member.gathering.giver"),
	must("receiver", Ref("GatheringSite"), "member.gathering.receiver"),
	must("source", object(
		must("id", anInteger, "arg.source.id"),
		must("name", aText, "arg.source.name"),
		must(
			"state",
			choice(platform.GatheringActive, platform.GatheringFailing, platform.GatheringPaused, platform.GatheringLeaving),
			"member.gathering.state",
		),
		must("problem", oneOf(Ref("Error"), isNull), "member.source.problem"),
		must("last_read", someInstant, "member.source.last_read"),
	), "member.gathering.source"),
	must("events", anInteger, "member.gathering.events"),
)

// requestsShape is the schema of view.requests in api.
var requestsShape = object(
	must("site", aText, "arg.site.slug"),
	must("begins", anInstant, "member.requests.begins"),
	must("requests", anInteger, "member.requests.requests"),
	must("refused_limit", anInteger, "member.requests.refused_limit"),
	must("refused_plan", anInteger, "member.requests.refused_plan"),
	must("refused_busy", anInteger, "member.requests.refused_busy"),
	must("errors", anInteger, "member.requests.errors"),
)

// gatheringSiteShape is the schema of view.partner in api.
var gatheringSiteShape = object(
	must("slug", aText, "arg.site.slug"),
	must("name", aText, "arg.site.name"),
	must("state", oneOf(Ref("SiteState"), isNull), "member.gathering.site.state"),
)

// keyShape is the schema of view.credential in api.
var keyShape = object(
	must("id", anInteger),
	must("kind", choice(tenancy.ApplicationPassword, tenancy.APIKey), "arg.key.kind"),
	must("name", aText, "arg.key.name"),
	must("read_only", aSwitch, "arg.key.read_only"),
	must("scopes", oneOf(listOf(Ref("Access")), noValue), "member.key.scopes"),
	must("categories", listOf(anInteger), "member.key.categories"),
	must("expires", someInstant, "member.key.expires"),
	must("user", object(
		must("id", anInteger, "arg.user.id"),
		must("login", aText, "arg.user.login"),
		must("name", aText, "arg.user.name"),
	)),
	must("created", anInstant),
	must("last_used", someInstant),
)
