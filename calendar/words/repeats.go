package words

import (
	"slices"
	"strings"
	"time"
)

var byDay = []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// readRepeats reads how the event repeats: every Monday, montags und donnerstags, daily. Other repetitions are marked as
// unclear.
func (r *reader) readRepeats(i int) bool {
	if r.search {
		return false
	}
	if _, n := longestOf(r, r.v.Otherwise, i); n > 0 {
		return r.ask(i, n, "repeats-unclear")
	}
	_, every := longestOf(r, r.v.Every, i)
	at := i + every
	for every > 0 && (r.v.Fillers[r.word(at)] || r.v.Every[r.word(at)]) {
		at++
	}
	days, at := r.weekdays(at, every > 0)
	_, daily := longestOf(r, r.v.Daily, i)
	switch {
	case len(days) == 0 && daily > 0 && r.rule == "":
		r.rule = "FREQ=DAILY"
		r.use(i, daily, Repeats)
		return true
	case len(days) == 0 && every > 0:
		for k := at; k < at+3; k++ { // every second Monday
			if n := r.weekday(k); n > 0 {
				return r.ask(i, k+n-i, "repeats-unclear")
			}
		}
		return false
	case len(days) == 0:
		return false
	case r.rule != "":
		return r.ask(i, at-i, "repeats-unclear")
	}
	slices.Sort(days)
	days = slices.Compact(days)
	names := make([]string, 0, len(days))
	for _, day := range days {
		names = append(names, byDay[day])
	}
	r.days, r.rule = days, "FREQ=WEEKLY;BYDAY="+strings.Join(names, ",")
	r.use(i, at-i, Repeats)
	return true
}

// weekdays reads the weekdays from a word on, as in montags und donnerstags, and returns the word after them. After a word
// such as "every", and after the first weekday, the plain name of a weekday counts as well.
func (r *reader) weekdays(at int, every bool) (days []time.Weekday, end int) {
	for {
		day, n := longestOf(r, r.v.Weekly, at)
		if n == 0 && (every || len(days) > 0) {
			day, n = longestOf(r, r.v.Weekdays, at)
		}
		if n == 0 {
			return days, at
		}
		days = append(days, day)
		at += n
		next := at
		if r.v.And[r.word(next)] {
			next++
		}
		for r.v.Fillers[r.word(next)] {
			next++
		}
		if _, n := longestOf(r, r.v.Weekly, next); n == 0 {
			if _, n = longestOf(r, r.v.Weekdays, next); n == 0 || next == at && !r.cutAt(at) {
				return days, at
			}
		}
		at = next
	}
}

// weekday returns the number of words of the weekday that begins at a word, 0 for none.
func (r *reader) weekday(at int) int {
	_, n := longestOf(r, r.v.Weekdays, at)
	if n == 0 {
		_, n = longestOf(r, r.v.Weekly, at)
	}
	return n
}

func (r *reader) cutAt(i int) bool { return i < len(r.cuts) && r.cuts[i] }

// first returns the rule's first day from a day on.
func (r *reader) first(from time.Time) time.Time {
	for len(r.days) > 0 && !slices.Contains(r.days, from.Weekday()) {
		from = from.AddDate(0, 0, 1)
	}
	return from
}
