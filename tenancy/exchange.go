package tenancy

import (
	"slices"
	"strings"
)

// LanguageChange says how a change of a site's language affected its texts.
type LanguageChange struct {
	From, To  string
	Exchanged int // entries with a translation into the new language, which is now their own text
	Kept      int // entries without such a translation, whose texts stay in the old language
}

// Spoke records that the site has changed its language. From then on, people write its texts in both languages,
// unless the site is empty.
func (s *Site) Spoke(done LanguageChange) {
	s.Exchange = &done
	if done.Exchanged+done.Kept == 0 && !s.Multilingual() { // the site has no texts yet
		s.Settings.Texts = nil
		return
	}
	list := slices.Clone(s.Written())
	if !slices.Contains(list, done.From) {
		list = append(list, done.From)
	}
	s.Settings.ContentLanguages = list
}

// SiteTextField is a text of a site with the name that forms, the API and the history have for it.
type SiteTextField struct {
	Name string
	At   func(*SiteText) *string
}

// SiteTextFields are the texts of a site.
var SiteTextFields = append([]SiteTextField{
	{"name", func(t *SiteText) *string { return &t.Name }},
	{"tagline", func(t *SiteText) *string { return &t.Tagline }},
	{"links", func(t *SiteText) *string { return &t.Links }},
	{"footer_links", func(t *SiteText) *string { return &t.Footer }},
	{"submission_terms", func(t *SiteText) *string { return &t.Terms }},
}, leads()...)

func leads() (list []SiteTextField) {
	for n := range MostSeasons {
		list = append(list, SiteTextField{LeadField(n), func(t *SiteText) *string { return &t.Leads[n] }})
	}
	return list
}

// originals returns the names of the site's own texts that are in this language.
func (t *SiteText) originals() []string {
	if t.Original == "" {
		return nil
	}
	return strings.Split(t.Original, ",")
}

// Lend sets the names of the site's own texts that are in this language.
func (t *SiteText) Lend(names []string) {
	slices.Sort(names)
	t.Original = strings.Join(slices.Compact(names), ",")
}

// speakers returns, by field, the language of each of the site's own texts that is not in the site's language.
func (s *Site) speakers() map[string]string {
	list := map[string]string{}
	for language, text := range s.Settings.Texts {
		for _, name := range text.originals() {
			list[name] = language
		}
	}
	return list
}

// SetOwn sets the site's texts in its own language.
func (s *Site) SetOwn(t SiteText) {
	for n := range t.Leads {
		s.Settings.Seasons[n].Lead = t.Leads[n]
	}
	face := &s.Settings.Face
	s.Name, face.Tagline, face.Links, face.Footer, s.Settings.Submissions.Terms = t.Name, t.Tagline, t.Links, t.Footer, t.Terms
}

// Speak changes the site's language and exchanges its own texts, as it does for entries: translations into the new
// language become its own texts. Texts without such a translation stay, and are marked as texts in the old
// language.
func (s *Site) Speak(language string) {
	from := s.Language
	if s.Language = language; from == language {
		return
	}
	all, speakers, own := map[string]SiteText{}, s.speakers(), s.OwnText()
	for tag, text := range s.Settings.Texts {
		text.Original = ""
		all[tag] = text
	}
	in := all[language]
	delete(all, language)
	lent := map[string][]string{}
	for _, f := range SiteTextFields {
		label := speakers[f.Name]
		if label == "" {
			label = from
		}
		has, value := *f.At(&in), *f.At(&own)
		switch {
		case label == language:
		case has != "":
			old := all[label]
			*f.At(&old), *f.At(&own) = value, has
			if label == from {
				old.Version, old.Outdated = in.Version, in.Outdated
			}
			all[label] = old
		case value != "":
			lent[label] = append(lent[label], f.Name)
		}
	}
	for tag, names := range lent {
		text := all[tag]
		text.Lend(names)
		all[tag] = text
	}
	s.SetOwn(own)
	s.keepTexts(all)
}

// keepTexts stores the translations of the site's texts, without empty ones.
func (s *Site) keepTexts(all map[string]SiteText) {
	for tag, text := range all {
		if text.Empty() {
			delete(all, tag)
		}
	}
	if s.Settings.Texts = all; len(all) == 0 {
		s.Settings.Texts = nil
	}
}

// Own updates Settings.Texts after a change of the site's own texts; before has these texts before the change. If an
// own text that was in another language has changed, the new text counts as written in the site's language, and the
// former one is kept as the translation into the other language.
func (s *Site) Own(before SiteText) {
	now, all := s.OwnText(), map[string]SiteText{}
	for tag, text := range s.Settings.Texts {
		var still []string
		for _, f := range SiteTextFields {
			if !slices.Contains(text.originals(), f.Name) {
				continue
			}
			if was := *f.At(&before); was == *f.At(&now) {
				still = append(still, f.Name)
			} else {
				*f.At(&text) = was
			}
		}
		text.Lend(still)
		all[tag] = text
	}
	s.keepTexts(all)
}
