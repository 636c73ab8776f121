package platform

import (
	"strings"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// SeasonFields are the arguments of a season. A season of which all are missing is none.
type SeasonFields struct {
	Name   args.Opt[string] `arg:"name,line,max=100"`
	From   args.Opt[string] `arg:"from,max=5"`
	Until  args.Opt[string] `arg:"until,max=5"`
	Header args.Opt[string] `arg:"header,max=500"`
	Accent args.Opt[string] `arg:"accent,max=7"`
	Lead   args.Opt[string] `arg:"lead,max=1000"`
}

// Check refuses a season that lacks a day, and a picture or a color that cannot be shown.
func (f *SeasonFields) Check(found *args.Problems) {
	season := f.season()
	if season == (tenancy.Season{}) {
		return
	}
	for name, day := range map[string]string{"from": season.From, "until": season.Until} {
		if !tenancy.IsDayOfYear(day) {
			found.Invalid(name, "problem.season_day", nil)
		}
	}
	if !pictured(season.Header) {
		found.Invalid("header", "problem.picture_address", nil)
	}
	if season.Accent != "" && !accentForm.MatchString(season.Accent) {
		found.Invalid("accent", "problem.accent", nil)
	}
}

func (f *SeasonFields) season() tenancy.Season {
	return tenancy.Season{
		Name:   args.Visible(f.Name.Or("")),
		From:   strings.TrimSpace(f.From.Or("")),
		Until:  strings.TrimSpace(f.Until.Or("")),
		Header: strings.TrimSpace(f.Header.Or("")),
		Accent: strings.ToLower(f.Accent.Or("")),
		Lead:   lines(f.Lead.Or("")),
	}
}

// setSeasons sets the seasons of a site. Each keeps its number, under which its text is translated.
func setSeasons(site *tenancy.Site, list []SeasonFields) {
	site.Settings.Seasons = [tenancy.MostSeasons]tenancy.Season{}
	for n := range list {
		site.Settings.Seasons[n] = list[n].season()
	}
}

// dropLeads removes the translations of texts that are gone, so that they are not found under the next season of that number.
func dropLeads(site *tenancy.Site) {
	for language, text := range site.Settings.Texts {
		for n := range text.Leads {
			if site.Settings.Seasons[n].Lead == "" {
				text.Leads[n] = ""
			}
		}
		if site.Settings.Texts[language] = text; text.Empty() {
			delete(site.Settings.Texts, language)
		}
	}
	if len(site.Settings.Texts) == 0 {
		site.Settings.Texts = nil
	}
}
