package planner

import (
	"slices"
	"strconv"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/ui"
)

// The week shows the hours of a day in rows of 15 minutes. An event takes at least two rows, so that its title
// fits. At most four events are side by side.
const (
	quarters  = 24 * 4
	leastRows = 2
	roomyRows = 4 // from this height on, two lines fit
	mostLines = 12
	mostLanes = 4

	narrowLanes = 3 // from this number of events side by side on, a lane has room for part of a word
)

// hoursOfDay is a day of the week with the events at their hours.
type hoursOfDay struct {
	day   time.Time
	slots []slot
	more  int // number of events that did not fit
	now   int // row of the present moment; -1 on other days
}

// slot is the part of an event that is on one day.
type slot struct {
	*calendar.Event
	from, rows   int // in quarters of an hour from midnight
	lane, of     int // number of the lane, and of lanes side by side
	begins, ends bool
}

// classes are the CSS classes that position a slot.
func (s slot) classes() []string {
	list := []string{"slot", "at-" + strconv.Itoa(s.from), "for-" + strconv.Itoa(s.rows),
		"lane-" + strconv.Itoa(s.lane+1) + "-" + strconv.Itoa(s.of)}
	if !s.begins {
		list = append(list, "goes-on")
	}
	if s.of >= narrowLanes {
		list = append(list, "narrow")
	}
	if s.lane > 0 { // there is room for its whole title before it
		list = append(list, "ending")
	}
	if s.rows < roomyRows {
		return append(list, "brief")
	}
	return append(list, "lines-"+strconv.Itoa(s.lines()))
}

// lines returns how many whole lines of the title fit below the line with the time. A row is 0.8rem, a line 1.1rem,
// and the padding 0.4rem.
func (s slot) lines() int { return min((8*s.rows-4)/11-1, mostLines) }

// allDay reports whether the week shows an event above the hours.
func allDay(e *calendar.Event) bool { return e.AllDay || e.End.Sub(e.Start) >= 24*time.Hour }

// weekAbove lays out the events above the hours of a week.
func (p *planner) weekAbove() []ui.MonthCell {
	above := slices.DeleteFunc(slices.Clone(p.events), func(e *calendar.Event) bool { return !allDay(e) })
	return ui.Week(p.first, func(time.Time) bool { return true }, p.today, above)
}

// weekHours lays out the hours of a week.
func (p *planner) weekHours() []hoursOfDay {
	days := make([]hoursOfDay, 7)
	for i := range days {
		day := p.first.AddDate(0, 0, i)
		days[i] = hoursOfDay{day: day, now: -1}
		if day.Equal(p.today) {
			days[i].now = rowAt(p.now, day)
		}
		for _, e := range p.events {
			if s, ok := slotOn(e, day); ok && !allDay(e) {
				days[i].slots = append(days[i].slots, s)
			}
		}
		days[i].spread()
	}
	return days
}

// opensAt returns the index of the day that is visible first if not all days of the week fit on the screen.
func (p *planner) opensAt() int {
	for i := range 7 {
		if p.first.AddDate(0, 0, i).Equal(p.today) {
			return i
		}
	}
	return 0
}

// slotOn returns the part of an event that is on a day.
func slotOn(e *calendar.Event, day time.Time) (slot, bool) {
	end := day.AddDate(0, 0, 1)
	if !e.Start.Before(end) || e.End.Before(day) || e.End.Equal(day) && e.Start.Before(day) {
		return slot{}, false
	}
	s := slot{Event: e, begins: !e.Start.Before(day), ends: !e.End.After(end)}
	to := quarters
	if s.begins {
		s.from = rowAt(e.Start, day)
	}
	if s.ends {
		to = rowAt(e.End.Add(15*time.Minute-time.Second), day)
	}
	s.from = min(s.from, quarters-leastRows)
	s.rows = max(leastRows, min(to, quarters)-s.from)
	return s, true
}

// rowAt returns the row of a time of day.
func rowAt(at, day time.Time) int { return int(at.Sub(day) / (15 * time.Minute)) }

// spread puts overlapping events side by side, and counts the events that do not fit.
func (d *hoursOfDay) spread() {
	slices.SortStableFunc(d.slots, func(a, b slot) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return b.rows - a.rows
	})
	var placed, group []slot
	until := 0
	finish := func() {
		lanes := 1
		for _, s := range group {
			lanes = max(lanes, s.lane+1)
		}
		for i := range group {
			group[i].of = lanes
		}
		placed = append(placed, group...)
		group = nil
	}
	for _, s := range d.slots {
		if s.from >= until {
			finish()
		}
		if s.lane = freeLane(group, s.from); s.lane == mostLanes {
			d.more++
			continue
		}
		group = append(group, s)
		until = max(until, s.from+s.rows)
	}
	finish()
	d.slots = placed
}

// freeLane returns the first lane without an event at a row.
func freeLane(group []slot, row int) int {
	for lane := range mostLanes {
		if !slices.ContainsFunc(group, func(s slot) bool { return s.lane == lane && s.from+s.rows > row }) {
			return lane
		}
	}
	return mostLanes
}
