package events

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
)

// Update implements calendar.EventStore.
func (s Store) Update(ctx context.Context, key calendar.Key, change func(*calendar.Event) (calendar.EventLinks, error),
) (*calendar.Event, error) {
	var counts map[int64]int
	var atOnce *calendar.Event
	quick := func(site int64) (done bool, err error) {
		atOnce, done, err = s.UpdateAtOnce(ctx, site, key.ID, change)
		return done, err
	}
	e, err := s.alter(ctx, key, quick, func(ctx context.Context, t *content.Tx, e *calendar.Event) error {
		was := *e
		of, err := change(e)
		if err != nil {
			return err
		}
		e.ID, counts = was.ID, t.Counts
		return changeEvent(ctx, t, &was, e, of)
	})
	switch {
	case err != nil:
		return nil, err
	case atOnce != nil:
		return atOnce, nil
	}
	setCounts(e, counts)
	return e, nil
}

// Delete implements calendar.EventStore.
func (s Store) Delete(ctx context.Context, key calendar.Key, check func(*calendar.Event) error) (*calendar.Event, error) {
	return s.alter(ctx, key, nil, func(_ context.Context, t *content.Tx, e *calendar.Event) error {
		if err := check(e); err != nil {
			return err
		}
		uncount(t, e)
		removeEvent(t, e)
		return nil
	})
}

// alter runs do on an event as the transaction sees it. The site's lock keeps the event unchanged until the commit.
// Its links come from memory if the remembered version is still current. If quick is set and the change does not
// share its transaction, alter tries quick first. If quick has done everything, alter returns no event.
func (s Store) alter(ctx context.Context, key calendar.Key, quick func(site int64) (bool, error),
	do func(context.Context, *content.Tx, *calendar.Event) error,
) (*calendar.Event, error) {
	key = content.InLanguages(ctx, key)
	var e *calendar.Event
	var whole bool
	look := func(t *content.Tx, b *pgx.Batch) {
		e = nil // forget the previous attempt
		remembered := s.db.Links.Of(t.Site)
		links := NewLinked(remembered)
		if remembered == nil {
			links.Fresh = t.Seen
		}
		queueEvent(b, t.Site, key, links, func(found *calendar.Event, version int64) {
			e, whole = found, links.Whole(version)
		})
	}
	err := s.db.Change(ctx, key.ID, quick, look, func(ctx context.Context, t *content.Tx) error {
		if e == nil {
			return absent(ctx, t, key.ID)
		}
		if !whole {
			b := &pgx.Batch{}
			queueEvent(b, t.Site, key, &Linked{Fresh: t.Seen}, func(found *calendar.Event, _ int64) { e = found })
			if err := t.Send(ctx, b); err != nil {
				return err
			}
		}
		return do(ctx, t, e)
	})
	if err != nil {
		return nil, err
	}
	return e, nil
}

// changeEvent stores e in place of the event was.
func changeEvent(ctx context.Context, t *content.Tx, was, e *calendar.Event, of calendar.EventLinks) error {
	lookups := &pgx.Batch{}
	links := queueLinks(t, lookups, e, of)
	queueEventSlug(t, lookups, was, e)
	if lookups.Len() > 0 {
		if err := t.Send(ctx, lookups); err != nil {
			return err
		}
	}
	return resolveAndStore(ctx, t, was, e, links)
}

// resolveAndStore resolves the links of an event and stores it. The links must have been looked up.
func resolveAndStore(ctx context.Context, t *content.Tx, was, e *calendar.Event, links *links) error {
	if err := prepareEvent(ctx, t, was, e, links); err != nil {
		return err
	}
	return storeEvent(ctx, t, was, e, &links.of)
}

// prepareEvent adds the items that were found to an event that is about to be stored.
func prepareEvent(ctx context.Context, t *content.Tx, was, e *calendar.Event, links *links) error {
	stamp(t, was, e)
	if err := links.resolve(ctx, t, e); err != nil {
		return err
	}
	if e.Series == nil {
		return t.SettleTexts(ctx, "event", e.ID, content.WordedPost(&was.Post), content.WordedPost(&e.Post))
	}
	e.Texts = e.Texts.Stamped(t.Version)
	return nil
}

// stamp sets the version and the dates of a stored event.
func stamp(t *content.Tx, was, e *calendar.Event) {
	e.Version = t.Version
	if e.Date.IsZero() {
		e.Date = t.Now
	}
	if e.Modified.IsZero() || e.Modified.Equal(was.Modified) && t.Now.After(e.Modified) {
		e.Modified = t.Now
	}
	e.Date, e.Modified = e.Date.UTC().Truncate(time.Second), e.Modified.UTC().Truncate(time.Second)
}

// writeEvent queues all differences between was and e, including links.
func writeEvent(t *content.Tx, was, e *calendar.Event) {
	queueEventRow(t, was, e)
	countTerms(t, was, e)
	queueEventLinks(t, was, e)
	writeBeside(t, was, e)
}

// writeBeside queues the changes to the schedule and the history.
func writeBeside(t *content.Tx, was, e *calendar.Event) {
	planEvent(t, was, e)
	if was.ID == 0 {
		t.Log("event", e.ID, "create", nil)
		useGiven(t, e, -1)
		return
	}
	if e.Series == nil {
		t.LeaveSlug("event", &was.Post, &e.Post)
	}
	logEvent(t, was, e, eventAction(was, e), changesOf(was, e))
}

// queueEventSlug makes the slug of an event unique. Drafts and pending events may have none.
func queueEventSlug(t *content.Tx, b *pgx.Batch, was, e *calendar.Event) {
	if e.Series != nil {
		return // it has the slug of its series
	}
	if e.Slug == "" && e.Status != calendar.Draft && e.Status != calendar.Pending {
		e.Slug = strconv.FormatInt(e.ID, 10)
	}
	if e.Slug != "" && e.Slug != was.Slug {
		t.QueueSlug(b, "event", e.ID, e.Slug, &e.Slug)
	}
}

// eventAction names what a change of an event does, for the history.
func eventAction(was, e *calendar.Event) string {
	switch {
	case e.Trashed() && !was.Trashed():
		return "trash"
	case was.Trashed() && !e.Trashed():
		return "restore"
	case e.Status == calendar.Publish && was.Status != calendar.Publish:
		return "publish"
	}
	return "update"
}

// planEvent updates the schedule.
func planEvent(t *content.Tx, was, e *calendar.Event) {
	if e.Series == nil && (was.Status == calendar.Future || e.Status == calendar.Future) {
		t.Schedule("event", &e.Post)
	}
}

const deleteEvent = `
	DELETE FROM events
	WHERE site_id = $1
	  AND id = $2`

const (
	orphanEvents = `
	UPDATE events
	SET parent_id = NULL
	WHERE site_id = $1
	  AND parent_id = $2`
	// IS TRUE makes Postgres hash the dates once, instead of searching them for each event with a parent.
	orphanDates = `
	UPDATE events
	SET parent_id = NULL
	WHERE site_id = $1
	  AND (parent_id IN (SELECT x.id FROM events x WHERE x.site_id = $1 AND x.series_id = $2)) IS TRUE`
)

// queueDelete deletes an event. Events whose parent was this event or one of its dates lose their parent.
func queueDelete(t *content.Tx, id int64, recurring bool) {
	t.Queue(orphanEvents, t.Site, id)
	if recurring {
		t.Queue(orphanDates, t.Site, id)
	}
	t.Queue(deleteEvent, t.Site, id)
}

// removeEvent deletes an event. The foreign keys delete its occurrences and links.
func removeEvent(t *content.Tx, e *calendar.Event) {
	planEvent(t, e, &calendar.Event{Post: calendar.Post{ID: e.ID}})
	queueDelete(t, e.ID, e.Recurring())
	if e.Recurring() {
		t.Unschedule("series", e.ID)
	}
	t.ForgetSlugs("event", e.ID)
	if e.Elsewhere != nil { // the history keeps no values of an event from another site
		t.Log("event", e.ID, "delete", nil)
		useGiven(t, e, 1)
		return
	}
	t.Log("event", e.ID, "delete", Document(e))
}
