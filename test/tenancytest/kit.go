// Package tenancytest sets up a platform over a database of its own, for tests of tenancy and
// the packages below it.
package tenancytest

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage"
	platformstore "github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
)

// Installation is a platform over a database of its own.
type Installation struct {
	*platform.Platform
	DB    *storage.DB
	URL   string        // of the database
	Finds *atomic.Int64 // look-ups of credentials, tokens, users and sites
	Ahead *atomic.Int64 // how far the clock is
	t     testing.TB
}

// Install makes a platform with a cheap hash of passwords, and with options as changed.
func Install(t testing.TB, change ...func(*platform.Options)) *Installation {
	t.Helper()
	i := &Installation{t: t, URL: storagetest.Database(t), Finds: &atomic.Int64{}, Ahead: &atomic.Int64{}}
	clock := func() time.Time { return time.Now().Add(time.Duration(i.Ahead.Load())) }
	db, err := storage.Open(t.Context(), i.URL, storage.Options{Clock: clock, MaxConns: 4, Connect: storagetest.Connect(t), Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	i.DB = db
	o := platform.Options{
		Domain:      "calendars.example",
		Languages:   []string{"en", "de", "pt-BR"},
		DefaultSite: func() string { return "demo" },
		Clock:       clock,
		HashCost:    accounts.HashCost{Memory: 8, Time: 1, Threads: 1},
	}
	o.Secret = func(ctx context.Context) ([]byte, error) {
		return platformstore.Secret(ctx, db.Engine(), wording.Folding)
	}
	for _, c := range change {
		c(&o)
	}
	i.Platform = platform.New(counted{db, i.Finds}, o)
	return i
}

// Provider returns a context in which the provider acts.
func (i *Installation) Provider() context.Context {
	return tenancy.AsProvider(i.t.Context(), tenancy.Provider{Name: "test"})
}

// Wait lets time pass.
func (i *Installation) Wait(d time.Duration) { i.Ahead.Add(int64(d)) }

// Site makes a site.
func (i *Installation) Site(slug string, domains ...string) *tenancy.Site {
	i.t.Helper()
	f := &platform.SiteFields{Slug: args.Some(slug), Domains: args.Some(args.Texts(domains))}
	f.Name = args.Some("Site " + slug)
	site, err := i.Sites.Create(i.Provider(), f)
	if err != nil {
		i.t.Fatal(err)
	}
	return site
}

// In returns a context of a principal on a site.
func (i *Installation) In(site *tenancy.Site, p tenancy.Principal) context.Context {
	return tenancy.With(i.t.Context(), tenancy.Scope{Site: site, Principal: p})
}

// Enter returns a context of the provider on a site.
func (i *Installation) Enter(site *tenancy.Site) context.Context {
	i.t.Helper()
	ctx, err := tenancy.Enter(i.Provider(), site)
	if err != nil {
		i.t.Fatal(err)
	}
	return ctx
}

// User makes a user whose address is their login's.
func (i *Installation) User(site *tenancy.Site, login string, role tenancy.Role) (user *tenancy.User, password string) {
	i.t.Helper()
	user, password, err := i.Users.Create(i.Enter(site), Person(login, role))
	if err != nil {
		i.t.Fatal(err)
	}
	return user, password
}

// Person are the fields of a user whose address is their login's.
func Person(login string, role tenancy.Role) *accounts.UserFields {
	return &accounts.UserFields{
		Login: args.Some(login),
		Email: args.Some(args.Email(login + "@mail.example")),
		Role:  args.Some(string(role)),
	}
}

// WantProblem fails unless err is a problem with that argument and key.
func WantProblem(t testing.TB, err error, arg, key string) {
	t.Helper()
	var found *args.Problems
	if !errors.As(err, &found) || !slices.ContainsFunc(found.Broken(), func(p args.Problem) bool {
		return p.Arg == arg && p.Key == key
	}) {
		t.Errorf("%v, want %s %s", err, arg, key)
	}
}

// WantError fails unless err is want.
func WantError(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

// counted is a store that counts its look-ups.
type counted struct {
	platform.Store
	finds *atomic.Int64
}

func (c counted) Sites() platform.SiteStore { return countedSites{c.Store.Sites(), c.finds} }
func (c counted) Credentials() accounts.CredentialStore {
	return countedCredentials{c.Store.Credentials(), c.finds}
}

func (c counted) Tokens() accounts.TokenStore { return countedTokens{c.Store.Tokens(), c.finds} }

type countedTokens struct {
	accounts.TokenStore
	finds *atomic.Int64
}

func (c countedTokens) List(ctx context.Context) ([]*accounts.Token, error) {
	c.finds.Add(1)
	return c.TokenStore.List(ctx)
}

type countedSites struct {
	platform.SiteStore
	finds *atomic.Int64
}

func (c countedSites) ByHost(ctx context.Context, host string) (*tenancy.Site, error) {
	c.finds.Add(1)
	return c.SiteStore.ByHost(ctx, host)
}

func (c countedSites) BySlug(ctx context.Context, slug string) (*tenancy.Site, error) {
	c.finds.Add(1)
	return c.SiteStore.BySlug(ctx, slug)
}

type countedCredentials struct {
	accounts.CredentialStore
	finds *atomic.Int64
}

func (c countedCredentials) Find(ctx context.Context, hash []byte) (*accounts.Credential, *tenancy.User, error) {
	c.finds.Add(1)
	return c.CredentialStore.Find(ctx, hash)
}
