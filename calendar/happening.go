package calendar

import (
	"time"

	"github.com/kalends/kalends/internal/args"
)

// Schema returns the schema.org EventStatusType of the status.
func (h Happening) Schema() string {
	switch h.Status {
	case "cancelled":
		return "EventCancelled"
	case "postponed":
		return "EventPostponed"
	case "rescheduled":
		return "EventRescheduled"
	}
	return "EventScheduled"
}

// Schema returns the schema.org EventAttendanceModeEnumeration of the mode.
func (a Attendance) Schema() string {
	switch a.Mode {
	case "online":
		return "OnlineEventAttendanceMode"
	case "mixed":
		return "MixedEventAttendanceMode"
	}
	return "OfflineEventAttendanceMode"
}

// Schema returns the schema.org type of the event.
func (e *Event) Schema() string {
	if e.Recurring() {
		return "EventSeries"
	}
	return "Event"
}

// Previously returns the original start of a rescheduled event or a moved occurrence as an instant, or the zero time.
func (e *Event) Previously() time.Time {
	if !e.PreviousStart.IsZero() {
		return e.PreviousStart
	}
	if e.Series == nil || e.Happening.Status != "rescheduled" {
		return time.Time{}
	}
	was := args.Resolve(e.Series.OriginalStart, e.Clock().Zone)
	if was.Equal(e.StartUTC) {
		return time.Time{}
	}
	return was.UTC()
}

// OnlineAt returns the URL for attending online, if a reader may see it at a time. It also returns when that
// changes, or the zero time if it never does. Editors of the event always see it.
func (e *Event) OnlineAt(now time.Time, editor bool) (address string, changes time.Time) {
	switch {
	case e.Attendance.URL == "" || editor || e.Attendance.Shown == "" || e.Attendance.Shown == "always":
		return e.Attendance.URL, time.Time{}
	case e.Attendance.Shown == "never" || e.Recurring(): // each occurrence has its own start and has the URL
		return "", time.Time{}
	case now.Before(e.StartUTC):
		return "", e.StartUTC
	}
	return e.Attendance.URL, time.Time{}
}
