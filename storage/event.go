package storage

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// events implements calendar.EventStore.
type events struct{ db *DB }

// Get implements calendar.EventStore.
func (s events) Get(ctx context.Context, key calendar.Key) (*calendar.Event, error) {
	var e *calendar.Event
	err := s.db.read(ctx, func(site int64, b *pgx.Batch) { queueEvent(b, site, key, &e) })
	if err != nil {
		return nil, err
	}
	return e, nil
}

const eventByID = `
	SELECT ` + eventColumns + `
	FROM events e
	WHERE e.site_id = $1
	  AND e.id = $2`

const eventBySlug = `
	SELECT ` + eventColumns + `
	FROM events e
	WHERE e.site_id = $1
	  AND e.slug = $2
	  AND e.slug <> ''`

const otherPost = `
	SELECT EXISTS (SELECT FROM venues v WHERE v.site_id = $1 AND v.id = $2)
	    OR EXISTS (SELECT FROM organizers g WHERE g.site_id = $1 AND g.id = $2)
	    OR EXISTS (SELECT FROM images i WHERE i.site_id = $1 AND i.id = $2)`

// queueEvent reads the event of key into into: ErrNotFound, or ErrWrongType when
// the id is that of something else.
func queueEvent(b *pgx.Batch, site int64, key calendar.Key, into **calendar.Event) {
	found := func(rows pgx.Rows) error {
		for rows.Next() {
			f := rowFields(rows)
			if *into = readEvent(f); f.err != nil {
				return f.err
			}
		}
		return rows.Err()
	}
	if key.ID == 0 {
		b.Queue(eventBySlug, site, key.Slug).Query(func(rows pgx.Rows) error {
			if err := found(rows); err != nil || *into != nil {
				return err
			}
			return calendar.ErrNotFound
		})
		return
	}
	b.Queue(eventByID, site, key.ID).Query(found)
	b.Queue(otherPost, site, key.ID).QueryRow(func(row pgx.Row) error {
		var other bool
		if err := row.Scan(&other); err != nil || *into != nil {
			return err
		}
		if other {
			return calendar.ErrWrongType
		}
		return calendar.ErrNotFound
	})
}
