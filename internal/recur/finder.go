package recur

import (
	"math"
	"slices"
	"time"
)

// finder looks up dates of a series. Queries must come in roughly ascending order, so that a single walk answers all
// of them; with COUNT, every query would otherwise count all dates before it.
type finder struct {
	streams []stream
	recent  []int64 // dates passed within slack
}

// slack is how far, in seconds, a query may lie before the previous one.
const slack = 6 * 60 * 60

// farAhead is the distance, in seconds, from which a rule seeks instead of walking date by date.
const farAhead = 32 * secondsOfDay

func (s Set) finder(c Clock) *finder {
	whole := Set{Rules: s.Rules, Dates: s.Dates}
	return &finder{streams: whole.streams(c, math.MinInt64+1)}
}

// from returns the first date at or after a moment.
func (f *finder) from(at int64) (int64, bool) {
	for _, d := range f.recent {
		if d >= at {
			return d, true
		}
	}
	for i := range f.streams {
		if x := &f.streams[i]; x.rule != nil && !x.done && at-x.head > farAhead {
			x.rule.seek(at - farAhead)
		}
	}
	for {
		d, ok := earliest(f.streams)
		if !ok || d >= at {
			return d, ok
		}
		for i := range f.streams {
			f.streams[i].pass(d)
		}
		for len(f.recent) > 0 && f.recent[0] < d-slack {
			f.recent = f.recent[1:]
		}
		f.recent = append(f.recent, d)
	}
}

// has reports whether a moment is one of the dates.
func (f *finder) has(at int64) bool {
	d, ok := f.from(at)
	return ok && d == at
}

// Among returns the dates in list that are dates of the series, ignoring EXDATEs, in ascending order.
func (s Set) Among(c Clock, list []time.Time) []time.Time {
	dates := s.finder(c)
	return slices.DeleteFunc(ordered(slices.Clone(list)), func(t time.Time) bool { return !dates.has(c.trim(moment(t))) })
}

// OnDays returns all dates of the series on these days, ignoring EXDATEs. For a day without a date, it returns the
// day with the time of DTSTART. The days are at midnight and ascending.
func (s Set) OnDays(c Clock, days []time.Time) []time.Time {
	var list []time.Time
	dates := s.finder(c)
	for _, day := range days {
		list = append(list, c.wholeDay(dates, day)...)
	}
	return list
}
