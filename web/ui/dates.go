package ui

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/tenancy"
)

// Dates formats dates and times in a language, subject to the site's settings. The formats are in the catalogs: names
// of months and days, digits, and CLDR patterns (EEEE EEE dd d MMMM MMM MM M LLLL LLL y HH H h mm a; 'literally').
type Dates struct {
	Tag   string // of the language
	week  int    // first day of the week; 0: the language's
	Form  string // of dates, as in tenancy.Settings; "": long
	Hours string // "12" or "24"; otherwise the language's

	variety string // variety of the language's dates, as in form keys; "": the usual one
}

// DatesOf returns the way in which a language writes dates on a site. site may be nil.
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

// Full formats a day with weekday and year.
func (l Dates) Full(t time.Time) string { return l.write(l.inForm("full"), t) }

// Day formats a day with weekday but without year.
func (l Dates) Day(t time.Time) string { return l.write(l.inForm("day"), t) }

// Short formats a day briefly with year.
func (l Dates) Short(t time.Time) string { return l.write(l.inForm("short"), t) }

// Named formats a day briefly with weekday and year.
func (l Dates) Named(t time.Time) string {
	if l.Form == "" || l.Form == "full" || l.Form == "long" {
		l.Form = "medium"
	}
	return l.Full(t)
}

// Month formats month and year of a day.
func (l Dates) Month(t time.Time) string { return l.write("month", t) }

// ShortMonth returns the abbreviated name of a month.
func (l Dates) ShortMonth(t time.Time) string {
	return l.monthAlone(t, true)
}

// Clock formats a time of day.
func (l Dates) Clock(t time.Time) string { return l.write("time"+l.OfHours(), t) }

// Time formats a time of day for use in a sentence.
func (l Dates) Time(t time.Time) string {
	return unbroken.Replace(i18n.Text(l.Tag, "date.time.one"+l.inWords(), map[string]any{"Time": l.Clock(t)}))
}

// inForm returns the name of a pattern in the site's format.
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

// OfHours returns the suffix for the names of time patterns: ".12" or ".24", or "" if the language decides.
func (l Dates) OfHours() string {
	if l.Hours == "12" || l.Hours == "24" {
		return "." + l.Hours
	}
	return ""
}

// inWords returns the suffix of keys for texts around a time of day. Texts for the 12-hour clock have no word like
// "o'clock".
func (l Dates) inWords() string {
	if l.Hours == "12" {
		return ".12"
	}
	return ""
}

// Weekday returns the name of a weekday, 1 for Monday to 7 for Sunday.
func (l Dates) Weekday(n int) string { return l.text("weekday." + strconv.Itoa(n)) }

// ShortWeekday returns the abbreviated name of a weekday, 1 for Monday to 7 for Sunday.
func (l Dates) ShortWeekday(n int) string { return l.text("weekday.short." + strconv.Itoa(n)) }

// WeekStart returns the first day of the week.
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

// Number formats an integer with the digits and the grouping of the language.
func (l Dates) Number(n int) string { return l.Digits(i18n.Grouped(n, l.text("grouped"))) }

// Decimal formats a number with optional decimals.
func (l Dates) Decimal(n float64) string {
	return i18n.Decimal(l.Tag, strconv.FormatFloat(n, 'f', -1, 64))
}

// Plain formats a number that serves as a name, such as a year, with the digits of the language.
func (l Dates) Plain(n int) string { return l.Digits(strconv.Itoa(n)) }

// Digits converts digits to those of the language.
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

// figure is a number, or else what has digits only for programs: a code such as UTF-8, ISO 4217 or 2027-03-01.
var figure = regexp.MustCompile(`[\w#./:+-]*[A-Za-z_][\w#./:+-]*( \d+)?|\d+[-/:]\d[\w./:-]*( [\d:]+)?|\d+`)

// Recurrence describes when a series takes place, with the times of day unless they are "". No line breaks within its dates.
func (l Dates) Recurrence(s recur.Set, c recur.Clock, hours string) string {
	return i18n.RecurrenceOnPage(l.Tag, s, c, hours)
}

// Figures converts the numbers in a text that programs share with people to the digits of the language.
func (l Dates) Figures(text string) string {
	return figure.ReplaceAllStringFunc(text, func(one string) string {
		if strings.Trim(one, "0123456789") != "" {
			return one
		}
		return l.Digits(one)
	})
}

// OwnDigits returns an attribute that tells scripts the digits of the language if it has its own digits.
func (l Dates) OwnDigits() templ.Attributes {
	digits := l.text("digits")
	if strings.HasPrefix(digits, "0") {
		return nil
	}
	return templ.Attributes{"data-digits": digits}
}

// write fills a pattern.
func (l Dates) write(pattern string, t time.Time) string {
	if l.variety == jalali && strings.HasSuffix(pattern, ".iso") { // pattern specific to one calendar
		l.variety = ""
	}
	return l.fill(l.text("pattern."+pattern), t)
}

// fill writes the fields of a text with letters for them. No line breaks within a date: between its day, month and year.
func (l Dates) fill(text string, t time.Time) string {
	var b strings.Builder
	between, inDate := "", false // since the last field, which is of the date
	for text != "" {
		switch letter := text[0]; {
		case letter == '\'':
			literal, rest, _ := strings.Cut(text[1:], "'")
			between += literal
			text = rest
		case strings.IndexByte("EdMLyHhma", letter) >= 0:
			n := len(text) - len(strings.TrimLeft(text, string(letter)))
			ofDate := strings.IndexByte("dMLy", letter) >= 0
			if inDate && ofDate {
				between = i18n.Held(between)
			}
			b.WriteString(between + l.field(text[:n], t))
			between, inDate = "", ofDate
			text = text[n:]
		default:
			between += text[:1]
			text = text[1:]
		}
	}
	return b.String() + between
}

// field formats one field of a pattern.
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

// WallAt returns the wall-clock time of an instant in a time zone, as a time in UTC.
func WallAt(at time.Time, place *time.Location) time.Time {
	local := at.In(place)
	_, offset := local.Zone()
	return local.Add(time.Duration(offset) * time.Second).UTC()
}
