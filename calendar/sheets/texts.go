package sheets

import (
	"regexp"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
)

// csvTexts are the columns that exist once for each additional language of the site, such as "Event Name (de)".
var csvTexts = []struct{ name, meaning string }{
	{"Event Name", "title"},
	{"Event Excerpt", "excerpt"},
	{"Event Description", "description"},
	{"Event Cost", "cost"},
	{"Event Slug", "slug"},
	{"Event SEO Title", "seo_title"},
	{"Event SEO Description", "seo_description"},
	{"Event Venue Name", "venue"},
	{"Venue Description", "venue.description"},
	{"Venue Address", "venue.address"},
	{"Venue City", "venue.city"},
	{"Venue Country", "venue.country"},
	{"Event Organizer Name", "organizer"},
	{"Organizer Description", "organizer.description"},
}

// The translatable arguments that have columns.
var (
	eventTexts = []string{"title", "excerpt", "description", "cost", "slug", "seo_title", "seo_description"}
	placeTexts = map[string][]string{"venue": {"venue", "description", "address", "city", "country"}, "organizer": {"organizer", "description"}}
)

// textMeaning returns the meaning of a column in a language: the argument name as used in problems.
func textMeaning(meaning, language string) string {
	kind, field, within := strings.Cut(meaning, ".")
	switch {
	case within:
	case placeTexts[kind] != nil:
		field = kind
	default:
		return "translations." + language + "." + meaning
	}
	return kind + ".translations." + language + "." + field
}

var inBrackets = regexp.MustCompile(`^(.*)\(([A-Za-z0-9-]+)\)$`)

// textColumn returns the meaning of a column for one of the languages.
func (c *CSV) textColumn(name string) (string, bool) {
	parts := inBrackets.FindStringSubmatch(name)
	if parts == nil {
		return "", false
	}
	meaning := csvColumns[columnKey(parts[1])]
	for _, column := range csvTexts {
		for _, language := range c.languages {
			if column.meaning == meaning && strings.EqualFold(parts[2], language) {
				return textMeaning(meaning, language), true
			}
		}
	}
	return "", false
}

// texts returns the translations in a row whose meanings begin with a prefix, or nil if there are none.
func (c csvCells) texts(before string, fields []string) map[string]any {
	var all map[string]any
	for meaning, text := range c {
		rest, is := strings.CutPrefix(meaning, before+"translations.")
		language, name, _ := strings.Cut(rest, ".")
		for _, field := range fields {
			if !is || field != name {
				continue
			}
			if all == nil {
				all = map[string]any{}
			}
			within(all, language)[field] = text
		}
	}
	return all
}

// clearText clears the texts of an occurrence in a language, "translations.de", or one of them,
// "translations.de.excerpt".
func clearText(v args.Values, name string) {
	all := within(v, "translations")
	_, rest, _ := strings.Cut(name, ".")
	language, field, one := strings.Cut(rest, ".")
	if !one {
		all[language] = nil
		return
	}
	within(all, language)[field] = nil
}

// within returns the object stored under a name, creating it if necessary.
func within(object map[string]any, name string) map[string]any {
	inner, there := object[name].(map[string]any)
	if !there {
		inner = map[string]any{}
		object[name] = inner
	}
	return inner
}

// texts sets the cells of the translations. title is the argument name of the title.
func (c *csvWriter) texts(cells csvCells, before, title string, texts translations.Texts) {
	all := texts.All()
	for _, language := range c.site.Others() {
		text := all[language]
		for field, cell := range c.textCells(&text, title) {
			cells[before+"translations."+language+"."+field] = cell
		}
	}
}

// textCells returns a translation as cells by argument.
func (c *csvWriter) textCells(t *translations.Text, title string) map[string]string {
	return map[string]string{title: titleText(t.Title), "excerpt": t.Excerpt, "description": t.Description,
		"cost": termText(strings.Join(t.Cost, ", ")), "slug": t.Slug, "address": t.Address, "city": t.City, "country": t.Country,
		"seo_title": t.SEOTitle, "seo_description": t.SEODesc}
}

// ownText sets the cell of a text in another language that an occurrence has of its own, "translations.de.title". It
// reports whether the name is that of such a text.
func (c *csvWriter) ownText(cells csvCells, name string, e *calendar.Event) bool {
	rest, is := strings.CutPrefix(name, "translations.")
	if !is {
		return false
	}
	language, field, _ := strings.Cut(rest, ".")
	text := e.Texts.All()[language]
	cells[name] = c.textCells(&text, "title")[field]
	return true
}

// clearedTexts returns the translations that an occurrence of a series has cleared.
func (c *csvWriter) clearedTexts(e *calendar.Event) (names []string) {
	all := e.Texts.All()
	for _, language := range c.site.Others() {
		text, there := all[language]
		if !there {
			names = append(names, "translations."+language)
			continue
		}
		cells := c.textCells(&text, "title")
		for _, field := range eventTexts {
			if cells[field] == "" && field != "slug" {
				names = append(names, "translations."+language+"."+field)
			}
		}
	}
	return names
}
