package lists

import (
	"context"
	"maps"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// byStatus is how many events of each status a list has.
type byStatus struct {
	version int64
	events  map[calendar.Status]int
}

// Counts implements calendar.EventStore. It runs one statement over the events of the list, which does not count if
// the remembered result is still valid.
func (s *Lists) Counts(ctx context.Context, q calendar.EventQuery) (counts map[calendar.Status]int, err error) {
	err = s.meant(ctx, q, func(n *meanings) (links int64, err error) {
		counts, links, err = s.counts(ctx, q, n)
		return links, err
	})
	return counts, err
}

// counts is Counts for a query with the meanings n. It also returns the version of the links.
func (s *Lists) counts(ctx context.Context, q calendar.EventQuery, n *meanings) (counts map[calendar.Status]int, links int64, err error) {
	now := byStatus{events: map[calendar.Status]int{}}
	found := &args.Problems{}
	var known byStatus
	var filter filterKey
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		query := newEventQuery(site, q, n)
		query.known(b, site, n, found)
		filter = query.filter()
		known = s.statuses.get(filter, byStatus{version: tenancy.NoVersion})
		query.enter(b)
		var status *calendar.Status
		var n *int
		b.Queue(query.counting(known.version), query.args...).Query(pg.Each([]any{&now.version, &links, &status, &n}, func() error {
			if status != nil {
				now.events[*status] = *n
			}
			return nil
		}))
	})
	if err == nil {
		err = found.Err()
	}
	switch {
	case err != nil:
		return nil, links, err
	case now.version == known.version:
		return maps.Clone(known.events), links, nil
	}
	s.statuses.set(filter, now)
	return maps.Clone(now.events), links, nil
}

// counting returns the statement that counts by status the events that meet the conditions, with the versions of
// the site and of its links. It does not count if the site still has the given version.
func (b *eventQuery) counting(version int64) string {
	if b.whole() {
		return b.countingWhole(version)
	}
	fresh := "(SELECT s.version FROM sites s WHERE s.id = $1) <> " + b.arg(version)
	found := `
		SELECT e.status,
		       count(*) AS n
		` + b.matches(true) + `
		  AND ` + fresh
	if b.counted() {
		found = `
		SELECT status,
		       sum(n)::bigint AS n
		FROM (` + found + `
			  AND NOT o.listed
			GROUP BY e.status
			UNION ALL
			SELECT 'publish',
			       ` + b.countListed() + `
			WHERE ` + fresh + `
		) parts
		WHERE n > 0
		GROUP BY status`
	} else {
		found += `
		GROUP BY e.status`
	}
	return countsOf([]string{`counts AS (` + found + `)`})
}

// countsOf returns the statement that reads counts and the versions.
func countsOf(with []string) string {
	return `WITH ` + strings.Join(with, ", ") + `
		SELECT s.version,
		       s.links_version,
		       c.status,
		       c.n
		FROM sites s
		LEFT JOIN counts c ON true
		WHERE s.id = $1`
}
