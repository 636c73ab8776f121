package tenancy

import (
	"context"
	"errors"
	"time"
)

// What is asked for and isn't there, and what can't be done.
var (
	ErrNoUser            = errors.New("no such user")
	ErrNoKey             = errors.New("no such key") // application password, API key or provider token
	ErrLastAdministrator = errors.New("last administrator of the site")
)

// Store keeps sites, users and what they sign in with. Each call is one
// transaction; no transaction crosses this port. Values the database refuses
// are *args.Problems.
type Store interface { //nolint:interfacebloat // one for each kind of row
	Sites() SiteStore
	Users() UserStore
	Credentials() CredentialStore
	Tokens() TokenStore
	Sessions() SessionStore
	Vouchers() VoucherStore
	Passkeys() PasskeyStore
	Challenges() ChallengeStore
	Attempts() AttemptStore
	Forms() FormStore
	History() HistoryStore
	Domains() DomainStore
	Plans() PlanStore
	ProviderSessions() ProviderSessionStore
	Lobby() LobbyStore
}

// SiteStore keeps the sites of the installation. Its calls need no Scope and
// return ErrNoSite for sites that don't exist.
type SiteStore interface {
	// ByHost returns the site with that domain of its own.
	ByHost(ctx context.Context, host string) (*Site, error)
	BySlug(ctx context.Context, slug string) (*Site, error)
	// List returns one page of the sites by slug.
	List(ctx context.Context, q Query) (Page[Site], error)
	// Create stores a new site and fills in its id and time of creation, and with
	// it, unless that is nil, its first user: both or none.
	Create(ctx context.Context, s *Site, first *User) error
	// Update reads the site, lets change alter it, stores the result and
	// raises the site's version. Nothing is stored when change fails.
	Update(ctx context.Context, slug string, change func(*Site) error) (*Site, error)
	// Configure is Update for what a site's own administrators may change.
	Configure(ctx context.Context, slug string, change func(*Site) error) (*Site, error)
	// Due returns the id of a deleted site whose time is up, that isn't among
	// the tried and that nobody is busy with; 0 when there is none.
	Due(ctx context.Context, now time.Time, tried []int64) (int64, error)
	// Purge removes a deleted site whose time is up with everything in it, and
	// returns its slug; "" when there is no such site, or no more. It holds the
	// site from before files, which removes the site's blobs, to the end, and
	// leaves the rows when files fails.
	Purge(ctx context.Context, id int64, now time.Time, files func(context.Context) error) (string, error)
}

// UserStore keeps the users of the Scope's site. Its calls return ErrNoUser for
// users the site doesn't have.
type UserStore interface {
	// List returns one page of the users by login.
	List(ctx context.Context, q Query) (Page[User], error)
	// Stranded returns people without a password or a passkey who have no invitation
	// that is good at a moment, by login, most at most.
	Stranded(ctx context.Context, at time.Time, most int) ([]*User, error)
	Get(ctx context.Context, id int64) (*User, error)
	// ByLogin returns the user of that login or, when there is none, of that
	// e-mail address; letter case doesn't count.
	ByLogin(ctx context.Context, login string) (*User, error)
	// Create stores a new user, with a first credential unless it is nil, and
	// fills in their ids and times of creation.
	Create(ctx context.Context, u *User, first *Credential) error
	// Update reads the user, lets change alter it and stores the result.
	// Others is the number of the site's other administrators.
	Update(ctx context.Context, id int64, change func(u *User, others int) error) (*User, error)
	// Secure is Update of what somebody signs in with, and takes away what is to be
	// cut.
	Secure(ctx context.Context, id int64, cut Cut, change func(*User) error) (*User, error)
	// Delete removes the user and their credentials when check allows, and
	// returns the last state. What the user wrote stays, without an author.
	Delete(ctx context.Context, id int64, check func(u *User, others int) error) (*User, error)
}

// CredentialStore keeps the application passwords and API keys of the Scope's
// site. Its calls return ErrNoKey for credentials the site doesn't have.
type CredentialStore interface {
	// List returns a user's credentials, the newest first.
	List(ctx context.Context, user int64) ([]*Credential, error)
	// All returns one page of the credentials of all users, the newest first; of
	// one user alone unless that is 0.
	All(ctx context.Context, q Query, user int64) (Page[OwnedKey], error)
	// Create stores a credential of an existing user, or returns ErrNoUser. It
	// fills in id and time of creation.
	Create(ctx context.Context, c *Credential) error
	// Delete removes one credential of a user.
	Delete(ctx context.Context, user, id int64) error
	// DeleteAny removes one credential of any user and returns its last state.
	DeleteAny(ctx context.Context, id int64) (*OwnedKey, error)
	// Find returns the credential of that hash and its user, in one round trip.
	Find(ctx context.Context, hash []byte) (*Credential, *User, error)
	// Touch notes when credentials were last used, by id. Unknown ones are
	// passed over, and the site's version stays.
	Touch(ctx context.Context, used map[int64]time.Time) error
}

// TokenStore keeps the provider's tokens. Its calls need no Scope and return
// ErrNoKey for tokens that don't exist.
type TokenStore interface {
	List(ctx context.Context) ([]*Token, error)
	// Create stores a token and fills in id and time of creation.
	Create(ctx context.Context, t *Token) error
	Delete(ctx context.Context, id int64) error
	// Touch notes when tokens were last used, by id.
	Touch(ctx context.Context, used map[int64]time.Time) error
}

// Query says which sites or users to list.
type Query struct {
	Page, PerPage int
	Search        string // folded; every entry that contains it
	Domain        string // Search as a part of a domain, "": it is none; sites that have it count, too
	State         State  // sites of that Standing only; "": all
	Role          Role   // users of that role only; "": all
	Plan          string // sites with that plan only; "": all
	Sort          string // one of SiteSorts; "": by slug
}

// Page is one page of a list and the number of all entries.
type Page[T any] struct {
	Items []*T
	Total int
}
