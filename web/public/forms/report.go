package forms

import (
	"context"
	"net/url"
	"reflect"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

var reportTable = args.TableOf(reflect.TypeFor[submissions.ReportFields]())

// reportFields are the fields of the form in order.
var reportFields = []string{"text", "email"}

// reportOf returns the path of the page for reporting a mistake on another page.
func reportOf(path string) string { return path + "mistake/" }

// hears reports whether the site accepts reports of mistakes.
func (w *Pages) hears(ctx context.Context) bool {
	return w.submissions != nil && ui.SiteOf(ctx).Settings.Reports
}

// Hear lets visitors report mistakes on a page.
func (w *Pages) Hear(ctx context.Context, p *layout.Page) {
	if w.hears(ctx) {
		p.Report = reportOf(p.Path)
	}
}

// Reported is the event, venue or organizer that a report is about.
type Reported struct {
	submissions.Subject
	Title   string
	Given   string                       // language of the title
	Event   *calendar.Event              // nil if it is none
	In      func(language string) string // path of its page in a language
	Path    string                       // of its page
	Version int64
	Passing bool // the path leads there only temporarily
}

// finding finds the event, venue or organizer of a report.
type finding func(context.Context, layout.Asked) (*Reported, error)

// AskReport shows the form.
func (w *Pages) AskReport(find finding) layout.Handler {
	return func(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
		if !w.hears(ctx) {
			return nil, calendar.ErrNotFound
		}
		r, err := find(ctx, a)
		if err != nil {
			return nil, err
		}
		if to := layout.Moved(ctx, a, reportOf(r.Path)); to != nil {
			to.Passing = r.Passing
			return to, nil
		}
		answer := reportForm(ctx, r, &submission{names: reportFields, values: url.Values{}}, 0)
		answer.Version = r.Version
		return answer, nil
	}
}

// reportForm renders the form in its current state. A form with input is never cached.
func reportForm(ctx context.Context, r *Reported, f *submission, status int) *layout.Shown {
	f.path = reportOf(r.Path)
	return &layout.Shown{Page: reportFrame(ctx, r), Body: reportPage(r, f), Status: status, Secret: status != 0}
}

func reportFrame(ctx context.Context, r *Reported) *layout.Page {
	p := &layout.Page{Title: ui.Say(ctx, "report"), Path: reportOf(r.Path), Robots: "noindex, nofollow", Sheet: "submit.css"}
	p.In = func(language string) string { return reportOf(r.In(language)) }
	return p
}

// Report processes the form.
func (w *Pages) Report(find finding) layout.Handler {
	return func(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
		switch {
		case a.Foreign:
			return nil, tenancy.ErrForbidden
		case !w.hears(ctx):
			return nil, calendar.ErrNotFound
		}
		r, err := find(ctx, a)
		if err != nil {
			return nil, err
		}
		f := &submission{names: reportFields, values: a.Form}
		if a.Form.Get(lure) == "" { // bots must not learn why
			err = w.keepReport(ctx, r, f)
		}
		if err == nil {
			return &layout.Shown{Page: reportFrame(ctx, r), Body: reportedPage(r), Secret: true}, nil
		}
		if status := f.failed(ctx, err); status != 0 {
			return reportForm(ctx, r, f, status), nil
		}
		return nil, err
	}
}

// keepReport stores the report in a form.
func (w *Pages) keepReport(ctx context.Context, r *Reported, f *submission) error {
	fields := &submissions.ReportFields{}
	values := args.Values{"text": f.values.Get("text")}
	if email := f.values.Get("email"); email != "" {
		values["email"] = email
	}
	if err := reportTable.Parse(values, args.Creating, fields); err != nil {
		return err
	}
	return w.submissions.Report(ctx, r.Subject, fields)
}

// privacyOfReports explains what happens to the address of somebody who reports a mistake.
func privacyOfReports(ctx context.Context) string {
	return ui.SayWith(ctx, "report.privacy", "Days", ui.DatesIn(ctx).Number(int(submissions.ReportLife.Hours()/24)))
}
