package events

import (
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
)

const eventsAlike = `
	SELECT e.id,
	       e.title,
	       o.start_local,
	       ARRAY(
			SELECT v.name
			FROM event_venues l
			JOIN venues v ON v.site_id = $1 AND v.id = l.venue_id
			WHERE l.site_id = $1
			  AND l.event_id = e.id)
	FROM occurrences o
	JOIN events e ON e.site_id = $1 AND e.id = o.event_id
	WHERE o.site_id = $1
	  AND o.start_local = ANY($2)
	  AND e.title = ANY($3)
	  AND e.status <> 'trash'`

// seriesAlike are the series among them, which begin at one of the starts whether
// or not they happen then.
const seriesAlike = `
	SELECT e.id,
	       e.title,
	       e.start_local,
	       ARRAY(
			SELECT v.name
			FROM event_venues l
			JOIN venues v ON v.site_id = $1 AND v.id = l.venue_id
			WHERE l.site_id = $1
			  AND l.event_id = e.id)
	FROM events e
	WHERE e.site_id = $1
	  AND e.rules IS NOT NULL
	  AND e.start_local = ANY($2)
	  AND e.title = ANY($3)
	  AND e.status <> 'trash'`

// uidsTaken looks up each UID by its key, whatever Postgres takes the site to have.
const uidsTaken = `
	SELECT u.uid
	FROM unnest($2::text[]) u (uid)
	WHERE EXISTS (
	    SELECT
	    FROM events e
	    WHERE e.site_id = $1
	      AND e.uid = u.uid
	      AND e.uid <> ''
	    OFFSET 0)`

// queueLookups asks for everything that the events name, each thing once.
func (b *intake) queueLookups(q *pgx.Batch, list []calendar.EventImport) {
	starts, titles := make([]time.Time, 0, len(list)), make([]string, 0, len(list))
	var uids []string
	series := false
	for i := range list {
		e, of := list[i].Event, &list[i].Links
		if !list[i].Anew {
			starts, titles = append(starts, e.Start), append(titles, e.Title)
			series = series || e.Recurring()
		}
		if e.UID != "" {
			uids = append(uids, e.UID)
		}
		b.taken[list[i].Wanted] = false
		b.Slugs.Expect("event", e.Slug)
		b.venues.Expect(b.Tx, of.Venues)
		b.organizers.Expect(b.Tx, of.Organizers)
		b.categories.expect(of.Categories)
		b.tags.expect(of.Tags)
		if e.Image != nil && e.Image.ID != 0 && e.Image.Key == "" && b.images[e.Image.ID] == nil {
			b.LookUpImage(q, e.Image.ID, func(i *calendar.Image) { b.images[i.ID] = i })
		}
	}
	if len(starts) > 0 {
		b.queueAlike(q, eventsAlike, starts, titles, false)
	}
	if series {
		b.queueAlike(q, seriesAlike, starts, titles, true)
	}
	if len(uids) > 0 {
		q.Queue(uidsTaken, b.Site, uids).Query(func(rows pgx.Rows) error {
			var uid string
			_, err := pgx.ForEachRow(rows, []any{&uid}, func() error { b.uids[uid] = true; return nil })
			return err
		})
	}
	b.LookUpTaken(q, content.TakenPosts, b.taken)
	b.venues.Queue(b.Tx, q)
	b.organizers.Queue(b.Tx, q)
	b.categories.queue(q, b.Site)
	b.tags.queue(q, b.Site)
	b.Slugs.Queue(q, b.Site)
}

// queueAlike reads which of the events are there.
func (b *intake) queueAlike(q *pgx.Batch, statement string, starts []time.Time, titles []string, series bool) {
	q.Queue(statement, b.Site, starts, titles).Query(func(rows pgx.Rows) error {
		var id int64
		var title string
		var start time.Time
		var venues []string
		_, err := pgx.ForEachRow(rows, []any{&id, &title, &start, &venues}, func() error {
			if len(venues) == 0 {
				venues = []string{""}
			}
			for _, venue := range venues {
				b.have[calendar.NewImportKey(title, start, venue, series)] = id
			}
			return nil
		})
		return err
	})
}
