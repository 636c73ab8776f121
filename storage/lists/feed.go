package lists

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

const versionsOf = `
	SELECT s.version,
	       s.links_version
	FROM sites s
	WHERE s.id = $1`

// readVersions reads a row of versionsOf. It returns tenancy.ErrNoSite if there is none, because the site is gone.
func readVersions(version, links *int64) func(pgx.Row) error {
	return func(row pgx.Row) error { return pg.NotFound(row.Scan(version, links), tenancy.ErrNoSite) }
}

// Changed implements calendar.EventStore.
func (s *Lists) Changed(ctx context.Context) (at time.Time, err error) {
	const changedAt = `
		SELECT s.changed_at
		FROM sites s
		WHERE s.id = $1`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(changedAt, site).QueryRow(pg.One((*pg.UTC)(&at)))
	})
	return at, err
}

// Matching implements calendar.EventStore.
func (s *Lists) Matching(ctx context.Context, q calendar.EventQuery) (ids []int64, version int64, err error) {
	err = s.meant(ctx, q, func(n *meanings) (links int64, err error) {
		ids, version, links, err = s.matching(ctx, q, n)
		return links, err
	})
	return ids, version, err
}

// matching is Matching for a search whose words name n. It reads the versions first, so the events are at least as
// new.
func (s *Lists) matching(ctx context.Context, q calendar.EventQuery, n *meanings) (ids []int64, version, links int64, err error) {
	var found *args.Problems
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		ids, found = nil, &args.Problems{}
		query := newEventQuery(site, q, n)
		query.known(b, site, n, found)
		b.Queue(versionsOf, site).QueryRow(readVersions(&version, &links))
		query.enter(b)
		b.Queue(query.matching(), query.args...).Query(pg.All(&ids, pgx.RowTo[int64]))
	})
	if err == nil {
		err = found.Err()
	}
	return ids, version, links, err
}

// matching returns the statement for the ids of all matching events.
func (b *eventQuery) matching() string {
	return "SELECT o.event_id" + b.matches(false) + " GROUP BY o.event_id ORDER BY min(o.start_local), o.event_id"
}

// Events and the exceptions of series are looked up separately, each by its own index (ADR 28). In a site that has
// just been filled, the statistics are outdated, and a join would read all events for each id.
const severalEvents = `
	FROM unnest($2::bigint[]) WITH ORDINALITY w (id, place)
	CROSS JOIN LATERAL (
		SELECT w.id
		UNION ALL
		SELECT x.id
		FROM events x
		WHERE x.site_id = $1
		  AND x.series_id = w.id
		OFFSET 0
	) found
	CROSS JOIN LATERAL (
		SELECT *
		FROM events e
		WHERE e.site_id = $1
		  AND e.id = found.id
		OFFSET 0
	) e
	CROSS JOIN (SELECT 0 AS n, NULL::timestamp AS start_local, NULL::timestamp AS end_local, NULL::timestamp AS original_start) p
	ORDER BY w.place, e.original_start NULLS FIRST`

// Several implements calendar.EventStore.
func (s *Lists) Several(ctx context.Context, ids []int64) (list, exceptions []*calendar.Event, err error) {
	asked := make(map[int64]bool, len(ids))
	for _, id := range ids {
		asked[id] = true
	}
	seen := map[int64]bool{}
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		list, exceptions = nil, nil
		clear(seen)
		found := func(e *calendar.Event, _ int64) {
			if seen[e.ID] { // requested both with its series and by itself
				return
			}
			seen[e.ID] = true
			if e.Series != nil && asked[e.Series.ID] {
				exceptions = append(exceptions, e)
			}
			if asked[e.ID] {
				list = append(list, e)
			}
		}
		b.Queue(events.Whole+severalEvents, site, ids).Query(events.EachWhole(events.NewLinked(nil), found))
	})
	return list, exceptions, err
}

// gone keeps events that the public could see after a moment and can no longer see. It does not reveal events that
// were never public.
func (b *eventQuery) gone() {
	b.and("NOT o.listed")
	b.choose(`o.event_id = ANY(ARRAY(
		SELECT c.id
		FROM changes c
		JOIN events x ON x.site_id = $1 AND x.id = c.id
		WHERE c.site_id = $1
		  AND c.kind = 'event'
		  AND c.action <> 'create'
		  AND c.version > (SELECT r.replaced_version FROM sites r WHERE r.id = $1)
		  AND c.at > ` + b.arg(b.GoneSince) + publicBefore("x.status", "x.hidden::text") + `))`)
}

// publicBefore is the condition that a change c removed an event from public lists. The former value of a field is
// in the first change from c on that includes the field. If no change includes it, it is the present value.
func publicBefore(status, hidden string) string {
	was := func(field, now string) string {
		return `COALESCE((
			SELECT l.before ->> '` + field + `'
			FROM changes l
			WHERE l.site_id = $1
			  AND l.kind = 'event'
			  AND l.id = c.id
			  AND l.action <> 'create'
			  AND l.version >= c.version
			  AND l.before ? '` + field + `'
			ORDER BY l.version
			LIMIT 1), ` + now + `)`
	}
	return `
		  AND (c.before ->> 'status' = 'publish' OR c.before ->> 'hide_from_listings' = 'false')
		  AND ` + was("status", status) + ` = 'publish'
		  AND ` + was("hide_from_listings", hidden) + ` = 'false'`
}

// deletedEvents are deleted events that the public could see until they were deleted, or at some time before. For
// each it returns a number of changes that is not below the sequence number that calendar programs have received.
var deletedEvents = `
	SELECT d.id,
	       d.at,
	       COALESCE(d.before ->> 'uid', ''),
	       (SELECT count(*)
	        FROM changes c
	        WHERE c.site_id = $1
	          AND c.kind = 'event'
	          AND c.id = d.id
	          AND c.action <> 'create'),
	       d.before ->> 'timezone',
	       (d.before ->> 'all_day')::boolean,
	       (d.before ->> 'start_date')::timestamp,
	       (d.before ->> 'end_date')::timestamp
	FROM changes d
	WHERE d.site_id = $1
	  AND d.kind = 'event'
	  AND d.action = 'delete'
	  AND d.version > (SELECT r.replaced_version FROM sites r WHERE r.id = $1)
	  AND d.at > $2
	  AND d.before ? 'hide_from_listings'
	  AND EXISTS (
		SELECT
		FROM changes c
		WHERE c.site_id = $1
		  AND c.kind = 'event'
		  AND c.id = d.id
		  AND c.action <> 'create'
		  AND c.at > $2` + publicBefore("''", "''") + `)
	  AND NOT EXISTS (SELECT FROM events e WHERE e.site_id = $1 AND e.id = d.id)
	  AND NOT EXISTS (SELECT FROM events e WHERE e.site_id = $1 AND e.uid = d.before ->> 'uid' AND e.uid <> '')
	ORDER BY d.at, d.id
	LIMIT 1000`

// Deleted implements calendar.EventStore.
func (s *Lists) Deleted(ctx context.Context, after time.Time) (list []*calendar.Event, err error) {
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(deletedEvents, site, after).Query(pg.All(&list, func(row pgx.CollectableRow) (*calendar.Event, error) {
			e := &calendar.Event{}
			err := row.Scan(&e.ID, (*pg.UTC)(&e.Modified), &e.UID, &e.Sequence, &e.Timezone, &e.AllDay, &e.Start, &e.End)
			if place := e.Clock().Zone; err == nil {
				e.StartUTC, e.EndUTC = args.Resolve(e.Start, place).UTC(), args.Resolve(e.End, place).UTC()
			}
			return e, err
		}))
	})
	return list, err
}
