package accounts

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kalends/kalends/internal/secrets"
	"github.com/kalends/kalends/tenancy"
)

// How often someone may try a secret: a few times in a row, then once more every half minute.
const (
	attemptsAtOnce = 5
	attemptEvery   = 30 * time.Second
)

// How many attempts may follow one another without waiting: by a client at all accounts, by all clients together at
// one account, and by a known device.
const (
	attemptsOfClient  = 20
	attemptsAtAccount = 50
	attemptsOfDevice  = 10
)

// mostOwed is the largest number of accounts and clients whose attempts this node remembers until the store can return them.
const mostOwed = 4096

// Try is one of the counters that an attempt uses up.
type Try struct {
	Who    string
	AtOnce int // 0: attemptsAtOnce
}

// atAccount is the prefix of the counter for all clients at an account.
const atAccount = "account "

// SignInTries returns the counters for an attempt to sign in: for the client at all accounts, for the client at
// this account, and for all clients at this account.
func SignInTries(client, account string) []Try {
	return []Try{{"client " + client, attemptsOfClient}, {client + "\n" + account, 0}, {atAccount + account, attemptsAtAccount}}
}

// TakeAll takes an attempt from each counter. If one of them has none left, or an error occurs, it takes no
// attempts; in the first case it returns how long to wait.
func (s *Attempts) TakeAll(ctx context.Context, tries []Try) (wait time.Duration, err error) {
	wait, _, err = s.TakeAtAccount(ctx, tries)
	return wait, err
}

// WaitError says how long to wait after too many attempts.
type WaitError struct {
	Wait time.Duration
	err  error
}

// Error implements error.
func (e *WaitError) Error() string { return e.err.Error() + ", again in " + e.Wait.String() }

// Unwrap returns the error that was passed to Pass.
func (e *WaitError) Unwrap() error { return e.err }

// Pass takes an attempt from each counter. If one of them has none left, it takes no attempts and returns refused
// as a *WaitError.
func (s *Attempts) Pass(ctx context.Context, refused error, who ...string) error {
	tries := make([]Try, 0, len(who))
	for _, one := range who {
		tries = append(tries, Try{Who: one})
	}
	wait, err := s.TakeAll(ctx, tries)
	if err == nil && wait > 0 {
		err = &WaitError{wait, refused}
	}
	return err
}

// TakeAtAccount is TakeAll, but also reports whether it was the counter for all clients at the account that had
// none left.
func (s *Attempts) TakeAtAccount(ctx context.Context, tries []Try) (wait time.Duration, account bool, err error) {
	for i, try := range tries {
		if wait, err = s.take(ctx, try.Who, max(try.AtOnce, attemptsAtOnce)); err != nil || wait > 0 {
			s.BackAll(ctx, tries[:i])
			return wait, strings.HasPrefix(try.Who, atAccount), err
		}
	}
	return 0, false, nil
}

// BackAll gives back an attempt to each counter.
func (s *Attempts) BackAll(ctx context.Context, tries []Try) {
	for _, try := range tries {
		s.Back(ctx, try.Who)
	}
}

// AttemptStore counts attempts on the Scope's site on behalf of all nodes. Its calls leave the site's version
// unchanged.
type AttemptStore interface {
	// Take uses up an attempt. For each hash, the store keeps the time at which all attempts are available again.
	// Take adds the duration every to that time, or to now if the time has passed, unless it is later than latest.
	// It returns the time and whether it was changed. A time later than latest by more than every is impossible,
	// and counts as latest.
	Take(ctx context.Context, hash []byte, now, latest time.Time, every time.Duration) (full time.Time, taken bool, err error)
	// Back returns an attempt: it subtracts every from the time that Take stored.
	Back(ctx context.Context, hash []byte, every time.Duration) error
}

// Attempts is the service that slows down guessing.
type Attempts struct {
	store AttemptStore
	clock func() time.Time

	mu   sync.Mutex
	owed map[string][]time.Time // attempts to return to the store as soon as it works again, by client or account
}

// Take uses up an attempt of a client or account. If none is left, it returns how long to wait.
func (s *Attempts) Take(ctx context.Context, who string) (wait time.Duration, err error) {
	return s.take(ctx, who, attemptsAtOnce)
}

func (s *Attempts) take(ctx context.Context, who string, atOnce int) (wait time.Duration, err error) {
	most := time.Duration(atOnce-1) * attemptEvery
	now := s.clock().UTC()
	for owed := s.settled(who, now); len(owed) > 0; owed = owed[1:] {
		if err := s.back(ctx, who); err != nil {
			s.owe(who, owed...)
			return 0, err
		}
	}
	full, taken, err := s.store.Take(ctx, secrets.Digest("attempt "+who), now, now.Add(most), attemptEvery)
	if err != nil || taken {
		return 0, tenancy.Wrap("count attempt", err)
	}
	return max(full.Add(-most).Sub(now), time.Millisecond), nil
}

// Back gives back an attempt that was not a guess: the secret was right, or the database failed before it could be
// checked. Never call it for a wrong secret. If the store fails, this node remembers to give the attempt back
// later.
func (s *Attempts) Back(ctx context.Context, who string) {
	if s.back(context.WithoutCancel(ctx), who) != nil {
		s.owe(who, s.clock().UTC())
	}
}

func (s *Attempts) back(ctx context.Context, who string) error {
	return tenancy.Wrap("return attempt", s.store.Back(ctx, secrets.Digest("attempt "+who), attemptEvery))
}

// owe remembers attempts of who, made at these times, that must be given back.
func (s *Attempts) owe(who string, times ...time.Time) {
	now := s.clock().UTC()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owed == nil {
		s.owed = map[string][]time.Time{}
	}
	maps.DeleteFunc(s.owed, func(_ string, list []time.Time) bool { return now.Sub(list[len(list)-1]) > attemptEvery })
	if list := slices.Concat(s.owed[who], times); len(s.owed) < mostOwed && len(list) <= attemptsAtOnce {
		s.owed[who] = list
	}
}

// settled removes the attempts owed to a client or account, and returns those that the store must still get back.
// Attempts older than attemptEvery have become available again without that.
func (s *Attempts) settled(who string, now time.Time) []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.owed[who]
	delete(s.owed, who)
	return slices.DeleteFunc(list, func(at time.Time) bool { return now.Sub(at) > attemptEvery })
}
