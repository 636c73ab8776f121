// Package accounts manages the users of sites and the ways in which they sign in, and decides who may sign in.
package accounts

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kalends/kalends/internal/memory"
	"github.com/kalends/kalends/internal/rate"
	"github.com/kalends/kalends/internal/secrets"
)

// Options are the installation's settings for accounts.
type Options struct {
	Languages     []string // of the pages
	ProviderToken string   // accepted in addition to Tokens; "": none
	Clock         func() time.Time
	HashCost      HashCost         // for new passwords; zero: the cost in production
	Forget        func(site int64) // called for a site whose users or keys have changed
	// Secret returns the installation's secret, which encrypts secrets that must be readable again.
	Secret        func(ctx context.Context) ([]byte, error)
	Providers     IdentityProviders     // OpenID Connect providers for signing in; nil: none
	ConsoleSignIn func() *ConsoleSignIn // the provider for signing in to the console; nil: sign-in with tokens only
}

// Accounts holds all services for accounts.
type Accounts struct {
	Users         *Users
	Keys          *Keys
	Tokens        *Tokens
	Sessions      *Sessions
	Vouchers      *Vouchers
	Passkeys      *Passkeys
	SecondFactors *SecondFactors
	SignIns       *SignIns
	Challenges    *Challenges
	Attempts      *Attempts
	Forms         *Forms
	Console       *ProviderSessions
	Lobby         *Lobby
	Support       *Support
	Authenticator *Authenticator

	notices *notices
}

// How long keys are remembered, and how many.
const (
	memoryLife  = time.Second
	memoryLimit = 4096
)

// New returns the services that work on a store and its sites.
func New(store Store, sites SiteFinder, o Options) *Accounts {
	told := &notices{}
	a := &Accounts{
		notices: told,
		Users:   &Users{store: store.Users(), languages: o.Languages, cost: o.HashCost, forget: o.Forget, notices: told},
		Keys:    &Keys{store: store.Credentials(), users: store.Users(), forget: o.Forget, notices: told, clock: o.Clock},
		Tokens:  &Tokens{store: store.Tokens(), forget: o.Forget},
		Vouchers: &Vouchers{store: store.Vouchers(), users: store.Users(), keys: store.Credentials(), passkeys: store.Passkeys(),
			cost: o.HashCost, clock: o.Clock, forget: o.Forget, notices: told},
		Sessions:   &Sessions{store: store.Sessions(), signIns: store.SignIns(), clock: o.Clock},
		Challenges: &Challenges{store: store.Challenges(), clock: o.Clock},
		Attempts:   &Attempts{store: store.Attempts(), clock: o.Clock},
		Forms:      &Forms{store: store.Forms(), clock: o.Clock},
	}
	noted := &refusals{sessions: store.Sessions(), attempts: a.Attempts}
	nobodys := sync.OnceValue(func() string { return o.HashCost.Hash(secrets.Random(secrets.PasswordLength)) })
	a.Passkeys = &Passkeys{store: store.Passkeys(), users: store.Users(), refusals: noted, clock: o.Clock, notices: told}
	a.SecondFactors = &SecondFactors{store: store.SecondFactors(), users: store.Users(), waiting: store.Challenges(), refusals: noted,
		box: boxOf(o.Secret, "second factors"), clock: o.Clock, notices: told}
	providers := o.Providers
	if providers == nil {
		providers = noProviders{}
	}
	a.SignIns = &SignIns{store: store.SignIns(), users: store.Users(), challenges: a.Challenges, providers: providers, refusals: noted,
		box: boxOf(o.Secret, "sign-in providers"), clock: o.Clock, forget: o.Forget}
	a.Lobby = &Lobby{store: store.Lobby(), sites: sites, users: store.Users(), refusals: noted, passes: store.Challenges(),
		attempts: a.Attempts, nobody: nobodys, clock: o.Clock, looking: make(chan struct{}, 1), noting: make(chan struct{}, mostNotes)}
	a.Authenticator = &Authenticator{
		store: store, clock: o.Clock, refusals: noted, nobody: nobodys, notices: told,
		keys:     memory.Of[*holder]{Life: memoryLife, Limit: memoryLimit, Clock: o.Clock},
		tokens:   memory.Of[*tokenBook]{Life: memoryLife, Limit: 1, Clock: o.Clock},
		readings: readings{pause: make(chan struct{}, 1)},
	}
	if o.ProviderToken != "" {
		a.Authenticator.provider = secrets.Digest(o.ProviderToken)
	}
	a.Console = &ProviderSessions{store: store.ProviderSessions(), authenticator: a.Authenticator, clock: o.Clock, signIn: o.ConsoleSignIn,
		providers: providers, challenges: &Challenges{store: store.ProviderChallenges(), clock: o.Clock},
		refusals: rate.Budget{Each: ConsoleWait, Most: mostRefusals, Clock: o.Clock}}
	a.Support = &Support{consoles: a.Console, sessions: store.Sessions(), kept: store.Challenges(), clock: o.Clock}
	return a
}

// boxOf returns a function that returns the box for a purpose. It makes the box on its first call, because the
// secret is in the database, which may not exist before.
func boxOf(secret func(ctx context.Context) ([]byte, error), purpose string) func(ctx context.Context) (*secrets.Box, error) {
	var kept atomic.Pointer[secrets.Box]
	return func(ctx context.Context) (*secrets.Box, error) {
		if box := kept.Load(); box != nil {
			return box, nil
		}
		if secret == nil {
			return nil, errNoSecret
		}
		key, err := secret(ctx)
		if err != nil {
			return nil, err
		}
		box, err := secrets.NewBox(key, purpose)
		if err == nil {
			kept.Store(box)
		}
		return box, err
	}
}

// errNoSecret is returned by an installation without a secret.
var errNoSecret = errors.New("the installation has no secret")

// Flush stores pending writes, see Authenticator.Flush, and waits until the lobby has recorded its failed sign-ins.
func (a *Accounts) Flush(ctx context.Context) error {
	a.Lobby.flush()
	return a.Authenticator.Flush(ctx)
}
