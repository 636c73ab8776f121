package rest_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// share has a site of the test say who may have its events.
func share(k *kit.Kit, site string, with []string, on bool) {
	k.T.Helper()
	k.Provider("PATCH", "/sites/"+site, kit.Object{"settings": kit.Object{"share": with, "share_on": on}}).Want(k.T, 200, "")
	k.Platform.Forget(k.Sites[site].ID)
}

// onSite sends a request to the second site, and wants a status.
func onSite(k *kit.Kit, method, path, as string, body any, status int) kit.Answer {
	k.T.Helper()
	return k.Send(kit.Request{Method: method, Path: path, Site: "two", As: as, JSON: body}).Want(k.T, status, "")
}

// gathered makes a source of the site demo that gathers from the site two, and reads it.
func gathered(k *kit.Kit, more kit.Object) int64 {
	k.T.Helper()
	body := kit.Object{"name": "Town two", "kind": "site", "url": "two"}
	maps.Copy(body, more)
	id := k.Post("/sources", "administrator", body).Want(k.T, 201, "").ID()
	k.ReadSources()
	return id
}

func TestGivenEvents(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("two")
	when := kit.Object{"start_date": "2030-06-01 19:30", "end_date": "2030-06-01 22:00"}
	with := func(more kit.Object) kit.Object {
		body := kit.Object{}
		for _, from := range []kit.Object{when, more} {
			maps.Copy(body, from)
		}
		return body
	}
	jazz := onSite(k, "POST", "/events", "editor", with(kit.Object{"title": "Jazz night", "categories": []string{"Music"}, "featured": true,
		"venue": kit.Object{"venue": "Cellar", "city": "Bonn"}, "cost": "12 €"}), 201)
	onSite(k, "POST", "/events", "editor", with(kit.Object{"title": "Secret", "post_password": "x"}), 201)
	onSite(k, "POST", "/events", "editor", with(kit.Object{"title": "Hidden", "hide_from_listings": true}), 201)
	onSite(k, "POST", "/events", "editor", with(kit.Object{"title": "Draft", "status": "draft"}), 201)
	choir := onSite(k, "POST", "/events", "editor", with(kit.Object{"title": "Choir", "recurrence": kit.Object{"rrule": "FREQ=WEEKLY;COUNT=3"}}), 201)
	dates := onSite(k, "GET", fmt.Sprintf("/events/%d/occurrences?start_date=2030-01-01&end_date=2031-01-01", choir.ID()), "editor", nil, 200)
	onSite(k, "PATCH", fmt.Sprintf("/events/%.0f", dates.At("events.1.id")), "editor", kit.Object{"title": "Choir outside"}, 200)

	for _, slug := range []string{"two", "nosuchsite", "demo"} { // unwilling, unknown, itself
		k.Post("/sources", "administrator", kit.Object{"name": "X", "kind": "site", "url": slug}).Want(t, 404, "site-not-found")
	}
	share(k, "two", []string{"demo"}, false)
	source := gathered(k, kit.Object{"mapping": "music = Concerts", "categories": []string{"Region"}})
	if got := fmt.Sprint(found(k, "")); got != "[Choir Jazz night Choir outside Choir]" && got != "[Jazz night Choir Choir outside Choir]" {
		t.Fatalf("gathered: %s, %s, %s", got, k.Get("/sources", "administrator").Raw, k.Get("/imports", "administrator").Raw)
	}
	list := k.Get("/events?start_date=2030-01-01&end_date=2031-01-01&search=jazz&source="+fmt.Sprint(source), "").Want(t, 200, "")
	list.Has(t, "events.0.title", "Jazz night", "events.0.featured", false, "events.0.source.name", "Town two", "events.0.venue.venue", "Cellar",
		"events.0.cost", "12€")
	names := []string{}
	for _, c := range kit.ListOf(list.At("events.0.categories")) {
		names = append(names, fmt.Sprint(c.(map[string]any)["name"]))
	}
	if fmt.Sprint(names) != "[Concerts Region]" {
		t.Errorf("categories: %v", names)
	}
	id := int64(list.At("events.0.id").(float64))
	here := kit.Item("events", id)

	// what the other site says is changed there, what is this site's own is changed here
	k.Patch(here, "editor", kit.Object{"title": "Mine"}).Want(t, 409, "from-source")
	k.Patch(here, "editor", kit.Object{"start_date": "2030-06-02 19:30", "end_date": "2030-06-02 22:00"}).Want(t, 409, "from-source")
	k.Patch(here, "editor", kit.Object{"venue": kit.Object{"venue": "Elsewhere"}}).Want(t, 409, "from-source")
	k.Patch(here, "editor", kit.Object{"featured": true, "categories": []string{"Picked"}, "title": "Jazz night"}).Want(t, 200, "")
	onSite(k, "PATCH", fmt.Sprintf("/events/%d", jazz.ID()), "editor", kit.Object{"title": "Jazz morning", "categories": []string{"Other"}}, 200)
	k.ReadSources()
	k.Get(here, "").Want(t, 200, "").Has(t, "title", "Jazz morning", "featured", true, "categories.0.name", "Picked")

	// one UID, and the address of the site that the event belongs to
	page := k.Look("/en/event/jazz-night/")
	for _, part := range []string{`rel="canonical" href="http://two.localhost/event/jazz-night/"`, `"url":"http://two.localhost/event/jazz-night/"`, "<dt>From</dt>"} {
		if !strings.Contains(string(page.Raw), part) {
			t.Errorf("the page lacks %s: %s", part, page.Raw)
		}
	}
	uid := fmt.Sprintf("%d@%s", jazz.ID(), strings.ToLower(k.Sites["two"].UID))
	file := k.Get("/events.ics?start_date=2030-01-01&end_date=2031-01-01", "").Want(t, 200, "").Raw
	unfolded := strings.ReplaceAll(string(file), "\r\n ", "")
	for _, line := range []string{"UID:" + uid, "URL:http://two.localhost/event/jazz-night/", "Town two"} {
		if !strings.Contains(unfolded, line) {
			t.Errorf("no %s in the calendar file: %s", line, unfolded)
		}
	}

	// withdrawn
	onSite(k, "PATCH", fmt.Sprintf("/events/%d", jazz.ID()), "editor", kit.Object{"status": "draft"}, 200)
	k.ReadSources()
	k.Get(here, "").Want(t, 404, "rest-event-not-found")
	if text := k.Peek("demo", `SELECT count(*)::text FROM changes WHERE kind = 'event' AND id = $1 AND before IS NOT NULL`, id); text != "0" {
		t.Errorf("the history keeps %s changes of what was withdrawn", text)
	}
	k.Get("/venues?search=cellar", "editor").Want(t, 200, "").Has(t, "total", 0)
	if text := k.Peek("demo", `SELECT count(*)::text FROM changes WHERE before::text LIKE '%Cellar%'`); text != "0" {
		t.Errorf("the history keeps the venue in %s changes", text)
	}
	share(k, "two", []string{"nobody"}, false)
	k.ReadSources()
	if got := found(k, ""); len(got) != 0 {
		t.Errorf("left: %v", got)
	}
	k.Get(fmt.Sprintf("/sources/%d", source), "administrator").Want(t, 200, "").Has(t, "problem.code", "site-not-found")
}
