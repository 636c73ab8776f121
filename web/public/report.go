package public

import (
	"context"
	"net/url"
	"reflect"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

var reportTable = args.TableOf(reflect.TypeFor[submissions.ReportFields]())

// reportFields are the fields of the form in order.
var reportFields = []string{"text", "email"}

// reportOf returns the path of the page on which a mistake in an event is reported.
func reportOf(e *calendar.Event) string { return e.Path() + "mistake/" }

// hears reports whether the site accepts reports of mistakes.
func (w *Pages) hears(ctx context.Context) bool {
	return w.submissions != nil && ui.SiteOf(ctx).Settings.Reports
}

// reported returns the event that a report is about. It does not find events with a password, because the form does not ask
// for one.
func (w *Pages) reported(ctx context.Context, a asked) (*calendar.Event, error) {
	if !w.hears(ctx) {
		return nil, calendar.ErrNotFound
	}
	a.password = ""
	return w.find(ctx, a)
}

// askReport shows the form.
func (w *Pages) askReport(ctx context.Context, a asked) (*shown, error) {
	e, err := w.reported(ctx, a)
	if err != nil {
		return nil, err
	}
	if to := moved(ctx, a, reportOf(e)); to != nil {
		to.passing = movedTo(a, e)
		return to, nil
	}
	answer := reportForm(ctx, e, &submission{names: reportFields, values: url.Values{}}, 0)
	answer.version = e.Version
	return answer, nil
}

// reportForm renders the form in its current state. A form with input is never cached.
func reportForm(ctx context.Context, e *calendar.Event, f *submission, status int) *shown {
	f.path = reportOf(e)
	return &shown{page: reportFrame(ctx, e), body: reportPage(e, f), status: status, secret: status != 0}
}

func reportFrame(ctx context.Context, e *calendar.Event) *page {
	p := &page{title: ui.Say(ctx, "report"), path: reportOf(e), robots: "noindex, nofollow", sheet: "submit.css"}
	p.in = func(language string) string { return reportOf(e.In(ui.SiteOf(ctx), language)) }
	return p
}

// report processes the form.
func (w *Pages) report(ctx context.Context, a asked) (*shown, error) {
	if a.foreign {
		return nil, tenancy.ErrForbidden
	}
	e, err := w.reported(ctx, a)
	if err != nil {
		return nil, err
	}
	thanks := &shown{page: reportFrame(ctx, e), body: reportedPage(e), secret: true}
	if a.form.Get(lure) != "" { // bots must not learn why
		return thanks, nil
	}
	f := &submission{names: reportFields, values: a.form}
	fields := &submissions.ReportFields{}
	values := args.Values{"text": f.values.Get("text")}
	if email := f.values.Get("email"); email != "" {
		values["email"] = email
	}
	err = reportTable.Parse(values, args.Creating, fields)
	if err == nil {
		err = w.submissions.Report(ctx, calendar.Key{ID: e.ID}, fields)
	}
	if err == nil {
		return thanks, nil
	}
	if status := f.failed(ctx, err); status != 0 {
		return reportForm(ctx, e, f, status), nil
	}
	return nil, err
}

// privacyOfReports explains what happens to the address of somebody who reports a mistake.
func privacyOfReports(ctx context.Context) string {
	return ui.SayWith(ctx, "report.privacy", "Days", ui.DatesIn(ctx).Number(int(submissions.ReportLife.Hours()/24)))
}
