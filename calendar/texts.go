package calendar

import (
	"slices"

	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/tenancy"
)

// Translated is the part of an item with texts in several languages.
type Translated struct {
	Texts  translations.Texts
	Given  Given              // languages of the item's own fields as read; zero on monolingual sites
	Source *translations.Text // texts in the site's own language, if the fields hold others; nil otherwise
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
	if !s.Site.Multilingual() || t.Source != nil {
		return
	}
	t.Given = Given{own, own, own, own, own, own}
	if len(s.Texts) == 0 || t.Texts.None() {
		return
	}
	all := by.reader.Of(&t.Texts)
	source := translations.Text{Title: *w.title}
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
			if all[i].Language == language {
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
	if !site.Multilingual() || t.Texts.None() {
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
func (g *Given) take(language string, text *translations.Text, w textFields) {
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
	scope  *tenancy.Scope
	reader translations.Reader
}

func newTranslator(s *tenancy.Scope) *translator { return &translator{s, translations.NewReader()} }

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
	if p.Image == nil || p.Image.Texts.None() {
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
