package content

import (
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/storage/pg"
)

// NamedID is a linked object as the history stores it.
type NamedID struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// NamesOf returns linked objects as the history keeps them.
func NamesOf[T any](list []T, name func(*T) (id int64, name string)) []NamedID {
	ids := make([]NamedID, 0, len(list))
	for i := range list {
		id, name := name(&list[i])
		ids = append(ids, NamedID{id, name})
	}
	return ids
}

// PostDocument returns the fields that events, venues and organizers share, as the history keeps them. title is the name of
// the argument for the title. The entry itself has the version and the time of the change.
func PostDocument(p *calendar.Post, title string) pg.Document {
	d := pg.Document{
		"author":       IDOrNil(p.Author),
		"status":       string(p.Status),
		"translations": TextsDocument(p.Texts, title),
		"slug":         p.Slug,
		"date":         nil,
		"image":        nil,
	}
	if p.Dated {
		d["date"] = p.Date.UTC().Truncate(0)
	}
	if p.Image != nil {
		d["image"] = NamedID{p.Image.ID, p.Image.File}
	}
	return d
}

// TextsDocument returns the texts of an item in other languages as the history keeps them, or nil if there are none. title is
// the name of the argument for the title.
func TextsDocument(t translations.Texts, title string) any {
	all := t.All()
	if len(all) == 0 {
		return nil
	}
	d := map[string]any{}
	for language, text := range all {
		one := map[string]any{title: text.Title, "description": text.Description, "excerpt": text.Excerpt, "slug": text.Slug,
			"cost": append([]string{}, text.Cost...), "seo_title": text.SEOTitle, "seo_description": text.SEODesc,
			"outdated": text.Outdated}
		for _, name := range []string{"address", "city", "country"} {
			if value := text.Get(name); value != "" {
				one[name] = value
			}
		}
		if len(text.Original) > 0 {
			one["original"] = text.Original
		}
		d[language] = one
	}
	return d
}

// IDOrNil returns nil for 0, because the history writes null for a missing ID.
func IDOrNil(id int64) any {
	if id == 0 {
		return nil
	}
	return id
}
