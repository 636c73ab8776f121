package calendar

import (
	"regexp"
	"strings"

	"github.com/kalends/kalends/args"
)

// csvTexts are the columns that a file has once for each language of its site beside
// the site's own: "Event Name (de)".
var csvTexts = []struct{ name, meaning string }{
	{"Event Name", "title"},
	{"Event Excerpt", "excerpt"},
	{"Event Description", "description"},
	{"Event Cost", "cost"},
	{"Event Slug", "slug"},
	{"Event Venue Name", "venue"},
	{"Venue Description", "venue.description"},
	{"Event Organizer Name", "organizer"},
	{"Organizer Description", "organizer.description"},
}

// The arguments of texts that have columns.
var (
	eventTexts = []string{"title", "excerpt", "description", "cost", "slug"}
	placeTexts = map[string][]string{"venue": {"venue", "description"}, "organizer": {"organizer", "description"}}
)

// textMeaning is what a column means in a language: the argument, as problems name it.
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

// textColumn returns what a column for one of the languages means.
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

// texts returns what a row says in other languages of what stands before their names,
// nil for nothing.
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

// clearText says that a date of a series has no texts in a language that its series has
// some in, "translations.de", or lacks one of them: "translations.de.excerpt".
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

// within returns the object that another has under a name, which is made if it isn't there.
func within(object map[string]any, name string) map[string]any {
	inner, there := object[name].(map[string]any)
	if !there {
		inner = map[string]any{}
		object[name] = inner
	}
	return inner
}

// texts says what is written in other languages; title is the argument of the title.
func (c *csvWriter) texts(cells csvCells, before, title string, texts Texts) {
	all := texts.All()
	for _, language := range c.site.Others() {
		text := all[language]
		for field, said := range c.said(&text, title) {
			cells[before+"translations."+language+"."+field] = said
		}
	}
}

// said are texts as cells hold them, by their argument.
func (c *csvWriter) said(t *Text, title string) map[string]string {
	return map[string]string{title: titleText(t.Title), "excerpt": t.Excerpt, "description": t.Description,
		"cost": termText(strings.Join(t.Cost, ", ")), "slug": t.Slug}
}

// unsaid names the texts in other languages that a date of a series hasn't.
func (c *csvWriter) unsaid(e *Event) (names []string) {
	all := e.Texts.All()
	for _, language := range c.site.Others() {
		text, there := all[language]
		if !there {
			names = append(names, "translations."+language)
			continue
		}
		said := c.said(&text, "title")
		for _, field := range eventTexts {
			if said[field] == "" && field != "slug" {
				names = append(names, "translations."+language+"."+field)
			}
		}
	}
	return names
}
