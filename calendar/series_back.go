package calendar

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// RemovedDate is an occurrence that was taken out of its series.
type RemovedDate struct {
	ID       int64
	Series   Post // what of the series tells who may put it back
	Title    string
	AllDay   bool
	Original time.Time
}

// Removed returns the dates that were taken out of series and that the principal may
// put back, the last first, and how many more there may be.
func (s Events) Removed(ctx context.Context, most int) ([]RemovedDate, int, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, 0, err
	}
	if err := scope.Principal.Require(tenancy.EditOwn); err != nil {
		return nil, 0, err
	}
	list, total, err := s.store.Events().Removed(ctx, viewer(scope.Principal), most)
	if err != nil {
		return nil, 0, fmt.Errorf("removed dates: %w", err)
	}
	more := total - len(list)
	return slices.DeleteFunc(list, func(d RemovedDate) bool { return !MayEdit(scope.Principal, &d.Series) }), more, nil
}

// TakeBack undoes what a write at a version did to a series, if nothing has changed it
// since: it is what it was, and where the write divided it, it is one again, with all
// its dates. ErrPrecondition when it has another version, ErrNotFound when the history
// doesn't know the write.
func (s Events) TakeBack(ctx context.Context, id, version int64) error {
	if _, err := tenancy.From(ctx); err != nil {
		return err
	}
	after := tenancy.Place{Version: version + 1}
	written, err := s.store.History().List(ctx, tenancy.HistoryQuery{Kind: "event", After: &after, Limit: 100})
	if err != nil {
		return fmt.Errorf("take back: %w", err)
	}
	var change *tenancy.Entry // of the series, or of the one it was divided from
	divided := false
	for i := range written {
		switch e := &written[i]; {
		case e.Place.Version != version:
		case e.Action == "create" && e.Place.ID == id:
			divided = true
		case e.Action == "update" && (e.Place.ID == id || change == nil && e.Before["recurrence"] != nil):
			change = e
		}
	}
	if change == nil || !divided && change.Place.ID != id {
		return fmt.Errorf("take back: %w", ErrNotFound)
	}
	_, now, err := s.store.History().Of(ctx, "event", change.Place.ID)
	if err != nil {
		return fmt.Errorf("take back: %w", err)
	}
	then := maps.Clone(now)
	maps.Copy(then, change.Before)
	err = restore(now, then, func(f *EventFields) error {
		if !divided {
			_, err := s.Update(ctx, Key{ID: id}, f, stillAt(version))
			return err
		}
		return s.rejoin(ctx, change.Place.ID, id, version, f)
	})
	if err != nil {
		return fmt.Errorf("take back: %w", err)
	}
	return nil
}

// rejoin makes one series again of two that a write at a version made of it.
func (s Events) rejoin(ctx context.Context, series, rest, version int64, f *EventFields) error {
	w, err := s.writing(ctx, f)
	if err != nil {
		return err
	}
	_, err = s.store.Events().Rejoin(ctx, series, rest, func(series, rest *Event) error {
		for _, e := range []*Event{series, rest} {
			if err := editable(w.scope.Principal, &e.Post, stillAt(version)); err != nil {
				return err
			}
		}
		if !series.Recurring() || !rest.Recurring() {
			return ErrPrecondition
		}
		series.Modified = w.now
		return w.apply(ctx, series, false)
	})
	if errors.Is(err, ErrNotFound) {
		return ErrPrecondition
	}
	return err
}

// stillAt lets a write through while the item has that version.
func stillAt(version int64) Condition {
	return func(now int64) error {
		if now != version {
			return ErrPrecondition
		}
		return nil
	}
}
