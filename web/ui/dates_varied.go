package ui

import (
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/i18n"
)

// jalali is the calendar of Iran and Afghanistan.
const jalali = "jalali"

// varied are the varieties of dates that a site can choose, each with a key of which a language with that variety has
// a form.
var varied = map[string]string{"british": "date.pattern.full", jalali: "date.month.1"}

// Varied returns the language that has a variety of dates.
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

// beginning is the first day of year 1 of the Jalali calendar, in days since 1970.
const beginning = -492268

// inJalali converts a date to the Jalali calendar. Years begin at the spring equinox; eight of 33 years are leap
// years, which matches the astronomical calendar from 1850 to 2123.
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
