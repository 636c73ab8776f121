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
	"cmp"
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
const longestTag = 35

// Cut splits the language off a path, one of the interface or another one. It returns its tag, the prefix with its slash, and the
// rest. Without a language, only rest is set.
func Cut(path string) (tag, prefix, rest string) {
	below, rooted := strings.CutPrefix(path, "/")
	segment, _, _ := strings.Cut(below, "/")
	if !rooted || len(segment) > longestTag {
		return "", "", path
	}
	if tag = Canonical(segment); tag == "" {
		tag = tenancy.PathLanguage(segment)
	}
	if tag == "" {
		return "", "", path
	}
	return tag, "/" + segment, below[len(segment):]
}

// Direction returns the writing direction of a language: "rtl" or "ltr".
func Direction(lang string) string {
	right := false
	if c := loaded().byTag[lang]; c != nil {
		right = c.rightToLeft
	} else if lang != "" {
		right = loaded().knownOf(lang).rightToLeft
	}
	if right {
		return "rtl"
	}
	return "ltr"
}

// NativeName returns a language's own name, by CLDR for languages without a catalog, or the tag itself if CLDR has none.
func NativeName(lang string) string {
	if c := loaded().byTag[lang]; c != nil {
		return c.name()
	}
	return cmp.Or(loaded().knownOf(lang).name, lang)
}

// Text returns the text of a key in a language. Placeholders are filled from data as plain text. If the text has
// plural forms, the number Count selects one, or else Max or Min. A key missing in the language is returned in
// English, and one missing in English as the key itself. A language without a catalog falls back as in Interface.
func Text(lang, key string, data map[string]any) string { return loaded().text(lang, key, data) }

func (s *set) text(lang, key string, data map[string]any) string {
	c := s.find(lang)
	if c == nil {
		c = s.byTag[source]
	}
	t := c.all()[key]
	if t == nil {
		c = s.byTag[source]
		t = c.all()[key]
	}
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

// find returns the catalog of a language, of its general language, or of the nearest by CLDR, or nil.
func (s *set) find(lang string) *catalogue {
	for general := lang; ; {
		if c := s.byTag[general]; c != nil {
			return c
		}
		cut := strings.LastIndexByte(general, '-')
		if cut < 0 {
			break
		}
		general = general[:cut]
	}
	if lang == "" {
		return nil
	}
	return s.byTag[s.knownOf(lang).nearest]
}
