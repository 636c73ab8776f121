package ui

import (
	"slices"
	"strconv"
	"time"

	"github.com/kalends/kalends/calendar"
)

// MonthCell is one day of a month; the zero day is before or after the month.
type MonthCell struct {
	Day   time.Time
	Today bool
	Bars  []monthEntry // events of several days, each in its lane; zero: free
	Items []monthEntry // events of this day
	More  int          // that have no room
}

// monthEntry is an event on one day.
type monthEntry struct {
	*calendar.Event
	Begins, Ends bool // the event does, on this day
	Over         int  // days of the week from here on over which its title is written
	listed       bool // a list of days names it here
}

// Classes are those of the bar of an event of several days.
func (e monthEntry) Classes() []string {
	classes := []string{"bar"}
	for name, is := range map[string]bool{"begins": e.Begins, "ends": e.Ends, "listed": e.listed} {
		if is {
			classes = append(classes, name)
		}
	}
	slices.Sort(classes)
	if e.Over > 0 {
		classes = append(classes, "over-"+strconv.Itoa(e.Over))
	}
	return classes
}

// Free reports whether a list of days has nothing to say of this one.
func (c MonthCell) Free() bool {
	return len(c.Items) == 0 && !c.Today && !slices.ContainsFunc(c.Bars, func(e monthEntry) bool { return e.listed })
}
