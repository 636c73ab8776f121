// Package i18n holds every text people read, once per language. A language is
// one file, <tag>.json, in the format of go-i18n; adding the file adds the
// language. Keys are the same in all files:
//
//	error.<code>             what a refused request is told
//	problem.…                what is wrong with one argument
//	arg.<resource>.<name>    what an argument means; arg.<resource>.list.<name> in lists
//	route.<name>             what a route does, in one line
//	doc.…, schema.…          titles and descriptions of the documentation
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

// source is the language that has every key; the others fall back to it.
const source = "en"

// Languages returns the tags of all languages, English first, the others in
// alphabetical order.
func Languages() []string { return append([]string(nil), loaded().tags...) }

// Supported reports whether there is a catalogue of exactly that tag.
func Supported(lang string) bool { return loaded().byTag[lang] != nil }

// Canonical returns the tag of a language however its letters are written: pt-BR
// for pt-br. It is "" for languages without a catalogue.
func Canonical(lang string) string { return loaded().byFold[strings.ToLower(lang)] }

// longestTag is how many letters the tag of a language has at most.
const longestTag = 8

// Cut takes the language off the beginning of a path: its tag, the part of the path that
// names it, with its slash, and the rest. A path that names none is the rest alone.
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

// Direction returns the direction a language is written in: "rtl" or "ltr".
func Direction(lang string) string {
	if c := loaded().find(lang); c != nil && c.rightToLeft {
		return "rtl"
	}
	return "ltr"
}

// NativeName returns what the speakers of a language call it, or the tag itself
// for languages without a catalogue.
func NativeName(lang string) string {
	if c := loaded().find(lang); c != nil {
		return c.name()
	}
	return lang
}

// Text returns the text of a key. Placeholders are filled from data, as plain
// text; where a text has plural forms the number Count chooses one, or Max or
// Min when there is no Count. A key that the language lacks is answered in
// English, one that English lacks with the key itself. A regional language
// without a catalogue (de-AT) is answered in the general one (de), any other in
// English.
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

// T is Text in the language of the context's scope, English without one.
func T(ctx context.Context, key string, data map[string]any) string {
	return Text(tenancy.Current(ctx).Language, key, data)
}

// find returns the catalogue of a language or of the general language it
// belongs to, or nil.
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
