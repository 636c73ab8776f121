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
	for owed := s.settled(who, now); len(owed) > 0; owed = owed[1:] {
		if err := s.back(ctx, who); err != nil {
			s.owe(who, owed...)
			return 0, err
		}
	}
	full, taken, err := s.store.Take(ctx, digest("attempt "+who), now, now.Add(most), attemptEvery)
	if err != nil || taken {
		return 0, wrap("count attempt", err)
	}
	return max(full.Add(-most).Sub(now), time.Millisecond), nil
}

// Back returns an attempt that was no guess: what was tried was right, or the
// database failed before it could be found out. Call it never for a secret that
// was wrong. While the database fails this node remembers the attempt.
func (s *Attempts) Back(ctx context.Context, who string) {
	if s.back(context.WithoutCancel(ctx), who) != nil {
		s.owe(who, s.clock().UTC())
	}
}

func (s *Attempts) back(ctx context.Context, who string) error {
	return wrap("return attempt", s.store.Back(ctx, digest("attempt "+who), attemptEvery))
}

// owe remembers attempts of somebody, of those times, that have to be returned.
func (s *Attempts) owe(who string, times ...time.Time) {
	now := s.clock().UTC()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owed == nil {
		s.owed = map[string][]time.Time{}
	}
	maps.DeleteFunc(s.owed, func(_ string, list []time.Time) bool { return now.Sub(list[len(list)-1]) > attemptEvery })
	if list := slices.Concat(s.owed[who], times); len(s.owed) < memoryLimit && len(list) <= attemptsAtOnce {
		s.owed[who] = list
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
