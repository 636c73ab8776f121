package server_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// TestLinkingPlaces sends every form a venue or organizer can be named in
// (rule 3.6); links are read as ids, "new" for one that was made.
func TestLinkingPlaces(t *testing.T) {
	t.Parallel()
	k := standing(t)
	for _, kind := range []string{"venue", "organizer"} {
		one, two := k.made("/"+kind+"s", object{kind: "One"}), k.made("/"+kind+"s", object{kind: "Two"})
		draft := k.made("/"+kind+"s", object{kind: "Draft", "status": "draft"})
		event := k.event(nil)
		a, b, d := fmt.Sprint(one), fmt.Sprint(two), fmt.Sprint(draft)
		for _, c := range []struct {
			value any
			want  string // links; "refused"
		}{
			{one, a}, {a, a}, {" " + a + " ", a}, {object{"id": one}, a}, {object{"id": a, kind: "ignored"}, a},
			{[]any{one}, a}, {[]any{a}, a}, {[]any{two, one}, b + "," + a}, {[]any{one, a, object{"id": one}}, a},
			{b + "," + a, b + "," + a}, {b + ", " + a + ",", b + "," + a}, {draft, d}, {[]any{object{"id": two}, one}, b + "," + a},
			{nil, ""}, {"", ""}, {0, ""}, {"0", ""}, {[]any{}, ""}, {[]any{0}, ""},
			{object{kind: "New A"}, "new"}, {[]any{object{kind: "New B"}}, "new"}, {[]any{one, object{kind: "New C", "phone": "1"}}, a + ",new"},
			{999999, "refused"}, {[]any{one, 999999}, "refused"}, {event, "refused"}, {"abc", "refused"}, {true, "refused"}, {-1, "refused"},
			{1.5, "refused"}, {object{}, "refused"}, {object{"phone": "1"}, "refused"}, {object{kind: ""}, "refused"}, {object{kind: "  "}, "refused"},
			{object{kind: "X", "website": "nonsense"}, "refused"}, {[]any{[]any{one}}, "refused"}, {object{"id": "x"}, "refused"},
		} {
			body := times(object{"title": fmt.Sprint(kind, c.value), kind: c.value})
			if c.want == "refused" {
				state := k.state()
				k.post("/events", "administrator", body).refused(t, kind)
				if k.state() != state {
					t.Errorf("%s %v: refused and yet something changed", kind, c.value)
				}
				continue
			}
			got := k.post("/events", "administrator", body).want(t, 201, "")
			if links := got.links(kind); links != c.want {
				t.Errorf("%s %v: linked %s, want %s", kind, c.value, links, c.want)
			}
			updated := k.patch(item("events", event), "administrator", object{kind: c.value}).want(t, 200, "")
			if links := updated.links(kind); links != c.want {
				t.Errorf("%s %v on update: linked %s, want %s", kind, c.value, links, c.want)
			}
		}
	}
}

// links returns the ids an event is linked to; those of new items are "new".
func (a answer) links(kind string) string {
	list, isList := a.Body[kind].([]any)
	if !isList {
		list = []any{a.Body[kind]}
	}
	ids := make([]string, 0, len(list))
	for _, entry := range list {
		linked, _ := entry.(map[string]any)
		name, _ := linked[kind].(string)
		if strings.HasPrefix(name, "New") {
			ids = append(ids, "new")
			continue
		}
		ids = append(ids, fmt.Sprint(linked["id"]))
	}
	return strings.Join(ids, ",")
}

// TestVenueShape: an object, [] for none, a list for several (rule 8.1).
func TestVenueShape(t *testing.T) {
	t.Parallel()
	k := standing(t)
	one, two := k.made("/venues", object{"venue": "One"}), k.made("/venues", object{"venue": "Two"})
	id := k.event(object{"venue": []int64{two, one}})
	k.get(item("events", id), "").has(t, "venue.#", 2, "venue.0.id", two, "venue.1.id", one)
	k.patch(item("events", id), "editor", object{"venue": two}).has(t, "venue.id", two)
	k.patch(item("events", id), "editor", object{"venue": ""}).has(t, "venue.#", 0)
}

// TestLinkingTerms sends every form terms can be named in (rule 3.7).
func TestLinkingTerms(t *testing.T) {
	t.Parallel()
	k := standing(t)
	for collection, taxonomy := range map[string]string{"categories": "tribe_events_cat", "tags": "post_tag"} {
		one := k.made("/"+collection, object{"name": "Alpha Ä", "slug": "first"})
		two := k.made("/"+collection, object{"name": "Beta"})
		a, b := fmt.Sprint(one), fmt.Sprint(two)
		for _, c := range []struct {
			value any
			want  string // names
		}{
			{one, "Alpha Ä"}, {a, "Alpha Ä"}, {[]any{one, two}, "Alpha Ä,Beta"}, {b + "," + a, "Alpha Ä,Beta"}, {[]any{a, b}, "Alpha Ä,Beta"},
			{"first", "Alpha Ä"}, {"alpha ä", "Alpha Ä"}, {"BETA,first", "Alpha Ä,Beta"}, {[]any{"Beta", two, "beta"}, "Beta"},
			{999999, ""}, {[]any{999999, two}, "Beta"}, {"", ""}, {[]any{}, ""}, {nil, ""}, {[]any{0, nil, "", "0", two}, "Beta"},
			{"Made here", "Made here"}, {[]any{"made HERE"}, "Made here"}, {"  Beta  ,", "Beta"},
			{object{}, "refused"}, {[]any{[]any{one}}, "refused"}, {[]any{object{"id": one}}, "refused"},
		} {
			got := k.post("/events", "administrator", times(object{collection: c.value}))
			if c.want == "refused" {
				got.refused(t, collection)
				continue
			}
			got.want(t, 201, "")
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
	k := standing(t)
	for role, may := range map[string]string{"administrator": "categories tags", "editor": "categories tags", "author": "categories", "contributor": ""} {
		for _, collection := range []string{"categories", "tags"} {
			a := k.post("/events", role, times(object{collection: []string{role + " " + collection}}))
			if strings.Contains(may, collection) {
				a.want(t, 201, "").has(t, collection+".0.name", role+" "+collection)
			} else {
				a.refused(t, collection)
			}
			k.post("/events", role, times(object{collection: []string{"administrator " + collection}}))
		}
	}
	k.post("/events", "contributor", times(object{"tags": "administrator tags"})).want(t, 201, "").has(t, "tags.#", 1)
}

// TestOneWrite: what an event newly names stays only if the event does (rule 3.5).
func TestOneWrite(t *testing.T) {
	t.Parallel()
	k := standing(t)
	id := k.event(nil)
	parts := object{"venue": object{"venue": "Nowhere"}, "organizer": []any{object{"organizer": "Nobody"}}, "tags": "nothing", "categories": "none"}
	for about, bad := range map[string]object{
		"end before start":   {"end_date": "2030-02-28 10:00"},
		"unknown organizer":  {"organizer": []any{object{"organizer": "Nobody"}, 999999}},
		"unknown parent":     {"post_parent": 999999},
		"unknown author":     {"author": 999999},
		"second venue blank": {"venue": []any{object{"venue": "Nowhere"}, object{"venue": " "}}},
		"unknown image":      {"image": "999999"},
	} {
		body := times(parts)
		maps.Copy(body, bad)
		state := k.state()
		k.post("/events", "administrator", body).want(t, 400, "rest_invalid_param")
		k.patch(item("events", id), "administrator", body).want(t, 400, "rest_invalid_param")
		if now := k.state(); now != state {
			t.Errorf("%s: state %s, was %s", about, now, state)
		}
	}
	k.post("/events", "administrator", times(parts)).want(t, 201, "").has(t, "venue.venue", "Nowhere", "organizer.0.organizer", "Nobody")
}

// TestHiddenLinks: unpublished venues and organizers show only to those who may
// read them (rule 2.7).
func TestHiddenLinks(t *testing.T) {
	t.Parallel()
	k := standing(t)
	for _, kind := range []string{"venue", "organizer"} {
		id := k.made("/"+kind+"s", object{kind: "Secret"})
		event := k.event(object{kind: id})
		for _, status := range []string{"draft", "private", "pending", "trash", "publish"} {
			k.patch(item(kind+"s", id), "administrator", object{"status": status}).want(t, 200, "")
			for as, reads := range map[string]bool{"": false, "subscriber": false, "contributor": false, "author": false, "editor": true} {
				one := k.get(item("events", event), as).want(t, 200, "")
				list := k.get("/events?include="+fmt.Sprint(event), as).want(t, 200, "")
				shown := status == "publish" || reads
				if one.links(kind) == fmt.Sprint(id) != shown || strings.Contains(string(list.Raw), "Secret") != shown {
					t.Errorf("%s %s as %q: %v, want shown %v", status, kind, as, one.Body[kind], shown)
				}
			}
		}
	}
}
