package args

import "time"

// dateShift is the relative part of a date, applied in the order of its fields.
type dateShift struct {
	months  int // a day that the month lacks becomes its last day
	edge    int // 1: first day of the month, -1: last day
	days    int
	nth     int          // nth weekday of the month, -1: the last, 0: none
	pass    weekdayPass  // which weekday relative to the day reached; 0: none
	weekday time.Weekday // for nth and pass
	seconds int64        // elapsed seconds, so clocks may change in between
}

type weekdayPass uint8

const (
	passNone weekdayPass = iota
	passThis             // the day itself or the first one after it
	passNext             // the first one after the day
	passLast             // the last one before the day
)

// movesDay reports whether the shift affects the calendar day.
func (s dateShift) movesDay() bool {
	return s.months != 0 || s.days != 0 || s.edge != 0 || s.nth != 0 || s.pass != passNone
}

// bounded reports whether each part of the shift is within 250 years.
func (s dateShift) bounded() bool {
	const years = 250
	return within(s.months, years*12) && within(s.days, years*366) && within(int(s.seconds), years*366*86400)
}

func within(n, limit int) bool { return -limit <= n && n <= limit }

// add adds n units to the shift.
func (s *dateShift) add(n int, unit dateUnit) {
	switch unit {
	case unitMonth:
		s.months += n
	case unitYear:
		s.months += 12 * n
	case unitDay:
		s.days += n
	case unitWeek:
		s.days += 7 * n
	default:
		s.seconds += int64(n) * int64(unit)
	}
}

// negate reverses the counted units, as "ago" does.
func (s *dateShift) negate() {
	s.months, s.days, s.seconds = -s.months, -s.days, -s.seconds
}

// apply shifts a day. The result is at 00:00 and carried in UTC.
func (s dateShift) apply(year int, month time.Month, day int) time.Time {
	first := time.Date(year, month+time.Month(s.months), 1, 0, 0, 0, 0, time.UTC)
	last := daysIn(first.Year(), first.Month())
	switch s.edge {
	case 1:
		day = 1
	case -1:
		day = last
	}
	t := first.AddDate(0, 0, min(day, last)-1+s.days)
	if s.nth != 0 {
		t = s.nthOf(t)
	}
	switch from := s.until(t); s.pass {
	case passThis:
		return t.AddDate(0, 0, from)
	case passNext:
		return t.AddDate(0, 0, from+week(from == 0))
	case passLast:
		return t.AddDate(0, 0, from-7)
	}
	return t
}

// nthOf returns the nth weekday of the month of t. A fifth one that the month lacks falls into the next month.
func (s dateShift) nthOf(t time.Time) time.Time {
	if s.nth < 0 {
		next := time.Date(t.Year(), t.Month()+1, 1, 0, 0, 0, 0, time.UTC)
		return next.AddDate(0, 0, s.until(next)-7)
	}
	first := time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
	return first.AddDate(0, 0, s.until(first)+7*(s.nth-1))
}

// until returns the number of days from t to the weekday, 0 to 6.
func (s dateShift) until(t time.Time) int {
	return (int(s.weekday) - int(t.Weekday()) + 7) % 7
}

func week(yes bool) int {
	if yes {
		return 7
	}
	return 0
}
