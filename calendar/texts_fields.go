package calendar

import (
	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// Speaking are the arguments for reading translatable items.
type Speaking struct {
	ContentLanguage args.Opt[string] `arg:"content_language,max=35,beyond"`
	Translations    args.Opt[string] `arg:"translations,enum=full,beyond"`
	Lacking         string           // for editors: only items without a title, or with outdated texts, in this language; "": all
}

// In returns the requested language.
func (s *Speaking) In() args.Opt[string] { return s.ContentLanguage }

// Whole reports whether texts in all languages are requested.
func (s *Speaking) Whole() bool { return s.Translations.Or("") == "full" }

// asked returns the query for the texts of a list. Every item has texts in the site's language.
func (s *Speaking) asked(scope *tenancy.Scope, translated args.Opt[bool]) TextQuery {
	q := TextQuery{Language: s.ContentLanguage.Or(""), In: scope.Texts, Several: scope.Site.Multilingual(),
		Whole: s.Whole() || s.Lacking != "", Lacking: s.Lacking}
	if wanted := scope.Asked(); translated.Or(false) && wanted != scope.Site.Language {
		q.Translated = wanted
	}
	return q
}

// WrittenIn is the argument for the language of a write's texts.
type WrittenIn struct {
	ContentLanguage args.Opt[string] `arg:"content_language,max=35,beyond"`
}

// In returns the language of the texts.
func (w *WrittenIn) In() args.Opt[string] { return w.ContentLanguage }

// EventTexts are the texts of an event in one language.
type EventTexts struct {
	Title       args.Opt[string] `arg:"title,max=1000"`
	Description args.Opt[string] `arg:"description,bytes=262144"`
	Excerpt     args.Opt[string] `arg:"excerpt,bytes=262144"`
	Slug        args.Opt[string] `arg:"slug,max=200"`
	Cost        args.Opt[any]    `arg:"cost"`
	SEOTitle    args.Opt[string] `arg:"seo_title,max=200"`
	SEODesc     args.Opt[string] `arg:"seo_description,max=500"`
}

// VenueTexts are the texts of a venue in one language.
type VenueTexts struct {
	Name        args.Opt[string] `arg:"venue,max=1000"`
	Description args.Opt[string] `arg:"description,bytes=262144"`
	Excerpt     args.Opt[string] `arg:"excerpt,bytes=262144"`
	Slug        args.Opt[string] `arg:"slug,max=200"`
}

// OrganizerTexts are the texts of an organizer in one language.
type OrganizerTexts struct {
	Name        args.Opt[string] `arg:"organizer,max=1000"`
	Description args.Opt[string] `arg:"description,bytes=262144"`
	Excerpt     args.Opt[string] `arg:"excerpt,bytes=262144"`
	Slug        args.Opt[string] `arg:"slug,max=200"`
}

// TermTexts are the texts of a category or tag in one language.
type TermTexts struct {
	Name        args.Opt[string] `arg:"name,max=200"`
	Description args.Opt[string] `arg:"description,bytes=262144"`
	Slug        args.Opt[string] `arg:"slug,max=200"`
}
