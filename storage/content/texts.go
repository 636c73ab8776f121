package content

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// The translations of an item are in a column of its row (ADR 62). An event's row also lists their languages, so
// that a list reads only the translations it needs.

// ReadTexts reads a column of translations.
func ReadTexts(f *pg.Fields) translations.Texts {
	b := f.JSONText()
	if b == nil {
		return translations.Texts{}
	}
	return translations.Stored(b, nil)
}

// WithTexts adds the translations to an item's search text. Each starts with its language, followed by its title.
func WithTexts(own string, texts translations.Texts) string {
	if texts.Raw() == nil {
		return own
	}
	var b strings.Builder
	b.WriteString(own)
	all := texts.All()
	for _, language := range slices.Sorted(maps.Keys(all)) {
		text := all[language]
		b.WriteString("\n\x02" + language + "\n" + SearchLines(text.Title) + "\n" +
			SearchLines(wording.PlainText(text.Description), wording.PlainText(text.Excerpt), text.Address, text.City, text.Country))
	}
	return b.String()
}

// InLanguages returns the key with the scope's languages, so that it also finds an item by the slug of a
// translation.
func InLanguages(ctx context.Context, key calendar.Key) calendar.Key {
	if key.ID == 0 && key.In == "" {
		key.In = strings.Join(tenancy.Current(ctx).Texts, ",")
	}
	return key
}

// Worded is an item with its texts in other languages.
type Worded struct {
	Texts *translations.Texts
	Own   string // its slug in the site's own language
	gone  bool   // in the trash, where slugs are free for other items
}

// WordedPost returns the texts of an event, venue or organizer.
func WordedPost(p *calendar.Post) Worded { return Worded{&p.Texts, p.Slug, p.Trashed()} }

// SettleTexts sets the version of changed translations, and makes their slugs unique: no other item of the kind has
// them in the same language or in the site's own.
func (t *Tx) SettleTexts(ctx context.Context, kind string, id int64, was, now Worded) error {
	if now.Texts.Raw() == nil && (was.Texts == nil || was.Texts.Raw() == nil) {
		return nil
	}
	*now.Texts = now.Texts.Stamped(t.Version)
	before, after := was.slugs(), now.slugs()
	all := now.Texts.All()
	b := &pgx.Batch{}
	free := map[string]*string{}
	for language, slug := range after {
		if before[language] != slug {
			free[language] = new(string)
			if slug != now.Own {
				slug = t.Slugs.unusedInImport(kind, slug)
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
		*now.Texts = translations.Of(all)
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
