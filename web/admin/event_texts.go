package admin

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/web/frame"
	"github.com/kalends/kalends/web/ui"
)

// textFields are the texts of an event in one language, in their order in the form.
var textFields = []string{"title", "description", "excerpt", "cost", "slug"}

const translations = "translations"

// textName is the name of a field for a text in a language: that of its argument.
func textName(language, field string) string { return translations + "." + language + "." + field }

// otherLanguages are those that the site is written in beside its own.
func otherLanguages(ctx context.Context) []string {
	if site := ui.SiteOf(ctx); site != nil {
		return site.Others()
	}
	return nil
}

// textsOf fills in the texts of an event in other languages.
func textsOf(ctx context.Context, f *frame.Form, e *calendar.Event) {
	others := otherLanguages(ctx)
	if others == nil {
		return
	}
	all := e.Texts.All()
	for _, language := range others {
		text := all[language]
		for field, said := range map[string]string{"title": text.Title, "description": text.Description, "excerpt": text.Excerpt,
			"slug": text.Slug, "cost": strings.Join(text.Cost, ", ")} {
			f.Set(textName(language, field), said)
		}
	}
}

// textLanguages are the languages that the form has texts in.
func textLanguages(f *frame.Form) []string {
	found := map[string]bool{}
	for name := range f.Values {
		if rest, is := strings.CutPrefix(name, translations+"."); is {
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
	for _, field := range append(slices.Clone(textFields), "current") {
		if text := strings.TrimSpace(f.Get(textName(language, field))); text != "" {
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

// readTexts reads the texts of the languages in which something differs from the event
// as it stands, nil for a new one.
func readTexts(f *frame.Form, now *frame.Form, values args.Values) {
	all := map[string]any{}
	for _, language := range textLanguages(f) {
		if now == nil && textsIn(f, language) == "" || now != nil && textsIn(f, language) == textsIn(now, language) {
			continue
		}
		texts := map[string]any{}
		for _, field := range textFields {
			if name := textName(language, field); f.Has(name) {
				texts[field] = f.Get(name)
			}
		}
		all[language] = texts
	}
	if len(all) > 0 {
		values[translations] = all
	}
}

// textLabel names a field for a text in a language, "" for any other field.
func textLabel(ctx context.Context, f *frame.Form, name string) string {
	rest, is := strings.CutPrefix(name, translations+".")
	if !is {
		return ""
	}
	language, field, _ := strings.Cut(rest, ".")
	return f.Label(ctx, ui.FirstText(field, translations)) + " (" + i18n.NativeName(language) + ")"
}

// textState says how the texts of an event in a language stand.
func (ed *eventEditor) textState(language string) string {
	if ed.event == nil {
		return "missing"
	}
	text, there := ed.event.Texts.All()[language]
	switch {
	case !there || text.Title == "":
		return "missing"
	case text.Outdated:
		return "outdated"
	}
	return "current"
}

// textsWrong reports whether something is wrong with the texts of the form in a language.
func (ed *eventEditor) textsWrong(language string) bool {
	for name := range ed.form.Problems {
		if strings.HasPrefix(name+".", translations+"."+language+".") {
			return true
		}
	}
	return false
}
