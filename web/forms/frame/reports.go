package frame

import (
	"context"
	"errors"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/web/ui"
)

// Mistakes is the address of the page of the mistakes that visitors have reported.
const Mistakes = AdminRoot + "/submissions/mistakes"

// FormID is the ID of the form of an item, to which the boxes of reported mistakes above it belong.
const FormID = "item"

// tickedReports is the name of the boxes of reported mistakes in the form of an item.
const tickedReports = "corrected"

// TickReports marks the reported mistakes as done that are ticked in a form, after the form was saved. It returns the reply with a sentence
// about that, or the reply as it is if the form was not saved or no report waits any more.
func TickReports(v *Visit, r *Reply, s *submissions.Service) (*Reply, error) {
	if r == nil || r.Redirect == "" || r.Say == "" {
		return r, nil
	}
	done := false
	for _, id := range v.Form.All(tickedReports) {
		err := s.DecideReport(v.Ctx, id, submissions.Corrected)
		if err != nil && !errors.Is(err, submissions.ErrSettled) && !errors.Is(err, calendar.ErrNotFound) {
			return nil, err
		}
		done = done || err == nil
	}
	if done {
		r.Say += withReports
	}
	return r, nil
}

// reportDate returns the date of the occurrence that a report is about.
func reportDate(ctx context.Context, r *submissions.Report) string {
	day, err := time.Parse(time.DateOnly, r.Day)
	if err != nil {
		return r.Day
	}
	return ui.DatesIn(ctx).Short(day)
}
