package places

import (
	"context"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

const (
	relinkPlaces = `
		WITH hit AS (
			SELECT x.event_id,
			       min(x.position) AS position
			FROM event_{place}s x
			WHERE x.site_id = $1
			  AND x.{place}_id = ANY($3::bigint[])
			GROUP BY x.event_id
			HAVING bool_or(x.{place}_id <> $2)
		), gone AS (
			DELETE FROM event_{place}s x
			WHERE x.site_id = $1
			  AND x.{place}_id = ANY($3)
			  AND x.{place}_id <> $2
		), linked AS (
			INSERT INTO event_{place}s (site_id, event_id, {place}_id, position)
			SELECT $1, hit.event_id, $2, hit.position
			FROM hit
			ON CONFLICT ON CONSTRAINT event_{place}s_pkey DO UPDATE
			SET position = excluded.position
		), moved AS (
			UPDATE events e
			SET version = $4,
			    {place}_ids = ARRAY(
				SELECT CASE WHEN x.id = ANY($3) THEN $2::bigint ELSE x.id END
				FROM unnest(e.{place}_ids) WITH ORDINALITY x (id, position)
				GROUP BY 1
				ORDER BY min(x.position))
			FROM hit
			WHERE e.site_id = $1
			  AND e.id = hit.event_id
			  AND hit.event_id ` + pg.ByKey + `
			RETURNING COALESCE(e.series_id, e.id) AS event_id
		)
		SELECT count(DISTINCT moved.event_id)
		FROM moved`
	followReports = `
		UPDATE reports
		SET {place}_id = $2
		WHERE site_id = $1
		  AND {place}_id = ANY($3)`
	// followApart has those who are none of the merged items be none of the kept one, and remembers the merged ones for an undo.
	followApart = `
		UPDATE {place}s
		SET apart = apart || $2::bigint
		WHERE site_id = $1
		  AND apart && $3::bigint[]
		  AND id <> ALL($3)
		  AND id <> $2
		  AND $2 <> ALL(apart)`
	// leaveApart undoes followApart, except for items that the kept item names as different itself.
	leaveApart = `
		UPDATE {place}s p
		SET apart = array_remove(p.apart, k.id)
		FROM {place}s k
		WHERE p.site_id = $1
		  AND k.site_id = $1
		  AND k.id = $2
		  AND p.id <> k.id
		  AND p.apart && $3::bigint[]
		  AND p.id <> ALL(k.apart)`
	removePlaces = `
		DELETE FROM {place}s
		WHERE site_id = $1
		  AND id = ANY($2)`
)

// Merge implements calendar.PlaceStore.
func (s store[T]) Merge(ctx context.Context, keep int64, others []int64, change func(*T, []*T) error) (*T, int, error) {
	var kept *T
	var moved int
	err := s.db.Write(ctx, func(ctx context.Context, t *content.Tx) (err error) {
		kept, moved, err = s.kind.merge(ctx, t, keep, others, change)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	return kept, moved, nil
}

func (k *Kind[T]) merge(ctx context.Context, t *content.Tx, keep int64, others []int64, change func(*T, []*T) error) (*T, int, error) {
	kept, gone, err := content.ReadMerged(keep, others, func(id int64) (*T, error) { return k.within(ctx, t, calendar.Key{ID: id}) })
	if err != nil {
		return nil, 0, err
	}
	was := *kept
	if err := change(kept, gone); err != nil {
		return nil, 0, err
	}
	moved, err := t.Relink(ctx, k.note, k.name, k.relink, keep, others)
	if err != nil {
		return nil, 0, err
	}
	if err := t.GiveSlugs(ctx, k.name, keep, others); err != nil {
		return nil, 0, err
	}
	if err := k.alter(ctx, t, &was, kept); err != nil {
		return nil, 0, err
	}
	for _, one := range gone {
		p := k.post(one)
		t.Unschedule(k.name, p.ID)
		t.Redirect(k.name, p.Slug, keep)
		t.Log(k.name, p.ID, "delete", k.Document(one))
	}
	t.RedirectAll(k.name, keep, others)
	t.Follow("users", k.name+"s", keep, others)
	t.Queue(k.followApart, t.Site, keep, others)
	t.Queue(k.followReports, t.Site, keep, others)
	t.Queue(k.removeMany, t.Site, others)
	return kept, moved, nil
}

// Parted implements calendar.PlaceStore.
func (s store[T]) Parted(ctx context.Context, keep int64, others []int64) error {
	return s.db.Write(ctx, func(_ context.Context, t *content.Tx) error {
		t.Queue(s.kind.leaveApart, t.Site, keep, others)
		t.Raised, t.Linked = true, true
		return nil
	})
}

const placesLinked = `
	SELECT x.{place}_id,
	       count(DISTINCT COALESCE(e.series_id, e.id))
	FROM event_{place}s x
	JOIN events e ON e.site_id = $1 AND e.id = x.event_id
	WHERE x.site_id = $1
	  AND x.{place}_id = ANY($2)
	GROUP BY x.{place}_id
	UNION ALL
	SELECT 0,
	       count(DISTINCT COALESCE(e.series_id, e.id))
	FROM event_{place}s x
	JOIN events e ON e.site_id = $1 AND e.id = x.event_id
	WHERE x.site_id = $1
	  AND x.{place}_id = ANY($2)`

// Linked implements calendar.PlaceStore.
func (s store[T]) Linked(ctx context.Context, ids []int64) (map[int64]int, int, error) {
	return s.db.Linked(ctx, s.kind.linked, ids)
}
