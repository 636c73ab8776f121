package storage

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

// byStatus is how many events of each status a list has.
type byStatus struct {
	version int64
	events  map[calendar.Status]int
}

// Counts implements calendar.EventStore: one statement over what the list's
// would find, which counts nothing when that is known.
func (s events) Counts(ctx context.Context, q calendar.EventQuery) (map[calendar.Status]int, error) {
	now := byStatus{events: map[calendar.Status]int{}}
	found := &args.Problems{}
	var known byStatus
	var filter string
	err := s.db.read(ctx, func(site int64, b *pgx.Batch) {
		query := newEventQuery(site, q)
		query.known(b, site, found)
		filter = query.filter()
		known = s.db.statuses.get(filter, byStatus{version: -1})
		b.Queue(query.counting(known.version), query.args...).Query(func(rows pgx.Rows) error {
			var status *calendar.Status
			var n *int
			_, err := pgx.ForEachRow(rows, []any{&now.version, &status, &n}, func() error {
				if status != nil {
					now.events[*status] = *n
				}
				return nil
			})
			return err
		})
	})
	if err == nil {
		err = found.Err()
	}
	switch {
	case err != nil:
		return nil, err
	case now.version == known.version:
		return maps.Clone(known.events), nil
	}
	s.db.statuses.set(filter, now)
	return maps.Clone(now.events), nil
}

// counting returns the statement that counts by status what the conditions
// let through, with the version of the site; at a version known it counts
// nothing.
func (b *eventQuery) counting(version int64) string {
	known := b.arg(version)
	with := strings.Join(append(slices.Clone(b.with), `counts AS (
		SELECT e.status,
		       count(*) AS n
		`+b.matches(true)+`
		  AND (SELECT s.version FROM sites s WHERE s.id = $1) <> `+known+`
		GROUP BY e.status)`), ", ")
	return `WITH RECURSIVE ` + with + `
		SELECT s.version,
		       c.status,
		       c.n
		FROM sites s
		LEFT JOIN counts c ON true
		WHERE s.id = $1`
}
