package storage

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/places"
	"github.com/kalends/kalends/storage/terms"
)

const authorsOffered = `
	SELECT u.id,
	       u.name,
	       ''
	FROM users u
	WHERE u.site_id = @site
	ORDER BY u.login_key
	LIMIT @limit`

// Offers implements calendar.Store. Rows have only the columns that forms show.
func (db *DB) Offers(ctx context.Context, q calendar.OfferQuery) (*calendar.Offers, error) {
	o, found := &calendar.Offers{}, calendar.Page[calendar.Term]{}
	err := db.Read(ctx, func(site int64, b *pgx.Batch) {
		named := func(sql string, limit int, only []int64, into *[]calendar.Named) {
			if limit == 0 {
				return
			}
			a := pgx.NamedArgs{"site": site, "all": q.Viewer.All, "user": q.Viewer.User, "limit": limit, "only": append([]int64{}, only...),
				"languages": append([]string{}, q.Languages...)}
			b.Queue(sql, a).Query(pg.All(into, pgx.RowToStructByPos[calendar.Named]))
		}
		named(places.Venues.Offered, q.Venues, q.Within.Venues, &o.Venues)
		named(places.Organizers.Offered, q.Organizers, q.Within.Organizers, &o.Organizers)
		named(authorsOffered, q.Authors, nil, &o.Authors)
		if q.Categories > 0 {
			terms.Of(db.DB, calendar.Categories).QueueList(b, site, calendar.TermQuery{PerPage: q.Categories}, &found)
		}
	})
	o.Categories = found.Items
	return o, err
}
