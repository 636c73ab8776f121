package tenancy

import (
	"maps"
	"slices"
	"strings"

	"github.com/kalends/kalends/args"
)

// SiteText is what a site says of itself in one language. "" is not written.
type SiteText struct {
	Name     string `json:"name,omitempty"`
	Tagline  string `json:"tagline,omitempty"`
	Links    string `json:"links,omitempty"`
	Footer   string `json:"footer_links,omitempty"`
	Terms    string `json:"submission_terms,omitempty"`
	Version  int64  `json:"version,omitempty"`  // of the site as it was written; 0: just written
	Outdated bool   `json:"outdated,omitempty"` // what it was made from has changed since
}

// Empty reports whether nothing is written.
func (t SiteText) Empty() bool { return t.plain() == SiteText{} }

// plain is the text whenever it was written.
func (t SiteText) plain() SiteText {
	t.Version, t.Outdated = 0, false
	return t
}

// SiteWords are the texts of a site as somebody reads them, each in the best language it
// is written in.
type SiteWords struct {
	SiteText
	Given SiteGiven
}

// SiteGiven are the languages of SiteWords, all "" on sites that write one.
type SiteGiven struct{ Name, Tagline, Links, Footer, Terms string }

// ownText are the texts of the site in its own language.
func (s *Site) ownText() SiteText {
	face := &s.Settings.Face
	return SiteText{Name: s.Name, Tagline: face.Tagline, Links: face.Links, Footer: face.Footer, Terms: s.Settings.Submissions.Terms}
}

// Words returns the texts of the site for whoever wants texts in some languages, the best
// first, before the site's own.
func (s *Site) Words(languages []string) SiteWords {
	w := SiteWords{SiteText: s.ownText()}
	if !s.Multilingual() {
		return w
	}
	w.Given = SiteGiven{s.Language, s.Language, s.Language, s.Language, s.Language}
	for _, language := range slices.Backward(languages) { // the best comes last and stays
		text := s.Settings.Texts[language]
		for _, one := range []struct {
			by        string
			into, tag *string
		}{{text.Name, &w.Name, &w.Given.Name}, {text.Tagline, &w.Tagline, &w.Given.Tagline}, {text.Links, &w.Links, &w.Given.Links},
			{text.Footer, &w.Footer, &w.Given.Footer}, {text.Terms, &w.Terms, &w.Given.Terms}} {
			if one.by != "" {
				*one.into, *one.tag = one.by, language
			}
		}
	}
	return w
}

// WordsIn is Words for who reads a language.
func (s *Site) WordsIn(language string) SiteWords { return s.Words(s.Texts(language)) }

// Words are the texts of the scope's site in the languages that the scope wants.
func (s *Scope) Words() SiteWords {
	if s.Site == nil {
		return SiteWords{}
	}
	return s.Site.Words(s.Texts)
}

// Stamp notes the version for texts just written.
func (s *Settings) Stamp(version int64) {
	for language, text := range s.Texts {
		if text.Version == 0 {
			text.Version = version
			s.Texts[language] = text
		}
	}
}

// NameTexts are the arguments of what a site is called in one language.
type NameTexts struct {
	Name    args.Opt[string] `arg:"name,max=1000"`
	Tagline args.Opt[string] `arg:"tagline,max=200"`
}

// SiteTexts are the arguments of all texts of a site in one language.
type SiteTexts struct {
	NameTexts
	Links  args.Opt[string] `arg:"links,max=2000"`
	Footer args.Opt[string] `arg:"footer_links,max=2000"`
	Terms  args.Opt[string] `arg:"submission_terms,max=10000"`
}

// reword writes texts in other languages: nil takes those of a language away. What is made
// from texts that have changed is outdated unless it is written as well.
func (s *Site) reword(said map[string]*SiteTexts, before SiteText, found *args.Problems) {
	all := maps.Clone(s.Settings.Texts)
	if all == nil {
		all = map[string]SiteText{}
	}
	for _, language := range slices.Sorted(maps.Keys(said)) {
		where := "translations." + language
		switch {
		case !s.Speaks(language):
			found.Invalid(where, "problem.content_language", map[string]any{"Allowed": strings.Join(s.Written(), ", ")})
			continue
		case language == s.Language:
			s.rewordOwn(said[language], where, found)
			continue
		case said[language] == nil:
			delete(all, language)
			continue
		}
		was := all[language]
		now := said[language].over(was.plain(), where, found)
		if now == was.plain() {
			now.Version = was.Version
		}
		if all[language] = now; now.Empty() {
			delete(all, language)
		}
	}
	for language, text := range all {
		if _, written := said[language]; !written && before != s.ownText() {
			text.Outdated = true
			all[language] = text
		}
	}
	if s.Settings.Texts = all; len(all) == 0 {
		s.Settings.Texts = nil
	}
}

// rewordOwn writes the texts in the site's own language.
func (s *Site) rewordOwn(said *SiteTexts, where string, found *args.Problems) {
	if said == nil {
		found.Invalid(where, "problem.content_language.own", nil)
		return
	}
	now := said.over(s.ownText(), where, found)
	if now.Name == "" {
		found.Invalid(where+".name", "problem.blank", nil)
		return
	}
	face := &s.Settings.Face
	s.Name, face.Tagline, face.Links, face.Footer, s.Settings.Submissions.Terms = now.Name, now.Tagline, now.Links, now.Footer, now.Terms
}

// over returns a text with what is said in place of what it said.
func (f *SiteTexts) over(text SiteText, where string, found *args.Problems) SiteText {
	for name, said := range map[string]args.Opt[string]{"links": f.Links, "footer_links": f.Footer} {
		if _, ok := Links(said.Or("")); !ok {
			found.Invalid(where+"."+name, "problem.links", nil)
		}
	}
	for _, one := range []struct {
		said args.Opt[string]
		into *string
	}{{f.Name, &text.Name}, {f.Tagline, &text.Tagline}, {f.Links, &text.Links}, {f.Footer, &text.Footer}, {f.Terms, &text.Terms}} {
		if one.said.Given() {
			*one.into = lines(one.said.Or(""))
		}
	}
	return text
}

// lines is a text without blanks around it, and with the ends of lines as they are stored.
func lines(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }

// named are the texts of names among all.
func named(names args.Named[NameTexts]) map[string]*SiteTexts {
	all := map[string]*SiteTexts{}
	for language, text := range names {
		if all[language] = nil; text != nil {
			all[language] = &SiteTexts{NameTexts: *text}
		}
	}
	return all
}
