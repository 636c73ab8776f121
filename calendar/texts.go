package calendar

import (
	"slices"

	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/tenancy"
)

// Translated is the part of an item with texts in several languages.
type Translated struct {
	Texts  translations.Texts
	ReadIn *Given             // languages of the item's own fields as read; nil on monolingual sites
	Source *translations.Text // texts in the site's own language, if the fields hold others; nil otherwise
}

// Given returns ReadIn, or empty languages on monolingual sites.
func (t *Translated) Given() Given {
	if t.ReadIn == nil {
		return Given{}
	}
	return *t.ReadIn
}

// Given are the languages in which a reader gets the texts of an item.
type Given struct {
	Title, Description, Excerpt, Cost, SEOTitle, SEODesc string
	Address, City, Country                               string // of a venue
}

// of returns a pointer to the language of the field with a name. It is nil for a slug.
func (g *Given) of(name string) *string {
	switch name {
	case "title":
		return &g.Title
	case "description":
		return &g.Description
	case "excerpt":
		return &g.Excerpt
	case "cost":
		return &g.Cost
	case "seo_title":
		return &g.SEOTitle
	case "seo_description":
		return &g.SEODesc
	case "address":
		return &g.Address
	case "city":
		return &g.City
	case "country":
		return &g.Country
	}
	return nil
}

// allIn returns Given with the same language for all texts.
func allIn(language string) *Given {
	return &Given{language, language, language, language, language, language, language, language, language}
}

// textFields points to the text fields of an item. It is nil for fields that the item lacks.
type textFields struct {
	title, description, excerpt, slug *string
	cost                              *[]string
	seo                               *SEO
	levelled                          bool // the cost follows tickets, in all languages
	address, city, country            *string
}

// each calls do with the name of each field and a pointer to it, except the cost.
func (w *textFields) each(do func(name string, at *string)) {
	list := []struct {
		name string
		at   *string
	}{{"title", w.title}, {"description", w.description}, {"excerpt", w.excerpt}, {"slug", w.slug},
		{"address", w.address}, {"city", w.city}, {"country", w.country}}
	for _, one := range list {
		if one.at != nil {
			do(one.name, one.at)
		}
	}
	if w.seo != nil {
		do("seo_title", &w.seo.Title)
		do("seo_description", &w.seo.Description)
	}
}

// text returns the texts.
func (w textFields) text() translations.Text {
	var text translations.Text
	w.each(func(name string, at *string) { text.Set(name, *at) })
	if w.cost != nil {
		text.Cost = *w.cost
	}
	return text
}

// give replaces the texts with those in the wanted languages, field by field.
func (t *Translated) give(by *Translator, w textFields) {
	s := by.scope
	if !s.Site.Multilingual() || t.Source != nil {
		return
	}
	t.ReadIn = allIn(s.Site.Language)
	if t.Texts.None() || len(s.Texts) == 0 && !t.Texts.Marked() {
		return
	}
	all := by.reader.Of(&t.Texts)
	source := w.text()
	for i := range all {
		for _, name := range all[i].Original {
			if in := t.ReadIn.of(name); in != nil {
				*in = all[i].Language
			}
		}
	}
	if len(s.Texts) == 0 {
		return
	}
	t.Source = &source
	if w.levelled {
		w.cost = nil
	}
	for _, language := range slices.Backward(s.Texts) { // the best comes last and wins
		for i := range all {
			if all[i].Language == language {
				t.ReadIn.take(&all[i], &source, &w)
			}
		}
	}
	if s.OwnSlugs && w.slug != nil {
		*w.slug = source.Slug
	}
}

// Apart returns the texts of an item: those in the site's language, and those in other languages. own returns the texts in the
// item's own fields, which are in the site's language unless others replace them.
func (t *Translated) Apart(own func() translations.Text) (translations.Text, map[string]translations.Text) {
	source := t.Source
	if source == nil {
		text := own()
		source = &text
	}
	return t.Texts.Apart(*source)
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
		text := all[one]
		if slices.Contains(text.Original, "slug") {
			return slug
		}
		if text.Slug != "" {
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

// take replaces the fields that have a text in a language, which may be the item's own.
func (g *Given) take(text *translations.TextIn, source *translations.Text, w *textFields) {
	w.each(func(name string, at *string) {
		value := text.Get(name)
		if slices.Contains(text.Original, name) {
			value = source.Get(name)
		}
		if value == "" {
			return
		}
		if *at = value; name != "slug" {
			*g.of(name) = text.Language
		}
	})
	switch {
	case w.cost == nil:
	case slices.Contains(text.Original, "cost"):
		*w.cost, g.Cost = source.Cost, text.Language
	case len(text.Cost) > 0:
		*w.cost, g.Cost = slices.Clone(text.Cost), text.Language
	}
}

// Translator translates many items. Texts nested in several of them are parsed once.
type Translator struct {
	scope  *tenancy.Scope
	reader translations.Reader
}

// NewTranslator returns a translator to the languages of the scope.
func NewTranslator(s *tenancy.Scope) *Translator { return &Translator{s, translations.NewReader()} }

// Speak translates an event, and everything nested in it, to the languages of the scope.
func (e *Event) Speak(s *tenancy.Scope) {
	if s.Site.Multilingual() {
		NewTranslator(s).Event(e)
	}
}

// Event is Speak for one of many events.
func (s *Translator) Event(e *Event) {
	e.give(s, e.words())
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

func (e *Event) words() textFields {
	return textFields{
		title:       &e.Title,
		description: &e.Description,
		excerpt:     &e.Excerpt,
		slug:        &e.Slug,
		cost:        &e.Cost,
		seo:         &e.SEO,
		levelled:    e.Levelled(),
	}
}

// Text returns the texts that the event has in its own fields.
func (e *Event) Text() translations.Text { return e.words().text() }

// Text returns the texts that the venue has in its own fields.
func (v *Venue) Text() translations.Text { return v.words().text() }

// Text returns the texts that the organizer has in its own fields.
func (o *Organizer) Text() translations.Text { return o.words().text() }

// Text returns the texts that the term has in its own fields.
func (t *Term) Text() translations.Text { return t.words().text() }

// Head returns the texts that search engines and link previews get for an event in the languages of a scope. If such a text is
// only available in a less wanted language than the usual text, it is left out.
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
	head, usual := e.SEO, e.Given().Description
	if e.Excerpt != "" {
		usual = e.Given().Excerpt
	}
	if rank(e.Given().SEOTitle) > rank(e.Given().Title) {
		head.Title = ""
	}
	if rank(e.Given().SEODesc) > rank(usual) {
		head.Description = ""
	}
	return head
}

// picture translates the alternative text of an item's image. It copies the image, because other readers may use the same one.
func (s *Translator) picture(p *Post) {
	if p.Image == nil || p.Image.Texts.None() {
		return
	}
	image := *p.Image
	image.give(s, textFields{title: &image.Alt})
	p.Image = &image
}

// Speak translates a venue to the languages of the scope.
func (v *Venue) Speak(s *tenancy.Scope) {
	by := NewTranslator(s)
	v.give(by, v.words())
	by.picture(&v.Post)
}

func (v *Venue) words() textFields {
	return textFields{title: &v.Name, description: &v.Description, excerpt: &v.Excerpt, slug: &v.Slug, address: &v.Address,
		city: &v.City, country: &v.Country}
}

// Speak translates an organizer to the languages of the scope.
func (o *Organizer) Speak(s *tenancy.Scope) {
	by := NewTranslator(s)
	o.give(by, o.words())
	by.picture(&o.Post)
}

func (o *Organizer) words() textFields {
	return textFields{title: &o.Name, description: &o.Description, excerpt: &o.Excerpt, slug: &o.Slug}
}

// Speak translates a term to the languages of the scope, including the slugs in its path.
func (t *Term) Speak(s *tenancy.Scope) { t.speak(NewTranslator(s)) }

func (t *Term) speak(s *Translator) {
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

// Outdate marks the translations as outdated if their source text changed.
func (t *Translated) Outdate(was, now translations.Text) {
	if !t.Texts.None() && !was.SameAs(now) {
		t.Texts = t.Texts.Outdated(was, now)
	}
}

// Inherit adds another item's translations in languages that t lacks. They are marked as outdated unless both items
// have the same texts in the site's own language.
func (t *Translated) Inherit(from *Translated, own translations.Text, same bool) {
	all := t.Texts.All()
	_, others := from.Texts.Apart(own)
	for language, text := range others {
		if _, there := all[language]; !there {
			text.Outdated = text.Outdated || !same
			all[language] = text
		}
	}
	t.Texts = translations.Of(all)
}

// SetText sets the event's own texts.
func (e *Event) SetText(t translations.Text) {
	e.Title, e.Description, e.Excerpt, e.Slug, e.Cost = t.Title, t.Description, t.Excerpt, t.Slug, t.Cost
	e.SEO = SEO{Title: t.SEOTitle, Description: t.SEODesc}
}
