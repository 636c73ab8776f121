// Package numbers counts views of events, additions to calendars, clicks on ticket links, and newsletters that list
// an event. It stores no data about visitors: each node counts in memory, and adds its counts to the numbers of the
// day each minute (ADR 221).
package numbers

import (
	"context"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Kind is a kind of count.
type Kind uint8

// The kinds. Nothing is counted for None.
const (
	None      Kind = iota
	Views          // views of event pages
	Calendars      // events added to a calendar; for a whole site, subscriptions
	Tickets        // clicks on links to tickets
	Letters        // letters that listed an event; for a whole site, all letters
	kinds
)

// Of identifies the event that a visit counts for. Event is 0 for the whole site.
type Of struct {
	Event int64
	Kind  Kind
}

// Counts holds one count for each kind.
type Counts struct{ Views, Calendars, Tickets, Letters int64 }

// plus returns the sum of c and o.
func (c Counts) plus(o Counts) Counts {
	return Counts{c.Views + o.Views, c.Calendars + o.Calendars, c.Tickets + o.Tickets, c.Letters + o.Letters}
}

// at returns the count of a kind.
func (c *Counts) at(k Kind) *int64 {
	switch k {
	case Calendars:
		return &c.Calendars
	case Tickets:
		return &c.Tickets
	case Letters:
		return &c.Letters
	default:
		return &c.Views
	}
}

// Day is a day with its counts.
type Day struct {
	Day time.Time // in the site's time zone, at midnight UTC
	Counts
}

// Counted is an event with its counts.
type Counted struct {
	ID    int64
	Title string
	Counts
}

// Report holds the numbers of a range of days: for each day, and their sum.
type Report struct {
	First, Last time.Time // both included
	Days        []Day
	Sum         Counts
	Site        Counts    // of a whole site: subscriptions and letters
	Events      []Counted // of a whole site: the events with most views, series with all of their dates
}

// Kept is the number of years for which numbers are kept.
const Kept = 2

// MostEvents is the maximum number of events in a site's report.
const MostEvents = 200

// Range is the range of days of a report.
type Range struct {
	From args.Opt[args.Date] `arg:"from,beyond"`
	To   args.Opt[args.Date] `arg:"to,beyond"`
}

// usual is the default number of days in a report.
const usual = 30

// days returns the first and the last day of a range, in the site's time zone. The default is the last 30 days. It
// excludes days in the future and days older than Kept.
func (r *Range) days(site *tenancy.Site, now time.Time) (first, last time.Time, err error) {
	today := args.DayOf(args.WallTime(now, site.Location))
	last = today
	if to, ok := r.To.Get(); ok {
		last = to.Day(site.Location, now)
	}
	first = last.AddDate(0, 0, 1-usual)
	if from, ok := r.From.Get(); ok {
		first = from.Day(site.Location, now)
	}
	if first.After(last) {
		return first, last, args.Invalid("to", "problem.numbers.order", nil)
	}
	if oldest := today.AddDate(-Kept, 0, 0); first.Before(oldest) {
		first = oldest
	}
	if last.After(today) {
		last = today
	}
	return first, last, nil
}

// Store keeps numbers. Its calls do not raise the version of the site.
type Store interface {
	// Add adds the counts of a day to the numbers of the scope's site. It skips events that no longer exist.
	Add(ctx context.Context, day time.Time, site Counts, events map[int64]Counts) error
	// Event returns the days from first to last that have counts for an event or a series.
	Event(ctx context.Context, id int64, first, last time.Time) ([]Day, error)
	// Site returns the days that have counts for events of the scope's site, the site's own counts, and the events
	// with the most views, up to a maximum number.
	Site(ctx context.Context, first, last time.Time, most int) ([]Day, Counts, []Counted, error)
}
