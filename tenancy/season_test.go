package tenancy

import (
	"testing"
	"time"
)

// A season lasts from its first to its last day, both included, in every year and across its end.
func TestSeasonLasts(t *testing.T) {
	t.Parallel()
	for season, days := range map[[2]string]map[string]bool{
		{"12-01", "12-24"}: {"2029-11-30": false, "2029-12-01": true, "2029-12-24": true, "2029-12-25": false, "2030-12-10": true},
		{"11-27", "01-06"}: {"2029-11-26": false, "2029-11-27": true, "2029-12-31": true, "2030-01-01": true, "2030-01-06": true, "2030-01-07": false},
		{"02-29", "02-29"}: {"2028-02-29": true, "2029-02-28": false, "2029-03-01": false},
		{"02-20", "02-29"}: {"2029-02-28": true, "2029-03-01": false},
		{"06-01", "06-01"}: {"2030-06-01": true, "2030-06-02": false, "2030-05-31": false},
		{"06-01", ""}:      {"2030-06-01": false},
		{"", ""}:           {"2030-06-01": false, "2030-01-01": false},
	} {
		s := Season{From: season[0], Until: season[1]}
		for text, want := range days {
			day, err := time.Parse(time.DateOnly, text)
			if err != nil {
				t.Fatal(err)
			}
			if s.Lasts(day) != want {
				t.Errorf("%v on %s: %v", season, text, !want)
			}
		}
	}
}

// Of seasons that overlap, the first counts, whatever their lengths.
func TestFirstSeasonCounts(t *testing.T) {
	t.Parallel()
	s := &Site{}
	if _, on := s.SeasonOn(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)); on || s.Seasonal() {
		t.Error("a site without seasons has one")
	}
	s.Settings.Seasons[1] = Season{From: "06-01", Until: "08-31"}
	s.Settings.Seasons[3] = Season{From: "08-15", Until: "08-20"}
	for day, want := range map[int]int{16: 1, 31: 1} {
		if n, on := s.SeasonOn(time.Date(2030, 8, day, 0, 0, 0, 0, time.UTC)); !on || n != want {
			t.Errorf("August %d: %d, %v", day, n, on)
		}
	}
	s.Settings.Seasons[1] = Season{}
	if n, on := s.SeasonOn(time.Date(2030, 8, 16, 0, 0, 0, 0, time.UTC)); !on || n != 3 || !s.Seasonal() {
		t.Errorf("the last: %d, %v", n, on)
	}
}

func TestDaysOfYear(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"01-01": true, "02-29": true, "12-31": true, "02-30": false, "04-31": false, "13-01": false, "00-10": false,
		"": false, "1-1": false, "-01": false, "12-": false, "12-01 ": false, "12-01-01": false} {
		if IsDayOfYear(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
