package tenancy

import (
	"context"
	"errors"
	"strconv"
	"time"
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
var ErrUnderWay = errors.New("the same form is under way")

// FormStore keeps for all nodes which forms of the Scope's site have made
// something. Its calls raise no version of the site.
type FormStore interface {
	// Begin reports whether the form of that hash is the caller's to work on:
	// nobody else has, or that began before abandoned and came to nothing. Else
	// it returns what the form made, 0 while that is under way. Forms from
	// before forgotten are removed.
	Begin(ctx context.Context, hash []byte, now, abandoned, forgotten time.Time) (mine bool, made int64, err error)
	// Made notes what a form made.
	Made(ctx context.Context, hash []byte, id int64) error
	// Drop forgets a form that made nothing.
	Drop(ctx context.Context, hash []byte) error
}

// Forms is the service that lets a form that is sent twice make one thing,
// whichever nodes it reaches.
type Forms struct {
	store FormStore
	clock func() time.Time
}

// Once makes something for a form of whoever asks unless that is done, and
// returns its id: the second waits for the first and gets what that made. What
// fails may be tried again. Forms without a name are all different. It returns
// ErrUnderWay when the first takes long.
func (s *Forms) Once(ctx context.Context, name string, do func() (int64, error)) (int64, error) {
	if name == "" {
		return do()
	}
	scope, err := From(ctx)
	if err != nil {
		return 0, err
	}
	hash := digest("form " + strconv.FormatInt(scope.Principal.UserID, 10) + " " + name)
	mine, made, err := s.begin(ctx, hash)
	switch {
	case err != nil:
		return 0, wrap("begin form", err)
	case !mine:
		return made, nil
	}
	id, err := do()
	lasting := context.WithoutCancel(ctx) // whoever sent the form may be gone, and sends it again
	if err != nil {
		return 0, errors.Join(err, s.store.Drop(lasting, hash))
	}
	return id, wrap("end form", s.store.Made(lasting, hash, id))
}

// begin takes a form on, or waits until it is known what it made.
func (s *Forms) begin(ctx context.Context, hash []byte) (mine bool, made int64, err error) {
	look := time.NewTicker(formLook)
	defer look.Stop()
	for range formWait / formLook {
		now := s.clock().UTC()
		mine, made, err = s.store.Begin(ctx, hash, now, now.Add(-formAbandoned), now.Add(-formLife))
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
