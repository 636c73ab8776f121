package server_test

import (
	"fmt"
	"maps"
	"testing"
)

// fullEvent is an event with every field set to something that isn't its default.
func fullEvent(k *kit) object {
	return times(object{
		"title": "Full", "description": "<p>Long</p>", "excerpt": "<p>Short</p>", "slug": "full", "status": "private",
		"date": "2029-01-02 03:04:05", "author": 3, "timezone": "Asia/Tokyo", "cost": "5", "website": "https://example.org/a?b=1&c=2",
		"show_map": true, "show_map_link": true, "hide_from_listings": true, "sticky": true, "featured": true,
		"categories": []int64{k.made("/categories", object{"name": "Cat"})}, "tags": []int64{k.made("/tags", object{"name": "Tag"})},
		"venue": k.made("/venues", object{"venue": "Hall"}), "organizer": []int64{k.made("/organizers", object{"organizer": "Ann"})},
		"post_parent": k.event(nil), "tickets": []object{{"name": "Seat", "price": 5}}, "post_password": "secret",
	})
}

// TestPartialUpdate changes one field after the other: all others stay, by
// whatever method (rule 3.4).
func TestPartialUpdate(t *testing.T) {
	t.Parallel()
	k := standing(t)
	id := k.made("/events", fullEvent(k))
	before := k.patch(item("events", id), "editor", object{}).want(t, 200, "").Body
	change := []struct {
		body object
		keys []string
	}{
		{object{}, nil},
		{object{"title": "Renamed"}, []string{"title"}},
		{object{"featured": false}, []string{"featured"}},
		{object{"cost": "7"}, []string{"cost", "cost_details"}},
		{object{"website": nil}, []string{"website"}},
		{object{"categories": []int64{}}, []string{"categories"}},
		{object{"organizer": ""}, []string{"organizer"}},
		{object{"venue": 0}, []string{"venue"}},
		{object{"status": "publish"}, []string{"status", "tags"}}, // tags count what is published
		{object{"tickets": nil}, []string{"tickets"}},
		{object{"post_parent": nil}, []string{"post_parent"}},
		{object{"excerpt": nil}, []string{"excerpt"}},
	}
	for i, c := range change {
		method := []string{"POST", "PUT", "PATCH"}[i%3]
		path := []string{item("events", id), "/events/by-slug/full"}[i%2]
		a := k.send(request{Method: method, Path: path, As: "editor", JSON: c.body}).want(t, 200, "")
		after := maps.Clone(a.Body)
		for _, key := range keys(before, after) {
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
	k := standing(t)
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
				id := k.event(object{"title": "Full", "slug": "full", "description": "x", "excerpt": "x", "timezone": "Asia/Tokyo",
					"website": "https://example.org/", "cost": 5, "show_map": true, "sticky": true, "featured": true, "tags": "a",
					"venue": object{"venue": "V"}, "organizer": object{"organizer": "O"}, "categories": "c", "tickets": []object{{"name": "x"}}})
				a := k.patch(item("events", id), "administrator", object{name: value})
				if want == nil {
					a.refused(t, name)
				} else {
					a.want(t, 200, "").has(t, name, want)
				}
				k.send(request{Method: "DELETE", Path: item("events", id) + "?force=1", As: "administrator"}).want(t, 200, "")
			}
		})
	}
}

// TestClearingPlaces clears the fields of venues and organizers.
func TestClearingPlaces(t *testing.T) {
	t.Parallel()
	k := standing(t)
	texts := map[string]object{
		"venues": {"venue": "V", "description": "<p>d</p>", "excerpt": "<p>e</p>", "address": "a", "city": "c", "country": "Germany", "province": "p",
			"state": "s", "zip": "z", "phone": "1", "stateprovince": "sp", "website": "https://example.org/"},
		"organizers": {"organizer": "O", "description": "<p>d</p>", "excerpt": "<p>e</p>", "phone": "1", "website": "https://example.org/",
			"email": "a@example.org"},
	}
	for collection, fields := range texts {
		id := k.made("/"+collection, fields)
		for name, value := range fields {
			if name == "venue" || name == "organizer" {
				k.patch(item(collection, id), "editor", object{name: ""}).refused(t, name)
				k.patch(item(collection, id), "editor", object{name: nil}).refused(t, name)
				k.patch(item(collection, id), "editor", object{name: "  "}).refused(t, name)
				continue
			}
			for _, empty := range []any{nil, ""} {
				k.patch(item(collection, id), "editor", object{name: empty}).want(t, 200, "").has(t, name, "-")
				a := k.patch(item(collection, id), "editor", object{name: value}).want(t, 200, "").has(t, name, value)
				for other, kept := range fields {
					if a.at(other) != kept {
						t.Errorf("%s %s: %s is %v", collection, name, other, a.at(other))
					}
				}
			}
		}
	}
	venue := k.made("/venues", object{"venue": "Map", "show_map": "false", "geo_lat": 52.5, "geo_lng": 13.4})
	k.patch(item("venues", venue), "editor", object{"phone": "1"}).has(t, "show_map", false, "show_map_link", true, "geo_lat", 52.5)
	k.patch(item("venues", venue), "editor", object{"show_map": nil, "geo_lat": nil, "geo_lng": nil}).
		has(t, "show_map", true, "geo_lat", "-", "geo_lng", "-")
	// a form has no null
	k.patch(item("venues", venue), "editor", object{"geo_lat": 52.5, "geo_lng": 13.4}).has(t, "geo_lat", 52.5)
	k.patch(item("venues", venue), "editor", object{"geo_lat": ""}).refused(t, "geo_lat")
	k.patch(item("venues", venue), "editor", object{"geo_lat": "", "geo_lng": ""}).want(t, 200, "").has(t, "geo_lat", "-", "geo_lng", "-")
	event := k.event(object{"venue": object{"venue": "Form", "geo_lat": "", "geo_lng": ""}, "tickets": []object{{"name": "x", "price": ""}}})
	k.get(item("events", event), "").has(t, "venue.venue", "Form", "venue.geo_lat", "-", "tickets.0.name", "x", "tickets.0.price", "-")
}

// TestRoundTrip writes an answer back as it is: nothing changes (rule 4.3).
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	k := standing(t)
	titles := []string{`Tom & "Jerry" <b>bold</b>`, "1 < 2 &amp; 3", "&lt;script&gt;", "ünï – “quoted”", `back\slash`}
	for i, title := range titles {
		id := k.event(object{"title": title, "description": "One & two\n\nThree <em>four</em>", "excerpt": "a < b"})
		first := k.get(item("events", id), "administrator").Body
		again := k.patch(item("events", id), "administrator", object{"title": first["title"], "description": first["description"],
			"excerpt": first["excerpt"], "website": first["website"], "timezone": first["timezone"], "slug": first["slug"]}).want(t, 200, "")
		for _, key := range []string{"title", "description", "excerpt", "slug", "website"} {
			again.has(t, key, first[key])
		}
		name := fmt.Sprintf("%s %d", title, i)
		venue := k.post("/venues", "administrator", object{"venue": name}).want(t, 201, "")
		k.patch(item("venues", venue.id()), "administrator", object{"venue": venue.at("venue")}).has(t, "venue", venue.at("venue"))
		tag := k.post("/tags", "administrator", object{"name": name}).want(t, 201, "")
		k.patch(item("tags", tag.id()), "administrator", object{"name": tag.at("name")}).has(t, "name", tag.at("name"))
	}
}

// TestStateProvinceFollows: what was taken from state or province changes with
// them; another that was said stays (rule 3.10).
func TestStateProvinceFollows(t *testing.T) {
	t.Parallel()
	k := standing(t)
	venue := item("venues", k.made("/venues", object{"venue": "V", "country": "US", "state": "CA"}))
	k.get(venue, "").has(t, "stateprovince", "CA")
	for _, c := range []struct {
		fields object
		want   string
	}{
		{object{"city": "Albany"}, "CA"},
		{object{"state": "NY"}, "NY"},
		{object{"country": "Germany", "state": "", "province": "Bayern"}, "Bayern"},
		{object{"province": "Hessen", "stateprovince": "Bayern"}, "Bayern"},
		{object{"province": "Sachsen"}, "Bayern"},
		{object{"stateprovince": ""}, "-"},
		{object{"province": "Berlin"}, "-"},
		{object{"stateprovince": "Berlin"}, "Berlin"},
		{object{"province": nil}, "-"},
	} {
		k.patch(venue, "editor", c.fields).want(t, 200, "").has(t, "stateprovince", c.want)
	}
}
