package calendar

import (
	"context"
	"time"
)

// Preview is a secret address that shows an event's current state to anyone who has it, whether published or not.
// An event has at most one.
type Preview struct {
	Event   int64
	Token   string // last part of the address
	By      int64  // user id of the creator
	Made    time.Time
	Expires time.Time // instant at which it expires
}

// PreviewStore keeps previews. Its calls do not raise the version of the site.
type PreviewStore interface {
	// Of returns the preview of an event that is valid at an instant, or ErrNotFound.
	Of(ctx context.Context, event int64, at time.Time) (*Preview, error)
	// Find returns the preview with a token that is valid at an instant, or ErrNotFound.
	Find(ctx context.Context, token string, at time.Time) (*Preview, error)
	// Save stores a preview in place of the event's previous one and deletes the site's expired previews.
	Save(ctx context.Context, p *Preview) error
	// Drop deletes the preview of an event if it has one.
	Drop(ctx context.Context, event int64) error
}
