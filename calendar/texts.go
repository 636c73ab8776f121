package calendar

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/kalends/kalends/tenancy"
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
	Version     int64    `json:"version,omitempty"`  // of the site as it was written, and so of what it was made from; 0: just written
	Outdated    bool     `json:"outdated,omitempty"` // what it was made from has changed since
}

// empty reports whether there is no text at all.
func (t *Text) empty() bool {
	return t.Title == "" && t.Description == "" && t.Excerpt == "" && t.Slug == "" && len(t.Cost) == 0 &&
		t.SEOTitle == "" && t.SEODesc == ""
}

// sameAs reports whether two texts are equal apart from their versions.
func (t Text) sameAs(other Text) bool {
	t.Version, other.Version = 0, 0
	return reflect.DeepEqual(t, other)
}

// Texts are an item's translations to languages other than the site's, as stored. They are immutable.
type Texts struct {
	raw   []byte   // JSON object of Text by language
	names []string // languages, if raw does not contain all of them

	parsed *parsedTexts // of the stored form, by whoever reads it first; nil if every reader parses it
}

// parsedTexts are texts that are parsed once.
type parsedTexts struct {
	once sync.Once
	all  []textIn
}

// StoredTexts returns texts from their stored form: an object of Text by language, or nothing. names are the existing
// languages if the object does not contain all of them.
func StoredTexts(raw []byte, names []string) Texts { return Texts{raw: raw, names: names} }

// StoredText is StoredTexts of the one Text in a language. It is parsed once, however many share it.
func StoredText(language string, raw []byte, names []string) Texts {
	all := make([]byte, 0, len(language)+len(raw)+len(`{"":}`))
	all = append(append(all, `{"`...), language...)
	all = append(append(append(all, `":`...), raw...), '}')
	return Texts{all, names, &parsedTexts{}}
}

// TextsOf returns texts by language, for the store to keep.
func TextsOf(all map[string]Text) Texts {
	if len(all) == 0 {
		return Texts{}
	}
	raw, _ := json.Marshal(all) //nolint:errchkjson // texts and numbers
	return Texts{raw: raw}
}

// Raw returns the stored form of the texts, or nil for none.
func (t Texts) Raw() []byte { return t.raw }

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

// Equal reports whether two are equal.
func (t Texts) Equal(other Texts) bool {
	return t.raw == nil && other.raw == nil || reflect.DeepEqual(t.All(), other.All())
}

// say reports whether t contains the given texts of others. A slug may have an additional number.
func (t Texts) say(others Texts) bool {
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

// Stamped returns the texts with a version set for new ones.
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
	return TextsOf(all)
}

// Outdated returns the texts marked as outdated after their source changed, except those in some languages.
func (t Texts) Outdated(but func(language string) bool) Texts {
	all := t.All()
	for language, text := range all {
		if !text.Outdated && !but(language) {
			text.Outdated = true
			all[language] = text
		}
	}
	return TextsOf(all)
}

// Translated is the part of an item with texts in several languages.
type Translated struct {
	Texts  Texts
	Given  Given // languages of the item's own fields as read; zero on monolingual sites
	Source *Text // texts in the site's own language, if the fields hold others; nil otherwise
}

// Given are languages of the texts of an item as somebody reads it.
type Given struct{ Title, Description, Excerpt, Cost, SEOTitle, SEODesc string }

// textFields points to the text fields of an item. It is nil for fields that the item lacks.
type textFields struct {
	title, description, excerpt, slug *string
	cost                              *[]string
	seo                               *SEO
}

// give replaces the texts by those in the wanted languages, field by field.
func (t *Translated) give(by *translator, w textFields) {
	s := by.scope
	own := s.Site.Language
	if !s.Site.Multilingual() {
		return
	}
	t.Given = Given{own, own, own, own, own, own}
	if len(s.Texts) == 0 || t.Texts.raw == nil || t.Source != nil {
		return
	}
	all := by.of(&t.Texts)
	source := Text{Title: *w.title}
	for _, one := range []struct{ from, into *string }{{w.slug, &source.Slug}, {w.description, &source.Description},
		{w.excerpt, &source.Excerpt}} {
		if one.from != nil {
			*one.into = *one.from
		}
	}
	if w.cost != nil {
		source.Cost = *w.cost
	}
	if w.seo != nil {
		source.SEOTitle, source.SEODesc = w.seo.Title, w.seo.Description
	}
	t.Source = &source
	for _, language := range slices.Backward(s.Texts) { // the best comes last and wins
		for i := range all {
			if all[i].language == language {
				t.Given.take(language, &all[i].Text, w)
			}
		}
	}
	if s.OwnSlugs && w.slug != nil {
		*w.slug = source.Slug
	}
}

// slugIn returns the slug of an item for its address in a language. slug is its current one.
func (t *Translated) slugIn(site *tenancy.Site, language, slug string) string {
	if t.Source != nil {
		slug = t.Source.Slug
	}
	if !site.Multilingual() || t.Texts.raw == nil {
		return slug
	}
	all := t.Texts.All()
	for _, one := range site.Texts(language) {
		if text := all[one]; text.Slug != "" {
			return text.Slug
		}
	}
	return slug
}

// In returns the event with its slug in a language, for its address.
func (e *Event) In(site *tenancy.Site, language string) *Event {
	in := *e
	in.Slug = e.slugIn(site, language, e.Slug)
	return &in
}

// In returns the venue with its slug in a language, for its address.
func (v *Venue) In(site *tenancy.Site, language string) *Venue {
	in := *v
	in.Slug = v.slugIn(site, language, v.Slug)
	return &in
}

// In returns the organizer with its slug in a language, for its address.
func (o *Organizer) In(site *tenancy.Site, language string) *Organizer {
	in := *o
	in.Slug = o.slugIn(site, language, o.Slug)
	return &in
}

// In returns the term with its slug in a language, for its address.
func (t *Term) In(site *tenancy.Site, language string) *Term {
	in := *t
	in.called(t.slugIn(site, language, t.Slug), site.Texts(language))
	return &in
}

// take replaces the fields that have a text in a language.
func (g *Given) take(language string, text *Text, w textFields) {
	replace := func(into *string, by string, in *string) {
		if into != nil && by != "" {
			*into = by
			if in != nil {
				*in = language
			}
		}
	}
	replace(w.title, text.Title, &g.Title)
	replace(w.description, text.Description, &g.Description)
	replace(w.excerpt, text.Excerpt, &g.Excerpt)
	replace(w.slug, text.Slug, nil)
	if w.cost != nil && len(text.Cost) > 0 {
		*w.cost, g.Cost = slices.Clone(text.Cost), language
	}
	if w.seo != nil {
		replace(&w.seo.Title, text.SEOTitle, &g.SEOTitle)
		replace(&w.seo.Description, text.SEODesc, &g.SEODesc)
	}
}

// translator translates many items. Texts nested in several of them are parsed once.
type translator struct {
	scope *tenancy.Scope
	read  map[*byte]itemTexts // by the address of the bytes
}

// itemTexts are the texts of an item by language, and their languages.
type itemTexts struct {
	all   []textIn
	names []string
}

func newTranslator(s *tenancy.Scope) *translator { return &translator{s, map[*byte]itemTexts{}} }

// list returns the texts that are there.
func (t Texts) list() []textIn {
	if t.parsed == nil {
		return listTexts(t.raw)
	}
	t.parsed.once.Do(func() { t.parsed.all = listTexts(t.raw) })
	return t.parsed.all
}

// of parses the texts of an item and sets their languages.
func (s *translator) of(t *Texts) []textIn {
	at := unsafe.SliceData(t.raw) //nolint:gosec // an address to know the bytes by
	h, known := s.read[at]
	if !known {
		h.all = t.list()
		if h.names = t.names; h.names == nil {
			for i := range h.all {
				h.names = append(h.names, h.all[i].language)
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

// Speak translates an event, and everything nested in it, to the languages of the scope.
func (e *Event) Speak(s *tenancy.Scope) {
	if s.Site.Multilingual() {
		newTranslator(s).event(e)
	}
}

// event is Speak for one of many events.
func (s *translator) event(e *Event) {
	e.give(s, textFields{&e.Title, &e.Description, &e.Excerpt, &e.Slug, &e.Cost, &e.SEO})
	s.picture(&e.Post)
	for i := range e.Venues {
		e.Venues[i].give(s, e.Venues[i].words())
		s.picture(&e.Venues[i].Post)
	}
	for i := range e.Organizers {
		e.Organizers[i].give(s, e.Organizers[i].words())
		s.picture(&e.Organizers[i].Post)
	}
	for _, terms := range [][]Term{e.Categories, e.Tags} {
		for i := range terms {
			terms[i].speak(s)
		}
	}
}

// Head returns what search engines and previews of links are told of an event as a scope
// reads it. What fell back to another language gives way to the usual text where that
// is in a better one.
func (e *Event) Head(s *tenancy.Scope) SEO {
	if e.Masked {
		return SEO{}
	}
	rank := func(language string) int {
		if at := slices.Index(s.Texts, language); at >= 0 {
			return at
		}
		return len(s.Texts)
	}
	head, usual := e.SEO, e.Given.Description
	if e.Excerpt != "" {
		usual = e.Given.Excerpt
	}
	if rank(e.Given.SEOTitle) > rank(e.Given.Title) {
		head.Title = ""
	}
	if rank(e.Given.SEODesc) > rank(usual) {
		head.Description = ""
	}
	return head
}

// picture gives what an item shows its alternative text. Others may read the same one.
func (s *translator) picture(p *Post) {
	if p.Image == nil || p.Image.Texts.raw == nil {
		return
	}
	image := *p.Image
	image.give(s, textFields{title: &image.Alt})
	p.Image = &image
}

// Speak translates a venue to the languages of the scope.
func (v *Venue) Speak(s *tenancy.Scope) {
	by := newTranslator(s)
	v.give(by, v.words())
	by.picture(&v.Post)
}

func (v *Venue) words() textFields {
	return textFields{title: &v.Name, description: &v.Description, excerpt: &v.Excerpt, slug: &v.Slug}
}

// Speak translates an organizer to the languages of the scope.
func (o *Organizer) Speak(s *tenancy.Scope) {
	by := newTranslator(s)
	o.give(by, o.words())
	by.picture(&o.Post)
}

func (o *Organizer) words() textFields {
	return textFields{title: &o.Name, description: &o.Description, excerpt: &o.Excerpt, slug: &o.Slug}
}

// Speak translates a term to the languages of the scope, including the slugs in its path.
func (t *Term) Speak(s *tenancy.Scope) { t.speak(newTranslator(s)) }

func (t *Term) speak(s *translator) {
	spoken := t.Source != nil
	w := t.words()
	slug := t.Slug
	w.slug = &slug
	t.give(s, w)
	if languages := s.scope.Texts; !spoken && !s.scope.OwnSlugs && s.scope.Site.Multilingual() {
		t.called(slug, languages)
	}
}

func (t *Term) words() textFields {
	return textFields{title: &t.Name, description: &t.Description, slug: &t.Slug}
}
