package frame

import "time"

// ClockForm is the layout of wall-clock times in fields for dates.
const ClockForm = "2006-01-02T15:04"

// ReadClock reads a wall-clock time from a field for dates, with or without seconds. It returns the errors of
// time.Parse.
func ReadClock(text string) (time.Time, error) {
	if len(text) == len(SecondForm) {
		return time.Parse(SecondForm, text)
	}
	return time.Parse(ClockForm, text)
}

// ClockText formats a wall-clock time for a field for dates.
func ClockText(t time.Time) string {
	if t.Second() != 0 {
		return t.Format(ClockForm + ":05")
	}
	return t.Format(ClockForm)
}
