package events

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/tenancy"
)

// useGiven has an event that another site gives not count as one that the site holds.
func useGiven(t *content.Tx, e *calendar.Event, by int64) {
	if e.Elsewhere != nil {
		t.Use(tenancy.Usage{Events: by})
	}
}

// Withdraw implements calendar.EventStore.
func (s Store) Withdraw(ctx context.Context, ids []int64) error {
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
		    next_at = COALESCE(w.next_at, $3)
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
	const history = `SELECT erase_given($1)`
	return s.db.Write(ctx, func(ctx context.Context, t *content.Tx) error {
		var list []*calendar.Event
		var all []int64
		b := &pgx.Batch{}
		b.Queue(Whole+eventsByID, t.Site, ids).Query(EachWhole(&Linked{Fresh: t.Seen}, func(e *calendar.Event, _ int64) { list = append(list, e) }))
		b.Queue(dates, t.Site, ids).Query(func(rows pgx.Rows) (err error) {
			all, err = pgx.CollectRows(rows, pgx.RowTo[int64])
			return err
		})
		if err := t.Send(ctx, b); err != nil {
			return err
		}
		for _, e := range list {
			if e.Elsewhere == nil {
				continue
			}
			all = append(all, e.ID)
			uncount(t, e)
			removeEvent(t, e)
		}
		t.Queue(others, t.Site, all, t.Now)
		t.Queue(identities, t.Site, all)
		t.Queue(entries, t.Site, all)
		t.Queue(redirects, t.Site, all)
		t.Queue(history, all)
		return nil
	})
}
