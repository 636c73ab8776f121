package calendar

import (
	"slices"
	"strings"
)

// AddressLine is a line of an address with the language it is in, which is "" on sites of one language.
type AddressLine struct{ Text, Language string }

// AddressLines returns the lines of a venue's address, in the order of its country. It does not repeat a region or country
// that has the name of the city.
func (v *Venue) AddressLines() []string {
	var lines []string
	for _, line := range v.SpokenAddress() {
		lines = append(lines, line.Text)
	}
	return lines
}

// SpokenAddress is AddressLines with the language of each line.
func (v *Venue) SpokenAddress() []AddressLine {
	town, region := strings.TrimSpace(v.Zip+" "+v.City), v.Region()
	if townFirst[v.Country] {
		town = strings.Trim(v.City+", "+strings.TrimSpace(region+" "+v.Zip), ", ")
		region = ""
	}
	var lines []AddressLine
	add := func(text, language string) {
		if text != "" && !slices.ContainsFunc(lines, func(l AddressLine) bool { return l.Text == text }) {
			lines = append(lines, AddressLine{text, language})
		}
	}
	add(v.Address, v.Given().Address)
	add(town, v.Given().City)
	for _, line := range []AddressLine{{region, ""}, {v.Country, v.Given().Country}} {
		if line.Text != v.City {
			add(line.Text, line.Language)
		}
	}
	return lines
}

// townFirst are the countries that write town, region and code in that order.
var townFirst = map[string]bool{"United States": true, "US": true, "USA": true, "Canada": true, "CA": true, "Australia": true, "AU": true}
