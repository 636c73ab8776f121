package admin

import (
	"context"
	"slices"
	"strings"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
)

// optionTicks are what few events need, as boxes.
var optionTicks = []string{"featured", "sticky", "hide_from_listings", "show_map", "show_map_link"}

// optionsUsed reports whether any of what few events need says something unusual.
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

// ticketsUsed reports whether a form has tickets, or was asked for room for one.
func ticketsUsed(f *frame.Form) bool {
	wrong := false
	for name := range f.Problems {
		wrong = wrong || strings.HasPrefix(name, "tickets")
	}
	return wrong || len(ticketRows(f)) > 0 || f.Get("do") == "row_ticket"
}

// lettersOf says how many letters fit into each argument that has a bound.
func lettersOf(t *args.Table) map[string]int {
	most := map[string]int{}
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Max != nil && f.Declared == "string" {
			most[f.Name] = int(*f.Max)
		}
	}
	return most
}

// happenings are the statuses that an event can have in its form, "" if it takes place as planned.
var happenings = []string{"", "cancelled", "postponed", "rescheduled"}

// happeningIn says whether the event in a form takes place. A value that is no status has its problem beside the field.
func happeningIn(ctx context.Context, f *frame.Form) string {
	status := f.Get("event_status")
	if status == "" || !slices.Contains(happenings, status) {
		status = "usual"
	}
	return frame.Tell(ctx, "happening.status."+status)
}
