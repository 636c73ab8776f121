package calendar

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/kalends/kalends/calendar/recurrence"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/tenancy"
)

// The values of applies_to.
const (
	AppliesToThis      = "this"
	AppliesToFollowing = "following"
	AppliesToAll       = "all"
)

// update changes an event, one occurrence of a series, that and all following ones, or the whole series.
func (s Events) update(ctx context.Context, key Key, w *EventWrite, links EventLinks, cond Condition) (*Event, error) {
	links.Reset = w.Exceptions.Or("") == "reset"
	may := func(e *Event) error { return Editable(w.scope.Principal, &e.Post, cond) }
	if to := w.AppliesTo.Or(AppliesToThis); to != AppliesToThis {
		at, err := s.store.Events().Get(ctx, key)
		if err != nil {
			return nil, err
		}
		if err := may(at); err != nil {
			return nil, err
		}
		if at.Series != nil {
			if to == AppliesToFollowing {
				return s.split(ctx, at, w, links)
			}
			w.at, key = at, Key{ID: at.Series.ID}
			may = func(e *Event) error { return Editable(w.scope.Principal, &e.Post, nil) }
		}
	}
	e, err := s.store.Events().Update(ctx, key, func(e *Event) (EventLinks, error) {
		if err := may(e); err != nil {
			return links, err
		}
		return links, w.one(ctx, e)
	})
	if gone, ok := errors.AsType[*RemovedError](err); ok {
		return s.restoreOccurrence(ctx, gone, w, cond)
	}
	return e, err
}

// RemovedError reports that an occurrence was removed from its series, or is no longer part of it. It matches
// ErrNotFound.
type RemovedError struct {
	Series   int64
	ID       int64
	Original time.Time
}

func (*RemovedError) Error() string { return "occurrence taken out of its series" }

// Unwrap returns ErrNotFound.
func (*RemovedError) Unwrap() error { return ErrNotFound }

// restoreOccurrence restores an occurrence to its series if the write sets a status other than trash. Otherwise it
// returns ErrGone.
func (s Events) restoreOccurrence(ctx context.Context, gone *RemovedError, w *EventWrite, cond Condition) (*Event, error) {
	status, given := w.Status.Get()
	if !given || Status(status) == Trash {
		return nil, ErrGone
	}
	_, err := s.store.Events().Update(ctx, Key{ID: gone.Series}, func(e *Event) (EventLinks, error) {
		if err := Editable(w.scope.Principal, &e.Post, cond); err != nil {
			return EventLinks{}, err
		}
		if e.Recurrence == nil {
			return EventLinks{}, ErrGone
		}
		set := *e.Recurrence
		set.Except = slices.DeleteFunc(slices.Clone(set.Except), gone.Original.Equal)
		if !recurrence.Yields(set, e.Clock(), gone.Original) {
			set.Dates = append(slices.Clone(set.Dates), gone.Original)
		}
		e.Recurrence, e.Modified = &set, w.now
		e.Several = e.several()
		return EventLinks{}, recurrence.Check(e.Recurrence, e.Clock())
	})
	if err != nil {
		return nil, err
	}
	return s.store.Events().Get(ctx, Key{ID: gone.ID})
}

// split ends a series before one of its occurrences and turns the rest into a new series, which it changes. At the
// first occurrence it changes the whole series.
func (s Events) split(ctx context.Context, at *Event, w *EventWrite, links EventLinks) (*Event, error) {
	whole := false
	rest, err := s.store.Events().Split(ctx, at.ID, func(series, rest, at *Event) (EventLinks, error) {
		if err := Editable(w.scope.Principal, &series.Post, nil); err != nil {
			return links, err
		}
		if series.Trashed() {
			return links, ErrGone
		}
		if whole = !divide(series, rest, at.Series.OriginalStart); whole {
			return links, errWhole
		}
		w.at, links.Start = at, rest.Start
		if err := w.Apply(ctx, rest, false); err != nil {
			return links, err
		}
		series.Modified, rest.Modified = w.now, w.now
		return links, nil
	})
	if !whole {
		return rest, err
	}
	w.at = at
	return s.store.Events().Update(ctx, Key{ID: at.Series.ID}, func(e *Event) (EventLinks, error) {
		if err := Editable(w.scope.Principal, &e.Post, nil); err != nil {
			return links, err
		}
		return links, w.Apply(ctx, e, false)
	})
}

// errWhole is returned if nothing of a series precedes the point of division.
var errWhole = errors.New("the whole series")

// divide leaves the dates before a start to series, and moves the dates from that start on to rest. It reports
// whether there are dates before the start.
func divide(series, rest *Event, at time.Time) bool {
	set, clock := *series.Recurrence, series.Clock()
	before := recur.Set{Dates: until(set.Dates, at), Except: until(set.Except, at)}
	after := recur.Set{Dates: from(set.Dates, at), Except: from(set.Except, at)}
	var anchor time.Time // first date of a rule if none yields at: periods count from it
	hit := false
	for _, rule := range set.Rules {
		n, next := passed(set, rule, clock, at)
		first, last := rule, rule
		first.Count, first.Until = 0, at.Add(-time.Second)
		if rule.Count > 0 {
			if last.Count = rule.Count - n; last.Count <= 0 {
				before.Rules = append(before.Rules, rule)
				continue
			}
		}
		if !rule.Until.IsZero() && rule.Until.Before(at) {
			before.Rules = append(before.Rules, rule)
			continue
		}
		before.Rules = append(before.Rules, first)
		if next.IsZero() {
			continue
		}
		if hit = hit || next.Equal(at); anchor.IsZero() || next.Before(anchor) {
			anchor = next
		}
		after.Rules = append(after.Rules, last)
	}
	series.Recurrence, rest.Recurrence = &before, &after
	rest.Start = at
	if !anchor.IsZero() && !hit {
		rest.Start = anchor
		if !slices.ContainsFunc(after.Dates, at.Equal) {
			after.Dates = append(after.Dates, at)
		}
	}
	if len(set.Rules) > 1 {
		reconcile(&after, set, clock, rest.Start, at)
	}
	rest.End = rest.Start.Add(series.End.Sub(series.Start))
	if !series.Start.Before(at) && !beginEarlier(series) {
		return false
	}
	place := clock.Zone
	rest.StartUTC, rest.EndUTC = args.Resolve(rest.Start, place).UTC(), args.Resolve(rest.End, place).UTC()
	series.Several, rest.Several = series.several(), rest.several()
	return len(series.Next(time.Time{}, 1)) > 0
}

// passed returns the number of dates of one rule before a time, and its next date, or zero if there is none. A start
// that only other rules yield does not count.
func passed(set recur.Set, rule recur.Rule, clock recur.Clock, at time.Time) (n int, next time.Time) {
	alone := recur.Set{Rules: []recur.Rule{rule}}
	foreign := !alone.Hits(clock) && set.Hits(clock)
	if foreign && rule.Count > 0 {
		alone.Rules[0].Count++ // on its own it would count the start
	}
	for date := range alone.All(clock, clock.Start) {
		switch {
		case foreign && date.Equal(clock.Start):
		case !date.Before(at):
			return n, date
		default:
			n++
		}
	}
	return n, time.Time{}
}

// mostReconciled is the maximum number of dates compared when dividing a series.
const mostReconciled = 5000

// reconcile adds and excludes dates of the rest of a series so that it has the same dates as the whole had from a
// time on. With several rules this is needed because each counts its periods from the start, which has changed.
func reconcile(after *recur.Set, set recur.Set, clock recur.Clock, start, at time.Time) {
	now := clock
	now.Start = start
	until := at.AddDate(yearsAhead, 0, 0)
	dates := func(set recur.Set, clock recur.Clock) map[time.Time]bool {
		found := map[time.Time]bool{}
		for date := range set.All(clock, at) {
			if date.After(until) || len(found) == mostReconciled {
				break
			}
			found[date] = true
		}
		return found
	}
	want, have := dates(set, clock), dates(*after, now)
	if len(want) == mostReconciled || len(have) == mostReconciled {
		return
	}
	for date := range want {
		if !have[date] {
			after.Dates = append(after.Dates, date)
		}
	}
	for date := range have {
		if !want[date] {
			after.Except = append(after.Except, date)
		}
	}
	slices.SortFunc(after.Dates, time.Time.Compare)
	slices.SortFunc(after.Except, time.Time.Compare)
}

// beginEarlier makes a series that is cut at or before its start begin with the first of its added dates, because
// its rules yield no more. It reports whether there is an added date.
func beginEarlier(series *Event) bool {
	set := series.Recurrence
	set.Rules = nil
	if len(set.Dates) == 0 {
		return false
	}
	length, place := series.End.Sub(series.Start), series.Clock().Zone
	series.Start = slices.MinFunc(set.Dates, time.Time.Compare)
	series.End = series.Start.Add(length)
	series.StartUTC, series.EndUTC = args.Resolve(series.Start, place).UTC(), args.Resolve(series.End, place).UTC()
	return true
}

func until(list []time.Time, at time.Time) []time.Time {
	return slices.DeleteFunc(slices.Clone(list), func(t time.Time) bool { return !t.Before(at) })
}

func from(list []time.Time, at time.Time) []time.Time {
	return slices.DeleteFunc(slices.Clone(list), func(t time.Time) bool { return t.Before(at) })
}

// removeOccurrence removes an occurrence from its series, or also all following ones, or moves the whole series to
// the trash. It returns the last state of the occurrence or, for the whole series, that of the series.
func (s Events) removeOccurrence(ctx context.Context, at *Event, force bool, appliesTo string) (*Event, error) {
	principal := tenancy.Current(ctx).Principal
	check := func(e *Event) error { return Editable(principal, &e.Post, nil) }
	key := Key{ID: at.Series.ID}
	if appliesTo == AppliesToAll {
		return s.remove(ctx, key, force, check)
	}
	none := false
	series, err := s.store.Events().Update(ctx, key, func(e *Event) (EventLinks, error) {
		if err := check(e); err != nil {
			return EventLinks{}, err
		}
		if e.Trashed() || e.Recurrence == nil { // no longer a series, or not read completely yet
			return EventLinks{}, ErrGone
		}
		original := at.Series.OriginalStart
		set := *e.Recurrence
		if appliesTo == AppliesToFollowing {
			rest := *e
			none = !divide(e, &rest, original)
		} else {
			set.Except = append(slices.Clone(set.Except), original)
			e.Recurrence = &set
			none = len(e.Next(time.Time{}, 1)) == 0
		}
		if none {
			return EventLinks{}, errWhole
		}
		e.Modified = s.Now()
		return EventLinks{Cut: true}, nil
	})
	if none {
		return s.remove(ctx, key, force, check)
	}
	if err != nil {
		return nil, err
	}
	at.Version = series.Version
	return at, nil
}

// Preview returns an event as it would be created or updated, and its first occurrences, up to most, including added
// dates before its start. It stores nothing.
func (s Events) Preview(ctx context.Context, key Key, f *EventFields, most int) (*Event, []Occurrence, error) {
	e, err := s.Draft(ctx, key, f)
	if err != nil {
		return nil, nil, err
	}
	return e, e.Next(time.Time{}, most), nil
}

// Upcoming is Next from an instant on.
func (e *Event) Upcoming(now time.Time, most int) []Occurrence {
	return e.Next(args.WallTime(now, e.Clock().Zone), most)
}

// Next returns up to most occurrences of a series from a wall-clock time on. For a single event it returns its only
// one.
func (e *Event) Next(from time.Time, most int) []Occurrence {
	if e.Recurrence == nil {
		return []Occurrence{{e.Start, e.Start, e.End, e.StartUTC, e.EndUTC}}
	}
	clock := e.Clock()
	var list []Occurrence
	for original := range e.Recurrence.All(clock, from) {
		if len(list) == most {
			break
		}
		list = append(list, occurrence(original, e.End.Sub(e.Start), clock.Zone))
	}
	return list
}

// Occurrences lists the occurrences of a series, identified by its id or by that of an occurrence. It returns the
// errors of Get: ErrNotFound, ErrTrashed, ErrNotReadable, ErrPassword. A single event is its own only occurrence.
func (s Events) Occurrences(ctx context.Context, key Key, f *EventFilter) (Page[Event], EventQuery, error) {
	e, err := s.Get(ctx, key, f.Password.Or(""))
	if err != nil {
		return Page[Event]{}, EventQuery{}, err
	}
	return s.dates(ctx, e, f, func(*EventQuery) {})
}

// Dates is Occurrences for a series that has been read, with any page length.
func (s Events) Dates(ctx context.Context, e *Event, f *EventFilter, perPage int) (Page[Event], EventQuery, error) {
	return s.dates(ctx, e, f, func(q *EventQuery) { q.PerPage = perPage })
}

// dates lists the occurrences of an event. Everyone who may read the event may know them, even if lists do not show
// the event.
func (s Events) dates(ctx context.Context, e *Event, f *EventFilter, change func(*EventQuery)) (Page[Event], EventQuery, error) {
	of := *f
	switch {
	case e.Series != nil:
		of.Series = args.Some(strconv.FormatInt(e.Series.ID, 10))
	case e.Recurring():
		of.Series = args.Some(strconv.FormatInt(e.ID, 10))
	default:
		of.Include = args.Some(args.IDs{e.ID})
	}
	return s.list(ctx, &of, func(q *EventQuery) error {
		q.WithHidden = e.Hidden
		change(q)
		return nil
	})
}
