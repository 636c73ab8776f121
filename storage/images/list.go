package images

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
)

// List implements calendar.ImageStore. A picture is used where an entry has it,
// and where a text in any language names its address.
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

// containing returns the ids of the images that have all words in their names or alternative
// texts; nil without words. Images are few and seldom searched, so what they say is folded
// here and not stored.
func (s store) containing(ctx context.Context, words []string) (ids []int64, err error) {
	const all = `
		SELECT i.id,
		       i.file,
		       i.alt,
		       ARRAY(SELECT t.text ->> 'title' FROM jsonb_each(i.translations) t (language, text) WHERE t.text ? 'title')
		FROM images i
		WHERE i.site_id = $1`
	if len(words) == 0 {
		return nil, nil
	}
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		ids = []int64{}
		b.Queue(all, site).Query(func(rows pgx.Rows) error {
			var id int64
			var file, alt string
			var others []string
			_, err := pgx.ForEachRow(rows, []any{&id, &file, &alt, &others}, func() error {
				text := content.SearchLines(append([]string{file, alt}, others...)...)
				if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) }) {
					ids = append(ids, id)
				}
				return nil
			})
			return err
		})
	})
	return ids, err
}

// Uses implements calendar.ImageStore.
func (s store) Uses(ctx context.Context, id int64) ([]calendar.ImageUse, error) {
	const uses = `
		WITH pattern AS (
			SELECT '%/media/' || i.key || '/%' AS text
			FROM images i
			WHERE i.site_id = $1
			  AND i.id = $2
		)
		SELECT 'event', e.title, e.image_id IS DISTINCT FROM $2, e.id, e.version, COALESCE(e.author, 0), e.status, e.slug
		FROM events e, pattern p
		WHERE e.site_id = $1
		  AND (e.image_id = $2 OR e.description LIKE p.text OR e.excerpt LIKE p.text OR e.translations::text LIKE p.text)
		UNION ALL
		SELECT 'venue', v.name, v.image_id IS DISTINCT FROM $2, v.id, v.version, COALESCE(v.author, 0), v.status, v.slug
		FROM venues v, pattern p
		WHERE v.site_id = $1
		  AND (v.image_id = $2 OR v.description LIKE p.text OR v.excerpt LIKE p.text OR v.translations::text LIKE p.text)
		UNION ALL
		SELECT 'organizer', o.name, o.image_id IS DISTINCT FROM $2, o.id, o.version, COALESCE(o.author, 0), o.status, o.slug
		FROM organizers o, pattern p
		WHERE o.site_id = $1
		  AND (o.image_id = $2 OR o.description LIKE p.text OR o.excerpt LIKE p.text OR o.translations::text LIKE p.text)
		UNION ALL
		SELECT c.taxonomy, c.name, true, c.id, c.version, 0, 'publish', c.slug
		FROM terms c, pattern p
		WHERE c.site_id = $1
		  AND (c.description LIKE p.text OR c.translations::text LIKE p.text)
		UNION ALL
		SELECT 'site', s.name, false, s.id, s.version, 0, 'publish', s.slug
		FROM sites s, pattern p
		WHERE s.id = $1
		  AND (s.logo LIKE p.text OR s.header LIKE p.text)
		ORDER BY 1, 2, 4`
	var list []calendar.ImageUse
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(uses, site, id).Query(func(rows pgx.Rows) (err error) {
			list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (u calendar.ImageUse, err error) {
				err = row.Scan(&u.Kind, &u.Name, &u.Text, &u.ID, &u.Version, &u.Author, &u.Status, &u.Slug)
				return u, err
			})
			return err
		})
	})
	return list, err
}

// Update implements calendar.ImageStore: of an image the alternative text
// changes, in all languages, nothing else.
func (s store) Update(ctx context.Context, id int64, change func(*calendar.Image) error) (*calendar.Image, error) {
	const update = `
		UPDATE images
		SET version = $3,
		    alt = $4,
		    translations = $5
		WHERE site_id = $1
		  AND id = $2`
	var image *calendar.Image
	err := s.db.Write(ctx, func(ctx context.Context, t *content.Tx) (err error) {
		if image, err = t.Image(ctx, id); err != nil {
			return err
		}
		was := *image
		if err = change(image); err != nil {
			return err
		}
		image.Version = t.Version
		image.Texts = image.Texts.Stamped(t.Version)
		t.Queue(update, t.Site, id, t.Version, image.Alt, image.Texts.Raw())
		t.Log("image", id, "update", content.ImageDocument(&was).Unlike(content.ImageDocument(image)))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return image, nil
}
