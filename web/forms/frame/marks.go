package frame

import "github.com/kalends/kalends/calendar"

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
