// Package platform manages the sites of the installation with their plans and domains, and combines all services of
// tenancy.
package platform

import (
	"context"
	"net"
	"time"

	"github.com/kalends/kalends/internal/memory"
	"github.com/kalends/kalends/internal/rate"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// Options are the installation's settings for the platform.
type Options struct {
	Domain        string                                      // the platform's domain; sites are at {slug}.{Domain}. "": localhost
	Languages     []string                                    // that a site can have; nil: en
	DefaultSite   func() string                               // slug of the site for hosts without one; nil: none
	ProviderToken string                                      // accepted in addition to Tokens; "": none
	Clock         func() time.Time                            // nil: time.Now
	RemoveFiles   func(ctx context.Context, site int64) error // removes all files of a site; nil: there are none
	Names         Names                                       // looks up proofs of domains; nil: net.DefaultResolver
	Pages         Pages                                       // fetches proofs of domains; nil: none are fetched
	Versions      Versions                                    // nil: none are known
	HashCost      accounts.HashCost                           // for new passwords; zero: the cost in production
	Secret        func(ctx context.Context) ([]byte, error)   // returns the installation's secret; nil: nothing is encrypted
	Providers     accounts.IdentityProviders                  // OpenID Connect providers for signing in; nil: none
	ConsoleSignIn func() *accounts.ConsoleSignIn              // the provider for signing in to the console; nil: sign-in with tokens only
}

// Versions knows the present versions of some sites.
type Versions interface {
	// Learn records the version that a site had in the database at a time or later.
	Learn(site, version int64, at time.Time)
	// Known returns the version of a site. known is true if the version is reliable without querying the database.
	Known(site int64) (version int64, known bool)
}

// unversioned knows no versions.
type unversioned struct{}

func (unversioned) Learn(int64, int64, time.Time) {}

func (unversioned) Known(int64) (version int64, known bool) { return 0, false }

// Platform combines all services of tenancy: when one service changes data, the others forget their remembered copies
// of it.
type Platform struct {
	*accounts.Accounts
	Sites    *Sites
	Plans    *Plans
	History  *tenancy.History
	Domains  *Domains
	Resolver *Resolver

	Directory  *Directory
	Gatherings *Gatherings
}

// How many results of Serves and how many sites are remembered, and for how long sites are.
const (
	askLimit   = 4096
	sitesLimit = 16_384 // of one or two kilobytes each
	sitesLife  = time.Second
)

// platformDomain returns the platform's domain in the form of Host.
func platformDomain(configured string) string {
	domain, _ := tenancy.Host(configured)
	if domain == "" {
		return "localhost"
	}
	return domain
}

// New returns the services over a store.
func New(store Store, o Options) *Platform {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Versions == nil {
		o.Versions = unversioned{}
	}
	if o.DefaultSite == nil {
		o.DefaultSite = func() string { return "" }
	}
	if o.Languages == nil {
		o.Languages = []string{"en"}
	}
	if o.Names == nil {
		o.Names = net.DefaultResolver
	}
	domain := platformDomain(o.Domain)
	if o.RemoveFiles == nil {
		o.RemoveFiles = func(context.Context, int64) error { return nil }
	}
	p := &Platform{}
	p.Accounts = accounts.New(store, store.Sites(), accounts.Options{Languages: o.Languages, ProviderToken: o.ProviderToken, Clock: o.Clock,
		HashCost: o.HashCost, Forget: p.Forget, Secret: o.Secret, Providers: o.Providers, ConsoleSignIn: o.ConsoleSignIn})
	p.Sites = &Sites{store: store.Sites(), plans: store.Plans(), languages: o.Languages, platform: domain, cost: o.HashCost, clock: o.Clock,
		files: o.RemoveFiles, forget: p.Forget}
	p.Plans = &Plans{store: store.Plans(), sites: store.Sites(), forget: p.forgetPlans}
	p.Gatherings = &Gatherings{store: store.Gatherings()}
	p.Directory = newDirectory(store.Sites(), o.Clock)
	p.History = tenancy.NewHistory(store.History(), o.Clock)
	p.Domains = &Domains{store: store.Domains(), names: o.Names, pages: o.Pages, platform: domain, clock: o.Clock, forget: p.Forget}
	p.Resolver = &Resolver{
		store: store.Sites(), platform: domain, fallback: o.DefaultSite,
		sites: memory.Of[*tenancy.Site]{Life: sitesLife, Limit: sitesLimit, Negative: tenancy.ErrNoSite, Clock: o.Clock},
		asked: memory.Of[*tenancy.Site]{Life: askLife, Limit: askLimit, Negative: tenancy.ErrNoSite, Clock: o.Clock},
		asks:  rate.Budget{Each: askEach, Most: askMost, Clock: o.Clock},
		clock: o.Clock, versions: o.Versions,
	}
	p.Resolver.sites.Still = p.Resolver.unchanged
	return p
}

// Forget drops everything remembered about a site, its users and their keys. Call it when another node has changed
// them.
func (p *Platform) Forget(site int64) {
	p.Resolver.Forget(site)
	p.Authenticator.Forget(site)
	p.Directory.pages.Clear()
}

// forgetPlans drops everything remembered about all sites, because a plan has changed.
func (p *Platform) forgetPlans() { p.Resolver.forgetAll() }
