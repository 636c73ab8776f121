package platform

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// plans implements platform.PlanStore. Plans belong to the platform.
type plans struct{ db *pg.DB }

// Plans returns the store of plans.
func Plans(db *pg.DB) platform.PlanStore { return plans{db} }

func (s plans) platform() pg.Across {
	return s.db.Across("plans belong to the platform, and what changes one raises the version of all its sites")
}

// planTerms are the columns of plans p that scanPlan reads.
const planTerms = `
	p.name,
	p.geo,
	COALESCE(p.requests_per_minute, 0),
	p.max_events,
	p.max_occurrences,
	p.max_users,
	p.max_media_bytes,
	p.max_webhooks,
	p.max_letters,
	p.created_at`

// scanPlan reads planTerms. It returns platform.ErrNoPlan if there is no row.
func scanPlan(row pgx.Row) (*platform.Offer, error) {
	o := &platform.Offer{}
	err := row.Scan(&o.Name, &o.Geo, &o.RequestsPerMinute, &o.Events, &o.Occurrences, &o.Users, &o.MediaBytes, &o.Webhooks, &o.Letters,
		(*pg.UTC)(&o.Created))
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, platform.ErrNoPlan
	}
	return o, err
}

// List returns all plans by name.
func (s plans) List(ctx context.Context) ([]*platform.Offer, error) {
	const list = `SELECT` + planTerms + `
		FROM plans p
		ORDER BY p.name`
	rows, err := s.platform().Query(ctx, list)
	if err != nil {
		return nil, s.db.Failure(err)
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*platform.Offer, error) { return scanPlan(row) })
	if err != nil {
		return nil, s.db.Failure(err)
	}
	return found, s.count(ctx, "", found...)
}

// Get returns the plan with this name.
func (s plans) Get(ctx context.Context, name string) (*platform.Offer, error) {
	const get = `SELECT` + planTerms + `
		FROM plans p
		WHERE p.name = $1`
	found, err := scanPlan(s.platform().QueryRow(ctx, get, name))
	if err != nil {
		return nil, s.db.Failure(err)
	}
	return found, s.count(ctx, name, found)
}

// count fills in how many sites are on each plan of the list. If name is set, the list has only that plan. If a
// server of a cluster is down, its sites are not counted and it logs an error, because a plan's limits are known
// without them.
func (s plans) count(ctx context.Context, name string, list ...*platform.Offer) error {
	const used = `
		SELECT s.plan,
		       count(*)
		FROM sites s
		WHERE $1 = ''
		   OR s.plan = $1
		GROUP BY s.plan`
	return s.db.Available(ctx, "the sites of plans are counted, for people", used, []any{name}, func(rows pgx.Rows) error {
		var plan string
		var sites int64
		_, err := pgx.ForEachRow(rows, []any{&plan, &sites}, func() error {
			for _, o := range list {
				if o.Name == plan {
					o.Sites += sites
				}
			}
			return nil
		})
		return err
	})
}

// Create stores a new plan. The primary key refuses a second plan with the same name.
func (s plans) Create(ctx context.Context, p *tenancy.Plan) error {
	const create = `
		INSERT INTO plans (name, geo, requests_per_minute, max_events, max_occurrences, max_users, max_media_bytes,
		                   max_webhooks, max_letters, created_at)
		VALUES (@name, @geo, NULLIF(@requests::integer, 0), @events, @occurrences, @users, @media, @webhooks, @letters, @now)`
	return s.db.Failure(pgx.BeginFunc(ctx, s.platform(), func(t pgx.Tx) error {
		if _, err := t.Exec(ctx, create, s.args(p)); err != nil {
			return err
		}
		return Note(ctx, s.db, t, Change{"plan", "create", 0, p.Name, nil, planDocument(p)})
	}))
}

// Set creates or replaces a plan. If two callers set the same plan, the second waits and replaces it.
func (s plans) Set(ctx context.Context, p *tenancy.Plan, cond tenancy.Condition) (made bool, err error) {
	const create = `
		INSERT INTO plans (name, geo, requests_per_minute, max_events, max_occurrences, max_users, max_media_bytes,
		                   max_webhooks, max_letters, created_at)
		VALUES (@name, @geo, NULLIF(@requests::integer, 0), @events, @occurrences, @users, @media, @webhooks, @letters, @now)
		ON CONFLICT ON CONSTRAINT plans_pkey DO NOTHING`
	err = pgx.BeginFunc(ctx, s.platform(), func(t pgx.Tx) error {
		tag, err := t.Exec(ctx, create, s.args(p))
		if err != nil {
			return err
		}
		if made = tag.RowsAffected() > 0; !made {
			return s.replace(ctx, t, p, cond)
		}
		if err := cond.Check(tenancy.NoVersion); err != nil {
			return err
		}
		return Note(ctx, s.db, t, Change{"plan", "create", 0, p.Name, nil, planDocument(p)})
	})
	return made, s.db.Failure(err)
}

// replace changes an existing plan and raises the versions of all sites on it. The lock prevents a site from
// getting the plan in the meantime, which the statement that raises the versions would not see.
func (s plans) replace(ctx context.Context, t pgx.Tx, p *tenancy.Plan, cond tenancy.Condition) error {
	const lock = `SELECT` + planTerms + `
		FROM plans p
		WHERE p.name = $1
		FOR UPDATE`
	const replace = `
		UPDATE plans
		SET geo = @geo,
		    requests_per_minute = NULLIF(@requests::integer, 0),
		    max_events = @events,
		    max_occurrences = @occurrences,
		    max_users = @users,
		    max_media_bytes = @media,
		    max_webhooks = @webhooks,
		    max_letters = @letters
		WHERE name = @name`
	const raise = `
		UPDATE sites
		SET version = version + 1,
		    changed_at = GREATEST(changed_at, statement_timestamp())
		WHERE plan = $1`
	old, err := scanPlan(t.QueryRow(ctx, lock, p.Name))
	if err != nil {
		return err
	}
	if err := cond.Check(old.Mark()); err != nil {
		return err
	}
	before, now := planDocument(&old.Plan), planDocument(p)
	if len(before.Unlike(now)) == 0 {
		return nil
	}
	if _, err := t.Exec(ctx, replace, s.args(p)); err != nil {
		return err
	}
	if _, err := t.Exec(ctx, raise, p.Name); err != nil {
		return err
	}
	return Note(ctx, s.db, t, Change{"plan", "update", 0, p.Name, before.Unlike(now), now.Unlike(before)})
}

// args are the values of a plan's row.
func (s plans) args(p *tenancy.Plan) pgx.NamedArgs {
	return pgx.NamedArgs{"name": p.Name, "geo": p.Geo, "requests": p.RequestsPerMinute, "events": p.Events, "occurrences": p.Occurrences,
		"users": p.Users, "media": p.MediaBytes, "webhooks": p.Webhooks, "letters": p.Letters, "now": s.db.Second()}
}

// Delete removes a plan that no site is on.
func (s plans) Delete(ctx context.Context, name string, cond tenancy.Condition) (*platform.Offer, error) {
	const remove = `
		DELETE FROM plans p
		WHERE p.name = $1
		RETURNING` + planTerms
	var last *platform.Offer
	err := pgx.BeginFunc(ctx, s.platform(), func(t pgx.Tx) (err error) {
		if last, err = scanPlan(t.QueryRow(ctx, remove, name)); err != nil {
			return err
		}
		if err := cond.Check(last.Mark()); err != nil {
			return err
		}
		return Note(ctx, s.db, t, Change{"plan", "delete", 0, name, planDocument(&last.Plan), nil})
	})
	var said *pgconn.PgError
	if errors.As(err, &said) && pg.Constraint(said) == "sites_plan_fkey" {
		return nil, platform.ErrPlanInUse
	}
	return last, s.db.Failure(err)
}

// planDocument returns a plan as the history keeps it. A missing limit is null.
func planDocument(p *tenancy.Plan) pg.Document {
	requests := any(nil)
	if p.RequestsPerMinute > 0 {
		requests = p.RequestsPerMinute
	}
	return pg.Document{"name": p.Name, "geo": p.Geo, "events": p.Events, "occurrences": p.Occurrences, "users": p.Users,
		"media_bytes": p.MediaBytes, "webhooks": p.Webhooks, "letters": p.Letters, "requests_per_minute": requests}
}
