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

// How long a form is known to have made something, after which time one that is
// under way is taken for abandoned, and how long the same form waits for it.
const (
	formLife      = time.Hour
	formAbandoned = time.Minute
	formWait      = 5 * time.Second
	formLook      = 100 * time.Millisecond
)

// ErrUnderWay says that the same form is being worked on and takes its time.
var ErrUnderWay = errors.New("the same form is already being processed")

// Batch is the kind of a form that changes several things at once: what it makes is the version of the site since.
const Batch = "batch"

// Form is a form that makes something, as the context of its work carries it:
// whatever makes the thing notes that with it, in one transaction.
type Form struct {
	Hash []byte
	Kind string // of what it makes, as the history calls it
}

type formKey struct{}

// FormOf returns the form whose work this is, nil for none.
func FormOf(ctx context.Context) *Form {
	f, _ := ctx.Value(formKey{}).(*Form)
	return f
}

// FormStore keeps for all nodes which forms of the Scope's site have made
// something. Its calls raise no version of the site.
type FormStore interface {
	// Begin reports whether the form of that hash is the caller's to work on:
	// nobody else has, or that began before abandoned and came to nothing. Else
	// it returns what the form made, 0 while that is under way. Forms from
	// before forgotten are removed.
	Begin(ctx context.Context, hash []byte, now, abandoned, forgotten time.Time) (mine bool, made int64, err error)
	// Drop forgets a form that made nothing.
	Drop(ctx context.Context, hash []byte) error
}

// Forms is the service that lets a form that is sent twice make one thing,
// whichever nodes it reaches.
type Forms struct {
	store FormStore
	clock func() time.Time

	mu   sync.Mutex
	lost map[string]time.Time // forms that came to nothing here without the store having learned it
}

// Once makes something of a kind for a form of whoever asks unless that is done,
// and returns its id: the second waits for the first and gets what that made.
// What fails may be tried again. Forms without a name are all different. It
// returns ErrUnderWay when the first takes long.
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
		return 0, errors.Join(err, s.drop(context.WithoutCancel(ctx), hash)) // whoever sent the form may be gone, and sends it again
	}
	return id, nil
}

// drop forgets a form that came to nothing. While the store can't, this node
// remembers it, for whoever sends the form again as soon as that is back.
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

// free reports whether a form came to nothing on this node.
func (s *Forms) free(hash []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, lost := s.lost[string(hash)]
	return lost
}

// taken forgets that a form came to nothing: it is being worked on again.
func (s *Forms) taken(hash []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.lost, string(hash))
}

// begin takes a form on, or waits until it is known what it made.
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
