package ui

import (
	"fmt"
	"time"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
)

// jalali is the calendar of Iran and Afghanistan.
const jalali = "jalali"

// varied are the varieties of dates that a site can choose. Each has a key, of which only languages with that
// variety have a form.
var varied = map[string]string{"british": "date.pattern.full", jalali: "date.month.1"}

// Varied returns the language that has this variety of dates.
func Varied(variety string) string {
	for _, tag := range i18n.Languages() {
		if i18n.Has(tag, varied[variety], variety) {
			return tag
		}
	}
	return ""
}

// date returns year, month and day in the calendar in use.
func (l Dates) date(t time.Time) (year, month, day int) {
	if l.variety == jalali {
		return inJalali(t)
	}
	return t.Year(), int(t.Month()), t.Day()
}

// YearOf returns the year of a day in the calendar in use.
func (l Dates) YearOf(t time.Time) int {
	year, _, _ := l.date(t)
	return year
}

// DayNumber formats the day of the month.
func (l Dates) DayNumber(t time.Time) string {
	_, _, day := l.date(t)
	return l.Plain(day)
}

// monthAlone returns the name of a month for use without a day.
func (l Dates) monthAlone(t time.Time, short bool) string {
	_, month, _ := l.date(t)
	if l.variety != jalali {
		return i18n.MonthAlone(l.Tag, month, short)
	}
	return i18n.MonthOf(l.Tag, month, jalali)
}

// MonthOf returns the first day of the month of a day, in the calendar in use.
func (l Dates) MonthOf(t time.Time) time.Time {
	_, _, day := l.date(t)
	return args.DayOf(t).AddDate(0, 0, 1-day)
}

// MonthFrom returns the first day of the month that is months after the month of a day, or before it if months is
// negative.
func (l Dates) MonthFrom(t time.Time, months int) time.Time {
	if l.variety != jalali {
		return l.MonthOf(t).AddDate(0, months, 0)
	}
	year, month, _ := inJalali(t)
	month += 12*year + months - 1
	return ofJalali(month/12, month%12+1)
}

// MonthEnd returns the last day of the month of a day.
func (l Dates) MonthEnd(t time.Time) time.Time { return l.MonthFrom(t, 1).AddDate(0, 0, -1) }

// MonthText formats the month of a day for URLs: its year and number in the calendar in use, with ASCII digits.
func (l Dates) MonthText(t time.Time) string {
	year, month, _ := l.date(t)
	return fmt.Sprintf("%04d-%02d", year, month)
}

// mostJalali is the year below which years count as Jalali: 1579 is 2200, and Gregorian years begin at 1900.
const mostJalali = 1700

// ReadMonth returns the first day of a month named in a URL. ok is false for a month outside the range of
// calendars. A link from a page in another language may name a month of another calendar system. Then own is false,
// and ReadMonth returns the month in the calendar in use that overlaps it most.
func (l Dates) ReadMonth(text string) (first time.Time, own, ok bool) {
	first, err := time.Parse("2006-01", text)
	if err != nil {
		return first, false, false
	}
	named := first.Year() < mostJalali
	if named {
		first = ofJalali(first.Year(), int(first.Month()))
	}
	if own = named == (l.variety == jalali); !own {
		first = l.MonthOf(first.AddDate(0, 0, 14))
	}
	return first, own, Within(first)
}

// beginning is the first day of year 1 of the Jalali calendar, in days since 1970.
const beginning = -492268

// inJalali converts a date to the Jalali calendar. Years begin at the spring equinox; eight of 33 years are leap
// years, which agrees with the astronomical calendar from 1850 to 2123.
func inJalali(t time.Time) (year, month, day int) {
	days := int(args.DayOf(t).Unix()/(24*60*60)) - beginning
	year = 1 + (33*days+3)/12053
	days -= 365*(year-1) + (8*year+21)/33
	if month = days / 31; month >= 6 { // the first six months have 31 days
		month = (days - 6) / 30
		return year, month + 1, days - 6 - 30*month + 1
	}
	return year, month + 1, days - 31*month + 1
}

// ofJalali returns the first day of a month of the Jalali calendar.
func ofJalali(year, month int) time.Time {
	days := beginning + 365*(year-1) + (8*year+21)/33 + 31*(month-1)
	if month > 7 {
		days -= month - 7
	}
	return time.Unix(int64(days)*24*60*60, 0).UTC()
}
