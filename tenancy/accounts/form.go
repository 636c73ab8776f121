package accounts

import (
	"context"
	"errors"
	"maps"
	"strconv"
	"sync"
	"time"

	"github.com/kalends/kalends/internal/secrets"
	"github.com/kalends/kalends/tenancy"
)

// How long a processed form is remembered, after how long an unfinished one counts as abandoned, and how long and
// how often a second copy of a form waits for the first.
const (
	formLife      = time.Hour
	formAbandoned = time.Minute
	formWait      = 5 * time.Second
	formLook      = 100 * time.Millisecond
)

// ErrUnderWay says that the same form is still being processed.
var ErrUnderWay = errors.New("the same form is already being processed")

// Batch is the kind of a form that changes several items together. Its result is the version of the site after the
// changes.
const Batch = "batch"

// Form is a form that creates something. It is in the context while the form is processed, and the store records
// the result in the same transaction.
type Form struct {
	Hash []byte
	Kind string // kind of the created item, as in the history
}

type formKey struct{}

// FormOf returns the form in the context, or nil.
func FormOf(ctx context.Context) *Form {
	f, _ := ctx.Value(formKey{}).(*Form)
	return f
}

// FormStore stores what forms of the Scope's site have created, on behalf of all nodes. Its calls leave the site's
// version unchanged.
type FormStore interface {
	// Begin reports whether the caller may process the form with this hash: nobody has begun it, or someone began
	// it before the time abandoned and created nothing. Otherwise it returns the ID of the created item, or 0 while
	// the form is being processed. It removes forms from before the time forgotten.
	Begin(ctx context.Context, hash []byte, now, abandoned, forgotten time.Time) (mine bool, made int64, err error)
	// Drop forgets a form that created nothing.
	Drop(ctx context.Context, hash []byte) error
}

// Forms is the service that processes a form only once, even if it is sent twice and to different nodes.
type Forms struct {
	store FormStore
	clock func() time.Time

	mu   sync.Mutex
	lost map[string]time.Time // hashes of forms that created nothing, and whose rows the store could not delete
}

// Once runs do for a form of the current principal, unless that was done before, and returns the ID of the created
// item. A second call waits for the first and returns its result. If do fails, the form may be sent again. Forms
// without a name all count as different. Once returns ErrUnderWay if the first call takes too long.
func (s *Forms) Once(ctx context.Context, name, kind string, do func(context.Context) (int64, error)) (int64, error) {
	if name == "" {
		return do(ctx)
	}
	scope, err := tenancy.From(ctx)
	if err != nil {
		return 0, err
	}
	hash := secrets.Digest("form " + strconv.FormatInt(scope.Principal.UserID, 10) + " " + name)
	mine, made, err := s.begin(ctx, hash)
	switch {
	case err != nil:
		return 0, tenancy.Wrap("begin form", err)
	case !mine:
		return made, nil
	}
	s.taken(hash)
	id, err := do(context.WithValue(ctx, formKey{}, &Form{hash, kind}))
	if err != nil {
		// Drop the form even if the sender has disconnected, so that it can be sent again.
		return 0, errors.Join(err, s.drop(context.WithoutCancel(ctx), hash))
	}
	return id, nil
}

// drop forgets a form that created nothing. If the store fails, this node remembers the form in lost, so that it
// can be sent again as soon as the store works.
func (s *Forms) drop(ctx context.Context, hash []byte) error {
	err := s.store.Drop(ctx, hash)
	if err == nil {
		return nil
	}
	now := s.clock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lost == nil {
		s.lost = map[string]time.Time{}
	}
	maps.DeleteFunc(s.lost, func(_ string, at time.Time) bool { return now.Sub(at) > formAbandoned })
	s.lost[string(hash)] = now
	return err
}

// free reports whether this node remembers that a form created nothing.
func (s *Forms) free(hash []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, lost := s.lost[string(hash)]
	return lost
}

// taken removes a form from lost, because it is being processed again.
func (s *Forms) taken(hash []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.lost, string(hash))
}

// begin starts processing a form, or waits until its result is known.
func (s *Forms) begin(ctx context.Context, hash []byte) (mine bool, made int64, err error) {
	look := time.NewTicker(formLook)
	defer look.Stop()
	for range formWait / formLook {
		now := s.clock().UTC()
		abandoned := now.Add(-formAbandoned)
		if s.free(hash) {
			abandoned = now.Add(time.Second)
		}
		mine, made, err = s.store.Begin(ctx, hash, now, abandoned, now.Add(-formLife))
		if err != nil || mine || made != 0 {
			return mine, made, err
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return false, 0, ctx.Err()
		}
	}
	return false, 0, ErrUnderWay
}
