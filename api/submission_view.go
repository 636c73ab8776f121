package api

import (
	"strconv"

	"github.com/kalends/kalends/calendar"
)

// shownSubmission is a submission as seen by an editor or its sender.
type shownSubmission struct {
	*calendar.Submission
	editor  bool
	token   string            // "": not disclosed
	similar []*calendar.Event // possible duplicates
}

// submission writes a submission. Its texts are plain, as typed.
func (v *view) submission(s *shownSubmission) {
	v.item()
	if s.editor {
		v.int("id", s.Event.ID)
	}
	v.text("status", string(s.Status))
	v.some("token", s.token)
	v.typed(&s.Sent)
	v.bool("contact_confirmed", s.Proved)
	v.text("language", s.Language)
	v.time("sent_utc", s.Created.UTC())
	if !s.Expires.IsZero() {
		v.time("expires_utc", s.Expires.UTC())
	}
	if !s.Settled.IsZero() {
		v.time("decided_utc", s.Settled.UTC())
	}
	v.some("message", s.Message)
	if s.editor {
		v.ofEditor(s)
	} else if s.Event != nil && s.Event.Status == calendar.Publish {
		v.text("event_url", v.page("event", "tribe_events", &s.Event.Post))
	}
	if len(s.similar) > 0 {
		v.open("similar", '[')
		for _, e := range s.similar {
			v.item()
			v.int("id", e.ID)
			v.html("title", e.Title)
			v.time("start_date", e.Start)
			v.text("url", v.page("event", "tribe_events", &e.Post))
			v.text("rest_url", v.api+"/events/"+strconv.FormatInt(e.ID, 10))
			v.close('}')
		}
		v.close(']')
	}
	v.close('}')
}

// typed writes the arguments as sent.
func (v *view) typed(t *calendar.Sent) {
	v.text("title", t.Title)
	v.some("description", t.Description)
	v.bool("all_day", t.AllDay)
	v.text("start_date", t.Start)
	v.text("end_date", t.End)
	v.some("venue", t.Venue)
	v.some("address", t.Address)
	v.some("city", t.City)
	v.some("cost", t.Cost)
	v.some("website", t.Website)
	if t.Category != 0 {
		v.int("category", t.Category)
	}
	v.text("contact_name", t.Name)
	v.text("contact_email", t.Email)
	v.some("note", t.Note)
}

// ofEditor writes what only editors may see.
func (v *view) ofEditor(s *shownSubmission) {
	if s.By != 0 {
		v.digits("decided_by", s.By)
	}
	v.text("rest_url", v.api+"/submissions/"+strconv.FormatInt(s.Event.ID, 10))
	v.key("event")
	v.event(s.Event, false)
}

func (v *view) submissionForm(open bool, terms string, mails bool) {
	v.item()
	v.bool("open", open)
	v.text("terms", terms)
	v.bool("confirmed_by_email", mails)
	v.close('}')
}

// submissionShape is the schema of view.submission.
var submissionShape = object(
	may("id", anInteger),
	must("status", choice(calendar.Unconfirmed, calendar.Waiting, calendar.Accepted, calendar.Approved, calendar.Refused,
		calendar.Withdrawn)),
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
	may("event", ref("Event")),
	may("event_url", anAddress),
	may("similar", listOf(object(
		must("id", anInteger),
		must("title", aText),
		must("start_date", aTime),
		must("url", anAddress),
		must("rest_url", anAddress),
	))),
)

// submissionFormShape is the schema of view.submissionForm.
var submissionFormShape = object(
	must("open", aSwitch),
	must("terms", aText),
	must("confirmed_by_email", aSwitch),
)
