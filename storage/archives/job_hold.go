package archives

import (
	"context"
	"maps"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy/jobs"
)

// Take takes the oldest job that nobody holds. If another node takes one at the same moment, it gets the next. Nodes of the
// previous release time leases by their own clock, which may be slightly ahead.
func (s jobStore) Take(ctx context.Context, hold *jobs.Hold) (*jobs.Job, error) {
	const take = `
		UPDATE jobs
		SET state = 'running',
		    attempt = attempt + 1,
		    done = 0,
		    total = 0,
		    started_at = COALESCE(started_at, @now),
		    lease = @lease,
		    lease_until = statement_timestamp() + @for::interval
		WHERE id = (
		    SELECT id
		    FROM jobs
		    WHERE state IN ('queued', 'running')
		      AND (lease_until IS NULL OR lease_until <= statement_timestamp() OR lease_until > statement_timestamp() + 2 * @for::interval)
		    ORDER BY id
		    LIMIT 1
		    FOR UPDATE SKIP LOCKED
		)
		RETURNING` + jobColumns
	job, err := s.jobOf(ctx, nil, take, pgx.NamedArgs{"now": s.db.Second(), "lease": hold.Key, "for": hold.For})
	if job != nil {
		hold.Job = job.ID
	}
	return job, err
}

// held runs a statement on a held job.
func (s jobStore) held(ctx context.Context, sql string, hold *jobs.Hold, more pgx.NamedArgs) error {
	return s.db.Failure(underHold(ctx, s.platform(), sql, hold, more))
}

func underHold(ctx context.Context, in pg.Executor, sql string, hold *jobs.Hold, more pgx.NamedArgs) error {
	a := pgx.NamedArgs{"id": hold.Job, "lease": hold.Key}
	maps.Copy(a, more)
	tag, err := in.Exec(ctx, sql, a)
	if err == nil && tag.RowsAffected() == 0 {
		return jobs.ErrLost
	}
	return err
}

// Extend extends the lease of a held job and notes its progress.
func (s jobStore) Extend(ctx context.Context, hold *jobs.Hold, done, total int64) error {
	const extend = `
		UPDATE jobs
		SET lease_until = statement_timestamp() + @for::interval,
		    done = @done,
		    total = @total
		WHERE id = @id
		  AND lease = @lease
		  AND state IN ('queued', 'running')`
	return s.held(ctx, extend, hold, pgx.NamedArgs{"for": hold.For, "done": done, "total": total})
}

// Release returns a job to the queue for another node. The attempt does not count.
func (s jobStore) Release(ctx context.Context, hold *jobs.Hold) error {
	const release = `
		UPDATE jobs
		SET state = 'queued',
		    attempt = GREATEST(attempt - 1, 0),
		    lease = NULL,
		    lease_until = NULL
		WHERE id = @id
		  AND lease = @lease
		  AND state IN ('queued', 'running')`
	return s.held(ctx, release, hold, nil)
}

// End stores how a held job ended.
func (s jobStore) End(ctx context.Context, hold *jobs.Hold, j *jobs.Job) error {
	const end = `
		UPDATE jobs
		SET state = @state,
		    bytes = @bytes,
		    sha256 = @sha256,
		    problem = @problem,
		    done = CASE @state WHEN 'done' THEN @bytes ELSE done END,
		    total = CASE @state WHEN 'done' THEN @bytes ELSE total END,
		    finished_at = @now,
		    purge_at = ` + keptUntil + `,
		    lease = NULL,
		    lease_until = NULL
		WHERE id = @id
		  AND lease = @lease
		  AND state IN ('queued', 'running')`
	now := s.db.Second()
	return s.held(ctx, end, hold, pgx.NamedArgs{"state": j.State, "bytes": j.Bytes, "sha256": j.SHA256, "problem": j.Problem,
		"now": now})
}

// endMade ends the job that creates or restores a site, if there is one. It runs in the transaction that stores the
// site, so the site and the end of the job are stored together or not at all. A job that has made an archive keeps
// it.
func endMade(ctx context.Context, in pg.Executor, site int64, now time.Time) error {
	const end = `
		UPDATE jobs
		SET state = 'done',
		    object = @site,
		    bytes = COALESCE(NULLIF(@bytes::bigint, 0), bytes),
		    sha256 = @sha256,
		    done = COALESCE(NULLIF(@bytes::bigint, 0), bytes),
		    total = COALESCE(NULLIF(@bytes::bigint, 0), bytes),
		    finished_at = @now,
		    purge_at = ` + keptUntil + `,
		    lease = NULL,
		    lease_until = NULL
		WHERE id = @id
		  AND lease = @lease
		  AND state = 'running'`
	hold := jobs.HoldOf(ctx)
	if hold == nil {
		return nil
	}
	return underHold(ctx, in, end, hold, pgx.NamedArgs{"site": site, "bytes": hold.Bytes, "sha256": hold.SHA256, "now": now})
}
