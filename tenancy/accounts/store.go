package accounts

import (
	"context"
	"errors"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// Errors for missing rows, and for changes that are not allowed.
var (
	ErrNoUser            = errors.New("no such user")
	ErrNoKey             = errors.New("no such key") // application password, API key or provider token
	ErrLastAdministrator = errors.New("last administrator of the site")
)

// Store keeps users and their means of signing in. Each call is one transaction; no transaction spans several calls.
// Values that the database refuses are *args.Problems.
type Store interface { //nolint:interfacebloat // one for each kind of row
	Users() UserStore
	Credentials() CredentialStore
	Tokens() TokenStore
	Sessions() SessionStore
	Vouchers() VoucherStore
	Passkeys() PasskeyStore
	SecondFactors() SecondFactorStore
	SignIns() SignInStore
	Challenges() ChallengeStore
	Attempts() AttemptStore
	Forms() FormStore
	ProviderSessions() ProviderSessionStore
	ProviderChallenges() ChallengeStore // of the console
	Lobby() LobbyStore
}

// SiteFinder finds the sites of the installation. Its calls need no Scope.
type SiteFinder interface {
	// BySlug returns a site in any state, or ErrNoSite.
	BySlug(ctx context.Context, slug string) (*tenancy.Site, error)
}

// UserStore keeps the users of the Scope's site. Its calls return ErrNoUser for
// users the site doesn't have.
type UserStore interface {
	// List returns one page of the users by login.
	List(ctx context.Context, q tenancy.Query) (tenancy.Page[tenancy.User], error)
	// Stranded returns people without a password, a passkey, or an invitation that is valid at a time. They are
	// sorted by login. most is their maximum number.
	Stranded(ctx context.Context, at time.Time, most int) ([]*tenancy.User, error)
	Get(ctx context.Context, id int64) (*tenancy.User, error)
	// ByLogin returns the user with this login or, if there is none, with this e-mail address. It ignores case.
	ByLogin(ctx context.Context, login string) (*tenancy.User, error)
	// Create stores a new user, with a first credential unless it is nil, and
	// fills in their ids and times of creation.
	Create(ctx context.Context, u *tenancy.User, first *Credential) error
	// Update reads the user, lets change alter it and stores the result. others is the number of the site's other
	// administrators.
	Update(ctx context.Context, id int64, change func(u *tenancy.User, others int) error) (*tenancy.User, error)
	// Secure is Update for a user's means of signing in. It also removes the access in cut.
	Secure(ctx context.Context, id int64, cut Cut, change func(*tenancy.User) error) (*tenancy.User, error)
	// Delete removes the user and their credentials if check allows it, and returns the user's last state. Items
	// that the user wrote stay, without an author.
	Delete(ctx context.Context, id int64, check func(u *tenancy.User, others int) error) (*tenancy.User, error)
}

// CredentialStore keeps the application passwords and API keys of the Scope's
// site. Its calls return ErrNoKey for credentials the site doesn't have.
type CredentialStore interface {
	// List returns a user's credentials, the newest first.
	List(ctx context.Context, user int64) ([]*Credential, error)
	// All returns one page of credentials, the newest first: of all users if user is 0, otherwise of this user.
	All(ctx context.Context, q tenancy.Query, user int64) (tenancy.Page[OwnedKey], error)
	// Create stores a credential of an existing user, or returns ErrNoUser. It
	// fills in id and time of creation.
	Create(ctx context.Context, c *Credential) error
	// Delete removes one credential of a user.
	Delete(ctx context.Context, user, id int64) error
	// DeleteAny removes one credential of any user and returns its last state.
	DeleteAny(ctx context.Context, id int64) (*OwnedKey, error)
	// Find returns the credential with this hash and its user, in one round trip.
	Find(ctx context.Context, hash []byte) (*Credential, *tenancy.User, error)
	// ByID returns a credential and its user, in one round trip.
	ByID(ctx context.Context, id int64) (*Credential, *tenancy.User, error)
	// Touch stores when credentials were last used, by id. It skips unknown ids, and leaves the site's version
	// unchanged.
	Touch(ctx context.Context, used map[int64]time.Time) error
}

// TokenStore keeps the provider's tokens. Its calls need no Scope and return
// ErrNoKey for tokens that don't exist.
type TokenStore interface {
	List(ctx context.Context) ([]*Token, error)
	// Create stores a token and fills in id and time of creation.
	Create(ctx context.Context, t *Token) error
	Delete(ctx context.Context, id int64) error
	// Touch records when tokens were last used, by id.
	Touch(ctx context.Context, used map[int64]time.Time) error
}
