package moments

import (
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/internal/args"
)

// ISO is a date or time as written: wall-clock time carried in UTC.
type ISO struct {
	Wall time.Time
	Day  bool // a date without a time
	UTC  bool // with Z, or with an offset that was subtracted
}

// ParseISO reads a DATE or DATE-TIME (RFC 5545 §3.3.4, §3.3.5), also with the separators of ISO 8601 and without seconds.
func ParseISO(text string) (ISO, bool) {
	text = strings.ToUpper(strings.TrimSpace(text))
	if len(text) > 40 {
		return ISO{}, false
	}
	day, clock, timed := strings.Cut(text, "T")
	if !timed {
		day, clock, timed = strings.Cut(text, " ")
	}
	form := "20060102"
	if strings.Contains(day, "-") {
		form = "2006-1-2" // EventON writes no zeros before numbers, and -5:00 as offset
	}
	date, err := time.Parse(form, day)
	if err != nil {
		return ISO{}, false
	}
	if !timed {
		return ISO{Wall: date, Day: true}, true
	}
	clock, offset, utc := splitOffset(clock)
	clock, _, _ = strings.Cut(clock, ".") // parts of a second
	at, ok := parseClock(strings.ReplaceAll(clock, ":", ""))
	return ISO{Wall: date.Add(at - offset), UTC: utc}, ok
}

// splitOffset removes Z or an offset from the end of a time.
func splitOffset(clock string) (rest string, offset time.Duration, utc bool) {
	if rest, utc = strings.CutSuffix(clock, "Z"); utc {
		return rest, 0, true
	}
	at := strings.LastIndexAny(clock, "+-")
	if at < 0 {
		return clock, 0, false
	}
	seconds, ok := ParseOffset(strings.ReplaceAll(clock[at:], ":", ""))
	if !ok {
		return "?", 0, false
	}
	return clock[:at], seconds, true
}

// ParseOffset reads an offset from UTC such as +0100, -500, +01 or -053000.
func ParseOffset(text string) (time.Duration, bool) {
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) != 1 {
		return 0, false
	}
	switch len(digits) {
	case 2:
		digits += "00"
	case 3:
		digits = "0" + digits
	}
	offset, ok := parseClock(digits)
	if text[0] == '-' {
		offset = -offset
	}
	return offset, ok
}

// parseClock reads a time of day such as 1930 or 193000. 24:00 is the end of the day. A leap second counts as the second
// before it.
func parseClock(digits string) (time.Duration, bool) {
	if len(digits) == 4 {
		digits += "00"
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	if err != nil || len(digits) != 6 {
		return 0, false
	}
	hour, minute, second := n/10000, n/100%100, n%100
	at := time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(min(second, 59))*time.Second
	return at, at <= 24*time.Hour && minute < 60 && second <= 60
}

// Duration is a DURATION (RFC 5545 §3.3.6): a number of calendar days, and an exact time.
type Duration struct {
	days  int
	exact time.Duration
}

// ParseDuration reads a duration that is not negative.
func ParseDuration(text string) (d Duration, ok bool) {
	text = strings.ToUpper(strings.TrimSpace(text))
	text, ok = strings.CutPrefix(strings.TrimPrefix(text, "+"), "P")
	if !ok || len(text) > 40 {
		return d, false
	}
	clock, parts := false, 0
	for text != "" {
		if rest, is := strings.CutPrefix(text, "T"); is && !clock {
			text, clock = rest, true
			continue
		}
		digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
		n, err := strconv.Atoi(text[:digits])
		if err != nil || n > 1_000_000 || digits == len(text) {
			return d, false
		}
		unit, known := units[text[digits]]
		if !known || unit.clock != clock {
			return d, false
		}
		d.days += n * unit.days
		d.exact += time.Duration(n) * unit.exact
		text = text[digits+1:]
		parts++
	}
	return d, parts > 0
}

var units = map[byte]struct {
	clock bool
	days  int
	exact time.Duration
}{
	'W': {days: 7}, 'D': {days: 1},
	'H': {clock: true, exact: time.Hour}, 'M': {clock: true, exact: time.Minute}, 'S': {clock: true, exact: time.Second},
}

// After returns the wall-clock time in a zone that is a duration after wall.
func (d Duration) After(wall time.Time, zone *time.Location) time.Time {
	wall = wall.AddDate(0, 0, d.days)
	if d.exact == 0 {
		return wall
	}
	return args.WallTime(args.Resolve(wall, zone).Add(d.exact), zone)
}
