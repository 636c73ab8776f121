package storage

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// merger is what the merge of venues or of organizers needs to know of them.
type merger[T any] struct {
	kind     string
	note     string // see queueUnlinked
	relink   string // links events to $2 that are linked to any of $3; $4 is the version
	remove   string
	load     func(*tx, context.Context, calendar.Key) (*T, error)
	store    func(t *tx, ctx context.Context, was, now *T) error
	post     func(*T) *calendar.Post
	document func(*T) document
}

// merge implements calendar.PlaceStore.
func (m *merger[T]) merge(ctx context.Context, db *DB, keep int64, others []int64, change func(*T, []*T) error) (*T, int, error) {
	var kept *T
	var moved int
	err := db.write(ctx, func(ctx context.Context, t *tx) (err error) {
		kept, moved, err = m.within(ctx, t, keep, others, change)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	return kept, moved, nil
}

func (m *merger[T]) within(ctx context.Context, t *tx, keep int64, others []int64, change func(*T, []*T) error) (*T, int, error) {
	kept, err := m.load(t, ctx, calendar.Key{ID: keep})
	if err != nil {
		return nil, 0, err
	}
	gone := make([]*T, 0, len(others))
	for _, id := range others {
		one, err := m.load(t, ctx, calendar.Key{ID: id})
		if err != nil {
			return nil, 0, err
		}
		gone = append(gone, one)
	}
	was := *kept
	if err := change(kept, gone); err != nil {
		return nil, 0, err
	}
	moved, err := t.relink(ctx, m.note, m.kind, m.relink, keep, others)
	if err != nil {
		return nil, 0, err
	}
	if err := m.store(t, ctx, &was, kept); err != nil {
		return nil, 0, err
	}
	for _, one := range gone {
		p := m.post(one)
		t.unplanPlace(m.kind, p.ID)
		t.redirect(m.kind, p.Slug, keep)
		t.logFrom(m.kind, p.ID, "delete", m.document(one))
	}
	t.redirectAll(m.kind, keep, others)
	t.queue(m.remove, t.site, others)
	return kept, moved, nil
}

// relink links the events of the others to keep, and notes in their history
// what they were linked to. It returns how many they are.
func (t *tx) relink(ctx context.Context, note, field, relink string, keep int64, others []int64) (int, error) {
	from := &t.source
	for _, id := range others {
		_, err := t.conn.Exec(ctx, note, t.site, id, t.version, from.UserID, t.now, from.Who, string(from.Via), from.Name, from.Address,
			field)
		if err != nil {
			return 0, err
		}
	}
	tag, err := t.conn.Exec(ctx, relink, t.site, keep, append(slices.Clone(others), keep), t.version)
	return int(tag.RowsAffected()), err
}

var venueMerger = &merger[calendar.Venue]{
	kind: "venue",
	note: noteNoVenue,
	relink: `
		WITH hit AS (
			SELECT x.event_id,
			       min(x.position) AS position
			FROM event_venues x
			WHERE x.site_id = $1
			  AND x.venue_id = ANY($3::bigint[])
			GROUP BY x.event_id
			HAVING bool_or(x.venue_id <> $2)
		), gone AS (
			DELETE FROM event_venues x
			WHERE x.site_id = $1
			  AND x.venue_id = ANY($3)
			  AND x.venue_id <> $2
		), linked AS (
			INSERT INTO event_venues (site_id, event_id, venue_id, position)
			SELECT $1, hit.event_id, $2, hit.position
			FROM hit
			ON CONFLICT ON CONSTRAINT event_venues_pkey DO UPDATE
			SET position = excluded.position
		)
		UPDATE events e
		SET version = $4,
		    venue_ids = ARRAY(
			SELECT CASE WHEN x.venue_id = ANY($3) THEN $2::bigint ELSE x.venue_id END
			FROM event_venues x
			WHERE x.site_id = $1
			  AND x.event_id = e.id
			GROUP BY 1
			ORDER BY min(x.position))
		FROM hit
		WHERE e.site_id = $1
		  AND e.id = hit.event_id`,
	remove: `
		DELETE FROM venues
		WHERE site_id = $1
		  AND id = ANY($2)`,
	load:     (*tx).venue,
	store:    (*tx).updateVenue,
	post:     func(v *calendar.Venue) *calendar.Post { return &v.Post },
	document: venueDocument,
}

var organizerMerger = &merger[calendar.Organizer]{
	kind: "organizer",
	note: noteNoOrganizer,
	relink: `
		WITH hit AS (
			SELECT x.event_id,
			       min(x.position) AS position
			FROM event_organizers x
			WHERE x.site_id = $1
			  AND x.organizer_id = ANY($3::bigint[])
			GROUP BY x.event_id
			HAVING bool_or(x.organizer_id <> $2)
		), gone AS (
			DELETE FROM event_organizers x
			WHERE x.site_id = $1
			  AND x.organizer_id = ANY($3)
			  AND x.organizer_id <> $2
		), linked AS (
			INSERT INTO event_organizers (site_id, event_id, organizer_id, position)
			SELECT $1, hit.event_id, $2, hit.position
			FROM hit
			ON CONFLICT ON CONSTRAINT event_organizers_pkey DO UPDATE
			SET position = excluded.position
		)
		UPDATE events e
		SET version = $4,
		    organizer_ids = ARRAY(
			SELECT CASE WHEN x.organizer_id = ANY($3) THEN $2::bigint ELSE x.organizer_id END
			FROM event_organizers x
			WHERE x.site_id = $1
			  AND x.event_id = e.id
			GROUP BY 1
			ORDER BY min(x.position))
		FROM hit
		WHERE e.site_id = $1
		  AND e.id = hit.event_id`,
	remove: `
		DELETE FROM organizers
		WHERE site_id = $1
		  AND id = ANY($2)`,
	load:     (*tx).organizer,
	store:    (*tx).updateOrganizer,
	post:     func(o *calendar.Organizer) *calendar.Post { return &o.Post },
	document: organizerDocument,
}

// Merge implements calendar.PlaceStore.
func (s venues) Merge(ctx context.Context, keep int64, others []int64, change func(*calendar.Venue, []*calendar.Venue) error,
) (*calendar.Venue, int, error) {
	return venueMerger.merge(ctx, s.db, keep, others, change)
}

// Merge implements calendar.PlaceStore.
func (s organizers) Merge(ctx context.Context, keep int64, others []int64,
	change func(*calendar.Organizer, []*calendar.Organizer) error,
) (*calendar.Organizer, int, error) {
	return organizerMerger.merge(ctx, s.db, keep, others, change)
}

// Linked implements calendar.PlaceStore.
func (s venues) Linked(ctx context.Context, ids []int64) (map[int64]int, int, error) {
	const linked = `
		SELECT x.venue_id,
		       count(*)
		FROM event_venues x
		WHERE x.site_id = $1
		  AND x.venue_id = ANY($2)
		GROUP BY x.venue_id
		UNION ALL
		SELECT 0,
		       count(DISTINCT x.event_id)
		FROM event_venues x
		WHERE x.site_id = $1
		  AND x.venue_id = ANY($2)`
	return s.db.linked(ctx, linked, ids)
}

// Linked implements calendar.PlaceStore.
func (s organizers) Linked(ctx context.Context, ids []int64) (map[int64]int, int, error) {
	const linked = `
		SELECT x.organizer_id,
		       count(*)
		FROM event_organizers x
		WHERE x.site_id = $1
		  AND x.organizer_id = ANY($2)
		GROUP BY x.organizer_id
		UNION ALL
		SELECT 0,
		       count(DISTINCT x.event_id)
		FROM event_organizers x
		WHERE x.site_id = $1
		  AND x.organizer_id = ANY($2)`
	return s.db.linked(ctx, linked, ids)
}

// linked reads numbers by id, and that of all under 0.
func (db *DB) linked(ctx context.Context, sql string, ids []int64) (map[int64]int, int, error) {
	each := map[int64]int{}
	err := db.read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(sql, site, ids).Query(func(rows pgx.Rows) error {
			var id int64
			var n int
			_, err := pgx.ForEachRow(rows, []any{&id, &n}, func() error {
				each[id] = n
				return nil
			})
			return err
		})
	})
	together := each[0]
	delete(each, 0)
	return each, together, err
}
