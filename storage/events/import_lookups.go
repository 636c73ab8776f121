package events

import (
	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

// uidsTaken looks up each UID by its key, even if Postgres underestimates the size of the site.
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

// queueLookups looks up everything that the events name, each item once.
func (b *intake) queueLookups(q *pgx.Batch, list []calendar.EventImport) {
	var uids []string
	for i := range list {
		e, of := list[i].Event, &list[i].Links
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
	if len(uids) > 0 {
		var taken string
		q.Queue(uidsTaken, b.Site, uids).Query(pg.Each([]any{&taken}, func() error { b.uids[taken] = true; return nil }))
	}
	b.LookUpTaken(q, content.TakenPosts, b.taken)
	b.venues.Queue(b.Tx, q)
	b.organizers.Queue(b.Tx, q)
	b.categories.queue(q, b.Site)
	b.tags.queue(q, b.Site)
	b.Slugs.Queue(q, b.Site)
}
