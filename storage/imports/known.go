package imports

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/storage/pg"
)

// Identities implements imports.Store. It looks up each event by its key, even if Postgres underestimates the size
// of the site.
func (s store) Identities(ctx context.Context, source []byte) (list []*imports.Identity, err error) {
	const known = `
		SELECT i.uid,
		       i.recurrence,
		       i.event_id,
		       i.date_id,
		       i.place,
		       i.digest,
		       i.sequence,
		       i.modified,
		       i.version,
		       i.kept,
		       COALESCE(e.status, ''),
		       e.rules IS NOT NULL,
		       COALESCE(e.title, ''),
		       e.start_local,
		       COALESCE(e.source_id, 0)
		FROM import_identities i
		LEFT JOIN LATERAL (
		    SELECT *
		    FROM events
		    WHERE site_id = $1
		      AND events.id = i.event_id
		    OFFSET 0) e ON true
		WHERE i.site_id = $1
		  AND i.source = $2
		ORDER BY i.uid, i.recurrence`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(known, site, source).Query(pg.All(&list, func(row pgx.CollectableRow) (*imports.Identity, error) {
			i := &imports.Identity{}
			return i, row.Scan(&i.UID, &i.Recurrence, &i.Event, &i.Date, &i.Place, &i.Digest, &i.Sequence, (*pg.Sometime)(&i.Modified),
				&i.Version, &i.Kept, &i.Status, &i.Series, &i.Title, (*pg.Sometime)(&i.Start), &i.Origin)
		}))
	})
	return list, err
}

// WarnedBefore implements imports.Store.
func (s store) WarnedBefore(ctx context.Context, source []byte, id int64, code string) (warned bool, err error) {
	const before = `
		SELECT EXISTS (
		    SELECT
		    FROM import_entries e
		    WHERE e.site_id = $1
		      AND e.import_id = (
		        SELECT max(i.id)
		        FROM imports i
		        WHERE i.site_id = $1
		          AND i.id < $2
		          AND i.source = $3
		          AND i.state = 'done'
		          AND NOT i.dry_run)
		      AND e.found -> 'warnings' @> jsonb_build_array(jsonb_build_object('code', $4::text)))`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(before, site, id, source, code).QueryRow(pg.One(&warned))
	})
	return warned, err
}

// Said implements imports.Store.
func (s store) Said(ctx context.Context, source []byte, list []*imports.Identity) error {
	const said = `
		SELECT w.n,
		       i.said
		FROM unnest($3::text[], $4::text[]) WITH ORDINALITY w (uid, recurrence, n)
		JOIN import_identities i ON i.site_id = $1 AND i.source = $2 AND i.uid = w.uid AND i.recurrence = w.recurrence`
	uids, recurrences := make([]string, len(list)), make([]string, len(list))
	for n, id := range list {
		uids[n], recurrences[n] = id.UID, id.Recurrence
	}
	return s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		var n int
		var text []byte
		b.Queue(said, site, source, uids, recurrences).
			Query(pg.Each([]any{&n, &text}, func() error { return pg.DecodeJSON(text, &list[n-1].Said) }))
	})
}

// titlesIn is SQL for the names of an entry in other languages, or null.
const titlesIn = `(
		           SELECT jsonb_object_agg(l.key, l.value -> 'title')
		           FROM jsonb_each(translations) l
		           WHERE l.value ->> 'title' <> '')`

// Names implements imports.Store.
func (s store) Names(ctx context.Context) (*imports.Named, error) {
	const venues = `
		SELECT id, name, address, city, status, COALESCE(author, 0), ` + titlesIn + `
		FROM venues
		WHERE site_id = $1
		  AND status <> 'trash'
		ORDER BY id`
	const organizers = `
		SELECT id, name, '', '', status, COALESCE(author, 0), ` + titlesIn + `
		FROM organizers
		WHERE site_id = $1
		  AND status <> 'trash'
		ORDER BY id`
	const terms = `
		SELECT id, name, '', '', 'publish', 0, ` + titlesIn + `
		FROM terms
		WHERE site_id = $1
		  AND taxonomy = $2
		ORDER BY id`
	n := &imports.Named{}
	read := pgx.RowToStructByPos[imports.NamedPlace]
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(venues, site).Query(pg.All(&n.Venues, read))
		b.Queue(organizers, site).Query(pg.All(&n.Organizers, read))
		b.Queue(terms, site, string(calendar.Categories)).Query(pg.All(&n.Categories, read))
		b.Queue(terms, site, string(calendar.Tags)).Query(pg.All(&n.Tags, read))
	})
	return n, err
}

// Alike implements imports.Store.
func (s store) Alike(ctx context.Context, from, to time.Time) (list []imports.Alike, err error) {
	const alike = `
		SELECT e.id,
		       e.title,
		       e.start_local,
		       e.venue_ids,
		       e.rules IS NOT NULL
		FROM events e
		WHERE e.site_id = $1
		  AND e.series_id IS NULL
		  AND e.start_local BETWEEN $2 AND $3
		  AND e.status <> 'trash'
		ORDER BY e.id`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(alike, site, from, to).Query(pg.All(&list, pgx.RowToStructByPos[imports.Alike]))
	})
	return list, err
}

// WithUID implements imports.Store.
func (s store) WithUID(ctx context.Context, uids []string) (map[string]int64, error) {
	const with = `
		SELECT u.uid,
		       e.id
		FROM unnest($2::text[]) u (uid)
		CROSS JOIN LATERAL (
		    SELECT *
		    FROM events
		    WHERE site_id = $1
		      AND events.uid = u.uid
		      AND events.uid <> ''
		    OFFSET 0) e
		WHERE e.series_id IS NULL
		  AND e.status <> 'trash'`
	ids := map[string]int64{}
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		var uid string
		var id int64
		b.Queue(with, site, uids).Query(pg.Each([]any{&uid, &id}, func() error { ids[uid] = id; return nil }))
	})
	return ids, err
}

// Made implements imports.Store.
func (s store) Made(ctx context.Context, id int64) (unused, used []imports.Made, err error) {
	const made = `
		SELECT m.kind,
		       m.id,
		       COALESCE(v.name, g.name, c.name),
		       CASE m.kind
		           WHEN 'venue' THEN EXISTS (
		               SELECT
		               FROM event_venues l
		               JOIN events e ON e.site_id = $1 AND e.id = l.event_id AND e.status <> 'trash'
		               WHERE l.site_id = $1 AND l.venue_id = m.id)
		           WHEN 'organizer' THEN EXISTS (
		               SELECT
		               FROM event_organizers l
		               JOIN events e ON e.site_id = $1 AND e.id = l.event_id AND e.status <> 'trash'
		               WHERE l.site_id = $1 AND l.organizer_id = m.id)
		           ELSE EXISTS (
		               SELECT
		               FROM event_terms l
		               JOIN events e ON e.site_id = $1 AND e.id = l.event_id AND e.status <> 'trash'
		               WHERE l.site_id = $1 AND l.term_id = m.id)
		           OR EXISTS (SELECT FROM terms b WHERE b.site_id = $1 AND b.parent_id = m.id)
		       END
		FROM import_made m
		LEFT JOIN venues v ON m.kind = 'venue' AND v.site_id = $1 AND v.id = m.id AND v.status <> 'trash'
		LEFT JOIN organizers g ON m.kind = 'organizer' AND g.site_id = $1 AND g.id = m.id AND g.status <> 'trash'
		LEFT JOIN terms c ON m.kind IN ('category', 'tag') AND c.site_id = $1 AND c.id = m.id
		WHERE m.site_id = $1
		  AND m.import_id = $2
		  AND COALESCE(v.id, g.id, c.id) IS NOT NULL
		ORDER BY m.kind, m.id`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		unused, used = nil, nil
		var m imports.Made
		var uses bool
		b.Queue(made, site, id).Query(pg.Each([]any{&m.Kind, &m.ID, &m.Name, &uses}, func() error {
			if uses {
				used = append(used, m)
			} else {
				unused = append(unused, m)
			}
			return nil
		}))
	})
	return unused, used, err
}
