package api

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/apitest"
)

// Parts of the samples.
var (
	sampleDay   = time.Date(2027, 3, 1, 9, 30, 0, 0, time.UTC)
	sampleImage = &calendar.Image{ID: 9, Key: "k3y", File: "a b.jpg", MIME: "image/jpeg", Extension: "jpg", Width: 800, Height: 600,
		Bytes: 1234, Sizes: []calendar.ImageSize{{Name: "thumbnail", File: "a-150x150.jpg", MIME: "image/jpeg", Width: 150, Height: 150, Bytes: 99}}}
	bareImage = &calendar.Image{ID: 10, Key: "k3z", File: "b.png", MIME: "image/png", Extension: "png", Width: 10, Height: 10, Bytes: 12}
)

func samplePost(id int64, status calendar.Status) calendar.Post {
	return calendar.Post{ID: id, Version: 4, Author: 1, Status: status, Slug: "sample", Date: sampleDay, Dated: true, Modified: sampleDay}
}

func emptyEvent() *calendar.Event {
	post := samplePost(1, calendar.Draft)
	post.Author, post.Slug, post.Dated = 0, "", false
	return &calendar.Event{Post: post, Timezone: "UTC", Start: sampleDay, End: sampleDay, StartUTC: sampleDay, EndUTC: sampleDay}
}

func emptyVenue() *calendar.Venue {
	return &calendar.Venue{Post: samplePost(2, calendar.Publish), Name: "Hall"}
}

func fullVenue() *calendar.Venue {
	lat, lng := 52.5, 13.4
	v := &calendar.Venue{Post: samplePost(3, calendar.Pending), Name: "R & B <Hall>", Description: "<p>Big</p>", Excerpt: "<p>Big</p>",
		Address: "Street 1", City: "Berlin", Country: "Germany", Province: "BE", State: "BE", StateProvince: "BE", Zip: "10115",
		Phone: "+49 30", Website: "https://hall.example", GeoLat: &lat, GeoLng: &lng, ShowMap: true, ShowMapLink: true}
	v.Image = sampleImage
	return v
}

func fullOrganizer() *calendar.Organizer {
	o := &calendar.Organizer{Post: samplePost(4, calendar.Private), Name: "Club", Description: "<p>Old</p>", Excerpt: "<p>Old</p>",
		Phone: "1", Website: "https://club.example", Email: "club@club.example"}
	o.Image = bareImage
	return o
}

func sampleTerms(taxonomy calendar.Taxonomy, parent int64) []calendar.Term {
	return []calendar.Term{{ID: 5, Taxonomy: taxonomy, Name: "Jazz & More", Slug: "jazz", Path: "music/jazz", Parent: parent, Count: 3}}
}

// fullEvent returns an event with everything except a second venue.
func fullEvent() *calendar.Event {
	price, soon := 12.5, sampleDay.Add(time.Hour)
	e := emptyEvent()
	e.Post = samplePost(6, calendar.Publish)
	e.Image = sampleImage
	e.Title, e.Description, e.Excerpt, e.Timezone = "Night", "<p>Long</p>", "<p>Short</p>", "Europe/Berlin"
	e.AllDay, e.ShowMap, e.ShowMapLink, e.Hidden, e.Sticky, e.Featured = true, true, true, true, true, true
	e.Cost, e.Website, e.Parent, e.Password = []string{"10", "20"}, "https://night.example/?a=1&b=2", 3, []byte("x")
	e.Tickets = []calendar.Ticket{{Name: "Seat"}, {Name: "Box", URL: "https://box.example", Price: &price, Currency: "EUR",
		Available: &sampleDay, Until: &soon, Status: "sold_out"}}
	e.Venues = []calendar.Venue{*fullVenue()}
	e.Organizers = []calendar.Organizer{*fullOrganizer(), {Post: samplePost(8, calendar.Publish), Name: "Bare"}}
	e.Categories, e.Tags = sampleTerms(calendar.Categories, 2), sampleTerms(calendar.Tags, 0)
	return e
}

// shapes returns the document of the API without its texts. A test of api/doc compares it with the one that is served.
func shapes(t *testing.T) *openapi3.T {
	t.Helper()
	document, err := os.ReadFile("testdata/openapi.calendar.golden.json")
	if err != nil {
		t.Fatal(err)
	}
	return apitest.Load(t, document)
}

// changed returns the event after a change.
func changed(e *calendar.Event, change func(*calendar.Event)) *calendar.Event {
	change(e)
	return e
}

// What the views write satisfies the schemas.
func TestAnswersSatisfySchemas(t *testing.T) {
	t.Parallel()
	doc := shapes(t)
	twoVenues := func(e *calendar.Event) { e.Venues = append(e.Venues, *emptyVenue()) }
	masked := func(e *calendar.Event) { e.Masked = true }
	a := New(services.New(nil, nil, nil))
	for name, c := range map[string]struct {
		schema string
		write  func(*View)
	}{
		"empty event":       {"Event", func(v *View) { v.event(emptyEvent(), false) }},
		"full event":        {"Event", func(v *View) { v.event(fullEvent(), false) }},
		"full event alone":  {"Event", func(v *View) { v.event(fullEvent(), true) }},
		"several venues":    {"Event", func(v *View) { v.event(changed(fullEvent(), twoVenues), true) }},
		"masked event":      {"Event", func(v *View) { v.event(changed(fullEvent(), masked), true) }},
		"empty venue":       {"Venue", func(v *View) { v.venue(emptyVenue(), false) }},
		"full venue":        {"Venue", func(v *View) { v.venue(fullVenue(), true) }},
		"empty organizer":   {"Organizer", func(v *View) { v.organizer(&fullEvent().Organizers[1], false) }},
		"full organizer":    {"Organizer", func(v *View) { v.organizer(fullOrganizer(), true) }},
		"category":          {"Category", func(v *View) { v.term(&sampleTerms(calendar.Categories, 2)[0], true) }},
		"top category":      {"Category", func(v *View) { v.term(&sampleTerms(calendar.Categories, 0)[0], false) }},
		"tag":               {"Tag", func(v *View) { v.term(&sampleTerms(calendar.Tags, 0)[0], true) }},
		"image":             {"Image", func(v *View) { v.Bytes = append(v.Bytes, '{'); v.image(sampleImage); v.Close('}') }},
		"image as it came":  {"Image", func(v *View) { v.Bytes = append(v.Bytes, '{'); v.image(bareImage); v.Close('}') }},
		"first of events":   {"EventList", sampleList("events", 1, func(v *View) { v.event(fullEvent(), false) })},
		"middle of venues":  {"VenueList", sampleList("venues", 2, func(v *View) { v.venue(fullVenue(), false) })},
		"last of the rest":  {"OrganizerList", sampleList("organizers", 3, func(v *View) { v.organizer(fullOrganizer(), false) })},
		"root":              {"Root", func(v *View) { v.Bytes = rootOf(t, a) }},
		"error":             {"Error", func(v *View) { v.Bytes = Failure{Status: 404, Code: "rest_no_route"}.JSON("en") }},
		"missing arguments": {"Error", func(v *View) { v.Bytes = refusal("rest_missing_callback_param", (*args.Problems).Missing) }},
		"wrong types":       {"Error", func(v *View) { v.Bytes = refusal("rest_invalid_param", wrongType) }},
		"invalid arguments": {"Error", func(v *View) { v.Bytes = refusal("rest_invalid_param", invalid) }},
		"existing term":     {"Error", func(v *View) { v.Bytes = Failure{Status: 400, Code: "term_exists", TermID: 4}.JSON("en") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scope := apitest.Scope("en")
			v := NewView(&scope)
			c.write(v)
			apitest.Satisfies(t, doc, c.schema, v.Bytes)
		})
	}
}

// What a client reads is a valid body of an update (rule 3.17), also on a site in several languages.
func TestAnswersAreBodies(t *testing.T) {
	t.Parallel()
	doc := shapes(t)
	twoVenues := func(e *calendar.Event) { e.Venues = append(e.Venues, *emptyVenue()) }
	for name, c := range map[string]struct {
		schema string
		write  func(*View)
	}{
		"empty event":     {"EventUpdate", func(v *View) { v.event(emptyEvent(), true) }},
		"full event":      {"EventUpdate", func(v *View) { v.event(fullEvent(), true) }},
		"several venues":  {"EventUpdateBySlug", func(v *View) { v.event(changed(fullEvent(), twoVenues), true) }},
		"empty venue":     {"VenueUpdate", func(v *View) { v.venue(emptyVenue(), true) }},
		"full venue":      {"VenueUpdate", func(v *View) { v.venue(fullVenue(), true) }},
		"empty organizer": {"OrganizerUpdate", func(v *View) { v.organizer(&fullEvent().Organizers[1], true) }},
		"full organizer":  {"OrganizerUpdate", func(v *View) { v.organizer(fullOrganizer(), true) }},
		"category":        {"CategoryUpdate", func(v *View) { v.term(&sampleTerms(calendar.Categories, 2)[0], true) }},
		"tag":             {"TagUpdate", func(v *View) { v.term(&sampleTerms(calendar.Tags, 0)[0], true) }},
	} {
		for _, whole := range []bool{false, true} {
			scope := apitest.Scope("en")
			site := *scope.Site
			site.Settings.ContentLanguages = []string{"en", "de"}
			scope.Site = &site
			v := NewView(&scope)
			v.whole = whole
			t.Run(name, func(t *testing.T) { c.write(v); apitest.Satisfies(t, doc, c.schema, v.Bytes) })
		}
	}
}

// The schemas reject every modification of a valid response.
func TestSchemasAreStrict(t *testing.T) {
	t.Parallel()
	doc := shapes(t)
	for name, change := range map[string]func(map[string]any){
		"missing key":     func(e map[string]any) { delete(e, "title") },
		"number as text":  func(e map[string]any) { e["id"] = "6" },
		"author a number": func(e map[string]any) { e["author"] = 1 },
		"image true":      func(e map[string]any) { e["image"] = true },
		"venue false":     func(e map[string]any) { e["venue"] = false },
		"another status":  func(e map[string]any) { e["status"] = "inherit" },
		"a date alone":    func(e map[string]any) { e["start_date"] = "2027-03-01" },
		"no organizers":   func(e map[string]any) { e["organizer"] = nil },
		"nested key":      func(e map[string]any) { delete(e["venue"].(map[string]any), "show_map") },
		"size of a size": func(e map[string]any) {
			e["image"].(map[string]any)["sizes"].(map[string]any)["thumbnail"] = 150
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scope := apitest.Scope("en")
			v := NewView(&scope)
			v.event(fullEvent(), true)
			var event map[string]any
			if err := json.Unmarshal(v.Bytes, &event); err != nil {
				t.Fatal(err)
			}
			change(event)
			if err := apitest.Conforms(doc, "Event", event); err == nil {
				t.Error("not noticed")
			}
		})
	}
}

// sampleList is one of three pages with two entries each.
func sampleList(collection string, page int, write func(*View)) func(*View) {
	return func(v *View) {
		v.List(collection, 2, func(int) { write(v) })
		v.Bytes = v.Paged(Listing{Collection: collection, Page: page, PerPage: 2, Total: 6, Links: []Param{{"search", "a b"}}}, 7).Body
	}
}

func rootOf(t *testing.T, a *API) []byte {
	t.Helper()
	answer, err := a.root(tenancy.With(t.Context(), apitest.Scope("en")), Call{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Body
}

func refusal(code string, note func(*args.Problems, string)) []byte {
	found := &args.Problems{}
	note(found, "title")
	note(found, "slug")
	return Failure{Status: 400, Code: code, Err: found}.JSON("en")
}

func wrongType(p *args.Problems, name string) { p.WrongType(name, "string") }

func invalid(p *args.Problems, name string) { p.Invalid(name, "problem.empty", nil) }
