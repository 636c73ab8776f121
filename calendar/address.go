package calendar

import (
	"slices"
	"strings"
)

// AddressLines returns the lines of a venue's address, in the order of its country. A region or country that is called
// like the city is not repeated.
func (v *Venue) AddressLines() []string {
	town, region := strings.TrimSpace(v.Zip+" "+v.City), v.Region()
	if townFirst[v.Country] {
		town = strings.Trim(v.City+", "+strings.TrimSpace(region+" "+v.Zip), ", ")
		region = ""
	}
	var lines []string
	if v.Address != "" {
		lines = append(lines, v.Address)
	}
	if town != "" && !slices.Contains(lines, town) {
		lines = append(lines, town)
	}
	for _, line := range []string{region, v.Country} {
		if line != "" && line != v.City && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// townFirst are the countries that write town, region and code in that order.
var townFirst = map[string]bool{"United States": true, "US": true, "USA": true, "Canada": true, "CA": true, "Australia": true, "AU": true}
