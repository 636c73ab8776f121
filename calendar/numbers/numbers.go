// Package numbers counts how often events are looked at, put into calendars and bought tickets for, and in how many letters they stand. It
// knows neither addresses nor visitors: a node counts in memory, and each minute adds what it counted to the numbers of the day (ADR 221).
package numbers

import (
	"context"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Kind is what is counted.
type Kind uint8

// The kinds. Nothing is counted for None.
const (
	None      Kind = iota
	Views          // pages of events that people looked at
	Calendars      // events that people put into a calendar; of a whole site, subscriptions
	Tickets        // ways to tickets that people took
	Letters        // letters in which an event stood; of a whole site, letters
	kinds
)

// Of is what a visit is counted for. The event is 0 for a whole site.
type Of struct {
	Event int64
	Kind  Kind
}

// Counts are how often something happened.
type Counts struct{ Views, Calendars, Tickets, Letters int64 }

// plus returns the sum of both.
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

// Day is a day with what was counted on it.
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

// Report are the numbers of some days: each of them, and their sum.
type Report struct {
	First, Last time.Time // both included
	Days        []Day
	Sum         Counts
	Site        Counts    // of a whole site: subscriptions and letters
	Events      []Counted // of a whole site: the events with most views, series with all of their dates
}

// Kept is for how long numbers are kept, in years.
const Kept = 2

// MostEvents is how many events a report of a site lists.
const MostEvents = 200

// Range are the days of a report.
type Range struct {
	From args.Opt[args.Date] `arg:"from,beyond"`
	To   args.Opt[args.Date] `arg:"to,beyond"`
}

// usual is how many days a report has unless somebody says otherwise.
const usual = 30

// days returns the first and the last day of a range, in the site's time zone: the last 30 days unless it says otherwise, and no days for which
// no numbers are kept.
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
	// Add adds what was counted on a day to the numbers of the scope's site. Events that are gone by now are left out.
	Add(ctx context.Context, day time.Time, site Counts, events map[int64]Counts) error
	// Event returns the days on which anything was counted for an event or a series.
	Event(ctx context.Context, id int64, first, last time.Time) ([]Day, error)
	// Site returns the days on which anything was counted for events of the scope's site, its own counts, and the events with most views.
	Site(ctx context.Context, first, last time.Time, most int) ([]Day, Counts, []Counted, error)
}
