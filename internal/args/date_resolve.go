package args

import "time"

// Resolve returns the instant at which clocks in loc show the given wall-clock time, whose own location is ignored. A
// time skipped by a clock change moves forward by the length of the gap; of a time that occurs twice the first counts
// (rule 3.9, RFC 5545 §3.3.5).
func Resolve(wall time.Time, loc *time.Location) time.Time {
	year, month, day := wall.Date()
	hour, minute, second := wall.Clock()
	t := time.Date(year, month, day, hour, minute, second, wall.Nanosecond(), loc)
	if loc == time.UTC {
		return t
	}
	want := carried(wall)
	if !carried(t).Equal(want) {
		return afterGap(want, t)
	}
	start, _ := t.ZoneBounds()
	if start.IsZero() {
		return t
	}
	_, before := start.Add(-time.Nanosecond).Zone()
	if first := want.Add(-time.Duration(before) * time.Second); first.Before(start) {
		return first.In(loc)
	}
	return t
}

// afterGap returns the skipped time want, read with the offset in force before the gap. t is one of its two readings;
// the later one is correct.
func afterGap(want, t time.Time) time.Time {
	_, offset := t.Zone()
	other := want.Add(-time.Duration(offset) * time.Second)
	if other.After(t) {
		return other.In(t.Location())
	}
	return t
}

// carried returns the wall-clock time of t as if it were UTC.
func carried(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

// WallTime returns an instant as wall-clock time at a place, in whole seconds and carried in UTC.
func WallTime(at time.Time, place *time.Location) time.Time {
	return carried(at.In(place)).Truncate(time.Second)
}

// DayOf returns the beginning of the day of a wall-clock time.
func DayOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// LastSecond returns 23:59:59 on the day of a wall-clock time.
func LastSecond(t time.Time) time.Time { return DayOf(t).Add(24*time.Hour - time.Second) }

// DateArg returns a date as the argument of a request, absent if the text is none or is out of range.
func DateArg(text string) Opt[Date] {
	date, err := ParseDate(text)
	if err != nil {
		return Opt[Date]{}
	}
	return Some(date)
}

// DayArg returns the day of a wall-clock time as the argument of a request, absent if it is out of range.
func DayArg(t time.Time) Opt[Date] { return DateArg(t.Format(time.DateOnly)) }
