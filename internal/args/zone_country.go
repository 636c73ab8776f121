package args

import (
	_ "embed"
	"strings"
	"sync"
)

// zoneCountries has a line for each country: its code and its zones. Zonegen writes it.
//
//go:embed zone_countries.txt
var zoneCountries string

// countryOfZone is zoneCountries by zone.
var countryOfZone = sync.OnceValue(func() map[string]string {
	countries := map[string]string{}
	for line := range strings.Lines(zoneCountries) {
		zones := strings.Fields(line)
		for _, zone := range zones[1:] {
			countries[zone] = zones[0]
		}
	}
	return countries
})

// CountryOf returns the ISO 3166 code of the country that a time zone is of, or "" for one that is of none, such as UTC.
func CountryOf(zone string) string { return countryOfZone()[zone] }
