package frame

import (
	"context"

	"github.com/kalends/kalends/calendar/attention"
)

// WaitsAt returns the path of the page where people handle waiting items of a kind; "" means all kinds.
func WaitsAt(kind attention.Kind) string {
	switch kind {
	case attention.Submission:
		return AdminRoot + "/submissions"
	case attention.Review:
		return AdminRoot + "/events?view=pending"
	case attention.Returned:
		return AdminRoot + "/events?view=draft"
	case attention.Report:
		return AdminRoot + "/submissions/mistakes"
	case attention.Stale:
		return AdminRoot + "/events?view=confirm"
	case attention.Source:
		return AdminRoot + "/sources"
	case attention.Invitation:
		return AdminRoot + "/users"
	}
	return AdminRoot + "/desk"
}

// waits returns the number of items that wait in a section of the navigation.
func (s *shell) waits(section string) int {
	switch section {
	case "submissions":
		return s.waiting[attention.Submission] + s.waiting[attention.Report]
	case "events":
		return s.waiting[attention.Review] + s.waiting[attention.Returned] + s.waiting[attention.Stale]
	case "sources":
		return s.waiting[attention.Source]
	case "users":
		return s.waiting[attention.Invitation]
	}
	return 0
}

// waitsIn returns the number of items that wait in all sections.
func (s *shell) waitsIn(list []group) (n int) {
	for _, g := range list {
		for _, d := range g.sections {
			n += s.waits(d.name)
		}
	}
	return n
}

// mostWaiting is the highest number that is shown exactly.
const mostWaiting = attention.MostStale - 1

// waitsText is the text of a number of waiting items.
func waitsText(ctx context.Context, n int) string {
	if n > mostWaiting {
		return Number(ctx, mostWaiting) + "+"
	}
	return Number(ctx, n)
}
