package lists

import (
	"cmp"
	"context"
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// nothing is the content shown in place of events on a page without events.
type nothing struct {
	today bool                 // the page shows today
	next  *calendar.Event      // the first event after the days of the page, or nil
	soon  []Entry              // after a search, or if nothing is on show: the next events
	terms []*calendar.Term     // after a search: the categories with most events
	bare  bool                 // no event is planned at all, not even outside the visitor's choice
	feeds *layout.Subscription // of a bare page, or nil
}

const (
	mostSoon  = 3
	mostTerms = 12
)

// nothingOn returns the content for a page of days without events. last is the last of these days.
func (w *Pages) nothingOn(ctx context.Context, d *ofDays, last time.Time) (*nothing, error) {
	next, version, err := w.firstAfter(ctx, d.choice, last)
	if err != nil {
		return nil, err
	}
	d.answer.Version = min(d.answer.Version, version)
	n := &nothing{next: next, bare: next == nil && !d.choice.Any() && !d.choice.Search.Given() && !d.choice.Embedded}
	if n.bare {
		n.feeds = d.answer.Page.Feeds
	}
	return n, nil
}

// firstAfter returns the first event of a choice that starts after a day, or nil, and the version of the site.
func (w *Pages) firstAfter(ctx context.Context, c *layout.Choice, day time.Time) (*calendar.Event, int64, error) {
	after := c.Choice
	after.Days, after.On, after.Brief, after.Once = nil, args.Opt[string]{}, 0, false
	after.EndsAfter, after.StartsBefore, after.StrictDates = args.Opt[args.Date]{}, args.Opt[args.Date]{}, args.Opt[args.Truthy]{}
	after.StartsAfter, after.Page, after.PerPage = args.DayArg(day), args.Some(1), args.Some(1)
	page, _, err := w.calendar.Events().Choose(ctx, &after)
	if err != nil || len(page.Items) == 0 {
		return nil, page.Version, err
	}
	return page.Items[0], page.Version, nil
}

// lacking adds to an empty list the content shown in place of events. It returns the lowest version at which it
// read.
func (w *Pages) lacking(ctx context.Context, p *layout.Page, l *Agenda, version int64) (int64, error) {
	c := l.choice
	if l.total > 0 || l.shelf.total() > 0 || c == nil || c.Embedded {
		return version, nil
	}
	l.none = &nothing{}
	switch days := w.daysOf(ctx, c); {
	case c.Search.Given():
		return w.instead(ctx, c, l.none, version)
	case !days.Last.IsZero():
		next, at, err := w.firstAfter(ctx, c, days.Last)
		l.none.next, l.none.today = next, c.When == "today"
		return min(version, at), err
	case !c.Any():
		at, err := w.soon(ctx, c, url.Values{}, l.none)
		if l.none.bare = len(l.none.soon) == 0; l.none.bare {
			l.none.feeds = p.Feeds
		}
		return min(version, at), err
	}
	return version, nil
}

// soon adds the next events of another choice, and returns the version at which it read.
func (w *Pages) soon(ctx context.Context, c *layout.Choice, values url.Values, n *nothing) (int64, error) {
	other, err := w.rewritten(ctx, c, values)
	if err != nil {
		return 0, err
	}
	other.PerPage, other.Brief, other.Once = args.Some(mostSoon), layout.OnShowAfter, true
	soon, _, err := w.calendar.Events().Choose(ctx, &other.Choice)
	for _, e := range soon.Items {
		n.soon = append(n.soon, Entry{Event: e, Day: latest(args.DayOf(e.Start), w.layout.Today(ctx))})
	}
	return soon.Version, err
}

// instead reads the next events and the categories, to show them if a search finds nothing.
func (w *Pages) instead(ctx context.Context, c *layout.Choice, n *nothing, version int64) (int64, error) {
	values := maps.Clone(c.Values)
	values.Del("search")
	at, err := w.soon(ctx, c, values, n)
	if err != nil {
		return 0, err
	}
	terms, err := w.calendar.Terms(calendar.Categories).ListLong(ctx, &calendar.CategoryFilter{}, layout.MostInOrder)
	if err != nil {
		return 0, err
	}
	slices.SortStableFunc(terms.Items, func(a, b *calendar.Term) int { return cmp.Compare(b.Count, a.Count) })
	n.terms = terms.Items[:min(len(terms.Items), mostTerms)]
	return min(version, at, terms.Version), nil
}

// With adds the feeds of the page to a list without events, and returns the list.
func (l *Agenda) With(s *layout.Subscription) *Agenda {
	if l.none != nil {
		l.none.feeds = s
	}
	return l
}

// posterTime is the time of an event on its drawn poster.
func posterTime(ctx context.Context, e Entry) string {
	return ui.DatesIn(ctx).Event(e.Event, ui.DatesIn(ctx).YearOf(e.Day))
}
