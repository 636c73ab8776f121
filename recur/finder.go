package recur

import "math"

// finder looks dates of a series up, each question a little after the one
// before, so that one walk answers them all. COUNT would make each walk anew.
type finder struct {
	streams []stream
	recent  []int64 // dates passed within the last hours
}

// slack is how far a question may go back behind the one before.
const slack = 6 * 60 * 60

// farAhead is from where on a rule is entered anew instead of walked.
const farAhead = 366 * secondsOfDay

func (s Set) finder(c Clock) *finder {
	whole := Set{Rules: s.Rules, Dates: s.Dates}
	return &finder{streams: whole.streams(c, math.MinInt64+1)}
}

// from returns the first date that is not before a moment.
func (f *finder) from(at int64) (int64, bool) {
	for _, d := range f.recent {
		if d >= at {
			return d, true
		}
	}
	for i := range f.streams {
		if x := &f.streams[i]; x.rule != nil && x.rule.count == unlimited && !x.done && at-x.head > farAhead {
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
