package imports

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/storage/sources"
	"github.com/kalends/kalends/storage/webhooks"
)

const whyAsked = "one site whose imports are due, by an index, once a node and second"

// column is the column of sites that says when imports are due.
const column = "imports_due"

// Take implements imports.Store. The due time of a site is also its lease: the node that takes the site holds it
// until then.
func (s store) Take(ctx context.Context, hold *imports.Hold, site int64) (*imports.Task, error) {
	due := pg.Due{Why: whyAsked, Column: column, Hold: hold.For, Now: s.now}
	return pg.TakeDue(ctx, s.db.DB, due, site, func(site int64, _ time.Time) (*imports.Task, error) { return s.take(ctx, hold, site) })
}

// again sets when the imports of a site are due.
var again = pg.DueAt(column)

// together is how many imports of events from other sites are processed in one turn, one after the other.
const together = 50

// take takes the oldest waiting import of a site. If the events come from another site, it also takes the other
// waiting imports of this kind.
func (s store) take(ctx context.Context, hold *imports.Hold, site int64) (*imports.Task, error) {
	const take = `
		WITH first AS (
		    SELECT w.id, w.format
		    FROM imports w
		    WHERE w.site_id = $1
		      AND w.state IN ('queued', 'running')
		      AND w.received
		    ORDER BY w.id
		    LIMIT 1
		)
		UPDATE imports
		SET state = 'running',
		    attempt = attempt + 1,
		    started_at = COALESCE(started_at, $2),
		    lease = $3
		WHERE site_id = $1
		  AND id IN (
		      SELECT id
		      FROM first
		      UNION
		      (SELECT m.id
		      FROM imports m
		      JOIN first ON first.format = '` + string(reading.Gift) + `' AND m.id > first.id
		      WHERE m.site_id = $1
		        AND m.state IN ('queued', 'running')
		        AND m.received
		        AND m.format = first.format
		      ORDER BY m.id
		      LIMIT $4))
		RETURNING` + columns
	const none = `
		UPDATE sites
		SET imports_due = NULL
		WHERE id = $1
		  AND NOT EXISTS (
		      SELECT
		      FROM imports w
		      WHERE w.site_id = $1
		        AND w.state IN ('queued', 'running')
		        AND w.received)`
	found, err := platform.SiteAt(ctx, s.db.DB, s.db.At(whyAsked, site), site)
	if err != nil {
		return nil, err
	}
	task := &imports.Task{Site: found}
	err = s.db.In(ctx, whyAsked, site, func(site int64, b *pgx.Batch) {
		b.Queue(heed, site) // lock the site first: an import may arrive while none waits for the lock, and nobody would run it
		b.Queue(take, site, s.now(), hold.Key, together).Query(func(rows pgx.Rows) error {
			list, err := pgx.CollectRows(rows, readImport)
			if len(list) > 0 {
				slices.SortFunc(list, func(a, b *imports.Import) int { return cmp.Compare(a.ID, b.ID) })
				task.Import, task.More = list[0], list[1:]
			}
			return err
		})
		b.Queue(none, site)
	})
	if err != nil || task.Import == nil {
		return nil, err
	}
	return task, nil
}

// Extend implements imports.Store.
func (s store) Extend(ctx context.Context, hold *imports.Hold) error {
	const running = `
		SELECT
		FROM imports
		WHERE site_id = $1
		  AND lease = $2
		  AND state = 'running'
		LIMIT 1`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(heed, site)
		b.Queue(running, site, hold.Key).Exec(pg.OneRow(imports.ErrLost))
		b.Queue(again, site, s.now().Add(hold.For))
	})
}

// holds checks that an import is still held, and locks it until the commit.
const holds = `
	SELECT
	FROM imports
	WHERE site_id = $1
	  AND id = $2
	  AND lease = $3
	  AND state = 'running'
	FOR NO KEY UPDATE`

// held runs statements on a held import, in a transaction that first locks the site.
func (s store) held(ctx context.Context, id int64, hold *imports.Hold, more pg.Queue) error {
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(heed, site)
		b.Queue(holds, site, id, hold.Key).Exec(pg.OneRow(imports.ErrLost))
		more(site, b)
	})
}

// Release implements imports.Store. The attempt does not count.
func (s store) Release(ctx context.Context, id int64, hold *imports.Hold) error {
	const release = `
		UPDATE imports
		SET state = 'queued',
		    attempt = GREATEST(attempt - 1, 0),
		    lease = NULL
		WHERE site_id = $1
		  AND id = $2`
	return s.held(ctx, id, hold, func(site int64, b *pgx.Batch) {
		b.Queue(release, site, id)
		b.Queue(again, site, s.now())
	})
}

// Keep implements imports.Store.
func (s store) Keep(ctx context.Context, id int64, hold *imports.Hold, data []byte) error {
	const piece = 1 << 20
	const forget = `
		UPDATE imports
		SET address = '',
		    secret = NULL
		WHERE site_id = $1
		  AND id = $2`
	return s.held(ctx, id, hold, func(site int64, b *pgx.Batch) {
		for n := 0; n*piece < len(data) || n == 0; n++ {
			b.Queue(addPiece, site, id, n, data[n*piece:min((n+1)*piece, len(data))])
		}
		b.Queue(forget, site, id)
	})
}

// Survey implements imports.Store.
func (s store) Survey(ctx context.Context, i *imports.Import, hold *imports.Hold) error {
	const survey = `
		UPDATE imports
		SET format = $3,
		    name = $4,
		    source = $5,
		    total = $6,
		    columns = $7,
		    left_out = $8
		WHERE site_id = $1
		  AND id = $2`
	columns, err := pg.EncodeJSON(i.Columns)
	left, cannot := pg.EncodeJSON(i.LeftOut)
	if err = errors.Join(err, cannot); err != nil {
		return err
	}
	return s.held(ctx, i.ID, hold, func(site int64, b *pgx.Batch) {
		b.Queue(survey, site, i.ID, i.Format, i.Name, i.Source, i.Total, columns, left)
	})
}

// End implements imports.Store. It deletes the file, unless a dry run can still be followed by a real one.
func (s store) End(ctx context.Context, list []*imports.Import, hold *imports.Hold) error {
	const end = `
		UPDATE imports
		SET state = $3,
		    problem = $4,
		    finished_at = $5,
		    columns = COALESCE($6, columns),
		    address = '',
		    secret = NULL,
		    lease = NULL
		WHERE site_id = $1
		  AND id = $2`
	const next = `
		UPDATE sites
		SET imports_due = CASE WHEN EXISTS (
		        SELECT
		        FROM imports w
		        WHERE w.site_id = $1
		          AND w.state IN ('queued', 'running')
		    ) THEN $2::timestamptz END
		WHERE id = $1`
	const drop = `
		DELETE FROM import_files f
		USING imports i
		WHERE f.site_id = $1
		  AND i.site_id = $1
		  AND i.id = f.import_id
		  AND i.state NOT IN ('queued', 'running')
		  AND (NOT i.dry_run AND COALESCE(i.problem ->> 'code', '') <> 'gone-too-many' OR i.id <= (
		      SELECT k.id
		      FROM imports k
		      WHERE k.site_id = $1
		        AND k.dry_run
		      ORDER BY k.id DESC
		      OFFSET $2
		      LIMIT 1))`
	var failed error
	err := s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(heed, site)
		for _, i := range list {
			problem, err := pg.EncodeJSON(i.Problem)
			columns, cannot := pg.EncodeJSON(i.Columns)
			if failed = errors.Join(err, cannot); failed != nil {
				return
			}
			b.Queue(holds, site, i.ID, hold.Key).Exec(pg.OneRow(imports.ErrLost))
			b.Queue(end, site, i.ID, string(i.State), problem, s.now(), columns)
		}
		b.Queue(next, site, s.now())
		b.Queue(drop, site, keptFiles)
		for _, i := range list {
			sources.QueueRead(b, site, i.ID, s.now())
			webhooks.QueueFinished(b, site, i.ID, s.now())
		}
		sources.QueueSettled(b, site, s.now())
	})
	return errors.Join(failed, err)
}

// Purge implements imports.Store: it goes through all sites that ever had imports.
func (s store) Purge(ctx context.Context, now time.Time) error {
	const had = `
		SELECT id
		FROM sites
		WHERE last_import_id > 0`
	const files = `
		DELETE FROM import_files f
		USING imports i
		WHERE f.site_id = $1
		  AND i.site_id = $1
		  AND i.id = f.import_id
		  AND i.finished_at < $2`
	const reports = `
		DELETE FROM imports
		WHERE site_id = $1
		  AND (finished_at < $2 OR NOT received AND created_at < $3)`
	const why = "sites that had imports, once a node and hour"
	var ids []int64
	err := s.db.Everywhere(ctx, why, had, nil, pg.More(&ids, pgx.RowTo[int64]))
	for _, id := range ids {
		err = errors.Join(err, s.db.In(ctx, why, id, func(site int64, b *pgx.Batch) {
			b.Queue(files, site, now.Add(-fileLife))
			b.Queue(reports, site, now.Add(-reportLife), now.Add(-uploadLife))
		}))
	}
	return err
}
