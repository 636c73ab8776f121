package holidays

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// rule is one holiday of a jurisdiction.
type rule struct {
	day   func(year int) time.Time
	also  string
	from  int // the first year, 0: any
	every int // years from one to the next; 0: each year
	names []string
}

// The effects of a holiday on a weekend.
const (
	alsoMonday = "also monday"
	alsoFriday = "also friday"
)

// applies reports whether a year has the holiday.
func (r *rule) applies(year int) bool {
	return year >= r.from && (r.every == 0 || (year-r.from)%r.every == 0)
}

// weekdays are the weekdays of rules.
var weekdays = map[string]time.Weekday{"Mon": time.Monday, "Wed": time.Wednesday, "Thu": time.Thursday, "Sat": time.Saturday}

// readRule parses a line of the source. It panics if the line is not a rule; a test reads all of them.
func readRule(line string) rule {
	parts := strings.Split(line, ";")
	r := rule{day: readDay(parts[0]), names: parts[2:]}
	first, period, _ := strings.Cut(parts[1], "/")
	switch since, is := strings.CutSuffix(parts[1], "-"); {
	case is:
		r.from = number(since)
	case period != "":
		r.from, r.every = number(first), number(period)
	case strings.HasPrefix(parts[1], "sunday "):
		r.day = movedFromSunday(r.day, number(strings.TrimPrefix(parts[1], "sunday ")))
	default:
		r.also = parts[1]
	}
	return r
}

// readDay parses the day of a rule. The result returns that day of a year.
func readDay(text string) func(int) time.Time {
	words := strings.Fields(text)
	switch {
	case text == "Spring":
		return func(year int) time.Time { return date(year, time.March, equinox(year, 20.8431)) }
	case text == "Autumn":
		return func(year int) time.Time { return date(year, time.September, equinox(year, 23.2488)) }
	case text[0] == 'E' || text[0] == 'O':
		days, easter := number(text[1:]), western
		if text[0] == 'O' {
			easter = orthodox
		}
		return func(year int) time.Time { return easter(year).AddDate(0, 0, days) }
	case len(words) == 3 && words[1] == "Bri":
		return stBrigid
	case len(words) == 3:
		month, weekday, n := time.Month(number(words[0])), weekdays[words[1]], number(words[2])
		return func(year int) time.Time { return nth(year, month, weekday, n) }
	}
	month, day, _ := strings.Cut(words[0], "-")
	fixed := func(year int) time.Time { return date(year, time.Month(number(month)), number(day)) }
	if len(words) == 1 {
		return fixed
	}
	name, back := strings.CutPrefix(words[1], "-")
	weekday := weekdays[name]
	return func(year int) time.Time {
		step, at := 1, fixed(year)
		if back {
			step = -1
		}
		for at.Weekday() != weekday {
			at = at.AddDate(0, 0, step)
		}
		return at
	}
}

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// number reads a number with its sign.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(fmt.Sprintf("holidays: %q is no number", text))
	}
	return n
}

// movedFromSunday moves a day that is a Sunday.
func movedFromSunday(day func(int) time.Time, by int) func(int) time.Time {
	return func(year int) time.Time {
		at := day(year)
		if at.Weekday() == time.Sunday {
			return at.AddDate(0, 0, by)
		}
		return at
	}
}

// nth returns the n-th weekday of a month, or the last one for -1.
func nth(year int, month time.Month, weekday time.Weekday, n int) time.Time {
	if n < 0 {
		last := date(year, month+1, 0)
		return last.AddDate(0, 0, -int(last.Weekday()-weekday+7)%7)
	}
	first := date(year, month, 1)
	return first.AddDate(0, 0, int(weekday-first.Weekday()+7)%7+7*(n-1))
}

// stBrigid is the first Monday of February, or the first of February if that is a Friday.
func stBrigid(year int) time.Time {
	if first := date(year, time.February, 1); first.Weekday() == time.Friday {
		return first
	}
	return nth(year, time.February, time.Monday, 1)
}

// equinox is the day of the month on which Japan has an equinox, from 1980 to 2099.
func equinox(year int, base float64) int {
	passed := year - 1980
	return int(math.Floor(base + 0.242194*float64(passed) - math.Floor(float64(passed)/4)))
}

// western returns Easter Sunday (the computus of Meeus, Jones and Butcher).
func western(year int) time.Time {
	a, b, c := year%19, year/100, year%100
	d, e := b/4, b%4
	g := (8*b + 13) / 25
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 19*l) / 433
	month := (h + l - 7*m + 90) / 25
	return date(year, time.Month(month), (h+l-7*m+33*month+19)%32)
}

// orthodox returns Easter Sunday of the Orthodox churches, in the Gregorian calendar, from 1900 to 2099.
func orthodox(year int) time.Time {
	d := (19*(year%19) + 15) % 30
	e := (2*(year%4) + 4*(year%7) - d + 34) % 7
	month := (d + e + 114) / 31
	return date(year, time.Month(month), (d+e+114)%31+1).AddDate(0, 0, 13)
}
