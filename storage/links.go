package storage

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

// links is what an event write links, found or newly made.
type links struct {
	of         calendar.EventLinks
	venues     map[int64]calendar.Venue
	organizers map[int64]calendar.Organizer
	categories []calendar.Term // that the refs may mean
	tags       []calendar.Term
	image      *calendar.Image
}

// queueLinks looks up everything that the write names: nothing yet is made.
func (t *tx) queueLinks(b *pgx.Batch, e *calendar.Event, of calendar.EventLinks) *links {
	l := &links{of: of, venues: map[int64]calendar.Venue{}, organizers: map[int64]calendar.Organizer{}}
	if of.Venues != nil {
		t.queueVenues(b, linkedIDs(*of.Venues), l.venues)
	}
	if of.Organizers != nil {
		t.queueOrganizers(b, linkedIDs(*of.Organizers), l.organizers)
	}
	if of.Categories != nil {
		t.queueTerms(b, calendar.Categories, of.Categories, &l.categories)
	}
	if of.Tags != nil {
		t.queueTerms(b, calendar.Tags, of.Tags, &l.tags)
	}
	if i := e.Image; i != nil && i.ID != 0 && i.Key == "" {
		t.queueKnownImage(b, i.ID, &l.image)
	}
	return l
}

// settle puts what was looked up into the event, and makes what is new.
func (l *links) settle(ctx context.Context, t *tx, e *calendar.Event) (err error) {
	if err = l.settleImage(ctx, t, e); err != nil {
		return err
	}
	if l.of.Venues != nil {
		e.Venues, err = settlePlaces(ctx, t, venueKind, *l.of.Venues, l.venues, venueKind.resolve)
	}
	if l.of.Organizers != nil && err == nil {
		e.Organizers, err = settlePlaces(ctx, t, organizerKind, *l.of.Organizers, l.organizers, organizerKind.resolve)
	}
	if l.of.Categories != nil && err == nil {
		e.Categories, err = t.settleTerms(ctx, calendar.Categories, l.of.Categories, l.categories)
	}
	if l.of.Tags != nil && err == nil {
		e.Tags, err = t.settleTerms(ctx, calendar.Tags, l.of.Tags, l.tags)
	}
	return err
}

// settleImage completes the event's picture, storing it when it is new.
func (l *links) settleImage(ctx context.Context, t *tx, e *calendar.Event) error {
	switch {
	case e.Image == nil || e.Image.ID != 0 && e.Image.Key != "":
		return nil
	case e.Image.ID == 0:
		image := *e.Image // what is rolled back leaves the caller's as it was
		e.Image = &image
		return t.insertImage(ctx, &image)
	case l.image == nil:
		return args.Invalid("image", "problem.image.unknown", nil)
	}
	e.Image = l.image
	return nil
}

// settlePlaces returns the venues or organizers that links name, in their order
// and each once; create finds or makes those without an id.
func settlePlaces[T any](ctx context.Context, t *tx, k *placeKind[T], links []calendar.Link[T], known map[int64]T,
	create func(context.Context, *tx, calendar.Link[T]) (*T, bool, error),
) ([]T, error) {
	var list []T
	seen := map[int64]bool{}
	for _, link := range links {
		item, ok := known[link.ID]
		switch {
		case link.ID == 0:
			made, _, err := create(ctx, t, link)
			if err != nil {
				return nil, args.Within(k.name, t.Failure(err))
			}
			item = *made
		case !ok:
			return nil, args.Invalid(k.name, "problem."+k.name+".unknown", nil)
		}
		if id := k.post(&item).ID; !seen[id] {
			seen[id] = true
			list = append(list, item)
		}
	}
	return list, nil
}

// linkedIDs returns the ids among links.
func linkedIDs[T any](links []calendar.Link[T]) []int64 {
	var ids []int64
	for _, link := range links {
		if link.ID != 0 {
			ids = append(ids, link.ID)
		}
	}
	return ids
}
