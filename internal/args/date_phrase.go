package args

import "time"

// signed parses "+1 week" and "-2 days", or the offset after a date or a time.
func (p *dateText) signed() bool {
	if unit, ok := dateUnits[p.peek(2).text]; ok && p.peek(1).number(9) {
		n := p.peek(1).n
		if p.peek(0).kind == '-' {
			n = -n
		}
		p.at += 3
		return p.relative(n, unit)
	}
	if !p.date.timed && p.date.base == dateNone {
		return false
	}
	return p.offset()
}

// relative adds n units. n has at most nine digits.
func (p *dateText) relative(n int, unit dateUnit) bool {
	const limit = 1_000_000_000
	if !within(n, limit) {
		return false
	}
	p.date.shift.add(n, unit)
	return within(p.date.shift.months, limit) && within(p.date.shift.days, limit)
}

// phrase parses the word just consumed and what belongs to it.
func (p *dateText) phrase(word string) bool {
	shift := &p.date.shift
	switch word {
	case "now":
		return p.date.base != dateCalendar && p.setBase(dateNow)
	case "today":
		return p.setBase(dateToday)
	case "tomorrow":
		shift.days++
		return p.setBase(dateToday)
	case "yesterday":
		shift.days--
		return p.setBase(dateToday)
	case "midnight":
		return p.fixed(0)
	case "noon":
		return p.fixed(12)
	case "this":
		return p.step(0, passThis)
	case "next":
		return p.step(1, passNext)
	case "last", "previous":
		return p.step(-1, passLast)
	}
	return false
}

// fixed sets a named hour, which is today unless a day is named too.
func (p *dateText) fixed(hour int) bool {
	return p.date.setClock(hour, 0, 0)
}

// step parses the unit or weekday after "this", "next" or "last".
func (p *dateText) step(n int, pass weekdayPass) bool {
	t := p.next()
	if unit, ok := dateUnits[t.text]; ok {
		return (n != 0 || p.setBase(dateNow)) && p.relative(n, unit)
	}
	weekday, ok := dateWeekdays[t.text]
	return ok && p.weekday(weekday, pass)
}

// weekday sets the weekday, which may be given once. Alone it means that day at midnight.
func (p *dateText) weekday(weekday time.Weekday, pass weekdayPass) bool {
	if p.named {
		return false
	}
	p.named = true
	p.date.shift.weekday, p.date.shift.pass = weekday, pass
	return true
}

// ofAt reports whether the token at position n is the word "of".
func (p *dateText) ofAt(n int) bool { return p.peek(n).isWord("of") }

// edge parses "first day of" or "last friday of" and the month after it.
func (p *dateText) edge(nth int) bool {
	p.at++
	t := p.next()
	p.at++ // of
	shift := &p.date.shift
	if shift.edge != 0 || shift.nth != 0 {
		return false
	}
	if weekday, ok := dateWeekdays[t.text]; ok && !p.named {
		p.named, shift.nth, shift.weekday = true, nth, weekday
	} else if t.isWord("day") && (nth == 1 || nth == -1) {
		shift.edge = nth
	} else {
		return false
	}
	return p.month()
}

// month parses the month after "of": a name, or "this", "next" or "last" month.
func (p *dateText) month() bool {
	t := p.peek(0)
	if _, ok := dateMonths[t.text]; ok {
		return p.monthDay()
	}
	unit := dateUnits[p.peek(1).text]
	return (t.isWord("this") || t.isWord("next") || t.isWord("last") || t.isWord("previous")) &&
		(unit == unitMonth || unit == unitYear) && p.word()
}
