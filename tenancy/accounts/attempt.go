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

// How often somebody may try a secret: a few times at once, then one more each
// half minute.
const (
	attemptsAtOnce = 5
	attemptEvery   = 30 * time.Second
)

// How many wrong ones a client may name at once whatever the account, and how many
// all clients together of one account, before they wait as the others do.
const (
	attemptsOfClient  = 20
	attemptsAtAccount = 50
	attemptsOfDevice  = 10
)

// mostOwed is how many accounts and clients are remembered that the store owes attempts.
const mostOwed = 4096

// Try is one of the counts that an attempt is part of.
type Try struct {
	Who    string
	AtOnce int // 0: attemptsAtOnce
}

// atAccount begins the counts of all clients at an account.
const atAccount = "account "

// SignInTries are the counts of an attempt to sign in from a client as an account:
// of that client, of both, and of the account.
func SignInTries(client, account string) []Try {
	return []Try{{"client " + client, attemptsOfClient}, {client + "\n" + account, 0}, {atAccount + account, attemptsAtAccount}}
}

// TakeAll uses up an attempt of each count. Where one has none left it returns how
// long to wait, and nothing is used up, as with an error.
func (s *Attempts) TakeAll(ctx context.Context, tries []Try) (wait time.Duration, err error) {
	wait, _, err = s.TakeAtAccount(ctx, tries)
	return wait, err
}

// WaitError says when somebody may try again who has tried too often.
type WaitError struct {
	Wait time.Duration
	err  error
}

// Error implements error.
func (e *WaitError) Error() string { return e.err.Error() + ", again in " + e.Wait.String() }

// Unwrap returns the error that Pass was given.
func (e *WaitError) Unwrap() error { return e.err }

// Pass uses up an attempt of each count. Where one has none left, nothing is used up and it returns refused as a *WaitError.
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

// TakeAtAccount is TakeAll that also says whether it is the account at which all clients together have none left.
func (s *Attempts) TakeAtAccount(ctx context.Context, tries []Try) (wait time.Duration, account bool, err error) {
	for i, try := range tries {
		if wait, err = s.take(ctx, try.Who, max(try.AtOnce, attemptsAtOnce)); err != nil || wait > 0 {
			s.BackAll(ctx, tries[:i])
			return wait, strings.HasPrefix(try.Who, atAccount), err
		}
	}
	return 0, false, nil
}

// BackAll is Back for all counts of an attempt.
func (s *Attempts) BackAll(ctx context.Context, tries []Try) {
	for _, try := range tries {
		s.Back(ctx, try.Who)
	}
}

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

// Back returns an attempt that was no guess: what was tried was right, or the
// database failed before it could be found out. Call it never for a secret that
// was wrong. While the database fails this node remembers the attempt.
func (s *Attempts) Back(ctx context.Context, who string) {
	if s.back(context.WithoutCancel(ctx), who) != nil {
		s.owe(who, s.clock().UTC())
	}
}

func (s *Attempts) back(ctx context.Context, who string) error {
	return tenancy.Wrap("return attempt", s.store.Back(ctx, secrets.Digest("attempt "+who), attemptEvery))
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
	if list := slices.Concat(s.owed[who], times); len(s.owed) < mostOwed && len(list) <= attemptsAtOnce {
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
