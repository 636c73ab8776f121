// Package review has the pages on which editors decide about submissions: events that visitors have sent to a site.
package review

import (
	"context"
	"maps"
	"net/url"
	"reflect"
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/history"
	"github.com/kalends/kalends/web/ui"
)

const path = frame.AdminRoot + "/submissions"

// list is a page of the list of submissions.
type list struct {
	status string // waiting or decided
	page   calendar.Page[submissions.Submission]
	at     int
	length int

	decided bool // nothing waits, because everything is decided
	reports int  // number of undecided reports
}

// letter is a submission with possible duplicates.
type letter struct {
	*submissions.Submission
	form    *frame.Form
	similar []*calendar.Event
	writes  bool // the sender has an e-mail address
	late    bool // it was changed after the editor saw it
	changed []history.Difference
	doubts  *editing.Doubts // about publishing it; nil: none

	asked  string               // the note with which it was sent back; "": it was not, or the sender has sent it again
	answer []history.Difference // changes by the sender since then
}

var (
	filterTable  = args.TableOf(reflect.TypeFor[submissions.Filter]())
	refusalTable = args.TableOf(reflect.TypeFor[submissions.RefusalFields]())
	returnTable  = args.TableOf(reflect.TypeFor[submissions.ReturnFields]())
)

// Pages are the pages about submissions.
type Pages struct {
	submissions *submissions.Service
	editing     *editing.Service
}

// New returns the pages.
func New(s *submissions.Service, e *editing.Service) *Pages { return &Pages{s, e} }

// Routes are the routes of these pages, for the administration to add to its own.
func (w *Pages) Routes() []frame.Route {
	const may = submissions.Right
	return []frame.Route{
		frame.GetPage("/submissions", may, w.list),
		frame.GetPage("/submissions/mistakes", may, w.listReports),
		frame.PostPage("/submissions/mistakes", may, w.decideReport),
		frame.GetPage("/submissions/#", may, w.show),
		frame.PostPage("/submissions/#", may, w.decide),
	}
}

// list shows the submissions that are waiting for a decision, or the decided ones.
func (w *Pages) list(v *frame.Visit) (*frame.Reply, error) {
	values := args.Values{}
	for _, name := range []string{"status", "page"} {
		if text := v.Query.Get(name); text != "" {
			values[name] = text
		}
	}
	filter := &submissions.Filter{}
	if err := filterTable.Parse(values, args.Reading, filter); err != nil {
		return &frame.Reply{Redirect: path}, nil //nolint:nilerr // an address that makes no sense leads to the list
	}
	page, q, err := w.submissions.List(v.Ctx, filter)
	if err != nil {
		return nil, err
	}
	b := &list{status: filter.Status.Or("waiting"), page: page, at: q.Page, length: q.PerPage}
	if len(page.Items) == 0 && b.at > 1 {
		return &frame.Reply{Redirect: b.address(1)}, nil
	}
	if b.status == "waiting" && page.Total == 0 {
		past, _, err := w.submissions.List(v.Ctx, &submissions.Filter{Status: args.Some("decided")})
		if err != nil {
			return nil, err
		}
		b.decided = past.Total > 0
	}
	if b.reports, err = w.Reported(v.Ctx); err != nil {
		return nil, err
	}
	return &frame.Reply{Title: frame.Tell(v.Ctx, "nav.submissions"), Section: "submissions", Body: listPage(b)}, nil
}

// address is the address of a page of the list.
func (b *list) address(page int) string {
	query := url.Values{"status": {b.status}}
	if page > 1 {
		query.Set("page", strconv.Itoa(page))
	}
	return path + "?" + query.Encode()
}

func (b *list) pages() int { return (b.page.Total + b.length - 1) / b.length }

func address(s *submissions.Submission) string {
	return frame.Address("submissions", s.Event.ID)
}

func (w *Pages) show(v *frame.Visit) (*frame.Reply, error) {
	return w.reply(v, &letter{form: &frame.Form{Kind: "submission", Values: url.Values{"tell": {"1"}}}}, 0)
}

func (w *Pages) reply(v *frame.Visit, l *letter, status int) (*frame.Reply, error) {
	sub, err := w.submissions.Get(v.Ctx, v.ID)
	if err != nil {
		return nil, err
	}
	l.Submission, l.writes = sub, w.submissions.Tells(sub)
	if sub.Status == submissions.Waiting {
		if l.similar, err = w.submissions.Similar(v.Ctx, sub.Event); err != nil {
			return nil, err
		}
		if err := w.compare(v.Ctx, l); err != nil {
			return nil, err
		}
	}
	return &frame.Reply{Status: status, Title: sub.Event.Title, Section: "submissions", Body: letterPage(l)}, nil
}

// compare finds what the sender has changed since an editor sent the submission back. It is what the history has of the sender's own
// writes, as it is now.
func (w *Pages) compare(ctx context.Context, l *letter) error {
	past, err := w.editing.Revisions(ctx, "event", l.Event.ID)
	if err != nil {
		return err
	}
	was := map[string]any{}
	for i := range past.Events {
		e := &past.Events[i]
		if e.Via != tenancy.ViaSubmission || e.Action == "create" {
			continue
		}
		maps.Copy(was, e.Before) // an earlier write is further down
		if note, ok := e.Before["review_note"].(string); ok && note != "" {
			l.asked = note
			break
		}
	}
	if l.asked == "" {
		return nil
	}
	delete(was, "review_note")
	delete(was, "status")
	l.answer = history.Differences(ctx, "event", was, past.Now, nil, false)
	return nil
}

// when is the time at which a submission arrived or, if settled is set, was decided.
func when(ctx context.Context, s *submissions.Submission, settled bool) string {
	at := s.Created
	if settled {
		at = s.Settled
	}
	if at.IsZero() {
		return ""
	}
	l := ui.DatesIn(ctx)
	local := ui.WallAt(at, ui.SiteOf(ctx).Location)
	return l.At(l.Short(local), l.Time(local))
}

// standing is the text of a submission's status.
func standing(ctx context.Context, s *submissions.Submission) string {
	switch s.Status {
	case submissions.Waiting:
		return frame.StatusOf(ctx, calendar.Pending)
	case submissions.Accepted:
		return frame.StatusOf(ctx, calendar.Draft)
	case submissions.Returned:
		return frame.Tell(ctx, "mark.returned")
	}
	return frame.Tell(ctx, "submission.status."+string(s.Status))
}
