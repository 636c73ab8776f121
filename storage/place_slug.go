package storage

import (
	"context"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// freeSlug returns base, or base with the first number behind it that makes a
// slug nobody else of that kind has; without a base it starts from the id. The
// site's lock keeps it free until the commit.
func (t *tx) freeSlug(ctx context.Context, kind string, id int64, base string) (slug string, err error) {
	if t.slugs != nil {
		return t.slugs.take(ctx, t, kind, id, base)
	}
	b := &pgx.Batch{}
	t.queueSlug(b, kind, id, base, &slug)
	return slug, t.send(ctx, b)
}

// queueSlug is freeSlug as part of a batch.
func (t *tx) queueSlug(b *pgx.Batch, kind string, id int64, base string, slug *string) {
	const walk = `
		WITH RECURSIVE walk AS (
			SELECT 1 AS n,
			       @base::text AS slug
			UNION ALL
			SELECT n + 1,
			       (@stems::text[])[length((n + 1)::text)] || (n + 1)::text
			FROM walk
			WHERE @kind = 'event' AND EXISTS (
				SELECT FROM events e WHERE e.site_id = @site AND e.slug = walk.slug AND e.slug <> '' AND e.id <> @id)
			   OR @kind = 'venue' AND EXISTS (
				SELECT FROM venues v WHERE v.site_id = @site AND v.slug = walk.slug AND v.id <> @id)
			   OR @kind = 'organizer' AND EXISTS (
				SELECT FROM organizers o WHERE o.site_id = @site AND o.slug = walk.slug AND o.id <> @id)
			   OR @kind IN ('category', 'tag') AND EXISTS (
				SELECT FROM terms t
				WHERE t.site_id = @site AND t.taxonomy = @kind AND t.slug = walk.slug AND t.id <> @id)
		)
		SELECT slug
		FROM walk
		ORDER BY n DESC
		LIMIT 1`
	if base == "" {
		base = strconv.FormatInt(id, 10)
	}
	b.Queue(walk, pgx.NamedArgs{
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
