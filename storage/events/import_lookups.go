package events

import (
	"crypto/md5" //nolint:gosec // the index over names is one of md5
	"encoding/hex"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/places"
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

const uidsTaken = `
	SELECT e.uid
	FROM events e
	WHERE e.site_id = $1
	  AND e.uid = ANY($2)
	  AND e.uid <> ''`

const venuesNamed = `
	SELECT ` + places.VenueRecord + `
	FROM venues p
	LEFT JOIN images i ON i.site_id = p.site_id AND i.id = p.image_id
	WHERE p.site_id = $1
	  AND md5(p.name_key) = ANY($2)
	ORDER BY p.id`

const organizersNamed = `
	SELECT ` + places.OrganizerRecord + `
	FROM organizers p
	LEFT JOIN images i ON i.site_id = p.site_id AND i.id = p.image_id
	WHERE p.site_id = $1
	  AND md5(p.name_key) = ANY($2)
	ORDER BY p.id`

// queueLookups asks for everything that the events name, each thing once.
func (b *intake) queueLookups(q *pgx.Batch, list []calendar.EventImport) {
	starts, titles := make([]time.Time, 0, len(list)), make([]string, 0, len(list))
	var uids []string
	series := false
	venues, organizers := newWanted[calendar.Venue]("venue"), newWanted[calendar.Organizer]("organizer")
	for i := range list {
		e, of := list[i].Event, &list[i].Links
		starts, titles = append(starts, e.Start), append(titles, e.Title)
		series = series || e.Recurring()
		if e.UID != "" {
			uids = append(uids, e.UID)
		}
		b.Slugs.Expect("event", e.Slug)
		venues.add(b.Tx, of.Venues, func(v *calendar.Venue) (string, string) { return v.Name, v.Slug })
		organizers.add(b.Tx, of.Organizers, func(o *calendar.Organizer) (string, string) { return o.Name, o.Slug })
		b.categories.expect(of.Categories)
		b.tags.expect(of.Tags)
		if e.Image != nil && e.Image.ID != 0 && e.Image.Key == "" && b.images[e.Image.ID] == nil {
			b.queueImage(q, e.Image.ID)
		}
	}
	b.queueAlike(q, eventsAlike, starts, titles, false)
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
	places.LookUpVenues(b.Tx, q, venues.ids, b.venues.ByID)
	places.LookUpOrganizers(b.Tx, q, organizers.ids, b.organizers.ByID)
	if len(venues.names) > 0 {
		q.Queue(venuesNamed, b.Site, venues.names).Query(content.ReadRecords(func(f *pg.Fields) {
			v := places.ReadVenue(f)
			b.venues.Keep(v.Name, &v)
		}))
	}
	if len(organizers.names) > 0 {
		q.Queue(organizersNamed, b.Site, organizers.names).Query(content.ReadRecords(func(f *pg.Fields) {
			o := places.ReadOrganizer(f)
			b.organizers.Keep(o.Name, &o)
		}))
	}
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

func (b *intake) queueImage(q *pgx.Batch, id int64) {
	q.Queue(content.KnownImage, b.Site, id).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			f := pg.RowFields(rows)
			if b.images[id] = content.ReadImage(f); f.Err() != nil {
				return f.Err()
			}
		}
		return rows.Err()
	})
}

// wanted are the ids and the hashed names of venues or organizers to look up.
type wanted[T any] struct {
	kind  string
	ids   []int64
	names []string
	seen  map[string]bool
}

func newWanted[T any](kind string) *wanted[T] { return &wanted[T]{kind: kind, seen: map[string]bool{}} }

func (w *wanted[T]) add(t *content.Tx, links *[]calendar.Link[T], of func(*T) (name, slug string)) {
	if links == nil {
		return
	}
	w.ids = append(w.ids, places.LinkedIDs(*links)...)
	for _, link := range *links {
		if link.New == nil {
			continue
		}
		name, slug := of(link.New)
		if key := strings.ToLower(name); !w.seen[key] {
			w.seen[key] = true
			sum := md5.Sum([]byte(key)) //nolint:gosec // as the index
			w.names = append(w.names, hex.EncodeToString(sum[:]))
			t.Slugs.Expect(w.kind, slug)
		}
	}
}
