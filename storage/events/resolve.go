package events

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/places"
	"github.com/kalends/kalends/storage/terms"
)

// links are the links of an event that is written, found or newly created.
type links struct {
	of         calendar.EventLinks
	venues     map[int64]calendar.Venue
	organizers map[int64]calendar.Organizer
	categories []calendar.Term // the categories that the refs may mean
	tags       []calendar.Term
	image      *calendar.Image
}

// queueLinks looks up all items that the write names. It creates nothing yet.
func queueLinks(t *content.Tx, b *pgx.Batch, e *calendar.Event, of calendar.EventLinks) *links {
	l := &links{of: of, venues: map[int64]calendar.Venue{}, organizers: map[int64]calendar.Organizer{}}
	if of.Venues != nil {
		places.Venues.LookUp(t, b, *of.Venues, l.venues)
	}
	if of.Organizers != nil {
		places.Organizers.LookUp(t, b, *of.Organizers, l.organizers)
	}
	if of.Categories != nil {
		terms.LookUp(t, b, calendar.Categories, of.Categories, &l.categories)
	}
	if of.Tags != nil {
		terms.LookUp(t, b, calendar.Tags, of.Tags, &l.tags)
	}
	if i := e.Image; i != nil && i.ID != 0 && i.Key == "" {
		t.LookUpImage(b, i.ID, func(i *calendar.Image) { l.image = i })
	}
	return l
}

// resolve replaces the event's links with the items that were found, and creates the missing ones.
func (l *links) resolve(ctx context.Context, t *content.Tx, e *calendar.Event) (err error) {
	if err = l.resolveImage(ctx, t, e); err != nil {
		return err
	}
	if l.of.Venues != nil {
		e.Venues, err = places.Venues.Settle(ctx, t, *l.of.Venues, l.venues)
	}
	if l.of.Organizers != nil && err == nil {
		e.Organizers, err = places.Organizers.Settle(ctx, t, *l.of.Organizers, l.organizers)
	}
	if l.of.Categories != nil && err == nil {
		e.Categories, err = terms.Settle(ctx, t, calendar.Categories, l.of.Categories, l.categories)
	}
	if l.of.Tags != nil && err == nil {
		e.Tags, err = terms.Settle(ctx, t, calendar.Tags, l.of.Tags, l.tags)
	}
	return err
}

// resolveImage sets the event's picture to the stored one with its id, or stores a new picture.
func (l *links) resolveImage(ctx context.Context, t *content.Tx, e *calendar.Event) error {
	switch {
	case e.Image == nil || e.Image.ID != 0 && e.Image.Key != "":
		return nil
	case e.Image.ID == 0:
		image := *e.Image // the caller's image stays unchanged after a rollback
		e.Image = &image
		return t.InsertImage(ctx, &image)
	case l.image == nil:
		return args.Invalid("image", "problem.image.unknown", nil)
	}
	e.Image = l.image
	return nil
}
