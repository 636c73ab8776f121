package accounts

import (
	"context"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/kalends/kalends/internal/rate"
	"github.com/kalends/kalends/internal/secrets"
	"github.com/kalends/kalends/tenancy"
)

// How long a session of the provider's console lasts, in total and without activity. Both are short, because the
// session gives access to every site.
const (
	consoleLife = 12 * time.Hour
	consoleIdle = time.Hour
)

// How often a client may try to sign in to the console on one node: a few times in a row, then once more every
// ConsoleWait.
const (
	ConsoleWait  = 30 * time.Second
	consoleTries = 5
	mostTries    = 10_000
)

// mostRefusals is how many failed sign-ins in a row one node records in the history; after that, it records one
// more every ConsoleWait. The history is kept forever, and strangers cause these entries.
const mostRefusals = 100

// ErrTooOften says that a client has tried to sign in too often.
var ErrTooOften = errors.New("too many sign-ins")

// ProviderSession lets a browser act as the provider. Only the hash of the browser's token is stored.
type ProviderSession struct {
	Hash     []byte // SHA-256 of the browser's token
	TokenID  int64  // ID of the provider token that opened it; 0: the configured token, or a sign-in through an OpenID Connect provider
	Name     string // name of the token, or the e-mail address confirmed by the OpenID Connect provider
	Seal     string // seal of the token or of ConsoleSignIn
	CSRF     string // CSRF token of the session's forms
	Created  time.Time
	LastSeen time.Time // to the minute
	Expires  time.Time
}

// Provider returns who acts in the session.
func (s *ProviderSession) Provider() tenancy.Provider {
	return tenancy.Provider{Name: s.Name, Token: s.TokenID}
}

// ProviderSessionStore keeps the sessions of the console. Its calls need no Scope. A session ends when its token is
// removed.
type ProviderSessionStore interface {
	// Create stores a session, drops the expired ones, and records the sign-in in the provider's history. It
	// returns ErrNoKey if the token no longer exists.
	Create(ctx context.Context, s *ProviderSession) error
	// Refused records a failed sign-in in the provider's history.
	Refused(ctx context.Context) error
	// Supports records in the provider's history that someone of the provider enters a site for support.
	Supports(ctx context.Context, site *tenancy.Site, f *SupportFields) error
	// Find returns the session with this hash, or ErrNoKey.
	Find(ctx context.Context, hash []byte) (*ProviderSession, error)
	// Touch stores when the session was last seen.
	Touch(ctx context.Context, hash []byte, at time.Time) error
	// Delete removes a session, if it exists.
	Delete(ctx context.Context, hash []byte) error
}

// ProviderSessions is the service for sessions of the provider's console.
type ProviderSessions struct {
	store         ProviderSessionStore
	authenticator *Authenticator
	signIn        func() *ConsoleSignIn // nil: only tokens
	providers     IdentityProviders
	challenges    *Challenges
	clock         func() time.Time
	refusals      rate.Budget // budget for recording failed sign-ins

	mu    sync.Mutex
	tries map[string]*rate.Budget // sign-ins by the client's address, and confirmations by the session's token
}

// triesOf returns the budget of a client for signing in.
func (s *ProviderSessions) triesOf(client string) *rate.Budget {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tries == nil || len(s.tries) >= mostTries {
		s.tries = map[string]*rate.Budget{}
	}
	b := s.tries[client]
	if b == nil {
		b = &rate.Budget{Each: ConsoleWait, Most: consoleTries, Clock: s.clock}
		s.tries[client] = b
	}
	return b
}

// Start begins a session for the holder of a provider token, and returns the secret that the browser keeps. It returns
// ErrCredentials for any other token, and ErrTooOften to a client that has tried too often.
func (s *ProviderSessions) Start(ctx context.Context, token string) (*ProviderSession, string, error) {
	tries := s.triesOf(tenancy.Current(ctx).Client())
	if !tries.Take() {
		return nil, "", ErrTooOften
	}
	started, secret, err := s.start(ctx, token)
	if !errors.Is(err, tenancy.ErrCredentials) { // not a wrong token
		tries.Back()
	}
	return started, secret, err
}

func (s *ProviderSessions) start(ctx context.Context, token string) (*ProviderSession, string, error) {
	provider, err := s.authenticator.Provider(ctx, token)
	if errors.Is(err, tenancy.ErrCredentials) {
		return nil, "", s.refused(ctx)
	}
	if err != nil {
		return nil, "", err
	}
	session := &ProviderSession{TokenID: provider.Token, Name: provider.Name, Seal: tokenSeal(secrets.Digest(token))}
	started, secret, err := s.open(ctx, session, s.clock().UTC().Truncate(time.Second))
	if errors.Is(err, ErrNoKey) {
		return nil, "", s.refused(ctx)
	}
	return started, secret, err
}

// Confirm returns nil for a valid provider token, which someone who has stolen a session does not have. It returns
// ErrCredentials for any other text, ErrTooOften if the sessions of a token try too often, and ErrUnauthenticated
// if the provider isn't acting.
func (s *ProviderSessions) Confirm(ctx context.Context, token string) error {
	who, ok := tenancy.ProviderOf(ctx)
	if !ok {
		return tenancy.ErrUnauthenticated
	}
	tries := s.triesOf("token " + strconv.FormatInt(who.Token, 10))
	if !tries.Take() {
		return ErrTooOften
	}
	_, err := s.authenticator.Provider(ctx, token)
	if !errors.Is(err, tenancy.ErrCredentials) { // not a wrong token
		tries.Back()
	}
	return tenancy.Wrap("confirm", err)
}

// refused records a failed sign-in. It returns ErrCredentials, even if the record could not be written.
func (s *ProviderSessions) refused(ctx context.Context) error {
	if s.refusals.Take() {
		if err := s.store.Refused(ctx); err != nil {
			return fmt.Errorf("%w, and it could not be recorded: %w", tenancy.ErrCredentials, err)
		}
	}
	return tenancy.ErrCredentials
}

// Find returns the session with the secret that a browser keeps. It returns ErrCredentials if there is none, it has
// ended, its token was revoked, or the configured token has changed.
func (s *ProviderSessions) Find(ctx context.Context, secret string) (*ProviderSession, error) {
	if !secrets.IsKey(secret, "") {
		return nil, tenancy.ErrCredentials
	}
	found, err := s.store.Find(ctx, secrets.Digest(secret))
	now := s.clock().UTC().Truncate(time.Second)
	switch {
	case errors.Is(err, ErrNoKey) || err == nil && (s.over(found, now) || !s.sealed(found)):
		return nil, tenancy.ErrCredentials
	case err != nil:
		return nil, tenancy.Wrap("find session of the console", err)
	}
	if since := now.Sub(found.LastSeen); since >= noteEvery { // never earlier: otherwise a wrong clock would end the session
		if err := s.store.Touch(ctx, found.Hash, now); err != nil {
			return nil, tenancy.Wrap("touch session of the console", err)
		}
	}
	return found, nil
}

// End ends a session.
func (s *ProviderSessions) End(ctx context.Context, session *ProviderSession) error {
	return tenancy.Wrap("end session of the console", s.store.Delete(ctx, session.Hash))
}

func (*ProviderSessions) over(found *ProviderSession, now time.Time) bool {
	return !now.Before(found.Expires) || now.Sub(found.LastSeen) >= consoleIdle
}

// sealed reports whether the session's sign-in is still valid. Deleting a stored token deletes its sessions. The
// configured token, and the rules for signing in through an OpenID Connect provider, are compared by their seals.
func (s *ProviderSessions) sealed(found *ProviderSession) bool {
	if found.TokenID != 0 {
		return true
	}
	equals := func(seal string) bool { return subtle.ConstantTimeCompare([]byte(found.Seal), []byte(seal)) == 1 }
	configured, by := s.authenticator.provider, s.SignIn()
	return configured != nil && equals(tokenSeal(configured)) || by != nil && equals(by.seal())
}

// tokenSeal returns a text that depends on a token and reveals nothing about it.
func tokenSeal(hash []byte) string {
	return hex.EncodeToString(secrets.Digest("console " + string(hash))[:16])
}
