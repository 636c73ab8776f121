package calendar

import (
	"slices"
	"testing"
)

func TestAddressLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		venue Venue
		want  []string
	}{
		"a code comes before the town": {Venue{Address: "Markt 1", Zip: "53111", City: "Bonn", Country: "Germany"},
			[]string{"Markt 1", "53111 Bonn", "Germany"}},
		"a region has a line of its own": {Venue{City: "Cork", Province: "Munster", Country: "Ireland"},
			[]string{"Cork", "Munster", "Ireland"}},
		"in the United States the state and the code follow the town": {Venue{Address: "1 Main St", City: "Albany", State: "NY", Zip: "12207", Country: "United States"},
			[]string{"1 Main St", "Albany, NY 12207", "United States"}},
		"in Canada the province follows the town": {Venue{City: "Montreal", Province: "Quebec", Country: "Canada"},
			[]string{"Montreal, Quebec", "Canada"}},
		"a state of the same name as its town is written there": {Venue{City: "New York", State: "New York", Zip: "10001", Country: "US"},
			[]string{"New York, New York 10001", "US"}},
		"without a town, nothing precedes the state":    {Venue{State: "NY", Country: "US"}, []string{"NY", "US"}},
		"without a state, nothing follows the town":     {Venue{City: "Albany", Country: "US"}, []string{"Albany", "US"}},
		"a region called like its town isn't repeated":  {Venue{City: "Berlin", Province: "Berlin", Country: "Germany"}, []string{"Berlin", "Germany"}},
		"not with a code either":                        {Venue{Zip: "10115", City: "Berlin", Province: "Berlin", Country: "Germany"}, []string{"10115 Berlin", "Germany"}},
		"a country called like its town isn't repeated": {Venue{Address: "1 Fish St", City: "Singapore", Country: "Singapore"}, []string{"1 Fish St", "Singapore"}},
		"nor an address that is only the town":          {Venue{Address: "Bonn", City: "Bonn"}, []string{"Bonn"}},
		"what was written as state or province counts over what follows from it": {Venue{City: "Bonn", Province: "NRW", StateProvince: "Rheinland", Country: "Germany"},
			[]string{"Bonn", "Rheinland", "Germany"}},
		"a country called like its region isn't repeated": {Venue{City: "Esch", Province: "Luxembourg", Country: "Luxembourg"}, []string{"Esch", "Luxembourg"}},
		"nothing known":    {Venue{}, nil},
		"only the code":    {Venue{Zip: "53111"}, []string{"53111"}},
		"only the country": {Venue{Country: "Germany"}, []string{"Germany"}},
	} {
		if got := c.venue.AddressLines(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
