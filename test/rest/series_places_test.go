package rest

import (
	"fmt"
	"maps"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestSeriesHavePlaces asks for the venues, organizers and terms of what happens
// again: a series that began long ago is still coming, and an occurrence has what
// its series has.
func TestSeriesHavePlaces(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t) // in February 2030
	begun := kit.Object{"start_date": "2025-01-09 19:30:00", "end_date": "2025-01-09 21:30:00", "timezone": "Europe/Berlin"}
	series := func(rule, venue, organizer, slug string) int64 {
		fields := kit.Object{"title": slug, "slug": slug, "recurrence": kit.Object{"rrule": rule}, "categories": []string{slug},
			"venue": kit.Object{"venue": venue}, "organizer": kit.Object{"organizer": organizer}}
		maps.Copy(fields, begun)
		return k.Made("/events", fields)
	}
	on := series("FREQ=WEEKLY", "Hall", "Choir", "on")
	series("FREQ=WEEKLY;COUNT=5", "Barn", "Band", "over")
	last := series("FREQ=WEEKLY;UNTIL=20300228T235959", "Shed", "Quartet", "last")
	late := k.Get(fmt.Sprintf("/events/%d/occurrences?start_date=2030-02-21&end_date=2030-03-30", last), "").Want(t, 200, "")
	for _, one := range late.Body["events"].([]any) {
		k.Patch(fmt.Sprintf("/events/%v", one.(kit.Object)["id"]), "editor", kit.Object{"start_date": "2030-01-01 10:00:00", "end_date": "2030-01-01 11:00:00"}).
			Want(t, 200, "")
	}
	names := func(path, collection, key string, want ...string) {
		t.Helper()
		var got []string
		list, _ := k.Get(path, "").Want(t, 200, "").Body[collection].([]any)
		for _, one := range list {
			got = append(got, fmt.Sprint(one.(map[string]any)[key]))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	names("/venues?only_with_upcoming=true", "venues", "venue", "Hall")
	names("/organizers?only_with_upcoming=true", "organizers", "organizer", "Choir")

	list := k.Get(fmt.Sprintf("/events/%d/occurrences?per_page=2", on), "").Want(t, 200, "")
	plain, moved := fmt.Sprint(list.At("events.0.id")), fmt.Sprint(list.At("events.1.id"))
	k.Patch("/events/"+moved, "editor", kit.Object{"venue": kit.Object{"venue": "Garden"}}).Want(t, 200, "")
	names("/venues?event="+plain, "venues", "venue", "Hall")
	names("/venues?event="+moved, "venues", "venue", "Garden")
	names("/organizers?event="+plain, "organizers", "organizer", "Choir")
	names("/categories?event="+plain, "categories", "name", "on")
	names("/categories?event="+moved, "categories", "name", "on")
	k.Get("/venues?event=999999", "").Want(t, 400, "rest_invalid_param")
}

// TestSeriesAreMerged merges what a series and its occurrences that differ carry:
// the series counts once.
func TestSeriesAreMerged(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	keep, gone := k.Made("/categories", kit.Object{"name": "Music"}), k.Made("/categories", kit.Object{"name": "Musik"})
	hall, other := k.Made("/venues", kit.Object{"venue": "Hall"}), k.Made("/venues", kit.Object{"venue": "The Hall"})
	id := kit.Weekly(k, kit.Object{"categories": []int64{gone}, "venue": []int64{other}})
	for _, one := range kit.Happens(k, id, "")[3:5] {
		k.Patch(fmt.Sprintf("/events/%v", one["id"]), "editor", kit.Object{"title": "Concert"}).Want(t, 200, "")
	}
	b := k.Person("administrator")
	for _, m := range []struct {
		kind         string
		keep, others int64
	}{{"categories", keep, gone}, {"venues", hall, other}} {
		path := fmt.Sprintf("/admin/%s/merge?id=%d&id=%d&keep=%[2]d", m.kind, m.keep, m.others)
		form := kit.MergeForm(b.Get(path))
		form.Set("take.name", fmt.Sprint(m.keep))
		form.Set("take.venue", fmt.Sprint(m.keep))
		form.Set("do", "merge")
		b.Post("/admin/"+m.kind+"/merge", form)
		if p := b.Follow(); !p.Shows("Merged. 1 event was moved to it.") {
			t.Errorf("%s: %d %s", m.kind, p.Status, p.Body)
		}
	}
	k.Get(kit.Item("categories", keep), "").Want(t, 200, "").Has(t, "count", 1)
	for _, one := range kit.Happens(k, id, "") {
		k.Get(fmt.Sprintf("/events/%v", one["id"]), "").Has(t, "categories.0.name", "Music", "venue.venue", "Hall")
	}
}
