package tenancy

import (
	"context"
	"maps"
	"slices"
	"sync"
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
	// that time and whether it was moved. One that lies more than every after
	// latest can't be, and counts as latest.
	Take(ctx context.Context, hash []byte, now, latest time.Time, every time.Duration) (full time.Time, taken bool, err error)
	// Back moves the time back.
	Back(ctx context.Context, hash []byte, every time.Duration) error
}

// Attempts is the service that slows down those who guess.
type Attempts struct {
	store AttemptStore
	clock func() time.Time

	mu   sync.Mutex
	owed map[string][]time.Time // attempts at nothing that the store couldn't return yet, by who
}

// Take uses up an attempt of somebody at something. Without one left it returns
// how long to wait, and nothing is used up.
func (s *Attempts) Take(ctx context.Context, who string) (wait time.Duration, err error) {
	const most = (attemptsAtOnce - 1) * attemptEvery
	now := s.clock().UTC()
	for range s.settled(who, now) {
		if err := s.Back(ctx, who); err != nil {
			return 0, err
		}
	}
	full, taken, err := s.store.Take(ctx, digest("attempt "+who), now, now.Add(most), attemptEvery)
	if err != nil || taken {
		return 0, wrap("count attempt", err)
	}
	return max(full.Add(-most).Sub(now), time.Millisecond), nil
}

// Unused returns an attempt in which nothing was found out, because the database
// failed before: that was no guess. Call it never for a secret that has been
// compared. While the database still fails this node remembers the attempt.
func (s *Attempts) Unused(ctx context.Context, who string) {
	if s.Back(context.WithoutCancel(ctx), who) == nil {
		return
	}
	now := s.clock().UTC()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owed == nil {
		s.owed = map[string][]time.Time{}
	}
	maps.DeleteFunc(s.owed, func(_ string, list []time.Time) bool { return now.Sub(list[len(list)-1]) > attemptEvery })
	if len(s.owed) < memoryLimit {
		s.owed[who] = append(s.owed[who], now)
	}
}

// settled takes what is owed to somebody and not yet over by itself.
func (s *Attempts) settled(who string, now time.Time) []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.owed[who]
	delete(s.owed, who)
	return slices.DeleteFunc(list, func(at time.Time) bool { return now.Sub(at) > attemptEvery })
}

// Back returns an attempt that was right.
func (s *Attempts) Back(ctx context.Context, who string) error {
	return wrap("return attempt", s.store.Back(ctx, digest("attempt "+who), attemptEvery))
}
