package services

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// KeptPath is the path, without the language, of the page with what a visitor has kept.
const KeptPath = "/events/kept/"

// MostKept is how many events a visitor may keep.
const MostKept = 200

// Keeping is what a visitor has kept: single events and dates of series by their own IDs, and whole series.
type Keeping struct {
	Events []int64 `json:"events,omitempty"`
	Series []int64 `json:"series,omitempty"`
}

// wholeSeries marks the ID of a series that is kept as a whole.
const wholeSeries = "s"

// KeepOf is the text with which a browser remembers a kept event.
func KeepOf(e *calendar.Event) string {
	if e.Recurring() {
		return wholeSeries + strconv.FormatInt(e.ID, 10)
	}
	return strconv.FormatInt(e.ID, 10)
}

// ReadKeeping reads such texts, which may also be joined by commas. It returns ErrNotFound if there are more than a browser can
// keep.
func ReadKeeping(texts []string) (k Keeping, err error) {
	list := strings.SplitN(strings.Join(texts, ","), ",", MostKept+1)
	if len(list) > MostKept {
		return k, calendar.ErrNotFound
	}
	for _, one := range list {
		number, series := strings.CutPrefix(one, wholeSeries)
		id, err := strconv.ParseInt(number, 10, 64)
		switch {
		case err != nil || id < 1:
		case series:
			k.Series = append(k.Series, id)
		default:
			k.Events = append(k.Events, id)
		}
	}
	return k, nil
}

// None reports whether nothing is kept.
func (k Keeping) None() bool { return len(k.Events)+len(k.Series) == 0 }

// As returns the text by which an event returned by Kept is kept: its own text, or that of its series.
func (k Keeping) As(e *calendar.Event) string {
	if slices.Contains(k.Events, e.ID) || e.Series == nil {
		return KeepOf(e)
	}
	return wholeSeries + strconv.FormatInt(e.Series.ID, 10)
}

// Kept returns the events of a filter that a visitor has kept, by start: single events and dates of series by their own IDs,
// and series as their first date that matches. It lists at most MostKept of each.
func (s Events) Kept(ctx context.Context, f *calendar.EventFilter, k Keeping) (calendar.Page[calendar.Event], error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return calendar.Page[calendar.Event]{}, err
	}
	all := calendar.Page[calendar.Event]{Version: scope.Site.Version}
	for n, some := range [][]int64{k.Events, k.Series} {
		if len(some) == 0 {
			continue
		}
		page, _, err := s.list(ctx, f, func(q *calendar.EventQuery) error {
			q.Include, q.First, q.Page, q.PerPage = some, n == 1, 1, MostKept
			return nil
		})
		if err != nil {
			return all, err
		}
		all.Items, all.Version = append(all.Items, page.Items...), min(all.Version, page.Version)
	}
	all.Total = len(all.Items)
	slices.SortStableFunc(all.Items, func(a, b *calendar.Event) int {
		return cmp.Or(a.StartUTC.Compare(b.StartUTC), cmp.Compare(a.ID, b.ID))
	})
	return all, nil
}

// KeptFor returns the kept events to remind a visitor of for a day: events that begin on it, each date of a series,
// and events on show that end on it. It leaves out events that do not take place.
func (s Events) KeptFor(ctx context.Context, k Keeping, day time.Time) ([]*calendar.Event, error) {
	f := &calendar.EventFilter{Include: args.Some(args.IDs(slices.Concat(k.Events, k.Series)))}
	page, _, err := s.list(ctx, f, func(q *calendar.EventQuery) error {
		q.Page, q.PerPage = 1, MostKept
		q.Edges = append(
			q.Edges,
			calendar.Edge{End: true, Compare: calendar.After, At: args.LastSecond(day.AddDate(0, 0, -1))},
			calendar.Edge{Compare: calendar.Before, At: args.LastSecond(day)},
		)
		return nil
	})
	return slices.DeleteFunc(page.Items, func(e *calendar.Event) bool {
		begins := args.DayOf(e.Start).Equal(day)
		ends := args.DayOf(e.End.Add(-time.Second)).Equal(day) && e.End.Sub(e.Start) > calendar.OnShowAfter*24*time.Hour
		return e.Masked || e.Happening.Off() || !begins && !ends
	}), err
}
