package images

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

// containing returns the ids of the images that have all words in their names or alternative texts, or nil if there
// are no words. Images are few and rarely searched, so their texts are folded here instead of being stored.
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
		var id int64
		var file, alt string
		var others []string
		b.Queue(all, site).Query(pg.Each([]any{&id, &file, &alt, &others}, func() error {
			text := content.SearchLines(append([]string{file, alt}, others...)...)
			if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) }) {
				ids = append(ids, id)
			}
			return nil
		}))
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
		b.Queue(uses, site, id).Query(pg.All(&list, func(row pgx.CollectableRow) (u calendar.ImageUse, err error) {
			err = row.Scan(&u.Kind, &u.Name, &u.Text, &u.ID, &u.Version, &u.Author, &u.Status, &u.Slug)
			return u, err
		}))
	})
	return list, err
}
