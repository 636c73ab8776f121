package frame

import (
	"context"
	"time"

	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/web/ui"
)

// Mistakes is the address of the page of the mistakes that visitors have reported.
const Mistakes = AdminRoot + "/submissions/mistakes"

// reportDate returns the date of the occurrence that a report is about.
func reportDate(ctx context.Context, r *submissions.Report) string {
	day, err := time.Parse(time.DateOnly, r.Day)
	if err != nil {
		return r.Day
	}
	return ui.DatesIn(ctx).Short(day)
}
