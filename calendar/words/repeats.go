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
	var days []time.Weekday
	for {
		day, n := longestOf(r, r.v.Weekly, at)
		if n == 0 && (every > 0 || len(days) > 0) {
			day, n = longestOf(r, r.v.Weekdays, at)
		}
		if n == 0 {
			break
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
				break
			}
		}
		at = next
	}
	_, daily := longestOf(r, r.v.Daily, i)
	switch {
	case len(days) == 0 && daily > 0 && r.rule == "":
		r.rule = "FREQ=DAILY"
		r.use(i, daily, Repeats)
		return true
	case len(days) == 0 && every > 0:
		for k := at; k < at+3; k++ { // every second Monday
			_, n := longestOf(r, r.v.Weekdays, k)
			if n == 0 {
				_, n = longestOf(r, r.v.Weekly, k)
			}
			if n > 0 {
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

func (r *reader) cutAt(i int) bool { return i < len(r.cuts) && r.cuts[i] }

// first returns the rule's first day from a day on.
func (r *reader) first(from time.Time) time.Time {
	for len(r.days) > 0 && !slices.Contains(r.days, from.Weekday()) {
		from = from.AddDate(0, 0, 1)
	}
	return from
}
