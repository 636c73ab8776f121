// Package texts has the part of a form for translations, and the filter for entries without a text in a language.
// It defines which texts each kind of entry has.
package texts

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// fieldsOf are the names of the translated fields, by kind and in the order of the form; the title comes first.
var fieldsOf = map[string][]string{
	"event":     {"title", "description", "excerpt", "cost", "slug", "seo_title", "seo_description"},
	"venue":     {"venue", "description", "excerpt", "address", "city", "country", "slug"},
	"organizer": {"organizer", "description", "excerpt", "slug"},
	"category":  {"name", "description", "slug"},
	"tag":       {"name", "description", "slug"},
	"media":     {"alt"},
	"settings": {"name", "tagline", "links", "footer_links", "submission_terms",
		tenancy.LeadField(0), tenancy.LeadField(1), tenancy.LeadField(2), tenancy.LeadField(3)},
}

// rowsOf are the heights, in lines, of fields with several lines.
var rowsOf = map[string]string{"description": "8", "excerpt": "3", "seo_description": "2", "links": "3", "footer_links": "3",
	"submission_terms": "4"}

// original returns the text of a field in the site's own language, without markup.
func original(f *frame.Form, of string) string {
	if of == "description" || of == "excerpt" {
		return wording.PlainText(f.Get(of))
	}
	return ui.PlainText(f.Get(of))
}

// Field is the form field for translations. The names of its controls begin with this name and a dot.
const Field = "translations"

// control returns the name of the control for a translated field, which is also the name of its argument.
func control(language, field string) string { return Field + "." + language + "." + field }

// Languages returns the languages that the site is written in besides its own.
func Languages(ctx context.Context) []string {
	if site := ui.SiteOf(ctx); site != nil {
		return site.Others()
	}
	return nil
}

// ownLanguage returns the site's own language.
func ownLanguage(ctx context.Context) string {
	if site := ui.SiteOf(ctx); site != nil {
		return site.Language
	}
	return ""
}

// Fill fills in the translations of an item. The item's own fields must be filled in before. If one of the item's
// own texts is in another language, it also appears under that language.
func Fill(ctx context.Context, f *frame.Form, stored translations.Texts) {
	all := stored.All()
	for _, language := range Languages(ctx) {
		text := all[language]
		for n, field := range fieldsOf[f.Kind] {
			name := field
			if n == 0 {
				name = "title"
			}
			said := text.Get(name)
			if name == "cost" {
				said = strings.Join(text.Cost, ", ")
			}
			if slices.Contains(text.Original, name) {
				said = f.Get(field)
			}
			f.Set(control(language, field), said)
		}
	}
}

// languagesIn returns the other languages in which a form has texts.
func languagesIn(f *frame.Form) []string {
	found := map[string]bool{}
	for name := range f.Values {
		if rest, is := strings.CutPrefix(name, Field+"."); is {
			language, _, _ := strings.Cut(rest, ".")
			found[language] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// Sent reports whether a form has the field for translations.
func Sent(f *frame.Form) bool { return len(languagesIn(f)) > 0 }

// textIn returns the texts of a form in a language, for comparing. Confirming that they are current counts as a change.
func textIn(f *frame.Form, language string) string {
	var list []string
	for _, field := range append(slices.Clone(fieldsOf[f.Kind]), "current") {
		if text := f.Text(control(language, field)); text != "" {
			list = append(list, field+": "+text)
		}
	}
	return strings.Join(list, "\n")
}

// Text returns all translations of a form as one text, for comparing.
func Text(f *frame.Form) string {
	var list []string
	for _, language := range languagesIn(f) {
		if text := textIn(f, language); text != "" {
			list = append(list, language+"\n"+text)
		}
	}
	return strings.Join(list, "\n")
}

// Readable returns all translations of a form as one text, for people.
func Readable(ctx context.Context, f *frame.Form) string {
	var list []string
	for _, language := range languagesIn(f) {
		for _, field := range fieldsOf[f.Kind] {
			name := control(language, field)
			text := f.Text(name)
			if field == "description" || field == "excerpt" {
				text = wording.PlainText(text)
			}
			if text != "" {
				list = append(list, Label(ctx, f, name)+": "+text)
			}
		}
	}
	return strings.Join(list, "\n")
}

// Changed returns the texts of a form by language and field, for the languages in which a text differs from the stored one.
// now is nil for a new item.
func Changed(f, now *frame.Form) map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, language := range languagesIn(f) {
		if now == nil && textIn(f, language) == "" || now != nil && textIn(f, language) == textIn(now, language) {
			continue
		}
		all[language] = map[string]string{}
		for _, field := range fieldsOf[f.Kind] {
			if name := control(language, field); f.Has(name) {
				all[language][field] = f.Get(name)
			}
		}
	}
	return all
}

// Read adds the result of Changed to arguments, unless it is empty.
func Read(f, now *frame.Form, values args.Values) {
	all := map[string]any{}
	for language, texts := range Changed(f, now) {
		said := map[string]any{}
		for field, text := range texts {
			said[field] = text
		}
		all[language] = said
	}
	if len(all) > 0 {
		values[Field] = all
	}
}

// Label returns the label of the control for a text in a language, or "" for other controls.
func Label(ctx context.Context, f *frame.Form, name string) string {
	rest, is := strings.CutPrefix(name, Field+".")
	if !is {
		return ""
	}
	language, field, _ := strings.Cut(rest, ".")
	label := f.Label(ctx, cmp.Or(field, Field))
	if season := leadOf(f, field); season != "" {
		label = frame.TellWith(ctx, "season.text", "Season", season)
	}
	return label + " (" + ui.LanguageName(ctx, language) + ")"
}

// leadOf returns the name or the number of the season that a field has the text of, or "" for other fields.
func leadOf(f *frame.Form, field string) string {
	season, is := strings.CutSuffix(field, "_lead")
	if !is {
		return ""
	}
	return cmp.Or(f.Text(season+"_name"), strings.TrimPrefix(season, "season_"))
}

// panel is the part of a form for one other language.
type panel struct {
	form     *frame.Form
	language string
	state    string // missing, outdated or current
	wrong    bool   // a text in it has a problem
}

// panelsOf returns the panels of a form, one for each language. state returns the state of the texts in a language.
func panelsOf(ctx context.Context, f *frame.Form, state func(language string) string) (list []panel) {
	for _, language := range Languages(ctx) {
		p := panel{form: f, language: language, state: state(language)}
		for name := range f.Problems {
			p.wrong = p.wrong || strings.HasPrefix(name+".", Field+"."+language+".")
		}
		list = append(list, p)
	}
	return list
}

// stateIn returns the state of an entry's texts in a language: missing, outdated or current.
func stateIn(ctx context.Context, stored translations.Texts, language string) string {
	switch text := stored.All()[language]; {
	case language == ownLanguage(ctx) && !stored.Lacks(), slices.Contains(text.Original, "title"):
		return "current"
	case text.Title == "":
		return "missing"
	case text.Outdated:
		return "outdated"
	}
	return "current"
}
