package events

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/places"
)

// intake holds the items that an import has read from the site or created so far.
type intake struct {
	*content.Tx
	uids       map[string]bool // UIDs that exist on the site
	venues     *places.Import[calendar.Venue]
	organizers *places.Import[calendar.Organizer]
	categories named
	tags       named
	images     map[int64]*calendar.Image
	taken      map[int64]bool // requested ids that already exist
	together   *together
}

// ImportWithin creates events as part of a transaction, with all new items that they link to, and returns the
// events' ids. It looks up all items that the events name in one batch.
func ImportWithin(ctx context.Context, t *content.Tx, list []calendar.EventImport) ([]int64, error) {
	t.Slugs = content.NewSlugs()
	b := &intake{Tx: t, uids: map[string]bool{}, images: map[int64]*calendar.Image{}, taken: map[int64]bool{}, together: newTogether(t),
		venues: places.NewImport(places.Venues), organizers: places.NewImport(places.Organizers),
		categories: named{taxonomy: calendar.Categories}, tags: named{taxonomy: calendar.Tags}}
	lookups := &pgx.Batch{}
	b.queueLookups(lookups, list)
	if err := t.Send(ctx, lookups); err != nil {
		return nil, err
	}
	ids := make([]int64, 0, len(list))
	for i := range list {
		id, err := b.add(ctx, &list[i])
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	b.together.queue()
	return ids, nil
}

// CreateMany implements calendar.EventStore.
func (s Store) CreateMany(ctx context.Context, list []calendar.EventImport) (ids []int64, version int64, err error) {
	err = s.db.Write(ctx, func(ctx context.Context, t *content.Tx) (err error) {
		version = t.Version
		ids, err = ImportWithin(ctx, t, list)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	return ids, version, nil
}

// add stores an event and returns its id.
func (b *intake) add(ctx context.Context, row *calendar.EventImport) (int64, error) {
	e := *row.Event // a rollback leaves the caller's event unchanged
	e.Venues, e.Organizers, e.Categories, e.Tags = nil, nil, nil, nil
	if row.Wanted != 0 && !b.taken[row.Wanted] {
		e.ID = row.Wanted
	}
	e.ID = b.PostID(e.ID)
	if b.uids[e.UID] {
		e.UID = ""
	}
	b.uids[e.UID] = e.UID != ""
	if err := b.slug(ctx, &e); err != nil {
		return 0, err
	}
	for _, slug := range row.Former {
		if slug != e.Slug && slug != calendar.FormerID(e.ID) {
			b.Redirect("event", slug, e.ID)
		}
	}
	stamp(b.Tx, &calendar.Event{}, &e)
	if err := b.SettleTexts(ctx, "event", e.ID, content.Worded{}, content.WordedPost(&e.Post)); err != nil {
		return 0, err
	}
	if err := b.resolve(ctx, &e, row.Links); err != nil {
		return 0, err
	}
	if e.Recurring() {
		return e.ID, storeTimetable(b.Tx, &calendar.Event{}, &e, &timetable{}, &calendar.EventLinks{})
	}
	b.together.write(&calendar.Event{}, &e)
	return e.ID, nil
}

// slug makes the slug unique. Drafts and pending events may have none.
func (b *intake) slug(ctx context.Context, e *calendar.Event) (err error) {
	if e.Slug == "" && e.Status != calendar.Draft && e.Status != calendar.Pending {
		e.Slug = strconv.FormatInt(e.ID, 10)
	}
	if e.Slug != "" {
		e.Slug, err = b.FreeSlug(ctx, "event", e.ID, e.Slug)
	}
	return err
}

// resolve replaces the event's links with the items that were found, and creates the missing ones.
func (b *intake) resolve(ctx context.Context, e *calendar.Event, of calendar.EventLinks) (err error) {
	l := &links{}
	if e.Image != nil {
		l.image = b.images[e.Image.ID]
	}
	if err = l.resolveImage(ctx, b.Tx, e); err != nil {
		return err
	}
	if of.Venues != nil {
		e.Venues, err = b.venues.Settle(ctx, b.Tx, *of.Venues)
	}
	if of.Organizers != nil && err == nil {
		e.Organizers, err = b.organizers.Settle(ctx, b.Tx, *of.Organizers)
	}
	if of.Categories != nil && err == nil {
		e.Categories, err = b.categories.resolve(ctx, b.Tx, of.Categories)
	}
	if of.Tags != nil && err == nil {
		e.Tags, err = b.tags.resolve(ctx, b.Tx, of.Tags)
	}
	return err
}
