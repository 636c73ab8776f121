package recur

import "time"

// Clock converts between the wall-clock times of a series and instants.
type Clock struct {
	Zone   *time.Location // nil means UTC
	AllDay bool           // the series consists of whole days
	Start  time.Time      // DTSTART as wall-clock time

	// Lookup returns the zone of a TZID in content lines. If it is nil, only Zone is known.
	Lookup func(name string) (*time.Location, error)
}

// start returns DTSTART as a moment, at midnight if the series is all-day.
func (c Clock) start() int64 { return c.trim(moment(c.Start)) }

// trim drops the time of day if the series is all-day.
func (c Clock) trim(at int64) int64 {
	if c.AllDay {
		return at - int64(floorMod(int(at), secondsOfDay))
	}
	return at
}

func (c Clock) zone() *time.Location {
	if c.Zone == nil {
		return time.UTC
	}
	return c.Zone
}

// instant returns the instant at which a wall-clock time is reached: the first of two where clocks go back, and later
// by the length of the gap where they go forward (RFC 5545 §3.3.5).
func (c Clock) instant(at int64) time.Time {
	before := offsetAt(c.zone(), at-secondsOfDay)
	after := offsetAt(c.zone(), at+secondsOfDay)
	if offsetAt(c.zone(), at-before) != before && offsetAt(c.zone(), at-after) == after {
		return time.Unix(at-after, 0)
	}
	return time.Unix(at-before, 0)
}

// lastWall returns the last wall-clock time whose instant is not after t. During the second pass of a repeated hour
// that is the end of the first pass, because wall-clock times denote the first.
func (c Clock) lastWall(t time.Time) int64 {
	local := t.In(c.zone())
	_, offset := local.Zone()
	at := t.Unix() + int64(offset)
	if c.instant(at).Unix() == t.Unix() {
		return at
	}
	from, _ := local.ZoneBounds()
	return from.Unix() + offsetAt(c.zone(), from.Unix()-1) - 1
}

// named returns the zone of a TZID and whether it is known.
func (c Clock) named(id string) (*time.Location, bool) {
	if id == "" || id == c.zone().String() {
		return c.zone(), true
	}
	if c.Lookup == nil {
		return nil, false
	}
	zone, err := c.Lookup(id)
	return zone, err == nil
}

func offsetAt(zone *time.Location, unix int64) int64 {
	_, offset := time.Unix(unix, 0).In(zone).Zone()
	return int64(offset)
}
