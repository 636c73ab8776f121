package frame

import "time"

// ClockForm is how fields for dates hold them.
const ClockForm = "2006-01-02T15:04"

// ClockText is a wall-clock time as fields for dates hold it.
func ClockText(t time.Time) string {
	if t.Second() != 0 {
		return t.Format(ClockForm + ":05")
	}
	return t.Format(ClockForm)
}
