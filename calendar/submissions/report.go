package submissions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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

// Report is a mistake in an event that somebody has reported.
type Report struct {
	ID      string
	Event   *calendar.Event // the series, of a report about one of its dates
	Date    int64           // id of that date; 0 for none in particular
	Day     string          // of that date, as time.DateOnly
	Text    string
	Email   string // "" if none
	Created time.Time
}

// StoredReport is a row of a report.
type StoredReport struct {
	ID          string
	Event, Date int64 // as in Report
	Day         string
	Text, Email string
	Network     []byte // digest of the network that the client is in
	Created     time.Time
}

// Verdict is what an editor decides on a report. It is the action of the entry in the history.
type Verdict string

// The verdicts.
const (
	Corrected Verdict = "correct" // the event is right now
	Dismissed Verdict = "dismiss" // there was no mistake
)

// Report stores a report of a mistake in an event that the reporter can see. Anybody may call it. It returns ErrNotFound if
// there is no such event or the site takes no reports, ErrPassword for an event with a password, *args.Problems and
// ErrManySent.
func (s *Service) Report(ctx context.Context, key calendar.Key, f *ReportFields) error {
	scope, err := tenancy.From(ctx)
	switch {
	case err != nil:
		return err
	case !scope.Site.Settings.Reports:
		return calendar.ErrNotFound
	case scope.Site.State == tenancy.ReadOnly:
		return tenancy.ErrReadOnly
	}
	e, err := s.Events().Get(ctx, key, "")
	if err != nil {
		return err
	}
	text := wording.TidyLines(f.Text.Or(""))
	if text == "" {
		return args.Invalid("text", "problem.blank", nil)
	}
	if err := s.attempts.Pass(ctx, ErrManySent, "report by "+scope.Client()); err != nil {
		return err
	}
	network := sha256.Sum256([]byte("report network " + scope.Network()))
	r := &StoredReport{Event: e.ID, Text: text, Email: string(f.Email.Or("")), Network: network[:], Created: s.Now()}
	if e.Series != nil {
		r.Event, r.Date, r.Day = e.Series.ID, e.ID, e.Start.Format(time.DateOnly)
	}
	sum := sha256.Sum256([]byte(strconv.FormatInt(e.ID, 10) + " " + string(network[:]) + " " + text))
	r.ID = hex.EncodeToString(sum[:16])
	if err := s.store.Submissions().Report(ctx, r, reportLimits); err != nil {
		return fmt.Errorf("store report: %w", err)
	}
	return nil
}

// Reports returns one page of the undecided reports of events that are not in the trash, oldest first. It is restricted to principals who
// may decide on submissions.
func (s *Service) Reports(ctx context.Context, paging *calendar.Paging) (calendar.Page[Report], Query, error) {
	scope, err := deciding(ctx, false)
	if err != nil {
		return calendar.Page[Report]{}, Query{}, err
	}
	var q Query
	q.Page, q.PerPage = paging.Pages(scope.Site)
	rows, err := s.store.Submissions().Reports(ctx, q)
	if err != nil {
		return calendar.Page[Report]{}, q, fmt.Errorf("list reports: %w", err)
	}
	page := calendar.Page[Report]{Total: rows.Total, Version: rows.Version}
	ids := make([]int64, 0, len(rows.Items))
	for _, row := range rows.Items {
		ids = append(ids, row.Event)
	}
	events, _, err := s.store.Events().Several(ctx, ids)
	if err != nil {
		return page, q, fmt.Errorf("events of reports: %w", err)
	}
	found := map[int64]*calendar.Event{}
	for _, e := range events {
		found[e.ID] = e
	}
	for _, row := range rows.Items {
		if e := found[row.Event]; e != nil {
			page.Items = append(page.Items, &Report{ID: row.ID, Event: e, Date: row.Date, Day: row.Day, Text: row.Text, Email: row.Email, Created: row.Created})
		}
	}
	return page, q, nil
}

// DecideReport removes a report, and records the decision and who made it. It returns ErrSettled if the report no longer
// exists.
func (s *Service) DecideReport(ctx context.Context, id string, verdict Verdict) error {
	if _, err := deciding(ctx, true); err != nil {
		return err
	}
	if err := s.store.Submissions().DecideReport(ctx, id, verdict); err != nil {
		return fmt.Errorf("decide report: %w", err)
	}
	return nil
}
