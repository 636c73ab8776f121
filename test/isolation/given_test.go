package isolation

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// kept are the events that a site has beside those that anybody sees. None of them may be seen where that site's events are gathered.
var kept = []kit.Object{
	{"title": "Zwilling draft", "status": "draft"},
	{"title": "Zwilling pending", "status": "pending"},
	{"title": "Zwilling private", "status": "private"},
	{"title": "Zwilling hidden", "hide_from_listings": true},
	{"title": "Zwilling locked", "post_password": "open"},
	{"title": "Zwilling future", "status": "publish", "date": "2040-01-01 00:00:00"},
}

// gatheredPaths is where a site shows what it has.
var gatheredPaths = []string{"/events?start_date=2030-01-01&end_date=2031-01-01&per_page=50", "/events?status=publish,future,draft,pending,private,trash",
	"/events.ics?start_date=2030-01-01", "/events.csv?start_date=2030-01-01", "/changes?include=object", "/venues", "/venues?status=publish,draft",
	"/organizers", "/categories", "/tags", "/images", "/imports", "/imports/1/entries", "/sources", "/history"}

func TestWhatASiteDoesNotGiveNobodySees(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("two")
	on := func(method, path string, body kit.Object, status int) kit.Answer {
		return k.Send(kit.Request{Method: method, Path: path, Site: "two", As: "administrator", JSON: body}).Want(t, status, "")
	}
	venue := on("POST", "/venues", kit.Object{"venue": "Zwilling cellar", "status": "draft"}, 201).ID()
	on("POST", "/events", kit.Object{"title": "Given", "start_date": "2030-06-01 10:00", "end_date": "2030-06-01 11:00", "venue": venue,
		"tags": []string{"Zwilling tag"}, "categories": []string{"Zwilling category"}}, 201)
	for _, one := range kept {
		body := kit.Object{"start_date": "2030-06-02 10:00", "end_date": "2030-06-02 11:00"}
		maps.Copy(body, one)
		on("POST", "/events", body, 201)
	}
	trashed := on("POST", "/events", kit.Object{"title": "Zwilling trash", "start_date": "2030-06-03 10:00", "end_date": "2030-06-03 11:00"}, 201).ID()
	on("DELETE", fmt.Sprintf("/events/%d", trashed), nil, 200)

	gather := kit.Object{"name": "Two", "kind": "site", "url": "two"}
	k.Post("/sources", "administrator", gather).Want(t, 404, "site-not-found")
	k.Provider("PATCH", "/sites/two", kit.Object{"settings": kit.Object{"share": "demo"}}).Want(t, 200, "")
	k.Post("/sources", "administrator", gather).Want(t, 201, "")
	k.ReadSources()
	given := false
	for _, caller := range kit.Callers() {
		as := k.As("demo", caller)
		for _, path := range gatheredPaths {
			a := k.Send(kit.Request{Method: http.MethodGet, Path: path, As: as})
			given = given || strings.Contains(string(a.Raw), "Given")
			if strings.Contains(string(a.Raw), "Zwilling") {
				t.Errorf("%s as %q: %s", path, caller, a.Raw)
			}
		}
	}
	if !given {
		t.Error("nothing was gathered")
	}

	k.Provider("PATCH", "/sites/two", kit.Object{"state": "read_only"}).Want(t, 200, "")
	k.ReadSources()
	for _, caller := range kit.Callers() {
		for _, path := range gatheredPaths {
			if a := k.Send(kit.Request{Method: http.MethodGet, Path: path, As: k.As("demo", caller)}); strings.Contains(string(a.Raw), `"Given"`) {
				t.Errorf("suspended: %s as %q: %s", path, caller, a.Raw)
			}
		}
	}
}
