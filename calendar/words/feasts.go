package words

import (
	"strconv"
	"strings"
	"time"
)

// Feast is a named day: a fixed date of each year, or a day relative to Easter, Advent or midsummer.
type Feast struct {
	from  string // "easter", "pascha" (of the Eastern churches), "advent", "midsummer", or "" for a date of each year
	month time.Month
	day   int // of the month, or days after the day in from
	weak  bool
	known bool // it can be computed
}

// feastOf parses the date of a feast: "12-31", "easter-2", "advent+14". A trailing "~" means that the name is also
// the name of a season: it means the day only if no text follows that it could belong to. "~" alone is a feast
// whose date is not computed.
func feastOf(text string) Feast {
	text, weak := strings.CutSuffix(text, "~")
	f := Feast{weak: weak, known: true}
	for _, from := range []string{"easter", "pascha", "advent", "midsummer"} {
		if rest, is := strings.CutPrefix(text, from); is {
			f.from = from
			f.day, _ = strconv.Atoi(rest)
			return f
		}
	}
	month, day, ok := strings.Cut(text, "-")
	n, _ := strconv.Atoi(month)
	f.month = time.Month(n)
	f.day, _ = strconv.Atoi(day)
	f.known = ok && n > 0
	return f
}

// In returns the day of a feast in a year, or the zero time if it is not known.
func (f Feast) In(year int) time.Time {
	switch {
	case !f.known:
		return time.Time{}
	case f.from == "easter":
		return easter(year).AddDate(0, 0, f.day)
	case f.from == "pascha":
		return pascha(year).AddDate(0, 0, f.day)
	case f.from == "advent":
		return advent(year).AddDate(0, 0, f.day)
	case f.from == "midsummer": // the Saturday from 20 to 26 June
		first := dateOf(year, time.June, 20)
		return first.AddDate(0, 0, int(time.Saturday-first.Weekday())+f.day)
	}
	return dateOf(year, f.month, f.day)
}

// Next returns the first day of a feast from today on.
func (f Feast) Next(today time.Time) time.Time {
	for year := today.Year(); year <= today.Year()+mostYears; year++ {
		if day := f.In(year); !day.IsZero() && !day.Before(today) {
			return day
		}
	}
	return time.Time{}
}

// easter returns Easter Sunday of the Western churches, by the anonymous Gregorian algorithm.
func easter(year int) time.Time {
	a, b, c := year%19, year/100, year%100
	d, e := b/4, b%4
	g := (8*b + 13) / 25
	h := (19*a + b - d - g + 15) % 30
	j, k := c/4, c%4
	m := (a + 11*h) / 319
	r := (2*e + 2*j - k - h + m + 32) % 7
	month := (h - m + r + 90) / 25
	return time.Date(year, time.Month(month), (h-m+r+month+19)%32, 0, 0, 0, 0, time.UTC)
}

// pascha returns Easter Sunday of the Eastern churches in the Gregorian calendar, by Meeus's Julian algorithm.
func pascha(year int) time.Time {
	d := (19*(year%19) + 15) % 30
	e := (2*(year%4) + 4*(year%7) - d + 34) % 7
	month, day := (d+e+114)/31, (d+e+114)%31+1
	return time.Date(year, time.Month(month), day+year/100-year/400-2, 0, 0, 0, 0, time.UTC)
}

// advent returns the first Sunday of Advent: the fourth before Christmas.
func advent(year int) time.Time {
	eve := dateOf(year, time.December, 24)
	return eve.AddDate(0, 0, -int(eve.Weekday())-21)
}
