package args

import "testing"

// TestCountryOf: zones are of their country under each of their names, and those of none are of none.
func TestCountryOf(t *testing.T) {
	t.Parallel()
	for zone, want := range map[string]string{"Europe/Berlin": "DE", "Europe/Zurich": "CH", "Asia/Calcutta": "IN", "Asia/Kolkata": "IN",
		"US/Eastern": "US", "Japan": "JP", "UTC": "", "Etc/GMT+3": "", "CET": "", "": "", "Nowhere/City": ""} {
		if got := CountryOf(zone); got != want {
			t.Errorf("%s is of %q, want %q", zone, got, want)
		}
	}
	for zone := range countryOfZone() {
		if _, err := ParseZone(zone); err != nil {
			t.Errorf("%s is no zone: %v", zone, err)
		}
	}
	if n := len(countryOfZone()); n < 500 {
		t.Errorf("only %d zones are of a country", n)
	}
}
