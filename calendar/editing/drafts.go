package editing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// FormDraft is the unsaved input of a user in the form of an event.
type FormDraft struct {
	ID   int64               // of the event; 0 for a new event
	Base int64               // version of the event when the form was opened
	Form map[string][]string // fields of the form
	At   time.Time
}

// DraftLife is how long a draft is kept.
const DraftLife = 30 * 24 * time.Hour

// longestDraft is the maximum size of a draft in bytes of JSON.
const longestDraft = 1_000_000

// DraftStore keeps the drafts of the Scope's users. Its calls do not raise the version of the site.
type DraftStore interface {
	// Get returns the draft of an event if it is newer than since, or ErrNotFound.
	Get(ctx context.Context, user, id int64, since time.Time) (*FormDraft, error)
	// Others returns other users with a draft of an event newer than since, most recent first.
	Others(ctx context.Context, user, id int64, since time.Time) ([]Typist, error)
	// Save stores a draft in place of the previous one and deletes the site's drafts older than since.
	Save(ctx context.Context, user int64, d *FormDraft, since time.Time) error
	// Drop deletes a draft if it exists.
	Drop(ctx context.Context, user, id int64) error
}

// Typist is a user who is editing an event.
type Typist struct {
	Name string
	At   time.Time // when they last typed
}

// typingNow is how long a user counts as editing after their last draft.
const typingNow = 10 * time.Minute

// Drafts is the service for drafts. Users see their own drafts, and who else is editing the same event.
type Drafts struct{ *Service }

// Drafts returns the service over drafts.
func (c *Service) Drafts() Drafts { return Drafts{c} }

// Get returns the user's draft of an event, or ErrNotFound. id 0 means a new event.
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

// Others returns who else has an unsaved draft of an event from the last ten minutes. It returns ErrNotFound if there
// is no such event, and tenancy.ErrForbidden if the user may not edit it.
func (s Drafts) Others(ctx context.Context, id int64) ([]Typist, error) {
	user, err := s.typing(ctx)
	if errors.Is(err, errNoAccount) || err == nil && id == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := s.editable(ctx, user, id); err != nil {
		return nil, err
	}
	list, err := s.store.Drafts().Others(ctx, user, id, s.Now().Add(-typingNow))
	if err != nil {
		return nil, fmt.Errorf("read other editors of an event: %w", err)
	}
	return list, nil
}

// Save stores a draft and sets its time. It returns *args.Problems if the draft is too long, ErrNotFound if there is no
// such event, and tenancy.ErrForbidden if the user may not edit it.
func (s Drafts) Save(ctx context.Context, d *FormDraft) error {
	user, err := s.typing(ctx)
	if err != nil {
		return err
	}
	if err := s.editable(ctx, user, d.ID); err != nil {
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

// Drop deletes the draft of an event if it exists.
func (s Drafts) Drop(ctx context.Context, id int64) error {
	user, err := s.typing(ctx)
	if errors.Is(err, errNoAccount) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := s.store.Drafts().Drop(ctx, user, id); err != nil {
		return fmt.Errorf("delete draft: %w", err)
	}
	return nil
}

// editable returns nil for a new event and for an event that the user may edit. Authors may also keep a draft of an
// event that someone published while they were typing.
func (s Drafts) editable(ctx context.Context, user, id int64) error {
	if id == 0 {
		return nil
	}
	e, err := s.store.Events().Get(ctx, calendar.Key{ID: id})
	if err != nil {
		return fmt.Errorf("event of a draft: %w", err)
	}
	if e.Author == user {
		return nil
	}
	return calendar.Editable(tenancy.Current(ctx).Principal, &e.Post, nil)
}

// errNoAccount is returned for support, who is no user and has no drafts.
var errNoAccount = fmt.Errorf("%w: drafts belong to users", tenancy.ErrForbidden)

// typing returns the user of the scope.
func (s Drafts) typing(ctx context.Context) (int64, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteEvents, tenancy.EditOwn)
	if err != nil {
		return 0, err
	}
	if scope.Principal.UserID == 0 {
		return 0, errNoAccount
	}
	return scope.Principal.UserID, nil
}
