package tenancy

import (
	"context"
	"net"
	"sync"
	"time"
)

// Options are what the installation chooses for its platform.
type Options struct {
	Domain        string                                      // the platform's; sites are {slug}.{Domain}. "": localhost
	Languages     []string                                    // a site can have; nil: en
	DefaultSite   func() string                               // slug of the site for hosts without one; nil: none
	ProviderToken string                                      // accepted beside those of Tokens; "": none
	Clock         func() time.Time                            // nil: time.Now
	RemoveFiles   func(ctx context.Context, site int64) error // all of a site's; nil: there are none
	Names         Names                                       // where proofs of domains are looked up; nil: net.DefaultResolver
	Pages         Pages                                       // that hold proofs of domains; nil: none are read
	Versions      Versions                                    // nil: none are known
	HashCost      HashCost                                    // of new passwords; zero: the cost in service
}

// Versions are the versions of sites as far as they are known.
type Versions interface {
	// Learn notes the version the database had of a site at a moment or later.
	Learn(site, version int64, at time.Time)
	// Known returns the version of a site, and whether it is known well enough
	// to go by without asking the database.
	Known(site int64) (version int64, known bool)
}

// unversioned knows none.
type unversioned struct{}

func (unversioned) Learn(int64, int64, time.Time) {}

func (unversioned) Known(int64) (version int64, known bool) { return 0, false }

// Platform is everything tenancy does, put together: what one part changes the
// others forget at once.
type Platform struct {
	Sites         *Sites
	Plans         *Plans
	Users         *Users
	Keys          *Keys
	Tokens        *Tokens
	Sessions      *Sessions
	Vouchers      *Vouchers
	Passkeys      *Passkeys
	Challenges    *Challenges
	Attempts      *Attempts
	Forms         *Forms
	History       *History
	Domains       *Domains
	Console       *ProviderSessions
	Lobby         *Lobby
	Resolver      *Resolver
	Authenticator *Authenticator
}

// How long and how much is remembered.
const (
	memoryLife  = time.Second
	memoryLimit = 4096
	sitesLimit  = 16_384 // of a kilobyte or two
)

// platformDomain returns the platform's domain in the form of Host.
func platformDomain(configured string) string {
	domain, _ := Host(configured)
	if domain == "" {
		return "localhost"
	}
	return domain
}

// NewPlatform returns the services over a store.
func NewPlatform(store Store, o Options) *Platform {
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
	p.Sites = &Sites{store: store.Sites(), languages: o.Languages, platform: domain, cost: o.HashCost, clock: o.Clock,
		files: o.RemoveFiles, forget: p.Forget}
	p.Plans = &Plans{store: store.Plans(), forget: p.forgetPlans}
	p.Users = &Users{store: store.Users(), languages: o.Languages, cost: o.HashCost, forget: p.Forget}
	p.Keys = &Keys{store: store.Credentials(), forget: p.Forget}
	p.Tokens = &Tokens{store: store.Tokens(), forget: p.Forget}
	p.Sessions = &Sessions{store: store.Sessions(), clock: o.Clock}
	p.Vouchers = &Vouchers{store: store.Vouchers(), users: store.Users(), keys: store.Credentials(),
		passkeys: store.Passkeys(), cost: o.HashCost, clock: o.Clock,
		forget: p.Forget}
	p.Attempts = &Attempts{store: store.Attempts(), clock: o.Clock}
	nobodys := sync.OnceValue(func() string { return o.HashCost.Hash(random(passwordLength)) })
	noted := &refusals{sessions: store.Sessions(), attempts: p.Attempts}
	p.Passkeys = &Passkeys{store: store.Passkeys(), users: store.Users(), refusals: noted, clock: o.Clock}
	p.Challenges = &Challenges{store: store.Challenges(), clock: o.Clock}
	p.Lobby = &Lobby{store: store.Lobby(), sites: store.Sites(), users: store.Users(), refusals: noted,
		passes: store.Challenges(), attempts: p.Attempts, nobody: nobodys, clock: o.Clock,
		looking: make(chan struct{}, 1), noting: make(chan struct{}, mostNotes)}
	p.Forms = &Forms{store: store.Forms(), clock: o.Clock}
	p.History = &History{store: store.History(), clock: o.Clock}
	p.Domains = &Domains{store: store.Domains(), names: o.Names, pages: o.Pages, platform: domain, clock: o.Clock, forget: p.Forget}
	p.Resolver = &Resolver{
		store: store.Sites(), platform: domain, fallback: o.DefaultSite,
		sites: memory[*Site]{life: memoryLife, limit: sitesLimit, negative: ErrNoSite, clock: o.Clock},
		asked: memory[*Site]{life: askLife, limit: memoryLimit, negative: ErrNoSite, clock: o.Clock},
		asks:  budget{each: askEach, most: askMost, clock: o.Clock},
		clock: o.Clock, versions: o.Versions,
	}
	p.Resolver.sites.still = p.Resolver.unchanged
	p.Authenticator = &Authenticator{
		store: store, clock: o.Clock, refusals: noted,
		nobody:   nobodys,
		keys:     memory[*holder]{life: memoryLife, limit: memoryLimit, clock: o.Clock},
		tokens:   memory[*tokenBook]{life: memoryLife, limit: 1, clock: o.Clock},
		people:   memory[*User]{life: memoryLife, limit: memoryLimit, clock: o.Clock},
		readings: readings{pause: make(chan struct{}, 1)},
	}
	if o.ProviderToken != "" {
		p.Authenticator.provider = digest(o.ProviderToken)
	}
	p.Console = &ProviderSessions{store: store.ProviderSessions(), authenticator: p.Authenticator, clock: o.Clock,
		refusals: budget{each: ConsoleWait, most: mostRefusals, clock: o.Clock}}
	return p
}

// Forget drops what is remembered of a site, its users and their keys. Call it
// when another node changed them.
func (p *Platform) Forget(site int64) {
	p.Resolver.Forget(site)
	p.Authenticator.Forget(site)
}

// forgetPlans drops what is remembered of all sites, for their plans changed.
func (p *Platform) forgetPlans() { p.Resolver.forgetAll() }

// Flush stores what waits in memory; see Authenticator.Flush. What the lobby
// notes behind its answers is stored then, too.
func (p *Platform) Flush(ctx context.Context) error {
	p.Lobby.flush()
	return p.Authenticator.Flush(ctx)
}
