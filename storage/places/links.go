package places

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

// ByIDs returns the query for records of site $1. ids is the SQL of their IDs.
func (k *Kind[T]) ByIDs(ids string) string {
	return k.SQL(`
	SELECT {record}
	FROM {place}s p
	LEFT JOIN images i ON i.site_id = p.site_id AND i.id = p.image_id
	WHERE p.site_id = $1
	  AND p.id = ANY(` + ids + `)`)
}

// LookUp reads the records that links name by ID.
func (k *Kind[T]) LookUp(t *content.Tx, b *pgx.Batch, links []calendar.Link[T], into map[int64]T) {
	k.lookUp(t, b, linkedIDs(links), into)
}

func (k *Kind[T]) lookUp(t *content.Tx, b *pgx.Batch, ids []int64, into map[int64]T) {
	if len(ids) == 0 {
		return
	}
	b.Queue(k.byIDs, t.Site, ids).Query(t.EachLinked(k.Link, func(f *pg.Fields) (int64, int) {
		item := k.Decode(f)
		id := k.post(&item).ID
		into[id] = item
		return id, 0
	}))
}

// Settle returns the items that links name, in their order and without duplicates. If a link has no ID, it finds or
// creates the item.
func (k *Kind[T]) Settle(ctx context.Context, t *content.Tx, links []calendar.Link[T], known map[int64]T) ([]T, error) {
	return k.settle(ctx, t, links, known, k.resolve)
}

// settle is Settle with a function that finds or creates the item of a link without an ID.
func (k *Kind[T]) settle(ctx context.Context, t *content.Tx, links []calendar.Link[T], known map[int64]T,
	create func(context.Context, *content.Tx, calendar.Link[T]) (*T, bool, error),
) ([]T, error) {
	var list []T
	seen := map[int64]bool{}
	for _, link := range links {
		item, ok := known[link.ID]
		switch {
		case link.ID == 0:
			made, _, err := create(ctx, t, link)
			if err != nil {
				return nil, args.Within(k.name, t.Failure(err))
			}
			item = *made
		case !ok:
			return nil, args.Invalid(k.name, "problem."+k.name+".unknown", nil)
		}
		if id := k.post(&item).ID; !seen[id] {
			seen[id] = true
			list = append(list, item)
		}
	}
	return list, nil
}

// linkedIDs returns the IDs among links.
func linkedIDs[T any](links []calendar.Link[T]) []int64 {
	var ids []int64
	for _, link := range links {
		if link.ID != 0 {
			ids = append(ids, link.ID)
		}
	}
	return ids
}

const placesOffered = `
	SELECT p.id,
	       p.name,
	       CASE WHEN p.translations IS NULL THEN '' ELSE COALESCE((
	           SELECT p.translations -> l.name ->> 'title'
	           FROM unnest(@languages::text[]) WITH ORDINALITY l (name, place)
	           WHERE p.translations -> l.name ->> 'title' <> ''
	           ORDER BY l.place
	           LIMIT 1), '') END AS named
	FROM {place}s p
	WHERE p.site_id = @site
	  AND (p.status = 'publish' OR @all OR p.author = @user)
	  AND p.status <> 'trash'
	  AND (cardinality(@only::bigint[]) = 0 OR p.id = ANY (@only))
	ORDER BY p.published_at DESC, p.id DESC
	LIMIT @limit`

// noteNoPlace records in the history of events which venues or organizers they had before one of these is deleted.
const noteNoPlace = content.NoteUnlinked + `
			SELECT jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) ORDER BY o.position)
			FROM events e
			CROSS JOIN LATERAL unnest(e.{place}_ids) WITH ORDINALITY o (id, position)
			JOIN {place}s p ON p.site_id = $1 AND p.id = o.id
			WHERE e.site_id = $1
			  AND e.id = x.event_id))
		FROM event_{place}s x
		WHERE x.site_id = $1
		  AND x.{place}_id = $2` + content.NoteUnlinkedEnd
