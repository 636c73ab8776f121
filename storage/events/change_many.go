package events

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
)

const eventsByID = `
	FROM events e` + withNoDay + `
	WHERE e.site_id = $1
	  AND e.id = ANY($2)`

// changing is an event that ChangeWithin is about to change.
type changing struct {
	was   calendar.Event
	event *calendar.Event
	links *links
}

// ChangeWithin changes events as part of a transaction. It calls change with each event that exists, and with nil for the
// others. An event for which change returns an error stays as it is. Slugs and links of all events are looked up together.
func ChangeWithin(ctx context.Context, t *content.Tx, ids []int64,
	change func(id int64, e *calendar.Event) (calendar.EventLinks, error)) error {
	if len(ids) == 0 {
		return nil
	}
	if t.Slugs == nil {
		t.Slugs = content.NewSlugs()
	}
	there := map[int64]*calendar.Event{}
	b := &pgx.Batch{}
	b.Queue(Whole+eventsByID, t.Site, ids).Query(EachWhole(&Linked{Fresh: t.Seen}, func(e *calendar.Event, _ int64) { there[e.ID] = e }))
	if err := t.Send(ctx, b); err != nil {
		return err
	}
	var list []*changing
	lookups := &pgx.Batch{}
	for _, id := range ids {
		e := there[id]
		if e == nil {
			_, _ = change(id, nil)
			continue
		}
		c := &changing{was: *e, event: e}
		of, err := change(id, e)
		if err != nil {
			continue
		}
		e.ID = c.was.ID
		c.links = queueLinks(t, lookups, e, of)
		if needsSlug(&c.was, e) {
			t.Slugs.Expect("event", e.Slug)
		}
		list = append(list, c)
	}
	t.Slugs.Queue(lookups, t.Site)
	if err := t.Send(ctx, lookups); err != nil {
		return err
	}
	for _, c := range list {
		if e := c.event; needsSlug(&c.was, e) {
			var err error
			if e.Slug, err = t.FreeSlug(ctx, "event", e.ID, e.Slug); err != nil {
				return err
			}
		}
	}
	t.Slugs = nil // translations get their slugs separately
	together := newTogether(t)
	for _, c := range list {
		err := prepareEvent(ctx, t, &c.was, c.event, c.links)
		switch {
		case err != nil:
			return err
		case alone(&c.was) && alone(c.event):
			together.write(&c.was, c.event)
		default:
			if err := storeEvent(ctx, t, &c.was, c.event, &c.links.of); err != nil {
				return err
			}
		}
	}
	together.queue()
	return nil
}

// ChangeMany implements calendar.EventStore.
func (s Store) ChangeMany(ctx context.Context, ids []int64, change func(id int64, e *calendar.Event) (calendar.EventLinks, error),
) (version int64, err error) {
	err = s.db.Write(ctx, func(ctx context.Context, t *content.Tx) error {
		version = 0
		if err := changeMany(ctx, t, ids, change); err != nil {
			return err
		}
		if len(t.Changes()) > 0 {
			version = t.Version
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return version, nil
}

// errLater postpones an event until those that are changed together are done.
var errLater = errors.New("changed later")

// changeMany changes events that happen once with ChangeWithin. Then it changes series and their dates one after
// the other, so that each change sees the results of those before.
func changeMany(ctx context.Context, t *content.Tx, ids []int64,
	change func(id int64, e *calendar.Event) (calendar.EventLinks, error)) error {
	var later []int64
	err := ChangeWithin(ctx, t, ids, func(id int64, e *calendar.Event) (calendar.EventLinks, error) {
		if e == nil || !alone(e) {
			later = append(later, id)
			return calendar.EventLinks{}, errLater
		}
		return change(id, e)
	})
	for _, id := range later {
		if err == nil && t.Queued() > 0 {
			err = t.Flush(ctx)
		}
		if err != nil {
			return err
		}
		e, failed := whole(ctx, t, id)
		if failed != nil {
			return failed
		}
		if e == nil {
			_, _ = change(id, nil)
			continue
		}
		was := *e
		of, refused := change(id, e)
		if refused != nil {
			continue
		}
		e.ID = was.ID
		err = changeEvent(ctx, t, &was, e, of)
	}
	return err
}

// needsSlug reports whether a change gives an event a different slug, which must be unique. Drafts and pending
// events may have no slug, and a date has the slug of its series.
func needsSlug(was, e *calendar.Event) bool {
	return e.Series == nil && e.Slug != was.Slug && (e.Slug != "" || e.Status != calendar.Draft && e.Status != calendar.Pending)
}
