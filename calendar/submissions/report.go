package submissions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// ReportLife is how long an undecided report is kept.
const ReportLife = 90 * 24 * time.Hour

// ReportLimits limit the undecided reports of a site. They are checked in the transaction that adds one. New reports never
// displace old ones. Instead, a network with many undecided reports has to wait: it may have OfNetwork of them, or only Few
// while at least Waiting wait in all.
type ReportLimits struct{ OfNetwork, Few, Waiting, Most int }

var reportLimits = ReportLimits{OfNetwork: 20, Few: 3, Waiting: 300, Most: 2000}

// ReportFields are the arguments of a report: what is wrong, and an address for questions.
type ReportFields struct {
	Text  args.Opt[string]     `arg:"text,required,nonempty,max=2000"`
	Email args.Opt[args.Email] `arg:"email"`
}

// Subject is what a report is about.
type Subject struct {
	Kind string // "event", "venue" or "organizer"
	ID   int64
}

// Report is a mistake that a visitor has reported.
type Report struct {
	ID          string
	About       Subject // the series, of a report about one of its dates
	Title       string  // of the subject, in the language of the site; "" of a new report
	Date        int64   // id of the date; 0: no particular date
	Day         string  // of that date or of an event that is no series, as time.DateOnly
	Text, Email string  // Email is "" if there is none
	Network     []byte  // digest of the network that the client is in, of a new report
	Created     time.Time
}

// Verdict is what an editor decides on a report. It is the action of the entry in the history.
type Verdict string

// The verdicts.
const (
	Corrected Verdict = "correct" // the event is right now
	Dismissed Verdict = "dismiss" // there was no mistake
)

// Report stores a report of a mistake in something that the reporter can see. Anyone may call it. It returns
// ErrNotFound if there is no such item or the site does not accept reports, ErrPassword for an event with a
// password, *args.Problems and ErrManySent.
func (s *Service) Report(ctx context.Context, about Subject, f *ReportFields) error {
	scope, err := tenancy.From(ctx)
	switch {
	case err != nil:
		return err
	case !scope.Site.Settings.Reports:
		return calendar.ErrNotFound
	case scope.Site.State == tenancy.ReadOnly:
		return tenancy.ErrReadOnly
	}
	r, err := s.reportOf(ctx, about)
	if err != nil {
		return err
	}
	if r.Text = wording.TidyLines(f.Text.Or("")); r.Text == "" {
		return args.Invalid("text", "problem.blank", nil)
	}
	if err := s.attempts.Pass(ctx, ErrManySent, "report by "+scope.Client()); err != nil {
		return err
	}
	network := sha256.Sum256([]byte("report network " + scope.Network()))
	sum := sha256.Sum256([]byte(about.Kind + " " + strconv.FormatInt(about.ID, 10) + " " + string(network[:]) + " " + r.Text))
	r.ID, r.Network, r.Email, r.Created = hex.EncodeToString(sum[:16]), network[:], string(f.Email.Or("")), s.Now()
	if err := s.store.Submissions().Report(ctx, r, reportLimits); err != nil {
		return fmt.Errorf("store report: %w", err)
	}
	return nil
}

// reportOf returns a new report about something that the reporter can see.
func (s *Service) reportOf(ctx context.Context, about Subject) (*Report, error) {
	key, r := calendar.Key{ID: about.ID}, &Report{About: about}
	var of *calendar.Post
	switch about.Kind {
	case "venue":
		v, err := s.Venues().Get(ctx, key)
		if err != nil {
			return nil, err
		}
		of = &v.Post
	case "organizer":
		o, err := s.Organizers().Get(ctx, key)
		if err != nil {
			return nil, err
		}
		of = &o.Post
	default:
		e, err := s.Events().Get(ctx, key, "")
		if err != nil {
			return nil, err
		}
		if e.Series != nil {
			r.About.ID, r.Date, r.Day = e.Series.ID, e.ID, e.Start.Format(time.DateOnly)
		}
		return r, nil
	}
	if of.Status != calendar.Publish {
		return nil, calendar.ErrNotFound
	}
	return r, nil
}

// Reports returns one page of the undecided reports, oldest first, without those of what is in the trash. It is
// restricted to principals who may decide on submissions. Those with an area get the reports about what they may
// change.
func (s *Service) Reports(ctx context.Context, paging *calendar.Paging) (calendar.Page[Report], Query, error) {
	scope, err := tenancy.PermittedToRead(ctx, tenancy.ReadSubmissions, Right)
	if err != nil {
		return calendar.Page[Report]{}, Query{}, err
	}
	q := Query{Area: scope.Principal.Area, User: scope.Principal.UserID}
	q.Page, q.PerPage = paging.Pages(scope.Site)
	page, err := s.store.Submissions().Reports(ctx, q)
	if err != nil {
		return page, q, fmt.Errorf("list reports: %w", err)
	}
	return page, q, nil
}

// mostAbout is the maximum number of reports that ReportsAbout returns.
const mostAbout = 20

// ReportsAbout returns the oldest undecided reports about something, and none to principals who may not decide on them.
func (s *Service) ReportsAbout(ctx context.Context, about Subject) ([]*Report, error) {
	scope, err := tenancy.PermittedToRead(ctx, tenancy.ReadSubmissions, Right)
	if errors.Is(err, tenancy.ErrForbidden) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	q := Query{Page: 1, PerPage: mostAbout, Area: scope.Principal.Area, User: scope.Principal.UserID, About: about}
	page, err := s.store.Submissions().Reports(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("list reports: %w", err)
	}
	return page.Items, nil
}

// DecideReport removes a report, and records the decision and who made it. It returns ErrSettled if the report no longer
// exists, and ErrForbidden if it is outside the principal's area.
func (s *Service) DecideReport(ctx context.Context, id string, verdict Verdict) error {
	if _, err := tenancy.Permitted(ctx, tenancy.WriteSubmissions, Right); err != nil {
		return err
	}
	if err := s.store.Submissions().DecideReport(ctx, id, verdict); err != nil {
		return fmt.Errorf("decide report: %w", err)
	}
	return nil
}
