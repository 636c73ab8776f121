package api

import (
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/tenancy"
)

// SampleTime is the time of everything in the examples of documents.
var SampleTime = time.Date(2027, 2, 1, 9, 30, 0, 0, time.UTC)

// Samples returns what writes the examples of responses, by schema. It is the code that writes real responses.
func Samples() map[string]func(*View) { return samples }

var samples = map[string]func(*View){
	"Event": func(v *View) { v.event(anEvent(), true) },
	"EventPreview": func(v *View) {
		e := anEvent()
		e.Recurrence = &recur.Set{Rules: []recur.Rule{{Freq: recur.Monthly, ByDay: []recur.Day{{N: 3, Weekday: time.Saturday}}}}}
		list := e.Next(e.Start, 2)
		e.Recurrence = nil // as text it would depend on the language
		v.preview(e, list)
	},
	"Venue":     func(v *View) { v.venue(aVenue(), true) },
	"Organizer": func(v *View) { v.organizer(anOrganizer(), true) },
	"Category":  func(v *View) { v.term(aTerm(calendar.Categories), true) },
	"Tag":       func(v *View) { v.term(aTerm(calendar.Tags), true) },
	"Image": func(v *View) {
		v.Bytes = append(v.Bytes, '{')
		v.image(&calendar.Image{ID: 31, Key: "m4x7", File: "hall.jpg", MIME: "image/jpeg", Extension: "jpg",
			Width: 1600, Height: 900, Bytes: 214000})
		v.Close('}')
	},
	"EventList":      OnePage("events", func(v *View) { v.event(anEvent(), false) }),
	"VenueList":      OnePage("venues", func(v *View) { v.venue(aVenue(), false) }),
	"OrganizerList":  OnePage("organizers", func(v *View) { v.organizer(anOrganizer(), false) }),
	"CategoryList":   OnePage("categories", func(v *View) { v.term(aTerm(calendar.Categories), false) }),
	"TagList":        OnePage("tags", func(v *View) { v.term(aTerm(calendar.Tags), false) }),
	"Submission":     func(v *View) { v.submission(&shownSubmission{Submission: aSubmission(), editor: true}) },
	"SubmissionList": OnePage("submissions", func(v *View) { v.submission(&shownSubmission{Submission: aSubmission(), editor: true}) }),
	"SubmissionForm": func(v *View) { v.submissionForm(true, "Events in town only.", true) },
	"Me": func(v *View) {
		v.me(tenancy.Principal{UserID: 1, Login: "anna", Role: tenancy.Editor, Kind: tenancy.APIKey, Credential: 40, Key: "Website",
			Limits: &tenancy.KeyLimits{Access: tenancy.ReadEvents | tenancy.WriteEvents, Categories: []int64{3},
				Expires: SampleTime.AddDate(1, 0, 0)}},
			&tenancy.Site{Slug: "bonn", Name: "Bonn", Language: "de", Timezone: "Europe/Berlin"})
	},
	"EventNumbers":    func(v *View) { v.eventNumbers(21, aReport()) },
	"SiteNumbers":     func(v *View) { v.siteNumbers(aReport()) },
	"Import":          func(v *View) { v.importOf(anImport()) },
	"ImportList":      OnePage("imports", func(v *View) { v.importOf(anImport()) }),
	"ImportEntryList": OnePage("imports/7/entries", func(v *View) { v.importEntry(anImportEntry()) }),
	"Source":          func(v *View) { v.source(aSource()) },
	"SourceList":      EntriesOf("sources", func(v *View) { v.source(aSource()) }),
	"ChangeList": func(v *View) {
		v.List("changes", 1, func(int) {
			v.change(&changes.Change{Type: changes.Event, ID: 21, Action: changes.Updated, Version: 42, At: SampleTime}, nil)
		})
		v.Text("next", "AXj3kQ2mVxYAVK7jHqA")
		v.Bool("more", false)
		v.Close('}')
	},
	"FieldList":    EntriesOf("fields", func(v *View) { v.field(aField()) }),
	"Field":        func(v *View) { v.field(aField()) },
	"WebhookList":  EntriesOf("webhooks", func(v *View) { v.webhook(aWebhook(), "") }),
	"Webhook":      func(v *View) { v.webhook(aWebhook(), "") },
	"DeliveryList": OnePage("webhooks/42/deliveries", func(v *View) { v.delivery(aDelivery()) }),
}

// OnePage returns a list that consists of one page with one entry.
func OnePage(collection string, write func(*View)) func(*View) {
	return func(v *View) {
		name := collection[strings.LastIndexByte(collection, '/')+1:]
		v.List(name, 1, func(int) { write(v) })
		v.Bytes = v.Paged(Listing{Collection: collection, Page: 1, PerPage: 15, Total: 1, Links: nil}, 0).Body
	}
}

// EntriesOf returns a list of one entry without pages.
func EntriesOf(name string, write func(*View)) func(*View) {
	return func(v *View) {
		v.List(name, 1, func(int) { write(v) })
		v.Close('}')
	}
}

func aField() *tenancy.Field {
	options := map[string]string{"outdoors": "Outdoors", "hall": "Great hall"}
	return &tenancy.Field{Key: "stage", Kind: tenancy.ChoiceField, Of: []string{tenancy.FieldOfEvents},
		Options: []string{"outdoors", "hall"}, Public: true, Filter: true, Version: 42,
		Texts: map[string]tenancy.FieldText{"en": {Label: "Stage", Options: options}}}
}

func aWebhook() *webhooks.Webhook {
	return &webhooks.Webhook{ID: 42, Version: 42, URL: "https://example.org/hook", Events: []string{"event.published", "event.updated"},
		Filter: map[string]any{"categories": []string{"music"}}, Payload: webhooks.Thin, User: 1, Active: true,
		Last: aDelivery(), Created: SampleTime}
}

func aDelivery() *webhooks.Delivery {
	return &webhooks.Delivery{ID: 7, Message: "msg_2xLzq7RbN5", Event: "event.updated", Kind: "event", Object: 21, Version: 42,
		Changed: SampleTime, Try: 1, At: SampleTime, Took: 80 * time.Millisecond, Status: 204,
		Request: `{"type":"event.updated","timestamp":"2027-01-05T09:00:00Z","data":{"id":21,"version":42,"site":"bonn",` +
			`"rest_url":"https://bonn.example.org/calendar/events/v1/events/21"}}`}
}

func aPost(id int64, slug string) calendar.Post {
	return calendar.Post{ID: id, Version: 1, Author: 1, Status: calendar.Publish, Slug: slug,
		Date: SampleTime, Dated: true, Modified: SampleTime}
}

func aSource() *sources.Source {
	return &sources.Source{ID: 7, Version: 42, Name: "Club", Kind: sources.Calendar, Shown: "https://club.example.org/events.ics",
		Every: 3600, Policy: imports.Update, Gone: imports.Cancel, Given: args.Values{"categories": []any{"Club"}}, Active: true,
		User: 1, Read: SampleTime, Success: SampleTime, Next: SampleTime.Add(time.Hour),
		Counts: &imports.Counts{Read: 96, Created: 93, Same: 2, Refused: 1}, Created: SampleTime}
}

func aReport() *numbers.Report {
	n := numbers.Counts{Views: 120, Calendars: 9, Tickets: 14, Letters: 300}
	day := time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC)
	return &numbers.Report{First: day, Last: day, Days: []numbers.Day{{Day: day, Counts: n}}, Sum: n,
		Site: numbers.Counts{Calendars: 4, Letters: 300}, Events: []numbers.Counted{{ID: 21, Title: "Spring concert", Counts: n}}}
}

func anImport() *imports.Import {
	return &imports.Import{ID: 7, State: imports.Done, Format: "ics", Policy: imports.Update, Name: "club.ics", Total: 96,
		Created: SampleTime, Started: SampleTime, Finished: SampleTime.Add(time.Second),
		Counts: imports.Counts{Read: 96, Created: 93, Same: 2, Refused: 1}}
}

func anImportEntry() *imports.Entry {
	return &imports.Entry{Number: 1, Line: 12, UID: "gig@club.example", Title: "Gig", Start: "2027-03-20 19:30:00",
		Result: imports.Created, Event: 21}
}

func anEvent() *calendar.Event {
	start := time.Date(2027, 3, 20, 19, 30, 0, 0, time.UTC)
	e := &calendar.Event{Post: aPost(21, "spring-concert"), Title: "Spring concert",
		Description: "<p>Students play.</p>", Timezone: "Europe/Berlin",
		Start: start, End: start.Add(150 * time.Minute), StartUTC: start.Add(-time.Hour), EndUTC: start.Add(90 * time.Minute),
		Cost:    []string{"12"},
		ShowMap: true, ShowMapLink: true}
	e.Venues, e.Organizers = []calendar.Venue{*aVenue()}, []calendar.Organizer{*anOrganizer()}
	e.Categories = []calendar.Term{*aTerm(calendar.Categories)}
	return e
}

func aVenue() *calendar.Venue {
	return &calendar.Venue{Post: aPost(11, "town-hall"), Name: "Town hall", Address: "Market 1", City: "Bonn", Country: "Germany",
		ShowMap: true, ShowMapLink: true}
}

func anOrganizer() *calendar.Organizer {
	return &calendar.Organizer{Post: aPost(12, "music-school"), Name: "Music school", Email: "office@example.org"}
}

func aTerm(taxonomy calendar.Taxonomy) *calendar.Term {
	if taxonomy == calendar.Tags {
		return &calendar.Term{ID: 4, Taxonomy: taxonomy, Name: "outdoors", Slug: "outdoors", Path: "outdoors", Count: 1}
	}
	return &calendar.Term{ID: 3, Taxonomy: taxonomy, Name: "Music", Slug: "music", Path: "music", Count: 1}
}

func aSubmission() *submissions.Submission {
	e := anEvent()
	e.Status = calendar.Pending
	return &submissions.Submission{Sent: submissions.Sent{Title: "Spring concert", Start: "2027-03-20 19:30:00", End: "2027-03-20 22:00:00",
		Venue: "Town hall", City: "Bonn", Name: "Ada", Email: "ada@example.org", Language: "de"},
		Event: e, Status: submissions.Waiting, Proved: true, Created: SampleTime}
}
