package storage

import (
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/test/eventtest"
)

// TestLinksAreSmall remembers what a list of a usual site nests: thousands of sites have
// theirs in the memory there is for it.
func TestLinksAreSmall(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.Fill(k.Site, 100)
	page := k.List(eventtest.Variants()["plain"])
	remembered := k.db.Links.Of(k.Site)
	open := remembered.Open()
	counted := map[int64]bool{}
	raw := 0
	count := func(kind linked.Kind, id int64) {
		if !counted[id] {
			record, _ := open.Get(kind, id)
			raw += len(record)
		}
		counted[id] = true
	}
	for _, e := range page.Items {
		for i := range e.Venues {
			count(linked.Venue, e.Venues[i].ID)
		}
		for i := range e.Organizers {
			count(linked.Organizer, e.Organizers[i].ID)
		}
		for _, terms := range [][]calendar.Term{e.Categories, e.Tags} {
			for i := range terms {
				count(linked.Term, terms[i].ID)
			}
		}
	}
	if raw == 0 || remembered.Weight() > raw/2 {
		t.Errorf("%d records of %d bytes weigh %d", len(counted), raw, remembered.Weight())
	}
}
