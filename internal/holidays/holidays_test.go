package holidays

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// year lists the holidays of a jurisdiction in a year: 01-01, 12-25 and so on.
func year(t *testing.T, code string, n int) []string {
	t.Helper()
	p := At(code)
	if p == nil {
		t.Fatalf("%s is not known", code)
	}
	var days []string
	for _, h := range p.Between(date(n, 1, 1), date(n, 12, 31)) {
		days = append(days, h.Day.Format("01-02"))
	}
	return days
}

// TestYears: whole years as the authorities of the countries have published or the law says them.
func TestYears(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code string
		year int
		days string
	}{
		{"DE", 2027, "01-01 03-26 03-29 05-01 05-06 05-17 10-03 12-25 12-26"},
		{"DE-SN", 2027, "01-01 03-26 03-29 05-01 05-06 05-17 10-03 10-31 11-17 12-25 12-26"},
		{"DE-BY", 2026, "01-01 01-06 04-03 04-06 05-01 05-14 05-25 06-04 10-03 11-01 12-25 12-26"},
		{"DE-BB", 2026, "01-01 04-03 04-05 04-06 05-01 05-14 05-24 05-25 10-03 10-31 12-25 12-26"},
		{"GB-EAW", 2027, "01-01 03-26 03-29 05-03 05-31 08-30 12-25 12-26 12-27 12-28"},
		{"GB-EAW", 2028, "01-01 01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26"},
		{"GB-SCT", 2028, "01-01 01-02 01-03 01-04 04-14 05-01 05-29 08-07 11-30 12-25 12-26"},
		{"GB-NIR", 2027, "01-01 03-17 03-26 03-29 05-03 05-31 07-12 08-30 12-25 12-26 12-27 12-28"},
		{"US", 2027, "01-01 01-18 02-15 05-31 06-18 06-19 07-04 07-05 09-06 10-11 11-11 11-25 12-24 12-25 12-31"},
		{"JP", 2026, "01-01 01-12 02-11 02-23 03-20 04-29 05-03 05-04 05-05 05-06 07-20 08-11 09-21 09-22 09-23 10-12 11-03 11-23"},
		{"NL", 2025, "01-01 04-20 04-21 04-26 05-05 05-29 06-08 06-09 12-25 12-26"},
		{"IE", 2030, "01-01 02-01 03-17 04-22 05-06 06-03 08-05 10-28 12-25 12-26"},
		{"GR", 2027, "01-01 01-06 03-15 03-25 04-30 05-01 05-02 05-03 06-21 08-15 10-28 12-25 12-26"},
		{"PL", 2024, "01-01 01-06 03-31 04-01 05-01 05-03 05-19 05-30 08-15 11-01 11-11 12-25 12-26"},
		{"PL", 2025, "01-01 01-06 04-20 04-21 05-01 05-03 06-08 06-19 08-15 11-01 11-11 12-24 12-25 12-26"},
		{"SE", 2027, "01-01 01-06 03-26 03-28 03-29 05-01 05-06 05-16 06-06 06-26 11-06 12-25 12-26"},
		{"FR", 2026, "01-01 04-06 05-01 05-08 05-14 05-25 07-14 08-15 11-01 11-11 12-25"},
		{"IT", 2026, "01-01 01-06 04-05 04-06 04-25 05-01 06-02 08-15 10-04 11-01 12-08 12-25 12-26"},
		{"AU", 2027, "01-01 01-26 03-26 03-29 04-25 12-25 12-26 12-27 12-28"},
		{"CA", 2029, "01-01 03-30 07-02 09-03 12-25"},
		{"MX", 2030, "01-01 02-04 03-18 05-01 09-16 10-01 11-18 12-25"},
		{"BR", 2026, "01-01 04-03 04-21 05-01 09-07 10-12 11-02 11-15 11-20 12-25"},
	} {
		if got := strings.Join(year(t, c.code, c.year), " "); got != c.days {
			t.Errorf("%s %d: %s, want %s", c.code, c.year, got, c.days)
		}
	}
}

// TestEaster: Easter of the western and of the Orthodox churches, at its earliest and latest, too.
func TestEaster(t *testing.T) {
	t.Parallel()
	for year, want := range map[int][2]string{2008: {"03-23", "04-27"}, 2025: {"04-20", "04-20"}, 2027: {"03-28", "05-02"}, 2029: {"04-01", "04-08"},
		2030: {"04-21", "04-28"}, 2038: {"04-25", "04-25"}, 2049: {"04-18", "04-25"}} {
		if got := [2]string{western(year).Format("01-02"), orthodox(year).Format("01-02")}; got != want {
			t.Errorf("%d: %v, want %v", year, got, want)
		}
	}
}

// TestSource: each jurisdiction has an order, languages and names, and none is there twice.
func TestSource(t *testing.T) {
	t.Parallel()
	var codes []string
	for _, p := range Jurisdictions() {
		if slices.Contains(codes, p.Code) || len(p.languages) == 0 || len(p.rules) == 0 || (p.Region == "") != (p.Code == p.Country) || p.Region != "" && At(p.Country) == nil {
			t.Errorf("%+v", p)
		}
		codes = append(codes, p.Code)
		for _, h := range p.Between(date(2026, 1, 1), date(2031, 12, 31)) {
			if h.Name("de") == "" || len(h.names) > len(h.of.languages) || h.Day.Hour() != 0 {
				t.Errorf("%s: %+v", p.Code, h)
			}
		}
	}
	whit := At("BE").Between(date(2027, time.May, 17), date(2027, time.May, 17))[0]
	for language, want := range map[string]string{"fr": "Lundi de Pentecôte", "de": "Pfingstmontag", "nl": "Pinkstermaandag", "en": "Pinkstermaandag", "pt-BR": "Pinkstermaandag"} {
		if got := whit.Name(language); got != want {
			t.Errorf("in %s: %s", language, got)
		}
	}
}
