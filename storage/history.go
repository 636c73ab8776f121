package storage

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/calendar/webhooks"
	accountstore "github.com/kalends/kalends/storage/accounts"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/places"
	platformstore "github.com/kalends/kalends/storage/platform"
	sourcestore "github.com/kalends/kalends/storage/sources"
	"github.com/kalends/kalends/storage/terms"
	hookstore "github.com/kalends/kalends/storage/webhooks"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// history implements tenancy.HistoryStore.
type history struct{ db *DB }

// History implements calendar.Store and platform.Store.
func (db *DB) History() tenancy.HistoryStore { return history{db} }

// entryColumns are the columns of changes c that readEntry reads.
const entryColumns = `
	c.version,
	c.n,
	c.kind,
	c.id,
	c.at,
	c.action,
	c.user_id,
	c.who,
	c.via,
	c.via_name,
	c.address,
	c.before,
	COALESCE((
	    SELECT u.name
	    FROM users u
	    WHERE u.site_id = c.site_id
	      AND u.id = c.user_id
	      AND c.version > (SELECT r.replaced_version FROM sites r WHERE r.id = c.site_id)), '')`

// replacedAt is SQL for the version at which the site was replaced by an archive of another site. Entries up to
// this version are about former objects and users; the present ones may have the same ids (ADR 340).
const replacedAt = `SELECT r.replaced_version FROM sites r WHERE r.id = @site`

func readEntry(row pgx.CollectableRow) (tenancy.Entry, error) {
	e := tenancy.Entry{}
	err := row.Scan(entryRow(&e)...)
	return e, err
}

// entryRow returns the destinations of entryColumns.
func entryRow(e *tenancy.Entry) []any {
	return []any{&e.Position.Version, &e.Position.N, &e.Position.Kind, &e.Position.ID, (*pg.UTC)(&e.At), &e.Action, &e.UserID,
		&e.Who, &e.Via, &e.Key, &e.Address, &e.Before, &e.Person}
}

// readableName is the condition that @reader may know the name of an event, venue or organizer o. A @reader of 0
// may read everything.
const readableName = ` AND (@reader::bigint = 0 OR o.author = @reader OR o.status = 'publish')`

// calledNow is SQL for the present name of an entry's object. A date of a series has the name of the series. It is
// "" for deleted and replaced objects, objects without a name, and names that @reader may not know.
const calledNow = `
	COALESCE(CASE WHEN c.version > (` + replacedAt + `) THEN CASE c.kind
	    WHEN 'event' THEN COALESCE(
	        (SELECT o.title FROM events o WHERE o.site_id = @site AND o.id = c.id` + readableName + `),
	        (SELECT o.title FROM events o WHERE o.site_id = @site AND o.id = (c.before -> 'series' ->> 'id')::bigint` + readableName + `))
	    WHEN 'report' THEN (SELECT o.title FROM events o WHERE o.site_id = @site AND o.id = c.id` + readableName + `)
	    WHEN 'venue' THEN (SELECT o.name FROM venues o WHERE o.site_id = @site AND o.id = c.id` + readableName + `)
	    WHEN 'organizer' THEN (SELECT o.name FROM organizers o WHERE o.site_id = @site AND o.id = c.id` + readableName + `)
	    WHEN 'category' THEN (SELECT o.name FROM terms o WHERE o.site_id = @site AND o.id = c.id)
	    WHEN 'tag' THEN (SELECT o.name FROM terms o WHERE o.site_id = @site AND o.id = c.id)
	    WHEN 'image' THEN (SELECT o.file FROM images o WHERE o.site_id = @site AND o.id = c.id)
	    WHEN 'user' THEN (SELECT COALESCE(NULLIF(o.name, ''), o.login) FROM users o WHERE o.site_id = @site AND o.id = c.id)
	    WHEN 'key' THEN (SELECT o.name FROM credentials o WHERE o.site_id = @site AND o.id = c.id)
	END END, '')`

// titled is the condition that the present or a former name of the object of an entry c has @titled in it.
const titled = `(strpos(lower(concat_ws(' ', c.before ->> 'title', c.before ->> 'name',
	        c.before ->> 'venue', c.before ->> 'organizer')), @titled) > 0
	    OR c.version > (` + replacedAt + `) AND (
	        c.kind IN ('event', 'report') AND c.id IN (
	            SELECT o.id FROM events o WHERE o.site_id = @site AND strpos(lower(o.title), @titled) > 0` + readableName + `)
	        OR c.kind = 'venue' AND c.id IN (
	            SELECT o.id FROM venues o WHERE o.site_id = @site AND strpos(lower(o.name), @titled) > 0` + readableName + `)
	        OR c.kind = 'organizer' AND c.id IN (
	            SELECT o.id FROM organizers o WHERE o.site_id = @site AND strpos(lower(o.name), @titled) > 0` + readableName + `)
	        OR c.kind IN ('category', 'tag') AND c.id IN (
	            SELECT o.id FROM terms o WHERE o.site_id = @site AND strpos(lower(o.name), @titled) > 0)))`

// entryConditions are the conditions of a HistoryQuery on changes c of the site.
const entryConditions = `
	(@who = '' OR lower(c.who) = @who
	    OR c.version > (` + replacedAt + `) AND c.user_id IN (SELECT u.id FROM users u WHERE u.site_id = @site AND lower(u.name) = @who))
	AND (@kind = '' OR c.kind = @kind)
	AND (@action = '' OR c.action = @action)
	AND (@id::bigint = 0 OR c.id = @id)
	AND (@user::bigint = 0 OR c.user_id = @user AND c.version > (` + replacedAt + `))
	AND (NOT @quiet::boolean OR c.kind <> 'session' OR c.via = 'support')
	AND (@titled::text = '' OR ` + titled + `)
	AND (@from::timestamptz IS NULL OR c.at >= @from)
	AND (@before::timestamptz IS NULL OR c.at < @before)`

// List returns entries of a site, the newest first, with the present names of their objects.
func (s history) List(ctx context.Context, q tenancy.HistoryQuery) (list []tenancy.Entry, err error) {
	const query = `SELECT` + entryColumns + `,` + calledNow + `
		FROM changes c
		WHERE c.site_id = @site
		  AND ` + entryConditions + `
		  AND (c.version, c.n, c.kind, c.id) < (@version, @n, @after_kind, @after_id)
		  AND c.version >= @write_version
		  AND (@write_version::bigint = 0 OR c.version = @write_version AND c.n = @write_n AND c.user_id = @write_user)
		ORDER BY c.version DESC, c.n DESC, c.kind DESC, c.id DESC
		LIMIT @limit`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		a := historyArgs(q)
		a["site"] = site
		b.Queue(query, a).Query(pg.All(&list, func(row pgx.CollectableRow) (tenancy.Entry, error) {
			e := tenancy.Entry{}
			err := row.Scan(append(entryRow(&e), &e.Called)...)
			return e, err
		}))
	})
	return list, err
}

func historyArgs(q tenancy.HistoryQuery) pgx.NamedArgs {
	after := tenancy.Position{Version: 1<<63 - 1}
	if q.After != nil {
		after = *q.After
	}
	write := tenancy.Position{}
	if q.Write != nil {
		write = *q.Write
	}
	return pgx.NamedArgs{"user": q.User, "reader": q.Reader, "write_version": write.Version, "write_n": write.N, "write_user": write.ID,
		"version": after.Version, "n": after.N, "after_kind": after.Kind, "after_id": after.ID,
		"who": q.Who, "kind": q.Kind, "action": q.Action, "id": q.ID, "titled": q.Titled, "quiet": q.Quiet,
		"from": someTime(q.From), "before": someTime(q.Before),
		"limit": q.Limit, "floor": cmp.Or(q.Floor, -1)} // changes before the first version have version 0
}

// someTime is an instant, or NULL for none.
func someTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// Of implements tenancy.HistoryStore. The index that finds the entries does not include the entry that created the
// object, so that one is looked up separately, by the primary key.
func (s history) Of(ctx context.Context, kind string, id, version int64) (list []tenancy.Entry, now map[string]any, err error) {
	const then = `
		  AND (c.version > (SELECT r.replaced_version FROM sites r WHERE r.id = $1))
		    = ($4 > (SELECT r.replaced_version FROM sites r WHERE r.id = $1))`
	const changed = `SELECT` + entryColumns + `
		FROM changes c
		WHERE c.site_id = $1
		  AND c.kind = $2
		  AND c.id = $3
		  AND c.action <> 'create'` + then + `
		ORDER BY c.version DESC, c.n DESC
		LIMIT 1000`
	const made = `SELECT` + entryColumns + `
		FROM changes c
		WHERE c.site_id = $1
		  AND c.kind = $2
		  AND c.id = $3
		  AND c.action = 'create'` + then + `
		ORDER BY c.version DESC
		LIMIT 1`
	const gone = `SELECT $2 <= replaced_version FROM sites WHERE id = $1`
	replaced := false
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(gone, site, version).QueryRow(pg.One(&replaced))
		for _, sql := range []string{changed, made} {
			b.Queue(sql, site, kind, id, version).Query(pg.More(&list, readEntry))
		}
	})
	if err != nil || replaced {
		return list, nil, err
	}
	now, err = s.there(ctx, kind, id)
	return list, now, err
}

// there is like now, but returns nil for a deleted object.
func (s history) there(ctx context.Context, kind string, id int64) (map[string]any, error) {
	now, err := s.now(ctx, kind, id)
	if errors.Is(err, calendar.ErrNotFound) || errors.Is(err, calendar.ErrWrongType) || errors.Is(err, accounts.ErrNoUser) ||
		errors.Is(err, accounts.ErrNoPasskey) || errors.Is(err, webhooks.ErrNoWebhook) || errors.Is(err, sources.ErrNoSource) {
		return nil, nil //nolint:nilnil // it is no error
	}
	return now, err
}

// Last returns, for each of these objects, its last entry with an action other than "create".
func (s history) Last(ctx context.Context, kind, action string, ids []int64) (map[int64]tenancy.Entry, error) {
	const query = `SELECT` + entryColumns + `
		FROM unnest($4::bigint[]) i (id)
		CROSS JOIN LATERAL (
		    SELECT *
		    FROM changes c
		    WHERE c.site_id = $1
		      AND c.kind = $2
		      AND c.id = i.id
		      AND c.action = $3
		      AND c.action <> 'create'
		      AND c.version > (SELECT r.replaced_version FROM sites r WHERE r.id = $1)
		    ORDER BY c.version DESC, c.n DESC
		    LIMIT 1
		) c`
	return s.byObject(ctx, query, kind, action, ids)
}

// byObject returns the entries that a query finds for objects of a kind, by object ID. The query returns at most
// one entry for each.
func (s history) byObject(ctx context.Context, query, kind string, arguments ...any) (found map[int64]tenancy.Entry, err error) {
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		found = map[int64]tenancy.Entry{}
		b.Queue(query, append([]any{site, kind}, arguments...)...).Query(func(rows pgx.Rows) error {
			list, err := pgx.CollectRows(rows, readEntry)
			for _, e := range list {
				found[e.Position.ID] = e
			}
			return err
		})
	})
	return found, err
}

// At implements tenancy.HistoryStore.
func (s history) At(ctx context.Context, kind string, versions map[int64]int64) (map[int64]tenancy.Entry, error) {
	const query = `SELECT` + entryColumns + `
		FROM unnest($3::bigint[], $4::bigint[]) i (id, version)
		CROSS JOIN LATERAL (
		    SELECT *
		    FROM changes c
		    WHERE c.site_id = $1
		      AND c.version = i.version
		      AND c.kind = $2
		      AND c.id = i.id
		      AND c.version > (SELECT r.replaced_version FROM sites r WHERE r.id = $1)
		    ORDER BY c.n DESC
		    LIMIT 1
		) c`
	ids := slices.Collect(maps.Keys(versions))
	at := make([]int64, 0, len(ids))
	for _, id := range ids {
		at = append(at, versions[id])
	}
	return s.byObject(ctx, query, kind, ids, at)
}

// Since implements tenancy.HistoryStore.
func (s history) Since(ctx context.Context, kind string, ids []int64, version int64) (
	since map[int64]tenancy.Later, asOf int64, err error) {
	const query = `SELECT` + entryColumns + `
		FROM unnest($3::bigint[]) i (id)
		CROSS JOIN LATERAL (
		    SELECT *
		    FROM changes c
		    WHERE c.site_id = $1
		      AND c.kind = $2
		      AND c.id = i.id
		      AND c.version > $4
		      AND c.version > (SELECT r.replaced_version FROM sites r WHERE r.id = $1)
		      AND c.action <> 'create'
		    ORDER BY c.version DESC, c.n DESC
		    LIMIT 1000
		) c`
	var entries []tenancy.Entry
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(`SELECT version FROM sites WHERE id = $1`, site).QueryRow(pg.One(&asOf))
		b.Queue(query, site, kind, ids, version).Query(pg.All(&entries, readEntry))
	})
	if err != nil {
		return nil, 0, err
	}
	since = map[int64]tenancy.Later{}
	found, err := s.several(ctx, kind, ids)
	if err != nil {
		return nil, 0, err
	}
	for _, id := range ids {
		now := found[id]
		if now == nil {
			if now, err = s.there(ctx, kind, id); err != nil {
				return nil, 0, err
			}
		}
		if now != nil {
			since[id] = tenancy.Later{Now: now}
		}
	}
	for _, e := range entries {
		if later, there := since[e.Position.ID]; there {
			later.Entries = append(later.Entries, e)
			since[e.Position.ID] = later
		}
	}
	return since, asOf, nil
}

// several returns the present fields of objects, if this kind can be read in bulk. It leaves out occurrences that
// do not differ from their series.
func (s history) several(ctx context.Context, kind string, ids []int64) (map[int64]map[string]any, error) {
	if kind != "event" {
		return nil, nil //nolint:nilnil // each is read on its own
	}
	list, _, err := s.db.Events().Several(ctx, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[int64]map[string]any, len(list))
	for _, e := range list {
		if found[e.ID], err = fieldsOf(events.Document(e), nil); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// now returns the present fields of an object as the history keeps them, or nil for an object without fields of its own.
func (s history) now(ctx context.Context, kind string, id int64) (map[string]any, error) {
	key := calendar.Key{ID: id}
	switch kind {
	case "event":
		return present(events.Document)(s.db.Events().Get(ctx, key))
	case "venue":
		return present(places.Venues.Document)(s.db.Venues().Get(ctx, key))
	case "organizer":
		return present(places.Organizers.Document)(s.db.Organizers().Get(ctx, key))
	case "category", "tag":
		return present(terms.Document)(s.db.Terms(calendar.Taxonomy(kind)).Get(ctx, id))
	case "image":
		return present(content.ImageDocument)(s.db.Images().Get(ctx, id))
	case "user", "passkey":
		kept, err := accountstore.Present(ctx, s.db.Engine(), kind, id)
		return fieldsOf(kept, err)
	case "webhook":
		kept, err := hookstore.New(s.db.Engine()).Present(ctx, id)
		return fieldsOf(kept, err)
	case "source":
		kept, err := sourcestore.New(s.db.Engine()).Present(ctx, id)
		return fieldsOf(kept, err)
	case "site":
		kept, err := platformstore.Present(ctx, s.db.Engine())
		return fieldsOf(kept, err)
	}
	return nil, nil //nolint:nilnil // no fields, no error
}

// present turns the result of a read into its document, as decoded JSON.
func present[T any](keep func(*T) pg.Document) func(*T, error) (map[string]any, error) {
	return func(object *T, err error) (map[string]any, error) {
		if err != nil {
			return nil, err
		}
		return fieldsOf(keep(object), nil)
	}
}

// fieldsOf encodes a document and returns its fields as decoded JSON.
func fieldsOf(kept pg.Document, err error) (map[string]any, error) {
	if err != nil {
		return nil, err
	}
	fields := map[string]any{}
	return fields, json.Unmarshal([]byte(*kept.Text()), &fields)
}

// Provider returns entries of the provider's history, the newest first.
func (s history) Provider(ctx context.Context, q tenancy.HistoryQuery) ([]tenancy.Entry, error) {
	const query = `
		SELECT c.id,
		       c.kind,
		       c.object,
		       c.at,
		       c.action,
		       c.who,
		       c.via,
		       c.address,
		       c.name,
		       c.before,
		       c.after
		FROM provider_changes c
		WHERE c.id < @version
		  AND (@who = '' OR lower(c.who) = @who)
		  AND (@kind = '' OR c.kind = @kind)
		  AND (@action = '' OR c.action = @action)
		  AND (@id::bigint = 0 OR c.object = @id)
		  AND (NOT @quiet::boolean OR c.kind <> 'session' OR c.via = 'support')
		  AND (@from::timestamptz IS NULL OR c.at >= @from)
		  AND (@before::timestamptz IS NULL OR c.at < @before)
		ORDER BY c.id DESC
		LIMIT @limit`
	rows, err := s.db.Across("the history of the provider belongs to the platform").Query(ctx, query, historyArgs(q))
	if err != nil {
		return nil, s.db.Failure(err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (e tenancy.Entry, err error) {
		err = row.Scan(&e.Position.Version, &e.Position.Kind, &e.Position.ID, (*pg.UTC)(&e.At), &e.Action, &e.Who, &e.Via, &e.Address,
			&e.Object, &e.Before, &e.After)
		return e, err
	})
	return list, s.db.Failure(err)
}
