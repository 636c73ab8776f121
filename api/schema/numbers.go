package schema

// countMembers are how often something was counted.
var countMembers = []member{
	must("views", anInteger, "member.numbers.views"),
	must("calendars", anInteger, "member.numbers.calendars"),
	must("tickets", anInteger, "member.numbers.tickets"),
	must("letters", anInteger, "member.numbers.letters"),
}

// dayNumbersShape are the numbers of a day.
var dayNumbersShape = object(join([]member{must("day", aDay, "member.numbers.day")}, countMembers)...)

// countedEventShape are the numbers of one of several events.
var countedEventShape = object(join([]member{
	must("id", anInteger),
	must("title", aText, "arg.event.title"),
	must("rest_url", anAddress),
}, countMembers)...)

// reportMembers are the numbers of some days.
var reportMembers = []member{
	must("from", aDay, "member.numbers.from"),
	must("to", aDay, "member.numbers.to"),
	must("total", Ref("Numbers"), "member.numbers.total"),
	must("days", listOf(Ref("DayNumbers")), "member.numbers.days"),
}

// eventNumbersShape is the schema of view.eventNumbers in api, and siteNumbersShape that of view.siteNumbers.
var (
	eventNumbersShape = object(join([]member{must("event", anInteger, "member.numbers.event")}, reportMembers)...)
	siteNumbersShape  = object(join(reportMembers, []member{
		must("subscriptions", anInteger, "member.numbers.subscriptions"),
		must("letters_sent", anInteger, "member.numbers.letters_sent"),
		must("events", listOf(countedEventShape), "member.numbers.events"),
	})...)
)
