package storage

import (
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/test/eventtest"
)

// full is an event that has everything.
func full(e *calendar.Event) {
	price, at := 12.5, eventtest.Monday.Add(time.Hour)
	e.Description, e.Excerpt = "<p>Über <b>uns</b></p>", "<p>kurz</p>"
	e.AllDay, e.ShowMap, e.ShowMapLink, e.Sticky, e.Featured = true, true, true, true, true
	e.Cost, e.Website = []string{"5", "10 €"}, "https://example.org/"
	e.Password = []byte{0, 1, 2}
	e.Tickets = []calendar.Ticket{{Name: "Front", Price: &price, Currency: "EUR", Available: &at}}
	e.Image = &calendar.Image{
		Key: "k1", File: "a.png", MIME: "image/png", Extension: "png", Width: 8, Height: 9, Bytes: 10, Alt: "a",
		Source: "https://example.org/a.png", Author: 2, Created: eventtest.Monday,
		Sizes: []calendar.ImageSize{{Name: "thumbnail", File: "a-150.png", MIME: "image/png", Width: 1, Height: 2, Bytes: 3}},
	}
}

func fullLinks() calendar.EventLinks {
	hall := eventtest.Venue("Hall")
	lat, lng := 48.1, 11.5
	hall.GeoLat, hall.GeoLng, hall.City, hall.ShowMap = &lat, &lng, "Munich", true
	hall.Image = &calendar.Image{Key: "k2", File: "b.png", MIME: "image/png", Extension: "png", Created: eventtest.Monday}
	links := eventtest.VenueLinks(hall, eventtest.Venue("Yard"))
	links.Organizers = eventtest.OrganizerLinks(eventtest.Organizer("Zoe"), eventtest.Organizer("Ann")).Organizers
	links.Categories, links.Tags = eventtest.TermLinks("Music", "Jazz"), eventtest.TermLinks("open air")
	return links
}

func TestEventReadsAsWritten(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.Create(k.Sample(full), fullLinks())
	if e.ID == 0 || e.Version != 1 || len(e.Venues) != 2 || len(e.Organizers) != 2 || len(e.Categories) != 2 || e.Tags[0].Count != 0 { // a password protects it
		t.Errorf("created %+v", e)
	}
	byID, err := k.db.Events().Get(k.Ctx, calendar.Key{ID: e.ID})
	k.Must(err)
	k.Equal("by id", byID, e)
	bySlug, err := k.db.Events().Get(k.Ctx, calendar.Key{Slug: e.Slug})
	k.Must(err)
	k.Equal("by slug", bySlug, e)
	page := k.List(calendar.EventQuery{})
	k.Equal("listed", page, calendar.Page[calendar.Event]{Items: []*calendar.Event{e}, Total: 1, Version: 1})
	updated, err := k.db.Events().Update(k.Ctx, calendar.Key{ID: e.ID}, func(*calendar.Event) (calendar.EventLinks, error) {
		return calendar.EventLinks{}, nil
	})
	k.Must(err)
	e.Version, e.Modified = 2, updated.Modified
	k.Equal("updated", updated, e)
	gone, err := k.db.Events().Delete(k.Ctx, calendar.Key{ID: e.ID}, func(*calendar.Event) error { return nil })
	k.Must(err)
	k.Equal("deleted", gone, e)
	_, err = k.db.Events().Get(k.Ctx, calendar.Key{ID: e.ID})
	k.Wants(err, calendar.ErrNotFound)
}
