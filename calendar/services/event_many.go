package services

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// MostTogether is how many events a user can change together.
const MostTogether = 500

// Many is the result of changing several events together.
type Many struct {
	Version int64             // of the site since; 0 if nothing was written
	Changed []*calendar.Event // as they are stored
	Left    []int64           // the events without a requested change
	Refused map[int64]error   // why the other events stay unchanged
}

// RefusedBy returns the events that were refused for this reason, by id.
func (m *Many) RefusedBy(reason error) (ids []int64) {
	for id, err := range m.Refused {
		if errors.Is(err, reason) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// errLeft says that an event needs no change.
var errLeft = errors.New("left as it is")

// ChangeMany changes several events, series and occurrences in one transaction, so that all changes have the same
// version. It calls change with each event that the principal may edit by role and area, as the principal sees it. change returns
// the fields to set, nil for no change, or an error that refuses the change. It must not read the database, and may
// be called again. Even if some events are refused, ChangeMany changes the others. It skips an occurrence if its
// series is among the events.
func (s Events) ChangeMany(ctx context.Context, ids []int64, change func(*calendar.Event) (*calendar.EventFields, error)) (*Many, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteEvents, tenancy.EditOwn)
	if err != nil {
		return nil, err
	}
	outside, err := s.Outside(ctx, ids)
	if err != nil {
		return nil, err
	}
	became, stored := map[int64]error{}, map[int64]*calendar.Event{}
	m := &Many{Refused: map[int64]error{}}
	m.Version, err = s.store.Events().ChangeMany(ctx, ids, func(id int64, e *calendar.Event) (links calendar.EventLinks, err error) {
		defer func() { became[id], stored[id] = err, e }()
		switch {
		case e == nil:
			return calendar.EventLinks{}, calendar.ErrNotFound
		case e.Series != nil && slices.Contains(ids, e.Series.ID):
			return calendar.EventLinks{}, errLeft
		case outside[id]:
			return calendar.EventLinks{}, tenancy.ErrOutside
		}
		return s.changeOne(ctx, scope, e, change)
	})
	if err != nil {
		return nil, fmt.Errorf("change events: %w", err)
	}
	for _, id := range ids {
		switch err := became[id]; {
		case err == nil:
			e := stored[id]
			hideUnreadable(scope.Principal, e)
			e.Speak(scope)
			m.Changed = append(m.Changed, e)
		case errors.Is(err, errLeft):
			m.Left = append(m.Left, id)
		default:
			m.Refused[id] = err
		}
	}
	return m, nil
}

// changeOne changes one of several events.
func (s Events) changeOne(
	ctx context.Context,
	scope *tenancy.Scope,
	e *calendar.Event,
	change func(*calendar.Event) (*calendar.EventFields, error),
) (calendar.EventLinks, error) {
	if err := calendar.Editable(scope.Principal, &e.Post, nil); err != nil {
		return calendar.EventLinks{}, err
	}
	seen := *e
	seen.Venues, seen.Organizers = slices.Clone(e.Venues), slices.Clone(e.Organizers)
	hideUnreadable(scope.Principal, &seen)
	f, err := change(&seen)
	switch {
	case err != nil:
		return calendar.EventLinks{}, err
	case f == nil:
		return calendar.EventLinks{}, errLeft
	}
	w, err := s.Writing(ctx, f)
	if err != nil {
		return calendar.EventLinks{}, err
	}
	links, err := w.Links(ctx)
	if err != nil {
		return links, err
	}
	return links, w.one(ctx, e)
}

// one applies a write to an event or to one occurrence of a series.
func (w *EventWrite) one(ctx context.Context, e *calendar.Event) error {
	was := *e
	if err := w.Apply(ctx, e, false); err != nil || e.Series == nil {
		return err
	}
	return calendar.CheckOccurrence(&was, e)
}

// Would returns the event that a change of e would result in, or the error that refuses it. It stores nothing and does not
// change links.
func (s Events) Would(ctx context.Context, e *calendar.Event, f *calendar.EventFields) (*calendar.Event, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	if err := calendar.Editable(scope.Principal, &e.Post, nil); err != nil {
		return nil, err
	}
	then := *e
	w := &EventWrite{EventFields: f, scope: scope, now: s.Now()}
	return &then, w.one(ctx, &then)
}

// CreateMany creates several events in one transaction: all of them or none. It returns their ids and the version of the site.
func (s Events) CreateMany(ctx context.Context, list []*calendar.EventFields) ([]int64, int64, error) {
	made := make([]calendar.EventImport, 0, len(list))
	for _, f := range list {
		w, err := s.Writing(ctx, f)
		if err != nil {
			return nil, 0, err
		}
		e := &calendar.Event{}
		if err := w.Apply(ctx, e, true); err != nil {
			return nil, 0, err
		}
		links, err := w.Links(ctx)
		if err != nil {
			return nil, 0, err
		}
		made = append(made, calendar.EventImport{Event: e, Links: links})
	}
	ids, version, err := s.store.Events().CreateMany(ctx, made)
	if err != nil {
		return nil, 0, fmt.Errorf("create events: %w", err)
	}
	return ids, version, nil
}
