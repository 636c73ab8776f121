// Package i18n holds every text people read, once per language. A language is
// one file, <tag>.json, in the format of go-i18n; adding the file adds the
// language. Keys are the same in all files:
//
//	error.<code>             what a refused request is told
//	problem.…                what is wrong with one argument
//	arg.<resource>.<name>    what an argument means; arg.<resource>.list.<name> in lists
//	route.<name>             what a route does, in one line
//	doc.…, schema.…          titles and descriptions of the documentation
//	member.…                 what a property of an answer means; the keys stand beside the properties in api/schema
//	date.…                   names of days and months, and the forms of dates (patterns as in CLDR)
//	public.…                 texts of the public pages
//	recurrence.…             when a series happens, in words
//	language.name            the language's own name
package i18n

import (
	"context"
	"strings"

	"github.com/kalends/kalends/tenancy"
)

// source is the language with every key; the others fall back to it.
const source = "en"

// Languages returns the tags of all languages, English first, the others in alphabetical order.
func Languages() []string { return append([]string(nil), loaded().tags...) }

// Supported reports whether there is a catalog with exactly that tag.
func Supported(lang string) bool { return loaded().byTag[lang] != nil }

// Canonical returns the tag of a language with canonical letter case, such as pt-BR for pt-br. It returns "" for
// languages without a catalog.
func Canonical(lang string) string { return loaded().byFold[strings.ToLower(lang)] }

// longestTag is the maximum length of a language tag.
const longestTag = 8

// Cut splits the language off a path. It returns its tag, the prefix with its slash, and the rest. Without a
// language, only rest is set.
func Cut(path string) (tag, prefix, rest string) {
	below, rooted := strings.CutPrefix(path, "/")
	segment, _, _ := strings.Cut(below, "/")
	if !rooted || len(segment) > longestTag {
		return "", "", path
	}
	if tag = Canonical(segment); tag == "" {
		return "", "", path
	}
	return tag, "/" + segment, below[len(segment):]
}

// Direction returns the writing direction of a language: "rtl" or "ltr".
func Direction(lang string) string {
	if c := loaded().find(lang); c != nil && c.rightToLeft {
		return "rtl"
	}
	return "ltr"
}

// NativeName returns a language's own name, or the tag itself for languages without a catalog.
func NativeName(lang string) string {
	if c := loaded().find(lang); c != nil {
		return c.name()
	}
	return lang
}

// Text returns the text of a key in a language. Placeholders are filled from data as plain text. If the text has
// plural forms, the number Count selects one, or else Max or Min. A key missing in the language is returned in
// English, and one missing in English as the key itself. A regional language without a catalog (de-AT) falls back to
// the general one (de), any other to English.
func Text(lang, key string, data map[string]any) string { return loaded().text(lang, key, data) }

func (s *set) text(lang, key string, data map[string]any) string {
	c := s.find(lang)
	if c == nil || c.all()[key] == nil {
		c = s.byTag[source]
	}
	t := c.all()[key]
	switch {
	case t == nil:
		return key
	case t.plain != "":
		return t.plain
	}
	return c.fill(key, t, data)
}

// T is Text in the language of the context's scope, or English without a scope. A site whose dates are British has British
// spelling, in the few texts that have a form of it.
func T(ctx context.Context, key string, data map[string]any) string {
	scope := tenancy.Current(ctx)
	if scope.Site != nil && scope.Site.Settings.English == british && Has(scope.Language, key, british) {
		key += formSign + british
	}
	return Text(scope.Language, key, data)
}

// british is the form of texts in British English.
const british = "british"

// find returns the catalog of a language or of its general language, or nil.
func (s *set) find(lang string) *catalogue {
	for {
		if c := s.byTag[lang]; c != nil {
			return c
		}
		cut := strings.LastIndexByte(lang, '-')
		if cut < 0 {
			return nil
		}
		lang = lang[:cut]
	}
}
