package tenancy_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/storage"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
)

func TestMain(m *testing.M) { os.Exit(storagetest.Main(m)) }

// installation is a platform over a database of its own.
type installation struct {
	*tenancy.Platform
	t     testing.TB
	db    *storage.DB
	url   string
	finds *atomic.Int64 // look-ups of credentials, tokens, users and sites
	ahead *atomic.Int64 // how far the clock is
}

func install(t testing.TB, change ...func(*tenancy.Options)) *installation {
	t.Helper()
	i := &installation{t: t, url: storagetest.Database(t), finds: &atomic.Int64{}, ahead: &atomic.Int64{}}
	clock := func() time.Time { return time.Now().Add(time.Duration(i.ahead.Load())) }
	db, err := storage.Open(t.Context(), i.url, storage.Options{Clock: clock, MaxConns: 4, Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	i.db = db
	o := tenancy.Options{
		Domain:      "calendars.example",
		Languages:   []string{"en", "de", "pt-BR"},
		DefaultSite: func() string { return "demo" },
		Clock:       clock,
		HashCost:    tenancy.HashCost{Memory: 8, Time: 1, Threads: 1},
	}
	for _, c := range change {
		c(&o)
	}
	i.Platform = tenancy.NewPlatform(counted{db, i.finds}, o)
	return i
}

// provider returns a context in which the provider acts.
func (i *installation) provider() context.Context {
	return tenancy.AsProvider(i.t.Context(), tenancy.Provider{Name: "test"})
}

// wait lets time pass.
func (i *installation) wait(d time.Duration) { i.ahead.Add(int64(d)) }

// site makes a site.
func (i *installation) site(slug string, domains ...string) *tenancy.Site {
	i.t.Helper()
	f := &tenancy.SiteFields{Slug: args.Some(slug), Domains: args.Some(args.Texts(domains))}
	f.Name = args.Some("Site " + slug)
	site, err := i.Sites.Create(i.provider(), f)
	if err != nil {
		i.t.Fatal(err)
	}
	return site
}

// in returns a context of a principal on a site.
func (i *installation) in(site *tenancy.Site, p tenancy.Principal) context.Context {
	return tenancy.With(i.t.Context(), tenancy.Scope{Site: site, Principal: p})
}

// enter returns a context of the provider on a site.
func (i *installation) enter(site *tenancy.Site) context.Context {
	i.t.Helper()
	ctx, err := tenancy.Enter(i.provider(), site)
	if err != nil {
		i.t.Fatal(err)
	}
	return ctx
}

// user makes a user whose address is their login's.
func (i *installation) user(site *tenancy.Site, login string, role tenancy.Role) (user *tenancy.User, password string) {
	i.t.Helper()
	user, password, err := i.Users.Create(i.enter(site), person(login, role))
	if err != nil {
		i.t.Fatal(err)
	}
	return user, password
}

func person(login string, role tenancy.Role) *tenancy.UserFields {
	return &tenancy.UserFields{
		Login: args.Some(login),
		Email: args.Some(args.Email(login + "@mail.example")),
		Role:  args.Some(string(role)),
	}
}

// wantProblem fails unless err is a problem with that argument and key.
func wantProblem(t testing.TB, err error, arg, key string) {
	t.Helper()
	var found *args.Problems
	if !errors.As(err, &found) || !slices.ContainsFunc(found.Broken(), func(p args.Problem) bool {
		return p.Arg == arg && p.Key == key
	}) {
		t.Errorf("%v, want %s %s", err, arg, key)
	}
}

// wantError fails unless err is want.
func wantError(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

// counted is a store that counts its look-ups.
type counted struct {
	tenancy.Store
	finds *atomic.Int64
}

func (c counted) Sites() tenancy.SiteStore { return countedSites{c.Store.Sites(), c.finds} }
func (c counted) Credentials() tenancy.CredentialStore {
	return countedCredentials{c.Store.Credentials(), c.finds}
}

func (c counted) Tokens() tenancy.TokenStore { return countedTokens{c.Store.Tokens(), c.finds} }

type countedTokens struct {
	tenancy.TokenStore
	finds *atomic.Int64
}

func (c countedTokens) List(ctx context.Context) ([]*tenancy.Token, error) {
	c.finds.Add(1)
	return c.TokenStore.List(ctx)
}

type countedSites struct {
	tenancy.SiteStore
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
	tenancy.CredentialStore
	finds *atomic.Int64
}

func (c countedCredentials) Find(ctx context.Context, hash []byte) (*tenancy.Credential, *tenancy.User, error) {
	c.finds.Add(1)
	return c.CredentialStore.Find(ctx, hash)
}
