package storage

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

// Counts implements calendar.EventStore: one statement over what the list's
// would find.
func (s events) Counts(ctx context.Context, q calendar.EventQuery) (map[calendar.Status]int, error) {
	counts := map[calendar.Status]int{}
	found := &args.Problems{}
	err := s.db.read(ctx, func(site int64, b *pgx.Batch) {
		query := newEventQuery(site, q)
		query.known(b, site, found)
		b.Queue(query.counting(), query.args...).Query(func(rows pgx.Rows) error {
			var status calendar.Status
			var n int
			_, err := pgx.ForEachRow(rows, []any{&status, &n}, func() error {
				counts[status] = n
				return nil
			})
			return err
		})
	})
	if err == nil {
		err = found.Err()
	}
	return counts, err
}

// counting returns the statement that counts by status what the conditions
// let through.
func (b *eventQuery) counting() string {
	with := ""
	if len(b.with) > 0 {
		with = "WITH RECURSIVE " + strings.Join(b.with, ", ") + " "
	}
	return with + `SELECT e.status, count(*)
		FROM occurrences o
		JOIN events e ON e.site_id = o.site_id AND e.id = o.event_id
		WHERE ` + strings.Join(b.where, " AND ") + `
		GROUP BY e.status`
}
