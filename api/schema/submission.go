package schema

import "github.com/kalends/kalends/calendar/submissions"

// submissionShape is the schema of view.submission in api.
var submissionShape = object(
	may("id", anInteger, "arg.submission.id"),
	must("status", choice(submissions.Unconfirmed, submissions.Waiting, submissions.Accepted, submissions.Returned, submissions.Approved,
		submissions.Refused, submissions.Withdrawn), "member.submission.status"),
	may("token", aText),
	must("title", aText, "arg.submission.title"),
	may("description", aText, "arg.submission.description"),
	must("all_day", aSwitch, "arg.submission.all_day"),
	must("start_date", aTime),
	must("end_date", aTime),
	may("venue", aText, "arg.submission.venue"),
	may("address", aText, "arg.submission.address"),
	may("city", aText, "arg.submission.city"),
	may("cost", aText, "arg.submission.cost"),
	may("website", anAddress, "arg.submission.website"),
	may("category", anInteger, "arg.submission.category"),
	must("contact_name", aText, "arg.submission.contact_name"),
	must("contact_email", aText, "arg.submission.contact_email"),
	may("note", aText, "arg.submission.note"),
	must("contact_confirmed", aSwitch),
	must("language", aText),
	must("sent_utc", aTime),
	may("expires_utc", aTime),
	may("decided_utc", aTime),
	may("message", aText, "arg.submission.message"),
	may("decided_by", digits),
	may("rest_url", anAddress),
	may("event", Ref("Event")),
	may("event_url", anAddress, "member.url"),
	may("similar", listOf(object(
		must("id", anInteger, "member.event.id"),
		must("title", aText, "arg.event.title"),
		must("start_date", aTime),
		must("url", anAddress),
		must("rest_url", anAddress),
	))),
)

// submissionFormShape is the schema of view.submissionForm in api.
var submissionFormShape = object(
	must("open", aSwitch),
	must("terms", aText),
	must("confirmed_by_email", aSwitch),
)
