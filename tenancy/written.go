package tenancy

import (
	"slices"
	"strings"
)

// Multilingual reports whether texts of the site are written in more languages than
// its own.
func (s *Site) Multilingual() bool { return len(s.Settings.ContentLanguages) > 0 }

// Written returns the languages that texts of the site are written in, in the order in
// which they stand in for one another. The site's own is among them: first, unless the
// settings give it another place.
func (s *Site) Written() []string {
	list := s.Settings.ContentLanguages
	if slices.Contains(list, s.Language) {
		return list
	}
	return append([]string{s.Language}, list...)
}

// Others returns the languages that texts of the site are written in beside its own, in
// the order of Written.
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

// Texts returns the languages in which texts are given to who wants a language, before
// the site's own: the language itself, if the site is written in it, and those that
// stand in for others before the site's own. It is nil where the site's own comes first.
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

// At notes that an address gives texts in a language, and that they are written in it there if the site is.
func (s *Scope) At(language string) {
	s.Texts = s.Site.Texts(language)
	s.Spoken, s.Writing = s.Texts, ""
	if len(s.Texts) > 0 && strings.EqualFold(s.Texts[0], language) {
		s.Writing = s.Texts[0]
	}
}

// Writes returns the language that texts are in which come without one.
func (s *Scope) Writes() string {
	if s.Writing != "" {
		return s.Writing
	}
	return s.Site.Language
}

// Asked returns the language that texts are asked for in: what comes first of those they
// are wanted in.
func (s *Scope) Asked() string {
	if len(s.Texts) > 0 {
		return s.Texts[0]
	}
	return s.Site.Language
}
