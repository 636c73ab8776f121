package recur_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/recur"
)

// at parses a wall-clock time.
func at(t *testing.T, s string) time.Time {
	t.Helper()
	for _, form := range []string{"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02"} {
		if d, err := time.Parse(form, s); err == nil {
			return d
		}
	}
	t.Fatalf("no date: %s", s)
	return time.Time{}
}

// zone loads a time zone.
func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// parsed parses and checks lines that must have no problem.
func parsed(t *testing.T, c recur.Clock, lines string) recur.Set {
	t.Helper()
	set, problems := recur.ParseLines(lines, c)
	if len(problems) > 0 {
		t.Fatalf("%s: %+v", lines, problems)
	}
	if problems := set.Check(c); len(problems) > 0 {
		t.Fatalf("%s: %+v", lines, problems)
	}
	return set
}

// take returns the first n dates from a moment on.
func take(set recur.Set, c recur.Clock, from time.Time, n int) []time.Time {
	var list []time.Time
	for d := range set.All(c, from) {
		if list = append(list, d); len(list) == n {
			break
		}
	}
	return list
}

// parseDates parses dates as RFC 5545 lists them, "1997 9/2 16 30 10/14 1998 1/6", at the time of day of start. ends
// reports whether the list ends with a full stop, which means that the series ends there.
func parseDates(t *testing.T, start time.Time, text string) (dates []time.Time, ends bool) {
	t.Helper()
	text, ends = strings.CutSuffix(text, ".")
	year, month := start.Year(), start.Month()
	for word := range strings.FieldsSeq(text) {
		if m, d, ok := strings.Cut(word, "/"); ok {
			n, err := strconv.Atoi(m)
			if err != nil {
				t.Fatal(err)
			}
			month, word = time.Month(n), d
		}
		n, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		if n > 1000 {
			year = n
			continue
		}
		dates = append(dates, time.Date(year, month, n, start.Hour(), start.Minute(), start.Second(), 0, time.UTC))
	}
	return dates, ends
}
