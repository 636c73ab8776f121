package storage

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// Texts in other languages than a site's own stand in a column of their item
// (ADR 62). An event's row says beside them in which languages they are, so that lists
// read only those that are asked for.

// readTexts reads a column of translations.
func readTexts(f *pg.Fields) calendar.Texts {
	b := f.JSONText()
	if b == nil {
		return calendar.Texts{}
	}
	return calendar.StoredTexts(b, nil)
}

// readEventTexts reads the languages and the translations of an event.
func readEventTexts(f *pg.Fields, n *nested) calendar.Texts {
	if n.texts != nil {
		f.Skip(2)
		return *n.texts
	}
	languages := f.Texts()
	texts := readTexts(f).Raw()
	if n.language != "" && texts != nil {
		return calendar.StoredText(n.language, texts, languages)
	}
	return calendar.StoredTexts(texts, languages)
}

// language returns the one language whose text a list reads alone, without its name; "" where
// it reads none or several.
func (b *eventQuery) language() string {
	if q := b.Texts; !q.Whole && len(q.In) == 1 {
		return q.In[0]
	}
	return ""
}

// textsIn returns the column of translations of an event with those languages alone
// that a list asks for.
func (b *eventQuery) textsIn() string {
	switch q := b.Texts; {
	case q.Whole:
		return "e.translations"
	case len(q.In) == 0:
		return "NULL::jsonb"
	case b.language() != "":
		language := b.arg(b.language())
		return "CASE WHEN e.languages @> ARRAY[" + language + "::text] THEN e.translations -> " + language + "::text END"
	default:
		return `CASE WHEN e.languages IS NOT NULL THEN (
			SELECT jsonb_object_agg(l, e.translations -> l)
			FROM unnest(` + b.arg(q.In) + `::text[]) l
			WHERE e.translations ? l
		) END`
	}
}

// searched is what is searched in an event: where the site writes several languages, in
// the site's own and those that are asked for.
func (b *eventQuery) searched() string {
	if !b.Texts.Several {
		return "e.search"
	}
	return "texts_in(e.search, " + b.arg(append([]string{}, b.Texts.In...)) + "::text[])"
}

// byTitle is what a list in the order of titles is in the order of.
func (b *eventQuery) byTitle() string {
	var titles strings.Builder
	for _, language := range b.Texts.In {
		fmt.Fprintf(&titles, `NULLIF(split_part(split_part(e.search, E'\x02' || %s::text || E'\n', 2), E'\n', 1), ''), `, b.arg(language))
	}
	return `COALESCE(` + titles.String() + `split_part(e.search, E'\n', 1)) COLLATE "C"`
}

// translated keeps what has texts in the language asked for, or lacks them in another.
func (b *eventQuery) translated() {
	if language := b.Texts.Translated; language != "" {
		b.andEvent("e.languages @> ARRAY[" + b.arg(language) + "::text]")
	}
	if language := b.Texts.Lacking; language != "" {
		b.andEvent(lackingIn("e.translations", b.arg(language)))
	}
}

// lackingIn is a condition on an item's translations: there is no title in the language
// of the placeholder, or what was written is outdated.
func lackingIn(translations, language string) string {
	return "(COALESCE(" + translations + " -> " + language + "::text ->> 'title', '') = '' OR COALESCE((" +
		translations + " -> " + language + "::text ->> 'outdated')::boolean, false))"
}

// withTexts adds the parts of other languages to what searches look through, each
// behind its name and beginning with its title.
func withTexts(own string, texts calendar.Texts) string {
	if texts.Raw() == nil {
		return own
	}
	var b strings.Builder
	b.WriteString(own)
	all := texts.All()
	for _, language := range slices.Sorted(maps.Keys(all)) {
		text := all[language]
		b.WriteString("\n\x02" + language + "\n" + lines(text.Title) + "\n" +
			lines(calendar.PlainText(text.Description), calendar.PlainText(text.Excerpt)))
	}
	return b.String()
}

// spoken returns a key whose slug may be that of a text in one of the languages that the
// scope wants.
func spoken(ctx context.Context, key calendar.Key) calendar.Key {
	if key.ID == 0 && key.In == "" {
		key.In = strings.Join(tenancy.Current(ctx).Texts, ",")
	}
	return key
}

// slugIn returns an expression for the id of what has a slug, within a statement of a
// kind whose table is searched for it where no text has it: names are the placeholders
// of the site, the slug, and the languages with commas between.
func slugIn(kind, table, site, slug, languages string) string {
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

// worded is an item with its texts in other languages.
type worded struct {
	texts *calendar.Texts
	own   string // its slug in the site's own language
	gone  bool   // in the trash, where slugs are free for others
}

// slugs returns the slugs of an item's texts by language.
func (w worded) slugs() map[string]string {
	list := map[string]string{}
	if w.texts == nil || w.gone || w.texts.Raw() == nil {
		return list
	}
	for language, text := range w.texts.All() {
		if text.Slug != "" {
			list[language] = text.Slug
		}
	}
	return list
}

func wordedPost(p *calendar.Post) worded { return worded{&p.Texts, p.Slug, p.Trashed()} }

// settleTexts notes the version of texts just written, and makes the slugs of an item's
// texts unique: of its kind nothing else has them in their language, or in the site's
// own.
func (t *tx) settleTexts(ctx context.Context, kind string, id int64, was, now worded) error {
	if now.texts.Raw() == nil && (was.texts == nil || was.texts.Raw() == nil) {
		return nil
	}
	*now.texts = now.texts.Stamped(t.Version)
	before, after := was.slugs(), now.slugs()
	all := now.texts.All()
	b := &pgx.Batch{}
	free := map[string]*string{}
	for language, slug := range after {
		if before[language] != slug {
			free[language] = new(string)
			if slug != now.own {
				slug = t.slugs.unlike(kind, slug)
			}
			t.queueSlugIn(b, kind, language, id, slug, free[language])
		}
	}
	if b.Len() > 0 {
		if err := t.Send(ctx, b); err != nil {
			return err
		}
	}
	for language, slug := range free {
		text := all[language]
		text.Slug, after[language] = *slug, *slug
		all[language] = text
	}
	if len(free) > 0 {
		*now.texts = calendar.TextsOf(all)
	}
	return t.keepSlugs(ctx, kind, id, before, after, now.gone)
}

const (
	dropSlug = `
		DELETE FROM translated_slugs
		WHERE site_id = $1
		  AND kind = $2
		  AND slug = $3
		  AND language = $4`
	keepSlug = `
		INSERT INTO translated_slugs (site_id, kind, slug, language, id)
		VALUES ($1, $2, $3, $4, $5)`
	dropSlugs = `
		DELETE FROM translated_slugs
		WHERE site_id = $1
		  AND kind = $2
		  AND id = ANY($3)`
)

// keepSlugs has the slugs of an item's texts found, by those of the same transaction,
// too. What led to it before leads on.
func (t *tx) keepSlugs(ctx context.Context, kind string, id int64, before, after map[string]string, gone bool) error {
	b := &pgx.Batch{}
	for language, slug := range before {
		if after[language] != slug {
			b.Queue(dropSlug, t.Site, kind, slug, language)
			if !gone {
				t.redirect(kind, slug, id)
			}
		}
	}
	for language, slug := range after {
		if before[language] != slug {
			b.Queue(keepSlug, t.Site, kind, slug, language, id)
			t.slugs.spoken(kind, slug)
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return t.Send(ctx, b)
}
