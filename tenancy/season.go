package tenancy

import (
	"regexp"
	"strconv"
	"time"
)

// MostSeasons is how many seasons a site can have.
const MostSeasons = 4

// Season is a part of every year in which the public pages look different, such as Advent (ADR 260).
type Season struct {
	Name   string `json:"name,omitempty"`   // for editors
	From   string `json:"from,omitempty"`   // first day, "12-01"
	Until  string `json:"until,omitempty"`  // last day; if it is before From, the season continues into the next year
	Header string `json:"header,omitempty"` // URL of a picture; "": the site's
	Accent string `json:"accent,omitempty"` // "#rrggbb"; "": the site's
	Lead   string `json:"lead,omitempty"`   // plain text at the top of the front page, or ""
}

// Lasts reports whether the season includes a day. A season without days never does.
func (s *Season) Lasts(day time.Time) bool {
	on := day.Format("01-02")
	switch {
	case s.From == "" || s.Until == "":
		return false
	case s.From <= s.Until:
		return s.From <= on && on <= s.Until
	}
	return on >= s.From || on <= s.Until
}

// SeasonOn returns the number of the first season that includes a day, beginning with 0, and whether there is one.
func (s *Site) SeasonOn(day time.Time) (int, bool) {
	for n := range s.Settings.Seasons {
		if s.Settings.Seasons[n].Lasts(day) {
			return n, true
		}
	}
	return 0, false
}

// Seasonal reports whether the site has a season, so that its pages may change at midnight.
func (s *Site) Seasonal() bool {
	for n := range s.Settings.Seasons {
		if s.Settings.Seasons[n].From != "" {
			return true
		}
	}
	return false
}

var dayOfYear = regexp.MustCompile(`^[0-9]{2}-[0-9]{2}$`)

// IsDayOfYear reports whether a text is a day of some year, such as "02-29".
func IsDayOfYear(text string) bool {
	_, err := time.Parse(time.DateOnly, "2000-"+text)
	return err == nil && dayOfYear.MatchString(text)
}

// LeadField is the name of the text of a season among the texts of the site.
func LeadField(n int) string { return "season_" + strconv.Itoa(n+1) + "_lead" }
