package storage

import (
	"context"
	"strings"

	"github.com/kalends/kalends/calendar"
)

// places are the venues or organizers that an import names: those of the site,
// and those it has made.
type places[T any] struct {
	byID   map[int64]T
	byName map[string][]*T
}

func newPlaces[T any]() places[T] {
	return places[T]{byID: map[int64]T{}, byName: map[string][]*T{}}
}

// keep notes an item under its name.
func (p places[T]) keep(name string, item *T) {
	key := strings.ToLower(name)
	p.byName[key] = append(p.byName[key], item)
}

// find returns the first of a name that a link is the same as, or nil.
func (p places[T]) find(link calendar.Link[T], name string) *T {
	if link.Same == nil {
		return nil
	}
	for _, one := range p.byName[strings.ToLower(name)] {
		if link.Same(one) {
			return one
		}
	}
	return nil
}

// venue returns what finds or makes the venue of a link, as newVenue does.
func (b *intake) venue(became *calendar.Imported) func(*tx, context.Context, calendar.Link[calendar.Venue]) (*calendar.Venue, bool, error) {
	return func(t *tx, ctx context.Context, link calendar.Link[calendar.Venue]) (*calendar.Venue, bool, error) {
		if found := b.venues.find(link, link.New.Name); found != nil {
			return found, false, nil
		}
		v := *link.New
		image, err := t.enter(ctx, "venue", &v.Post)
		if err != nil {
			return nil, false, err
		}
		t.queue(newVenueRow, venueArgs(t.site, &v, image))
		b.venues.keep(v.Name, &v)
		became.Venues = append(became.Venues, calendar.Link[calendar.Venue]{New: &v, Same: link.Same})
		return &v, true, nil
	}
}

// organizer returns what finds or makes the organizer of a link, as
// newOrganizer does.
func (b *intake) organizer(became *calendar.Imported,
) func(*tx, context.Context, calendar.Link[calendar.Organizer]) (*calendar.Organizer, bool, error) {
	return func(t *tx, ctx context.Context, link calendar.Link[calendar.Organizer]) (*calendar.Organizer, bool, error) {
		if found := b.organizers.find(link, link.New.Name); found != nil {
			return found, false, nil
		}
		o := *link.New
		image, err := t.enter(ctx, "organizer", &o.Post)
		if err != nil {
			return nil, false, err
		}
		t.queue(newOrganizerRow, organizerArgs(t.site, &o, image))
		b.organizers.keep(o.Name, &o)
		became.Organizers = append(became.Organizers, calendar.Link[calendar.Organizer]{New: &o, Same: link.Same})
		return &o, true, nil
	}
}
