package services

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// PreviewLife is how long a preview is valid.
const PreviewLife = 14 * 24 * time.Hour

// Previews is the service for previews. Anyone who may edit an event may create them.
type Previews struct{ *Calendar }

// Previews returns the service over previews.
func (c *Calendar) Previews() Previews { return Previews{c} }

// Of returns the preview of an event, or ErrNotFound.
func (s Previews) Of(ctx context.Context, event int64) (*calendar.Preview, error) {
	if _, err := s.owned(ctx, event); err != nil {
		return nil, err
	}
	p, err := s.store.Previews().Of(ctx, event, s.Now())
	if err != nil {
		return nil, fmt.Errorf("get preview: %w", err)
	}
	return p, nil
}

// Make creates a preview of an event and invalidates the previous one. It returns ErrWrongType for an occurrence of a
// series, which cannot have one.
func (s Previews) Make(ctx context.Context, event int64) (*calendar.Preview, error) {
	e, err := s.owned(ctx, event)
	if err != nil {
		return nil, err
	}
	if e.Series != nil {
		return nil, calendar.ErrWrongType
	}
	now := s.Now()
	p := &calendar.Preview{Event: e.ID, Token: rand.Text(), By: tenancy.Current(ctx).Principal.UserID, Made: now,
		Expires: now.Add(PreviewLife)}
	if err := s.store.Previews().Save(ctx, p); err != nil {
		return nil, fmt.Errorf("make preview: %w", err)
	}
	return p, nil
}

// Revoke invalidates the preview of an event.
func (s Previews) Revoke(ctx context.Context, event int64) error {
	if _, err := s.owned(ctx, event); err != nil {
		return err
	}
	if err := s.store.Previews().Drop(ctx, event); err != nil {
		return fmt.Errorf("revoke preview: %w", err)
	}
	return nil
}

// Open returns the event of a token and its preview. It returns ErrNotFound if the token is invalid or the event is
// in the trash.
func (s Previews) Open(ctx context.Context, token string) (*calendar.Event, *calendar.Preview, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, nil, err
	}
	p, err := s.store.Previews().Find(ctx, token, s.Now())
	if err != nil {
		return nil, nil, fmt.Errorf("open preview: %w", err)
	}
	e, err := s.store.Events().Get(ctx, calendar.Key{ID: p.Event})
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("open preview: %w", err)
	case e.Trashed():
		return nil, nil, calendar.ErrNotFound
	}
	hideUnreadable(scope.Principal, e)
	return e, p, nil
}

// owned returns an event that the principal may edit.
func (s Previews) owned(ctx context.Context, event int64) (*calendar.Event, error) {
	if _, err := tenancy.Permitted(ctx, tenancy.WriteEvents, tenancy.EditOwn); err != nil {
		return nil, err
	}
	e, err := s.store.Events().Get(ctx, calendar.Key{ID: event})
	switch {
	case errors.Is(err, calendar.ErrNotFound):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("get event: %w", err)
	case e.Trashed():
		return nil, calendar.ErrTrashed
	}
	return e, s.Events().Open(ctx, e)
}
