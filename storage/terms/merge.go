package terms

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

// Merge implements calendar.TermStore.
func (s Store) Merge(ctx context.Context, keep int64, others []int64, change func(*calendar.Term, []*calendar.Term) error,
) (*calendar.Term, int, error) {
	var kept *calendar.Term
	var moved int
	err := s.db.Write(ctx, func(ctx context.Context, t *content.Tx) (err error) {
		kept, moved, err = s.merge(ctx, t, keep, others, change)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	return kept, moved, nil
}

func (s Store) merge(ctx context.Context, t *content.Tx, keep int64, others []int64, change func(*calendar.Term, []*calendar.Term) error,
) (*calendar.Term, int, error) {
	const remove = `
		DELETE FROM terms
		WHERE site_id = $1
		  AND id = ANY($2)`
	kept, gone, err := content.ReadMerged(keep, others, func(id int64) (*calendar.Term, error) { return s.in(ctx, t, id) })
	if err != nil {
		return nil, 0, err
	}
	was := *kept
	if err := change(kept, gone); err != nil {
		return nil, 0, err
	}
	if kept.Parent, err = outOf(ctx, t, keep, others); err != nil {
		return nil, 0, err
	}
	moved, err := t.Relink(ctx, noteNoTerm, termField(s.taxonomy), relinkTerms, keep, others)
	if err != nil {
		return nil, 0, err
	}
	if err := t.QueryRow(ctx, recountTerm, t.Site, keep).Scan(&keep, &kept.Count); err != nil {
		return nil, 0, err
	}
	kept.Version = t.Version
	if err := t.GiveSlugs(ctx, string(s.taxonomy), keep, others); err != nil {
		return nil, 0, err
	}
	if err := s.update(ctx, t, &was, kept); err != nil {
		return nil, 0, err
	}
	if err := adopt(ctx, t, s.taxonomy, keep, others); err != nil {
		return nil, 0, err
	}
	kind := string(s.taxonomy)
	for _, one := range gone {
		t.Redirect(kind, one.Slug, keep)
		t.Log(kind, one.ID, "delete", Document(one))
	}
	t.RedirectAll(kind, keep, others)
	t.Queue(remove, t.Site, others)
	t.Follow("credentials", "categories", keep, others)
	t.Follow("users", "categories", keep, others)
	return kept, moved, nil
}

const relinkTerms = `
	WITH hit AS (
		SELECT DISTINCT x.event_id
		FROM event_terms x
		WHERE x.site_id = $1
		  AND x.term_id = ANY($3::bigint[])
		  AND x.term_id <> $2
	), gone AS (
		DELETE FROM event_terms x
		WHERE x.site_id = $1
		  AND x.term_id = ANY($3)
		  AND x.term_id <> $2
	), linked AS (
		INSERT INTO event_terms (site_id, event_id, term_id)
		SELECT $1, hit.event_id, $2
		FROM hit
		ON CONFLICT ON CONSTRAINT event_terms_pkey DO NOTHING
	), moved AS (
		UPDATE events e
		SET version = $4,
		    term_ids = ARRAY(
			SELECT DISTINCT CASE WHEN x.id = ANY($3) THEN $2::bigint ELSE x.id END
			FROM unnest(e.term_ids) x (id))
		FROM hit
		WHERE e.site_id = $1
		  AND e.id = hit.event_id
		  AND hit.event_id ` + pg.ByKey + `
		RETURNING COALESCE(e.series_id, e.id) AS event_id
	)
	SELECT count(DISTINCT moved.event_id)
	FROM moved`

// outOf returns the parent that keep will have once the others are deleted: its own parent or, if some of the
// others are its ancestors, the parent of the topmost of these.
func outOf(ctx context.Context, t *content.Tx, keep int64, others []int64) (parent int64, err error) {
	const above = `
		WITH RECURSIVE up AS (
			SELECT t.id, COALESCE(t.parent_id, 0) AS parent_id, 0 AS n
			FROM terms t
			WHERE t.site_id = $1
			  AND t.id = $2
			UNION ALL
			SELECT t.id, COALESCE(t.parent_id, 0), up.n + 1
			FROM up
			JOIN terms t ON t.site_id = $1 AND t.id = up.parent_id
		)
		SELECT up.id, up.parent_id
		FROM up
		ORDER BY up.n`
	rows, err := t.Query(ctx, above, t.Site, keep)
	if err != nil {
		return 0, err
	}
	var id, next int64
	_, err = pgx.ForEachRow(rows, []any{&id, &next}, func() error {
		if id == keep || slices.Contains(others, id) {
			parent = next
		}
		return nil
	})
	return parent, err
}

// recountTerm counts the events of a term.
var recountTerm = pg.RecountTerms("t.id = $2")

// adopt makes the children of the others children of keep.
func adopt(ctx context.Context, t *content.Tx, taxonomy calendar.Taxonomy, keep int64, others []int64) error {
	const adopt = `
		UPDATE terms t
		SET parent_id = $2,
		    version = $4
		FROM terms was
		WHERE t.site_id = $1
		  AND t.parent_id = ANY($3::bigint[])
		  AND t.id <> $2
		  AND t.id <> ALL ($3)
		  AND was.site_id = $1
		  AND was.id = t.id
		RETURNING t.id, was.parent_id`
	rows, err := t.Query(ctx, adopt, t.Site, keep, others, t.Version)
	if err != nil {
		return err
	}
	var child, parent int64
	_, err = pgx.ForEachRow(rows, []any{&child, &parent}, func() error {
		t.Log(string(taxonomy), child, "update", pg.Document{"parent": parent})
		return nil
	})
	return err
}

// Linked implements calendar.TermStore.
func (s Store) Linked(ctx context.Context, ids []int64) (map[int64]int, int, error) {
	const linked = `
		SELECT x.term_id,
		       count(DISTINCT COALESCE(e.series_id, e.id))
		FROM event_terms x
		JOIN events e ON e.site_id = $1 AND e.id = x.event_id
		WHERE x.site_id = $1
		  AND x.term_id = ANY($2)
		GROUP BY x.term_id
		UNION ALL
		SELECT 0,
		       count(DISTINCT COALESCE(e.series_id, e.id))
		FROM event_terms x
		JOIN events e ON e.site_id = $1 AND e.id = x.event_id
		WHERE x.site_id = $1
		  AND x.term_id = ANY($2)`
	return s.db.Linked(ctx, linked, ids)
}
