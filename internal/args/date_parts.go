package args

import "time"

// slashes parses month/day/year or year/month/day (rule 3.8).
func (p *dateText) slashes() bool {
	a, b, c, ok := p.three('/')
	if !ok {
		return false
	}
	if len(a.text) == 4 {
		return c.number(2) && p.setDay(a.n, b.n, c.n)
	}
	year, ok := shortYear(c)
	return ok && a.number(2) && p.setDay(year, a.n, b.n)
}

// dashes parses year-month-day, day-month-year or day-Mon-year.
func (p *dateText) dashes() bool {
	if month, ok := dateMonths[p.peek(2).text]; ok {
		day, year := p.peek(0), p.peek(4)
		p.at += 5
		y, ok := shortYear(year)
		return ok && day.number(2) && p.setDay(y, int(month), day.n)
	}
	a, b, c, ok := p.three('-')
	switch {
	case !ok:
		return false
	case len(a.text) == 4:
		return c.number(2) && p.setDay(a.n, b.n, c.n)
	}
	return a.number(2) && len(c.text) == 4 && p.setDay(c.n, b.n, a.n)
}

// dots parses day.month.year, or the day in "1. March".
func (p *dateText) dots() bool {
	if _, ok := dateMonths[p.peek(2).text]; ok {
		return p.dayMonth()
	}
	a, b, c, ok := p.three('.')
	return ok && a.number(2) && len(c.text) == 4 && p.setDay(c.n, b.n, a.n)
}

// three parses three numbers joined by a sign. The middle one has at most two digits.
func (p *dateText) three(sign byte) (a, b, c dateToken, ok bool) {
	a = p.next()
	ok = p.sign(sign)
	b = p.next()
	ok = ok && b.glued && b.number(2) && p.sign(sign)
	c = p.next()
	return a, b, c, ok && c.glued && c.kind == 'n'
}

// shortYear parses a year of four digits, or of two digits as 1970 to 2069.
func shortYear(t dateToken) (int, bool) {
	switch {
	case t.kind != 'n' || len(t.text) != 2 && len(t.text) != 4:
		return 0, false
	case len(t.text) == 4:
		return t.n, true
	case t.n < 70:
		return 2000 + t.n, true
	}
	return 1900 + t.n, true
}

func isOrdinal(t dateToken) bool {
	switch t.text {
	case "st", "nd", "rd", "th":
		return t.glued
	}
	return false
}

// dayMonth parses "1 March", "1st of March" and "1. March". The year is a separate part.
func (p *dateText) dayMonth() bool {
	day := p.next()
	p.sign('.')
	if isOrdinal(p.peek(0)) {
		p.at++
		if p.peek(0).isWord("of") {
			p.at++
		}
	}
	month, ok := dateMonths[p.next().text]
	p.sign('.')
	return ok && day.number(2) && p.setMonth(month, day.n)
}

// monthDay parses "March 1st", and "March 2027" as the first of the month.
func (p *dateText) monthDay() bool {
	month := dateMonths[p.next().text]
	p.sign('.')
	t := p.peek(0)
	switch {
	case t.number(2) && p.peek(1).kind != ':' && p.meridiemAt(1) == 0:
		p.at++
		if isOrdinal(p.peek(0)) {
			p.at++
		}
		return p.setMonth(month, t.n)
	case t.kind == 'n' && len(t.text) == 4:
		return p.setMonth(month, 1)
	}
	return p.date.shift.edge+p.date.shift.nth != 0 && p.setMonth(month, 1)
}

// setMonth sets a day without a year.
func (p *dateText) setMonth(month time.Month, day int) bool {
	if p.date.base != dateNone {
		return false
	}
	p.date.base, p.date.month, p.date.day = dateCalendar, month, day
	return p.date.validDay()
}

// meridiemAt returns the number of tokens of am, pm, a.m. or p.m. at position n, or 0.
func (p *dateText) meridiemAt(n int) int {
	switch t := p.peek(n); {
	case t.isWord("am") || t.isWord("pm"):
		return 1
	case !t.isWord("a") && !t.isWord("p") || p.peek(n+1).kind != '.' || !p.peek(n+2).isWord("m"):
		return 0
	}
	if p.peek(n+3).kind == '.' {
		return 4
	}
	return 3
}

// clock parses H[:MM[:SS[.fff]]] with am or pm, or HH:MM[:SS[.fff]].
func (p *dateText) clock() bool {
	hour := p.next()
	minute, second, ok := 0, 0, hour.number(2)
	if ok && p.sign(':') {
		minute, ok = p.twoDigitPart()
		if ok && p.sign(':') {
			second, ok = p.twoDigitPart()
			if ok && p.peek(0).kind == '.' && p.peek(1).kind == 'n' && p.peek(1).glued {
				p.at += 2
			}
		}
	}
	if !ok {
		return false
	}
	h := hour.n
	if n := p.meridiemAt(0); n > 0 {
		if h < 1 || h > 12 {
			return false
		}
		h %= 12
		if p.peek(0).text[0] == 'p' {
			h += 12
		}
		p.at += n
	}
	return p.date.setClock(h, minute, second)
}

// twoDigitPart parses two digits that follow without a space.
func (p *dateText) twoDigitPart() (int, bool) {
	t := p.next()
	return t.n, t.kind == 'n' && t.glued && len(t.text) == 2
}

// compactTime parses what follows a T: a clock time, or HHMM[SS] after YYYYMMDD.
func (p *dateText) compactTime() bool {
	t := p.peek(0)
	if p.date.base != dateCalendar || t.kind != 'n' || !t.glued {
		return false
	}
	if p.peek(1).kind == ':' {
		return p.clock()
	}
	p.at++
	switch len(t.text) {
	case 4:
		return p.date.setClock(t.n/100, t.n%100, 0)
	case 6:
		return p.date.setClock(t.n/10000, t.n/100%100, t.n%100)
	}
	return false
}

// zoneName parses an RFC 2822 zone, or GMT and UTC before an offset.
func (p *dateText) zoneName(hours int) bool {
	t := p.next()
	if s := p.peek(0); hours == 0 && t.text != "z" && s.glued && (s.kind == '+' || s.kind == '-') {
		return p.offset()
	}
	return p.date.setOffset(hours < 0, max(hours, -hours), 0)
}

// offset parses +H, +HH, +HHMM or +HH:MM.
func (p *dateText) offset() bool {
	west := p.next().kind == '-'
	t := p.next()
	if t.kind != 'n' || !t.glued {
		return false
	}
	if len(t.text) == 4 {
		return p.date.setOffset(west, t.n/100, t.n%100)
	}
	minutes, ok := 0, t.number(2)
	if ok && p.sign(':') {
		minutes, ok = p.twoDigitPart()
	}
	return ok && p.date.setOffset(west, t.n, minutes)
}
