package ical

import (
	"strconv"
	"strings"
	"time"
)

// clockForm decides how the times of an event are written: as dates, in UTC, or as wall-clock time with the TZID of a
// zone that the calendar describes.
type clockForm struct {
	parameters string
	text       func(wall time.Time) string
}

var (
	days  = clockForm{";VALUE=DATE", func(wall time.Time) string { return wall.Format(dateForm) }}
	clock = clockForm{"", func(wall time.Time) string { return wall.Format(localForm) }}
)

func inUTC(zone *time.Location) clockForm {
	return clockForm{"", func(wall time.Time) string { return utc(instantOf(wall, zone)) }}
}

// firstYear is the first year of zone descriptions. An earlier event is written in UTC, or its zone is described from
// an earlier year.
const firstYear = 1970

// form returns how the times of an event are written. It first describes the event's zone if that has not been done.
func (w *Writer) form(e *Event) clockForm {
	switch {
	case e.AllDay:
		return days
	case e.Zone == nil || e.Zone == time.UTC || e.Zone.String() == "UTC":
		return inUTC(time.UTC)
	}
	name, fixed := nameOf(e.Zone)
	if fixed && !e.recurs() {
		return inUTC(e.Zone)
	}
	from, described := w.zones[name]
	switch year := e.Start.Year(); {
	case !described:
		from = min(firstYear, year)
		w.zones[name] = from
		w.zone(name, e.Zone, from)
	case year < from && !e.recurs():
		return inUTC(e.Zone)
	}
	return clockForm{";TZID=" + parameter(name), clock.text}
}

// nameOf returns the TZID of a zone and whether the zone is a fixed offset such as "UTC+5:30". The TZID of an offset
// has no colon, because some programs cannot read it.
func nameOf(zone *time.Location) (name string, fixed bool) {
	name = zone.String()
	if !strings.HasPrefix(name, "UTC") {
		return name, false
	}
	_, offset := time.Unix(0, 0).In(zone).Zone()
	return "UTC" + offsetText(offset), true
}

// instantOf returns the instant at which a wall-clock time is reached: the first of two where clocks go back, and
// later by the length of the gap where they go forward (§3.3.5).
func instantOf(wall time.Time, zone *time.Location) time.Time {
	at := wall.Unix()
	before, after := offsetAt(at-24*3600, zone), offsetAt(at+24*3600, zone)
	if offsetAt(at-before, zone) != before && offsetAt(at-after, zone) == after {
		return time.Unix(at-after, 0)
	}
	return time.Unix(at-before, 0)
}

func offsetAt(at int64, zone *time.Location) int64 {
	_, offset := time.Unix(at, 0).In(zone).Zone()
	return int64(offset)
}

// change is a clock change of a zone.
type change struct {
	wall     time.Time // wall-clock time before the change
	from, to int       // seconds east of UTC
	name     string    // abbreviation in use after the change
	summer   bool
}

// changeKind identifies changes that can share one component of a VTIMEZONE.
type changeKind struct {
	from, to int
	name     string
	summer   bool
}

func (c *change) kind() changeKind { return changeKind{c.from, c.to, c.name, c.summer} }

// The range of years used to derive a zone's permanent rules: beyond the explicit tables, and long enough for every
// date to fall on every day of the week.
const (
	everFrom = 2100
	everTo   = 2140
)

// zone writes a VTIMEZONE: the clock changes from a year on, and rules for the permanent ones.
func (w *Writer) zone(name string, zone *time.Location, year int) {
	begin := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
	first := time.Unix(begin.Unix()-offsetAt(begin.Unix(), zone), 0).In(zone)
	changes := changesOf(zone, first, time.Date(everTo, 1, 1, 0, 0, 0, 0, time.UTC))
	rules := rulesOf(changes)
	w.property("BEGIN", "VTIMEZONE")
	w.property("TZID", escape(name))
	abbreviation, offset := first.Zone()
	w.observance(first.IsDST(), offset, offset, abbreviation, begin)
	w.property("END", component(first.IsDST()))
	single := map[changeKind][]time.Time{}
	var order []changeKind
	for i := range changes {
		c := &changes[i]
		rule := rules[c.kind()]
		if rule.covers(c) {
			continue
		}
		if single[c.kind()] == nil {
			order = append(order, c.kind())
		}
		single[c.kind()] = append(single[c.kind()], c.wall)
	}
	for _, s := range order {
		w.observance(s.summer, s.from, s.to, s.name, single[s][0])
		w.onsets(single[s])
		w.property("END", component(s.summer))
	}
	for i := range changes {
		c := &changes[i]
		if rule := rules[c.kind()]; rule != nil && rule.since.Equal(c.wall) {
			w.observance(c.summer, c.from, c.to, c.name, c.wall)
			w.property("RRULE", rule.text())
			w.property("END", component(c.summer))
		}
	}
	w.property("END", "VTIMEZONE")
}

// onsets writes the dates of a component of a VTIMEZONE. If there are several, each is on a line of its own, also the
// first: the library ical.js reads one date per line, and ignores DTSTART if there is any.
func (w *Writer) onsets(list []time.Time) {
	for i := 0; len(list) > 1 && i < len(list); i++ {
		w.moments("RDATE", clock, list[i])
	}
}

// observance writes the start of a component of a VTIMEZONE.
func (w *Writer) observance(summer bool, from, to int, name string, start time.Time) {
	w.property("BEGIN", component(summer))
	w.property("DTSTART", start.Format(localForm))
	w.property("TZOFFSETFROM", offsetText(from))
	w.property("TZOFFSETTO", offsetText(to))
	w.optional("TZNAME", escape(name))
}

func component(summer bool) string {
	if summer {
		return "DAYLIGHT"
	}
	return "STANDARD"
}

// offsetText formats an offset (§3.3.14).
func offsetText(seconds int) string {
	sign := "+"
	if seconds < 0 {
		sign, seconds = "-", -seconds
	}
	text := sign + two(seconds/3600) + two(seconds/60%60)
	if seconds%60 != 0 {
		text += two(seconds % 60)
	}
	return text
}

func two(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

// changesOf returns the clock changes of a zone that are after one moment and before another.
func changesOf(zone *time.Location, after, before time.Time) []change {
	var list []change
	for at := after.In(zone); ; {
		_, end := at.ZoneBounds()
		if end.IsZero() || !end.Before(before) {
			return list
		}
		if !end.After(at) { // beyond the tables, ZoneBounds may return bounds that are off in leap years
			at = at.Add(24 * time.Hour)
			continue
		}
		was, from := at.Zone()
		name, to := end.Zone()
		if from != to || name != was || at.IsDST() != end.IsDST() {
			list = append(list, change{end.UTC().Add(time.Duration(from) * time.Second), from, to, name, end.IsDST()})
		}
		at = end
	}
}

// rule is a yearly clock change: on one weekday within seven days.
type rule struct {
	since   time.Time // the first change it covers
	first   int       // first of the seven days, counted from the end of the year, which is -1
	weekday time.Weekday
	clock   time.Duration // time of day
}

// fromEnd returns the day of t counted from the end of its year.
func fromEnd(t time.Time) int {
	return t.YearDay() - time.Date(t.Year(), 12, 31, 0, 0, 0, 0, time.UTC).YearDay() - 1
}

// rulesOf returns, for each kind of change, the rule that covers every change of it from some year on.
func rulesOf(changes []change) map[changeKind]*rule {
	found := map[changeKind]*rule{}
	seen := map[changeKind]int{}
	for i := range changes {
		c := &changes[i]
		if c.wall.Year() < everFrom {
			continue
		}
		r := found[c.kind()]
		if r == nil {
			r = &rule{first: fromEnd(c.wall), weekday: c.wall.Weekday(), clock: clockOf(c.wall)}
			found[c.kind()] = r
		}
		r.first = min(r.first, fromEnd(c.wall))
		seen[c.kind()]++
	}
	for s, r := range found {
		if seen[s] != everTo-everFrom { // not once a year
			delete(found, s)
			continue
		}
		year := 0
		for i := len(changes) - 1; i >= 0; i-- {
			c := &changes[i]
			if c.kind() != s {
				continue
			}
			if !r.names(c.wall) || year != 0 && c.wall.Year() != year-1 {
				break
			}
			r.since, year = c.wall, c.wall.Year()
		}
	}
	return found
}

func clockOf(t time.Time) time.Duration {
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second
}

func (r *rule) names(wall time.Time) bool {
	day := fromEnd(wall)
	return wall.Weekday() == r.weekday && clockOf(wall) == r.clock && day >= r.first && day < r.first+7
}

// covers reports whether the rule describes a change of its kind.
func (r *rule) covers(c *change) bool {
	return r != nil && !r.since.IsZero() && !c.wall.Before(r.since)
}

// text returns the rule as an RRULE value. If the seven days lie in one month, it uses BYMONTH in the form that every
// program knows.
func (r *rule) text() string {
	weekday := strings.ToUpper(r.weekday.String()[:2])
	first := time.Date(2027, 12, 32+r.first, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 0, 6)
	month := "FREQ=YEARLY;BYMONTH=" + strconv.Itoa(int(first.Month()))
	switch {
	case first.Month() != last.Month():
		return "FREQ=YEARLY;BYYEARDAY=" + sevenFrom(r.first) + ";BYDAY=" + weekday
	case last.AddDate(0, 0, 1).Day() == 1:
		return month + ";BYDAY=-1" + weekday
	case first.Day()%7 == 1:
		return month + ";BYDAY=" + strconv.Itoa(first.Day()/7+1) + weekday
	}
	return month + ";BYMONTHDAY=" + sevenFrom(first.Day()) + ";BYDAY=" + weekday
}

func sevenFrom(day int) string {
	days := make([]string, 0, 7)
	for i := range 7 {
		days = append(days, strconv.Itoa(day+i))
	}
	return strings.Join(days, ",")
}
