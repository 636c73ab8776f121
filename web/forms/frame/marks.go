package frame

import (
	"context"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/ui"
)

// marks returns the text keys of an event's special states.
func marks(e *calendar.Event) []string {
	var list []string
	if e.Status != calendar.Publish {
		list = append(list, "status."+string(e.Status))
	}
	happening := HappeningMark(e)
	for _, m := range []struct {
		is  bool
		key string
	}{
		{e.Status == calendar.Draft && e.ReviewNote != "", "mark.returned"},
		{happening != "", happening},
		{e.Featured, "mark.featured"},
		{e.Sticky, "mark.sticky"},
		{e.Hidden, "mark.hidden"},
		{e.Protected(), "mark.protected"},
	} {
		if m.is {
			list = append(list, m.key)
		}
	}
	return list
}

// HappeningMark returns the text key that says that an event does not take place as planned, or "".
func HappeningMark(e *calendar.Event) string {
	switch {
	case e.Happening.Cancelled():
		return "mark.cancelled"
	case e.Happening.Status == "postponed", e.Happening.Status == "rescheduled":
		return "mark." + e.Happening.Status
	}
	return ""
}

// Moved says from when an event was moved: a date of a series from when the rule has it, another event from when it was planned
// originally. It returns "" if the event was not moved.
func Moved(ctx context.Context, e *calendar.Event) string {
	previous := e.Previously()
	var by time.Time
	switch {
	case !previous.IsZero():
		by = ui.WallAt(previous, ui.ZoneOf(e))
	case e.Series == nil:
		return ""
	default:
		by = e.Series.OriginalStart
		if e.Start.Equal(by) || args.Resolve(by, ui.ZoneOf(e)).Equal(e.StartUTC) { // only a skipped hour moved it
			return ""
		}
	}
	l := ui.DatesIn(ctx)
	when := l.Short(by)
	if !e.AllDay {
		when = l.At(when, l.Time(by))
	}
	return TellWith(ctx, "dates.moved", "When", when)
}
