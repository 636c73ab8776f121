package web

import (
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// dates writes dates and times in the form of a language, as far as the site
// leaves it to the language. The forms stand in the catalogues: names of months
// and days, digits, and patterns in the letters of CLDR (EEEE EEE dd d MMMM MMM
// MM M y HH H h mm a; 'literally').
type dates struct {
	tag   string // of the language
	week  int    // the first day of the week; 0: as the language does
	form  string // of dates, as tenancy.Settings names it; "": long
	hours string // "12" or "24"; else as the language does
}

// datesOf returns the dates of a language on a site; nil: on none.
func datesOf(tag string, site *tenancy.Site) dates {
	if site == nil {
		return dates{tag: tag}
	}
	return dates{tag: tag, week: site.Settings.WeekStart, form: site.Settings.DateForm, hours: site.Settings.TimeForm}
}

func (l dates) text(key string) string { return i18n.Text(l.tag, "date."+key, nil) }

// full is a day with its weekday and year; day is without the year.
func (l dates) full(t time.Time) string  { return l.write(l.inForm("full"), t) }
func (l dates) day(t time.Time) string   { return l.write(l.inForm("day"), t) }
func (l dates) short(t time.Time) string { return l.write(l.inForm("short"), t) }
func (l dates) month(t time.Time) string { return l.write("month", t) }
func (l dates) clock(t time.Time) string { return l.write("time"+l.ofHours(), t) }

// time is a time of day as it stands in a sentence.
func (l dates) time(t time.Time) string {
	return i18n.Text(l.tag, "date.time.one"+l.inWords(), map[string]any{"Time": l.clock(t)})
}

// inForm names a pattern in the form the site chose.
func (l dates) inForm(pattern string) string {
	switch l.form {
	case "short", "iso":
		return pattern + "." + l.form
	case "medium":
		if !strings.HasPrefix(pattern, "short") {
			return pattern + ".medium"
		}
	}
	return pattern
}

// ofHours is what the names of patterns of the time of day end in.
func (l dates) ofHours() string {
	if l.hours == "12" || l.hours == "24" {
		return "." + l.hours
	}
	return ""
}

// inWords is what the names of texts around a time of day end in: by twelve
// hours it needs no other word.
func (l dates) inWords() string {
	if l.hours == "12" {
		return ".12"
	}
	return ""
}

// weekday names a day of the week, 1 for Monday to 7 for Sunday.
func (l dates) weekday(n int) string      { return l.text("weekday." + strconv.Itoa(n)) }
func (l dates) shortWeekday(n int) string { return l.text("weekday.short." + strconv.Itoa(n)) }

// weekStart is the first day of the week.
func (l dates) weekStart() int {
	if l.week > 0 {
		return l.week
	}
	n, err := strconv.Atoi(l.text("week.start"))
	if err != nil || n < 1 || n > 7 {
		return 1
	}
	return n
}

// number writes an amount in the language's digits, grouped by thousands. The
// catalogue has the smallest number that is grouped in the language as its
// example: 1,234; in Spanish 12.345, for 1234 isn't.
func (l dates) number(n int) string {
	example := l.text("grouped")
	at := strings.IndexFunc(example, func(r rune) bool { return r < '0' || r > '9' })
	if at < 0 || n < 0 {
		return l.plain(n)
	}
	text, sign := strconv.Itoa(n), example[at:len(example)-3]
	if len(text) < at+3 {
		return l.plain(n)
	}
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + sign + text[i:]
	}
	return l.digits(text)
}

// plain writes what is called by a number, such as a year, in the language's
// digits.
func (l dates) plain(n int) string { return l.digits(strconv.Itoa(n)) }

func (l dates) digits(s string) string {
	own := []rune(l.text("digits"))
	if len(own) != 10 || own[0] == '0' {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return own[r-'0']
		}
		return r
	}, s)
}

// write fills a pattern.
func (l dates) write(pattern string, t time.Time) string {
	var b strings.Builder
	text := l.text("pattern." + pattern)
	for text != "" {
		switch letter := text[0]; {
		case letter == '\'':
			literal, rest, _ := strings.Cut(text[1:], "'")
			b.WriteString(literal)
			text = rest
		case strings.IndexByte("EdMyHhma", letter) >= 0:
			n := len(text) - len(strings.TrimLeft(text, string(letter)))
			b.WriteString(l.field(text[:n], t))
			text = text[n:]
		default:
			b.WriteByte(letter)
			text = text[1:]
		}
	}
	return b.String()
}

// field writes one field of a pattern.
func (l dates) field(name string, t time.Time) string {
	switch name {
	case "EEEE":
		return l.weekday(isoWeekday(t))
	case "EEE":
		return l.shortWeekday(isoWeekday(t))
	case "MMMM":
		return l.text("month." + strconv.Itoa(int(t.Month())))
	case "MMM":
		return l.text("month.short." + strconv.Itoa(int(t.Month())))
	case "M":
		return l.plain(int(t.Month()))
	case "MM":
		return l.digits(t.Format("01"))
	case "dd":
		return l.digits(t.Format("02"))
	case "d":
		if t.Day() == 1 {
			return l.text("first")
		}
		return l.plain(t.Day())
	case "y":
		return l.plain(t.Year())
	case "HH":
		return l.digits(t.Format("15"))
	case "H":
		return l.plain(t.Hour())
	case "h":
		return l.plain((t.Hour()+11)%12 + 1)
	case "mm":
		return l.digits(t.Format("04"))
	case "a":
		return l.text(map[bool]string{true: "am", false: "pm"}[t.Hour() < 12])
	}
	return name
}

// isoWeekday returns 1 for Monday to 7 for Sunday.
func isoWeekday(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }

// dayOf returns the midnight that begins the day of a wall clock.
func dayOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// firstOf returns the first day of the month.
func firstOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// wallAt returns the wall clock of an instant at a place, carried in UTC.
func wallAt(at time.Time, place *time.Location) time.Time {
	local := at.In(place)
	_, offset := local.Zone()
	return local.Add(time.Duration(offset) * time.Second).UTC()
}
