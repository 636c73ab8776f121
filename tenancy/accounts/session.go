package accounts

import (
	"context"
	"encoding/hex"
	"errors"
	"time"

	"github.com/kalends/kalends/internal/secrets"
	"github.com/kalends/kalends/tenancy"
)

// How long a session lasts, in total and without activity.
const (
	sessionLife = 30 * 24 * time.Hour
	sessionIdle = 12 * time.Hour
)

// Session lets a browser act as a user of a site. Only the hash of its token is stored.
type Session struct {
	Hash      []byte // SHA-256 of the token
	UserID    int64
	Seal      string // seal of the user when the session began
	CSRF      string // CSRF token of the session's forms
	Created   time.Time
	LastSeen  time.Time // to the minute
	Expires   time.Time
	UserAgent string
	Address   string // of the client when the session began
	Passed    bool   // signed in not by a password alone, so it may begin even if the user has a second factor
	Support   bool   // of the provider's support, which is not a user
}

// ID returns the hash as text, for forms.
func (s *Session) ID() string { return hex.EncodeToString(s.Hash) }

// over reports whether the session has expired.
func (s *Session) over(now time.Time) bool {
	return !now.Before(s.Expires) || now.Sub(s.LastSeen) >= sessionIdle
}

// SessionStore keeps the sessions of the Scope's site. Its calls leave the site's version unchanged.
type SessionStore interface {
	// Create stores a session, drops the user's expired ones, and records the sign-in in the history.
	Create(ctx context.Context, s *Session) error
	// Support stores a session of the provider's support, as a challenge is stored, and records in the history who
	// has signed in.
	Support(ctx context.Context, hash, data []byte, now, expires time.Time) error
	// Refused records in the history that a sign-in as a user failed; 0 is an unknown user.
	Refused(ctx context.Context, user int64) error
	// Find returns the session with this hash and its user, or ErrNoKey.
	Find(ctx context.Context, hash []byte) (*Session, *tenancy.User, error)
	// Touch stores when the session was last seen, unless a later time is stored.
	Touch(ctx context.Context, hash []byte, at time.Time) error
	// List returns a user's sessions, the most recently used first.
	List(ctx context.Context, user int64) ([]*Session, error)
	// Delete removes a session of a user, or returns ErrNoKey.
	Delete(ctx context.Context, user int64, hash []byte) error
	// DeleteOthers removes all sessions of a user except the one with the hash in but.
	DeleteOthers(ctx context.Context, user int64, but []byte) error
}

// Sessions is the service for sessions of the administration. People see and end their own.
type Sessions struct {
	store   SessionStore
	signIns SignInStore
	clock   func() time.Time
}

// Way is a means of signing in.
type Way int

// The ways to sign in.
const (
	ByPasswordAlone Way = iota
	ByCode              // after a password
	ByPasskey
	ByProvider
	ByRenewal // within a session, by changing the password
)

// Entry describes a sign-in that has just succeeded.
type Entry struct {
	Agent, Address string // of the client
	By             Way
}

// providerLife is how long a session lasts that began through an OpenID Connect provider. It is shorter, because
// the provider may no longer know the person.
const providerLife = 12 * time.Hour

// Start begins a session of a user who has just signed in, and returns the token for the browser. Each sign-in has
// its own token. It returns ErrPasswordsOff if a password no longer opens the user's account, and ErrNoUser if a
// code is required and only a password was given.
func (s *Sessions) Start(ctx context.Context, user *tenancy.User, by Entry) (*Session, string, error) {
	if by.By == ByPasswordAlone || by.By == ByCode {
		opens, err := s.signIns.PasswordOpens(ctx, user.ID)
		if err != nil {
			return nil, "", tenancy.Wrap("start session", err)
		}
		if !opens {
			return nil, "", ErrPasswordsOff
		}
	}
	token, now, life := secrets.Key(), s.clock().UTC().Truncate(time.Second), sessionLife
	if by.By == ByProvider {
		life = providerLife
	}
	started := &Session{Hash: secrets.Digest(token), UserID: user.ID, Seal: user.Seal(), CSRF: secrets.Key(), Created: now,
		LastSeen: now, Expires: now.Add(life), UserAgent: shortened(by.Agent), Address: by.Address,
		Passed: by.By != ByPasswordAlone}
	if err := s.store.Create(ctx, started); err != nil {
		return nil, "", tenancy.Wrap("start session", err)
	}
	return started, token, nil
}

// Find returns the session with a token and its user. It returns ErrCredentials if there is none, it has ended, or
// the password has changed.
func (s *Sessions) Find(ctx context.Context, token string) (*Session, *tenancy.User, error) {
	if !secrets.IsKey(token, "") {
		return nil, nil, tenancy.ErrCredentials
	}
	found, user, err := s.store.Find(ctx, secrets.Digest(token))
	now := s.clock().UTC().Truncate(time.Second)
	switch {
	case errors.Is(err, ErrNoKey) || err == nil && (found.over(now) || found.Seal != user.Seal()):
		return nil, nil, tenancy.ErrCredentials
	case err != nil:
		return nil, nil, tenancy.Wrap("find session", err)
	}
	if since := now.Sub(found.LastSeen); since >= noteEvery { // never earlier: otherwise a wrong clock would end the session
		if err := s.store.Touch(ctx, found.Hash, now); err != nil {
			return nil, nil, tenancy.Wrap("touch session", err)
		}
	}
	return found, user, nil
}

// List returns the sessions of the current user that have not ended, the most recently used first.
func (s *Sessions) List(ctx context.Context) ([]*Session, error) {
	me, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	return s.running(ctx, me)
}

// running returns the sessions of a user that haven't ended.
func (s *Sessions) running(ctx context.Context, user int64) ([]*Session, error) {
	all, err := s.store.List(ctx, user)
	if err != nil {
		return nil, tenancy.Wrap("list sessions", err)
	}
	now, list := s.clock(), make([]*Session, 0, len(all))
	for _, one := range all {
		if !one.over(now) {
			list = append(list, one)
		}
	}
	return list, nil
}

// End ends a session of the current user, by ID, or returns ErrNoKey.
func (s *Sessions) End(ctx context.Context, id string) error {
	me, err := signedIn(ctx)
	if err != nil {
		return err
	}
	hash, err := hex.DecodeString(id)
	if err != nil {
		return ErrNoKey
	}
	return tenancy.Wrap("end session", s.store.Delete(ctx, me, hash))
}

// EndOthers ends all sessions of the current user except the given one.
func (s *Sessions) EndOthers(ctx context.Context, but *Session) error {
	me, err := signedIn(ctx)
	if err != nil {
		return err
	}
	return tenancy.Wrap("end sessions", s.store.DeleteOthers(ctx, me, but.Hash))
}

// Of returns the sessions of a user that have not ended, the most recently used first. It is for people who manage
// users; others get ErrUnauthenticated or ErrForbidden.
func (s *Sessions) Of(ctx context.Context, user int64) ([]*Session, error) {
	if err := requireReading(ctx, 0); err != nil {
		return nil, err
	}
	return s.running(ctx, user)
}

// EndAll ends all sessions of a user. It is for people who manage users; others get ErrUnauthenticated or
// ErrForbidden.
func (s *Sessions) EndAll(ctx context.Context, user int64) error {
	if _, err := requireWriting(ctx, 0); err != nil {
		return err
	}
	return tenancy.Wrap("end sessions", s.store.DeleteOthers(ctx, user, []byte{}))
}

// signedIn returns the id of the current user, or ErrUnauthenticated.
func signedIn(ctx context.Context) (int64, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return 0, err
	}
	if scope.Principal.UserID == 0 {
		return 0, tenancy.ErrUnauthenticated
	}
	return scope.Principal.UserID, nil
}

// shortened shortens a browser's User-Agent.
func shortened(agent string) string {
	const longest = 300
	letters := []rune(agent)
	return string(letters[:min(len(letters), longest)])
}
