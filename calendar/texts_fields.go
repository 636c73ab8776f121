package calendar

import (
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Speaking are the arguments for reading translatable items.
type Speaking struct {
	ContentLanguage args.Opt[string] `arg:"content_language,max=35,beyond"`
	Translations    args.Opt[string] `arg:"translations,enum=full,beyond"`
	Lacking         string           // for editors: only items without a title, or with outdated texts, in this language; "": all
	Every           bool             // searches look through texts in every language, not only the requested ones; not an API argument
}

// In returns the requested language.
func (s *Speaking) In() args.Opt[string] { return s.ContentLanguage }

// Whole reports whether texts in all languages are requested.
func (s *Speaking) Whole() bool { return s.Translations.Or("") == "full" }

// Asked returns the query for the texts of a list.
func (s *Speaking) Asked(scope *tenancy.Scope, translated args.Opt[bool]) TextQuery {
	own := func(language string) string {
		if language == scope.Site.Language {
			return translations.Mark
		}
		return language
	}
	q := TextQuery{Language: s.ContentLanguage.Or(""), In: scope.Texts, Several: scope.Site.Multilingual() && !s.Every,
		Whole: s.Whole() || s.Lacking != "", Lacking: own(s.Lacking)}
	if translated.Or(false) && q.Several {
		q.Translated = own(scope.Asked())
	}
	return q
}

// WrittenIn is the argument for the language of a write's texts.
type WrittenIn struct {
	ContentLanguage args.Opt[string] `arg:"content_language,max=35,beyond"`
}

// In returns the language of the texts.
func (w *WrittenIn) In() args.Opt[string] { return w.ContentLanguage }
