// Package translations holds an item's texts in languages other than the site's. It defines how they are stored and read,
// which texts of a write are in which language, and how a write changes them. Package calendar defines which items have texts.
package translations

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// Text is an item's text in one language. "" and nil mean that there is none.
type Text struct {
	Title       string   `json:"title,omitempty"`       // or name
	Description string   `json:"description,omitempty"` // in the format of the item's description
	Excerpt     string   `json:"excerpt,omitempty"`
	Slug        string   `json:"slug,omitempty"`
	Cost        []string `json:"cost,omitempty"`
	SEOTitle    string   `json:"seo_title,omitempty"`
	SEODesc     string   `json:"seo_description,omitempty"`
	Address     string   `json:"address,omitempty"`
	City        string   `json:"city,omitempty"`
	Country     string   `json:"country,omitempty"`
	// Version is the version of the site when the text was written, which identifies the original it was made from; 0: just
	// written.
	Version  int64    `json:"version,omitempty"`
	Outdated bool     `json:"outdated,omitempty"` // the original has changed since
	Stale    []string `json:"stale,omitempty"`    // the fields that are outdated, sorted; none of an outdated text: all
	Original []string `json:"original,omitempty"` // the item's own fields that are in this language (see Texts.Marks), sorted
	Blank    []string `json:"blank,omitempty"`    // own fields that were empty when the site changed its language to another, sorted
}

// empty reports whether the text contains nothing at all.
func (t *Text) empty() bool { return !t.Says() && len(t.Original) == 0 && len(t.Blank) == 0 }

// StaleIn reports whether a field is outdated. A field can be outdated without a text in this language, if the original has a
// new text.
func (t *Text) StaleIn(name string) bool {
	return t.Outdated && (len(t.Stale) == 0 && t.Get(name) != "" || slices.Contains(t.Stale, name))
}

// StaleFields returns the names of the fields that are outdated.
func (t *Text) StaleFields() []string {
	var list []string
	for _, f := range fields {
		if t.StaleIn(f.name) && f.name != "slug" {
			list = append(list, f.name)
		}
	}
	return list
}

// stale marks a field as outdated, if there are any texts.
func (t *Text) stale(name string) {
	if t.Outdated && len(t.Stale) == 0 || !t.Says() {
		return
	}
	t.Outdated, t.Stale = true, with(t.Stale, name)
}

// fresh marks a field as up to date.
func (t *Text) fresh(name string) {
	if t.Stale = without(t.Stale, name); len(t.Stale) == 0 {
		t.Outdated = false
	}
}

// SameAs reports whether two texts are equal apart from their versions.
func (t Text) SameAs(other Text) bool {
	t.Version, other.Version = 0, 0
	return reflect.DeepEqual(t, other)
}

// Texts are an item's translations to languages other than the site's, as stored. They are immutable.
type Texts struct {
	raw   []byte   // JSON object of Text by language
	names []string // languages, if raw does not contain all of them

	parsed *parsedTexts // parsed from the stored form by the first reader; nil if every reader parses it
}

// parsedTexts holds texts that are parsed once, on first use.
type parsedTexts struct {
	once sync.Once
	all  []TextIn
}

// Stored returns texts from their stored form: an object of Text by language, or nothing. names are all existing languages if
// the object does not contain them all.
func Stored(raw []byte, names []string) Texts {
	if at := slices.Index(names, Mark); at >= 0 {
		names = slices.Delete(names, at, at+1)
	}
	return Texts{raw: raw, names: names}
}

// StoredIn is Stored for a single Text in a language. The text is parsed once, however many copies of the result exist.
func StoredIn(language string, raw []byte, names []string) Texts {
	all := make([]byte, 0, len(language)+len(raw)+len(`{"":}`))
	all = append(append(all, `{"`...), language...)
	all = append(append(append(all, `":`...), raw...), '}')
	return Texts{all, names, &parsedTexts{}}
}

// Of returns texts by language in their stored form.
func Of(all map[string]Text) Texts {
	if len(all) == 0 {
		return Texts{}
	}
	raw, _ := json.Marshal(all) //nolint:errchkjson // texts and numbers
	return Texts{raw: raw}
}

// Own returns a copy of the texts that shares no memory, such as with the row they were read from, so that it can be kept.
func (t Texts) Own() Texts {
	own := Texts{raw: slices.Clone(t.raw)}
	for _, name := range t.names {
		own.names = append(own.names, strings.Clone(name))
	}
	if t.parsed != nil {
		own.parsed = &parsedTexts{}
	}
	return own
}

// Size returns about how many bytes the texts take in memory once they are parsed.
func (t Texts) Size() int { return 2*len(t.raw) + 32*len(t.names) }

// Raw returns the stored form of the texts, or nil for none.
func (t Texts) Raw() []byte { return t.raw }

// None reports whether there are no texts.
func (t Texts) None() bool { return t.raw == nil }

// All returns the available texts by language.
func (t Texts) All() map[string]Text {
	if t.raw == nil {
		return map[string]Text{}
	}
	return readTexts(t.raw)
}

// Languages returns the sorted languages of the texts.
func (t Texts) Languages() []string {
	if t.names != nil || t.raw == nil {
		return t.names
	}
	return slices.Sorted(maps.Keys(t.All()))
}

// Column returns Languages as the store keeps them, with an asterisk if there are marks: lists then read all texts.
func (t Texts) Column() []string {
	names := t.Languages()
	if t.Marked() {
		return append(slices.Clone(names), Mark)
	}
	return names
}

// Mark is stored among the languages of an item that has marks.
const Mark = "*"

// Equal reports whether two items' texts are equal.
func (t Texts) Equal(other Texts) bool {
	return t.raw == nil && other.raw == nil || reflect.DeepEqual(t.All(), other.All())
}

// Contain reports whether t contains the titles, descriptions and excerpts of others. Slugs may have an additional number.
func (t Texts) Contain(others Texts) bool {
	all := t.All()
	for language, other := range others.All() {
		text := all[language]
		for _, one := range [][2]string{{other.Title, text.Title}, {other.Description, text.Description}, {other.Excerpt, text.Excerpt}} {
			if one[0] != "" && !strings.EqualFold(one[0], one[1]) {
				return false
			}
		}
		if text.Slug != other.Slug && !strings.HasPrefix(text.Slug, other.Slug+"-") {
			return false
		}
	}
	return true
}

// Stamped returns the texts with a version set on new ones.
func (t Texts) Stamped(version int64) Texts {
	if t.raw == nil {
		return t
	}
	all := t.All()
	for language, text := range all {
		if text.Version == 0 {
			text.Version = version
			all[language] = text
		}
	}
	return Of(all)
}

// Outdated returns the texts with translations marked as outdated if their original field differs between was and now.
func (t Texts) Outdated(was, now Text) Texts {
	all := t.All()
	for language, text := range all {
		for _, f := range fields {
			if f.name != "slug" && f.get(&was) != f.get(&now) {
				text.stale(f.name)
			}
		}
		all[language] = text
	}
	return Of(all)
}

// list returns the parsed texts.
func (t Texts) list() []TextIn {
	if t.parsed == nil {
		return listTexts(t.raw)
	}
	t.parsed.once.Do(func() { t.parsed.all = listTexts(t.raw) })
	return t.parsed.all
}

// Reader parses the texts of many items. Texts that several items share are parsed once.
type Reader struct {
	read map[*byte]itemTexts // by the address of the bytes
}

// NewReader returns a Reader that has parsed nothing yet.
func NewReader() Reader { return Reader{map[*byte]itemTexts{}} }

// Of returns the texts of an item and sets their languages.
func (s Reader) Of(t *Texts) []TextIn {
	at := unsafe.SliceData(t.raw) //nolint:gosec // an address to know the bytes by
	h, known := s.read[at]
	if !known {
		h.all = t.list()
		if h.names = t.names; h.names == nil {
			for i := range h.all {
				h.names = append(h.names, h.all[i].Language)
			}
			slices.Sort(h.names)
			h.names = slices.Compact(h.names)
		}
		s.read[at] = h
	}
	if t.names == nil {
		t.names = h.names
	}
	return h.all
}

// itemTexts are the texts of an item by language, and their languages.
type itemTexts struct {
	all   []TextIn
	names []string
}
