package settings

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/saving"
	"github.com/kalends/kalends/web/forms/texts"
)

// topic is a page of the settings, part a section of such a page. Their headings are keys of texts.
type (
	topic struct {
		path, text string
		parts      []part
	}
	part struct {
		name, text string
		fields     []string
	}
)

// topics say which setting is on which page. Everything else about the pages follows from them: the form, its fields, what is beside it,
// the links among the pages, and where the palette leads.
var topics = []topic{
	{path, "settings.topic.site", []part{
		{"site", "settings.site", []string{"name", "tagline", "timezone"}},
		{"languages", "settings.languages", []string{"language", "languages", "content_languages"}},
	}},
	{path + "/design", "settings.topic.design", []part{
		{"face", "settings.face", []string{"theme", "accent", "corners", "font", "logo", "header", "links", "footer_links"}},
	}},
	{path + "/seasons", "field.settings.seasons", []part{
		{seasons, "field.settings.seasons", seasonNames},
	}},
	{path + "/display", "settings.topic.display", []part{
		{"dates", "settings.dates", []string{"week_start", "date_form", "time_form", "english", "calendar"}},
		{"prices", "settings.prices", []string{"currency_symbol", "currency_code", "currency_position"}},
		{"pages", "settings.pages", []string{"per_page"}},
		{"map", "settings.map", []string{"map_tiles", "map_credit"}},
	}},
	{path + "/visitors", "settings.topic.visitors", []part{
		{"submissions", "nav.submissions", []string{"submissions", "submission_terms", "reports", "review"}},
		{mailing, "nav.letters", []string{mailing}},
		{"numbers", "nav.numbers", []string{"numbers"}},
	}},
	{path + "/sharing", "settings.sharing", []part{
		{"share", "settings.sharing", []string{"share", "share_on", "listed"}},
	}},
	{path + "/texts", "nav.texts", []part{
		{"texts", "field.translations", []string{texts.Field}},
	}},
}

const mailing = "mailing"

// formFields are all settings, in the order of the pages.
var formFields = saving.Fields{
	Names: allFields(),
	Apart: apartFields(),
}

func apartFields() map[string]saving.Field {
	apart := map[string]saving.Field{
		"languages":         saving.Set("languages"),
		"content_languages": {Text: func(f *frame.Form) string { return strings.Join(f.All("content_languages"), ",") }},
	}
	for n, name := range seasonNames {
		apart[name] = seasonField(n)
	}
	return apart
}

func allFields() (names []string) {
	for _, t := range topics {
		for _, p := range t.parts {
			names = append(names, p.fields...)
		}
	}
	return names
}

// offers reports whether a site has the settings of a part: letters need a mail server, and translations several languages.
func (w *Pages) offers(ctx context.Context, p *part) bool {
	switch p.name {
	case mailing:
		return w.submissions.Writes()
	case "texts":
		return texts.Languages(ctx) != nil
	}
	return true
}

// open returns the pages that have at least one setting for this site, each with its parts.
func (w *Pages) open(ctx context.Context) []topic {
	var list []topic
	for _, t := range topics {
		var parts []part
		for _, p := range t.parts {
			if w.offers(ctx, &p) {
				parts = append(parts, p)
			}
		}
		if t.parts = parts; len(parts) > 0 {
			list = append(list, t)
		}
	}
	return list
}

// partsOf returns what a page shows: its own parts, and those of other pages of which a form that was sent has fields, as forms of
// programs and of earlier releases do.
func partsOf(open []topic, at string, f *frame.Form, sent bool) []part {
	var list []part
	for _, t := range open {
		for _, p := range t.parts {
			if t.path == at || sent && slices.ContainsFunc(p.fields, func(name string) bool { return formFields.Sent(f, name) }) {
				list = append(list, p)
			}
		}
	}
	return list
}

// fill gives a form that was sent the stored values of all settings that it does not have.
func fill(f, stored *frame.Form) {
	for _, name := range formFields.Names {
		if formFields.Sent(f, name) {
			continue
		}
		for control, values := range stored.Values {
			if formFields.Owns(name, control) {
				f.Values[control] = slices.Clone(values)
			}
		}
	}
}

// has reports whether the page has one of some settings.
func (ed *editor) has(names ...string) bool {
	return slices.ContainsFunc(ed.parts, func(p part) bool {
		return slices.ContainsFunc(p.fields, func(name string) bool { return slices.Contains(names, name) })
	})
}

// Named is a setting, or a page of settings, that was found by a part of its name.
type Named struct {
	Name, Page string // Page is "" for a page
	Path       string
}

// Find returns the settings of the site, and their pages, whose names have the text, at most so many.
func (w *Pages) Find(ctx context.Context, text string, most int) []Named {
	var list []Named
	form, words := &frame.Form{Kind: "settings", Values: url.Values{}}, wording.Fold(text)
	add := func(name, page, path string) {
		if len(list) < most && strings.Contains(wording.Fold(name), words) {
			list = append(list, Named{name, page, path})
		}
	}
	for _, t := range w.open(ctx) {
		title := frame.Tell(ctx, t.text)
		add(title, "", t.path)
		for _, p := range t.parts {
			for _, name := range p.fields {
				if name != texts.Field && p.name != seasons { // which have pages of their name
					add(form.Label(ctx, name), title, t.path+"#f-"+name)
				}
			}
		}
	}
	return list
}
