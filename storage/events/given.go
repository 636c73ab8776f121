package events

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// useGiven makes sure that an event from another site does not count towards this site's limits.
func useGiven(t *content.Tx, e *calendar.Event, by int64) {
	if e.Elsewhere != nil {
		t.Use(tenancy.Usage{Events: by})
	}
}

// Withdraw implements calendar.EventStore.
func (s Store) Withdraw(ctx context.Context, ids []int64) (calendar.Orphans, error) {
	const dates = `
		SELECT id
		FROM events
		WHERE site_id = $1
		  AND series_id = ANY($2)`
	const identities = `
		DELETE FROM import_identities
		WHERE site_id = $1
		  AND event_id = ANY($2)`
	const others = `
		UPDATE sources w
		SET digest = NULL,
		    next_at = LEAST(w.next_at, $3)
		WHERE w.site_id = $1
		  AND w.kind = 'site'
		  AND w.known IN (
		      SELECT i.source
		      FROM import_identities i
		      WHERE i.site_id = $1
		        AND i.event_id = ANY($2))`
	const entries = `
		DELETE FROM import_entries
		WHERE site_id = $1
		  AND event_id = ANY($2)`
	const redirects = `
		DELETE FROM redirects
		WHERE site_id = $1
		  AND kind = 'event'
		  AND id = ANY($2)`
	var linked calendar.Orphans
	err := s.db.Write(ctx, func(ctx context.Context, t *content.Tx) error {
		var list []*calendar.Event
		var all []int64
		linked = calendar.Orphans{}
		b := &pgx.Batch{}
		b.Queue(Whole+eventsByID, t.Site, ids).Query(EachWhole(&Linked{Fresh: t.Seen}, func(e *calendar.Event, _ int64) {
			list = append(list, e)
		}))
		b.Queue(dates, t.Site, ids).Query(pg.All(&all, pgx.RowTo[int64]))
		if err := t.Send(ctx, b); err != nil {
			return err
		}
		for _, e := range list {
			if e.Elsewhere == nil {
				continue
			}
			all = append(all, e.ID)
			for i := range e.Venues {
				linked.Venues = append(linked.Venues, e.Venues[i].ID)
			}
			for i := range e.Organizers {
				linked.Organizers = append(linked.Organizers, e.Organizers[i].ID)
			}
			if e.Image != nil {
				linked.Images = append(linked.Images, e.Image.ID)
			}
			uncount(t, e)
			removeEvent(t, e)
		}
		t.Queue(others, t.Site, all, t.Now)
		t.Queue(identities, t.Site, all)
		t.Queue(entries, t.Site, all)
		t.Queue(redirects, t.Site, all)
		t.Queue(eraseGiven, all)
		return nil
	})
	if err != nil {
		return linked, err
	}
	return s.unused(ctx, linked)
}

// unused returns which of the items in linked were created by imports from sources and have no events any more.
func (s Store) unused(ctx context.Context, linked calendar.Orphans) (left calendar.Orphans, err error) {
	const came = `
		  AND EXISTS (
		      SELECT
		      FROM import_made m
		      JOIN imports i ON i.site_id = $1 AND i.id = m.import_id AND i.source_id <> 0
		      WHERE m.site_id = $1
		        AND m.id = p.id
		        AND m.kind = `
	const venues = `
		SELECT p.id
		FROM venues p
		WHERE p.site_id = $1
		  AND p.id = ANY($2)
		  AND NOT EXISTS (SELECT FROM event_venues x WHERE x.site_id = $1 AND x.venue_id = p.id)` + came + `'venue')`
	const organizers = `
		SELECT p.id
		FROM organizers p
		WHERE p.site_id = $1
		  AND p.id = ANY($2)
		  AND NOT EXISTS (SELECT FROM event_organizers x WHERE x.site_id = $1 AND x.organizer_id = p.id)` + came + `'organizer')`
	const images = `
		SELECT p.id
		FROM images p
		WHERE p.site_id = $1
		  AND p.id = ANY($2)
		  AND p.source <> ''`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(venues, site, linked.Venues).Query(pg.All(&left.Venues, pgx.RowTo[int64]))
		b.Queue(organizers, site, linked.Organizers).Query(pg.All(&left.Organizers, pgx.RowTo[int64]))
		b.Queue(images, site, linked.Images).Query(pg.All(&left.Images, pgx.RowTo[int64]))
	})
	return left, err
}

const eraseGiven = `SELECT erase_given($1)`

// Erase implements calendar.EventStore.
func (s Store) Erase(ctx context.Context, ids []int64) error {
	return s.db.WriteUnversioned(ctx, func(_ int64, b *pgx.Batch) { b.Queue(eraseGiven, ids) })
}
