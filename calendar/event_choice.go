package calendar

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// Days are whole days on the clocks of events, both ends included. A zero end is open.
type Days struct{ First, Last time.Time }

// Choice is what visitors choose events by.
type Choice struct {
	EventFilter          // of which the ends of events and Days say from when on
	Cities      []string // of venues
	Free        bool     // what costs nothing
	Taking      string   // how to take part: "online", "here"; "": either way
	Days        *Days    // nil: all that Ends lets through
}

// Facet is one thing a list can be narrowed by, and how many of its entries have it.
type Facet struct {
	ID    int64 // 0 for cities
	Name  string
	Slug  string // "" for cities
	Color string // of a category, or ""
	Count int
}

// Facets are what a list can be narrowed by. Each kind is counted as though nothing of
// its own kind were chosen, so counts say what a choice would show.
type Facets struct {
	Categories, Tags, Cities, Organizers []Facet
	Free, Online, Here, Featured         int
	Days                                 []int // of the periods asked for, in their order
	Uncounted                            bool  // there is too much to count: only the first are looked at, and counts say nothing
}

// Choose returns one page of what a choice leaves, and the query as it was applied.
// A search shows each series once. It returns ErrNotFound for what the site doesn't have.
func (s Events) Choose(ctx context.Context, c *Choice) (Page[Event], EventQuery, error) {
	f := c.EventFilter
	c.narrow(&f)
	page, q, err := s.list(ctx, &f, func(q *EventQuery) { c.apply(ctx, q) })
	return page, q, unknown(err)
}

// Long is Choose of up to most events at once, from the first on.
func (s Events) Long(ctx context.Context, c *Choice, most int) (Page[Event], error) {
	f := c.EventFilter
	c.narrow(&f)
	page, _, err := s.list(ctx, &f, func(q *EventQuery) {
		c.apply(ctx, q)
		q.Page, q.PerPage, q.First = 1, most, false
	})
	return page, unknown(err)
}

// Facets returns what a choice can be narrowed or changed by, and how much happens in
// each of some periods.
func (s Events) Facets(ctx context.Context, c *Choice, days []Days) (*Facets, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	q, err := c.query(scope, s.Now())
	if err != nil {
		return nil, unknown(err)
	}
	c.apply(ctx, &q)
	facets, err := s.store.Events().Facets(ctx, q, days, c.Days)
	if err != nil {
		return nil, fmt.Errorf("count what can be chosen: %w", unknown(err))
	}
	if scope.Site.Multilingual() {
		if err := s.nameFacets(ctx, facets); err != nil {
			return nil, fmt.Errorf("name what can be chosen: %w", err)
		}
	}
	return facets, nil
}

// nameFacets gives what can be chosen its names in the languages that the scope wants.
func (s Events) nameFacets(ctx context.Context, facets *Facets) error {
	names := map[int64]string{}
	for taxonomy, list := range map[Taxonomy][]Facet{Categories: facets.Categories, Tags: facets.Tags} {
		if len(list) == 0 {
			continue
		}
		f := &CategoryFilter{}
		f.HideEmpty, f.PerPage = args.Some(false), args.Some(maxPerPage)
		var refs args.Refs
		for _, one := range list {
			refs = append(refs, args.Ref{ID: one.ID})
		}
		f.Include = args.Some(refs)
		page, _, err := s.Terms(taxonomy).List(ctx, f)
		if err != nil {
			return err
		}
		for _, term := range page.Items {
			names[term.ID] = term.Name
		}
		rename(list, names)
	}
	if len(facets.Organizers) == 0 {
		return nil
	}
	var ids []int64
	for _, one := range facets.Organizers {
		ids = append(ids, one.ID)
	}
	page, err := s.Organizers().Several(ctx, ids)
	if err != nil {
		return err
	}
	clear(names)
	for _, organizer := range page.Items {
		names[organizer.ID] = organizer.Name
	}
	rename(facets.Organizers, names)
	return nil
}

// rename gives what has an id the name that is known.
func rename(list []Facet, names map[int64]string) {
	for i := range list {
		if name, ok := names[list[i].ID]; ok {
			list[i].Name = name
		}
	}
}

// AtVenues are the published venues of what a choice leaves, the one with most first.
type AtVenues struct {
	Venues    []int64
	Events    map[int64]int // how many entries of the list each has
	Uncounted bool          // there is too much to count: only the first are looked at, and numbers say nothing
	Version   int64         // of the site, at the time of reading
}

// AtVenues returns where what a choice leaves is.
func (s Events) AtVenues(ctx context.Context, c *Choice) (*AtVenues, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	f := c.EventFilter
	c.narrow(&f)
	q, err := f.query(scope, s.Now())
	if err != nil {
		return nil, unknown(err)
	}
	c.apply(ctx, &q)
	q.First = false
	at, err := s.store.Events().AtVenues(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("count at venues: %w", unknown(err))
	}
	return at, nil
}

// apply adds to a query what the filter of the interface doesn't have. What is chosen by
// what a mask hides must not find what is masked.
func (c *Choice) apply(ctx context.Context, q *EventQuery) {
	q.Cities, q.Free, q.Taking = c.Cities, c.Free, c.Taking
	q.First, q.Last = len(q.Search.Words)+len(q.Search.Without) > 0, q.Descending
	if q.Opener == nil && q.looksBehindMasks() {
		o := opener(tenancy.Current(ctx).Principal, "")
		if !o.All {
			q.Opener = &o
		}
	}
}

// narrow keeps what happens on the days chosen.
func (c *Choice) narrow(f *EventFilter) {
	if c.Days == nil {
		return
	}
	if !c.Days.First.IsZero() {
		f.EndsAfter = dateOpt(c.Days.First.AddDate(0, 0, -1))
	}
	if !c.Days.Last.IsZero() {
		f.StartsBefore = dateOpt(c.Days.Last)
	}
}

// unknown tells what the site doesn't have from what went wrong.
func unknown(err error) error {
	if _, refused := errors.AsType[*args.Problems](err); refused {
		return ErrNotFound
	}
	return err
}

// dateOpt is a day as an argument; none beyond the years there are.
func dateOpt(day time.Time) args.Opt[args.Date] {
	date, err := args.ParseDate(day.Format(time.DateOnly))
	if err != nil {
		return args.Opt[args.Date]{}
	}
	return args.Some(date)
}
