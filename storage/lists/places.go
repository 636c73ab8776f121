package lists

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// mostVenues is how many venues a map has at most.
const mostVenues = 500

// AtVenues implements calendar.EventStore.
func (s *Lists) AtVenues(ctx context.Context, q calendar.EventQuery) (at *calendar.AtVenues, err error) {
	err = s.meant(ctx, q, func(n *meanings) (links int64, err error) {
		found := &args.Problems{}
		err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
			at = &calendar.AtVenues{Events: map[int64]int{}}
			query := newEventQuery(site, q, n)
			query.known(b, site, n, found)
			query.enter(b)
			statement := query.atVenues()
			b.Queue(statement, query.args...).Query(func(rows pgx.Rows) error { return readAtVenues(rows, at, &links) })
		})
		if err == nil {
			err = found.Err()
		}
		return links, err
	})
	return at, err
}

// atVenues returns the statement that counts the entries of a list at each published venue. It reads the versions
// of the site and of its links, how many entries were examined, and each venue with its number of entries; the
// venue is null if there is none.
func (b *eventQuery) atVenues() string {
	from := b.matches(false)
	looked := b.arg(mostCountedIn + 1)
	return `WITH base AS MATERIALIZED (
		SELECT o.id, o.event_id, o.start_local` + from + `
		ORDER BY o.start_local
		LIMIT ` + looked + `
	), at AS (
		SELECT v.id,
		       count(*) AS n
		FROM base b
		JOIN events e ON e.site_id = $1 AND e.id = b.event_id AND e.password IS NULL
		CROSS JOIN LATERAL unnest(e.venue_ids) x (id)
		JOIN venues v ON v.site_id = $1 AND v.id = x.id AND v.status = 'publish'
		GROUP BY v.id
		ORDER BY n DESC, v.id
		LIMIT ` + b.arg(mostVenues) + `
	)
		SELECT s.version,
		       s.links_version,
		       (SELECT count(*) FROM base),
		       at.id,
		       at.n
		FROM sites s
		LEFT JOIN at ON true
		WHERE s.id = $1
		ORDER BY at.n DESC, at.id`
}

// readAtVenues reads the rows of atVenues. It returns tenancy.ErrNoSite if there are none.
func readAtVenues(rows pgx.Rows, into *calendar.AtVenues, links *int64) error {
	var looked int
	var venue *int64
	var n *int
	tag, err := pgx.ForEachRow(rows, []any{&into.Version, links, &looked, &venue, &n}, func() error {
		into.Uncounted = looked > mostCountedIn
		if venue != nil {
			into.Venues = append(into.Venues, *venue)
			into.Events[*venue] = *n
		}
		return nil
	})
	if err == nil && tag.RowsAffected() == 0 {
		err = tenancy.ErrNoSite
	}
	return err
}
