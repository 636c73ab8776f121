package schema

import "github.com/kalends/kalends/calendar/submissions"

// submissionShape is the schema of view.submission in api.
var submissionShape = object(
	may("id", anInteger),
	must("status", choice(submissions.Unconfirmed, submissions.Waiting, submissions.Accepted, submissions.Approved, submissions.Refused,
		submissions.Withdrawn)),
	may("token", aText),
	must("title", aText),
	may("description", aText),
	must("all_day", aSwitch),
	must("start_date", aTime),
	must("end_date", aTime),
	may("venue", aText),
	may("address", aText),
	may("city", aText),
	may("cost", aText),
	may("website", anAddress),
	may("category", anInteger),
	must("contact_name", aText),
	must("contact_email", aText),
	may("note", aText),
	must("contact_confirmed", aSwitch),
	must("language", aText),
	must("sent_utc", aTime),
	may("expires_utc", aTime),
	may("decided_utc", aTime),
	may("message", aText),
	may("decided_by", digits),
	may("rest_url", anAddress),
	may("event", Ref("Event")),
	may("event_url", anAddress),
	may("similar", listOf(object(
		must("id", anInteger),
		must("title", aText),
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
