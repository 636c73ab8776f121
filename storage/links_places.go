package storage

import (
	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
)

const venuesByID = `
	SELECT ` + venueRecord + `
	FROM venues p
	LEFT JOIN images i ON i.site_id = p.site_id AND i.id = p.image_id
	WHERE p.site_id = $1
	  AND p.id = ANY($2)`

// queueVenues reads the venues of these ids.
func (t *tx) queueVenues(b *pgx.Batch, ids []int64, into map[int64]calendar.Venue) {
	if len(ids) == 0 {
		return
	}
	b.Queue(venuesByID, t.Site, ids).Query(t.eachLink(linked.Venue, func(f *pg.Fields) (int64, int) {
		v := readVenue(f)
		into[v.ID] = v
		return v.ID, 0
	}))
}

const organizersByID = `
	SELECT ` + organizerRecord + `
	FROM organizers p
	LEFT JOIN images i ON i.site_id = p.site_id AND i.id = p.image_id
	WHERE p.site_id = $1
	  AND p.id = ANY($2)`

// queueOrganizers reads the organizers of these ids.
func (t *tx) queueOrganizers(b *pgx.Batch, ids []int64, into map[int64]calendar.Organizer) {
	if len(ids) == 0 {
		return
	}
	b.Queue(organizersByID, t.Site, ids).Query(t.eachLink(linked.Organizer, func(f *pg.Fields) (int64, int) {
		o := readOrganizer(f)
		into[o.ID] = o
		return o.ID, 0
	}))
}

const knownImage = `
	SELECT ` + imageRecord + `
	FROM images i
	WHERE i.site_id = $1
	  AND i.id = $2`

// queueKnownImage reads an image, nil when there is none.
func (t *tx) queueKnownImage(b *pgx.Batch, id int64, into **calendar.Image) {
	b.Queue(knownImage, t.Site, id).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			f := pg.RowFields(rows)
			if *into = readImage(f); f.Err() != nil {
				return f.Err()
			}
		}
		return rows.Err()
	})
}

// eachLink reads rows of one linked record and keeps them to be remembered. read
// returns the id, and how many events a term has.
func (t *tx) eachLink(kind linked.Kind, read func(*pg.Fields) (id int64, events int)) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		for rows.Next() {
			f := pg.RowFields(rows)
			raw := f.Peek()
			f.Record(func(f *pg.Fields) {
				id, events := read(f)
				t.seen.Add(kind, id, raw, events)
			})
			if f.Err() != nil {
				return f.Err()
			}
		}
		return rows.Err()
	}
}

// eachRecord reads rows of one record.
func eachRecord(read func(*pg.Fields)) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		for rows.Next() {
			f := pg.RowFields(rows)
			if f.Record(read); f.Err() != nil {
				return f.Err()
			}
		}
		return rows.Err()
	}
}
