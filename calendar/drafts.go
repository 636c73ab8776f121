package calendar

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// FormDraft is what somebody has typed into the form of an event and not saved: the
// event knows nothing of it.
type FormDraft struct {
	ID   int64               // of the event, 0 for a new one
	Base int64               // version of the event when the form was opened
	Form map[string][]string // fields of the form
	At   time.Time
}

// DraftLife is how long a draft is kept.
const DraftLife = 30 * 24 * time.Hour

// longestDraft bounds a draft, in bytes of JSON.
const longestDraft = 1_000_000

// DraftStore keeps the drafts of events of the Scope's user. Its calls raise no
// version of the site.
type DraftStore interface {
	// Get returns the draft of an event that is younger than since, or ErrNotFound.
	Get(ctx context.Context, user, id int64, since time.Time) (*FormDraft, error)
	// Others returns people but the user who have a draft of an event that is younger
	// than since, whoever typed last first.
	Others(ctx context.Context, user, id int64, since time.Time) ([]Typist, error)
	// Save keeps a draft in the place of the one before, and drops the site's
	// that are older than since.
	Save(ctx context.Context, user int64, d *FormDraft, since time.Time) error
	// Drop removes a draft, if there is one.
	Drop(ctx context.Context, user, id int64) error
}

// Typist is somebody who is typing into the form of an event.
type Typist struct {
	Name string
	At   time.Time // when they last typed
}

// typingNow is how long somebody counts as typing who types no more.
const typingNow = 10 * time.Minute

// Drafts is the service over drafts. People see their own, and of those of others who is
// typing into the same event.
type Drafts struct{ *Calendar }

// Drafts returns the service over drafts.
func (c *Calendar) Drafts() Drafts { return Drafts{c} }

// Get returns the draft of an event, 0 for a new one, or ErrNotFound.
func (s Drafts) Get(ctx context.Context, id int64) (*FormDraft, error) {
	user, err := s.typing(ctx)
	if err != nil {
		return nil, err
	}
	d, err := s.store.Drafts().Get(ctx, user, id, s.Now().Add(-DraftLife))
	if err != nil {
		return nil, fmt.Errorf("get draft: %w", err)
	}
	return d, nil
}

// Others returns who else has been typing into the form of an event within the last
// ten minutes and hasn't saved it.
func (s Drafts) Others(ctx context.Context, id int64) ([]Typist, error) {
	user, err := s.typing(ctx)
	if err != nil || id == 0 {
		return nil, err
	}
	list, err := s.store.Drafts().Others(ctx, user, id, s.Now().Add(-typingNow))
	if err != nil {
		return nil, fmt.Errorf("who else types: %w", err)
	}
	return list, nil
}

// Save keeps a draft and fills in when. A draft that is too long is
// *args.Problems.
func (s Drafts) Save(ctx context.Context, d *FormDraft) error {
	user, err := s.typing(ctx)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(d.Form)
	if err != nil {
		return fmt.Errorf("save draft: %w", err)
	}
	if len(raw) > longestDraft {
		return args.Invalid("form", "problem.bytes", map[string]any{"Max": longestDraft})
	}
	d.At = s.Now().UTC().Truncate(time.Second)
	if err := s.store.Drafts().Save(ctx, user, d, d.At.Add(-DraftLife)); err != nil {
		return fmt.Errorf("save draft: %w", err)
	}
	return nil
}

// Drop removes the draft of an event, if there is one.
func (s Drafts) Drop(ctx context.Context, id int64) error {
	user, err := s.typing(ctx)
	if err != nil {
		return err
	}
	if err := s.store.Drafts().Drop(ctx, user, id); err != nil {
		return fmt.Errorf("drop draft: %w", err)
	}
	return nil
}

// typing returns who types.
func (s Drafts) typing(ctx context.Context) (int64, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return 0, err
	}
	if err := scope.Principal.Require(tenancy.EditOwn); err != nil {
		return 0, err
	}
	if scope.Principal.UserID == 0 {
		return 0, tenancy.ErrForbidden
	}
	return scope.Principal.UserID, nil
}
