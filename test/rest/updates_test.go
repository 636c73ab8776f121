package rest

import (
	"fmt"
	"maps"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// fullEvent is an event with every field set to something that isn't its default.
func fullEvent(k *kit.Kit) kit.Object {
	return kit.Times(kit.Object{
		"title": "Full", "description": "<p>Long</p>", "excerpt": "<p>Short</p>", "slug": "full", "status": "private",
		"date": "2029-01-02 03:04:05", "author": 3, "timezone": "Asia/Tokyo", "cost": "5", "website": "https://example.org/a?b=1&c=2",
		"show_map": true, "show_map_link": true, "hide_from_listings": true, "sticky": true, "featured": true,
		"categories": []int64{k.Made("/categories", kit.Object{"name": "Cat"})}, "tags": []int64{k.Made("/tags", kit.Object{"name": "Tag"})},
		"venue": k.Made("/venues", kit.Object{"venue": "Hall"}), "organizer": []int64{k.Made("/organizers", kit.Object{"organizer": "Ann"})},
		"post_parent": k.Event(nil), "tickets": []kit.Object{{"name": "Seat"}}, "post_password": "secret",
	})
}

// TestPartialUpdate changes one field after the other: all others stay, by
// whatever method (rule 3.4).
func TestPartialUpdate(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := k.Made("/events", fullEvent(k))
	before := k.Patch(kit.Item("events", id), "editor", kit.Object{}).Want(t, 200, "").Body
	change := []struct {
		body kit.Object
		keys []string
	}{
		{kit.Object{}, nil},
		{kit.Object{"title": "Renamed"}, []string{"title"}},
		{kit.Object{"featured": false}, []string{"featured"}},
		{kit.Object{"cost": "7"}, []string{"cost", "cost_details"}},
		{kit.Object{"website": nil}, []string{"website"}},
		{kit.Object{"categories": []int64{}}, []string{"categories"}},
		{kit.Object{"organizer": ""}, []string{"organizer"}},
		{kit.Object{"venue": 0}, []string{"venue"}},
		{kit.Object{"status": "publish"}, []string{"status"}}, // tags don't count what a password protects
		{kit.Object{"tickets": nil}, []string{"tickets"}},
		{kit.Object{"post_parent": nil}, []string{"post_parent"}},
		{kit.Object{"excerpt": nil}, []string{"excerpt"}},
	}
	for i, c := range change {
		method := []string{"POST", "PUT", "PATCH"}[i%3]
		path := []string{kit.Item("events", id), "/events/by-slug/full"}[i%2]
		a := k.Send(kit.Request{Method: method, Path: path, As: "editor", JSON: c.body}).Want(t, 200, "")
		after := maps.Clone(a.Body)
		for _, key := range kit.Keys(before, after) {
			changed := fmt.Sprint(before[key]) != fmt.Sprint(after[key])
			expected := key == "modified" || key == "modified_utc" || key == "json_ld"
			for _, name := range c.keys {
				expected = expected || key == name
				if key == name && !changed {
					t.Errorf("%s %v: %s is as it was", method, c.body, key)
				}
			}
			if changed && !expected {
				t.Errorf("%s %v: %s changed: %v, was %v", method, c.body, key, after[key], before[key])
			}
		}
		before = after
	}
}

// TestClearing sends null, the empty text and empty lists
// (rule 3.4).
func TestClearing(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for name, c := range map[string]struct {
		null, empty any    // what the event has afterwards; nil: refused
		path        string // where to look, when it isn't name
	}{
		"title":       {},
		"start_date":  {},
		"end_date":    {},
		"status":      {},
		"date":        {},
		"author":      {},
		"description": {null: ""},
		"excerpt":     {null: ""},
		"slug":        {null: "full"},
		"timezone":    {null: "Europe/Berlin", empty: "Europe/Berlin"},
		"website":     {null: "http://localhost/event/full/", empty: "http://localhost/event/full/"},
		"cost":        {null: "", empty: ""},
		"image":       {null: false},
		"show_map":    {null: false},
		"sticky":      {null: false},
		"featured":    {null: false},
		"all_day":     {null: false},
		"categories":  {null: "[]", empty: "[]"},
		"tags":        {null: "[]", empty: "[]"},
		"venue":       {null: "[]", empty: "[]"},
		"organizer":   {null: "[]", empty: "[]"},
		"tickets":     {null: "-", empty: "-"},
		"post_parent": {null: "-"},
	} {
		t.Run(name, func(t *testing.T) {
			for value, want := range map[any]any{nil: c.null, "": c.empty} {
				id := k.Event(kit.Object{"title": "Full", "slug": "full", "description": "x", "excerpt": "x", "timezone": "Asia/Tokyo",
					"website": "https://example.org/", "cost": 5, "show_map": true, "sticky": true, "featured": true, "tags": "a",
					"venue": kit.Object{"venue": "V"}, "organizer": kit.Object{"organizer": "O"}, "categories": "c", "tickets": []kit.Object{{"name": "x"}}})
				a := k.Patch(kit.Item("events", id), "administrator", kit.Object{name: value})
				if want == nil {
					a.Refused(t, name)
				} else {
					a.Want(t, 200, "").Has(t, name, want)
				}
				k.Send(kit.Request{Method: "DELETE", Path: kit.Item("events", id) + "?force=1", As: "administrator"}).Want(t, 200, "")
			}
		})
	}
}

// TestClearingPlaces clears the fields of venues and organizers.
func TestClearingPlaces(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	texts := map[string]kit.Object{
		"venues": {"venue": "V", "description": "<p>d</p>", "excerpt": "<p>e</p>", "address": "a", "city": "c", "country": "Germany", "province": "p",
			"state": "s", "zip": "z", "phone": "1", "stateprovince": "sp", "website": "https://example.org/"},
		"organizers": {"organizer": "O", "description": "<p>d</p>", "excerpt": "<p>e</p>", "phone": "1", "website": "https://example.org/",
			"email": "a@example.org"},
	}
	for collection, fields := range texts {
		id := k.Made("/"+collection, fields)
		for name, value := range fields {
			if name == "venue" || name == "organizer" {
				k.Patch(kit.Item(collection, id), "editor", kit.Object{name: ""}).Refused(t, name)
				k.Patch(kit.Item(collection, id), "editor", kit.Object{name: nil}).Refused(t, name)
				k.Patch(kit.Item(collection, id), "editor", kit.Object{name: "  "}).Refused(t, name)
				continue
			}
			for _, empty := range []any{nil, ""} {
				k.Patch(kit.Item(collection, id), "editor", kit.Object{name: empty}).Want(t, 200, "").Has(t, name, "-")
				a := k.Patch(kit.Item(collection, id), "editor", kit.Object{name: value}).Want(t, 200, "").Has(t, name, value)
				for other, kept := range fields {
					if a.At(other) != kept {
						t.Errorf("%s %s: %s is %v", collection, name, other, a.At(other))
					}
				}
			}
		}
	}
	venue := k.Made("/venues", kit.Object{"venue": "Map", "show_map": "false", "geo_lat": 52.5, "geo_lng": 13.4})
	k.Patch(kit.Item("venues", venue), "editor", kit.Object{"phone": "1"}).Has(t, "show_map", false, "show_map_link", true, "geo_lat", 52.5)
	k.Patch(kit.Item("venues", venue), "editor", kit.Object{"show_map": nil, "geo_lat": nil, "geo_lng": nil}).
		Has(t, "show_map", true, "geo_lat", "-", "geo_lng", "-")
	// a form has no null
	k.Patch(kit.Item("venues", venue), "editor", kit.Object{"geo_lat": 52.5, "geo_lng": 13.4}).Has(t, "geo_lat", 52.5)
	k.Patch(kit.Item("venues", venue), "editor", kit.Object{"geo_lat": ""}).Refused(t, "geo_lat")
	k.Patch(kit.Item("venues", venue), "editor", kit.Object{"geo_lat": "", "geo_lng": ""}).Want(t, 200, "").Has(t, "geo_lat", "-", "geo_lng", "-")
	event := k.Event(kit.Object{"venue": kit.Object{"venue": "Form", "geo_lat": "", "geo_lng": ""}, "tickets": []kit.Object{{"name": "x", "price": ""}}})
	k.Get(kit.Item("events", event), "").Has(t, "venue.venue", "Form", "venue.geo_lat", "-", "tickets.0.name", "x", "tickets.0.price", "-")
}

// TestRoundTrip writes an answer back as it is: nothing changes (rule 4.3).
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	titles := []string{`Tom & "Jerry" <b>bold</b>`, "1 < 2 &amp; 3", "&lt;script&gt;", "ünï – “quoted”", `back\slash`}
	for i, title := range titles {
		id := k.Event(kit.Object{"title": title, "description": "One & two\n\nThree <em>four</em>", "excerpt": "a < b"})
		first := k.Get(kit.Item("events", id), "administrator").Body
		again := k.Patch(kit.Item("events", id), "administrator", kit.Object{"title": first["title"], "description": first["description"],
			"excerpt": first["excerpt"], "website": first["website"], "timezone": first["timezone"], "slug": first["slug"]}).Want(t, 200, "")
		for _, key := range []string{"title", "description", "excerpt", "slug", "website"} {
			again.Has(t, key, first[key])
		}
		name := fmt.Sprintf("%s %d", title, i)
		venue := k.Post("/venues", "administrator", kit.Object{"venue": name}).Want(t, 201, "")
		k.Patch(kit.Item("venues", venue.ID()), "administrator", kit.Object{"venue": venue.At("venue")}).Has(t, "venue", venue.At("venue"))
		tag := k.Post("/tags", "administrator", kit.Object{"name": name}).Want(t, 201, "")
		k.Patch(kit.Item("tags", tag.ID()), "administrator", kit.Object{"name": tag.At("name")}).Has(t, "name", tag.At("name"))
	}
}

// TestStateProvinceFollows: what was taken from state or province changes with
// them; another that was said stays (rule 3.10).
func TestStateProvinceFollows(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	venue := kit.Item("venues", k.Made("/venues", kit.Object{"venue": "V", "country": "US", "state": "CA"}))
	k.Get(venue, "").Has(t, "stateprovince", "CA")
	for _, c := range []struct {
		fields kit.Object
		want   string
	}{
		{kit.Object{"city": "Albany"}, "CA"},
		{kit.Object{"state": "NY"}, "NY"},
		{kit.Object{"country": "Germany", "state": "", "province": "Bayern"}, "Bayern"},
		{kit.Object{"province": "Hessen", "stateprovince": "Bayern"}, "Hessen"}, // which equals what was served (rule 3.17)
		{kit.Object{"province": "Sachsen", "stateprovince": "Bayern"}, "Bayern"},
		{kit.Object{"province": "Thüringen"}, "Bayern"},
		{kit.Object{"stateprovince": ""}, "-"},
		{kit.Object{"province": "Berlin"}, "-"},
		{kit.Object{"stateprovince": "Berlin"}, "Berlin"},
		{kit.Object{"province": nil}, "-"},
	} {
		k.Patch(venue, "editor", c.fields).Want(t, 200, "").Has(t, "stateprovince", c.want)
	}
}
