package calendar

import (
	"time"

	"github.com/kalends/kalends/args"
)

// Schema returns the name of the status at schema.org, EventStatusType.
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

// Schema returns the name of the mode at schema.org, EventAttendanceModeEnumeration.
func (a Attendance) Schema() string {
	switch a.Mode {
	case "online":
		return "OnlineEventAttendanceMode"
	case "mixed":
		return "MixedEventAttendanceMode"
	}
	return "OfflineEventAttendanceMode"
}

// Schema returns the name of what the event is at schema.org.
func (e *Event) Schema() string {
	if e.Recurring() {
		return "EventSeries"
	}
	return "Event"
}

// Previously returns the instant at which a rescheduled event was to start, or an
// occurrence that was moved; the zero time where there is none.
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

// OnlineAt returns the address to take part at, as a reader may see it at a
// moment, and when that changes: the zero time for never. Who may edit the event
// sees it always.
func (e *Event) OnlineAt(now time.Time, editor bool) (address string, changes time.Time) {
	switch {
	case e.Attendance.URL == "" || editor || e.Attendance.Shown == "" || e.Attendance.Shown == "always":
		return e.Attendance.URL, time.Time{}
	case e.Attendance.Shown == "never" || e.Recurring(): // what starts is each occurrence, which tells it
		return "", time.Time{}
	case now.Before(e.StartUTC):
		return "", e.StartUTC
	}
	return e.Attendance.URL, time.Time{}
}
