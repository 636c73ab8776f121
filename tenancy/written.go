package tenancy

import (
	"slices"
	"strings"
)

// Multilingual reports whether texts of the site are written in other languages besides its own.
func (s *Site) Multilingual() bool { return len(s.Settings.ContentLanguages) > 0 }

// Written returns the languages that texts of the site are written in. A missing text is replaced by the text in
// the first of these languages that has it. The site's own language comes first, unless the settings give it
// another position.
func (s *Site) Written() []string {
	list := s.Settings.ContentLanguages
	if slices.Contains(list, s.Language) {
		return list
	}
	return append([]string{s.Language}, list...)
}

// Others returns Written without the site's own language.
func (s *Site) Others() []string {
	if !s.Multilingual() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.Written()), func(language string) bool { return language == s.Language })
}

// Speaks reports whether texts of the site are written in a language, by its tag.
func (s *Site) Speaks(language string) bool {
	return language == s.Language || slices.Contains(s.Settings.ContentLanguages, language)
}

// Texts returns the languages that have priority over the site's own for a reader of a language: that language, if
// the site writes in it, and the languages before the site's own in Written. It returns nil if the site's own
// language comes first.
func (s *Site) Texts(language string) []string {
	if strings.EqualFold(language, s.Language) || !s.Multilingual() {
		return nil
	}
	var list []string
	written := s.Written()
	if at := slices.IndexFunc(written, func(one string) bool { return strings.EqualFold(one, language) }); at >= 0 {
		language = written[at]
		list = append(list, language)
	}
	for _, other := range written {
		if other == s.Language {
			break
		}
		if other != language {
			list = append(list, other)
		}
	}
	return list
}

// At sets the languages for a URL in a language: it determines the language in which texts are shown and, if the
// site writes in that language, also written.
func (s *Scope) At(language string) {
	s.Texts = s.Site.Texts(language)
	s.Spoken, s.Writing = s.Texts, ""
	if len(s.Texts) > 0 && strings.EqualFold(s.Texts[0], language) {
		s.Writing = s.Texts[0]
	}
}

// Writes returns the language of texts that are sent without one.
func (s *Scope) Writes() string {
	if s.Writing != "" {
		return s.Writing
	}
	return s.Site.Language
}

// Asked returns the language that the reader prefers most.
func (s *Scope) Asked() string {
	if len(s.Texts) > 0 {
		return s.Texts[0]
	}
	return s.Site.Language
}
