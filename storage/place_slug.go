package storage

import (
	"context"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// freeSlug returns base, or base with a number behind it that makes a slug nobody
// else of that kind has: the first, unless slugs with smaller ones were given up.
// Without a base it starts from the id. The site's lock keeps it free until the
// commit.
func (t *tx) freeSlug(ctx context.Context, kind string, id int64, base string) (slug string, err error) {
	if t.slugs != nil {
		return t.slugs.take(ctx, t, kind, id, base)
	}
	b := &pgx.Batch{}
	t.queueSlug(b, kind, id, base, &slug)
	return slug, t.send(ctx, b)
}

// walkSlugs looks for a number by doubling it until the slug is free, and then
// half-way between: so many have the title of a weekly class that asking for each
// would take longer than everything else.
const walkSlugs = `
	WITH RECURSIVE walk AS (
		SELECT 0 AS taken,
		       NULL::integer AS free,
		       1 AS n,
		       @base::text AS slug,
		       false AS done
		UNION ALL
		SELECT found.taken,
		       found.free,
		       next.n,
		       CASE WHEN next.n = 1 THEN @base ELSE (@stems::text[])[length(next.n::text)] || next.n::text END,
		       COALESCE(next.n = found.free, false)
		FROM walk w
		CROSS JOIN LATERAL (
			SELECT @kind = 'event' AND EXISTS (
				SELECT FROM events e WHERE e.site_id = @site AND e.slug = w.slug AND e.slug <> '' AND e.id <> @id)
			    OR @kind = 'venue' AND EXISTS (
				SELECT FROM venues v WHERE v.site_id = @site AND v.slug = w.slug AND v.id <> @id)
			    OR @kind = 'organizer' AND EXISTS (
				SELECT FROM organizers o WHERE o.site_id = @site AND o.slug = w.slug AND o.id <> @id)
			    OR @kind IN ('category', 'tag') AND EXISTS (
				SELECT FROM terms t
				WHERE t.site_id = @site AND t.taxonomy = @kind AND t.slug = w.slug AND t.id <> @id) AS yes
		) has
		CROSS JOIN LATERAL (
			SELECT CASE WHEN has.yes THEN w.n ELSE w.taken END AS taken,
			       CASE WHEN has.yes THEN w.free ELSE w.n END AS free
		) found
		CROSS JOIN LATERAL (
			SELECT CASE
				WHEN found.free IS NULL THEN found.taken * 2
				WHEN found.free = found.taken + 1 THEN found.free
				ELSE (found.taken + found.free) / 2
			END AS n
		) next
		WHERE NOT w.done
	)
	SELECT slug
	FROM walk
	WHERE done`

// queueSlug is freeSlug as part of a batch.
func (t *tx) queueSlug(b *pgx.Batch, kind string, id int64, base string, slug *string) {
	if base == "" {
		base = strconv.FormatInt(id, 10)
	}
	b.Queue(walkSlugs, pgx.NamedArgs{
		"site": t.site, "kind": kind, "id": id, "base": base, "stems": stems(base),
	}).QueryRow(func(row pgx.Row) error { return row.Scan(slug) })
}

// stems returns what stands before a number of one digit, of two digits and so
// on when it makes base unique: the longer the number, the shorter the stem of
// a long slug.
func stems(base string) []string {
	list := make([]string, 0, 9)
	for n := 1; len(list) < cap(list); n *= 10 {
		list = append(list, strings.TrimSuffix(calendar.SlugSuffix(base, max(n, 2)), strconv.Itoa(max(n, 2))))
	}
	return list
}

// postID returns the id of a new item: the one it brings, from an import, or
// the next.
func (t *tx) postID(brought int64) int64 {
	if brought == 0 {
		return t.nextPost()
	}
	t.last.post = max(t.last.post, brought)
	return brought
}
