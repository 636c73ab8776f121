package accounts

import (
	"context"
	"errors"
	"time"

	"github.com/kalends/kalends/internal/secrets"
	"github.com/kalends/kalends/tenancy"
)

// ChallengeLife is how long a device may take to answer.
const ChallengeLife = 5 * time.Minute

// ErrNoChallenge says that a challenge was already answered, has expired, or never existed.
var ErrNoChallenge = errors.New("no such challenge")

// ChallengeStore stores what devices were asked to sign on the Scope's site, on behalf of all nodes. Its calls
// leave the site's version unchanged.
type ChallengeStore interface {
	// Create stores a challenge and deletes expired ones.
	Create(ctx context.Context, hash, data []byte, now, expires time.Time) error
	// Take removes the challenge with this hash and returns its data. It returns ErrNoChallenge if there is none,
	// it has expired, or an earlier call took it.
	Take(ctx context.Context, hash []byte, now time.Time) ([]byte, error)
	// Look is Take without removing the challenge.
	Look(ctx context.Context, hash []byte, now time.Time) ([]byte, error)
}

// Challenges is the service for challenges that devices sign.
type Challenges struct {
	store ChallengeStore
	clock func() time.Time
}

// Ask stores the data that a device is asked to sign, and returns a token for the browser.
func (s *Challenges) Ask(ctx context.Context, data []byte) (token string, err error) {
	token = secrets.Key()
	now := s.clock().UTC()
	return token, tenancy.Wrap("keep challenge", s.store.Create(ctx, secrets.Digest(token), data, now, now.Add(ChallengeLife)))
}

// Answered removes the challenge with a token and returns its data, or ErrNoChallenge.
func (s *Challenges) Answered(ctx context.Context, token string) ([]byte, error) {
	if !secrets.IsKey(token, "") {
		return nil, ErrNoChallenge
	}
	data, err := s.store.Take(ctx, secrets.Digest(token), s.clock().UTC())
	return data, tenancy.Wrap("take challenge", err)
}
