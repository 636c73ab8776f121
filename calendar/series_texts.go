package calendar

import (
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar/translations"
)

// ownTexts is the entry of Series.Changed for an occurrence with its own translations. In addition there is an entry for each
// language and field, "translations.de.title". If there is none, an earlier release has written the occurrence, and all its
// translations are its own.
const ownTexts = "translations"

// ownTextName returns the entry of Series.Changed for a text in another language than the site's.
func ownTextName(language, field string) string { return ownTexts + "." + language + "." + field }

// ownText is the counterpart of ownTextName.
func ownText(name string) (language, field string, is bool) {
	rest, is := strings.CutPrefix(name, ownTexts+".")
	language, field, found := strings.Cut(rest, ".")
	return language, field, is && found
}

// summed returns the sorted entries of Series.Changed. ownTexts is among them if the occurrence has its own translations.
func summed(changed []string) []string {
	changed = slices.DeleteFunc(changed, func(name string) bool { return name == ownTexts })
	if slices.ContainsFunc(changed, func(name string) bool { _, _, is := ownText(name); return is }) {
		changed = append(changed, ownTexts)
	}
	slices.Sort(changed)
	return slices.Compact(changed)
}

// spelledOut returns the differing fields of an occurrence with an entry for each text in other languages. at is the
// occurrence as it was stored.
func (e *Event) spelledOut(at *Event) []string {
	changed := slices.Clone(e.Series.Changed)
	if !slices.Contains(changed, ownTexts) ||
		slices.ContainsFunc(changed, func(name string) bool { _, _, is := ownText(name); return is }) {
		return changed
	}
	for language, text := range at.Texts.All() {
		for _, field := range translations.FieldNames() {
			if text.Get(field) != "" && field != "slug" {
				changed = append(changed, ownTextName(language, field))
			}
		}
	}
	return changed
}

// textIn returns a text in another language than the site's, or "" if there is none.
func (e *Event) textIn(language, field string) string {
	text := e.Texts.All()[language]
	return text.Get(field)
}

// differingTexts names the texts in other languages in which two events differ. Slugs are the series' own.
func differingTexts(a, b *Event) (names []string) {
	one, other := a.Texts.All(), b.Texts.All()
	for _, language := range append(a.Texts.Languages(), b.Texts.Languages()...) {
		for _, field := range translations.FieldNames() {
			left, right := one[language], other[language]
			if field != "slug" && left.Get(field) != right.Get(field) {
				names = append(names, ownTextName(language, field))
			}
		}
	}
	return names
}

// inheritTexts copies the translations of a series to an occurrence, field by field, except for fields with
// translations of its own. An inherited translation is outdated if the occurrence has its own text in the site's
// language.
func (e *Event) inheritTexts(series *Event) {
	if e.Texts.None() && series.Texts.None() {
		return
	}
	changed := e.spelledOut(e)
	mine, its := e.Texts.All(), series.Texts.All()
	all := map[string]translations.Text{}
	for _, language := range append(e.Texts.Languages(), series.Texts.Languages()...) {
		if _, done := all[language]; !done {
			text := mine[language]
			all[language] = text.Inherit(its[language], func(field string) bool { return slices.Contains(changed, field) },
				func(field string) bool { return slices.Contains(changed, ownTextName(language, field)) })
		}
	}
	e.Texts = translations.Kept(all)
	e.Series.Changed = summed(changed)
}

// ExchangedFields returns the differing fields of a date of a series after its site has changed its language to another. texts
// are the date's translations before. swapped has the languages that its own fields were in (see translations.Texts.Exchange).
func ExchangedFields(changed []string, texts translations.Texts, swapped map[string]string, to string) []string {
	at := &Event{Series: &Series{Changed: changed}}
	at.Texts = texts
	before := at.spelledOut(at)
	var after []string
	for _, name := range before {
		language, field, translated := ownText(name)
		switch {
		case translated && language == to && swapped[field] != "":
			after = append(after, field)
		case !translated && swapped[name] != "":
			after = append(after, ownTextName(swapped[name], name))
		default:
			after = append(after, name)
		}
	}
	return summed(after)
}
