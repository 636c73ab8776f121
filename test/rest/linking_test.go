package rest

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestLinkingPlaces sends every form a venue or organizer can be named in
// (rule 3.6); links are read as ids, "new" for one that was made.
func TestLinkingPlaces(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for _, kind := range []string{"venue", "organizer"} {
		one, two := k.Made("/"+kind+"s", kit.Object{kind: "One"}), k.Made("/"+kind+"s", kit.Object{kind: "Two"})
		draft := k.Made("/"+kind+"s", kit.Object{kind: "Draft", "status": "draft"})
		event := k.Event(nil)
		a, b, d := fmt.Sprint(one), fmt.Sprint(two), fmt.Sprint(draft)
		for _, c := range []struct {
			value any
			want  string // links; "refused"
		}{
			{one, a}, {a, a}, {" " + a + " ", a}, {kit.Object{"id": one}, a}, {kit.Object{"id": a, kind: "ignored"}, a},
			{[]any{one}, a}, {[]any{a}, a}, {[]any{two, one}, b + "," + a}, {[]any{one, a, kit.Object{"id": one}}, a},
			{b + "," + a, b + "," + a}, {b + ", " + a + ",", b + "," + a}, {draft, d}, {[]any{kit.Object{"id": two}, one}, b + "," + a},
			{nil, ""}, {"", ""}, {0, ""}, {"0", ""}, {[]any{}, ""}, {[]any{0}, ""},
			{kit.Object{kind: "New A"}, "new"}, {[]any{kit.Object{kind: "New B"}}, "new"}, {[]any{one, kit.Object{kind: "New C", "phone": "1"}}, a + ",new"},
			{999999, "refused"}, {[]any{one, 999999}, "refused"}, {event, "refused"}, {"abc", "refused"}, {true, "refused"}, {-1, "refused"},
			{1.5, "refused"}, {kit.Object{}, "refused"}, {kit.Object{"phone": "1"}, "refused"}, {kit.Object{kind: ""}, "refused"}, {kit.Object{kind: "  "}, "refused"},
			{kit.Object{kind: "X", "website": "nonsense"}, "refused"}, {[]any{[]any{one}}, "refused"}, {kit.Object{"id": "x"}, "refused"},
		} {
			body := kit.Times(kit.Object{"title": fmt.Sprint(kind, c.value), kind: c.value})
			if c.want == "refused" {
				state := k.State()
				k.Post("/events", "administrator", body).Refused(t, kind)
				if k.State() != state {
					t.Errorf("%s %v: refused and yet something changed", kind, c.value)
				}
				continue
			}
			got := k.Post("/events", "administrator", body).Want(t, 201, "")
			if links := got.Links(kind); links != c.want {
				t.Errorf("%s %v: linked %s, want %s", kind, c.value, links, c.want)
			}
			updated := k.Patch(kit.Item("events", event), "administrator", kit.Object{kind: c.value}).Want(t, 200, "")
			if links := updated.Links(kind); links != c.want {
				t.Errorf("%s %v on update: linked %s, want %s", kind, c.value, links, c.want)
			}
		}
	}
}

// TestVenueShape: an object, [] for none, a list for several (rule 8.1).
func TestVenueShape(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	one, two := k.Made("/venues", kit.Object{"venue": "One"}), k.Made("/venues", kit.Object{"venue": "Two"})
	id := k.Event(kit.Object{"venue": []int64{two, one}})
	k.Get(kit.Item("events", id), "").Has(t, "venue.#", 2, "venue.0.id", two, "venue.1.id", one)
	k.Patch(kit.Item("events", id), "editor", kit.Object{"venue": two}).Has(t, "venue.id", two)
	k.Patch(kit.Item("events", id), "editor", kit.Object{"venue": ""}).Has(t, "venue.#", 0)
}

// TestLinkingTerms sends every form terms can be named in (rule 3.7).
func TestLinkingTerms(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for collection, taxonomy := range map[string]string{"categories": "tribe_events_cat", "tags": "post_tag"} {
		one := k.Made("/"+collection, kit.Object{"name": "Alpha Ä", "slug": "first"})
		two := k.Made("/"+collection, kit.Object{"name": "Beta"})
		a, b := fmt.Sprint(one), fmt.Sprint(two)
		for _, c := range []struct {
			value any
			want  string // names
		}{
			{one, "Alpha Ä"}, {a, "Alpha Ä"}, {[]any{one, two}, "Alpha Ä,Beta"}, {b + "," + a, "Alpha Ä,Beta"}, {[]any{a, b}, "Alpha Ä,Beta"},
			{"first", "Alpha Ä"}, {"alpha ä", "Alpha Ä"}, {"BETA,first", "Alpha Ä,Beta"}, {[]any{"Beta", two, "beta"}, "Beta"},
			{999999, ""}, {[]any{999999, two}, "Beta"}, {"", ""}, {[]any{}, ""}, {nil, ""}, {[]any{0, nil, "", "0", two}, "Beta"},
			{"Made here", "Made here"}, {[]any{"made HERE"}, "Made here"}, {"  Beta  ,", "Beta"},
			{kit.Object{}, "refused"}, {[]any{[]any{one}}, "refused"},
			{[]any{kit.Object{"id": one, "name": "Beta"}}, "Alpha Ä"}, {kit.Object{"slug": "first"}, "Alpha Ä"}, {[]any{kit.Object{"name": "Beta"}, one}, "Alpha Ä,Beta"},
			{[]any{kit.Object{"count": 1}}, "refused"},
		} {
			got := k.Post("/events", "administrator", kit.Times(kit.Object{collection: c.value}))
			if c.want == "refused" {
				got.Refused(t, collection)
				continue
			}
			got.Want(t, 201, "")
			var names []string
			terms, _ := got.Body[collection].([]any)
			for _, entry := range terms {
				term, _ := entry.(map[string]any)
				names = append(names, fmt.Sprint(term["name"]))
				if term["taxonomy"] != taxonomy || term["filter"] != "raw" || term["term_taxonomy_id"] != term["id"] {
					t.Errorf("%s: %v", collection, term)
				}
			}
			if is := strings.Join(names, ","); is != c.want {
				t.Errorf("%s %v: %s, want %s", collection, c.value, is, c.want)
			}
		}
	}
}

// TestWhoMakesTerms: naming an unknown term makes it only for those who may
// (rule 2.6).
func TestWhoMakesTerms(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for role, may := range map[string]string{"administrator": "categories tags", "editor": "categories tags", "author": "categories", "contributor": ""} {
		for _, collection := range []string{"categories", "tags"} {
			a := k.Post("/events", role, kit.Times(kit.Object{collection: []string{role + " " + collection}}))
			if strings.Contains(may, collection) {
				a.Want(t, 201, "").Has(t, collection+".0.name", role+" "+collection)
			} else {
				a.Refused(t, collection)
			}
			k.Post("/events", role, kit.Times(kit.Object{collection: []string{"administrator " + collection}}))
		}
	}
	k.Post("/events", "contributor", kit.Times(kit.Object{"tags": "administrator tags"})).Want(t, 201, "").Has(t, "tags.#", 1)
}

// TestOneWrite: what an event newly names stays only if the event does (rule 3.5).
func TestOneWrite(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := k.Event(nil)
	parts := kit.Object{"venue": kit.Object{"venue": "Nowhere"}, "organizer": []any{kit.Object{"organizer": "Nobody"}}, "tags": "nothing", "categories": "none"}
	for about, bad := range map[string]kit.Object{
		"end before start":   {"end_date": "2030-02-28 10:00"},
		"unknown organizer":  {"organizer": []any{kit.Object{"organizer": "Nobody"}, 999999}},
		"unknown parent":     {"post_parent": 999999},
		"unknown author":     {"author": 999999},
		"second venue blank": {"venue": []any{kit.Object{"venue": "Nowhere"}, kit.Object{"venue": " "}}},
		"unknown image":      {"image": "999999"},
	} {
		body := kit.Times(parts)
		maps.Copy(body, bad)
		state := k.State()
		k.Post("/events", "administrator", body).Want(t, 400, "rest_invalid_param")
		k.Patch(kit.Item("events", id), "administrator", body).Want(t, 400, "rest_invalid_param")
		if now := k.State(); now != state {
			t.Errorf("%s: state %s, was %s", about, now, state)
		}
	}
	k.Post("/events", "administrator", kit.Times(parts)).Want(t, 201, "").Has(t, "venue.venue", "Nowhere", "organizer.0.organizer", "Nobody")
}

// TestHiddenLinks: unpublished venues and organizers show only to those who may
// read them (rule 2.7).
func TestHiddenLinks(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for _, kind := range []string{"venue", "organizer"} {
		id := k.Made("/"+kind+"s", kit.Object{kind: "Secret"})
		event := k.Event(kit.Object{kind: id})
		for _, status := range []string{"draft", "private", "pending", "trash", "publish"} {
			k.Patch(kit.Item(kind+"s", id), "administrator", kit.Object{"status": status}).Want(t, 200, "")
			for as, reads := range map[string]bool{"": false, "subscriber": false, "contributor": false, "author": false, "editor": true} {
				one := k.Get(kit.Item("events", event), as).Want(t, 200, "")
				list := k.Get("/events?include="+fmt.Sprint(event), as).Want(t, 200, "")
				shown := status == "publish" || reads
				if one.Links(kind) == fmt.Sprint(id) != shown || strings.Contains(string(list.Raw), "Secret") != shown {
					t.Errorf("%s %s as %q: %v, want shown %v", status, kind, as, one.Body[kind], shown)
				}
			}
		}
	}
}
