package review

import (
	"context"
	"errors"
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
)

// reports is a page of the mistakes that visitors have reported.
type reports struct {
	page   calendar.Page[submissions.Report]
	at     int
	length int
}

// listReports shows the mistakes that visitors have reported.
func (w *Pages) listReports(v *frame.Visit) (*frame.Reply, error) {
	paging := &calendar.Paging{}
	if n, err := strconv.Atoi(v.Query.Get("page")); err == nil && n > 1 && n < 1e6 {
		paging.Page = args.Some(n)
	}
	page, q, err := w.submissions.Reports(v.Ctx, paging)
	if err != nil {
		return nil, err
	}
	b := &reports{page: page, at: q.Page, length: q.PerPage}
	if len(page.Items) == 0 && b.at > 1 {
		return &frame.Reply{Redirect: frame.Mistakes}, nil
	}
	return &frame.Reply{Title: frame.Tell(v.Ctx, "reports"), Section: "submissions", Body: reportsPage(b)}, nil
}

// Reported returns the number of reported mistakes that wait for a decision.
func (w *Pages) Reported(ctx context.Context) (int, error) {
	page, _, err := w.submissions.Reports(ctx, &calendar.Paging{PerPage: args.Some(1)})
	return page.Total, err
}

// address is the address of a page of the list.
func (b *reports) address(page int) string {
	if page > 1 {
		return frame.Mistakes + "?page=" + strconv.Itoa(page)
	}
	return frame.Mistakes
}

func (b *reports) pages() int { return (b.page.Total + b.length - 1) / b.length }

// decideReport stores the editor's decision on a report. It does not override a decision that someone else has made in
// the meantime.
func (w *Pages) decideReport(v *frame.Visit) (*frame.Reply, error) {
	verdict := submissions.Verdict(v.Form.Get("do"))
	if verdict != submissions.Corrected && verdict != submissions.Dismissed {
		return &frame.Reply{Redirect: frame.Mistakes}, nil
	}
	err := w.submissions.DecideReport(v.Ctx, v.Form.Get("report"), verdict)
	if errors.Is(err, submissions.ErrSettled) {
		return &frame.Reply{Redirect: frame.Mistakes, Say: "report.settled"}, nil
	}
	if err != nil {
		return nil, err
	}
	return &frame.Reply{Redirect: frame.Mistakes, Say: "saved"}, nil
}
