package submissions

import (
	"context"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// mostSimilar is the maximum number of events that a submission is compared with.
const mostSimilar = 200

// Similar returns events on the same days that may be duplicates of an event: with a similar title, or at the same
// venue and time.
func (s *Service) Similar(ctx context.Context, e *calendar.Event) ([]*calendar.Event, error) {
	place, err := args.LocationOf(e.Timezone)
	if err != nil {
		place = tenancy.Current(ctx).Site.Location
	}
	page, err := s.Events().Board(ctx, during(e.Start, e.End, place), mostSimilar)
	if err != nil {
		return nil, err
	}
	at := map[int64]bool{}
	for i := range e.Venues {
		at[e.Venues[i].ID] = true
	}
	return similar(e, page.Items, func(v *calendar.Venue) bool { return at[v.ID] }), nil
}

// Known returns public events that may be the same as a submission.
func (s *Service) Known(ctx context.Context, t *Sent) ([]*calendar.Event, error) {
	scope := *tenancy.Current(ctx)
	scope.Principal = tenancy.Principal{}
	e := &calendar.Event{Title: t.Title, AllDay: t.AllDay}
	var err error
	if e.Start, err = time.Parse(time.DateTime, t.Start); err != nil {
		return nil, err
	}
	if e.End, err = time.Parse(time.DateTime, t.End); err != nil {
		return nil, err
	}
	place := scope.Site.Location
	e.StartUTC, e.EndUTC = args.Resolve(e.Start, place).UTC(), args.Resolve(e.End, place).UTC()
	if t.AllDay {
		e.EndUTC = args.Resolve(args.LastSecond(e.End), place).UTC()
	}
	page, _, err := s.Events().ListLong(tenancy.With(ctx, scope), during(e.Start, e.End, place), mostSimilar)
	if err != nil {
		return nil, err
	}
	there := func(v *calendar.Venue) bool { return t.Venue != "" && v.Names().Has(t.Venue) }
	return similar(e, page.Items, there), nil
}

// during returns a filter for the events on some days.
func during(start, end time.Time, place *time.Location) *calendar.EventFilter {
	return &calendar.EventFilter{StrictDates: args.Some(args.Truthy(true)),
		StartsBefore: args.DateArg(args.Resolve(args.LastSecond(end), place).UTC().Add(time.Second).Format(time.RFC3339)),
		EndsAfter:    args.DateArg(args.Resolve(args.DayOf(start), place).UTC().Add(-time.Second).Format(time.RFC3339))}
}

// similar returns the events among others that may be duplicates of e. It ignores the venues of masked events, because a
// password hides them (rule 5.7).
func similar(e *calendar.Event, others []*calendar.Event, there func(*calendar.Venue) bool) (list []*calendar.Event) {
	for _, other := range others {
		same := similarTitles(e.Title, other.Title)
		together := other.StartUTC.Before(e.EndUTC) && e.StartUTC.Before(other.EndUTC) || other.StartUTC.Equal(e.StartUTC)
		if together && !other.Masked {
			for i := range other.Venues {
				same = same || there(&other.Venues[i])
			}
		}
		if same && other.ID != e.ID && !other.Trashed() {
			list = append(list, other)
		}
	}
	return list
}

// similarTitles reports whether two titles may denote the same event: most words of the shorter one occur in the
// other.
func similarTitles(a, b string) bool {
	words := func(s string) map[string]bool {
		set := map[string]bool{}
		for _, word := range strings.FieldsFunc(wording.Fold(s), func(r rune) bool { return !wording.InWord(r) }) {
			set[word] = true
		}
		return set
	}
	one, other := words(a), words(b)
	if len(other) < len(one) {
		one, other = other, one
	}
	both := 0
	for word := range one {
		if other[word] {
			both++
		}
	}
	return len(one) > 0 && 3*both >= 2*len(one)
}
