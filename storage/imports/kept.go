package imports

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/storage/pg"
)

// changedSince joins the changes c made after w.after to the event w.id or to dates of that series, except changes
// by imports and by the schedule. k has the changed fields.
const changedSince = `
		CROSS JOIN LATERAL (
			SELECT w.id
			UNION
			SELECT x.id
			FROM events x
			WHERE x.site_id = $1
			  AND x.series_id = w.id
		) of
		JOIN changes c ON c.site_id = $1 AND c.kind = 'event' AND c.id = of.id AND c.version > w.after AND c.action <> 'create'
		LEFT JOIN LATERAL jsonb_object_keys(c.before) k (name) ON true
		WHERE c.via NOT IN ('import', 'schedule')
		  AND COALESCE(k.name, 'status') NOT IN ('slug', 'series')`

// Kept implements imports.Store.
func (s store) Kept(ctx context.Context, after map[int64]int64) (imports.Kept, error) {
	const since = `
		SELECT DISTINCT w.id, COALESCE(k.name, 'status')
		FROM unnest($2::bigint[], $3::bigint[]) w (id, after)` + changedSince + `
		ORDER BY 1, 2`
	ids, versions := make([]int64, 0, len(after)), make([]int64, 0, len(after))
	for id, version := range after {
		ids, versions = append(ids, id), append(versions, version)
	}
	kept := imports.Kept{}
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) { b.Queue(since, site, ids, versions).Query(keptFields(kept)) })
	return kept, err
}

// keptFields reads names of fields by event.
func keptFields(kept imports.Kept) func(pgx.Rows) error {
	var id int64
	var name string
	return pg.Each([]any{&id, &name}, func() error { kept[id] = append(kept[id], name); return nil })
}

// identityOf finds the identities i of events q in their sources. The identity of a whole series has no recurrence.
const identityOf = `
		JOIN sources o ON o.site_id = $1 AND o.id = q.source
		JOIN import_identities i ON i.site_id = $1 AND i.source = o.known AND i.event_id = q.whole
		 AND (q.id = q.whole AND i.recurrence = '' OR q.id <> q.whole AND i.date_id = q.id)`

// KeptNow implements imports.Store.
func (s store) KeptNow(ctx context.Context, list []imports.Sourced) (imports.Kept, error) {
	const now = `
		WITH w AS (
			SELECT q.id, i.version AS after, i.kept, i.said
			FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) q (id, whole, source)` + identityOf + `
			WHERE o.policy <> 'replace'
		), fields AS (
			SELECT w.id, f.name
			FROM w
			CROSS JOIN LATERAL unnest(w.kept) f (name)
			UNION
			SELECT w.id, COALESCE(k.name, 'status')
			FROM w` + changedSince + `
		)
		SELECT f.id, f.name
		FROM fields f
		JOIN w ON w.id = f.id AND w.said ? f.name
		ORDER BY 1, 2`
	kept := imports.Kept{}
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		ids, wholes, sources := columnsOf(list)
		b.Queue(now, site, ids, wholes, sources).Query(keptFields(kept))
	})
	return kept, err
}

func columnsOf(list []imports.Sourced) (ids, wholes, sources []int64) {
	for _, of := range list {
		ids, wholes, sources = append(ids, of.Event), append(wholes, of.Whole), append(sources, of.Source)
	}
	return ids, wholes, sources
}

// SaidOf implements imports.Store.
func (s store) SaidOf(ctx context.Context, of imports.Sourced) (*imports.Saying, error) {
	const said = `
		SELECT i.said,
		       o.kind,
		       o.known
		FROM (VALUES ($2::bigint, $3::bigint, $4::bigint)) q (id, whole, source)` + identityOf
	saying := &imports.Saying{}
	var text []byte
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(said, site, of.Event, of.Whole, of.Source).QueryRow(pg.One(&text, &saying.Kind, &saying.Known))
	})
	if err != nil {
		return nil, err
	}
	return saying, pg.DecodeJSON(text, &saying.Said)
}

// TakeBack records, in the transaction of an update, that fields of an event follow its source again. Other fields
// that people changed before this update keep their values. It returns calendar.ErrPrecondition if the source is
// gone.
func TakeBack(ctx context.Context, t *pg.Tx) error {
	back := imports.ReturnOf(ctx)
	if back == nil {
		return nil
	}
	const known = `
		SELECT i.uid, i.recurrence, i.source
		FROM (VALUES ($2::bigint, $3::bigint, $4::bigint)) q (id, whole, source)` + identityOf
	const free = `
		UPDATE import_identities i
		SET kept = ARRAY(
		        SELECT f.name
		        FROM (
		            SELECT unnest(i.kept)
		            UNION
		            SELECT unnest($5::text[])
		            UNION
		            SELECT COALESCE(k.name, 'status')
		            FROM (VALUES ($6::bigint, i.version)) w (id, after)` + changedSince + `
		        ) f (name)
		        WHERE f.name <> ALL ($7::text[])),
		    version = $8
		WHERE i.site_id = $1
		  AND i.source = $2
		  AND i.uid = $3
		  AND i.recurrence = $4`
	var uid, recurrence string
	var source []byte
	err := t.QueryRow(ctx, known, t.Site, back.Event, back.Whole, back.Source).Scan(&uid, &recurrence, &source)
	if errors.Is(err, pgx.ErrNoRows) {
		return calendar.ErrPrecondition
	}
	if err != nil {
		return err
	}
	more := map[string]bool{}
	for _, c := range t.Changes() {
		replaced := map[string]json.RawMessage{}
		if c.Kind == "event" && c.Action != "create" && c.Replaced() != nil && json.Unmarshal(c.Replaced(), &replaced) == nil {
			for name := range replaced {
				more[name] = true
			}
		}
	}
	delete(more, "slug")
	delete(more, "series")
	t.Queue(free, t.Site, source, uid, recurrence, slices.Sorted(maps.Keys(more)), back.Event, back.Fields, t.Version)
	return nil
}
