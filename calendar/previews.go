package calendar

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// Preview is the address at which an event is seen as it stands by everybody who was
// given it, published or not. An event has one at most.
type Preview struct {
	Event   int64
	Token   string // the last part of the address
	By      int64  // user id of who made it
	Made    time.Time
	Expires time.Time // instant from which on it leads nowhere
}

// PreviewLife is how long a preview is good.
const PreviewLife = 14 * 24 * time.Hour

// PreviewStore keeps previews. Its calls raise no version of the site.
type PreviewStore interface {
	// Of returns the preview of an event that is good at an instant, or ErrNotFound.
	Of(ctx context.Context, event int64, at time.Time) (*Preview, error)
	// Find returns the preview of a token that is good at an instant, or ErrNotFound.
	Find(ctx context.Context, token string, at time.Time) (*Preview, error)
	// Save keeps a preview in the place of the one the event had, and drops the
	// site's that are good no more.
	Save(ctx context.Context, p *Preview) error
	// Drop removes the preview of an event, if it has one.
	Drop(ctx context.Context, event int64) error
}

// Previews is the service over previews. Who may change an event may show it.
type Previews struct{ *Calendar }

// Previews returns the service over previews.
func (c *Calendar) Previews() Previews { return Previews{c} }

// Of returns the preview of an event, or ErrNotFound when it has none.
func (s Previews) Of(ctx context.Context, event int64) (*Preview, error) {
	if _, err := s.owned(ctx, event); err != nil {
		return nil, err
	}
	p, err := s.store.Previews().Of(ctx, event, s.Now())
	if err != nil {
		return nil, fmt.Errorf("get preview: %w", err)
	}
	return p, nil
}

// Make makes a preview of an event; the one it had leads nowhere then. Dates of
// series have none of their own: ErrWrongType.
func (s Previews) Make(ctx context.Context, event int64) (*Preview, error) {
	e, err := s.owned(ctx, event)
	if err != nil {
		return nil, err
	}
	if e.Series != nil {
		return nil, ErrWrongType
	}
	now := s.Now()
	p := &Preview{Event: e.ID, Token: rand.Text(), By: tenancy.Current(ctx).Principal.UserID, Made: now, Expires: now.Add(PreviewLife)}
	if err := s.store.Previews().Save(ctx, p); err != nil {
		return nil, fmt.Errorf("make preview: %w", err)
	}
	return p, nil
}

// Revoke has the preview of an event lead nowhere.
func (s Previews) Revoke(ctx context.Context, event int64) error {
	if _, err := s.owned(ctx, event); err != nil {
		return err
	}
	if err := s.store.Previews().Drop(ctx, event); err != nil {
		return fmt.Errorf("revoke preview: %w", err)
	}
	return nil
}

// Open returns the event that a token shows, and until when. ErrNotFound: there is no
// such token any more, or the event is in the trash.
func (s Previews) Open(ctx context.Context, token string) (*Event, *Preview, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, nil, err
	}
	p, err := s.store.Previews().Find(ctx, token, s.Now())
	if err != nil {
		return nil, nil, fmt.Errorf("open preview: %w", err)
	}
	e, err := s.store.Events().Get(ctx, Key{ID: p.Event})
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("open preview: %w", err)
	case e.Trashed():
		return nil, nil, ErrNotFound
	}
	hideUnreadable(scope.Principal, e)
	return e, p, nil
}

// owned returns an event that whoever asks may change.
func (s Previews) owned(ctx context.Context, event int64) (*Event, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	if err := scope.Principal.Require(tenancy.EditOwn); err != nil {
		return nil, err
	}
	e, err := s.store.Events().Get(ctx, Key{ID: event})
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("get event: %w", err)
	case e.Trashed():
		return nil, ErrTrashed
	case !MayEdit(scope.Principal, &e.Post):
		return nil, tenancy.ErrForbidden
	}
	return e, nil
}
