package kit

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"

	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/letters"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/cache"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage"
	numberstore "github.com/kalends/kalends/storage/numbers"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
)

// Look asks for a public page.
func (k *Kit) Look(path string, headers ...string) Answer {
	k.T.Helper()
	r := Request{Method: "GET", Path: "/" + path, Headers: map[string]string{}}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Headers[headers[i]] = headers[i+1]
	}
	return k.Send(r)
}

// PublicKit is a site with an event of everything, on a day in November 2026.
func PublicKit(t *testing.T) *Kit {
	t.Helper()
	t.Parallel()
	k := New(t)
	k.Clock = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	k.Event(map[string]any{"title": "Lake Concert", "slug": "lake", "start_date": "2027-03-14 19:30", "end_date": "2027-03-14 21:30",
		"description": "<p>Music on the water.</p>", "cost": "€10 - €20", "categories": []string{"Music"}, "tags": []string{"outdoor"},
		"website": "https://example.org/lake", "show_map": true,
		"venue":     map[string]any{"venue": "Pier", "slug": "pier", "address": "Seeweg 1", "city": "Lindau", "zip": "88131", "country": "Germany", "geo_lat": 47.5, "geo_lng": 9.7},
		"organizer": []map[string]any{{"organizer": "Music Society", "slug": "society", "email": "m@example.org"}}})
	return k
}

// PublicPages are all kinds of pages there are.
var PublicPages = []string{"/", "/events/", "/events/list/", "/events/past/", "/events/month/", "/events/month/2027-03/", "/events/day/2027-03-14/",
	"/event/lake/", "/venue/pier/", "/organizer/society/", "/events/category/music/", "/tag/outdoor/", "/events/?search=lake", "/events/map/", "/events/programme/"}

// Untranslated finds keys of texts where texts should be.
var Untranslated = regexp.MustCompile(`\b(public|date|error)\.[a-z_]+(\.[a-z_]+)*\b`)

// Policy is what every page is sent with.
const Policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data: https:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// Structured returns the structured data of a page.
func Structured(t *testing.T, page []byte) map[string]any {
	t.Helper()
	_, rest, found := strings.Cut(string(page), `<script type="application/ld+json">`)
	text, _, closed := strings.Cut(rest, "</script>")
	if !found || !closed {
		t.Fatalf("no structured data in %s", page)
	}
	var data map[string]any
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatal(err)
	}
	return data
}

// KeepAnswers gives the kit's server a cache.
func (k *Kit) KeepAnswers() {
	k.T.Helper()
	var versions *cache.Versions
	db, err := storage.Open(context.Background(), k.URL, storage.Options{MaxConns: 4, Connect: storagetest.Connect(k.T), OnVersion: func(site, version int64, _ bool) { versions.Raise(site, version) }})
	k.Must(err)
	versions = cache.NewVersions(db, slog.New(slog.DiscardHandler))
	images := Pictures(k.T, k.T.TempDir())
	clock := func() time.Time {
		if !k.Clock.IsZero() {
			return k.Clock
		}
		return time.Now()
	}
	c := services.New(db, images, clock)
	k.App = server.New(server.Config{Platform: k.Platform, Domain: "localhost", Pictures: images, Logger: slog.New(slog.DiscardHandler),
		Checks: []server.Check{answers(k.DB)}, Calendar: c, Numbers: numbers.New(numberstore.New(db.Engine()), c, k.Numbers), Editing: editing.New(c, db), Submissions: letters.Submissions(c, db, k.Platform, nil), Answers: cache.New(cache.Options{Clock: clock}), Versions: versions})
}

var sentLink = regexp.MustCompile(`https?://[^\s"<>]+/submit/sent/\?code=[A-Z0-9]+`)

// CodeIn returns the code of the link to a submission in a mail, or "".
func CodeIn(text string) string {
	u, err := url.Parse(sentLink.FindString(text))
	if err != nil {
		return ""
	}
	return u.Query().Get("code")
}

// RefusalForm is how the form begins that refuses what somebody sent.
const RefusalForm = `<form class="stack narrow after"`

// Reported has a mistake reported in a new event of site demo, and returns the id of the report.
func (k *Kit) Reported() string {
	k.T.Helper()
	ctx := tenancy.With(k.T.Context(), tenancy.Scope{Site: k.Sites["demo"], Language: "en"})
	k.Must(submissions.New(k.Calendar, k.DB, k.Platform.Attempts, nil).Report(ctx, submissions.Subject{Kind: "event", ID: k.Event(nil)}, &submissions.ReportFields{Text: args.Some("The wrong day")}))
	return k.Peek("demo", `SELECT id FROM reports`)
}

// Submitted creates a pending submission on site demo and returns the id of the event.
func (k *Kit) Submitted() int64 {
	k.T.Helper()
	site := *k.Sites["demo"]
	site.Settings.Submissions.On = true
	day, err := args.ParseDate("2031-05-01 19:00")
	k.Must(err)
	ctx := tenancy.With(k.T.Context(), tenancy.Scope{Site: &site, Language: "en"})
	sub, _, err := submissions.New(k.Calendar, k.DB, k.Platform.Attempts, nil).Send(ctx, &submissions.Fields{Title: args.Some("Sent"),
		Start: args.Some(day), Name: args.Some("Ada"), Email: args.Some(args.Email("ada@example.net"))}, nil)
	k.Must(err)
	return sub.Event.ID
}

// Feed reads a calendar file with another reader, and returns its events by title,
// in their order.
func (k *Kit) Feed(path string) map[string][]*ics.VEvent {
	k.T.Helper()
	a := k.Look(path)
	if a.Status != http.StatusOK || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/calendar") {
		k.T.Fatalf("%s: %s", path, a)
	}
	for line := range strings.SplitSeq(string(a.Raw), "\r\n") {
		if len(line) > 75 || strings.ContainsAny(line, "\r\n") {
			k.T.Errorf("%s: no content line: %q", path, line)
		}
	}
	read, err := ics.ParseCalendar(strings.NewReader(string(a.Raw)))
	if err != nil {
		k.T.Fatalf("%s: %v", path, err)
	}
	events := map[string][]*ics.VEvent{}
	for _, e := range read.Events() {
		title := Prop(e, "SUMMARY")
		events[title] = append(events[title], e)
	}
	return events
}

// Prop returns the value of a property of a calendar file's event, or "".
func Prop(e *ics.VEvent, name string) string {
	if p := e.GetProperty(ics.ComponentProperty(name)); p != nil {
		return p.Value
	}
	return ""
}

// Bilingual returns a kit whose site demo is written in English, German and French, with English as the fallback of
// both.
func Bilingual(t *testing.T) *Kit {
	t.Helper()
	k := NewWithFixedClock(t)
	k.Write("demo", "en", "de", "fr")
	return k
}

// Write sets the languages of a site in fallback order.
func (k *Kit) Write(site string, languages ...string) {
	k.T.Helper()
	k.Exec("UPDATE sites SET content_languages = $2, version = version + 1 WHERE slug = $1", site, languages)
	k.Platform.Forget(k.Sites[site].ID)
	k.Sites[site].Settings.ContentLanguages = languages
}
