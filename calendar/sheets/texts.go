package sheets

import (
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/calendar/translations"
)

// texts sets the cells of the translations. title is the argument name of the title.
func (c *Table) texts(cells map[string]string, before, title string, texts translations.Texts) {
	all := texts.All()
	for _, language := range c.site.Others() {
		text := all[language]
		for field, cell := range c.textCells(&text, title) {
			cells[before+"translations."+language+"."+field] = cell
		}
	}
}

// textCells returns a translation as cells by argument.
func (c *Table) textCells(t *translations.Text, title string) map[string]string {
	return map[string]string{title: titleText(t.Title), "excerpt": t.Excerpt, "description": t.Description,
		"cost": termText(strings.Join(t.Cost, ", ")), "slug": t.Slug, "address": t.Address, "city": t.City, "country": t.Country,
		"seo_title": t.SEOTitle, "seo_description": t.SEODesc}
}

// ownText sets the cell of a text in another language that an occurrence has of its own, "translations.de.title". It
// reports whether the name is that of such a text.
func (c *Table) ownText(cells map[string]string, name string, e *calendar.Event) bool {
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
func (c *Table) clearedTexts(e *calendar.Event) (names []string) {
	all := e.Texts.All()
	for _, language := range c.site.Others() {
		text, there := all[language]
		if !there {
			names = append(names, "translations."+language)
			continue
		}
		cells := c.textCells(&text, "title")
		for _, field := range reading.EventTexts {
			if cells[field] == "" && field != "slug" {
				names = append(names, "translations."+language+"."+field)
			}
		}
	}
	return names
}
