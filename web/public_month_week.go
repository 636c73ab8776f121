package web

import (
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
)

// weekdaysFrom lists the days of the week from one on.
func weekdaysFrom(start int) []int {
	list := make([]int, 0, 7)
	for i := range 7 {
		list = append(list, (start-1+i)%7+1)
	}
	return list
}

// weekOf returns the first day of a day's week.
func weekOf(day time.Time, start int) time.Time {
	return day.AddDate(0, 0, -(isoWeekday(day)-start+7)%7)
}

// week lays out the seven days from one on, as far as they are to be shown.
func week(from time.Time, shown func(time.Time) bool, today time.Time, events []*calendar.Event) []monthCell {
	cells := make([]monthCell, 7)
	for i := range cells {
		if day := from.AddDate(0, 0, i); shown(day) {
			cells[i].day, cells[i].today = day, day.Equal(today)
		}
	}
	for _, e := range events {
		begin, end := shownOn(e)
		if begin.Equal(end) {
			if i := int(begin.Sub(from).Hours() / 24); i >= 0 && i < 7 && !begin.Before(from) && !cells[i].day.IsZero() {
				cells[i].items = append(cells[i].items, monthEntry{Event: e, begins: true, ends: true, listed: true})
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

// shownOn returns the first and last day a month shows an event on: what goes
// on past midnight belongs to its evening.
func shownOn(e *calendar.Event) (begin, end time.Time) {
	begin = dayOf(e.Start)
	if e.End.Sub(e.Start) < 24*time.Hour && !e.AllDay {
		return begin, begin
	}
	return begin, lastDay(e.Start, e.End)
}

// bar puts an event of several days into the first lane that is free on all of
// its days of the week.
func bar(cells []monthCell, e *calendar.Event, begin, end time.Time) {
	var days []int
	for i := range cells {
		if day := cells[i].day; !day.IsZero() && !day.Before(begin) && !day.After(end) {
			days = append(days, i)
		}
	}
	lane := 0
	for slices.ContainsFunc(days, func(i int) bool { return lane < len(cells[i].bars) && cells[i].bars[lane].Event != nil }) {
		lane++
	}
	for n, i := range days {
		for len(cells[i].bars) <= lane {
			cells[i].bars = append(cells[i].bars, monthEntry{})
		}
		day := cells[i].day
		cells[i].bars[lane] = monthEntry{Event: e, begins: day.Equal(begin), ends: day.Equal(end),
			listed: day.Equal(begin) || day.Day() == 1 || cells[i].today}
		if n == 0 {
			cells[i].bars[lane].over = len(days)
		}
	}
}

// limit leaves out what a day has no room for.
func (c *monthCell) limit() {
	room := mostInCell
	if len(c.bars) > room {
		for _, hidden := range c.bars[room:] {
			if hidden.Event != nil {
				c.more++
			}
		}
		c.bars = c.bars[:room]
	}
	room -= len(c.bars)
	if len(c.items) > room {
		c.more += len(c.items) - room
		c.items = c.items[:room]
	}
}
