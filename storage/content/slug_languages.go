package content

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// SlugIn returns an SQL expression for the id of the item of a kind that has a slug. It searches the translations
// first, in the order of languages, and then the kind's table. site, slug and languages are placeholders; commas
// separate the languages.
func SlugIn(kind, table, site, slug, languages string) string {
	return `COALESCE((
			SELECT l.id
			FROM translated_slugs l
			WHERE l.site_id = ` + site + `
			  AND l.kind = '` + kind + `'
			  AND l.slug = ` + slug + `
			  AND l.language = ANY(string_to_array(` + languages + `, ','))
			ORDER BY array_position(string_to_array(` + languages + `, ','), l.language)
			LIMIT 1), (
			SELECT m.id
			FROM ` + table + ` m
			WHERE m.site_id = ` + site + `
			  AND m.slug = ` + slug + `
			  AND m.slug <> ''))`
}

// slugs returns the slugs of an item's texts by language.
func (w Worded) slugs() map[string]string {
	list := map[string]string{}
	if w.Texts == nil || w.gone || w.Texts.Raw() == nil {
		return list
	}
	for language, text := range w.Texts.All() {
		if text.Slug != "" {
			list[language] = text.Slug
		}
	}
	return list
}

// keepSlugs stores the slugs of an item's texts. For the rest of the transaction, these slugs count as taken.
// Former slugs of the translations redirect to the item from now on, unless it is in the trash.
func (t *Tx) keepSlugs(ctx context.Context, kind string, id int64, before, after map[string]string, gone bool) error {
	b := &pgx.Batch{}
	for language, slug := range before {
		if after[language] != slug {
			b.Queue(dropSlug, t.Site, kind, slug, language)
			if !gone {
				t.Redirect(kind, slug, id)
			}
		}
	}
	for language, slug := range after {
		if before[language] != slug {
			b.Queue(keepSlug, t.Site, kind, slug, language, id)
			t.Slugs.markTranslated(kind, slug)
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return t.Send(ctx, b)
}
