package ui

import (
	"time"

	"github.com/kalends/kalends/i18n"
)

// jalali is the calendar of Iran and Afghanistan.
const jalali = "jalali"

// varied are the varieties of dates that a site can choose, each with a text of which a
// language that has the variety has a form.
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

// date is the year, the month and the day of a date by the calendar in use.
func (l Dates) date(t time.Time) (year, month, day int) {
	if l.variety == jalali {
		return inJalali(t)
	}
	return t.Year(), int(t.Month()), t.Day()
}

// YearOf is the year of a day by the calendar in use.
func (l Dates) YearOf(t time.Time) int {
	year, _, _ := l.date(t)
	return year
}

// DayNumber writes the day of the month.
func (l Dates) DayNumber(t time.Time) string {
	_, _, day := l.date(t)
	return l.Plain(day)
}

// monthAlone names the month of a day where no day stands before it.
func (l Dates) monthAlone(t time.Time, short bool) string {
	_, month, _ := l.date(t)
	if l.variety != jalali {
		return i18n.MonthAlone(l.Tag, month, short)
	}
	return i18n.MonthOf(l.Tag, month, jalali)
}

// beginning is the first day of the year 1 of the Jalali calendar, in days since 1970.
const beginning = -492268

// inJalali returns a date of the Jalali calendar. Years begin with spring; eight of 33 have a
// day more, which is what astronomers find for every year from 1850 to 2123.
func inJalali(t time.Time) (year, month, day int) {
	days := int(DayOf(t).Unix()/(24*60*60)) - beginning
	year = 1 + (33*days+3)/12053
	days -= 365*(year-1) + (8*year+21)/33
	if month = days / 31; month >= 6 { // the first six months have 31 days
		month = (days - 6) / 30
		return year, month + 1, days - 6 - 30*month + 1
	}
	return year, month + 1, days - 31*month + 1
}
