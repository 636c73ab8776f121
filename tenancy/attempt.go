package tenancy

import (
	"context"
	"time"
)

// How often somebody may try a secret: a few times at once, then one more each
// half minute.
const (
	attemptsAtOnce = 5
	attemptEvery   = 30 * time.Second
)

// AttemptStore counts on the Scope's site who has tried what, for all nodes. Its
// calls raise no version of the site.
type AttemptStore interface {
	// Take moves the time at which all attempts of that hash are theirs again,
	// from now on at least, by every, unless it lies after latest. It returns
	// that time and whether it was moved.
	Take(ctx context.Context, hash []byte, now, latest time.Time, every time.Duration) (full time.Time, taken bool, err error)
	// Back moves the time back.
	Back(ctx context.Context, hash []byte, every time.Duration) error
}

// Attempts is the service that slows down those who guess.
type Attempts struct {
	store AttemptStore
	clock func() time.Time
}

// Take uses up an attempt of somebody at something. Without one left it returns
// how long to wait, and nothing is used up.
func (s *Attempts) Take(ctx context.Context, who string) (wait time.Duration, err error) {
	const most = (attemptsAtOnce - 1) * attemptEvery
	now := s.clock().UTC()
	full, taken, err := s.store.Take(ctx, digest("attempt "+who), now, now.Add(most), attemptEvery)
	if err != nil || taken {
		return 0, wrap("count attempt", err)
	}
	return max(full.Add(-most).Sub(now), time.Millisecond), nil
}

// Back returns an attempt that was right.
func (s *Attempts) Back(ctx context.Context, who string) error {
	return wrap("return attempt", s.store.Back(ctx, digest("attempt "+who), attemptEvery))
}
