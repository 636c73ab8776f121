package calendar

import "strings"

// AddressLines returns the lines of a venue's address, in the order of its country.
func (v *Venue) AddressLines() []string {
	var lines []string
	town, region := strings.TrimSpace(v.Zip+" "+v.City), v.Region()
	if townFirst[v.Country] {
		town = strings.Trim(v.City+", "+strings.TrimSpace(region+" "+v.Zip), ", ")
		region = ""
	}
	for _, line := range []string{v.Address, town, region, v.Country} {
		if line != "" && (line != v.City || line == town) {
			lines = append(lines, line)
		}
	}
	return lines
}

// townFirst are the countries that write town, region and code in that order.
var townFirst = map[string]bool{"United States": true, "US": true, "USA": true, "Canada": true, "CA": true, "Australia": true, "AU": true}
