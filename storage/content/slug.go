package content

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/storage/pg"
)

// FreeSlug returns base, or base followed by a number, as a slug that no other item of the kind has. It usually
// takes the lowest free number; slugs that were given up may leave gaps. Without a base, the base is the id. The
// site's lock keeps the slug free until the commit.
func (t *Tx) FreeSlug(ctx context.Context, kind string, id int64, base string) (slug string, err error) {
	if t.Slugs != nil {
		return t.Slugs.take(ctx, t, kind, id, base)
	}
	b := &pgx.Batch{}
	t.QueueSlug(b, kind, id, base, &slug)
	return slug, t.Send(ctx, b)
}

// walkSlugs doubles the number until the slug is free, and then halves the distance to the last taken one. Some
// titles, such as those of weekly classes, repeat so often that trying each number would dominate the write. The
// OFFSET keeps Postgres from evaluating the subquery once per use.
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
			SELECT EXISTS (
				SELECT
				FROM %s x
				WHERE x.site_id = @site
				  AND x.slug = w.slug
				  AND x.id <> @id
				  AND %s) OR EXISTS (
				SELECT
				FROM translated_slugs l
				WHERE l.site_id = @site
				  AND l.kind = @kind
				  AND l.slug = w.slug
				  AND l.id <> @id
				  AND (@language = '' OR l.language = @language)) AS yes
			OFFSET 0
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

// walks has the walkSlugs statement of each kind.
var walks = map[string]string{
	"event":     fmt.Sprintf(walkSlugs, "events", "x.slug <> ''"),
	"venue":     fmt.Sprintf(walkSlugs, "venues", "true"),
	"organizer": fmt.Sprintf(walkSlugs, "organizers", "true"),
	"category":  fmt.Sprintf(walkSlugs, "terms", "x.taxonomy = 'category'"),
	"tag":       fmt.Sprintf(walkSlugs, "terms", "x.taxonomy = 'tag'"),
}

// QueueSlug is FreeSlug as part of a batch.
func (t *Tx) QueueSlug(b *pgx.Batch, kind string, id int64, base string, slug *string) {
	if base == "" {
		base = strconv.FormatInt(id, 10)
	}
	t.queueSlugIn(b, kind, "", id, base, slug)
}

// queueSlugIn is QueueSlug for the slug of a translation. The language "" is the site's own: such a slug must
// differ from those of other items in every language.
func (t *Tx) queueSlugIn(b *pgx.Batch, kind, language string, id int64, base string, slug *string) {
	b.Queue(walks[kind], pgx.NamedArgs{
		"site": t.Site, "id": id, "base": base, "stems": stems(base), "kind": kind, "language": language,
	}).QueryRow(pg.One(slug))
}

// stems shortens base to make room for a number of one digit, two digits and so on.
func stems(base string) []string {
	list := make([]string, 0, 9)
	for n := 1; len(list) < cap(list); n *= 10 {
		list = append(list, strings.TrimSuffix(wording.SlugSuffix(base, max(n, 2)), strconv.Itoa(max(n, 2))))
	}
	return list
}
