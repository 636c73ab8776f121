// Package numbers stores how often events are viewed.
package numbers

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/storage/pg"
)

// Store implements numbers.Store.
type Store struct{ db *pg.DB }

// New returns the store.
func New(db *pg.DB) Store { return Store{db} }

var _ numbers.Store = Store{}

// Add implements numbers.Store. It locks events in the order of their ids, which prevents deadlocks between nodes.
func (s Store) Add(ctx context.Context, day time.Time, own numbers.Counts, events map[int64]numbers.Counts) error {
	const ofEvents = `
		WITH there AS (
			SELECT e.id
			FROM events e
			WHERE e.site_id = $1
			  AND e.id = ANY($3::bigint[])
			ORDER BY e.id
			FOR KEY SHARE
		)
		INSERT INTO event_numbers AS n (site_id, event_id, day, views, calendars, tickets, letters)
		SELECT $1, c.id, $2, c.views, c.calendars, c.tickets, c.letters
		FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[]) c (id, views, calendars, tickets, letters)
		JOIN there t ON t.id = c.id
		ORDER BY c.id
		ON CONFLICT ON CONSTRAINT event_numbers_pkey DO UPDATE
		SET views = n.views + excluded.views,
		    calendars = n.calendars + excluded.calendars,
		    tickets = n.tickets + excluded.tickets,
		    letters = n.letters + excluded.letters
		WHERE n.site_id = excluded.site_id`
	const ofSite = `
		INSERT INTO site_numbers AS n (site_id, day, calendars, letters)
		SELECT s.id, $2, $3::bigint, $4::bigint
		FROM sites s
		WHERE s.id = $1
		ON CONFLICT ON CONSTRAINT site_numbers_pkey DO UPDATE
		SET calendars = n.calendars + excluded.calendars,
		    letters = n.letters + excluded.letters
		WHERE n.site_id = excluded.site_id`
	ids := slices.Sorted(maps.Keys(events))
	var views, calendars, tickets, letters []int64
	for _, id := range ids {
		n := events[id]
		views, calendars = append(views, n.Views), append(calendars, n.Calendars)
		tickets, letters = append(tickets, n.Tickets), append(letters, n.Letters)
	}
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		if len(ids) > 0 {
			b.Queue(ofEvents, site, day, ids, views, calendars, tickets, letters)
		}
		if own != (numbers.Counts{}) {
			b.Queue(ofSite, site, day, own.Calendars, own.Letters)
		}
	})
}

// readDays reads days with their counts.
func readDays(rows pgx.Rows) ([]numbers.Day, error) {
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (d numbers.Day, err error) {
		return d, row.Scan(&d.Day, &d.Views, &d.Calendars, &d.Tickets, &d.Letters)
	})
}

// sums selects the totals of the counts in event_numbers n.
const sums = `
		       sum(n.views)::bigint,
		       sum(n.calendars)::bigint,
		       sum(n.tickets)::bigint,
		       sum(n.letters)::bigint`

// Event implements numbers.Store.
func (s Store) Event(ctx context.Context, id int64, first, last time.Time) (days []numbers.Day, err error) {
	const query = `
		SELECT n.day,` + sums + `
		FROM event_numbers n
		WHERE n.site_id = $1
		  AND n.day BETWEEN $3 AND $4
		  AND n.event_id = $2
		GROUP BY n.day
		ORDER BY n.day`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(query, site, id, first, last).Query(func(rows pgx.Rows) (err error) {
			days, err = readDays(rows)
			return err
		})
	})
	return days, err
}

// Site implements numbers.Store.
func (s Store) Site(ctx context.Context, first, last time.Time, most int) (
	days []numbers.Day, own numbers.Counts, events []numbers.Counted, err error) {
	const byDay = `
		SELECT n.day,` + sums + `
		FROM event_numbers n
		WHERE n.site_id = $1
		  AND n.day BETWEEN $2 AND $3
		GROUP BY n.day
		ORDER BY n.day`
	const ofSite = `
		SELECT COALESCE(sum(n.calendars), 0)::bigint,
		       COALESCE(sum(n.letters), 0)::bigint
		FROM site_numbers n
		WHERE n.site_id = $1
		  AND n.day BETWEEN $2 AND $3`
	const byEvent = `
		SELECT w.id,
		       w.title,
		       t.views,
		       t.calendars,
		       t.tickets,
		       t.letters
		FROM (
		    SELECT n.event_id AS id,
		           sum(n.views)::bigint AS views,
		           sum(n.calendars)::bigint AS calendars,
		           sum(n.tickets)::bigint AS tickets,
		           sum(n.letters)::bigint AS letters
		    FROM event_numbers n
		    WHERE n.site_id = $1
		      AND n.day BETWEEN $2 AND $3
		    GROUP BY 1
		    ORDER BY views DESC, calendars DESC, tickets DESC, letters DESC, id
		    LIMIT $4
		) t
		JOIN events w ON w.site_id = $1 AND w.id = t.id
		ORDER BY t.views DESC, t.calendars DESC, t.tickets DESC, t.letters DESC, t.id`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(byDay, site, first, last).Query(func(rows pgx.Rows) (err error) {
			days, err = readDays(rows)
			return err
		})
		b.Queue(ofSite, site, first, last).QueryRow(pg.One(&own.Calendars, &own.Letters))
		b.Queue(byEvent, site, first, last, most).Query(pg.All(&events, func(row pgx.CollectableRow) (c numbers.Counted, err error) {
			return c, row.Scan(&c.ID, &c.Title, &c.Views, &c.Calendars, &c.Tickets, &c.Letters)
		}))
	})
	return days, own, events, err
}
