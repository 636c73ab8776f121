package services

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/recurrence"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// The values of applies_to.
const (
	AppliesToThis      = "this"
	AppliesToFollowing = "following"
	AppliesToAll       = "all"
)

// update changes an event, one occurrence of a series, that and all following ones, or the whole series.
func (s Events) update(ctx context.Context, key calendar.Key, w *EventWrite, links calendar.EventLinks,
	cond calendar.Condition) (*calendar.Event, error) {
	links.Reset = w.Exceptions.Or("") == "reset"
	may := func(e *calendar.Event) error { return calendar.Editable(w.scope.Principal, &e.Post, cond) }
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
			w.at, key = at, calendar.Key{ID: at.Series.ID}
			may = func(e *calendar.Event) error { return calendar.Editable(w.scope.Principal, &e.Post, nil) }
		}
	}
	e, err := s.store.Events().Update(ctx, key, func(e *calendar.Event) (calendar.EventLinks, error) {
		if err := may(e); err != nil {
			return links, err
		}
		return links, w.one(ctx, e)
	})
	if gone, ok := errors.AsType[*calendar.RemovedError](err); ok {
		return s.restoreOccurrence(ctx, gone, w, cond)
	}
	return e, err
}

// restoreOccurrence restores an occurrence to its series if the write sets a status other than trash. Otherwise it
// returns ErrGone.
func (s Events) restoreOccurrence(ctx context.Context, gone *calendar.RemovedError, w *EventWrite,
	cond calendar.Condition) (*calendar.Event, error) {
	status, given := w.Status.Get()
	if !given || calendar.Status(status) == calendar.Trash {
		return nil, calendar.ErrGone
	}
	_, err := s.store.Events().Update(ctx, calendar.Key{ID: gone.Series}, func(e *calendar.Event) (calendar.EventLinks, error) {
		if err := calendar.Editable(w.scope.Principal, &e.Post, cond); err != nil {
			return calendar.EventLinks{}, err
		}
		if e.Recurrence == nil {
			return calendar.EventLinks{}, calendar.ErrGone
		}
		set := *e.Recurrence
		set.Except = slices.DeleteFunc(slices.Clone(set.Except), gone.Original.Equal)
		if !recurrence.Yields(set, e.Clock(), gone.Original) {
			set.Dates = append(slices.Clone(set.Dates), gone.Original)
		}
		e.Recurrence, e.Modified = &set, w.now
		e.Several = e.SeveralADay()
		return calendar.EventLinks{}, recurrence.Check(e.Recurrence, e.Clock())
	})
	if err != nil {
		return nil, err
	}
	return s.store.Events().Get(ctx, calendar.Key{ID: gone.ID})
}

// split ends a series before one of its occurrences and turns the rest into a new series, which it changes. At the
// first occurrence it changes the whole series.
func (s Events) split(ctx context.Context, at *calendar.Event, w *EventWrite, links calendar.EventLinks) (*calendar.Event, error) {
	whole := false
	rest, err := s.store.Events().Split(ctx, at.ID, func(series, rest, at *calendar.Event) (calendar.EventLinks, error) {
		if err := calendar.Editable(w.scope.Principal, &series.Post, nil); err != nil {
			return links, err
		}
		if series.Trashed() {
			return links, calendar.ErrGone
		}
		if whole = !calendar.Divide(series, rest, at.Series.OriginalStart); whole {
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
	return s.store.Events().Update(ctx, calendar.Key{ID: at.Series.ID}, func(e *calendar.Event) (calendar.EventLinks, error) {
		if err := calendar.Editable(w.scope.Principal, &e.Post, nil); err != nil {
			return links, err
		}
		return links, w.Apply(ctx, e, false)
	})
}

// errWhole is returned if nothing of a series precedes the point of division.
var errWhole = errors.New("the whole series")

// removeOccurrence removes an occurrence from its series, or also all following ones, or moves the whole series to
// the trash. It returns the last state of the occurrence or, for the whole series, that of the series.
func (s Events) removeOccurrence(ctx context.Context, at *calendar.Event, force bool, appliesTo string) (*calendar.Event, error) {
	principal := tenancy.Current(ctx).Principal
	check := func(e *calendar.Event) error { return calendar.Editable(principal, &e.Post, nil) }
	key := calendar.Key{ID: at.Series.ID}
	if appliesTo == AppliesToAll {
		return s.remove(ctx, key, force, check)
	}
	none := false
	series, err := s.store.Events().Update(ctx, key, func(e *calendar.Event) (calendar.EventLinks, error) {
		if err := check(e); err != nil {
			return calendar.EventLinks{}, err
		}
		if e.Trashed() || e.Recurrence == nil { // no longer a series, or not read completely yet
			return calendar.EventLinks{}, calendar.ErrGone
		}
		original := at.Series.OriginalStart
		set := *e.Recurrence
		if appliesTo == AppliesToFollowing {
			rest := *e
			none = !calendar.Divide(e, &rest, original)
		} else {
			set.Except = append(slices.Clone(set.Except), original)
			e.Recurrence = &set
			none = len(e.Next(time.Time{}, 1)) == 0
		}
		if none {
			return calendar.EventLinks{}, errWhole
		}
		e.Modified = s.Now()
		return calendar.EventLinks{Cut: true}, nil
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
func (s Events) Preview(ctx context.Context, key calendar.Key, f *calendar.EventFields,
	most int) (*calendar.Event, []calendar.Occurrence, error) {
	e, err := s.Draft(ctx, key, f)
	if err != nil {
		return nil, nil, err
	}
	return e, e.Next(time.Time{}, most), nil
}

// Occurrences lists the occurrences of a series, identified by its id or by that of an occurrence. It returns the
// errors of Get: ErrNotFound, ErrTrashed, ErrNotReadable, ErrPassword. A single event is its own only occurrence.
func (s Events) Occurrences(ctx context.Context, key calendar.Key,
	f *calendar.EventFilter) (calendar.Page[calendar.Event], calendar.EventQuery, error) {
	e, err := s.Get(ctx, key, f.Password.Or(""))
	if err != nil {
		return calendar.Page[calendar.Event]{}, calendar.EventQuery{}, err
	}
	return s.dates(ctx, e, f, func(*calendar.EventQuery) {})
}

// Dates is Occurrences for a series that has been read, with any page length.
func (s Events) Dates(ctx context.Context, e *calendar.Event, f *calendar.EventFilter,
	perPage int) (calendar.Page[calendar.Event], calendar.EventQuery, error) {
	return s.dates(ctx, e, f, func(q *calendar.EventQuery) { q.PerPage = perPage })
}

// dates lists the occurrences of an event. Everyone who may read the event may know them, even if lists do not show
// the event.
func (s Events) dates(ctx context.Context, e *calendar.Event, f *calendar.EventFilter,
	change func(*calendar.EventQuery)) (calendar.Page[calendar.Event], calendar.EventQuery, error) {
	of := *f
	switch {
	case e.Series != nil:
		of.Series = args.Some(strconv.FormatInt(e.Series.ID, 10))
	case e.Recurring():
		of.Series = args.Some(strconv.FormatInt(e.ID, 10))
	default:
		of.Include = args.Some(args.IDs{e.ID})
	}
	return s.list(ctx, &of, func(q *calendar.EventQuery) error {
		q.WithHidden = e.Hidden
		change(q)
		return nil
	})
}
