package calendar

import (
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
)

func TestPeriodOf(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	const form = "Mon 2006-01-02 15:04"
	for _, c := range []struct {
		on, now         string // on the wall clock in Berlin
		weekStart       int
		from, to, until string
	}{
		{"tonight", "Fri 2026-11-27 12:00", 0, "Fri 2026-11-27 17:00", "Sat 2026-11-28 05:00", "Sat 2026-11-28 05:00"},
		{"tonight", "Sat 2026-11-28 04:59", 0, "Fri 2026-11-27 17:00", "Sat 2026-11-28 05:00", "Sat 2026-11-28 05:00"},
		{"tonight", "Sat 2026-11-28 05:00", 0, "Sat 2026-11-28 17:00", "Sun 2026-11-29 05:00", "Sun 2026-11-29 05:00"},
		{"tonight", "Sat 2026-03-28 20:00", 0, "Sat 2026-03-28 17:00", "Sun 2026-03-29 05:00", "Sun 2026-03-29 05:00"}, // an hour shorter
		{"today", "Sun 2026-10-25 23:59", 0, "Sun 2026-10-25 00:00", "Mon 2026-10-26 00:00", "Mon 2026-10-26 00:00"},
		{"tomorrow", "Thu 2026-12-31 00:00", 0, "Fri 2027-01-01 00:00", "Sat 2027-01-02 00:00", "Fri 2027-01-01 00:00"},
		{"weekend", "Mon 2026-11-23 00:00", 0, "Fri 2026-11-27 17:00", "Mon 2026-11-30 00:00", "Mon 2026-11-30 00:00"},
		{"weekend", "Sun 2026-11-29 23:59", 0, "Fri 2026-11-27 17:00", "Mon 2026-11-30 00:00", "Mon 2026-11-30 00:00"},
		{"week", "Sun 2026-11-29 12:00", 0, "Mon 2026-11-23 00:00", "Mon 2026-11-30 00:00", "Mon 2026-11-30 00:00"},
		{"week", "Sun 2026-11-29 12:00", 1, "Mon 2026-11-23 00:00", "Mon 2026-11-30 00:00", "Mon 2026-11-30 00:00"},
		{"week", "Sun 2026-11-29 12:00", 7, "Sun 2026-11-29 00:00", "Sun 2026-12-06 00:00", "Sun 2026-12-06 00:00"},
		{"week", "Fri 2026-11-27 12:00", 6, "Sat 2026-11-21 00:00", "Sat 2026-11-28 00:00", "Sat 2026-11-28 00:00"},
	} {
		wall, err := time.Parse(form, c.now)
		if err != nil {
			t.Fatal(err)
		}
		p := PeriodOf(c.on, args.Resolve(wall, berlin), berlin, c.weekStart)
		got := [3]string{p.From.In(berlin).Format(form), p.To.In(berlin).Format(form), p.Until.In(berlin).Format(form)}
		if want := [3]string{c.from, c.to, c.until}; got != want {
			t.Errorf("%s at %s, weeks from %d: %v, want %v", c.on, c.now, c.weekStart, got, want)
		}
	}
}

// The days of a period are those on which its events begin: a night is of one day, and a weekend of three.
func TestDaysOfPeriods(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{
		{"tonight", "2026-11-27 20:00", "27 27"}, {"tonight", "2026-11-27 04:59", "26 26"}, {"today", "2026-11-27 20:00", "27 27"},
		{"tomorrow", "2026-11-27 20:00", "28 28"}, {"weekend", "2026-11-25 09:00", "27 29"}, {"weekend", "2026-11-29 23:00", "27 29"},
		{"weekend", "2026-10-25 12:00", "23 25"}, {"week", "2026-11-25 09:00", "23 29"},
	} {
		wall, err := time.Parse("2006-01-02 15:04", c[1])
		if err != nil {
			t.Fatal(err)
		}
		days := PeriodOf(c[0], args.Resolve(wall, berlin), berlin, 1).Days(berlin)
		if got := days.First.Format("2") + " " + days.Last.Format("2"); got != c[2] {
			t.Errorf("%s at %s: %s, want %s", c[0], c[1], got, c[2])
		}
	}
}
