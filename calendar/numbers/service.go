package numbers

import (
	"context"
	"fmt"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/tenancy"
)

// Service reads the numbers for people who may see them, and counts clicks.
type Service struct {
	store    Store
	calendar *services.Calendar
	counter  *Counter
	clicks   clicks
}

// New returns the service.
func New(store Store, c *services.Calendar, counter *Counter) *Service {
	return &Service{store: store, calendar: c, counter: counter}
}

// Counter returns this node's counter. It is nil if the service is nil.
func (s *Service) Counter() *Counter {
	if s == nil {
		return nil
	}
	return s.counter
}

// Counts reports whether counting is switched on for the scope's site.
func (s *Service) Counts(ctx context.Context) bool {
	return s != nil && tenancy.Current(ctx).Site != nil && tenancy.Current(ctx).Site.Settings.Numbers
}

// Event returns the numbers of an event. A date of a series has the numbers of its series. Only people who may edit
// the event may read them. It returns calendar.ErrNotFound on a site that does not count, and the errors of reading
// the event.
func (s *Service) Event(ctx context.Context, key calendar.Key, r *Range) (*Report, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	if err := scope.Principal.Reach(tenancy.ReadEvents); err != nil {
		return nil, err
	}
	e, err := s.calendar.Events().Get(ctx, key, "")
	switch {
	case err != nil:
		return nil, err
	case !mayRead(scope.Principal, &e.Post):
		return nil, scope.Principal.Require(tenancy.EditOthers)
	case !s.Counts(ctx):
		return nil, calendar.ErrNotFound
	}
	report, err := s.ranged(ctx, r)
	if err != nil {
		return nil, err
	}
	days, err := s.store.Event(ctx, About(e), report.First, report.Last)
	if err != nil {
		return nil, fmt.Errorf("numbers of an event: %w", err)
	}
	report.fill(days)
	return report, nil
}

// About returns the id under which an event is counted: for a date of a series, the id of the series.
func About(e *calendar.Event) int64 {
	if e.Series != nil {
		return e.Series.ID
	}
	return e.ID
}

// mayRead reports whether the principal may read the numbers of an item. People who may edit the item may do so,
// even with a read-only key.
func mayRead(p tenancy.Principal, post *calendar.Post) bool {
	p.ReadOnly = false
	return calendar.MayEdit(p, post)
}

// Site returns the numbers of the scope's site. Only people who may edit the events of others may read them. It
// returns calendar.ErrNotFound on a site that does not count.
func (s *Service) Site(ctx context.Context, r *Range) (*Report, error) {
	if _, err := tenancy.PermittedToRead(ctx, tenancy.ReadEvents, tenancy.EditOthers); err != nil {
		return nil, err
	}
	if !s.Counts(ctx) {
		return nil, calendar.ErrNotFound
	}
	report, err := s.ranged(ctx, r)
	if err != nil {
		return nil, err
	}
	days, site, events, err := s.store.Site(ctx, report.First, report.Last, MostEvents)
	if err != nil {
		return nil, fmt.Errorf("numbers of a site: %w", err)
	}
	report.fill(days)
	report.Site, report.Events = site, events
	return report, nil
}

// Click counts a click on a link of a published event of the scope's site, or of the site itself if the event is 0.
// It returns false if too many clicks come from one network. It returns calendar.ErrNotFound for other events and
// on a site that does not count. It does not count clicks by programs.
func (s *Service) Click(ctx context.Context, of Of, agent string) (bool, error) {
	scope, err := tenancy.From(ctx)
	switch {
	case err != nil:
		return false, err
	case !s.Counts(ctx):
		return false, calendar.ErrNotFound
	case !ByPerson(agent, ""):
		return true, nil
	case !s.clicks.pass(scope.Network(), s.calendar.Now()):
		return false, nil
	}
	if of.Event != 0 {
		if e, err := s.calendar.Events().Get(ctx, calendar.Key{ID: of.Event}, ""); err != nil || e.Status != calendar.Publish {
			return false, calendar.ErrNotFound
		}
	}
	s.counter.Add(scope.Site, of)
	return true, nil
}

// ranged returns a report with the first and last day of a range and no numbers yet.
func (s *Service) ranged(ctx context.Context, r *Range) (*Report, error) {
	first, last, err := r.days(tenancy.Current(ctx).Site, s.calendar.Now())
	if err != nil {
		return nil, err
	}
	return &Report{First: first, Last: last}, nil
}

// fill adds every day of the report's range, with the counts of those in days, and sums them up.
func (r *Report) fill(days []Day) {
	of := map[time.Time]Counts{}
	for _, d := range days {
		of[d.Day] = d.Counts
		r.Sum = r.Sum.plus(d.Counts)
	}
	for day := r.First; !day.After(r.Last); day = day.AddDate(0, 0, 1) {
		r.Days = append(r.Days, Day{day, of[day]})
	}
}
