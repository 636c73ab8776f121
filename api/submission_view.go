package api

import (
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/submissions"
)

// shownSubmission is a submission as seen by an editor or its sender.
type shownSubmission struct {
	*submissions.Submission
	editor  bool
	token   string            // "": not disclosed
	similar []*calendar.Event // possible duplicates
}

// submission writes a submission. Its texts are plain, as typed.
func (v *View) submission(s *shownSubmission) {
	v.Item()
	if s.editor {
		v.Int("id", s.Event.ID)
	}
	v.Text("status", string(s.Status))
	v.Some("token", s.token)
	v.typed(&s.Sent)
	v.Bool("contact_confirmed", s.Proved)
	v.Text("language", s.Language)
	v.Time("sent_utc", s.Created.UTC())
	if !s.Expires.IsZero() {
		v.Time("expires_utc", s.Expires.UTC())
	}
	if !s.Settled.IsZero() {
		v.Time("decided_utc", s.Settled.UTC())
	}
	v.Some("message", s.Message)
	if s.editor {
		v.ofEditor(s)
	} else if s.Event != nil && s.Event.Status == calendar.Publish {
		v.Text("event_url", v.Page("event", "tribe_events", &s.Event.Post))
	}
	if len(s.similar) > 0 {
		v.Open("similar", '[')
		for _, e := range s.similar {
			v.Item()
			v.Int("id", e.ID)
			v.HTML("title", e.Title)
			v.Time("start_date", e.Start)
			v.Text("url", v.Page("event", "tribe_events", &e.Post))
			v.Text("rest_url", v.Root+"/events/"+strconv.FormatInt(e.ID, 10))
			v.Close('}')
		}
		v.Close(']')
	}
	v.Close('}')
}

// typed writes the arguments as sent.
func (v *View) typed(t *submissions.Sent) {
	v.Text("title", t.Title)
	v.Some("description", t.Description)
	v.Bool("all_day", t.AllDay)
	v.Text("start_date", t.Start)
	v.Text("end_date", t.End)
	v.Some("venue", t.Venue)
	v.Some("address", t.Address)
	v.Some("city", t.City)
	v.Some("cost", t.Cost)
	v.Some("website", t.Website)
	if t.Category != 0 {
		v.Int("category", t.Category)
	}
	v.Text("contact_name", t.Name)
	v.Text("contact_email", t.Email)
	v.Some("note", t.Note)
}

// ofEditor writes what only editors may see.
func (v *View) ofEditor(s *shownSubmission) {
	if s.By != 0 {
		v.Digits("decided_by", s.By)
	}
	v.Text("rest_url", v.Root+"/submissions/"+strconv.FormatInt(s.Event.ID, 10))
	v.Key("event")
	v.event(s.Event, false)
}

func (v *View) submissionForm(open bool, terms string, mails bool) {
	v.Item()
	v.Bool("open", open)
	v.Text("terms", terms)
	v.Bool("confirmed_by_email", mails)
	v.Close('}')
}
