package reading

import (
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/reading/moments"
	"github.com/kalends/kalends/internal/args"
)

// when is a moment together with its zone.
type when struct {
	moments.ISO
	zone  *time.Location // nil if it is floating, and of dates
	notes []Finding      // about the zone
}

// in returns the moment as wall-clock time in a zone. Floating times and dates are the same in all zones.
func (w when) in(zone *time.Location) time.Time {
	if w.zone == nil || w.zone == zone {
		return w.Wall
	}
	return args.WallTime(args.Resolve(w.Wall, w.zone), zone)
}

// when reads a property that is a date or time, using the zones of its calendar.
func (c *calendarPart) when(p property) (w when, ok bool) {
	if w.ISO, ok = moments.ParseISO(p.value); !ok {
		return w, false
	}
	if strings.EqualFold(p.params["VALUE"], "DATE") && !w.Day {
		w.Wall, w.Day, w.UTC = args.DayOf(w.Wall), true, false
	}
	w.zone, w.notes = c.zoneOf(p, w.ISO)
	return w, true
}

// zoneOf returns the zone of a moment, or nil if it is floating.
func (c *calendarPart) zoneOf(p property, at moments.ISO) (*time.Location, []Finding) {
	switch id := strings.TrimSpace(p.params["TZID"]); {
	case at.Day:
		return nil, nil
	case at.UTC:
		return time.UTC, nil
	case id != "":
		found := c.zone(id, at.Wall.Year())
		return found.zone, found.notes
	}
	return nil, nil
}

// layout is the format of local times in entries.
const layout = time.DateTime
