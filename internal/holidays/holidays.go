// Package holidays computes the public holidays of countries whose law determines them for years ahead: by days of
// the year, by Easter, and by weekdays of a month. It leaves out countries where they depend on sighting the moon,
// or where the government announces them each year.
package holidays

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"
)

// Jurisdiction is a country, or a region of one that adds holidays to those of the country.
type Jurisdiction struct {
	Code    string // ISO 3166, such as DE or DE-BY; GB-EAW is England and Wales
	Country string // code of its country
	Region  string // name of the region in its own language; "" for a whole country

	languages []string // of names
	rules     []rule
}

// Holiday is a day of a year.
type Holiday struct {
	Day   time.Time
	names []string
	of    *Jurisdiction
	also  string
}

// Name returns the name of the holiday in the given language if the country uses it, otherwise in the country's first
// language.
func (h *Holiday) Name(language string) string {
	base, _, _ := strings.Cut(language, "-")
	if i := slices.Index(h.of.languages, base); i >= 0 && i < len(h.names) {
		return h.names[i]
	}
	return h.names[0]
}

//go:embed holidays.txt
var source string

// jurisdictions are the countries and regions in the order of the source.
var jurisdictions = sync.OnceValue(func() []*Jurisdiction {
	var list []*Jurisdiction
	for line := range strings.Lines(source) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case strings.Contains(line, ";"):
			last := list[len(list)-1]
			last.rules = append(last.rules, readRule(line))
		default:
			list = append(list, readJurisdiction(line))
		}
	}
	return list
})

// readJurisdiction reads the line of a country or region.
func readJurisdiction(line string) *Jurisdiction {
	words := strings.Fields(line)
	p := &Jurisdiction{Code: words[0]}
	for i, word := range words[1:] {
		if len(word) != 2 || strings.ToLower(word) != word {
			p.Region = strings.Join(words[i+1:], " ")
			break
		}
		p.languages = append(p.languages, word)
	}
	p.Country, _, _ = strings.Cut(p.Code, "-")
	return p
}

// Jurisdictions returns the countries, each followed by its regions.
func Jurisdictions() []*Jurisdiction { return jurisdictions() }

// At returns the country or region with this code, or nil.
func At(code string) *Jurisdiction {
	if i := slices.IndexFunc(jurisdictions(), func(p *Jurisdiction) bool { return p.Code == code }); i >= 0 {
		return jurisdictions()[i]
	}
	return nil
}

// Between returns the holidays from first to last, both included, in order. Those of a region include its country's. A day
// that is two holidays appears twice.
func (p *Jurisdiction) Between(first, last time.Time) []Holiday {
	var list []Holiday
	for year := first.Year() - 1; year <= last.Year()+1; year++ { // what is instead of a day can be in the year before
		list = append(list, p.in(year)...)
	}
	list = slices.DeleteFunc(list, func(h Holiday) bool { return h.Day.Before(first) || h.Day.After(last) })
	slices.SortStableFunc(list, func(a, b Holiday) int { return a.Day.Compare(b.Day) })
	return list
}

// in returns the holidays of a year.
func (p *Jurisdiction) in(year int) (list []Holiday) {
	parts := []*Jurisdiction{p}
	if p.Region != "" {
		parts = []*Jurisdiction{At(p.Country), p}
	}
	for _, part := range parts {
		for i := range part.rules {
			if r := &part.rules[i]; r.applies(year) {
				list = append(list, Holiday{r.day(year), r.names, part, r.also})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Holiday) int { return a.Day.Compare(b.Day) })
	return append(list, instead(list, p.Country == "JP")...)
}

// instead returns the days off that replace holidays on a weekend, and those that Japanese law adds.
func instead(list []Holiday, japan bool) (more []Holiday) {
	taken := map[time.Time]bool{}
	for _, h := range list {
		taken[h.Day] = true
	}
	add := func(h Holiday, day time.Time) {
		taken[day] = true
		more = append(more, Holiday{Day: day, names: h.names, of: h.of})
	}
	for _, h := range list {
		saturday, sunday, day := h.Day.Weekday() == time.Saturday, h.Day.Weekday() == time.Sunday, h.Day
		switch {
		case japan && sunday:
			for taken[day] {
				day = day.AddDate(0, 0, 1)
			}
			h.names = []string{"振替休日"}
			add(h, day)
		case h.also == alsoMonday && (saturday || sunday):
			for taken[day] || day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
				day = day.AddDate(0, 0, 1)
			}
			add(h, day)
		case h.also == alsoFriday && saturday:
			add(h, day.AddDate(0, 0, -1))
		case h.also == alsoFriday && sunday:
			add(h, day.AddDate(0, 0, 1))
		}
	}
	for _, h := range list { // in Japan, a day between two holidays is one
		if between := h.Day.AddDate(0, 0, 1); japan && !taken[between] && holds(list, h.Day.AddDate(0, 0, 2)) {
			h.names = []string{"国民の休日"}
			add(h, between)
		}
	}
	return more
}

// holds reports whether the list has the day.
func holds(list []Holiday, day time.Time) bool {
	return slices.ContainsFunc(list, func(h Holiday) bool { return h.Day.Equal(day) })
}
