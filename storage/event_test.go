package storage

import (
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
)

// full is an event that has everything.
func full(e *calendar.Event) {
	price, at := 12.5, monday.Add(time.Hour)
	e.Description, e.Excerpt = "<p>Über <b>uns</b></p>", "<p>kurz</p>"
	e.AllDay, e.ShowMap, e.ShowMapLink, e.Sticky, e.Featured = true, true, true, true, true
	e.Cost, e.Website = []string{"5", "10 €"}, "https://example.org/"
	e.Password = []byte{0, 1, 2}
	e.Tickets = []calendar.Ticket{{Name: "Front", Price: &price, Currency: "EUR", Available: &at}}
	e.Image = &calendar.Image{
		Key: "k1", File: "a.png", MIME: "image/png", Extension: "png", Width: 8, Height: 9, Bytes: 10, Alt: "a",
		Source: "https://example.org/a.png", Author: 2, Created: monday,
		Sizes: []calendar.ImageSize{{Name: "thumbnail", File: "a-150.png", MIME: "image/png", Width: 1, Height: 2, Bytes: 3}},
	}
}

func fullLinks() calendar.EventLinks {
	hall := venue("Hall")
	lat, lng := 48.1, 11.5
	hall.GeoLat, hall.GeoLng, hall.City, hall.ShowMap = &lat, &lng, "Munich", true
	hall.Image = &calendar.Image{Key: "k2", File: "b.png", MIME: "image/png", Extension: "png", Created: monday}
	links := venueLinks(hall, venue("Yard"))
	links.Organizers = organizerLinks(organizer("Zoe"), organizer("Ann")).Organizers
	links.Categories, links.Tags = termLinks("Music", "Jazz"), termLinks("open air")
	return links
}

func TestEventReadsAsWritten(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.create(k.sample(full), fullLinks())
	if e.ID == 0 || e.Version != 1 || len(e.Venues) != 2 || len(e.Organizers) != 2 || len(e.Categories) != 2 || e.Tags[0].Count != 0 { // a password protects it
		t.Errorf("created %+v", e)
	}
	byID, err := k.db.Events().Get(k.ctx, calendar.Key{ID: e.ID})
	k.must(err)
	k.equal("by id", byID, e)
	bySlug, err := k.db.Events().Get(k.ctx, calendar.Key{Slug: e.Slug})
	k.must(err)
	k.equal("by slug", bySlug, e)
	page := k.list(calendar.EventQuery{})
	k.equal("listed", page, calendar.Page[calendar.Event]{Items: []*calendar.Event{e}, Total: 1, Version: 1})
	updated, err := k.db.Events().Update(k.ctx, calendar.Key{ID: e.ID}, func(*calendar.Event) (calendar.EventLinks, error) {
		return calendar.EventLinks{}, nil
	})
	k.must(err)
	e.Version, e.Modified = 2, updated.Modified
	k.equal("updated", updated, e)
	gone, err := k.db.Events().Delete(k.ctx, calendar.Key{ID: e.ID}, func(*calendar.Event) error { return nil })
	k.must(err)
	k.equal("deleted", gone, e)
	_, err = k.db.Events().Get(k.ctx, calendar.Key{ID: e.ID})
	k.wants(err, calendar.ErrNotFound)
}
