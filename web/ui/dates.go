package ui

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// Dates writes dates and times in the form of a language, as far as the site
// leaves it to the language. The forms stand in the catalogues: names of months
// and days, digits, and patterns in the letters of CLDR (EEEE EEE dd d MMMM MMM
// MM M LLLL LLL y HH H h mm a; 'literally').
type Dates struct {
	Tag   string // of the language
	week  int    // the first day of the week; 0: as the language does
	Form  string // of dates, as tenancy.Settings names it; "": long
	Hours string // "12" or "24"; else as the language does

	variety string // of the language's own dates, as forms of keys are called; "": its usual ones
}

// DatesOf returns the dates of a language on a site; nil: on none.
func DatesOf(tag string, site *tenancy.Site) Dates {
	if site == nil {
		return Dates{Tag: tag}
	}
	l := Dates{Tag: tag, week: site.Settings.WeekStart, Form: site.Settings.DateForm, Hours: site.Settings.TimeForm}
	for _, chosen := range []string{site.Settings.English, site.Settings.Calendar} {
		if varied[chosen] != "" && i18n.Has(tag, varied[chosen], chosen) {
			l.variety = chosen
		}
	}
	return l
}

func (l Dates) text(key string) string {
	if l.variety == "" {
		return i18n.Text(l.Tag, "date."+key, nil)
	}
	return i18n.As(l.Tag, "date."+key, l.variety)
}

// Full is a day with its weekday and year.
func (l Dates) Full(t time.Time) string { return l.write(l.inForm("full"), t) }

// Day is a day with its weekday, without the year.
func (l Dates) Day(t time.Time) string { return l.write(l.inForm("day"), t) }

// Short is a day in few letters, with the year.
func (l Dates) Short(t time.Time) string { return l.write(l.inForm("short"), t) }

// Month is the month of a day with its year; by another calendar its two months that the
// days of that month are in.
func (l Dates) Month(t time.Time) string {
	if l.variety != jalali {
		return l.write("month", t)
	}
	first, last := FirstOf(t), FirstOf(t).AddDate(0, 1, -1)
	begin := l.write("month", first)
	if l.YearOf(first) == l.YearOf(last) {
		begin = l.monthAlone(first, false)
	}
	return l.through(begin, l.write("month", last))
}

// ShortMonth names a month in few letters.
func (l Dates) ShortMonth(t time.Time) string {
	return l.monthAlone(t, true)
}

// Clock is a time of day.
func (l Dates) Clock(t time.Time) string { return l.write("time"+l.OfHours(), t) }

// Time is a time of day as it stands in a sentence.
func (l Dates) Time(t time.Time) string {
	return i18n.Text(l.Tag, "date.time.one"+l.inWords(), map[string]any{"Time": l.Clock(t)})
}

// inForm names a pattern in the form the site chose.
func (l Dates) inForm(pattern string) string {
	switch l.Form {
	case "short", "iso":
		return pattern + "." + l.Form
	case "medium":
		if !strings.HasPrefix(pattern, "short") {
			return pattern + ".medium"
		}
	}
	return pattern
}

// OfHours is what the names of patterns of the time of day end in.
func (l Dates) OfHours() string {
	if l.Hours == "12" || l.Hours == "24" {
		return "." + l.Hours
	}
	return ""
}

// inWords is what the names of texts around a time of day end in: by twelve
// hours it needs no other word.
func (l Dates) inWords() string {
	if l.Hours == "12" {
		return ".12"
	}
	return ""
}

// Weekday names a day of the week, 1 for Monday to 7 for Sunday.
func (l Dates) Weekday(n int) string { return l.text("weekday." + strconv.Itoa(n)) }

// ShortWeekday names a day of the week in few letters, 1 for Monday to 7 for Sunday.
func (l Dates) ShortWeekday(n int) string { return l.text("weekday.short." + strconv.Itoa(n)) }

// WeekStart is the first day of the week.
func (l Dates) WeekStart() int {
	if l.week > 0 {
		return l.week
	}
	n, err := strconv.Atoi(l.text("week.start"))
	if err != nil || n < 1 || n > 7 {
		return 1
	}
	return n
}

// Number writes an amount in the language's digits, grouped by thousands. The
// catalogue has the smallest number that is grouped in the language as its
// example: 1,234; in Spanish 12.345, for 1234 isn't; in Hindi 1,23,456, where only the
// last group is of three.
func (l Dates) Number(n int) string {
	groups := strings.FieldsFunc(l.text("grouped"), notDigit)
	text := strconv.Itoa(n)
	if len(groups) < 2 || n < 0 || len(text) < len(groups[0])+3 {
		return l.Plain(n)
	}
	sign, size := strings.Trim(l.text("grouped"), "0123456789"), 3
	if len(groups) > 2 {
		sign, size = sign[:strings.IndexFunc(sign, isDigit)], len(groups[1])
	}
	for i := len(text) - 3; i > 0; i -= size {
		text = text[:i] + sign + text[i:]
	}
	return l.Digits(text)
}

// Decimal writes a number that may have decimal places.
func (l Dates) Decimal(n float64) string {
	return l.Digits(strings.Replace(strconv.FormatFloat(n, 'f', -1, 64), ".", l.text("decimal"), 1))
}

// Amounts writes the numbers of a text in the language's digits, with its decimal sign between
// them, where it has digits of its own; else the text is as it was.
func (l Dates) Amounts(text string) string {
	if l.text("digits")[0] == '0' {
		return text
	}
	return l.Digits(decimals.ReplaceAllString(text, "${1}"+l.text("decimal")+"${2}"))
}

// decimals are numbers with decimal places.
var decimals = regexp.MustCompile(`(\d)\.(\d{1,2})\b`)

func isDigit(r rune) bool  { return r >= '0' && r <= '9' }
func notDigit(r rune) bool { return !isDigit(r) }

// Plain writes what is called by a number, such as a year, in the language's
// digits.
func (l Dates) Plain(n int) string { return l.Digits(strconv.Itoa(n)) }

// Digits writes a number in the language's digits.
func (l Dates) Digits(s string) string {
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
func (l Dates) write(pattern string, t time.Time) string {
	if l.variety == jalali && strings.HasSuffix(pattern, ".iso") { // which is of one calendar
		l.variety = ""
	}
	var b strings.Builder
	text := l.text("pattern." + pattern)
	for text != "" {
		switch letter := text[0]; {
		case letter == '\'':
			literal, rest, _ := strings.Cut(text[1:], "'")
			b.WriteString(literal)
			text = rest
		case strings.IndexByte("EdMLyHhma", letter) >= 0:
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
func (l Dates) field(name string, t time.Time) string {
	year, month, day := l.date(t)
	switch name {
	case "EEEE":
		return l.Weekday(ISOWeekday(t))
	case "EEE":
		return l.ShortWeekday(ISOWeekday(t))
	case "MMMM":
		return l.text("month." + strconv.Itoa(month))
	case "MMM":
		return l.text("month.short." + strconv.Itoa(month))
	case "LLLL":
		return l.monthAlone(t, false)
	case "LLL":
		return l.monthAlone(t, true)
	case "M":
		return l.Plain(month)
	case "MM":
		return l.Digits(fmt.Sprintf("%02d", month))
	case "dd":
		return l.Digits(fmt.Sprintf("%02d", day))
	case "d":
		if day == 1 {
			return l.text("first")
		}
		return l.Plain(day)
	case "y":
		return l.Plain(year)
	case "HH":
		return l.Digits(t.Format("15"))
	case "H":
		return l.Plain(t.Hour())
	case "h":
		return l.Plain((t.Hour()+11)%12 + 1)
	case "mm":
		return l.Digits(t.Format("04"))
	case "a":
		return l.text(map[bool]string{true: "am", false: "pm"}[t.Hour() < 12])
	}
	return name
}

// ISOWeekday returns 1 for Monday to 7 for Sunday.
func ISOWeekday(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }

// DayOf returns the midnight that begins the day of a wall clock.
func DayOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// FirstOf returns the first day of the month.
func FirstOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// WallAt returns the wall clock of an instant at a place, carried in UTC.
func WallAt(at time.Time, place *time.Location) time.Time {
	local := at.In(place)
	_, offset := local.Zone()
	return local.Add(time.Duration(offset) * time.Second).UTC()
}
