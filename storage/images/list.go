package images

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
)

// List implements calendar.ImageStore. A picture counts as used if an entry shows it, or if a text in any language contains
// its URL.
func (s store) List(ctx context.Context, q calendar.ImageQuery) (calendar.Page[calendar.Image], error) {
	const list = `
		WITH texts AS (
			SELECT e.description || e.excerpt || COALESCE(e.translations::text, '') AS text
			FROM events e
			WHERE @unused AND e.site_id = @site
			UNION ALL
			SELECT v.description || v.excerpt || COALESCE(v.translations::text, '')
			FROM venues v
			WHERE @unused AND v.site_id = @site
			UNION ALL
			SELECT o.description || o.excerpt || COALESCE(o.translations::text, '')
			FROM organizers o
			WHERE @unused AND o.site_id = @site
			UNION ALL
			SELECT c.description || COALESCE(c.translations::text, '')
			FROM terms c
			WHERE @unused AND c.site_id = @site
			UNION ALL
			SELECT s.logo || ' ' || s.header
			FROM sites s
			WHERE @unused AND s.id = @site
		), named AS MATERIALIZED (
			SELECT DISTINCT found.part[1] AS key
			FROM texts, regexp_matches(texts.text, '/media/([^/"]+)/', 'g') AS found (part)
			WHERE texts.text LIKE '%/media/%'
		), found AS (
			SELECT i.id,
			       count(*) OVER () AS total
			FROM images i
			WHERE i.site_id = @site
			  AND (@ids::bigint[] IS NULL OR i.id = ANY (@ids))
			  AND NOT (@unused AND (
				EXISTS (SELECT FROM events e WHERE e.site_id = @site AND e.image_id = i.id)
				OR EXISTS (SELECT FROM venues v WHERE v.site_id = @site AND v.image_id = i.id)
				OR EXISTS (SELECT FROM organizers o WHERE o.site_id = @site AND o.image_id = i.id)
				OR i.key IN (SELECT named.key FROM named)))
			ORDER BY i.id DESC
			LIMIT @limit
			OFFSET @offset
		)
		SELECT found.total, ` + content.ImageRecord + `
		FROM found
		JOIN images i ON i.site_id = @site AND i.id = found.id
		ORDER BY i.id DESC`
	var p calendar.Page[calendar.Image]
	ids, err := s.containing(ctx, q.Words)
	if err != nil {
		return p, err
	}
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		content.QueueVersion(b, site, &p.Version)
		b.Queue(list, pgx.NamedArgs{
			"site": site, "unused": q.Unused, "ids": ids, "limit": q.PerPage, "offset": content.Offset(q.Page, q.PerPage),
		}).Query(content.ReadPage(&p, content.ReadImage))
	})
	if err == nil && q.Page > 1 && len(p.Items) == 0 {
		err = calendar.ErrPage
	}
	return p, err
}
