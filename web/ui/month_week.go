package ui

import (
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
)

// MostInCell is the maximum number of events shown on a day of a month; of the others it shows only the number.
const MostInCell = 5

// WeekdaysFrom returns the days of the week beginning with start.
func WeekdaysFrom(start int) []int {
	list := make([]int, 0, 7)
	for i := range 7 {
		list = append(list, (start-1+i)%7+1)
	}
	return list
}

// WeekOf returns the first day of the week of a day.
func WeekOf(day time.Time, start int) time.Time {
	return day.AddDate(0, 0, -(ISOWeekday(day)-start+7)%7)
}

// Week lays out the seven days that begin with from. Days for which shown returns false stay empty.
func Week(from time.Time, shown func(time.Time) bool, today time.Time, events []*calendar.Event) []MonthCell {
	cells := make([]MonthCell, 7)
	for i := range cells {
		if day := from.AddDate(0, 0, i); shown(day) {
			cells[i].Day, cells[i].Today = day, day.Equal(today)
		}
	}
	for _, e := range events {
		begin, end := ShownOn(e)
		if begin.Equal(end) {
			if i := int(begin.Sub(from).Hours() / 24); i >= 0 && i < 7 && !begin.Before(from) && !cells[i].Day.IsZero() {
				cells[i].Items = append(cells[i].Items, monthEntry{Event: e, Begins: true, Ends: true, listed: true})
			}
			continue
		}
		bar(cells, e, begin, end)
	}
	for i := range cells {
		cells[i].limit()
	}
	return cells
}

// ShownOn returns the first and last day on which a month shows an event. An event that continues past midnight
// belongs to the evening before.
func ShownOn(e *calendar.Event) (begin, end time.Time) {
	begin = args.DayOf(e.Start)
	if e.End.Sub(e.Start) < 24*time.Hour && !e.AllDay {
		return begin, begin
	}
	return begin, LastDay(e.Start, e.End)
}

// ApartFromShown divides events into events of particular days and events on show, which last longer than
// calendar.OnShowAfter days.
func ApartFromShown(events []*calendar.Event) (ofDays, onShow []*calendar.Event) {
	for _, e := range events {
		if e.End.Sub(e.Start) > calendar.OnShowAfter*24*time.Hour {
			onShow = append(onShow, e)
		} else {
			ofDays = append(ofDays, e)
		}
	}
	return ofDays, onShow
}

// Running returns the events that are shown on a day.
func Running(events []*calendar.Event, day time.Time) (list []*calendar.Event) {
	for _, e := range events {
		if begin, end := ShownOn(e); !day.Before(begin) && !day.After(end) {
			list = append(list, e)
		}
	}
	return list
}

// bar puts an event lasting several days into the first lane that is free on all its days in the week.
func bar(cells []MonthCell, e *calendar.Event, begin, end time.Time) {
	var days []int
	for i := range cells {
		if day := cells[i].Day; !day.IsZero() && !day.Before(begin) && !day.After(end) {
			days = append(days, i)
		}
	}
	lane := 0
	for slices.ContainsFunc(days, func(i int) bool { return lane < len(cells[i].Bars) && cells[i].Bars[lane].Event != nil }) {
		lane++
	}
	for n, i := range days {
		for len(cells[i].Bars) <= lane {
			cells[i].Bars = append(cells[i].Bars, monthEntry{})
		}
		day := cells[i].Day
		cells[i].Bars[lane] = monthEntry{Event: e, Begins: day.Equal(begin), Ends: day.Equal(end),
			listed: day.Equal(begin) || day.Day() == 1 || cells[i].Today}
		if n == 0 {
			cells[i].Bars[lane].Over = len(days)
		}
	}
}

// limit removes the entries that do not fit into the cell of a day.
func (c *MonthCell) limit() {
	room := MostInCell
	if len(c.Bars) > room {
		for _, hidden := range c.Bars[room:] {
			if hidden.Event != nil {
				c.More++
			}
		}
		c.Bars = c.Bars[:room]
	}
	room -= len(c.Bars)
	if len(c.Items) > room {
		c.More += len(c.Items) - room
		c.Items = c.Items[:room]
	}
}
