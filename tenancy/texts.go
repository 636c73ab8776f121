package tenancy

import (
	"cmp"
	"slices"
)

// SiteText holds a site's own texts in one language. "" means that a text is missing.
type SiteText struct {
	Name     string `json:"name,omitempty"`
	Tagline  string `json:"tagline,omitempty"`
	Links    string `json:"links,omitempty"`
	Footer   string `json:"footer_links,omitempty"`
	Terms    string `json:"submission_terms,omitempty"`
	Leads    Leads  `json:"leads,omitzero"`
	Version  int64  `json:"version,omitempty"`  // version of the site when the text was written; 0: just written
	Outdated bool   `json:"outdated,omitempty"` // the original has changed since
	Original string `json:"original,omitempty"` // names of the site's own texts that are in this language, separated by commas
}

// Leads are the texts of a site's seasons.
type Leads [MostSeasons]string

// Empty reports whether all texts are missing.
func (t SiteText) Empty() bool { return t.Plain() == SiteText{} }

// Plain returns the text without Version and Outdated.
func (t SiteText) Plain() SiteText {
	t.Version, t.Outdated = 0, false
	return t
}

// SiteWords are the texts of a site for one reader, each in the best available language.
type SiteWords struct {
	SiteText
	Given SiteText // the language in which the reader gets each text; all "" on sites with a single language
}

// OwnText returns the site's own texts.
func (s *Site) OwnText() SiteText {
	face := &s.Settings.Face
	text := SiteText{Name: s.Name, Tagline: face.Tagline, Links: face.Links, Footer: face.Footer, Terms: s.Settings.Submissions.Terms}
	for n := range text.Leads {
		text.Leads[n] = s.Settings.Seasons[n].Lead
	}
	return text
}

// Words returns the texts of the site for a reader who prefers these languages, best first, to the site's own.
func (s *Site) Words(languages []string) SiteWords {
	w := SiteWords{SiteText: s.OwnText()}
	if !s.Multilingual() {
		return w
	}
	speakers, own := s.speakers(), s.OwnText()
	for _, f := range SiteTextFields {
		*f.At(&w.Given) = cmp.Or(speakers[f.Name], s.Language)
	}
	for _, language := range slices.Backward(languages) { // the best comes last and replaces the others
		text := s.Settings.Texts[language]
		for _, f := range SiteTextFields {
			said := *f.At(&text)
			if speakers[f.Name] == language {
				said = *f.At(&own)
			}
			if said != "" {
				*f.At(&w.SiteText), *f.At(&w.Given) = said, language
			}
		}
	}
	return w
}

// WordsIn is Words for a reader of one language.
func (s *Site) WordsIn(language string) SiteWords { return s.Words(s.Texts(language)) }

// Words returns the texts of the scope's site in the languages that the scope wants.
func (s *Scope) Words() SiteWords {
	if s.Site == nil {
		return SiteWords{}
	}
	return s.Site.Words(s.Texts)
}

// Stamp sets the version of texts that were just written.
func (s *Settings) Stamp(version int64) {
	for language, text := range s.Texts {
		if text.Version == 0 {
			text.Version = version
			s.Texts[language] = text
		}
	}
}
