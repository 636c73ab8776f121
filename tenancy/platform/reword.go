package platform

import (
	"maps"
	"slices"
	"strings"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// NameTexts are the arguments of a site's name and tagline in one language.
type NameTexts struct {
	Name    args.Opt[string] `arg:"name,line,max=1000"`
	Tagline args.Opt[string] `arg:"tagline,line,max=200"`
}

// SiteTexts are the arguments of all texts of a site in one language.
type SiteTexts struct {
	NameTexts
	Links  args.Opt[string] `arg:"links,max=2000"`
	Footer args.Opt[string] `arg:"footer_links,max=2000"`
	Terms  args.Opt[string] `arg:"submission_terms,max=10000"`
	Lead1  args.Opt[string] `arg:"season_1_lead,max=1000"`
	Lead2  args.Opt[string] `arg:"season_2_lead,max=1000"`
	Lead3  args.Opt[string] `arg:"season_3_lead,max=1000"`
	Lead4  args.Opt[string] `arg:"season_4_lead,max=1000"`
}

// reword sets translations; nil removes the translation into a language. If the site's own texts have changed,
// translations that were not sent with them become outdated.
func reword(s *tenancy.Site, said map[string]*SiteTexts, before tenancy.SiteText, found *args.Problems) {
	s.Own(before)
	all := maps.Clone(s.Settings.Texts)
	if all == nil {
		all = map[string]tenancy.SiteText{}
	}
	for _, language := range slices.Sorted(maps.Keys(said)) {
		where := "translations." + language
		switch {
		case !s.Speaks(language):
			found.Invalid(where, "problem.content_language", map[string]any{"Allowed": strings.Join(s.Written(), ", ")})
			continue
		case language == s.Language:
			rewordOwn(s, said[language], where, found)
			continue
		case said[language] == nil:
			delete(all, language)
			continue
		}
		was := all[language]
		now := said[language].over(was.Plain(), where, found)
		if now == was.Plain() {
			now.Version = was.Version
		}
		if all[language] = now; now.Empty() {
			delete(all, language)
		}
	}
	for language, text := range all {
		if _, written := said[language]; !written && before != s.OwnText() {
			text.Outdated = true
			all[language] = text
		}
	}
	if s.Settings.Texts = all; len(all) == 0 {
		s.Settings.Texts = nil
	}
}

// rewordOwn sets the texts in the site's own language.
func rewordOwn(s *tenancy.Site, said *SiteTexts, where string, found *args.Problems) {
	if said == nil {
		found.Invalid(where, "problem.content_language.own", nil)
		return
	}
	now := said.over(s.OwnText(), where, found)
	if now.Name == "" {
		found.Invalid(where+".name", "problem.blank", nil)
		return
	}
	s.SetOwn(now)
}

// over returns a text in which the sent arguments replace the former ones.
func (f *SiteTexts) over(text tenancy.SiteText, where string, found *args.Problems) tenancy.SiteText {
	for name, said := range map[string]args.Opt[string]{"links": f.Links, "footer_links": f.Footer} {
		if _, ok := tenancy.Links(said.Or("")); !ok {
			found.Invalid(where+"."+name, "problem.site_links", nil)
		}
	}
	for _, one := range []struct {
		said args.Opt[string]
		into *string
	}{{f.Name, &text.Name}, {f.Tagline, &text.Tagline}, {f.Links, &text.Links}, {f.Footer, &text.Footer}, {f.Terms, &text.Terms},
		{f.Lead1, &text.Leads[0]}, {f.Lead2, &text.Leads[1]}, {f.Lead3, &text.Leads[2]}, {f.Lead4, &text.Leads[3]}} {
		if one.said.Given() {
			*one.into = lines(one.said.Or(""))
		}
	}
	return text
}

// lines returns a text without surrounding blanks, and with normalized line ends.
func lines(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }

// named returns names and taglines as SiteTexts.
func named(names args.Named[NameTexts]) map[string]*SiteTexts {
	all := map[string]*SiteTexts{}
	for language, text := range names {
		if all[language] = nil; text != nil {
			all[language] = &SiteTexts{NameTexts: *text}
		}
	}
	return all
}
