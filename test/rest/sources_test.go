package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestSources sends one event in every form a request can take (rule 3.1).
func TestSources(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	cat, other := k.Made("/categories", kit.Object{"name": "One"}), k.Made("/categories", kit.Object{"name": "Two"})
	form := func(pairs ...string) string {
		return strings.TrimPrefix(kit.Query("", append([]string{"title", "T", "start_date", "2030-01-01 10:00", "end_date", "2030-01-01 11:00"}, pairs...)...), "?")
	}
	const urlencoded = "application/x-www-form-urlencoded"
	both := fmt.Sprintf("%d,%d", cat, other)
	for about, r := range map[string]struct{ kind, body, query string }{
		"query":                          {"", "", form("categories", both)},
		"form, comma list":               {urlencoded, form("categories", both), ""},
		"form, name[]":                   {urlencoded, form("categories[]", fmt.Sprint(cat), "categories[]", fmt.Sprint(other)), ""},
		"form, name[0]":                  {urlencoded, form("categories[0]", fmt.Sprint(cat), "categories[1]", fmt.Sprint(other)), ""},
		"form with charset":              {urlencoded + "; charset=UTF-8", form("categories", both), ""},
		"json":                           {"application/json", `{"title":"T","start_date":"2030-01-01 10:00","end_date":"2030-01-01 11:00","categories":[` + both + `]}`, ""},
		"json, charset":                  {"Application/JSON; charset=utf-8", `{"title":"T","start_date":"2030-01-01 10:00","end_date":"2030-01-01 11:00","categories":"` + both + `"}`, ""},
		"ends in +json":                  {"application/ld+json", `{"title":"T","start_date":"2030-01-01 10:00","end_date":"2030-01-01 11:00","categories":[` + both + `]}`, ""},
		"json over query":                {"application/json", `{"title":"T","categories":[` + both + `]}`, form("title", "X", "categories", "0")},
		"form over query":                {urlencoded, "title=T&categories=" + both, "title=X&start_date=2030-01-01+10:00&end_date=2030-01-01+11:00"},
		"unknown arguments":              {urlencoded, form("categories", both, "nonsense", "1", "ID", "7"), ""},
		"the last of a name twice":       {urlencoded, "title=X&" + form("categories", both), ""},
		"a form's list over the query's": {urlencoded, form("categories[]", fmt.Sprint(cat), "categories[]", fmt.Sprint(other)), "categories[]=7&categories[]=8"},
	} {
		a := k.Send(kit.Request{Method: "POST", Path: "/events?" + r.query, As: "editor", Body: r.body,
			Headers: map[string]string{"Content-Type": r.kind}}).Want(t, 201, "")
		if got := fmt.Sprint(a.At("title"), " ", a.At("categories.0.id"), ",", a.At("categories.1.id")); got != "T "+both {
			t.Errorf("%s: %s", about, got)
		}
	}
}

func TestMultipart(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for _, pair := range [][2]string{{"title", "Multi & part"}, {"start_date", "2030-01-01 10:00"}, {"end_date", "2030-01-01 11:00"},
		{"venue[venue]", "Hall"}, {"venue[city]", "Bonn"}, {"organizer[0][organizer]", "Ann"}, {"tags[]", "a"}, {"tags[]", "b"}} {
		k.Must(w.WriteField(pair[0], pair[1]))
	}
	k.Must(w.Close())
	k.Send(kit.Request{Method: "POST", Path: "/events", As: "editor", Body: body.String(),
		Headers: map[string]string{"Content-Type": w.FormDataContentType()}}).Want(t, 201, "").
		Has(t, "title", "Multi &amp; part", "venue.venue", "Hall", "venue.city", "Bonn", "organizer.0.organizer", "Ann",
			"tags.0.name", "a", "tags.1.name", "b")
}

// TestObjectsInForms nests objects as deep as an event write goes.
func TestObjectsInForms(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	hall, ann := k.Made("/venues", kit.Object{"venue": "Hall"}), k.Made("/organizers", kit.Object{"organizer": "Ann"})
	form := url.Values{"title": {"T"}, "start_date": {"2030-01-01 10:00"}, "end_date": {"2030-01-01 11:00"},
		"venue[id]": {fmt.Sprint(hall)}, "organizer[0][id]": {fmt.Sprint(ann)}, "organizer[1][organizer]": {"Bob"},
		"organizer[1][email]": {"bob@example.org"}, "tickets[0][name]": {"Seat"}, "tickets[0][price]": {"12.5"}}
	k.Send(kit.Request{Method: "POST", Path: "/events", As: "editor", Form: form}).Want(t, 201, "").
		Has(t, "venue.id", hall, "organizer.0.id", ann, "organizer.1.email", "bob@example.org", "tickets.0.price", 12.5)
}

// TestPathWins tries to retarget writes by arguments in body and query.
func TestPathWins(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id, other := k.Event(kit.Object{"title": "Mine"}), k.Event(kit.Object{"title": "Other"})
	for _, r := range []kit.Request{
		{Method: "PATCH", Path: kit.Item("events", id), JSON: kit.Object{"id": other, "title": "New"}},
		{Method: "POST", Path: kit.Query(kit.Item("events", id), "id", fmt.Sprint(other)), Form: url.Values{"title": {"New"}, "id": {fmt.Sprint(other)}}},
		{Method: "PUT", Path: kit.Query(kit.Item("events", id), "id", "abc"), JSON: kit.Object{"title": "New"}},
		{Method: "GET", Path: kit.Query(kit.Item("events", id), "id", fmt.Sprint(other))},
		{Method: "GET", Path: kit.Query("/events/by-slug/mine", "slug", "other")},
	} {
		r.As = "editor"
		k.Send(r).Want(t, 200, "").Has(t, "id", id)
	}
	k.Get(kit.Item("events", other), "").Has(t, "title", "Other")
	k.Patch("/events/by-slug/mine", "editor", kit.Object{"slug": "renamed"}).Want(t, 200, "").Has(t, "id", id, "slug", "renamed")
	venue := k.Made("/venues", kit.Object{"venue": "Hall"})
	k.Patch("/venues/by-slug/hall", "editor", kit.Object{"slug": "room", "id": 77}).Want(t, 200, "").Has(t, "id", venue, "slug", "room")
	k.Get("/venues/by-slug/hall", "").Want(t, 404, "rest-venue-not-found")
}

// TestBodiesThatDontCount sends bodies nothing is read from.
func TestBodiesThatDontCount(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	whole, _ := json.Marshal(kit.Times(nil))
	for _, r := range []kit.Request{
		{Body: string(whole)},
		{Body: `[]`, Headers: map[string]string{"Content-Type": "application/json"}},
		{Body: `"text"`, Headers: map[string]string{"Content-Type": "application/json"}},
		{Body: `{"title":null,"start_date":null,"end_date":null}`, Headers: map[string]string{"Content-Type": "application/json"}},
	} {
		r.Method, r.Path, r.As = "POST", "/events", ""
		a := k.Send(r).Want(t, 400, "rest_missing_callback_param") // before permission
		if got := fmt.Sprint(a.At("data.params")); got != "[title start_date end_date]" {
			t.Errorf("%s: params %s", r.Body, got)
		}
	}
	for _, body := range []string{`{"title":`, `{"a":1}}`, "{\"a\":\"\xff\"}", ``} {
		a := k.Send(kit.Request{Method: "POST", Path: "/events", Body: body, Headers: map[string]string{"Content-Type": "application/json"}})
		if body != "" {
			a.Want(t, 400, "rest_invalid_json")
		}
	}
	list := k.Send(kit.Request{Method: "GET", Path: "/events", Form: url.Values{"per_page": {"7"}}}).Want(t, 200, "")
	if strings.Contains(fmt.Sprint(list.At("rest_url")), "per_page=7") {
		t.Error("a form took part in a GET")
	}
}

func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(nil)
	a := k.Post("/events", "", kit.Object{"title": "", "start_date": "never", "end_date": 5, "sticky": "maybe", "website": "x"}).
		Want(t, 400, "rest_invalid_param")
	for _, name := range []string{"title", "start_date", "end_date", "sticky", "website"} {
		if a.Params()[name] == nil {
			t.Errorf("%s is not reported: %s", name, a)
		}
	}
	a.Has(t, "data.details.sticky.code", "rest_invalid_type", "data.details.sticky.data.param", "sticky")
	k.Post("/events", "", kit.Times(nil)).Want(t, 401, "rest_forbidden")
	k.Post("/events", "subscriber", kit.Times(nil)).Want(t, 403, "rest_forbidden")
	k.Patch("/events/999999", "", kit.Object{"title": "x"}).Want(t, 401, "rest_forbidden")
	k.Patch("/events/999999", "contributor", kit.Object{"title": "x"}).Want(t, 404, "rest-event-not-found")
	k.Patch(kit.Item("events", id), "contributor", kit.Object{"featured": "maybe"}).Want(t, 400, "rest_invalid_param")
	k.Patch(kit.Item("events", id), "contributor", kit.Object{"featured": true}).Want(t, 403, "rest_forbidden")
}

func TestFields(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := k.Event(kit.Object{"venue": kit.Object{"venue": "Hall", "city": "Bonn"}})
	for fields, want := range map[string]string{
		"id,title":                  fmt.Sprintf(`{"id":%d,"title":"Event"}`, id),
		"title, id ":                fmt.Sprintf(`{"id":%d,"title":"Event"}`, id),
		"venue.city,id":             fmt.Sprintf(`{"id":%d,"venue":{"city":"Bonn"}}`, id),
		"start_date_details.year":   `{"start_date_details":{"year":"2030"}}`,
		"nothing":                   `{}`,
		"custom_fields.x,organizer": `{"organizer":[],"custom_fields":[]}`,
	} {
		if a := k.Get(kit.Query(kit.Item("events", id), "_fields", fields), ""); string(a.Raw) != want {
			t.Errorf("_fields=%s: %s", fields, a.Raw)
		}
	}
	for _, list := range []string{"_fields[]=id&_fields[]=title", "_fields[0]=id&_fields[1]=title", "_fields[]=id,title", "_fields[]=&_fields[]=id&_fields[]=title"} {
		if a := k.Get(kit.Item("events", id)+"?"+list, ""); string(a.Raw) != fmt.Sprintf(`{"id":%d,"title":"Event"}`, id) {
			t.Errorf("%s: %s", list, a.Raw)
		}
	}
	k.Get("/events?_fields=events.id,total", "").Has(t, "events.#", 1, "events.0.id", id, "events.0.title", "-", "total", 1, "rest_url", "-")
	k.Get("/events?_fields=events.id,events.start_date_details.year", "").Has(t, "events.0.start_date_details.year", "2030",
		"events.0.start_date_details.month", "-", "total", "-")
}
