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
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/jobs"
	"github.com/kalends/kalends/tenancy/platform"
)

// requestSamples are the examples of request bodies by schema.
var requestSamples = map[string]string{
	"EventCreate": `{"title":"Spring concert","start_date":"2027-03-20 19:30","end_date":"2027-03-20 22:00","categories":["music"],` +
		`"venue":{"venue":"Town hall","city":"Bonn"},"cost":"12 €"}`,
	"EventUpdate": `{"cost":"15 €","featured":true}`,
	"EventPreviewFields": `{"start_date":"2027-03-20 19:30","end_date":"2027-03-20 22:00",` +
		`"recurrence":{"every":"month","on":"third saturday"}}`,
	"VenueCreate":     `{"venue":"Town hall","address":"Market 1","city":"Bonn","country":"Germany"}`,
	"VenueUpdate":     `{"phone":"+49 228 123456"}`,
	"OrganizerCreate": `{"organizer":"Music school","email":"office@example.org"}`,
	"OrganizerUpdate": `{"website":"https://school.example.org"}`,
	"CategoryCreate":  `{"name":"Music"}`,
	"CategoryUpdate":  `{"description":"Concerts and sessions"}`,
	"TagCreate":       `{"name":"outdoors"}`,
	"TagUpdate":       `{"slug":"open-air"}`,
	"SubmissionCreate": `{"title":"Choir evening","start_date":"2027-06-04 19:30","end_date":"2027-06-04 21:00","venue":"Old barn",` +
		`"city":"Bonn","contact_name":"Ada","contact_email":"ada@example.org","terms":true}`,
	"SubmissionUpdate":  `{"token":"` + sampleToken + `","start_date":"2027-06-04 20:00"}`,
	"SubmissionConfirm": `{"token":"` + sampleToken + `"}`,
	"SubmissionApprove": `{"status":"publish"}`,
	"SubmissionRefuse":  `{"message":"Our calendar is about music alone."}`,
	"ImportCreate":      `{"url":"https://club.example.org/events.ics","dry_run":true}`,
	"SourceCreate":      `{"name":"Club","kind":"ics","url":"https://club.example.org/events.ics","categories":["Club"]}`,
	"SourceUpdate":      `{"every":7200}`,
	"SiteCreate":        `{"slug":"bonn","name":"Bonn","timezone":"Europe/Berlin","language":"de"}`,
	"SiteUpdate":        `{"name":"City of Bonn"}`,
	"UserCreate":        `{"login":"anna","email":"anna@example.org","role":"editor"}`,
	"UserUpdate":        `{"role":"author"}`,
	"DomainCreate":      `{"domain":"calendar.example.org"}`,
	"FieldCreate":       `{"label":"Dogs allowed","kind":"yes_no","of":["event","venue"],"filter":true}`,
	"FieldUpdate":       `{"hint":"Only on a lead"}`,
	"WebhookCreate":     `{"url":"https://example.org/hook","events":["event.published","event.updated","event.trashed"]}`,
	"WebhookUpdate":     `{"active":false}`,
	"PlanCreate":        `{"limits":{"events":1000}}`,
}

// sampleToken is an example of a token in emails.
const sampleToken = "ONJ5DO2KTSRUS7KEOYAM23PRJB" //nolint:gosec // an example, which opens nothing

// requestSample returns the example of a route's request body, or "" for a file.
func requestSample(r *Route) string {
	return requestSamples[strings.TrimSuffix(bodyName(r), "BySlug")]
}

// sampleTime is the time of everything in the examples.
var sampleTime = time.Date(2027, 2, 1, 9, 30, 0, 0, time.UTC)

// answerSamples write the examples of responses by schema, using the code that writes real responses.
var answerSamples = map[string]func(*View){
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
	"EventList":      onePage("events", func(v *View) { v.event(anEvent(), false) }),
	"VenueList":      onePage("venues", func(v *View) { v.venue(aVenue(), false) }),
	"OrganizerList":  onePage("organizers", func(v *View) { v.organizer(anOrganizer(), false) }),
	"CategoryList":   onePage("categories", func(v *View) { v.term(aTerm(calendar.Categories), false) }),
	"TagList":        onePage("tags", func(v *View) { v.term(aTerm(calendar.Tags), false) }),
	"Submission":     func(v *View) { v.submission(&shownSubmission{Submission: aSubmission(), editor: true}) },
	"SubmissionList": onePage("submissions", func(v *View) { v.submission(&shownSubmission{Submission: aSubmission(), editor: true}) }),
	"SubmissionForm": func(v *View) { v.submissionForm(true, "Events in town only.", true) },
	"Me": func(v *View) {
		v.me(tenancy.Principal{UserID: 1, Login: "anna", Role: tenancy.Editor, Kind: tenancy.APIKey, Credential: 40, Key: "Website",
			Limits: &tenancy.KeyLimits{Access: tenancy.ReadEvents | tenancy.WriteEvents, Categories: []int64{3},
				Expires: sampleTime.AddDate(1, 0, 0)}}, aSite())
	},
	"EventNumbers":    func(v *View) { v.eventNumbers(21, aReport()) },
	"SiteNumbers":     func(v *View) { v.siteNumbers(aReport()) },
	"Import":          func(v *View) { v.importOf(anImport()) },
	"ImportList":      onePage("imports", func(v *View) { v.importOf(anImport()) }),
	"ImportEntryList": onePage("imports/7/entries", func(v *View) { v.importEntry(anImportEntry()) }),
	"Source":          func(v *View) { v.source(aSource()) },
	"SourceList":      entriesOf("sources", func(v *View) { v.source(aSource()) }),
	"ChangeList": func(v *View) {
		v.list("changes", 1, func(int) {
			v.change(&changes.Change{Type: changes.Event, ID: 21, Action: changes.Updated, Version: 42, At: sampleTime}, nil)
		})
		v.Text("next", "AXj3kQ2mVxYAVK7jHqA")
		v.Bool("more", false)
		v.Close('}')
	},
	"FieldList":     entriesOf("fields", func(v *View) { v.field(aField()) }),
	"Field":         func(v *View) { v.field(aField()) },
	"WebhookList":   entriesOf("webhooks", func(v *View) { v.webhook(aWebhook(), "") }),
	"Webhook":       func(v *View) { v.webhook(aWebhook(), "") },
	"DeliveryList":  onePage("webhooks/42/deliveries", func(v *View) { v.delivery(aDelivery()) }),
	"Site":          func(v *View) { v.site(aSite(), "example.org") },
	"SiteList":      onePage("sites", func(v *View) { v.site(aSite(), "example.org") }),
	"User":          func(v *View) { v.user(aUser(), "") },
	"UserList":      onePage("sites/bonn/users", func(v *View) { v.user(aUser(), "") }),
	"Key":           func(v *View) { v.credential(aKey()) },
	"KeyList":       onePage("sites/bonn/keys", func(v *View) { v.credential(aKey()) }),
	"Plan":          func(v *View) { v.plan(aPlan()) },
	"PlanList":      entriesOf("plans", func(v *View) { v.plan(aPlan()) }),
	"Domain":        func(v *View) { v.domain(aDomain(), "bonn.example.org", "") },
	"DomainList":    entriesOf("domains", func(v *View) { v.domain(aDomain(), "bonn.example.org", "") }),
	"Gathering":     func(v *View) { v.gathering(aGathering()) },
	"GatheringList": onePage("gatherings", func(v *View) { v.gathering(aGathering()) }),
	"Requests":      func(v *View) { v.requests(someRequests()) },
	"RequestsList":  onePage("requests", func(v *View) { v.requests(someRequests()) }),
	"Job":           func(v *View) { v.job(aJob()) },
	"JobList":       onePage("jobs", func(v *View) { v.job(aJob()) }),
	"History": entriesOf("entries", func(v *View) {
		v.entry(&tenancy.Entry{Position: tenancy.Position{Version: 42, Kind: "event", ID: 21}, At: sampleTime, Action: "update", UserID: 1,
			Who: "anna", Via: tenancy.Via("application_password"), Before: map[string]any{"title": "Concert"}})
	}),
}

// onePage returns a list that consists of one page with one entry.
func onePage(collection string, write func(*View)) func(*View) {
	return func(v *View) {
		name := collection[strings.LastIndexByte(collection, '/')+1:]
		v.list(name, 1, func(int) { write(v) })
		v.Bytes = v.paged(listing{collection: collection, page: 1, perPage: 15, total: 1, links: nil}, 0).Body
	}
}

// entriesOf returns a list of one entry without pages.
func entriesOf(name string, write func(*View)) func(*View) {
	return func(v *View) {
		v.list(name, 1, func(int) { write(v) })
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
		Last: aDelivery(), Created: sampleTime}
}

func aDelivery() *webhooks.Delivery {
	return &webhooks.Delivery{ID: 7, Message: "msg_2xLzq7RbN5", Event: "event.updated", Kind: "event", Object: 21, Version: 42,
		Changed: sampleTime, Try: 1, At: sampleTime, Took: 80 * time.Millisecond, Status: 204,
		Request: `{"type":"event.updated","timestamp":"2027-01-05T09:00:00Z","data":{"id":21,"version":42,"site":"bonn",` +
			`"rest_url":"https://bonn.example.org/calendar/events/v1/events/21"}}`}
}

func aPost(id int64, slug string) calendar.Post {
	return calendar.Post{ID: id, Version: 1, Author: 1, Status: calendar.Publish, Slug: slug,
		Date: sampleTime, Dated: true, Modified: sampleTime}
}

func aSource() *sources.Source {
	return &sources.Source{ID: 7, Version: 42, Name: "Club", Kind: sources.Calendar, Shown: "https://club.example.org/events.ics",
		Every: 3600, Policy: imports.Update, Gone: imports.Cancel, Given: args.Values{"categories": []any{"Club"}}, Active: true,
		User: 1, Read: sampleTime, Success: sampleTime, Next: sampleTime.Add(time.Hour),
		Counts: &imports.Counts{Read: 96, Created: 93, Same: 2, Refused: 1}, Created: sampleTime}
}

func aReport() *numbers.Report {
	n := numbers.Counts{Views: 120, Calendars: 9, Tickets: 14, Letters: 300}
	day := time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC)
	return &numbers.Report{First: day, Last: day, Days: []numbers.Day{{Day: day, Counts: n}}, Sum: n,
		Site: numbers.Counts{Calendars: 4, Letters: 300}, Events: []numbers.Counted{{ID: 21, Title: "Spring concert", Counts: n}}}
}

func aGathering() *platform.Gathering {
	return &platform.Gathering{Giver: platform.Partner{Slug: "bonn", Name: "Bonn", State: tenancy.Active},
		Receiver: platform.Partner{Slug: "region", Name: "Region", State: tenancy.Active}, Source: 7, Name: "Bonn",
		State: platform.GatheringActive, Read: sampleTime, Events: 93}
}

func someRequests() *platform.SpanTraffic {
	return &platform.SpanTraffic{Slug: "bonn", Begins: time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC),
		Traffic: platform.Traffic{Requests: 48210, Limited: 12, Full: 1}}
}

func anImport() *imports.Import {
	return &imports.Import{ID: 7, State: imports.Done, Format: "ics", Policy: imports.Update, Name: "club.ics", Total: 96,
		Created: sampleTime, Started: sampleTime, Finished: sampleTime.Add(time.Second),
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
		Event: e, Status: submissions.Waiting, Proved: true, Created: sampleTime}
}

func aSite() *tenancy.Site {
	s := &tenancy.Site{ID: 2, Slug: "bonn", Name: "Bonn", Language: "de", Settings: tenancy.DefaultSettings(),
		Plan:  tenancy.Plan{Name: "unlimited", Geo: true},
		State: tenancy.Active, Version: 42, Created: sampleTime}
	s.SetTimezone("Europe/Berlin")
	return s
}

func aKey() *accounts.OwnedKey {
	return &accounts.OwnedKey{Credential: accounts.Credential{ID: 40, UserID: 1, Kind: tenancy.APIKey, Name: "Website",
		ReadOnly: true, Created: sampleTime},
		Login: "anna", Owner: "Anna"}
}

func aUser() *tenancy.User {
	return &tenancy.User{ID: 1, Login: "anna", Email: "anna@example.org", Name: "Anna", Role: tenancy.Editor, Created: sampleTime}
}

func aPlan() *platform.Offer {
	return &platform.Offer{Plan: tenancy.Plan{Name: "unlimited", Geo: true}, Sites: 1, Created: sampleTime}
}

func aDomain() *platform.Check {
	return &platform.Check{Domain: platform.Domain{Name: "calendar.example.org", By: platform.ByDNS, Proved: sampleTime}}
}

func aJob() *jobs.Job {
	return &jobs.Job{ID: 7, Kind: jobs.Export, State: jobs.Queued, Site: "bonn", Object: 2, Created: sampleTime}
}

// samples writes the examples that the routes refer to.
func (v *View) samples(m *manual) {
	written := map[string]bool{}
	v.Open("examples", '{')
	for i := range m.routes {
		name := m.routes[i].Answers
		if write := answerSamples[name]; write != nil && !written[name] {
			written[name] = true
			v.Open(name, '{')
			v.Key("value")
			v.written, v.structured = nil, nil
			write(v)
			v.Close('}')
		}
	}
	v.Close('}')
}

// sampleRef refers to the example of a route's response.
func (v *View) sampleRef(r *Route) string {
	if answerSamples[r.Answers] == nil {
		return ""
	}
	return `,"examples":{"sample":{"$ref":"#/components/examples/` + r.Answers + `"}}`
}
