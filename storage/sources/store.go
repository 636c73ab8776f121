// Package sources stores the sources of sites: URLs from which events are read regularly.
package sources

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// Store implements sources.Store.
type Store struct{ db *pg.DB }

// New returns the store.
func New(db *pg.DB) Store { return Store{db} }

var _ sources.Store = Store{}

// columns are the columns that readSource reads.
const columns = `
	id,
	version,
	name,
	kind,
	shown,
	page,
	sealed,
	known,
	every,
	policy,
	gone,
	given,
	filter,
	mapping,
	giver_id,
	active,
	user_id,
	credential_id,
	home,
	read_at,
	success_at,
	next_at,
	problem,
	counts,
	failures,
	failing_since,
	import_id,
	leaving,
	created_at,
	etag,
	modified,
	digest`

func readSource(row pgx.CollectableRow) (*sources.Source, error) {
	w := &sources.Source{}
	var given, filter, mapping, problem, counts []byte
	err := row.Scan(&w.ID, &w.Version, &w.Name, &w.Kind, &w.Shown, &w.Page, &w.Sealed, &w.Known, &w.Every,
		&w.Policy, &w.Gone, &given, &filter, &mapping, &w.Giver, &w.Active, &w.User, &w.Credential, &w.Home,
		(*pg.Sometime)(&w.Read), (*pg.Sometime)(&w.Success), (*pg.Sometime)(&w.Next), &problem, &counts,
		&w.Failures, (*pg.Sometime)(&w.Failing), &w.Running, &w.Leaving, (*pg.UTC)(&w.Created), &w.ETag, &w.Modified, &w.Digest)
	if err != nil {
		return nil, err
	}
	for _, one := range []struct {
		text []byte
		into any
	}{{given, &w.Given}, {filter, &w.Filter}, {mapping, &w.Mapping}, {problem, &w.Problem}, {counts, &w.Counts}} {
		if err := pg.DecodeJSON(one.text, one.into); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// one reads a single source.
func one(into **sources.Source) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		list, err := pgx.CollectRows(rows, readSource)
		if err == nil && len(list) == 0 {
			err = sources.ErrNoSource
		}
		if err == nil {
			*into = list[0]
		}
		return err
	}
}

// List implements sources.Store.
func (s Store) List(ctx context.Context) (list []*sources.Source, version int64, err error) {
	const all = `SELECT` + columns + `
		FROM sources
		WHERE site_id = $1
		  AND NOT leaving
		ORDER BY id`
	const versionOf = `SELECT version FROM sites WHERE id = $1`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(versionOf, site).QueryRow(pg.One(&version))
		b.Queue(all, site).Query(pg.All(&list, readSource))
	})
	return list, version, err
}

const get = `SELECT` + columns + `
	FROM sources
	WHERE site_id = $1
	  AND id = $2
	  AND NOT leaving`

// Get implements sources.Store.
func (s Store) Get(ctx context.Context, id int64) (w *sources.Source, err error) {
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) { b.Queue(get, site, id).Query(one(&w)) })
	return w, err
}

// names writes the names of a site's sources into the site's row.
const names = `
	UPDATE sites
	SET sources = (
	    SELECT COALESCE(jsonb_object_agg(w.id, jsonb_build_object('name', w.name, 'site', w.page)), '{}')
	    FROM sources w
	    WHERE w.site_id = $1
	      AND NOT w.leaving
	)
	WHERE id = $1`

// settle sets when a node checks the sources of a site next: when a source is due or, if two sources are being
// read, when the lease of one of them ends. Sources that follow a site do not count towards the two.
const settle = `
	UPDATE sites
	SET sources_due = (
	    SELECT LEAST(
	           CASE
	           WHEN count(DISTINCT w.lease) FILTER (WHERE w.lease_until > $2 AND NOT w.follows) >= 2
	           THEN min(w.lease_until) FILTER (WHERE w.lease_until > $2 AND NOT w.follows)
	           ELSE min(w.turn) FILTER (WHERE NOT w.follows)
	           END,
	           min(w.turn) FILTER (WHERE w.follows))
	    FROM (
	        SELECT o.site_id,
	               o.import_id,
	               o.lease,
	               o.lease_until,
	               o.kind = '` + sources.Kalends + `' AS follows,
	               CASE WHEN o.lease_until > $2 THEN o.lease_until ELSE o.next_at END AS turn
	        FROM sources o
	    ) w
	    WHERE w.site_id = $1
	      AND w.import_id = 0
	)
	WHERE id = $1`

// row returns the values of a source that people can set.
func row(w *sources.Source) (pgx.NamedArgs, error) {
	given, err := pg.EncodeJSON(w.Given)
	if given == nil {
		none := "{}"
		given = &none
	}
	var filter, mapping *string
	if len(w.Filter) > 0 && err == nil {
		filter, err = pg.EncodeJSON(w.Filter)
	}
	if len(w.Mapping) > 0 && err == nil {
		mapping, err = pg.EncodeJSON(w.Mapping)
	}
	return pgx.NamedArgs{
		"id":         w.ID,
		"version":    w.Version,
		"name":       w.Name,
		"kind":       w.Kind,
		"shown":      w.Shown,
		"page":       w.Page,
		"sealed":     w.Sealed,
		"known":      w.Known,
		"every":      w.Every,
		"policy":     w.Policy,
		"gone":       w.Gone,
		"given":      given,
		"filter":     filter,
		"mapping":    mapping,
		"giver":      w.Giver,
		"active":     w.Active,
		"user":       w.User,
		"credential": w.Credential,
		"home":       w.Home,
		"next":       sometime(w.Next),
		"etag":       w.ETag,
		"modified":   w.Modified,
		"digest":     w.Digest,
	}, err
}

// sometime returns a time, or nil for the zero time.
func sometime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// Create implements sources.Store. The id is the site's version in this write. If another source has the same
// Known, it gives the new source a unique one.
func (s Store) Create(ctx context.Context, w *sources.Source) error {
	const count = `
		SELECT count(*) FILTER (WHERE (kind = 'site') = $3), COALESCE(bool_or(known = $2), false)
		FROM sources
		WHERE site_id = $1`
	const create = `
		INSERT INTO sources (site_id, id, version, name, kind, shown, page, sealed, known, every, policy, gone, given, filter, mapping,
			giver_id, active, user_id, credential_id, home, next_at, created_at)
		VALUES (@site, @id, @id, @name, @kind, @shown, @page, @sealed, @known, @every, @policy, @gone, @given, @filter, @mapping,
			@giver, @active, @user, @credential, @home, @next, @now)`
	return s.db.Write(ctx, func(ctx context.Context, t *pg.Tx) error {
		var have int64
		var twice bool
		if err := t.QueryRow(ctx, count, t.Site, w.Known, w.Kind == sources.Site).Scan(&have, &twice); err != nil {
			return err
		}
		most := int64(sources.Most)
		if w.Kind == sources.Site {
			most = sources.MostSites
		}
		if have >= most {
			return &tenancy.LimitError{What: tenancy.LimitSources, Max: most, Have: have, Want: 1}
		}
		w.ID, w.Version, w.Created = t.Version, t.Version, t.Now
		if twice {
			w.Known = imports.Digest([]any{"source", w.ID})
		}
		a, err := row(w)
		if err != nil {
			return err
		}
		a["site"], a["now"] = t.Site, t.Now
		t.Queue(create, a)
		queueGathering(t.Queue, t.Site, w)
		t.Queue(names, t.Site)
		t.Queue(settle, t.Site, t.Now)
		t.Log("source", w.ID, "create", nil)
		return nil
	})
}

// Update implements sources.Store.
func (s Store) Update(ctx context.Context, id int64, change func(*sources.Source) error) (w *sources.Source, err error) {
	const update = `
		UPDATE sources
		SET version = @version,
		    name = @name,
		    kind = @kind,
		    shown = @shown,
		    page = @page,
		    sealed = @sealed,
		    every = @every,
		    policy = @policy,
		    gone = @gone,
		    given = @given,
		    filter = @filter,
		    mapping = @mapping,
		    giver_id = @giver,
		    active = @active,
		    next_at = @next,
		    etag = @etag,
		    modified = @modified,
		    digest = @digest
		WHERE site_id = @site
		  AND id = @id`
	err = s.db.Write(ctx, func(ctx context.Context, t *pg.Tx) error {
		if w, err = s.within(ctx, t, id); err != nil {
			return err
		}
		before := document(w)
		if err := change(w); err != nil {
			return err
		}
		w.Version = t.Version
		a, err := row(w)
		if err != nil {
			return err
		}
		a["site"] = t.Site
		t.Queue(update, a)
		queueGathering(t.Queue, t.Site, w)
		t.Queue(names, t.Site)
		t.Queue(settle, t.Site, t.Now)
		t.Log("source", id, "update", before.Unlike(document(w)))
		return nil
	})
	return w, err
}

// within reads a source and locks it for a change.
func (s Store) within(ctx context.Context, t *pg.Tx, id int64) (w *sources.Source, err error) {
	rows, err := t.Query(ctx, get+` FOR UPDATE`, t.Site, id)
	if err != nil {
		return nil, err
	}
	return w, one(&w)(rows)
}

// document returns the fields of a source as the history keeps them. It stores only the part of the URL that
// everyone may see.
func document(w *sources.Source) pg.Document {
	return pg.Document{"name": w.Name, "kind": w.Kind, "url": w.Shown, "site": w.Page, "every": w.Every, "policy": w.Policy, "gone": w.Gone,
		"given": w.Given, "filter": map[string]any(w.Filter), "mapping": w.MappingText(), "active": w.Active}
}

// Present returns the fields of a source as the history keeps them, or sources.ErrNoSource.
func (s Store) Present(ctx context.Context, id int64) (pg.Document, error) {
	w, err := s.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	return document(w), nil
}

// Delete implements sources.Store.
func (s Store) Delete(ctx context.Context, id int64, trash bool, cond calendar.Condition) (w *sources.Source, err error) {
	const remove = `
		DELETE FROM sources
		WHERE site_id = $1
		  AND id = $2`
	const leave = `
		UPDATE sources
		SET leaving = true,
		    active = false,
		    user_id = $3,
		    credential_id = $4,
		    next_at = $5,
		    import_id = 0,
		    lease = '',
		    lease_until = NULL
		WHERE site_id = $1
		  AND id = $2`
	const stop = `
		UPDATE imports
		SET state = 'cancelled',
		    finished_at = $3,
		    lease = NULL
		WHERE site_id = $1
		  AND source_id = $2
		  AND state IN ('queued', 'running')`
	who := tenancy.Current(ctx).Principal
	err = s.db.Write(ctx, func(ctx context.Context, t *pg.Tx) error {
		if w, err = s.within(ctx, t, id); err != nil {
			return err
		}
		if err := cond.Check(w.Version); err != nil {
			return err
		}
		t.Queue(stop, t.Site, id, t.Now)
		if trash {
			t.Queue(leave, t.Site, id, who.UserID, who.Credential, t.Now)
		} else {
			t.Queue(remove, t.Site, id)
		}
		t.Queue(names, t.Site)
		t.Queue(settle, t.Site, t.Now)
		t.Log("source", id, "delete", document(w))
		return nil
	})
	return w, err
}

// heed locks the site. Every transaction that changes when its sources are due begins with it.
const heed = `
	SELECT
	FROM sites
	WHERE id = $1
	FOR NO KEY UPDATE`

// Hurry implements sources.Store.
func (s Store) Hurry(ctx context.Context, id int64) (w *sources.Source, err error) {
	const hurry = `
		UPDATE sources
		SET next_at = $3
		WHERE site_id = $1
		  AND id = $2
		  AND NOT leaving`
	err = s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(heed, site)
		b.Queue(hurry, site, id, s.db.Second()).Exec(pg.OneRow(sources.ErrNoSource))
		b.Queue(settle, site, s.db.Second())
		b.Queue(get, site, id).Query(one(&w))
	})
	return w, err
}
