package sources

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/platform"
)

const whyAsked = "one site whose sources are due, by an index, once a node and second"

// Take implements sources.Store.
func (s Store) Take(ctx context.Context, hold *sources.Hold, site int64) (*sources.Task, error) {
	due := pg.Due{Why: whyAsked, Column: "sources_due", Hold: hold.For, Now: func() time.Time { return s.db.Now().UTC() }}
	return pg.TakeDue(ctx, s.db, due, site, func(site int64, now time.Time) (*sources.Task, error) { return s.take(ctx, hold, site, now) })
}

// gathered is how many gathered sites a node reads together for one site.
const gathered = 50

// take takes the source of a site that has been due longest. If that source is another site of the installation, it
// also takes all other due sources of this kind. At most two sources of a site, or two such groups, are read at a
// time.
func (s Store) take(ctx context.Context, hold *sources.Hold, site int64, now time.Time) (*sources.Task, error) {
	const take = `
		WITH due AS (
		    SELECT w.id, w.kind, w.next_at
		    FROM sources w
		    WHERE w.site_id = $1
		      AND w.import_id = 0
		      AND w.next_at <= $2
		      AND (w.lease_until IS NULL OR w.lease_until <= $2)
		      AND (w.kind = '` + sources.Kalends + `' OR (
		          SELECT count(DISTINCT l.lease)
		          FROM sources l
		          WHERE l.site_id = $1
		            AND l.kind <> '` + sources.Kalends + `'
		            AND l.lease_until > $2
		      ) < 2)
		), first AS (
		    SELECT id, kind
		    FROM due
		    ORDER BY next_at, id
		    LIMIT 1
		)
		UPDATE sources
		SET lease = $3,
		    lease_until = $4
		WHERE site_id = $1
		  AND id IN (
		      SELECT id
		      FROM first
		      UNION
		      (SELECT due.id
		      FROM due
		      JOIN first ON first.kind = due.kind
		      WHERE due.kind = '` + sources.Site + `'
		      ORDER BY due.next_at, due.id
		      LIMIT $5))
		RETURNING` + columns
	const seen = `
		SELECT g.source_id,
		       g.seen
		FROM gatherings g
		JOIN sources w ON w.site_id = $1 AND w.id = g.source_id AND w.lease = $2
		WHERE g.site_id = $1`
	found, err := platform.SiteAt(ctx, s.db, s.db.At(whyAsked, site), site)
	if err != nil {
		return nil, err
	}
	var list []*sources.Source
	read := map[int64]int64{}
	err = s.db.In(ctx, whyAsked, site, func(site int64, b *pgx.Batch) {
		b.Queue(heed, site)
		b.Queue(take, site, now, hold.Key, now.Add(hold.For), gathered).Query(pg.All(&list, readSource))
		var id, version int64
		b.Queue(seen, site, hold.Key).Query(pg.Each([]any{&id, &version}, func() error { read[id] = version; return nil }))
		b.Queue(settle, site, now)
	})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	for _, w := range list {
		w.Seen = read[w.ID]
	}
	slices.SortFunc(list, func(a, b *sources.Source) int { return cmp.Or(a.Next.Compare(b.Next), cmp.Compare(a.ID, b.ID)) })
	return &sources.Task{Site: found, Source: list[0], More: list[1:]}, nil
}

// holds checks that a source is still held, and locks it until the commit.
const holds = `
	SELECT
	FROM sources
	WHERE site_id = $1
	  AND id = $2
	  AND lease = $3
	FOR NO KEY UPDATE`

// held runs statements on a held source, in a transaction that begins with the site's lock.
func (s Store) held(ctx context.Context, id int64, hold *sources.Hold, more pg.Queue) error {
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(heed, site)
		b.Queue(holds, site, id, hold.Key).Exec(pg.OneRow(sources.ErrLost))
		more(site, b)
		b.Queue(settle, site, s.db.Now().UTC())
	})
}

// Extend implements sources.Store.
func (s Store) Extend(ctx context.Context, hold *sources.Hold) error {
	const extend = `
		UPDATE sources
		SET lease_until = $3
		WHERE site_id = $1
		  AND lease = $2`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(heed, site)
		b.Queue(extend, site, hold.Key, s.db.Now().UTC().Add(hold.For)).Exec(pg.OneRow(sources.ErrLost))
		b.Queue(settle, site, s.db.Now().UTC())
	})
}

// Release implements sources.Store.
func (s Store) Release(ctx context.Context, id int64, hold *sources.Hold) error {
	const release = `
		UPDATE sources
		SET lease = '',
		    lease_until = NULL
		WHERE site_id = $1
		  AND id = $2`
	return s.held(ctx, id, hold, func(site int64, b *pgx.Batch) { b.Queue(release, site, id) })
}

// backoff is the number of seconds after which a failing source w is read again. It doubles with each failure, up
// to a day.
const backoff = `GREATEST(w.every, LEAST(86400, w.every * (2::bigint ^ LEAST(w.failures, 12))))`

// End implements sources.Store. A problem that people must decide about remains if nothing new was read.
func (s Store) End(ctx context.Context, id int64, hold *sources.Hold, o *sources.Outcome) error {
	const fine = `
		UPDATE sources w
		SET read_at = $3,
		    success_at = CASE WHEN w.problem IS NULL OR w.problem ->> 'code' <> '` + imports.GoneTooMany + `' THEN $3 ELSE w.success_at END,
		    problem = CASE WHEN w.problem ->> 'code' = '` + imports.GoneTooMany + `' THEN w.problem END,
		    failures = CASE WHEN w.problem ->> 'code' = '` + imports.GoneTooMany + `' THEN w.failures ELSE 0 END,
		    failing_since = CASE WHEN w.problem ->> 'code' = '` + imports.GoneTooMany + `' THEN w.failing_since END,
		    etag = $5,
		    modified = $6,
		    next_at = CASE WHEN w.active THEN $3::timestamptz + make_interval(
		        secs => GREATEST(COALESCE(NULLIF($7::double precision, 0), w.every), $4::double precision)) END,
		    lease = '',
		    lease_until = NULL
		WHERE w.site_id = $1
		  AND w.id = $2`
	const failed = `
		UPDATE sources w
		SET read_at = $3,
		    problem = CASE WHEN w.problem ->> 'code' = '` + imports.GoneTooMany + `' THEN w.problem ELSE $5::jsonb END,
		    failures = w.failures + 1,
		    failing_since = COALESCE(w.failing_since, $3),
		    next_at = CASE WHEN w.active THEN $3::timestamptz + make_interval(secs => GREATEST(` + backoff + `, $4::double precision)) END,
		    lease = '',
		    lease_until = NULL
		WHERE w.site_id = $1
		  AND w.id = $2`
	now, after := s.db.Second(), min(o.After, longestWait).Seconds()
	problem, err := pg.EncodeJSON(o.Problem)
	if err != nil {
		return err
	}
	return s.held(ctx, id, hold, func(site int64, b *pgx.Batch) {
		queueSeen(b, site, id, o.Seen)
		if o.Problem != nil {
			b.Queue(failed, site, id, now, after, problem)
			b.Queue(pg.Heed, site, now)
		} else {
			b.Queue(fine, site, id, now, after, o.ETag, o.Modified, o.Again.Seconds())
		}
	})
}

// longestWait is the longest time that a server can ask clients to wait before they read a source again.
const longestWait = 7 * 24 * time.Hour

// Events implements sources.Store.
func (s Store) Events(ctx context.Context, id int64, hold *sources.Hold, most int) (ids []int64, err error) {
	const events = `
		SELECT e.id
		FROM events e
		WHERE e.site_id = $1
		  AND e.source_id = $2
		  AND e.series_id IS NULL
		  AND e.status <> 'trash'
		ORDER BY e.id
		LIMIT $3`
	err = s.held(ctx, id, hold, func(site int64, b *pgx.Batch) {
		b.Queue(events, site, id, most).Query(pg.All(&ids, pgx.RowTo[int64]))
	})
	return ids, err
}

// Remove implements sources.Store.
func (s Store) Remove(ctx context.Context, id int64, hold *sources.Hold) error {
	const remove = `
		DELETE FROM sources
		WHERE site_id = $1
		  AND id = $2`
	return s.held(ctx, id, hold, func(site int64, b *pgx.Batch) {
		b.Queue(forgetGathering, site, id)
		b.Queue(remove, site, id)
	})
}

// QueueHanded records that an import takes over what was read from a source. An import without an id is the newest
// one of the site. It runs in the import's transaction, which must end with QueueSettled. The batch fails with
// imports.ErrLost if another node holds the source.
func QueueHanded(b *pgx.Batch, site int64, i *imports.Import) {
	const handed = `
		UPDATE sources
		SET import_id = CASE WHEN $8::bigint = 0 THEN (SELECT q.last_import_id FROM sites q WHERE q.id = $1) ELSE $8 END,
		    read_at = $4,
		    etag = $5,
		    modified = $6,
		    digest = $7,
		    lease = '',
		    lease_until = NULL
		WHERE site_id = $1
		  AND id = $2
		  AND lease = $3`
	h := i.Handed
	b.Queue(handed, site, i.From, h.Lease, i.Created, h.ETag, h.Modified, h.Digest, i.ID).Exec(pg.OneRow(imports.ErrLost))
	queueSeen(b, site, i.From, h.Seen)
}

// QueueSettled sets the time at which a node next checks the sources of a site.
func QueueSettled(b *pgx.Batch, site int64, now time.Time) { b.Queue(settle, site, now) }

// QueueRead records how the import of a source ended, and deletes the import if it found nothing new. What was read counts as unknown
// if the plan had no room for all of it: the next reading imports the rest as soon as there is room. The transaction must end with
// QueueSettled.
func QueueRead(b *pgx.Batch, site, id int64, now time.Time) {
	const well = `i.problem IS NULL AND i.state = 'done'`
	const done = `(` + well + ` AND NOT full_plan OR i.problem ->> 'code' = '` + imports.GoneTooMany + `')`
	const read = `
		WITH was AS (
			SELECT w.id, COALESCE((w.counts ->> 'Refused')::integer, 0) AS refused
			FROM sources w
			WHERE w.site_id = $1
			  AND w.id = (SELECT q.source_id FROM imports q WHERE q.site_id = $1 AND q.id = $2)
		), noted AS (
			UPDATE sources w
			SET import_id = CASE WHEN w.import_id = i.id THEN 0 ELSE w.import_id END,
			    counts = jsonb_build_object('Read', i.noted, 'Created', i.created, 'Changed', i.changed, 'Same', i.same,
			        'Cancelled', i.cancelled, 'Refused', i.refused, 'Warned', i.warned),
			    problem = CASE WHEN i.state = 'cancelled' THEN w.problem ELSE i.problem END,
			    success_at = CASE WHEN ` + well + ` THEN $3::timestamptz ELSE w.success_at END,
			    failures = CASE WHEN ` + well + ` THEN 0 WHEN i.state = 'cancelled' THEN w.failures ELSE w.failures + 1 END,
			    failing_since = CASE
			        WHEN ` + well + ` THEN NULL
			        WHEN i.state = 'cancelled' THEN w.failing_since
			        ELSE COALESCE(w.failing_since, $3)
			    END,
			    etag = CASE WHEN ` + done + ` THEN w.etag ELSE '' END,
			    modified = CASE WHEN ` + done + ` THEN w.modified ELSE '' END,
			    digest = CASE WHEN ` + done + ` THEN w.digest END,
			    next_at = CASE WHEN w.active THEN $3::timestamptz + make_interval(secs => CASE
			        WHEN i.state = 'failed' AND i.problem ->> 'code' <> '` + imports.GoneTooMany + `' THEN ` + backoff + `
			        WHEN w.kind = '` + sources.Kalends + `' AND w.etag <> '' AND i.state = 'done' AND NOT full_plan THEN 5
			        ELSE w.every END) END
			FROM imports i,
			LATERAL (SELECT i.refused > 0 AND EXISTS (
			    SELECT
			    FROM import_entries l
			    WHERE l.site_id = $1
			      AND l.import_id = i.id
			      AND l.result = 'refused'
			      AND l.found @> '{"problems": [{"code": "limit_reached"}]}'
			) AS full_plan) f
			WHERE w.site_id = $1
			  AND i.site_id = $1
			  AND i.id = $2
			  AND i.undoes = 0
			  AND NOT i.dry_run
			  AND w.id = i.source_id
			  AND NOT w.leaving
		)
		DELETE FROM imports i
		USING was
		WHERE i.site_id = $1
		  AND i.id = $2
		  AND i.source_id = was.id
		  AND i.undoes = 0
		  AND ` + well + `
		  AND i.created + i.changed + i.cancelled = 0
		  AND i.refused = was.refused`
	b.Queue(read, site, id, now)
	b.Queue(pg.Heed, site, now)
}
