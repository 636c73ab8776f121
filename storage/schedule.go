package storage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// dueAtOnce is how many items of a site one transaction publishes.
const dueAtOnce = 500

// PublishDue publishes all items that are due, on every site that accepts writes, and returns how many items it
// published. If several nodes publish at the same time, the lock of each site's row makes sure that each item is
// published once.
func (db *DB) PublishDue(ctx context.Context, now time.Time) (int, error) {
	total := 0
	for {
		sites, err := db.dueSites(ctx, now)
		if len(sites) == 0 {
			return total, err
		}
		problems := []error{err} // even then, it publishes on the sites that were found
		for _, site := range sites {
			n, err := db.publishSite(ctx, site, now)
			total += n
			if err != nil {
				problems = append(problems, fmt.Errorf("publish scheduled items of site %d: %w", site, err))
			}
		}
		if err := errors.Join(problems...); err != nil {
			return total, err
		}
	}
}

const sitesDue = `
	SELECT DISTINCT d.site_id
	FROM schedule d
	JOIN sites s ON s.id = d.site_id
	WHERE d.due_at <= $1
	  AND s.state = 'active'
	LIMIT 100`

// dueSites returns sites with something to publish. If there is an error, it still returns the sites that were found.
func (db *DB) dueSites(ctx context.Context, now time.Time) ([]int64, error) {
	var sites []int64
	err := db.Everywhere(ctx, "what is due now, of 100 sites of a shard at most, by an index, once a node and turn", sitesDue, []any{now},
		pg.More(&sites, pgx.RowTo[int64]))
	return sites, err
}

// publishSite publishes a site's due items in one transaction, and stores more dates of its series.
func (db *DB) publishSite(ctx context.Context, site int64, now time.Time) (n int, err error) {
	err = db.WriteTo(ctx, site, tenancy.Source{Via: tenancy.ViaSchedule}, func(ctx context.Context, t *content.Tx) error {
		n = 0
		b := &pgx.Batch{}
		queuePublish(t, b, now)
		if err := t.Send(ctx, b); err != nil {
			return err
		}
		n = len(t.Changes())
		recount(t)
		extended, err := events.ExtendSeries(ctx, t, now)
		n += extended
		return err
	})
	return n, err
}

const publishDue = `
	WITH due AS (
		DELETE FROM schedule d
		USING (
			SELECT kind, id
			FROM schedule
			WHERE site_id = $1
			  AND due_at <= $2
			  AND kind <> 'series'
			ORDER BY due_at, kind, id
			LIMIT $3
			FOR UPDATE SKIP LOCKED
		) first
		WHERE d.site_id = $1
		  AND d.kind = first.kind
		  AND d.id = first.id
		RETURNING d.kind, d.id
	), published_events AS (
		UPDATE events e
		SET status = 'publish',
		    version = $4
		FROM due
		WHERE e.site_id = $1
		  AND e.id = due.id
		  AND due.kind = 'event'
		  AND e.status = 'future'
		RETURNING e.id, e.hidden
	), published_exceptions AS (
		UPDATE events e
		SET status = 'publish',
		    version = $4
		FROM due
		WHERE e.site_id = $1
		  AND e.series_id = due.id
		  AND due.kind = 'event'
		  AND e.status = 'future'
		RETURNING e.id, e.hidden
	), published_venues AS (
		UPDATE venues v
		SET status = 'publish',
		    version = $4
		FROM due
		WHERE v.site_id = $1
		  AND v.id = due.id
		  AND due.kind = 'venue'
		  AND v.status = 'future'
		RETURNING v.id
	), published_organizers AS (
		UPDATE organizers g
		SET status = 'publish',
		    version = $4
		FROM due
		WHERE g.site_id = $1
		  AND g.id = due.id
		  AND due.kind = 'organizer'
		  AND g.status = 'future'
		RETURNING g.id
	), listed AS (
		UPDATE occurrences o
		SET listed = true
		FROM (SELECT id, hidden FROM published_events UNION ALL SELECT id, hidden FROM published_exceptions) p
		WHERE o.site_id = $1
		  AND o.event_id = p.id
		  AND NOT p.hidden
	)
	SELECT 'event' AS kind, id FROM published_events
	UNION ALL
	SELECT 'venue', id FROM published_venues
	UNION ALL
	SELECT 'organizer', id FROM published_organizers`

// queuePublish changes due items from future to publish, and keeps the planned time as the time of publication.
func queuePublish(t *content.Tx, b *pgx.Batch, now time.Time) {
	var kind string
	var id int64
	b.Queue(publishDue, t.Site, now, dueAtOnce, t.Version).Query(pg.Each([]any{&kind, &id}, func() error {
		t.Log(kind, id, "publish", pg.Document{"status": string(calendar.Future)})
		t.Linked = true // counts of terms
		return nil
	}))
}

// recountDue recounts the events of the terms of the events $2 and of their dates.
var recountDue = pg.RecountTerms(`t.id IN (
		SELECT x.term_id
		FROM events e
		JOIN event_terms x ON x.site_id = $1 AND x.event_id = e.id
		WHERE e.site_id = $1
		  AND (e.id = ANY ($2) OR e.series_id = ANY ($2)))`)

// recount counts the events of terms again if some of their events were published.
func recount(t *content.Tx) {
	var published []int64
	for _, c := range t.Changes() {
		if c.Kind == "event" {
			published = append(published, c.ID)
		}
	}
	if len(published) > 0 {
		t.Queue(recountDue, t.Site, published)
	}
}
