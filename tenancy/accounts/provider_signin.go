package accounts

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/internal/secrets"
	"github.com/kalends/kalends/tenancy"
)

// ConsoleSignIn is the OpenID Connect provider through which people sign in to the provider's console, and who may
// do so (ADR 162).
type ConsoleSignIn struct {
	Issuer, ClientID, Secret string
	Claim                    string   // name of the claim with the person's groups
	Emails, Groups           []string // who may sign in: people with one of these addresses, or in one of these groups
}

// Name returns the name that pages show for the provider.
func (c *ConsoleSignIn) Name() string { return issuerName(c.Issuer) }

// admits returns nil for a person who may enter the console, otherwise ErrUnverified or ErrNotAdmitted.
func (c *ConsoleSignIn) admits(who *Identity) error {
	if !who.Verified || who.Email == "" {
		return ErrUnverified
	}
	mail := func(one string) bool { return tenancy.Fold(one) == tenancy.Fold(who.Email) }
	group := func(one string) bool { return slices.Contains(who.Groups, one) }
	if !slices.ContainsFunc(c.Emails, mail) && !slices.ContainsFunc(c.Groups, group) {
		return ErrNotAdmitted
	}
	return nil
}

// seal returns a text that changes with every setting that decides who may enter. When it changes, the sessions
// end.
func (c *ConsoleSignIn) seal() string {
	whole := fmt.Sprintf("console %q %q %q %q %q", c.Issuer, c.ClientID, c.Claim, c.Emails, c.Groups)
	return hex.EncodeToString(secrets.Digest(whole)[:16])
}

// SignIn returns the provider through which people may sign in to the console, or nil.
func (s *ProviderSessions) SignIn() *ConsoleSignIn {
	if s.signIn == nil {
		return nil
	}
	return s.signIn()
}

// Begin returns the URL of the OpenID Connect provider to which the browser is sent, and a token that the browser
// keeps. It returns ErrNoProvider, ErrUnreachable, and ErrTooOften to a client that has tried too often.
func (s *ProviderSessions) Begin(ctx context.Context, redirect string) (address, token string, err error) {
	by := s.SignIn()
	if by == nil {
		return "", "", ErrNoProvider
	}
	if !s.triesOf(askingTries(ctx)).Take() {
		return "", "", ErrTooOften
	}
	address, token, err = question(ctx, s.providers, s.challenges, by.party(redirect), begun{Issuer: by.Issuer, Redirect: redirect})
	if err != nil {
		s.triesOf(askingTries(ctx)).Back()
	}
	return address, token, err
}

// Finish begins a session for the person whom the provider has confirmed, and returns the secret that the browser
// keeps. It returns ErrNotBegunHere if this browser has not begun the sign-in, ErrNoProvider, ErrUnreachable,
// ErrNotConfirmed, ErrUnverified and ErrNotAdmitted.
func (s *ProviderSessions) Finish(ctx context.Context, token, state, code string) (*ProviderSession, string, error) {
	by := s.SignIn()
	if by == nil {
		return nil, "", ErrNoProvider
	}
	asked, err := answered(ctx, s.challenges, token, state)
	if err == nil && asked.Issuer != by.Issuer { // the settings have changed in the meantime
		err = ErrNotBegunHere
	}
	if err != nil {
		return nil, "", err
	}
	who, err := s.providers.Identity(ctx, by.party(asked.Redirect), asked.Asked, code)
	if err != nil {
		return nil, "", tenancy.Wrap("ask provider", err)
	}
	if err := by.admits(who); err != nil {
		return nil, "", fmt.Errorf("%w: %.200s", err, who.Email)
	}
	s.triesOf(askingTries(ctx)).Back()
	now := s.clock().UTC().Truncate(time.Second)
	return s.open(ctx, &ProviderSession{Name: strings.TrimSpace(who.Email), Seal: by.seal()}, now)
}

// NotAdmitted records in the history that someone was not let in.
func (s *ProviderSessions) NotAdmitted(ctx context.Context) error {
	if !s.refusals.Take() {
		return nil
	}
	return s.store.Refused(ctx)
}

// open stores a session that begins now.
func (s *ProviderSessions) open(ctx context.Context, of *ProviderSession, now time.Time) (*ProviderSession, string, error) {
	secret := secrets.Key()
	of.Hash, of.CSRF, of.Created, of.LastSeen, of.Expires = secrets.Digest(secret), secrets.Key(), now, now, now.Add(consoleLife)
	return of, secret, tenancy.Wrap("start session of the console", s.store.Create(ctx, of))
}

// askingTries is the key of the counter for requests of a client to the OpenID Connect provider.
func askingTries(ctx context.Context) string { return "provider " + tenancy.Current(ctx).Client() }

func (c *ConsoleSignIn) party(redirect string) Party {
	return Party{c.Issuer, c.ClientID, c.Secret, redirect, c.Claim}
}
