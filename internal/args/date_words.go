package args

import "time"

// dateUnit is a unit of relative phrases: its length in seconds, or a negative value for a calendar unit without a
// fixed length.
type dateUnit int

const (
	unitMonth dateUnit = -1 - iota
	unitYear
	unitDay
	unitWeek
)

var dateUnits = map[string]dateUnit{
	"sec": 1, "secs": 1, "second": 1, "seconds": 1,
	"min": 60, "mins": 60, "minute": 60, "minutes": 60,
	"hour": 3600, "hours": 3600,
	"day": unitDay, "days": unitDay,
	"week": unitWeek, "weeks": unitWeek,
	"month": unitMonth, "months": unitMonth,
	"year": unitYear, "years": unitYear,
}

var dateMonths = map[string]time.Month{
	"jan": 1, "january": 1, "feb": 2, "february": 2, "mar": 3, "march": 3,
	"apr": 4, "april": 4, "may": 5, "jun": 6, "june": 6, "jul": 7, "july": 7,
	"aug": 8, "august": 8, "sep": 9, "sept": 9, "september": 9,
	"oct": 10, "october": 10, "nov": 11, "november": 11, "dec": 12, "december": 12,
}

var dateWeekdays = map[string]time.Weekday{
	"sun": 0, "sunday": 0, "mon": 1, "monday": 1, "tue": 2, "tues": 2, "tuesday": 2,
	"wed": 3, "wednesday": 3, "thu": 4, "thur": 4, "thurs": 4, "thursday": 4,
	"fri": 5, "friday": 5, "sat": 6, "saturday": 6,
}

var dateOrdinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1,
}

// dateZones are the zones of RFC 2822 §4.3 in hours east of UTC.
var dateZones = map[string]int{
	"z": 0, "utc": 0, "ut": 0, "gmt": 0,
	"est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
}
