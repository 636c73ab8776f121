package calendar

import (
	"context"
	"slices"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Days is a range of whole days in the events' own time zones, both ends included. A zero value means no limit.
type Days struct{ First, Last time.Time }

// Choice is the filter that visitors can set.
type Choice struct {
	EventFilter // whose end dates and Days determine the period
	Chosen
	Days *Days // nil: all days that the filter allows
}

// Chosen are the conditions of a Choice that the API does not have.
type Chosen struct {
	Cities []string // of venues
	Free   bool     // only free events
	Taking string   // "online", "here", or "" for either
	Brief  int      // maximum length in days; 0: any length
	Once   bool     // each series once, at its first date
	// Children selects only events for children: events in one of these categories, and events with children as
	// their audience. nil selects all events.
	Children []int64
}

// Feed narrows the filter of a feed to a choice.
func (c *Choice) Feed(f *FeedFilter) {
	f.Chosen = c.Chosen
	f.Categories, f.Tags = bothRefs(f.Categories, c.Categories), bothRefs(f.Tags, c.Tags)
	if c.Featured.Given() {
		f.Featured = c.Featured
	}
	if c.On.Given() {
		f.On = c.On
	}
	if c.Accessibility.Given() {
		f.Accessibility = c.Accessibility
	}
	if c.Audience.Given() {
		f.Audience = c.Audience
	}
	if c.Spoken.Given() {
		f.Spoken = c.Spoken
	}
	if c.Fields.Given() {
		f.Fields = c.Fields
	}
	if c.Days == nil {
		return
	}
	if first := c.Days.First; !first.IsZero() {
		f.EndsAfter = args.DayArg(first.AddDate(0, 0, -1))
	}
	if last := c.Days.Last; !last.IsZero() {
		f.StartsBefore = args.DayArg(last)
	}
}

// bothRefs returns the references of two arguments.
func bothRefs(a, b args.Opt[args.Refs]) args.Opt[args.Refs] {
	if !b.Given() {
		return a
	}
	return args.Some(slices.Concat(a.Or(nil), b.Or(nil)))
}

// Facet is a value that a list can be filtered by, with the number of matching entries.
type Facet struct {
	ID    int64 // 0 for cities
	Name  string
	Slug  string // "" for cities
	Color string // of a category, or ""
	Count int
}

// Facets are the values that a list can be filtered by. Each kind is counted as if no value of this kind were
// selected, so a count says how many entries selecting the value would show.
type Facets struct {
	Categories, Tags, Cities, Organizers []Facet
	Accessibility, Audience, Spoken      []Facet            // by their words as slugs
	Fields                               map[string][]Facet // by the keys of the site's extra fields; values as slugs
	Free, Online, Here, Featured         int
	Days                                 []int     // of the requested periods, in order
	Uncounted                            bool      // too many to count: only the first entries were examined, and counts are meaningless
	Ends                                 time.Time // end of the first event within the filter's dates; zero: unknown, or past days
}

// AtVenues are the published venues of the events that match a choice, busiest first.
type AtVenues struct {
	Venues    []int64
	Events    map[int64]int // number of matching entries at each venue
	Uncounted bool          // too many to count: only the first entries were examined, and numbers are meaningless
	Version   int64         // of the site, at the time of reading
}

// Apply turns the choice into a query. A search shows each series once, and so does a choice that requests it.
func (c *Choice) Apply(ctx context.Context, q *EventQuery) {
	q.First, q.Last = c.Once || len(q.Search.Words)+len(q.Search.Without) > 0, q.Descending
	c.Chosen.Apply(ctx, q, "")
}

// Apply adds the conditions that the API's filter lacks. Conditions on masked contents must not match masked events.
func (c *Chosen) Apply(ctx context.Context, q *EventQuery, password string) {
	q.Cities, q.Free, q.Taking, q.Brief, q.Children = c.Cities, c.Free, c.Taking, c.Brief, c.Children
	if q.Opener == nil && q.looksBehindMasks() {
		o := OpenerOf(tenancy.Current(ctx).Principal, password)
		if !o.All {
			q.Opener = &o
		}
	}
}

// Reach is Apply. If the selected days begin in the past, the query begins with them and includes events that are over; otherwise
// the filter decides on these. Reach reports whether they do.
func (c *Choice) Reach(ctx context.Context, q *EventQuery, now time.Time) (past bool) {
	c.Apply(ctx, q)
	if c.Days == nil || c.Days.First.IsZero() || !c.Days.First.Before(args.DayOf(args.WallTime(now, tenancy.Current(ctx).Site.Location))) {
		return false
	}
	q.Edges = slices.DeleteFunc(q.Edges, func(e Edge) bool { return e.End && e.Compare == After })
	q.Edges = append(q.Edges, c.Days.begin())
	return true
}

// begin is the condition that an event ends on the first day or later.
func (d *Days) begin() Edge {
	return Edge{End: true, Compare: After, At: args.LastSecond(d.First.AddDate(0, 0, -1))}
}

// Narrow is Reach, and restricts a query to the selected days.
func (c *Choice) Narrow(ctx context.Context, q *EventQuery, now time.Time) {
	c.Reach(ctx, q, now)
	if c.Days == nil {
		return
	}
	if !c.Days.First.IsZero() {
		q.Edges = append(q.Edges, c.Days.begin())
	}
	if last := c.Days.Last; !last.IsZero() {
		q.Edges = append(q.Edges, Edge{Compare: Before, At: args.LastSecond(last)})
	}
}
