package calendar

import (
	"slices"
	"testing"

	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/tenancy"
)

// readIn is the scope of somebody who reads a site in English, German and French in some languages, the best first.
func readIn(t *testing.T, languages ...string) *tenancy.Scope {
	t.Helper()
	s := editorOf(t)
	s.Site.Settings.ContentLanguages = []string{"en", "de", "fr"}
	s.Texts = languages
	return s
}

// Rule 15.1: each field is in the best language that it has a text in, and finally in the site's own.
func TestFieldsInLanguages(t *testing.T) {
	t.Parallel()
	event := func() *Event {
		e := &Event{Title: "Choir", Description: "Songs", Excerpt: "Short", Cost: []string{"5"}}
		e.Slug = "choir"
		e.SEO = SEO{"Choir in Bonn", "All songs"}
		e.Texts = translations.Of(map[string]translations.Text{
			"de": {Title: "Chor", Slug: "chor", Cost: []string{"fünf"}},
			"fr": {Title: "Chorale", Description: "Chansons", Slug: "chorale", SEOTitle: "Chorale à Bonn"}})
		return e
	}
	for _, c := range []struct {
		name      string
		languages []string
		title     string
		desc      string
		slug      string
		cost      string
		given     Given
	}{
		{"the best that there is", []string{"de", "fr"}, "Chor", "Chansons", "chor", "fünf", Given{"de", "fr", "en", "de", "fr", "en", "en", "en", "en"}},
		{"the other way round", []string{"fr", "de"}, "Chorale", "Chansons", "chorale", "fünf", Given{"fr", "fr", "en", "de", "fr", "en", "en", "en", "en"}},
		{"one that it hasn't", []string{"it"}, "Choir", "Songs", "choir", "5", Given{"en", "en", "en", "en", "en", "en", "en", "en", "en"}},
		{"the site's own", nil, "Choir", "Songs", "choir", "5", Given{"en", "en", "en", "en", "en", "en", "en", "en", "en"}},
	} {
		e, s := event(), readIn(t, c.languages...)
		e.Speak(s)
		if e.Title != c.title || e.Description != c.desc || e.Slug != c.slug || !slices.Equal(e.Cost, []string{c.cost}) || e.Given() != c.given || e.Excerpt != "Short" {
			t.Errorf("%s: %+v in %+v", c.name, e, e.Given())
		}
		again := *e
		if again.Speak(s); again.Title != e.Title || again.Given() != e.Given() {
			t.Errorf("%s, twice: %q in %+v", c.name, again.Title, again.Given())
		}
		if in := e.In(s.Site, "fr"); in.Slug != "chorale" {
			t.Errorf("%s: its address in French has %q", c.name, in.Slug)
		}
		if in := e.In(s.Site, "en"); in.Slug != "choir" {
			t.Errorf("%s: its own address has %q", c.name, in.Slug)
		}
		e, s.OwnSlugs = event(), true
		if e.Speak(s); e.Slug != "choir" || e.Title != c.title {
			t.Errorf("%s, with its own slug: %q", c.name, e.Slug)
		}
	}
	single := editorOf(t) // rule 15.2
	single.Texts = []string{"de"}
	e := event()
	if e.Speak(single); e.Title != "Choir" || e.Given() != (Given{}) {
		t.Errorf("at a site with one language: %+v", e)
	}
}

// Texts for search engines give way to those of the event that are in a better language.
func TestHeadInLanguages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		given   Given
		excerpt string
		want    SEO
	}{
		{"all in one language", Given{Title: "en", Description: "en", Excerpt: "en", SEOTitle: "en", SEODesc: "en"}, "", SEO{"T", "D"}},
		{"a translated title", Given{Title: "de", Description: "en", SEOTitle: "en", SEODesc: "en"}, "", SEO{"", "D"}},
		{"a translated description", Given{Title: "en", Description: "de", SEOTitle: "en", SEODesc: "en"}, "", SEO{"T", ""}},
		{"of which the excerpt is shown", Given{Title: "en", Description: "de", Excerpt: "en", SEOTitle: "en", SEODesc: "en"}, "E", SEO{"T", "D"}},
		{"everything translated", Given{Title: "de", Description: "de", SEOTitle: "de", SEODesc: "de"}, "", SEO{"T", "D"}},
		{"the title in the second best", Given{Title: "fr", Description: "fr", SEOTitle: "de", SEODesc: "en"}, "", SEO{"T", ""}},
	} {
		e := &Event{SEO: SEO{"T", "D"}, Excerpt: c.excerpt}
		e.ReadIn = &c.given
		if got := e.Head(readIn(t, "de", "fr")); got != c.want {
			t.Errorf("%s: %+v", c.name, got)
		}
		if e.Masked = true; e.Head(readIn(t, "de", "fr")) != (SEO{}) {
			t.Errorf("%s: told of what a password hides", c.name)
		}
	}
}
