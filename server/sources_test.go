package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/url"
	"strings"
	"testing"
)

// TestSources sends one event in every form a request can take (rule 3.1).
func TestSources(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	cat, other := k.made("/categories", object{"name": "One"}), k.made("/categories", object{"name": "Two"})
	form := func(pairs ...string) string {
		return strings.TrimPrefix(query("", append([]string{"title", "T", "start_date", "2030-01-01 10:00", "end_date", "2030-01-01 11:00"}, pairs...)...), "?")
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
		a := k.send(request{Method: "POST", Path: "/events?" + r.query, As: "editor", Body: r.body,
			Headers: map[string]string{"Content-Type": r.kind}}).want(t, 201, "")
		if got := fmt.Sprint(a.at("title"), " ", a.at("categories.0.id"), ",", a.at("categories.1.id")); got != "T "+both {
			t.Errorf("%s: %s", about, got)
		}
	}
}

func TestMultipart(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for _, pair := range [][2]string{{"title", "Multi & part"}, {"start_date", "2030-01-01 10:00"}, {"end_date", "2030-01-01 11:00"},
		{"venue[venue]", "Hall"}, {"venue[city]", "Bonn"}, {"organizer[0][organizer]", "Ann"}, {"tags[]", "a"}, {"tags[]", "b"}} {
		k.must(w.WriteField(pair[0], pair[1]))
	}
	k.must(w.Close())
	k.send(request{Method: "POST", Path: "/events", As: "editor", Body: body.String(),
		Headers: map[string]string{"Content-Type": w.FormDataContentType()}}).want(t, 201, "").
		has(t, "title", "Multi &amp; part", "venue.venue", "Hall", "venue.city", "Bonn", "organizer.0.organizer", "Ann",
			"tags.0.name", "a", "tags.1.name", "b")
}

// TestObjectsInForms nests objects as deep as an event write goes.
func TestObjectsInForms(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	hall, ann := k.made("/venues", object{"venue": "Hall"}), k.made("/organizers", object{"organizer": "Ann"})
	form := url.Values{"title": {"T"}, "start_date": {"2030-01-01 10:00"}, "end_date": {"2030-01-01 11:00"},
		"venue[id]": {fmt.Sprint(hall)}, "organizer[0][id]": {fmt.Sprint(ann)}, "organizer[1][organizer]": {"Bob"},
		"organizer[1][email]": {"bob@example.org"}, "tickets[0][name]": {"Seat"}, "tickets[0][price]": {"12.5"}}
	k.send(request{Method: "POST", Path: "/events", As: "editor", Form: form}).want(t, 201, "").
		has(t, "venue.id", hall, "organizer.0.id", ann, "organizer.1.email", "bob@example.org", "tickets.0.price", 12.5)
}

// TestPathWins tries to retarget writes by arguments in body and query.
func TestPathWins(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	id, other := k.event(object{"title": "Mine"}), k.event(object{"title": "Other"})
	for _, r := range []request{
		{Method: "PATCH", Path: item("events", id), JSON: object{"id": other, "title": "New"}},
		{Method: "POST", Path: query(item("events", id), "id", fmt.Sprint(other)), Form: url.Values{"title": {"New"}, "id": {fmt.Sprint(other)}}},
		{Method: "PUT", Path: query(item("events", id), "id", "abc"), JSON: object{"title": "New"}},
		{Method: "GET", Path: query(item("events", id), "id", fmt.Sprint(other))},
		{Method: "GET", Path: query("/events/by-slug/mine", "slug", "other")},
	} {
		r.As = "editor"
		k.send(r).want(t, 200, "").has(t, "id", id)
	}
	k.get(item("events", other), "").has(t, "title", "Other")
	k.patch("/events/by-slug/mine", "editor", object{"slug": "renamed"}).want(t, 200, "").has(t, "id", id, "slug", "renamed")
	venue := k.made("/venues", object{"venue": "Hall"})
	k.patch("/venues/by-slug/hall", "editor", object{"slug": "room", "id": 77}).want(t, 200, "").has(t, "id", venue, "slug", "room")
	k.get("/venues/by-slug/hall", "").want(t, 404, "rest-venue-not-found")
}

// TestBodiesThatDontCount sends bodies nothing is read from.
func TestBodiesThatDontCount(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	whole, _ := json.Marshal(times(nil))
	for _, r := range []request{
		{Body: string(whole)},
		{Body: `[]`, Headers: map[string]string{"Content-Type": "application/json"}},
		{Body: `"text"`, Headers: map[string]string{"Content-Type": "application/json"}},
		{Body: `{"title":null,"start_date":null,"end_date":null}`, Headers: map[string]string{"Content-Type": "application/json"}},
	} {
		r.Method, r.Path, r.As = "POST", "/events", ""
		a := k.send(r).want(t, 400, "rest_missing_callback_param") // before permission
		if got := fmt.Sprint(a.at("data.params")); got != "[title start_date end_date]" {
			t.Errorf("%s: params %s", r.Body, got)
		}
	}
	for _, body := range []string{`{"title":`, `{"a":1}}`, "{\"a\":\"\xff\"}", ``} {
		a := k.send(request{Method: "POST", Path: "/events", Body: body, Headers: map[string]string{"Content-Type": "application/json"}})
		if body != "" {
			a.want(t, 400, "rest_invalid_json")
		}
	}
	list := k.send(request{Method: "GET", Path: "/events", Form: url.Values{"per_page": {"7"}}}).want(t, 200, "")
	if strings.Contains(fmt.Sprint(list.at("rest_url")), "per_page=7") {
		t.Error("a form took part in a GET")
	}
}

func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	id := k.event(nil)
	a := k.post("/events", "", object{"title": "", "start_date": "never", "end_date": 5, "sticky": "maybe", "website": "x"}).
		want(t, 400, "rest_invalid_param")
	for _, name := range []string{"title", "start_date", "end_date", "sticky", "website"} {
		if a.params()[name] == nil {
			t.Errorf("%s is not reported: %s", name, a)
		}
	}
	a.has(t, "data.details.sticky.code", "rest_invalid_type", "data.details.sticky.data.param", "sticky")
	k.post("/events", "", times(nil)).want(t, 401, "rest_forbidden")
	k.post("/events", "subscriber", times(nil)).want(t, 403, "rest_forbidden")
	k.patch("/events/999999", "", object{"title": "x"}).want(t, 401, "rest_forbidden")
	k.patch("/events/999999", "contributor", object{"title": "x"}).want(t, 404, "rest-event-not-found")
	k.patch(item("events", id), "contributor", object{"featured": "maybe"}).want(t, 400, "rest_invalid_param")
	k.patch(item("events", id), "contributor", object{"featured": true}).want(t, 403, "rest_forbidden")
}

func TestFields(t *testing.T) {
	t.Parallel()
	k := standing(t)
	id := k.event(object{"venue": object{"venue": "Hall", "city": "Bonn"}})
	for fields, want := range map[string]string{
		"id,title":                  fmt.Sprintf(`{"id":%d,"title":"Event"}`, id),
		"title, id ":                fmt.Sprintf(`{"id":%d,"title":"Event"}`, id),
		"venue.city,id":             fmt.Sprintf(`{"id":%d,"venue":{"city":"Bonn"}}`, id),
		"start_date_details.year":   `{"start_date_details":{"year":"2030"}}`,
		"nothing":                   `{}`,
		"custom_fields.x,organizer": `{"organizer":[],"custom_fields":[]}`,
	} {
		if a := k.get(query(item("events", id), "_fields", fields), ""); string(a.Raw) != want {
			t.Errorf("_fields=%s: %s", fields, a.Raw)
		}
	}
	for _, list := range []string{"_fields[]=id&_fields[]=title", "_fields[0]=id&_fields[1]=title", "_fields[]=id,title", "_fields[]=&_fields[]=id&_fields[]=title"} {
		if a := k.get(item("events", id)+"?"+list, ""); string(a.Raw) != fmt.Sprintf(`{"id":%d,"title":"Event"}`, id) {
			t.Errorf("%s: %s", list, a.Raw)
		}
	}
	k.get("/events?_fields=events.id,total", "").has(t, "events.#", 1, "events.0.id", id, "events.0.title", "-", "total", 1, "rest_url", "-")
	k.get("/events?_fields=events.id,events.start_date_details.year", "").has(t, "events.0.start_date_details.year", "2030",
		"events.0.start_date_details.month", "-", "total", "-")
}
