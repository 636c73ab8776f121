package services

import (
	"context"
	"errors"
	"fmt"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// An update that changes nothing is refused for the same reasons as any other, and writes nothing (rule 3.17).

// Unchanged returns an event as an update without changes does.
func (s Events) Unchanged(ctx context.Context, key calendar.Key, cond calendar.Condition) (*calendar.Event, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteEvents, tenancy.EditOwn)
	if err != nil {
		return nil, err
	}
	e, err := s.store.Events().Get(ctx, key)
	if _, removed := errors.AsType[*calendar.RemovedError](err); removed {
		err = calendar.ErrGone
	}
	if err != nil {
		return nil, fmt.Errorf("update event: %w", err)
	}
	if err := kept(scope, &e.Post, cond); err != nil {
		return nil, err
	}
	if err := s.Open(ctx, e); err != nil {
		return nil, err
	}
	hideUnreadable(scope.Principal, e)
	e.Speak(scope)
	return e, nil
}

// Unchanged returns an item as an update without changes does.
func (s Places[T, F]) Unchanged(ctx context.Context, key calendar.Key, cond calendar.Condition) (*T, error) {
	scope, err := tenancy.Permitted(ctx, s.kind.Access, tenancy.EditOwn)
	if err != nil {
		return nil, err
	}
	item, err := s.of().Get(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("update %s: %w", s.kind.Name, err)
	}
	if err := kept(scope, s.kind.Post(item), cond); err != nil {
		return nil, err
	}
	s.shown(item, scope)
	return item, nil
}

// kept returns the error of an update that does not change an item.
func kept(scope *tenancy.Scope, post *calendar.Post, cond calendar.Condition) error {
	if err := calendar.Editable(scope.Principal, post, cond); err != nil {
		return err
	}
	if post.Trashed() {
		return calendar.ErrGone
	}
	return nil
}

// Unchanged returns a term as an update without changes does.
func (s Terms) Unchanged(ctx context.Context, id int64, cond calendar.Condition) (*calendar.Term, error) {
	if _, err := tenancy.Permitted(ctx, tenancy.WriteTerms, s.taxonomy.Right()); err != nil {
		return nil, err
	}
	t, err := s.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	return t, cond.Check(t.Version)
}
