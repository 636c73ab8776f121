package translations

import (
	"bytes"
	"slices"
	"unicode"
)

// An item has fields of its own. They are in the site's language unless a mark says otherwise: the Text in another language
// lists, in Original, the own fields that are in that language. An item is marked if it was written in a language other than
// the site's, or if the site has changed its language and the item has no text in the new one (ADR 101).

// originalKey occurs in the stored form of every marked text. Within values, quotation marks are escaped, so it cannot occur
// there.
var originalKey = []byte(`"original":`)

// Marked reports whether some of the item's own fields are in a language other than the site's.
func (t Texts) Marked() bool { return bytes.Contains(t.raw, originalKey) }

// Marks returns the languages of the item's own fields by field name. It contains only fields that are not in the site's
// language.
func (t Texts) Marks() map[string]string {
	if !t.Marked() {
		return nil
	}
	return marks(t.All())
}

func marks(all map[string]Text) map[string]string {
	var found map[string]string
	for language, text := range all {
		for _, name := range text.Original {
			if found == nil {
				found = map[string]string{}
			}
			found[name] = language
		}
	}
	return found
}

// Apart returns all texts of an item by their real language: those in the site's language, and those in others. own holds the
// item's own fields.
func (t Texts) Apart(own Text) (Text, map[string]Text) {
	all := t.All()
	for language, text := range all {
		if !text.Says() { // nothing was made from anything
			text.Version, text.Outdated, text.Stale = 0, false, nil
		}
		for _, name := range text.Original {
			text.Set(name, own.Get(name))
			own.Set(name, "")
		}
		text.Original = nil
		all[language] = text
	}
	return own, all
}

// Lacks reports whether an item's own title is not in the site's language.
func (t Texts) Lacks() bool { return t.Marks()["title"] != "" }

// mark records the language of an own field. "" is the site's language.
func mark(all map[string]Text, name, language string) {
	for other, text := range all {
		if slices.Contains(text.Original, name) && other != language {
			text.Original = without(text.Original, name)
			all[other] = text
		}
	}
	if language != "" {
		text := all[language]
		text.Original, text.Blank = with(text.Original, name), without(text.Blank, name)
		text.Set(name, "")
		all[language] = text
	}
}

// tidied removes the languages without any text.
func tidied(all map[string]Text) Texts {
	for language, text := range all {
		if text.empty() {
			delete(all, language)
		}
	}
	return Of(all)
}

// written returns the texts of a new item. Its own fields that first contains are in language, which is not the site's.
func (t Texts) written(own Text, language string, first *Write) Texts {
	all := t.All()
	for _, f := range fields {
		sent := first.has(f.name) || f.name == "slug"
		if value := f.get(&own); sent && value != "" && !neutral(f.name, value) {
			mark(all, f.name, language)
		}
	}
	return tidied(all)
}

// Kept returns texts by language, without languages that have no texts.
func Kept(all map[string]Text) Texts { return tidied(all) }

// Inherit returns the text of a date of a series in a language. series is the series' text in that language. ownField reports
// whether the date has its own value of a field in the site's language, ownText whether it has one in this language.
func (t Text) Inherit(series Text, ownField, ownText func(name string) bool) Text {
	now := series
	now.Stale, now.Outdated, now.Original, now.Blank = nil, false, nil, nil
	for _, f := range fields {
		from, mark := &series, &series
		if ownText(f.name) {
			from, now.Version = &t, t.Version
		}
		if ownField(f.name) {
			mark = &t
		}
		f.set(&now, f.get(from))
		if slices.Contains(mark.Original, f.name) {
			now.Original = with(now.Original, f.name)
		}
		if slices.Contains(mark.Blank, f.name) {
			now.Blank = with(now.Blank, f.name)
		}
		if from.StaleIn(f.name) || ownField(f.name) && !ownText(f.name) && f.get(&now) != "" {
			now.stale(f.name)
		}
	}
	return now
}

// Words reports whether there is a text that depends on the language.
func (t *Text) Words() bool {
	return slices.ContainsFunc(fields, func(f field) bool { return f.get(t) != "" && !neutral(f.name, f.get(t)) })
}

// neutral reports whether a text is the same in all languages: a street, or a price in figures.
func neutral(name, value string) bool {
	letters := 0
	for _, r := range value {
		if letters++; !unicode.IsLetter(r) {
			letters = 0
		}
		if letters > longestCode || letters > 0 && !unicode.Is(unicode.Latin, r) {
			return name == "address"
		}
	}
	return name == "address" || name == "cost"
}

// longestCode is the maximum number of letters of a currency name that is the same in all languages.
const longestCode = 3

// Exchange returns the own fields and the texts of an item whose site changes its language from one to another. Texts in the
// new language become own fields, and the previous own fields become texts in the old language. If there is no text in the new
// language, the own field stays and is marked. Exchanging back restores the same texts. swapped holds the previous language of
// each own field that was replaced.
func (t Texts) Exchange(own Text, from, to string) (now Text, texts Texts, swapped map[string]string) {
	swapped = map[string]string{}
	all := t.All()
	in, labels := all[to], marks(all)
	left := map[string]bool{} // languages that texts moved to
	for _, f := range fields {
		label, value, has := labels[f.name], f.get(&own), f.get(&in)
		if label == "" {
			label = from
		}
		switch {
		case label == to: // it is in the new language already
			mark(all, f.name, "")
		case has != "" || slices.Contains(in.Blank, f.name):
			f.set(&own, has)
			mark(all, f.name, "")
			old := all[label]
			if f.set(&old, value); value == "" && has != "" {
				old.Blank = with(old.Blank, f.name)
			}
			all[label], left[label] = old, true
			swapped[f.name] = label
		case value != "" && !neutral(f.name, value):
			mark(all, f.name, label)
		}
	}
	if old, moved := all[from], left[from]; moved {
		old.Version, old.Outdated, old.Stale = in.Version, in.Outdated, in.Stale
		all[from] = old
	}
	delete(all, to)
	return own, tidied(all), swapped
}
