package events

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/places"
)

// errRehearsed ends a transaction of which nothing is to stay.
var errRehearsed = errors.New("rehearsed")

// Import implements calendar.EventStore in three round trips: one begins, one
// looks up everything that the events name, one writes.
func (s Store) Import(ctx context.Context, list []calendar.EventImport, rehearsal bool) ([]calendar.Imported, error) {
	var became []calendar.Imported
	err := s.db.Write(ctx, func(ctx context.Context, t *content.Tx) (err error) {
		if became, err = ImportWithin(ctx, t, list); err != nil || !rehearsal {
			return err
		}
		if err = t.Allow(); err != nil {
			return err
		}
		if err = t.Flush(ctx); err == nil {
			err = errRehearsed
		}
		return err
	})
	var said *pgconn.PgError
	switch {
	case err == nil || errors.Is(err, errRehearsed):
		return became, nil
	case errors.As(err, &said) && pg.OfRow(said.Code):
		return nil, fmt.Errorf("%w: %s", calendar.ErrRefused, said.Message)
	}
	return nil, err
}

// intake is what an import knows of the site before it writes anything, and what
// it has made so far.
type intake struct {
	*content.Tx
	have       map[calendar.ImportKey]int64 // id by key
	uids       map[string]bool              // that events have
	venues     *places.Import[calendar.Venue]
	organizers *places.Import[calendar.Organizer]
	categories named
	tags       named
	images     map[int64]*calendar.Image
	taken      map[int64]bool // ids that events want
	rows       [][]any        // of events to be stored
	made       []int64        // their ids
	series     []newSeries
}

// newSeries is a series that the import has made.
type newSeries struct {
	key   calendar.ImportKey
	event *calendar.Event
}

// ImportWithin imports events as part of a transaction, and returns what became of each.
func ImportWithin(ctx context.Context, t *content.Tx, list []calendar.EventImport) ([]calendar.Imported, error) {
	t.Slugs = content.NewSlugs()
	b := &intake{Tx: t, have: map[calendar.ImportKey]int64{}, uids: map[string]bool{}, images: map[int64]*calendar.Image{}, taken: map[int64]bool{},
		venues: places.NewImport(places.Venues), organizers: places.NewImport(places.Organizers),
		categories: named{taxonomy: calendar.Categories}, tags: named{taxonomy: calendar.Tags}}
	lookups := &pgx.Batch{}
	b.queueLookups(lookups, list)
	if err := t.Send(ctx, lookups); err != nil {
		return nil, err
	}
	became := make([]calendar.Imported, 0, len(list))
	for i := range list {
		one, err := b.add(ctx, &list[i])
		if err != nil {
			return nil, err
		}
		became = append(became, one)
	}
	b.queueEvents()
	return became, nil
}

// add stores an event unless it is there.
func (b *intake) add(ctx context.Context, row *calendar.EventImport) (calendar.Imported, error) {
	var became calendar.Imported
	key := row.Key()
	if became.ID = b.there(key, row.Event); became.ID != 0 && !row.Anew {
		became.Exists = true
		return became, nil
	}
	e := *row.Event // what is rolled back leaves the caller's as it was
	e.Venues, e.Organizers, e.Categories, e.Tags = nil, nil, nil, nil
	if row.Wanted != 0 && !b.taken[row.Wanted] {
		e.ID = row.Wanted
	}
	e.ID = b.PostID(e.ID)
	if b.uids[e.UID] {
		e.UID = ""
	}
	b.uids[e.UID] = e.UID != ""
	b.have[key], became.ID = e.ID, e.ID
	if err := b.slug(ctx, &e); err != nil {
		return became, err
	}
	for _, slug := range row.Former {
		if slug != e.Slug && slug != calendar.FormerID(e.ID) {
			b.Redirect("event", slug, e.ID)
		}
	}
	stamp(b.Tx, &calendar.Event{}, &e)
	if err := b.SettleTexts(ctx, "event", e.ID, content.Worded{}, content.WordedPost(&e.Post)); err != nil {
		return became, err
	}
	if err := b.settle(ctx, &e, row.Links, &became); err != nil {
		return became, err
	}
	if e.Recurring() {
		b.series = append(b.series, newSeries{key, &e})
		before := b.More().Occurrences
		err := settleTimetable(b.Tx, &calendar.Event{}, &e, &timetable{}, &calendar.EventLinks{})
		became.Stored = b.More().Occurrences - before
		return became, err
	}
	b.store(&e)
	return became, nil
}

// there returns the id of the event that is the same, or of the series of which it is a
// date; 0 for none.
func (b *intake) there(key calendar.ImportKey, e *calendar.Event) int64 {
	if id := b.have[key]; id != 0 || key.Series {
		return id
	}
	for _, s := range b.series {
		if s.key.Title == key.Title && s.key.Venue == key.Venue && s.event.HappensAt(e.Start) {
			return s.event.ID
		}
	}
	return 0
}

// slug makes the slug unique: drafts and pending events may have none.
func (b *intake) slug(ctx context.Context, e *calendar.Event) (err error) {
	if e.Slug == "" && e.Status != calendar.Draft && e.Status != calendar.Pending {
		e.Slug = strconv.FormatInt(e.ID, 10)
	}
	if e.Slug != "" {
		e.Slug, err = b.FreeSlug(ctx, "event", e.ID, e.Slug)
	}
	return err
}

// settle puts what the links name into the event, and makes what is new.
func (b *intake) settle(ctx context.Context, e *calendar.Event, of calendar.EventLinks, became *calendar.Imported) (err error) {
	l := &links{}
	if e.Image != nil {
		l.image = b.images[e.Image.ID]
	}
	if err = l.settleImage(ctx, b.Tx, e); err != nil {
		return err
	}
	if of.Venues != nil {
		e.Venues, err = b.venues.Settle(ctx, b.Tx, *of.Venues, &became.Venues)
	}
	if of.Organizers != nil && err == nil {
		e.Organizers, err = b.organizers.Settle(ctx, b.Tx, *of.Organizers, &became.Organizers)
	}
	if of.Categories != nil && err == nil {
		e.Categories, err = b.categories.settle(ctx, b.Tx, of.Categories, became)
	}
	if of.Tags != nil && err == nil {
		e.Tags, err = b.tags.settle(ctx, b.Tx, of.Tags, became)
	}
	return err
}
