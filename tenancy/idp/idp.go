// Package idp identifies people through OpenID Connect providers.
package idp

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/kalends/kalends/internal/outbound"
	"github.com/kalends/kalends/tenancy/accounts"
)

// Limits for the responses of a provider.
const (
	mostHeader = 64 << 10
	mostBody   = 1 << 20
	patience   = 10 * time.Second
)

// How long the configuration of a provider is remembered, and for how many providers.
const (
	knownFor  = 10 * time.Minute
	mostKnown = 1000
)

// Providers implements accounts.IdentityProviders.
type Providers struct {
	guard  *outbound.Guard
	client *http.Client
	clock  func() time.Time

	mu    sync.Mutex
	known map[string]*provider
}

// provider is the remembered configuration of one provider.
type provider struct {
	*oidc.Provider
	scopes []string
	until  time.Time
}

// New returns Providers that sends requests only to addresses that guard allows; guard must require https. It uses
// no proxy, keeps no cookies and follows no redirects.
func New(guard *outbound.Guard, clock func() time.Time) *Providers {
	return &Providers{guard: guard, clock: clock, known: map[string]*provider{}, client: &http.Client{
		Timeout:       patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &bounded{guard, &http.Transport{
			DialContext:            guard.Dial,
			MaxResponseHeaderBytes: mostHeader,
			MaxIdleConns:           10,
			IdleConnTimeout:        30 * time.Second,
			TLSHandshakeTimeout:    patience,
		}},
	}}
}

// bounded sends only requests that the guard allows, and limits the responses to mostBody bytes.
type bounded struct {
	guard *outbound.Guard
	next  http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (b *bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := b.guard.Check(r.URL); err != nil { // configurations of providers contain further URLs
		return nil, err
	}
	res, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	res.Body = &part{io.LimitReader(res.Body, mostBody), res.Body}
	return res, nil
}

// part is a response body that is read only up to a limit.
type part struct {
	io.Reader
	io.Closer
}

// Check implements accounts.IdentityProviders.
func (s *Providers) Check(issuer string) error {
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || s.guard.Check(u) != nil {
		return accounts.ErrIssuer
	}
	return nil
}

// Address implements accounts.IdentityProviders.
func (s *Providers) Address(ctx context.Context, p accounts.Party, a accounts.Asked) (string, error) {
	found, err := s.provider(ctx, p.Issuer)
	if err != nil {
		return "", err
	}
	return s.config(found, p).AuthCodeURL(a.State, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)), nil
}

// provider returns the configuration that a provider publishes.
func (s *Providers) provider(ctx context.Context, issuer string) (*provider, error) {
	if s.Check(issuer) != nil {
		return nil, fmt.Errorf("%w: %s", accounts.ErrUnreachable, issuer)
	}
	now := s.clock()
	s.mu.Lock()
	found := s.known[issuer]
	s.mu.Unlock()
	if found != nil && now.Before(found.until) {
		return found, nil
	}
	asked, err := oidc.NewProvider(oidc.ClientContext(ctx, s.client), issuer)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", accounts.ErrUnreachable, err)
	}
	var says struct {
		Scopes []string `json:"scopes_supported"`
	}
	if err := asked.Claims(&says); err != nil {
		return nil, fmt.Errorf("%w: %w", accounts.ErrUnreachable, err)
	}
	found = &provider{asked, []string{oidc.ScopeOpenID, "email", "profile"}, now.Add(knownFor)}
	if slices.Contains(says.Scopes, "groups") {
		found.scopes = append(found.scopes, "groups")
	}
	if u, err := url.Parse(asked.Endpoint().AuthURL); err != nil || s.guard.Check(u) != nil { // the browser is sent there
		return nil, fmt.Errorf("%w: its page is at %q", accounts.ErrUnreachable, asked.Endpoint().AuthURL)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) >= mostKnown {
		s.known = map[string]*provider{}
	}
	s.known[issuer] = found
	return found, nil
}

func (s *Providers) config(found *provider, p accounts.Party) *oauth2.Config {
	return &oauth2.Config{
		ClientID:     p.ClientID,
		ClientSecret: p.Secret,
		Endpoint:     found.Endpoint(),
		RedirectURL:  p.Redirect,
		Scopes:       found.scopes,
	}
}

// claims are the fields read from an ID token and from the provider's user information.
type claims struct {
	Email    string `json:"email"`
	Verified any    `json:"email_verified"` // some providers send it as a text
	Name     string `json:"name"`
	Login    string `json:"preferred_username"`
	Party    string `json:"azp"`
}

// Identity implements accounts.IdentityProviders.
func (s *Providers) Identity(ctx context.Context, p accounts.Party, a accounts.Asked, code string) (*accounts.Identity, error) {
	found, err := s.provider(ctx, p.Issuer)
	if err != nil {
		return nil, err
	}
	ctx = oidc.ClientContext(ctx, s.client)
	token, err := s.config(found, p).Exchange(ctx, code, oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return nil, exchangeError(err)
	}
	raw, _ := token.Extra("id_token").(string)
	verified, err := found.VerifierContext(ctx, &oidc.Config{ClientID: p.ClientID, Now: s.clock}).Verify(ctx, raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", accounts.ErrNotConfirmed, err)
	}
	if subtle.ConstantTimeCompare([]byte(verified.Nonce), []byte(a.Nonce)) != 1 || verified.Subject == "" {
		return nil, fmt.Errorf("%w: it answers another question", accounts.ErrNotConfirmed)
	}
	said, groups, err := read(verified.Claims, p.Claim)
	if err != nil {
		return nil, err
	}
	if said.Party != "" && said.Party != p.ClientID {
		return nil, fmt.Errorf("%w: it answers %q", accounts.ErrNotConfirmed, said.Party)
	}
	if said.Email == "" || groups == nil {
		if said, groups, err = s.more(ctx, found, token, verified.Subject, p.Claim, said, groups); err != nil {
			return nil, err
		}
	}
	return &accounts.Identity{
		Issuer:   p.Issuer,
		Subject:  verified.Subject,
		Email:    said.Email,
		Verified: said.Verified == true || said.Verified == "true",
		Name:     said.Name,
		Login:    said.Login,
		Groups:   groups,
	}, nil
}

// more completes the claims from the provider's user information, if the provider has an endpoint for it.
func (s *Providers) more(ctx context.Context, found *provider, token *oauth2.Token, subject, claim string, said claims, groups []string,
) (claims, []string, error) {
	if found.UserInfoEndpoint() == "" {
		return said, groups, nil
	}
	info, err := found.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return said, nil, fmt.Errorf("%w: %w", accounts.ErrUnreachable, err)
	}
	if info.Subject != subject {
		return said, nil, fmt.Errorf("%w: it tells of somebody else", accounts.ErrNotConfirmed)
	}
	extra, list, err := read(info.Claims, claim)
	if err != nil {
		return said, nil, err
	}
	if said.Email == "" {
		said = extra
	}
	if groups == nil {
		groups = list
	}
	return said, groups, nil
}

// read returns the claims about a person, and their groups. groups is nil if the claim for groups is missing.
func read(from func(any) error, claim string) (said claims, groups []string, err error) {
	all := map[string]any{}
	if err := errors.Join(from(&said), from(&all)); err != nil {
		return said, nil, fmt.Errorf("%w: %w", accounts.ErrNotConfirmed, err)
	}
	switch list := all[claim].(type) {
	case string:
		groups = []string{list}
	case []any:
		groups = []string{}
		for _, one := range list {
			if name, ok := one.(string); ok {
				groups = append(groups, name)
			}
		}
	}
	return said, groups, nil
}

// exchangeError returns ErrNotConfirmed if a provider refused a code, and ErrUnreachable if the provider could not
// be reached.
func exchangeError(err error) error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.Response != nil && refused.Response.StatusCode < http.StatusInternalServerError {
		return fmt.Errorf("%w: %d %.200s", accounts.ErrNotConfirmed, refused.Response.StatusCode, refused.ErrorCode)
	}
	if errors.As(err, &refused) {
		return fmt.Errorf("%w: the answer to a code", accounts.ErrUnreachable)
	}
	return fmt.Errorf("%w: %w", accounts.ErrUnreachable, err)
}
