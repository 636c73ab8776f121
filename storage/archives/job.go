package archives

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/jobs"
)

// jobStore implements jobs.Store. Jobs belong to the platform.
type jobStore struct{ db *pg.DB }

// Jobs returns the store of jobs.
func Jobs(db *pg.DB) jobs.Store { return jobStore{db} }

func (s jobStore) platform() pg.Across { return s.db.Across("jobs belong to the platform") }

// jobColumns are the columns that readJob reads.
const jobColumns = `
	id,
	kind,
	state,
	site,
	object,
	keep_days,
	COALESCE(become, '{}'),
	attempt,
	done,
	total,
	bytes,
	sha256,
	problem,
	who,
	via,
	address,
	created_at,
	started_at,
	finished_at,
	purge_at`

// keptUntil is when the result of a job that ends @now is deleted. Workers of a cluster refuse a sum with a time zone where a
// column takes part in it, because what a day is would depend on the session.
const keptUntil = `(@now::timestamptz AT TIME ZONE 'UTC' + keep_days * interval '1 day') AT TIME ZONE 'UTC'`

func readJob(row pgx.CollectableRow) (*jobs.Job, error) {
	j := &jobs.Job{}
	return j, row.Scan(&j.ID, &j.Kind, &j.State, &j.Site, &j.Object, &j.Keep, &j.Become, &j.Attempt, &j.Done, &j.Total, &j.Bytes,
		&j.SHA256, &j.Problem, &j.By.Who, &j.By.Via, &j.By.Address, (*pg.UTC)(&j.Created), (*pg.Sometime)(&j.Started),
		(*pg.Sometime)(&j.Finished), (*pg.Sometime)(&j.Expires))
}

// jobsOf runs a statement that returns jobs.
func (s jobStore) jobsOf(ctx context.Context, sql string, arguments ...any) ([]*jobs.Job, error) {
	rows, err := s.platform().Query(ctx, sql, arguments...)
	if err != nil {
		return nil, s.db.Failure(err)
	}
	list, err := pgx.CollectRows(rows, readJob)
	return list, s.db.Failure(err)
}

// jobOf runs a statement that returns one job. It returns the error none if there is no job.
func (s jobStore) jobOf(ctx context.Context, none error, sql string, arguments ...any) (*jobs.Job, error) {
	list, err := s.jobsOf(ctx, sql, arguments...)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, none
	}
	return list[0], nil
}

// Create stores a job.
func (s jobStore) Create(ctx context.Context, j *jobs.Job, hold *jobs.Hold) error {
	const create = `
		INSERT INTO jobs (kind, state, site, object, keep_days, become, bytes, who, via, address, created_at, lease, lease_until)
		VALUES (@kind, @state, @site, @object, GREATEST(@keep::smallint, 1), @become, @bytes, @who, @via, @address, @now,
		        NULLIF(@lease, ''), CASE WHEN @lease <> '' THEN statement_timestamp() + @for::interval END)
		RETURNING id`
	made := s.db.Second()
	err := pgx.BeginFunc(ctx, s.platform(), func(t pgx.Tx) error {
		err := t.QueryRow(ctx, create, pgx.NamedArgs{
			"kind":    j.Kind,
			"state":   j.State,
			"site":    j.Site,
			"object":  j.Object,
			"keep":    j.Keep,
			"become":  j.Become,
			"bytes":   j.Bytes,
			"who":     j.By.Who,
			"via":     j.By.Via,
			"address": j.By.Address,
			"now":     made,
			"lease":   hold.Key,
			"for":     hold.For,
		}).Scan(&j.ID)
		if err != nil {
			return err
		}
		return platform.NoteRepeatable(ctx, t, "job", j.ID, made)
	})
	if said, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch pg.Constraint(said) {
		case "jobs_export_key":
			return jobs.ErrExporting
		case "jobs_restore_key":
			return jobs.ErrRestoring
		}
	}
	j.Created, hold.Job = made, j.ID
	return s.db.Failure(err)
}

// List returns one page of the jobs, the newest first.
func (s jobStore) List(ctx context.Context, f *jobs.Filter) (page tenancy.Page[jobs.Job], err error) {
	const matching = `
		FROM jobs
		WHERE (@kind = '' OR kind = @kind)
		  AND (@state = '' OR state = @state)
		  AND (@site = '' OR site = @site)`
	const list = `SELECT` + jobColumns + matching + `
		ORDER BY id DESC
		LIMIT @limit
		OFFSET @offset`
	const count = `SELECT count(*)` + matching
	a := pgx.NamedArgs{"kind": f.Kind.Or(""), "state": f.State.Or(""), "site": strings.ToLower(f.Site.Or("")),
		"limit": f.Length(), "offset": (f.Number() - 1) * f.Length()}
	b := &pgx.Batch{}
	b.Queue(list, a).Query(pg.All(&page.Items, readJob))
	b.Queue(count, a).QueryRow(pg.One(&page.Total))
	return page, s.db.Failure(s.platform().Send(ctx, b))
}

// Get returns a job.
func (s jobStore) Get(ctx context.Context, id int64) (*jobs.Job, error) {
	const get = `SELECT` + jobColumns + `
		FROM jobs
		WHERE id = $1`
	return s.jobOf(ctx, jobs.ErrNoJob, get, id)
}

// Copies implements jobs.Store.
func (s jobStore) Copies(ctx context.Context, site int64) ([]*jobs.Job, error) {
	const copies = `SELECT` + jobColumns + `
		FROM jobs
		WHERE object = $1
		  AND kind IN ('export', 'restore')
		ORDER BY id DESC
		LIMIT 200`
	return s.jobsOf(ctx, copies, site)
}

// Cancel cancels a job that has not ended.
func (s jobStore) Cancel(ctx context.Context, id int64) (*jobs.Job, error) {
	const cancel = `
		UPDATE jobs
		SET state = 'cancelled',
		    finished_at = @now,
		    purge_at = ` + keptUntil + `,
		    lease = NULL,
		    lease_until = NULL
		WHERE id = @id
		  AND state IN ('queued', 'running')
		RETURNING` + jobColumns
	now := s.db.Second()
	job, err := s.jobOf(ctx, nil, cancel, pgx.NamedArgs{"id": id, "now": now})
	if job == nil && err == nil {
		return s.Get(ctx, id)
	}
	return job, err
}

// Remove deletes a job that has ended.
func (s jobStore) Remove(ctx context.Context, id int64) error {
	const remove = `
		DELETE FROM jobs
		WHERE id = $1
		  AND finished_at IS NOT NULL`
	tag, err := s.platform().Exec(ctx, remove, id)
	if err == nil && tag.RowsAffected() == 0 {
		return jobs.ErrNoJob
	}
	return s.db.Failure(err)
}

// Expired returns some of the jobs that have expired.
func (s jobStore) Expired(ctx context.Context) ([]*jobs.Job, error) {
	const expired = `SELECT` + jobColumns + `
		FROM jobs
		WHERE purge_at <= $1
		ORDER BY purge_at
		LIMIT 100`
	return s.jobsOf(ctx, expired, s.db.Second())
}

// JobCount is the number of jobs of a kind in a state.
type JobCount struct {
	Kind  jobs.Kind
	State jobs.State
	N     int
}

// JobTotals returns the number of jobs by kind and state, including 0.
func JobTotals(ctx context.Context, db *pg.DB) ([]JobCount, error) {
	const count = `
		SELECT k.kind,
		       s.state,
		       (SELECT count(*) FROM jobs j WHERE j.kind = k.kind AND j.state = s.state)
		FROM unnest(ARRAY['export', 'import', 'restore']) k (kind)
		CROSS JOIN unnest(ARRAY['queued', 'running', 'done', 'failed', 'cancelled']) s (state)`
	rows, err := db.Across("jobs belong to the platform").Query(ctx, count)
	if err != nil {
		return nil, db.Failure(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[JobCount])
	return list, db.Failure(err)
}
