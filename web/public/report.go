package public

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

// hear lets visitors report mistakes on a page.
func (w *Pages) hear(ctx context.Context, p *layout.Page) {
	if w.hears(ctx) {
		p.Report = reportOf(p.Path)
	}
}

// reported is what a report is about.
type reported struct {
	submissions.Subject
	title   string
	given   string                       // language of the title
	event   *calendar.Event              // nil if it is none
	in      func(language string) string // path of its page in a language
	path    string                       // of its page
	version int64
	passing bool // the path leads there only temporarily
}

// finding finds what a report is about.
type finding func(context.Context, layout.Asked) (*reported, error)

// ofEvent finds an event. It does not find events with a password, because the form cannot ask for one.
func (w *Pages) ofEvent(ctx context.Context, a layout.Asked) (*reported, error) {
	a.Password = ""
	e, err := w.find(ctx, a)
	if err != nil {
		return nil, err
	}
	return &reported{Subject: submissions.Subject{Kind: "event", ID: e.ID}, title: e.Title, given: e.Given.Title, event: e, path: e.Path(),
		in:      func(language string) string { return e.In(ui.SiteOf(ctx), language).Path() },
		version: e.Version, passing: movedTo(a, e)}, nil
}

func (w *Pages) ofVenue(ctx context.Context, a layout.Asked) (*reported, error) {
	v, err := w.venueOf(ctx, a)
	if err != nil {
		return nil, err
	}
	return &reported{Subject: submissions.Subject{Kind: "venue", ID: v.ID}, title: v.Name, given: v.Given.Title, path: ui.VenuePath(v),
		in: func(language string) string { return ui.VenuePath(v.In(ui.SiteOf(ctx), language)) }, version: v.Version}, nil
}

func (w *Pages) ofOrganizer(ctx context.Context, a layout.Asked) (*reported, error) {
	o, err := w.organizerOf(ctx, a)
	if err != nil {
		return nil, err
	}
	return &reported{
		Subject: submissions.Subject{Kind: "organizer", ID: o.ID},
		title:   o.Name,
		given:   o.Given.Title,
		path:    ui.OrganizerPath(o),
		in:      func(language string) string { return ui.OrganizerPath(o.In(ui.SiteOf(ctx), language)) },
		version: o.Version,
	}, nil
}

// askReport shows the form.
func (w *Pages) askReport(find finding) layout.Handler {
	return func(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
		if !w.hears(ctx) {
			return nil, calendar.ErrNotFound
		}
		r, err := find(ctx, a)
		if err != nil {
			return nil, err
		}
		if to := layout.Moved(ctx, a, reportOf(r.path)); to != nil {
			to.Passing = r.passing
			return to, nil
		}
		answer := reportForm(ctx, r, &submission{names: reportFields, values: url.Values{}}, 0)
		answer.Version = r.version
		return answer, nil
	}
}

// reportForm renders the form in its current state. A form with input is never cached.
func reportForm(ctx context.Context, r *reported, f *submission, status int) *layout.Shown {
	f.path = reportOf(r.path)
	return &layout.Shown{Page: reportFrame(ctx, r), Body: reportPage(r, f), Status: status, Secret: status != 0}
}

func reportFrame(ctx context.Context, r *reported) *layout.Page {
	p := &layout.Page{Title: ui.Say(ctx, "report"), Path: reportOf(r.path), Robots: "noindex, nofollow", Sheet: "submit.css"}
	p.In = func(language string) string { return reportOf(r.in(language)) }
	return p
}

// report processes the form.
func (w *Pages) report(find finding) layout.Handler {
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
func (w *Pages) keepReport(ctx context.Context, r *reported, f *submission) error {
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
