package admin

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/web/frame"
	"github.com/kalends/kalends/web/ui"
)

// textFields are the texts of each kind in one language, in their order in its form: the
// title first.
var textFields = map[string][]string{
	"event":     {"title", "description", "excerpt", "cost", "slug", "seo_title", "seo_description"},
	"venue":     {"venue", "description", "excerpt", "slug"},
	"organizer": {"organizer", "description", "excerpt", "slug"},
	"category":  {"name", "description", "slug"},
	"tag":       {"name", "description", "slug"},
	"media":     {"alt"},
	"settings":  {"name", "tagline", "links", "footer_links", "submission_terms"},
}

// textRows are the lines of those that are longer than one.
var textRows = map[string]string{"description": "8", "excerpt": "3", "seo_description": "2", "links": "3", "footer_links": "3",
	"submission_terms": "4"}

// textsField is the field that has the texts in other languages.
const textsField = "translations"

// textName is the name of a field for a text in a language: that of its argument.
func textName(language, field string) string { return textsField + "." + language + "." + field }

// otherLanguages are those that the site is written in beside its own.
func otherLanguages(ctx context.Context) []string {
	if site := ui.SiteOf(ctx); site != nil {
		return site.Others()
	}
	return nil
}

// textsOf fills in the texts of what a form is about in other languages.
func textsOf(ctx context.Context, f *frame.Form, texts translations.Texts) {
	all := texts.All()
	for _, language := range otherLanguages(ctx) {
		text := all[language]
		said := map[string]string{"description": text.Description, "excerpt": text.Excerpt, "slug": text.Slug,
			"cost": strings.Join(text.Cost, ", "), "seo_title": text.SEOTitle, "seo_description": text.SEODesc}
		for n, field := range textFields[f.Kind] {
			if n == 0 {
				f.Set(textName(language, field), text.Title)
			} else {
				f.Set(textName(language, field), said[field])
			}
		}
	}
}

// textLanguages are the languages that the form has texts in.
func textLanguages(f *frame.Form) []string {
	found := map[string]bool{}
	for name := range f.Values {
		if rest, is := strings.CutPrefix(name, textsField+"."); is {
			language, _, _ := strings.Cut(rest, ".")
			found[language] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// textsIn are the texts of the form in a language as they are compared. That they are
// up to date counts as a change.
func textsIn(f *frame.Form, language string) string {
	var list []string
	for _, field := range append(slices.Clone(textFields[f.Kind]), "current") {
		if text := strings.TrimSpace(strings.ReplaceAll(f.Get(textName(language, field)), "\r\n", "\n")); text != "" {
			list = append(list, field+": "+text)
		}
	}
	return strings.Join(list, "\n")
}

// textsText are all texts in other languages as they are compared.
func textsText(f *frame.Form) string {
	var list []string
	for _, language := range textLanguages(f) {
		if text := textsIn(f, language); text != "" {
			list = append(list, i18n.NativeName(language)+"\n"+text)
		}
	}
	return strings.Join(list, "\n")
}

// readTexts reads the texts of the languages in which something differs from what
// is stored, nil for a new one.
func readTexts(f *frame.Form, now *frame.Form, values args.Values) {
	all := map[string]any{}
	for _, language := range textLanguages(f) {
		if now == nil && textsIn(f, language) == "" || now != nil && textsIn(f, language) == textsIn(now, language) {
			continue
		}
		texts := map[string]any{}
		for _, field := range textFields[f.Kind] {
			if name := textName(language, field); f.Has(name) {
				texts[field] = f.Get(name)
			}
		}
		all[language] = texts
	}
	if len(all) > 0 {
		values[textsField] = all
	}
}

// textLabel names a field for a text in a language, "" for any other field.
func textLabel(ctx context.Context, f *frame.Form, name string) string {
	rest, is := strings.CutPrefix(name, textsField+".")
	if !is {
		return ""
	}
	language, field, _ := strings.Cut(rest, ".")
	return f.Label(ctx, ui.FirstText(field, textsField)) + " (" + i18n.NativeName(language) + ")"
}

// textPanel has the texts of what a form is about in another language.
type textPanel struct {
	form     *frame.Form
	language string
	state    string // missing, outdated or current
	wrong    bool   // something in it is
}

// textPanels are the panels of a form, one for each language; stored are the texts that
// there are already.
func textPanels(ctx context.Context, f *frame.Form, stored translations.Texts) []textPanel {
	all := stored.All()
	return panelsOf(ctx, f, func(language string) string { return textState(all[language]) })
}

// panelsOf are the panels of a form; state says how what is written in a language stands.
func panelsOf(ctx context.Context, f *frame.Form, state func(language string) string) (list []textPanel) {
	for _, language := range otherLanguages(ctx) {
		p := textPanel{form: f, language: language, state: state(language)}
		for name := range f.Problems {
			p.wrong = p.wrong || strings.HasPrefix(name+".", textsField+"."+language+".")
		}
		list = append(list, p)
	}
	return list
}

// textState says how what is written in a language stands.
func textState(text translations.Text) string {
	switch {
	case text.Title == "":
		return "missing"
	case text.Outdated:
		return "outdated"
	}
	return "current"
}

// texts are those of the event that the form is about.
func (ed *eventEditor) texts() translations.Texts {
	if ed.event == nil {
		return translations.Texts{}
	}
	return ed.event.Texts
}

// texts are those of the place that the form is about.
func (ed *placeEditor) texts() translations.Texts {
	if ed.entry == nil {
		return translations.Texts{}
	}
	return ed.entry.Texts
}
