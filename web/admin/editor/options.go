package editor

import (
	"context"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// optionTicks are the options that few events need, as tick boxes.
var optionTicks = []string{"featured", "sticky", "hide_from_listings", "show_map", "show_map_link"}

// optionsUsed reports whether one of the options differs from its default or has a problem.
func optionsUsed(ed *eventEditor) bool {
	f := ed.form
	for _, name := range optionTicks {
		if f.Ticked(name) == (name != "show_map" && name != "show_map_link") {
			return true
		}
	}
	return f.Get("post_password") != "" || f.Get("post_parent") != "" || ed.protected() ||
		f.WrongAmong(append([]string{"slug", "post_password", "post_parent"}, optionTicks...)...)
}

// ticketsUsed reports whether the form has tickets or a problem with one.
func ticketsUsed(f *frame.Form) bool {
	wrong := false
	for name := range f.Problems {
		wrong = wrong || strings.HasPrefix(name, "tickets")
	}
	return wrong || len(ticketRows(f)) > 0
}

// lettersOf returns the maximum length of each text argument that has one.
func lettersOf(t *args.Table) map[string]int {
	most := map[string]int{}
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Max != nil && f.Declared == "string" {
			most[f.Name] = int(*f.Max)
		}
	}
	return most
}

// Happenings are the values of event_status that the form offers. "" means that the event takes place as planned.
var Happenings = []string{"", "cancelled", "postponed", "rescheduled"}

// movedFrom says from when the event was moved, or "".
func movedFrom(ctx context.Context, e *calendar.Event) string {
	if e == nil {
		return ""
	}
	return ui.Capital(frame.Moved(ctx, e))
}

// happeningIn is the text of the form's event_status. For an invalid value it is the default, because the field shows the
// problem.
func happeningIn(ctx context.Context, f *frame.Form) string {
	status := f.Get("event_status")
	if status == "" || !slices.Contains(Happenings, status) {
		status = "usual"
	}
	return frame.Tell(ctx, "happening.status."+status)
}
