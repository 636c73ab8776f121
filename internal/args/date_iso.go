package args

import (
	"strconv"
	"time"
)

// parseISO parses YYYY-MM-DD, optionally followed by [ T]HH:MM[:SS[.fff]] and an offset or Z. Nearly every client
// sends this form.
func parseISO(s string) (Date, bool) {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return Date{}, false
	}
	century, ok1 := twoDigits(s)
	year, ok2 := twoDigits(s[2:])
	month, ok3 := twoDigits(s[5:])
	day, ok4 := twoDigits(s[8:])
	d := Date{base: dateCalendar, year: century*100 + year, month: time.Month(month), day: day}
	if !ok1 || !ok2 || !ok3 || !ok4 || d.year == 0 || !d.validDay() {
		return Date{}, false
	}
	if len(s) == 10 {
		return d, true
	}
	if c := s[10]; c != ' ' && c != 'T' && c != 't' {
		return Date{}, false
	}
	rest, ok := d.isoTime(s[11:])
	return d, ok && d.isoOffset(rest)
}

// isoTime parses HH:MM[:SS[.fff]] and returns the rest.
func (d *Date) isoTime(s string) (string, bool) {
	hour, ok := twoDigits(s)
	if !ok || len(s) < 5 || s[2] != ':' {
		return "", false
	}
	minute, ok := twoDigits(s[3:])
	if !ok {
		return "", false
	}
	second := 0
	if s = s[5:]; len(s) > 0 && s[0] == ':' {
		if second, ok = twoDigits(s[1:]); !ok {
			return "", false
		}
		s = s[3:]
		if len(s) > 1 && s[0] == '.' && isDigit(s[1]) {
			s = skipDigits(s[1:])
		}
	}
	return s, d.setClock(hour, minute, second)
}

// isoOffset parses Z, +HH, +HHMM or +HH:MM up to the end.
func (d *Date) isoOffset(s string) bool {
	switch {
	case s == "":
		return true
	case s == "Z" || s == "z":
		d.zoned = true
		return true
	case s[0] != '+' && s[0] != '-':
		return false
	}
	hours, ok := twoDigits(s[1:])
	if !ok {
		return false
	}
	minutes := 0
	if rest := s[3:]; rest != "" {
		if rest[0] == ':' {
			rest = rest[1:]
		}
		if minutes, ok = twoDigits(rest); !ok || len(rest) != 2 {
			return false
		}
	}
	return d.setOffset(s[0] == '-', hours, minutes)
}

// parseUnix parses Unix seconds: an optional sign and nine or more digits.
func parseUnix(s string) (Date, bool) {
	digits := s
	if s != "" && (s[0] == '+' || s[0] == '-') {
		digits = s[1:]
	}
	if len(digits) < 9 || skipDigits(digits) != "" {
		return Date{}, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return Date{base: dateUnix, unix: n}, err == nil
}

// setClock sets the time of day, which may be given once. 24:00:00 is the next midnight.
func (d *Date) setClock(hour, minute, second int) bool {
	if d.timed || minute > 59 || second > 59 || hour > 24 || hour == 24 && minute+second > 0 {
		return false
	}
	d.hour, d.min, d.sec, d.timed = hour, minute, second, true
	return true
}

// setOffset sets the offset, which may be given once and is at most 14 hours.
func (d *Date) setOffset(west bool, hours, minutes int) bool {
	offset := hours*3600 + minutes*60
	if d.zoned || minutes > 59 || offset > maxOffset {
		return false
	}
	if west {
		offset = -offset
	}
	d.offset, d.zoned = offset, true
	return true
}

// validDay reports whether the month has the day, in some year if the year is not given.
func (d Date) validDay() bool {
	return 1 <= d.month && d.month <= 12 && 1 <= d.day && d.day <= daysIn(d.year, d.month) && d.year <= 9999
}

func twoDigits(s string) (int, bool) {
	if len(s) < 2 || !isDigit(s[0]) || !isDigit(s[1]) {
		return 0, false
	}
	return int(s[0]-'0')*10 + int(s[1]-'0'), true
}

func skipDigits(s string) string {
	for len(s) > 0 && isDigit(s[0]) {
		s = s[1:]
	}
	return s
}
