package calendar

import (
	"context"
	"errors"
	"fmt"

	"github.com/kalends/kalends/tenancy"
)

// An update that changes nothing is refused for the same reasons as any other, and writes nothing (rule 3.17).

// Unchanged returns an event as an update without changes does.
func (s Events) Unchanged(ctx context.Context, key Key, cond Condition) (*Event, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteEvents, tenancy.EditOwn)
	if err != nil {
		return nil, err
	}
	e, err := s.store.Events().Get(ctx, key)
	if _, removed := errors.AsType[*RemovedError](err); removed {
		err = ErrGone
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
func (s Places[T, F]) Unchanged(ctx context.Context, key Key, cond Condition) (*T, error) {
	scope, err := tenancy.Permitted(ctx, s.kind.access, tenancy.EditOwn)
	if err != nil {
		return nil, err
	}
	item, err := s.of().Get(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("update %s: %w", s.kind.name, err)
	}
	if err := kept(scope, s.kind.post(item), cond); err != nil {
		return nil, err
	}
	s.kind.speak(item, scope)
	return item, nil
}

// kept returns the error of an update that does not change an item.
func kept(scope *tenancy.Scope, post *Post, cond Condition) error {
	if err := Editable(scope.Principal, post, cond); err != nil {
		return err
	}
	if post.Trashed() {
		return ErrGone
	}
	return nil
}

// Unchanged returns a term as an update without changes does.
func (s Terms) Unchanged(ctx context.Context, id int64, cond Condition) (*Term, error) {
	if _, err := tenancy.Permitted(ctx, tenancy.WriteTerms, s.taxonomy.Right()); err != nil {
		return nil, err
	}
	t, err := s.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	return t, cond.Check(t.Version)
}
