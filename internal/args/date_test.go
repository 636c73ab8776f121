package args

import (
	"strings"
	"testing"
	"time"
)

// dateTestNow is Friday 26 February 2027, 14:30:15 in Berlin.
var dateTestNow = time.Date(2027, 2, 26, 13, 30, 15, 500, time.UTC)

const wallLayout = "2006-01-02 15:04:05"

func berlin(t testing.TB) *time.Location {
	t.Helper()
	loc, err := LocationOf("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// dateForms are texts with the wall-clock time in Berlin that they denote.
var dateForms = map[string]string{
	"2027-03-01":                    "2027-03-01 00:00:00",
	"2027-03-01 10:00":              "2027-03-01 10:00:00",
	"2027-03-01T10:00:07":           "2027-03-01 10:00:07",
	"2027-03-01t10:00:07.123":       "2027-03-01 10:00:07",
	"2027-03-01T10:00:00Z":          "2027-03-01 11:00:00",
	"2027-03-01 10:00:00 +0200":     "2027-03-01 09:00:00",
	"2027-03-01 10:00:00.000+02:00": "2027-03-01 09:00:00",
	"2027-03-01T10:00-05":           "2027-03-01 16:00:00",
	"2027-03-01 24:00":              "2027-03-02 00:00:00",
	"2027-12-31 24:00:00":           "2028-01-01 00:00:00",
	"2028-02-29":                    "2028-02-29 00:00:00",
	"  2027-03-01  ":                "2027-03-01 00:00:00",
	"20270301":                      "2027-03-01 00:00:00",
	"20270301T100000Z":              "2027-03-01 11:00:00",
	"20270301T1000":                 "2027-03-01 10:00:00",
	"1803895200":                    "2027-03-01 11:00:00",
	"+1803895200":                   "2027-03-01 11:00:00",
	"-123456789":                    "1966-02-02 03:26:51",

	"03/01/2027":                         "2027-03-01 00:00:00",
	"3/1/2027 5pm":                       "2027-03-01 17:00:00",
	"03/01/27 5:30 pm":                   "2027-03-01 17:30:00",
	"03/01/2027 12am":                    "2027-03-01 00:00:00",
	"03/01/2027 12:15 p.m.":              "2027-03-01 12:15:00",
	"2027/03/01":                         "2027-03-01 00:00:00",
	"2027-3-1 17:00":                     "2027-03-01 17:00:00",
	"1-3-2027":                           "2027-03-01 00:00:00",
	"1-Mar-2027":                         "2027-03-01 00:00:00",
	"1.3.2027":                           "2027-03-01 00:00:00",
	"01.03.2027 17:00":                   "2027-03-01 17:00:00",
	"17:00 1.3.2027":                     "2027-03-01 17:00:00",
	"1 March 2027 10:00":                 "2027-03-01 10:00:00",
	"1. March 2027":                      "2027-03-01 00:00:00",
	"1st of March 2027":                  "2027-03-01 00:00:00",
	"March 1, 2027 5pm":                  "2027-03-01 17:00:00",
	"Mar 1 2027":                         "2027-03-01 00:00:00",
	"MARCH 2nd, 2027 at 17:00":           "2027-03-02 17:00:00",
	"March 2027":                         "2027-03-01 00:00:00",
	"March 1 17:00":                      "2027-03-01 17:00:00",
	"Mon, 1 March 2027":                  "2027-03-01 00:00:00",
	"Monday, March 1, 2027":              "2027-03-01 00:00:00",
	"Mon, 01 Mar 2027 10:00:00 +0100":    "2027-03-01 10:00:00",
	"01 Mar 2027 10:00:00 GMT":           "2027-03-01 11:00:00",
	"Mon, 01 Mar 2027 10:00:00 EST":      "2027-03-01 16:00:00",
	"Monday, 01-Mar-27 10:00:00 UTC":     "2027-03-01 11:00:00",
	"Mon Mar  1 10:00:00 2027":           "2027-03-01 10:00:00",
	"Mon Mar 01 2027 10:00:00 GMT+0100 ": "2027-03-01 10:00:00",
	"Mon Mar 01 2027 10:00:00 GMT-0500 (Eastern Standard Time)": "2027-03-01 16:00:00",

	"now":                              "2027-02-26 14:30:15",
	"today":                            "2027-02-26 00:00:00",
	"midnight":                         "2027-02-26 00:00:00",
	"noon":                             "2027-02-26 12:00:00",
	"Today 5pm":                        "2027-02-26 17:00:00",
	"5pm":                              "2027-02-26 17:00:00",
	"tomorrow":                         "2027-02-27 00:00:00",
	"tomorrow 9am":                     "2027-02-27 09:00:00",
	"tomorrow at 9:15":                 "2027-02-27 09:15:00",
	"tomorrow noon":                    "2027-02-27 12:00:00",
	"9am tomorrow":                     "2027-02-27 09:00:00",
	"tomorrow +2 hours":                "2027-02-27 02:00:00",
	"yesterday":                        "2027-02-25 00:00:00",
	"next wednesday 4pm":               "2027-03-03 16:00:00",
	"next friday":                      "2027-03-05 00:00:00",
	"this friday":                      "2027-02-26 00:00:00",
	"friday":                           "2027-02-26 00:00:00",
	"last friday":                      "2027-02-19 00:00:00",
	"last thursday":                    "2027-02-25 00:00:00",
	"monday":                           "2027-03-01 00:00:00",
	"Monday 10:00":                     "2027-03-01 10:00:00",
	"next week":                        "2027-03-05 14:30:15",
	"monday next week":                 "2027-03-08 00:00:00",
	"+1 week":                          "2027-03-05 14:30:15",
	"1 week":                           "2027-03-05 14:30:15",
	"-2 days":                          "2027-02-24 14:30:15",
	"+1 week 2 days":                   "2027-03-07 14:30:15",
	"3 months ago":                     "2026-11-26 14:30:15",
	"90 minutes ago":                   "2027-02-26 13:00:15",
	"next month":                       "2027-03-26 14:30:15",
	"last year":                        "2026-02-26 14:30:15",
	"first day of next month":          "2027-03-01 14:30:15",
	"first day of next month 10:00":    "2027-03-01 10:00:00",
	"midnight first day of next month": "2027-03-01 00:00:00",
	"last day of this month":           "2027-02-28 14:30:15",
	"last day of february 2027":        "2027-02-28 00:00:00",
	"last day of february":             "2027-02-28 00:00:00",
	"first monday of january 2028":     "2028-01-03 00:00:00",
	"last friday of next month 8pm":    "2027-03-26 20:00:00",
	"third tuesday of this month":      "2027-02-16 00:00:00",
	"2027-01-31 +1 month":              "2027-02-28 00:00:00",
	"2027-03-01 10:00 +1 day":          "2027-03-02 10:00:00",
	"2027-03-01 10:00 +02:00 +1 day":   "2027-03-02 09:00:00",
	"9999-12-31 12:00":                 "9999-12-31 12:00:00",
}

func TestParseDate(t *testing.T) {
	t.Parallel()
	for text, want := range dateForms {
		d, err := ParseDate(text)
		if err != nil {
			t.Errorf("%q: refused", text)
			continue
		}
		if got := d.Wall(berlin(t), dateTestNow).Format(wallLayout); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestParseDateRefuses(t *testing.T) {
	t.Parallel()
	tests := []string{
		"", " ", "0", "1", "2027", "20271", "12345678", "123456", "20270230", "99999999999999", "1803895200000",
		"2027-02-30", "2027-02-29", "2027-13-01", "2027-00-01", "2027-01-00", "2027-3-32", "0000-00-00 00:00:00", "0000-01-01",
		"2027-03-01 25:00", "2027-03-01 24:01", "2027-03-01 10:60", "2027-03-01 10:00:60", "2027-03-01 10", "2027-03-01T", "2027-03-01 1000",
		"2027-03-01 10:00+15:00", "2027-03-01 10:00+02:60", "2027-03-01 10:00 +", "2027-03-01 10:00ZZ", "2027-03-01 10:00 10:00",
		"25/12/2027", "30/02/2027", "2/30/2027", "1-3-27", "30.2.2027", "30 February 2027", "February 30", "March 0, 2027", "1 March 0000",
		"13pm", "0am", "5 xm", "Tuesday, 1 March 2027", "next monday 2027-03-01", "2027-03-01 2027-03-01", "today 2027-03-01",
		"now 2027-03-01", "ago", "next", "+1", "+ week", "+1 wek", "--1 week", "first day of", "last day of 2027", "of march", "march",
		"+1000000 years", "+999999999999 days", "2027-03-01 -9999 years", "9999-12-31 24:00", "9999-12-31 23:00 -05:00", "0001-01-01 +01:00",
		"morgen", "heute", "1 März 2027", "garbage", "<script>", "2027-03-01'; drop table", "\x00", "2027-03-01\x00", ",", ", today",
		strings.Repeat("1 day ", 30),
	}
	for _, text := range tests {
		if d, err := ParseDate(text); err != ErrDate {
			t.Errorf("%q: read as %s", text, d.Wall(time.UTC, dateTestNow).Format(wallLayout))
		}
	}
}

func TestDateParts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text         string
		time, offset bool
		day          string
	}{
		{"2027-03-01", false, false, "2027-03-01"},
		{"2027-03-01 10:00", true, false, "2027-03-01"},
		{"2027-03-01 24:00", true, false, "2027-03-01"},
		{"2027-03-01T23:00:00-11:00", true, true, "2027-03-01"},
		{"2027-03-01T00:30:00+13:00", true, true, "2027-03-01"},
		{"2027-03-01 23:00 +05:00 +2 hours", true, true, "2027-03-02"},
		{"1803942000", true, true, "2027-03-01"}, // 23:00 UTC
		{"today", false, false, "2027-02-26"},
		{"now", true, false, "2027-02-26"},
		{"now +12 hours", true, false, "2027-02-27"},
		{"now +14:00", true, true, "2027-02-27"},
		{"midnight", true, false, "2027-02-26"},
		{"monday", false, false, "2027-03-01"},
		{"monday 9am", true, false, "2027-03-01"},
		{"+1 week", true, false, "2027-03-05"},
		{"2027-03-01 +1 day", false, false, "2027-03-02"},
	}
	for _, test := range tests {
		d, err := ParseDate(test.text)
		if err != nil {
			t.Errorf("%q: refused", test.text)
			continue
		}
		if d.HasTime() != test.time || d.HasOffset() != test.offset {
			t.Errorf("%q: time %v, offset %v", test.text, d.HasTime(), d.HasOffset())
		}
		if got := d.Day(berlin(t), dateTestNow).Format(wallLayout); got != test.day+" 00:00:00" {
			t.Errorf("%q: day %s, want %s", test.text, got, test.day)
		}
	}
}

func TestZeroDate(t *testing.T) {
	t.Parallel()
	var d Date
	if !d.In(time.UTC, dateTestNow).IsZero() || !d.Wall(time.UTC, dateTestNow).IsZero() || !d.Day(time.UTC, dateTestNow).IsZero() {
		t.Error("the zero Date is a time")
	}
}

func TestDateKeepsNow(t *testing.T) {
	t.Parallel()
	// 02:30 happens twice on this day; this is the second time.
	now := time.Date(2027, 10, 31, 1, 30, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{"now": now, "+1 hour": now.Add(time.Hour), "2 hours ago": now.Add(-2 * time.Hour)} {
		d, err := ParseDate(text)
		if err != nil || !d.In(berlin(t), now).Equal(want) {
			t.Errorf("%q: %v, %v", text, d.In(berlin(t), now), err)
		}
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	tests := []struct{ zone, wall, utc string }{
		{"UTC", "2027-03-01 10:00:00", "2027-03-01 10:00:00"},
		{"Europe/Berlin", "2027-03-01 10:00:00", "2027-03-01 09:00:00"},
		{"Europe/Berlin", "2027-03-28 01:59:59", "2027-03-28 00:59:59"},
		{"Europe/Berlin", "2027-03-28 02:00:00", "2027-03-28 01:00:00"},
		{"Europe/Berlin", "2027-03-28 02:30:00", "2027-03-28 01:30:00"}, // shown as 03:30
		{"Europe/Berlin", "2027-03-28 03:00:00", "2027-03-28 01:00:00"},
		{"Europe/Berlin", "2027-10-31 01:59:59", "2027-10-30 23:59:59"},
		{"Europe/Berlin", "2027-10-31 02:00:00", "2027-10-31 00:00:00"},
		{"Europe/Berlin", "2027-10-31 02:30:00", "2027-10-31 00:30:00"}, // the first
		{"Europe/Berlin", "2027-10-31 03:00:00", "2027-10-31 02:00:00"},
		{"America/New_York", "2027-03-14 02:30:00", "2027-03-14 07:30:00"},
		{"America/New_York", "2027-11-07 01:30:00", "2027-11-07 05:30:00"},
		{"Australia/Lord_Howe", "2027-10-03 02:15:00", "2027-10-02 15:45:00"}, // half an hour
		{"Australia/Lord_Howe", "2027-04-04 01:45:00", "2027-04-03 14:45:00"},
		{"Pacific/Apia", "2011-12-30 10:00:00", "2011-12-30 20:00:00"}, // a day left out
		{"UTC-5:30", "2027-03-01 10:00:00", "2027-03-01 15:30:00"},
	}
	for _, test := range tests {
		loc, err := LocationOf(test.zone)
		if err != nil {
			t.Fatal(err)
		}
		wall, err := time.Parse(wallLayout, test.wall)
		if err != nil {
			t.Fatal(err)
		}
		if got := Resolve(wall, loc).UTC().Format(wallLayout); got != test.utc {
			t.Errorf("%s %s: got %s, want %s", test.zone, test.wall, got, test.utc)
		}
	}
}

// TestResolveAgainstSearch compares Resolve with a brute-force search over a year.
func TestResolveAgainstSearch(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{"Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kolkata"} {
		loc, err := LocationOf(zone)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[int64]int64{} // wall → first instant
		start := time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC).Unix()
		for at := start; at < start+370*86400; at += 900 {
			wall := carried(time.Unix(at, 0).In(loc)).Unix()
			if _, ok := seen[wall]; !ok {
				seen[wall] = at
			}
		}
		for wall, at := range seen {
			if got := Resolve(time.Unix(wall, 0).UTC(), loc).Unix(); got != at {
				t.Fatalf("%s %d: got %d, want %d", zone, wall, got, at)
			}
		}
	}
}

func FuzzParseDate(f *testing.F) {
	for _, seed := range []string{
		"2027-03-01 10:00:00+02:00", "24:00 1.3.2027", "1803895200", "Mon, 1st of March 2027 5:30 p.m. GMT+0100 (x)", "20270301T1000Z",
		"first monday of next month +2 hours", "last day of february 2027", "next wednesday 4pm", "3 months ago", "03/01/27", "1-Mar-27",
	} {
		f.Add(seed)
	}
	apia, err := LocationOf("Pacific/Apia")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDate(text)
		if err != nil {
			if err != ErrDate || d != (Date{}) {
				t.Fatalf("%v with %v", err, d)
			}
			return
		}
		a, b := d.In(berlin(t), dateTestNow), d.In(apia, dateTestNow)
		if d.HasOffset() && d.base != dateNow && d.base != dateToday && !a.Equal(b) {
			t.Fatalf("%q depends on the zone: %v, %v", text, a, b)
		}
		if !d.Wall(apia, dateTestNow).Equal(carried(b)) {
			t.Fatalf("%q: wall and instant differ", text)
		}
		if day := d.Day(apia, dateTestNow); day.Hour()+day.Minute()+day.Second() != 0 {
			t.Fatalf("%q: day has a time", text)
		}
		if y := a.Year(); y < 0 || y > 10000 {
			t.Fatalf("%q: year %d", text, y)
		}
		if y := a.UTC().Year(); y < 1 || y > 9999 {
			return
		}
		again, err := ParseDate(a.UTC().Format(time.RFC3339))
		if err != nil || !again.In(apia, dateTestNow).Equal(a) {
			t.Fatalf("%q: %v isn't read back: %v", text, a, err)
		}
	})
}

func BenchmarkParseDate(b *testing.B) {
	for _, text := range []string{"2027-03-01 10:00:00", "2027-03-01T10:00:00+02:00", "March 1, 2027 5pm", "next wednesday 4pm"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ParseDate(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkResolve(b *testing.B) {
	loc := berlin(b)
	wall := time.Date(2027, 3, 1, 10, 0, 0, 0, time.UTC)
	b.ReportAllocs()
	for b.Loop() {
		Resolve(wall, loc)
	}
}
