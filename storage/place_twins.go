package storage

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// Twins implements calendar.PlaceStore. The first line of what is searched is
// the folded name.
func (s venues) Twins(ctx context.Context, most int) ([]*calendar.Venue, error) {
	const twins = `
		WITH named AS (
			SELECT v.id,
			       split_part(v.search, E'\n', 1) AS name,
			       lower(v.city) AS city,
			       count(*) OVER (PARTITION BY split_part(v.search, E'\n', 1), lower(v.city)) AS n
			FROM venues v
			WHERE v.site_id = $1
			  AND v.status <> 'trash'
		)
		SELECT` + venueColumns + `,` + imageColumns + `
		FROM named
		JOIN venues v ON v.site_id = $1 AND v.id = named.id
		LEFT JOIN images i ON i.site_id = $1 AND i.id = v.image_id
		WHERE named.n > 1
		ORDER BY named.name, named.city, v.id
		LIMIT $2`
	return twinsOf(ctx, s.db, twins, most, venueRow)
}

// Twins implements calendar.PlaceStore.
func (s organizers) Twins(ctx context.Context, most int) ([]*calendar.Organizer, error) {
	const twins = `
		WITH named AS (
			SELECT o.id,
			       split_part(o.search, E'\n', 1) AS name,
			       count(*) OVER (PARTITION BY split_part(o.search, E'\n', 1)) AS n
			FROM organizers o
			WHERE o.site_id = $1
			  AND o.status <> 'trash'
		)
		SELECT` + organizerColumns + `,` + imageColumns + `
		FROM named
		JOIN organizers o ON o.site_id = $1 AND o.id = named.id
		LEFT JOIN images i ON i.site_id = $1 AND i.id = o.image_id
		WHERE named.n > 1
		ORDER BY named.name, o.id
		LIMIT $2`
	return twinsOf(ctx, s.db, twins, most, organizerRow)
}

func twinsOf[T any](ctx context.Context, db *DB, twins string, most int, s scan[T]) (list []*T, err error) {
	err = db.read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(twins, site, most).Query(func(rows pgx.Rows) (err error) {
			list, err = s.all(rows)
			return err
		})
	})
	return list, err
}
