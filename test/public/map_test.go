package public

import (
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// TestPublicMap: places are listed with what comes there, those with most first or the
// nearest; nothing is told of what is masked or not published, and there is no map, nor a
// word of where its tiles are, before a site says where they come from.
func TestPublicMap(t *testing.T) {
	k := kit.PublicKit(t)
	hall := map[string]any{"venue": "Harbour Hall", "slug": "hall", "city": "Bregenz", "geo_lat": 47.503, "geo_lng": 9.747}
	for _, day := range []string{"15", "16"} {
		k.Event(map[string]any{"title": "Crossing " + day, "start_date": "2027-03-" + day + " 10:00", "end_date": "2027-03-" + day + " 11:00",
			"venue": hall, "categories": []string{"Boats"}})
	}
	k.Event(map[string]any{"title": "Secret", "post_password": "sesame", "start_date": "2027-03-15 09:00", "end_date": "2027-03-15 11:00",
		"venue": map[string]any{"venue": "Pier", "slug": "pier"}})
	k.Event(map[string]any{"title": "Draft", "status": "draft", "start_date": "2027-03-15 09:00", "end_date": "2027-03-15 11:00",
		"venue": map[string]any{"venue": "Pier", "slug": "pier"}})
	k.Event(map[string]any{"title": "Over", "start_date": "2026-03-15 09:00", "end_date": "2026-03-15 11:00", "venue": map[string]any{"venue": "Old Mill"}})
	k.Event(map[string]any{"title": "Hidden place", "start_date": "2027-03-17 09:00", "end_date": "2027-03-17 11:00",
		"venue": map[string]any{"venue": "Hideout", "status": "draft", "geo_lat": 47.0, "geo_lng": 9.0}})
	k.Event(map[string]any{"title": "Somewhere", "start_date": "2027-03-17 09:00", "end_date": "2027-03-17 11:00", "venue": map[string]any{"venue": "Meadow"}})

	order := func(path string, want ...string) {
		t.Helper()
		page := k.Look(path).String()
		rest := page
		for _, text := range want {
			_, after, found := strings.Cut(rest, text)
			if !found {
				t.Errorf("%s: %q is not in its place", path, text)
				break
			}
			rest = after
		}
		for _, never := range []string{"Old Mill", "Hideout", "event-map"} {
			if strings.Contains(page, never) {
				t.Errorf("%s: says %s", path, never)
			}
		}
	}
	order("/en/events/map/", `data-at="47.503,9.747"`, ">Harbour Hall<", "2 events", "directions?to=47.503%2C9.747", ">Meadow<", "1 event", `data-at="47.5,9.7"`, ">Pier<", "1 event")
	order("/en/events/map/?geoloc_lat=47.5&geoloc_lng=9.7", ">Pier<", "About 1 km away", ">Harbour Hall<", "About 4 km away", ">Meadow<")
	order("/en/events/map/?geoloc_lat=north&geoloc_lng=9.7", ">Harbour Hall<", ">Pier<")
	order("/en/events/map/?category=boats", ">Harbour Hall<", "2 events")
	if page := k.Look("/en/events/map/?category=boats").String(); strings.Contains(page, ">Pier<") {
		t.Error("a place of another category is among those of one")
	}
	if page := k.Look("/en/events/map/?search=nowhere").String(); !strings.Contains(page, "No events found.") {
		t.Error("a map of nothing doesn't say so")
	}
	if page := k.Look("/en/events/?category=boats").String(); strings.Contains(page, "/events/map/") {
		t.Error("a view is offered that is no map")
	}
	if page := k.Look("/en/event/lake/").String(); strings.Contains(page, "event-map") {
		t.Error("an event has a map that nobody has asked for")
	}

	k.Configure(&platform.ConfigFields{SettingsFields: platform.SettingsFields{MapFields: platform.MapFields{Tiles: args.Some("https://tiles.example.org/{z}/{x}/{y}.png"),
		Credit: args.Some(`Makers "of" maps | https://example.org/maps`)}}})
	for path, want := range map[string]string{"/en/events/map/": `data-of="places"`, "/en/event/lake/": `data-at="47.5,9.7"`, "/de/venue/hall/": `data-at="47.503,9.747"`} {
		page := k.Look(path)
		for _, want := range []string{want, `data-tiles="https://tiles.example.org/{z}/{x}/{y}.png"`, `data-credit="Makers &#34;of&#34; maps"`, `data-library="/static/leaflet.`} {
			if !strings.Contains(page.String(), want) {
				t.Errorf("%s: no %s", path, want)
			}
		}
		if got := page.Header.Get("Content-Security-Policy"); got != kit.Policy {
			t.Errorf("%s: %s", path, got)
		}
	}
	if page := k.Look("/en/events/?category=boats").String(); !strings.Contains(page, `href="/en/events/map/?category=boats"`) {
		t.Error("nothing leads to the map")
	}
	for path, want := range map[string][]string{ // an area narrows all views, and stays in their addresses
		"/en/events/map/?geoloc_lat=47.503&geoloc_lng=9.747&geoloc_radius=1":   {">Harbour Hall<", "In this part of the map", `data-area="47.503,9.747,1"`, "Search this area", `href="/en/events/?geoloc_lat=47.503&amp;geoloc_lng=9.747&amp;geoloc_radius=1"`},
		"/en/events/?geoloc_lat=47.503&geoloc_lng=9.747&geoloc_radius=1":       {"Crossing 15", "Crossing 16", "In this part of the map", `value="47.503"`, "events.ics?geoloc_lat=47.503"},
		"/en/events/map/?geoloc_lat=-40&geoloc_lng=9.747&geoloc_radius=1":      {"No events found.", "event-map"},
		"/en/events/map/?geoloc_lat=47.5&geoloc_lng=9.7&category=boats&when=x": {">Harbour Hall<", `data-found="/en/events/map/found/?category=boats"`},
	} {
		page := k.Look(path).String()
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("%s: no %s", path, text)
			}
		}
		if strings.Contains(path, "radius") && (strings.Contains(page, ">Meadow<") || strings.Contains(page, "Lake Concert")) {
			t.Errorf("%s: what is outside", path)
		}
	}
	if got := k.Look("/en/events/map/?geoloc_lat=47&geoloc_lng=9&geoloc_radius=far").Status; got != 404 {
		t.Errorf("an area that is none: %d", got)
	}
	hallID := k.Peek("demo", "SELECT id::text FROM venues WHERE slug = 'hall'")
	pierID := k.Peek("demo", "SELECT id::text FROM venues WHERE slug = 'pier'")
	for path, want := range map[string]map[string]int{ // what is on at a place, as filtered, and never what is masked
		"/en/events/map/found/?venue=" + hallID:                      {"<li>": 2, "Crossing 15": 1, "March\u00a015": 1, `href="/en/event/crossing-16/"`: 1, "<html": 0},
		"/de/events/map/found/?venue=" + hallID + "&from=2027-03-16": {"<li>": 1, "16.\u00a0März": 1},
		"/en/events/map/found/?venue=" + hallID + "&category=music":  {"<li>": 0, "No events found.": 1},
		"/en/events/map/found/?venue=" + pierID:                      {"Secret": 0, "Draft": 0, "Lake Concert": 1},
	} {
		part := k.Look(path)
		for text, n := range want {
			if got := strings.Count(part.String(), text); part.Status != 200 || got != n {
				t.Errorf("%s: %d, %d times %s, not %d", path, part.Status, got, text, n)
			}
		}
	}
	if got := k.Look("/en/events/map/found/?venue=hall").Status; got != 404 {
		t.Errorf("a place that has no number: %d", got)
	}
	k.Patch("/venues/by-slug/hall", "administrator", map[string]any{"show_map": false})
	if page := k.Look("/en/venue/hall/").String(); strings.Contains(page, "event-map") {
		t.Error("a venue without a map has one")
	}
	if page := k.Look("/en/event/secret/").String(); strings.Contains(page, "event-map") {
		t.Error("what is behind a password has a map")
	}
	k.Site("two")
	if page := k.Send(kit.Request{Method: "GET", Path: "//en/events/map/", Site: "two"}).String(); strings.Contains(page, "Pier") || strings.Contains(page, "tiles") {
		t.Error("another site has the places")
	}
}

// TestPublicFound: while somebody types, the search form is given what the page of results
// begins with, and never what is masked.
func TestPublicFound(t *testing.T) {
	k := kit.PublicKit(t)
	for _, n := range []string{"1", "2", "3", "4", "5", "6", "7"} {
		k.Event(map[string]any{"title": "Regatta " + n + " <b>", "slug": "regatta-" + n, "start_date": "2027-04-0" + n + " 10:00", "end_date": "2027-04-0" + n + " 11:00"})
	}
	k.Event(map[string]any{"title": "Regatta of old", "slug": "old", "start_date": "2026-04-01 10:00", "end_date": "2026-04-01 11:00"})
	k.Event(map[string]any{"title": "Closed", "description": "regatta", "post_password": "sesame", "start_date": "2027-04-01 09:00", "end_date": "2027-04-01 11:00"})
	part := k.Look("/de/events/found/?search=regatta")
	if part.Status != 200 || strings.Contains(part.String(), "<html") || strings.Contains(part.String(), "<b>") {
		t.Errorf("%.300s", part)
	}
	for text, want := range map[string]int{"<li>": 6, `href="/de/event/regatta-1/"`: 1, "regatta-7": 0, "Alle Ergebnisse (7)": 1, "of old": 0, "Closed": 0} {
		if got := strings.Count(part.String(), text); got != want {
			t.Errorf("%d times %s", got, text)
		}
	}
	if over := k.Look("/en/events/found/?search=regatta+of+old").String(); !strings.Contains(over, `href="/en/event/old/"`) {
		t.Errorf("what is over isn't found: %s", over)
	}
	if none := k.Look("/en/events/found/?search=walrus").String(); !strings.Contains(none, "No events found.") || strings.Contains(none, "<li>") {
		t.Errorf("nothing is %s", none)
	}
	if bare := k.Look("/en/events/found/"); bare.Status != 302 || bare.Header.Get("Location") != "/en/events/" {
		t.Errorf("without words: %s", bare)
	}
}

// TestPublicFiltersSpeak: what can be chosen has its name in the language of the page, and
// the same address in all.
func TestPublicFiltersSpeak(t *testing.T) {
	k := kit.PublicKit(t)
	k.Configure(&platform.ConfigFields{SettingsFields: platform.SettingsFields{ContentLanguages: args.Some(args.Texts{"en", "de"})}})
	for path, names := range map[string][2]string{"/categories": {"Theatre", "Schauspiel"}, "/tags": {"indoor", "drinnen"}} {
		k.Post(path, "administrator", map[string]any{"name": names[0], "translations": map[string]any{"de": map[string]any{"name": names[1]}}}).Want(t, 201, "")
	}
	k.Event(map[string]any{"title": "Play", "start_date": "2027-03-15 10:00", "end_date": "2027-03-15 11:00", "categories": []string{"Theatre"},
		"tags": []string{"indoor"}, "organizer": map[string]any{"organizer": "Stage Friends", "translations": map[string]any{"de": map[string]any{"organizer": "Bühnenfreunde"}}}})
	for path, words := range map[string][]string{"/de/events/": {"Schauspiel", "drinnen", "Bühnenfreunde"}, "/en/events/": {"Theatre", "indoor", "Stage Friends"}} {
		page := k.Look(path).String()
		for _, want := range append(words, `value="theatre"`, `value="indoor"`) {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %s", path, want)
			}
		}
	}
	for _, words := range []string{"theatre", "schauspiel", "bühnenfreunde", "play theatre", "play"} { // which name something, or not
		if page := k.Look("/de/events/?search=" + url.QueryEscape(words)); page.Status != 200 || !strings.Contains(page.String(), "/de/event/play/") {
			t.Errorf("%s: %d, nothing found", words, page.Status)
		}
	}
	if page := k.Look("/de/events/?category=theatre").String(); !strings.Contains(page, "Play") || strings.Contains(page, "Lake Concert") {
		t.Error("the address of a category chooses something else in another language")
	}
}
