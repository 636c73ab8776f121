// Package forms has the pages whose forms visitors send: events that they submit, mistakes that they report, and the letters that
// they subscribe to.
package forms

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/newsletters"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// Pages are the pages with forms.
type Pages struct {
	calendar    *services.Calendar
	layout      *layout.Pages
	submissions *submissions.Service // nil: not accepted
	letters     *newsletters.Service // nil: none are sent
}

// New returns the pages.
func New(c *services.Calendar, l *layout.Pages, s *submissions.Service, n *newsletters.Service) *Pages {
	return &Pages{calendar: c, layout: l, submissions: s, letters: n}
}

// Routes are the routes of the forms, except of those about a mistake on a page.
func (w *Pages) Routes() []layout.Route {
	return []layout.Route{
		layout.At("/submit", w.askSubmission),
		layout.At("/submit/sent", w.sent),
		layout.At("/events/by-mail", w.askByMail),
		layout.At("/events/by-mail/confirm", w.askConfirm),
		layout.At("/events/by-mail/leave", w.askLeave),
	}
}

// Forms are the routes that accept these forms.
func (w *Pages) Forms() []layout.Route {
	return []layout.Route{
		layout.At("/submit", w.submit),
		layout.At("/submit/sent", w.changeSent),
		layout.At("/events/by-mail", w.subscribeByMail),
		layout.At("/events/by-mail/confirm", w.confirmByMail),
		layout.At("/events/by-mail/leave", w.leaveByMail),
	}
}

// Limits of the choices offered in the submission form.
const (
	venuesOffered     = 300
	categoriesOffered = 200
)

// lure is a hidden form field that only bots fill in (honeypot).
const lure = "homepage"

// submission is a form that visitors fill in: to submit an event, to report a mistake in one, or to subscribe to
// letters.
type submission struct {
	names      []string // of its fields in order
	path       string   // where the form is sent
	code       string   // token of an existing submission; "" for a new one
	sent       *submissions.Submission
	values     url.Values
	problems   map[string]string // by field
	notice     string            // a problem with no particular field
	saved      bool
	lost       bool // an image was chosen, and must be chosen again
	venues     []calendar.Named
	categories []*calendar.Term
	terms      []string // as paragraphs
	writes     bool     // senders get emails
}

var submissionTable = args.TableOf(reflect.TypeFor[submissions.Fields]())

// submissionFields are the form fields in order.
var submissionFields = []string{"title", "all_day", "start_date", "start_time", "end_date", "end_time", "venue", "address", "city",
	"description", "file", "cost", "website", "category", "note", "contact_name", "contact_email", "terms"}

// takes reports whether the site accepts submissions.
func (w *Pages) takes(ctx context.Context) bool {
	return w.submissions != nil && ui.SiteOf(ctx).Settings.Submissions.On
}

// askSubmission shows the form.
func (w *Pages) askSubmission(ctx context.Context, _ layout.Asked) (*layout.Shown, error) {
	if !w.takes(ctx) {
		return nil, calendar.ErrNotFound
	}
	return w.submissionForm(ctx, &submission{names: submissionFields, values: url.Values{}}, 0)
}

// submissionForm renders the form in its current state.
func (w *Pages) submissionForm(ctx context.Context, f *submission, status int) (*layout.Shown, error) {
	offers, err := w.calendar.Offers(ctx, calendar.OfferQuery{Venues: venuesOffered, Categories: categoriesOffered})
	if err != nil && f.notice == "" {
		return nil, err
	}
	if err == nil {
		f.venues, f.categories = offers.Venues, offers.Categories
	}
	f.writes = w.submissions.Writes()
	if text := tenancy.Current(ctx).Words().Terms; text != "" && f.code == "" {
		f.terms = strings.Split(text, "\n")
	}
	p := &layout.Page{Title: ui.Say(ctx, "submit"), Section: "submit", Sheet: "submit.css"}
	f.path = "/submit/"
	if f.code == "" {
		p.Path = f.path
		return &layout.Shown{Page: p, Body: submissionPage(f), Status: status, Secret: true}, nil
	}
	f.path = "/submit/sent/"
	p.Path, p.Query = f.path, codeQuery(f.code)
	return &layout.Shown{Page: p, Body: sentPage(f), Status: status, Secret: true, Unseen: true}, nil
}

// submit processes the form.
func (w *Pages) submit(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	switch {
	case !w.takes(ctx):
		return nil, calendar.ErrNotFound
	case a.Foreign:
		return nil, tenancy.ErrForbidden
	}
	f := &submission{names: submissionFields, values: a.Form}
	if a.Form.Get(lure) != "" { // bots must not learn why
		made := &submissions.Submission{Status: submissions.Unconfirmed}
		made.Email = a.Form.Get("contact_email")
		return w.thanks(ctx, made, "")
	}
	fields, err := f.read()
	if err != nil {
		return w.refusal(ctx, f, a, err)
	}
	picture := pictureOf(a)
	made, token, err := w.submissions.Send(ctx, fields, picture)
	if err != nil {
		return w.refusal(ctx, f, a, err)
	}
	return w.thanks(ctx, made, token)
}

// thanks explains the next steps and shows possible duplicates in the calendar.
func (w *Pages) thanks(ctx context.Context, made *submissions.Submission, token string) (*layout.Shown, error) {
	p := &layout.Page{Title: ui.Say(ctx, "submit"), Path: "/submit/", Robots: "noindex", Sheet: "submit.css"}
	link := ""
	if made.Status != submissions.Unconfirmed {
		link = ui.Whole(ctx, submissions.SentPath(token))
	}
	var known []*calendar.Event
	if made.Title != "" {
		known, _ = w.submissions.Known(ctx, &made.Sent) // the submission is stored anyway
	}
	return &layout.Shown{Page: p, Body: thanksPage(made, link, known), Secret: true}, nil
}

// read parses the form. Problems are *args.Problems.
func (f *submission) read() (*submissions.Fields, error) {
	values := args.Values{}
	for _, name := range submissionFields {
		text := strings.TrimSpace(f.values.Get(name))
		if text == "" || name == "file" || strings.HasSuffix(name, "_time") {
			continue
		}
		if time := strings.TrimSpace(f.values.Get(strings.TrimSuffix(name, "_date") + "_time")); strings.HasSuffix(name, "_date") &&
			time != "" && !f.whole() {
			text += " " + time
		}
		values[name] = text
	}
	if end, time := f.values.Get("end_date"), f.values.Get("end_time"); end == "" && time != "" && !f.whole() {
		values["end_date"] = f.values.Get("start_date") + " " + time // on the same day
	}
	fields, found := &submissions.Fields{}, &args.Problems{}
	err := found.Add(submissionTable.ParseAll(values, args.Creating, fields))
	if err == nil && f.values.Get("start_time") == "" && !f.whole() {
		found.Missing("start_time")
	}
	if err != nil {
		return nil, err
	}
	return fields, found.Err()
}

// whole reports whether the event is all-day.
func (f *submission) whole() bool { return f.values.Get("all_day") == "1" }

// pictureOf returns the attached image, or nil.
func pictureOf(a layout.Asked) *submissions.Picture {
	for _, file := range a.Files["file"] {
		if file.Size > 0 {
			return &submissions.Picture{Name: file.Filename, Content: file.Open()}
		}
	}
	return nil
}

// refusal shows the form again with problems and input, also after an internal error.
func (w *Pages) refusal(ctx context.Context, f *submission, a layout.Asked, err error) (*layout.Shown, error) {
	if errors.Is(err, submissions.ErrSettled) || errors.Is(err, submissions.ErrUnconfirmed) {
		return &layout.Shown{Redirect: ui.Href(ctx, submissions.SentPath(f.code)), Passing: true}, nil
	}
	status := f.failed(ctx, err)
	if status == 0 {
		return nil, err
	}
	f.lost = pictureOf(a) != nil
	return w.submissionForm(ctx, f, status)
}

// failed adds the problems of an error to the form, and returns the status of the response. It returns 0 for errors that the
// form does not explain.
func (f *submission) failed(ctx context.Context, err error) (status int) {
	status = http.StatusUnprocessableEntity
	var limit *tenancy.LimitError
	var found *args.Problems
	var busy *calendar.BusyError
	switch {
	case errors.As(err, &found):
		f.refuse(ctx, found)
	case errors.Is(err, submissions.ErrManySent), errors.Is(err, newsletters.ErrMany):
		f.notice, status = i18n.T(ctx, "public.error.429.text", nil), http.StatusTooManyRequests
	case errors.As(err, &limit):
		f.notice, status = i18n.T(ctx, limit.Key(), limit.Data()), http.StatusForbidden
	case errors.Is(err, submissions.ErrLetter):
		f.notice, status = ui.SayWith(ctx, "submit.unsent", "Email", f.values.Get("contact_email")), http.StatusServiceUnavailable
	case errors.As(err, &busy):
		f.notice, status = i18n.T(ctx, "error.images-busy", nil), http.StatusTooManyRequests
	case errors.Is(err, calendar.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		f.notice, status = i18n.T(ctx, "public.error.503.text", nil), http.StatusServiceUnavailable
	default:
		return 0
	}
	return status
}

// refuse assigns problems to their fields.
func (f *submission) refuse(ctx context.Context, found *args.Problems) {
	f.problems = map[string]string{}
	for _, name := range found.Absent() {
		f.problems[name] = i18n.T(ctx, "admin.required", nil)
	}
	for _, one := range found.Broken() {
		name := one.Arg
		if name == "image" {
			name = "file"
		}
		if !slices.Contains(f.names, name) {
			name = f.names[0]
		}
		f.problems[name] = ui.Problem(ctx, one, true)
	}
}

// wrongs returns the fields with problems in order.
func (f *submission) wrongs() []string {
	return slices.DeleteFunc(slices.Clone(f.names), func(name string) bool { return f.problems[name] == "" })
}

// described returns the attributes that associate a field with its problem. The first such field gets the focus.
func (f *submission) described(name string, notes ...string) templ.Attributes {
	a := templ.Attributes{}
	if f.problems[name] != "" {
		notes = append(notes, "p-"+name)
		a["aria-invalid"] = "true"
		if f.wrongs()[0] == name {
			a["autofocus"] = true
		}
	}
	if len(notes) > 0 {
		a["aria-describedby"] = strings.Join(notes, " ")
	}
	return a
}

// notes returns the IDs of the notes below a field: one that says what happens with the sender's address, if they get e-mails.
func (f *submission) notes(name string) []string {
	if name != "contact_email" || !f.writes {
		return nil
	}
	return []string{"h-contact_email"}
}

// labels are the text keys of labels shared with other forms.
var labels = map[string]string{"title": "admin.field.event.title", "all_day": "admin.field.event.all_day",
	"start_date": "admin.field.calendar.date", "end_date": "admin.field.calendar.date", "start_time": "public.submit.time",
	"end_time": "public.submit.time", "venue": "public.venue", "address": "admin.field.address", "city": "admin.field.city",
	"description": "admin.field.description", "file": "admin.field.image", "cost": "public.cost", "website": "public.website",
	"category": "public.category", "note": "public.submit.note", "contact_name": "admin.field.name", "contact_email": "admin.field.email",
	"terms": "public.submit.agree", "text": "public.report.what", "email": "public.report.email"}

func (f *submission) label(ctx context.Context, name string) string {
	return i18n.T(ctx, labels[name], nil)
}

// about returns the name of a field in the list of problems. Dates, times and contact data are preceded by the name of their
// group.
func (f *submission) about(ctx context.Context, name string) string {
	text := f.label(ctx, name)
	for start, key := range map[string]string{"start_": "admin.field.event.start_date", "end_": "admin.field.event.end_date",
		"contact_": "public.submit.contact"} {
		if strings.HasPrefix(name, start) {
			text = i18n.T(ctx, key, nil) + ": " + text
		}
	}
	return text
}

// sent shows senders their submission and its status.
func (w *Pages) sent(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	if w.submissions == nil {
		return nil, calendar.ErrNotFound
	}
	return w.showSent(ctx, a.Query("code"), false)
}

func (w *Pages) showSent(ctx context.Context, code string, saved bool) (*layout.Shown, error) {
	sub, err := w.submissions.Find(ctx, code)
	if errors.Is(err, calendar.ErrNotFound) {
		p := &layout.Page{Title: i18n.T(ctx, "admin.voucher.over", nil), Path: "/submit/", Sheet: "submit.css"}
		return &layout.Shown{Page: p, Body: sentOverPage(), Status: http.StatusGone, Secret: true, Unseen: true}, nil
	}
	if err != nil {
		return nil, err
	}
	return w.submissionForm(ctx, &submission{names: submissionFields, code: code, sent: sub, saved: saved, values: valuesOf(&sub.Sent)}, 0)
}

// valuesOf returns the form fields of a submission.
func valuesOf(t *submissions.Sent) url.Values {
	values := url.Values{"title": {t.Title}, "venue": {t.Venue}, "address": {t.Address}, "city": {t.City}, "description": {t.Description},
		"cost": {t.Cost}, "website": {t.Website}, "note": {t.Note}, "contact_name": {t.Name}, "contact_email": {t.Email}}
	if t.Category != 0 {
		values.Set("category", layout.IDText(t.Category))
	}
	for name, text := range map[string]string{"start": t.Start, "end": t.End} {
		if at, err := time.Parse(time.DateTime, text); err == nil {
			values.Set(name+"_date", at.Format(time.DateOnly))
			if !t.AllDay {
				values.Set(name+"_time", at.Format("15:04"))
			}
		}
	}
	if t.AllDay {
		values.Set("all_day", "1")
	}
	return values
}

// again is the value of the button that sends a returned submission again.
const again = "again"

// changeSent confirms, corrects or withdraws a submission. It only accepts POST, so that programs that follow links
// have no effect.
func (w *Pages) changeSent(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	switch {
	case w.submissions == nil:
		return nil, calendar.ErrNotFound
	case a.Foreign:
		return nil, tenancy.ErrForbidden
	}
	code := a.Form.Get("code")
	sub, err := w.submissions.Find(ctx, code)
	if errors.Is(err, calendar.ErrNotFound) {
		return w.showSent(ctx, code, false)
	}
	if err != nil {
		return nil, err
	}
	f := &submission{names: submissionFields, code: code, sent: sub, values: a.Form}
	switch a.Form.Get("do") {
	case "confirm":
		f.values = valuesOf(&sub.Sent)
		_, err = w.submissions.Confirm(ctx, code)
	case "withdraw":
		f.values = valuesOf(&sub.Sent)
		if sub, err = w.submissions.Withdraw(ctx, code, nil); err == nil {
			f.sent = sub // an unconfirmed submission is deleted
			return w.submissionForm(ctx, f, 0)
		}
	case "correct", again:
		var fields *submissions.Fields
		f.values.Set("contact_email", sub.Email)
		if a.Form.Get("do") != again && sub.Status == submissions.Returned { // the sender has not seen what an editor asks for
			f.lost = pictureOf(a) != nil
			return w.submissionForm(ctx, f, http.StatusConflict)
		}
		if fields, err = f.read(); err == nil {
			picture := pictureOf(a)
			_, err = w.submissions.Correct(ctx, code, fields, picture, nil)
		}
	}
	if err != nil {
		return w.refusal(ctx, f, a, err)
	}
	return w.showSent(ctx, code, a.Form.Get("do") != "confirm")
}

// privacyText explains what happens to the sender's data.
func privacyText(ctx context.Context) string {
	return ui.SayWith(ctx, "submit.privacy", "Days", ui.DatesIn(ctx).Number(int(submissions.SenderLife.Hours()/24)))
}

// sentWhen describes when a submitted event takes place.
func sentWhen(ctx context.Context, s *submissions.Submission) string {
	start, err := time.Parse(time.DateTime, s.Start)
	if err != nil {
		return ""
	}
	end, err := time.Parse(time.DateTime, s.End)
	if err != nil {
		end = start
	}
	return ui.DatesIn(ctx).Span(start, end, s.AllDay, 0)
}

// standing returns the text key of the submission's status.
func (f *submission) standing() string {
	if f.sent.Status == submissions.Accepted {
		return string(submissions.Approved)
	}
	return string(f.sent.Status)
}
