package ui

import (
	"slices"
	"strconv"
	"time"

	"github.com/kalends/kalends/calendar"
)

// MonthCell is one day of a month. The zero value lies outside the month.
type MonthCell struct {
	Day   time.Time
	Today bool
	Bars  []monthEntry // events of several days by lane; zero: free
	Items []monthEntry // events of this day
	More  int          // number of events that do not fit
	Shown int          // number of events on show, which have no bars
}

// monthEntry is an event on one day.
type monthEntry struct {
	*calendar.Event
	Begins, Ends bool // the event begins or ends on this day
	Over         int  // number of days of the week that its title covers
	listed       bool // shown in a list of days
}

// Classes returns the CSS classes of the bar of an event of several days.
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

// Free reports whether the day has nothing to show, at any width.
func (c MonthCell) Free() bool {
	return len(c.Items) == 0 && c.More == 0 && !c.Today && !slices.ContainsFunc(c.Bars, func(e monthEntry) bool { return e.Event != nil })
}

// MoreListed returns the number of events that a list of days doesn't show on this day: events that do not fit, and
// events lasting several days that are listed on another day.
func (c MonthCell) MoreListed() int {
	n := c.More
	for _, e := range c.Bars {
		if e.Event != nil && !e.listed {
			n++
		}
	}
	return n
}
