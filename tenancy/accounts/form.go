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

// How long a form that has made something is remembered, after what time an unfinished one counts as abandoned, and how long
// and how often the same form waits for it.
const (
	formLife      = time.Hour
	formAbandoned = time.Minute
	formWait      = 5 * time.Second
	formLook      = 100 * time.Millisecond
)

// ErrUnderWay says that the same form is still being processed.
var ErrUnderWay = errors.New("the same form is already being processed")

// Batch is the kind of a form that changes several things at once. Its result is the version of the site after the changes.
const Batch = "batch"

// Form is a form that makes something. The context of its work carries it, and the store records the result with it in the
// same transaction.
type Form struct {
	Hash []byte
	Kind string // kind of the history of the thing that it makes
}

type formKey struct{}

// FormOf returns the form that the context carries, nil for none.
func FormOf(ctx context.Context) *Form {
	f, _ := ctx.Value(formKey{}).(*Form)
	return f
}

// FormStore keeps for all nodes what forms of the Scope's site have made. Its calls leave the site's version unchanged.
type FormStore interface {
	// Begin reports whether the caller may work on the form with that hash: nobody has begun it, or someone began it before
	// abandoned and made nothing. Otherwise it returns what the form made, or 0 while the work goes on. It removes forms from
	// before forgotten.
	Begin(ctx context.Context, hash []byte, now, abandoned, forgotten time.Time) (mine bool, made int64, err error)
	// Drop forgets a form that made nothing.
	Drop(ctx context.Context, hash []byte) error
}

// Forms is the service that makes one thing of a form that is sent twice, whichever nodes it reaches.
type Forms struct {
	store FormStore
	clock func() time.Time

	mu   sync.Mutex
	lost map[string]time.Time // forms that made nothing on this node and that the store could not drop
}

// Once runs do for a form from whoever asks, unless that was done before, and returns the id of the thing made. A second
// call waits for the first and returns its result. If do fails, the form may be sent again. Forms without a name are all
// different. Once returns ErrUnderWay if the first call takes long.
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
		return 0, errors.Join(err, s.drop(context.WithoutCancel(ctx), hash)) // even if the sender is gone, who may send the form again
	}
	return id, nil
}

// drop forgets a form that made nothing. If the store fails, this node remembers that, so that the form can be sent again as
// soon as the store is back.
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

// free reports whether this node remembers that a form made nothing.
func (s *Forms) free(hash []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, lost := s.lost[string(hash)]
	return lost
}

// taken forgets that a form made nothing: it is being processed again.
func (s *Forms) taken(hash []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.lost, string(hash))
}

// begin takes on a form, or waits until the form's result is known.
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
