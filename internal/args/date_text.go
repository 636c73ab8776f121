package args

import "time"

// dateText parses dates as people write them, part by part. Every part may occur once; contradictory parts are an
// error.
type dateText struct {
	tokens []dateToken
	at     int
	date   Date
	named  bool // a weekday was given
}

func parseDateText(s string) (Date, bool) {
	tokens, ok := dateTokens(s)
	if !ok || len(tokens) == 0 {
		return Date{}, false
	}
	p := dateText{tokens: tokens}
	for p.at < len(p.tokens) {
		if !p.part() {
			return Date{}, false
		}
	}
	return p.finish()
}

// peek returns the token n places ahead. Its kind is 0 past the end.
func (p *dateText) peek(n int) dateToken {
	if p.at+n >= len(p.tokens) {
		return dateToken{}
	}
	return p.tokens[p.at+n]
}

func (p *dateText) next() dateToken {
	t := p.peek(0)
	p.at++
	return t
}

// sign consumes the next token if it is c and follows without a space.
func (p *dateText) sign(c byte) bool {
	if t := p.peek(0); t.kind != c || !t.glued {
		return false
	}
	p.at++
	return true
}

func (p *dateText) part() bool {
	switch t := p.peek(0); t.kind {
	case 'n':
		return p.number()
	case 'w':
		return p.word()
	case '+', '-':
		return p.signed()
	case ',':
		p.at++
		return p.at > 1
	}
	return false
}

// number parses a part that starts with a number; what follows decides which part it is.
func (p *dateText) number() bool {
	first, follows := p.peek(0), p.peek(1)
	_, isMonth := dateMonths[follows.text]
	switch unit, isUnit := dateUnits[follows.text]; {
	case follows.kind == ':' || p.meridiemAt(1) > 0:
		return p.clock()
	case follows.kind == '/':
		return p.slashes()
	case follows.kind == '-' && p.dashed():
		return p.dashes()
	case follows.kind == '.':
		return p.dots()
	case len(first.text) == 8:
		p.at++
		return p.setDay(first.n/10000, first.n/100%100, first.n%100)
	case isMonth, isOrdinal(follows):
		return p.dayMonth()
	case isUnit:
		p.at += 2
		return p.relative(first.n, unit)
	case len(first.text) == 4 && p.date.base == dateCalendar && p.date.year == 0:
		p.at++
		p.date.year = first.n
		return first.n > 0
	}
	return false
}

// dashed reports whether three numbers, or a number, a month and a number, are joined by dashes at the current
// position.
func (p *dateText) dashed() bool {
	_, isMonth := dateMonths[p.peek(2).text]
	return p.date.base != dateCalendar && (p.peek(2).kind == 'n' || isMonth) && p.peek(3).kind == '-' && p.peek(4).kind == 'n'
}

// word parses a part that starts with a word.
func (p *dateText) word() bool {
	t := p.peek(0)
	if _, ok := dateMonths[t.text]; ok {
		return p.monthDay()
	}
	if weekday, ok := dateWeekdays[t.text]; ok {
		p.at++
		p.sign('.')
		return p.weekday(weekday, passThis)
	}
	if nth, ok := dateOrdinals[t.text]; ok && p.ofAt(2) {
		return p.edge(nth)
	}
	if hours, ok := dateZones[t.text]; ok {
		return p.zoneName(hours)
	}
	p.at++
	switch t.text {
	case "t":
		return p.compactTime()
	case "at", "on":
		return true
	case "ago":
		p.date.shift.negate()
		return p.date.shift.movesDay() || p.date.shift.seconds != 0
	}
	return p.phrase(t.text)
}

// setBase sets the starting point of the date. A date has only one, but a named day overrides "now".
func (p *dateText) setBase(base dateBase) bool {
	if p.date.base > dateNow && p.date.base != base {
		return base == dateNow
	}
	p.date.base = base
	return true
}

// setDay sets a full date, which may be given once.
func (p *dateText) setDay(year, month, day int) bool {
	if p.date.base != dateNone || year < 1 {
		return false
	}
	p.date.base = dateCalendar
	p.date.year, p.date.month, p.date.day = year, time.Month(month), day
	return p.date.validDay()
}

// finish makes the checks that need the whole text.
func (p *dateText) finish() (Date, bool) {
	d := p.date
	if d.base == dateNone {
		if !d.timed && d.shift == (dateShift{}) {
			return Date{}, false
		}
		d.base = dateNow
	}
	if p.named && d.base == dateNow {
		d.base = dateToday
	}
	if d.base != dateCalendar {
		return d, true
	}
	if !d.validDay() {
		return Date{}, false
	}
	if !p.named || d.shift.nth != 0 {
		return d, true
	}
	written := time.Date(d.year, d.month, d.day, 0, 0, 0, 0, time.UTC)
	agrees := d.year == 0 || written.Weekday() == d.shift.weekday
	ok := agrees && d.shift.pass == passThis
	d.shift.pass, d.shift.weekday = passNone, 0
	return d, ok
}
