package reading

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kalends/kalends/calendar/reading/moments"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
)

// vtimezone is the content of a VTIMEZONE.
type vtimezone struct {
	location string // X-LIC-LOCATION
	rules    []observance
}

// observance is a STANDARD or DAYLIGHT component: the offset that clocks have from its dates on.
type observance struct {
	start     time.Time // the first date, as wall-clock time before it
	from, to  time.Duration
	recurring string // RRULE
	dates     []time.Time
}

// mostObservances is the maximum number of observances read from one zone.
const mostObservances = 500

// readTimezone reads a VTIMEZONE, and ignores the parts that it cannot read.
func readTimezone(data []byte) vtimezone {
	z := vtimezone{}
	var open *observance
	for l := range contentLines(data, 1) {
		p, ok := l.parse()
		switch {
		case !ok:
		case l.name == "BEGIN" && strings.EqualFold(p.value, "VTIMEZONE"):
		case l.name == "BEGIN":
			open = &observance{}
		case l.name == "END" && open != nil:
			if !open.start.IsZero() && len(z.rules) < mostObservances {
				z.rules = append(z.rules, *open)
			}
			open = nil
		case open != nil:
			open.note(p)
		case l.name == "X-LIC-LOCATION" || l.name == "TZID-ALIAS-OF":
			z.location = p.text()
		}
	}
	return z
}

func (o *observance) note(p property) {
	switch p.name {
	case "DTSTART":
		at, _ := moments.ParseISO(p.value)
		o.start = at.Wall
	case "TZOFFSETFROM":
		o.from, _ = moments.ParseOffset(strings.TrimSpace(p.value))
	case "TZOFFSETTO":
		o.to, _ = moments.ParseOffset(strings.TrimSpace(p.value))
	case "RRULE":
		o.recurring = p.value
	case "RDATE":
		for text := range strings.SplitSeq(p.value, ",") {
			if at, ok := moments.ParseISO(text); ok {
				o.dates = append(o.dates, at.Wall)
			}
		}
	}
}

// change is a change of the offset of a zone at an instant.
type change struct {
	at     time.Time
	before time.Duration
	after  time.Duration
}

// changes returns the changes of the zone in order, from the year before first to the year before last.
func (z vtimezone) changes(first, last int) []change {
	var list []change
	for _, o := range z.rules {
		for _, wall := range append(o.expand(first-1, last), o.dates...) {
			list = append(list, change{wall.Add(-o.from), o.from, o.to})
		}
	}
	slices.SortFunc(list, func(a, b change) int { return a.at.Compare(b.at) })
	return list
}

// expand returns the dates of the rule from first until the year before last, and its first date.
func (o observance) expand(first, last int) []time.Time {
	start := o.start
	dates := []time.Time{start}
	if o.recurring == "" {
		return dates
	}
	if start.Year() < first { // rules of Windows begin in 1601
		start = time.Date(first, start.Month(), start.Day(), start.Hour(), start.Minute(), start.Second(), 0, time.UTC)
	}
	clock := recur.Clock{Zone: time.FixedZone("", int(o.from/time.Second)), Start: start}
	rule, problems := recur.ParseRule(o.recurring, clock)
	if len(problems) > 0 || rule.Freq != recur.Yearly {
		return dates
	}
	rule.Count = 0
	for at := range (recur.Set{Rules: []recur.Rule{rule}}).All(clock, start) {
		if at.Year() >= last {
			break
		}
		dates = append(dates, at)
	}
	return dates
}

// offset returns the offset at an instant, given the changes.
func (z vtimezone) offset(changes []change, at time.Time) time.Duration {
	next, exact := slices.BinarySearchFunc(changes, at, func(c change, at time.Time) int { return c.at.Compare(at) })
	switch {
	case exact:
		return changes[next].after
	case next > 0:
		return changes[next-1].after
	}
	return changes[0].before
}

// match returns a zone whose offsets are those of the VTIMEZONE in a year and, if possible, the next: the
// calendar's own zone if it fits, otherwise the first fitting zone of Windows, otherwise any fitting zone. If none
// fits, it returns a zone with the fixed offset of the beginning of the year.
func (z vtimezone) match(year int, own *time.Location) *time.Location {
	if len(z.rules) == 0 {
		return nil
	}
	for years := 2; years > 0; years-- { // some programs describe only one year
		samples := z.samples(year, years)
		if samples.fit(own) {
			return own
		}
		if samples.steady() {
			break
		}
		for _, zone := range tried() {
			if samples.fit(zone) {
				return zone
			}
		}
	}
	return fixedZone(z.samples(year, 1)[0].offset)
}

// offsets holds offsets from UTC at some instants.
type offsets []offsetAt

type offsetAt struct {
	at     time.Time
	offset time.Duration
}

// samples returns the offsets of a zone in some years, every few days and around its changes.
func (z vtimezone) samples(year, years int) (list offsets) {
	changes := z.changes(year, year+years)
	add := func(at time.Time) {
		list = append(list, offsetAt{at, z.offset(changes, at)})
	}
	first := time.Date(year, 1, 1, 12, 0, 0, 0, time.UTC)
	last := first.AddDate(years, 0, -2)
	for at := first; at.Before(last); at = at.AddDate(0, 0, 3) {
		add(at)
	}
	for _, c := range changes {
		if c.at.After(first) && c.at.Before(last) {
			add(c.at.Add(-time.Second))
			add(c.at)
		}
	}
	return list
}

// steady reports whether all offsets are the same.
func (o offsets) steady() bool {
	return !slices.ContainsFunc(o, func(s offsetAt) bool { return s.offset != o[0].offset })
}

// fit reports whether a zone has these offsets.
func (o offsets) fit(zone *time.Location) bool {
	for _, s := range o {
		if _, is := s.at.In(zone).Zone(); time.Duration(is)*time.Second != s.offset {
			return false
		}
	}
	return true
}

// tried returns the zones in the order of comparison: those of Windows, then all others.
var tried = sync.OnceValue(func() []*time.Location {
	var zones []*time.Location
	seen := map[string]bool{}
	add := func(name string) {
		if zone, err := args.LocationOf(name); err == nil && !seen[name] {
			seen[name] = true
			zones = append(zones, zone)
		}
	}
	add("Europe/Berlin") // its rules apply to all of central Europe
	for _, w := range windowsNames {
		add(w.iana)
	}
	for _, name := range args.ZoneNames() {
		add(name)
	}
	return zones
})

// fixedZone returns the zone with a fixed offset, or nil if there is none.
func fixedZone(offset time.Duration) *time.Location {
	sign, minutes := '+', int(offset/time.Minute)
	if minutes < 0 {
		sign, minutes = '-', -minutes
	}
	name := fmt.Sprintf("UTC%c%d:%02d", sign, minutes/60, minutes%60)
	if minutes%60 == 0 && minutes > 0 { // the sign is that of POSIX
		name = fmt.Sprintf("Etc/GMT%c%d", '+'+'-'-sign, minutes/60)
	}
	zone, err := args.ParseZone(name)
	if err != nil {
		return nil
	}
	return zone.Location()
}
