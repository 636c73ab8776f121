package schema

// outcome are the members of view.outcome in api.
var outcome = []member{
	must("type", aText, "member.webhook.type"),
	must("time", someInstant, "member.at"),
	must("status", someInteger, "member.webhook.status"),
	must("problem", someText, "member.webhook.unanswered"),
}

// webhookShape is the schema of view.webhook in api.
var webhookShape = object(
	must("id", anInteger, "arg.webhook.id"),
	must("url", anAddress, "arg.webhook.url"),
	must("events", listOf(aText), "arg.webhook.events"),
	must("filter", `{"type":["object","null"]}`, "arg.webhook.filter"),
	must("payload", Ref("WebhookPayload"), "arg.webhook.payload"),
	must("language", someText, "arg.webhook.language"),
	must("active", aSwitch, "arg.webhook.active"),
	must("problem", someText, "member.webhook.problem"),
	must("ed25519", aSwitch, "arg.webhook.ed25519"),
	may("public_key", aText, "member.webhook.public_key"),
	may("secret", aText, "member.webhook.secret"),
	must("author", digits),
	must("waiting", anInteger, "member.webhook.waiting"),
	must("last_delivery", oneOf(object(outcome...), `{"type":"null"}`), "member.webhook.last_delivery"),
	must("created", someInstant),
	must("rest_url", anAddress),
)

// deliveryShape is the schema of view.delivery in api.
var deliveryShape = object(append([]member{
	must("id", anInteger, "arg.webhook.delivery"),
	must("message", aText, "member.webhook.message"),
	must("try", anInteger, "member.webhook.try"),
	must("duration", anInteger, "member.webhook.duration"),
	must("request", anObject, "member.webhook.request"),
	must("response", aText, "member.webhook.response"),
}, outcome...)...)
