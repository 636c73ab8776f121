package server_test

import (
	"fmt"
	"maps"
	"testing"
)

// TestSeriesHavePlaces asks for the venues, organizers and terms of what happens
// again: a series that began long ago is still coming, and an occurrence has what
// its series has.
func TestSeriesHavePlaces(t *testing.T) {
	t.Parallel()
	k := standing(t) // in February 2030
	begun := object{"start_date": "2025-01-09 19:30:00", "end_date": "2025-01-09 21:30:00", "timezone": "Europe/Berlin"}
	series := func(rule, venue, organizer, slug string) int64 {
		fields := object{"title": slug, "slug": slug, "recurrence": object{"rrule": rule}, "categories": []string{slug},
			"venue": object{"venue": venue}, "organizer": object{"organizer": organizer}}
		maps.Copy(fields, begun)
		return k.made("/events", fields)
	}
	on := series("FREQ=WEEKLY", "Hall", "Choir", "on")
	series("FREQ=WEEKLY;COUNT=5", "Barn", "Band", "over")
	last := series("FREQ=WEEKLY;UNTIL=20300228T235959", "Shed", "Quartet", "last")
	late := k.get(fmt.Sprintf("/events/%d/occurrences?start_date=2030-02-21&end_date=2030-03-30", last), "").want(t, 200, "")
	for _, one := range late.Body["events"].([]any) {
		k.patch(fmt.Sprintf("/events/%v", one.(object)["id"]), "editor", object{"start_date": "2030-01-01 10:00:00", "end_date": "2030-01-01 11:00:00"}).
			want(t, 200, "")
	}
	names := func(path, collection, key string, want ...string) {
		t.Helper()
		var got []string
		list, _ := k.get(path, "").want(t, 200, "").Body[collection].([]any)
		for _, one := range list {
			got = append(got, fmt.Sprint(one.(map[string]any)[key]))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	names("/venues?only_with_upcoming=true", "venues", "venue", "Hall")
	names("/organizers?only_with_upcoming=true", "organizers", "organizer", "Choir")

	list := k.get(fmt.Sprintf("/events/%d/occurrences?per_page=2", on), "").want(t, 200, "")
	plain, moved := fmt.Sprint(list.at("events.0.id")), fmt.Sprint(list.at("events.1.id"))
	k.patch("/events/"+moved, "editor", object{"venue": object{"venue": "Garden"}}).want(t, 200, "")
	names("/venues?event="+plain, "venues", "venue", "Hall")
	names("/venues?event="+moved, "venues", "venue", "Garden")
	names("/organizers?event="+plain, "organizers", "organizer", "Choir")
	names("/categories?event="+plain, "categories", "name", "on")
	names("/categories?event="+moved, "categories", "name", "on")
	k.get("/venues?event=999999", "").want(t, 400, "rest_invalid_param")
}

// TestSeriesAreMerged merges what a series and its occurrences that differ carry:
// the series counts once.
func TestSeriesAreMerged(t *testing.T) {
	t.Parallel()
	k := standing(t)
	keep, gone := k.made("/categories", object{"name": "Music"}), k.made("/categories", object{"name": "Musik"})
	hall, other := k.made("/venues", object{"venue": "Hall"}), k.made("/venues", object{"venue": "The Hall"})
	id := weekly(k, object{"categories": []int64{gone}, "venue": []int64{other}})
	for _, one := range happens(k, id, "")[3:5] {
		k.patch(fmt.Sprintf("/events/%v", one["id"]), "editor", object{"title": "Concert"}).want(t, 200, "")
	}
	b := k.person("administrator")
	for _, m := range []struct {
		kind         string
		keep, others int64
	}{{"categories", keep, gone}, {"venues", hall, other}} {
		path := fmt.Sprintf("/admin/%s/merge?id=%d&id=%d&keep=%[2]d", m.kind, m.keep, m.others)
		form := mergeForm(b.get(path))
		form.Set("take.name", fmt.Sprint(m.keep))
		form.Set("take.venue", fmt.Sprint(m.keep))
		form.Set("do", "merge")
		b.post("/admin/"+m.kind+"/merge", form)
		if p := b.follow(); !p.shows("Merged. 1 event belongs to it now.") {
			t.Errorf("%s: %d %s", m.kind, p.Status, p.Body)
		}
	}
	k.get(item("categories", keep), "").want(t, 200, "").has(t, "count", 1)
	for _, one := range happens(k, id, "") {
		k.get(fmt.Sprintf("/events/%v", one["id"]), "").has(t, "categories.0.name", "Music", "venue.venue", "Hall")
	}
}
