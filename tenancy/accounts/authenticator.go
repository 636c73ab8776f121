package accounts

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/kalends/kalends/internal/memory"
	"github.com/kalends/kalends/internal/secrets"
	"github.com/kalends/kalends/tenancy"
)

// Authenticator finds out who makes a request (rule 2.1). Valid application passwords, API keys and tokens are
// remembered for a second, so a burst of requests costs one query.
type Authenticator struct {
	store    Store
	provider []byte // hash of the token in the configuration, nil if there is none
	clock    func() time.Time
	keys     memory.Of[*holder]
	tokens   memory.Of[*tokenBook]
	readings readings
	used     used
	refusals *refusals
	nobody   nobody
	notices  *notices
}

// nobody returns the hash to check for an unknown login, so that unknown logins take as long as known ones.
type nobody func() string

// holder is a credential and its owner.
type holder struct {
	credential *Credential
	user       *tenancy.User
}

// Basic returns the principal with a login (or e-mail address) and an application password on the Scope's site. It
// returns ErrCredentials if they don't match. It does not accept a person's own password.
func (a *Authenticator) Basic(ctx context.Context, login, password string) (tenancy.Principal, error) {
	secret := withoutBlanks(password)
	if !secrets.Form(secret, "", secrets.PasswordLength) {
		return tenancy.Principal{}, tenancy.ErrCredentials
	}
	h, err := a.holder(ctx, secret, tenancy.ApplicationPassword)
	if err != nil {
		return tenancy.Principal{}, err
	}
	if name := tenancy.Fold(login); name != tenancy.Fold(h.user.Login) && name != tenancy.Fold(h.user.Email) {
		return tenancy.Principal{}, tenancy.ErrCredentials
	}
	return a.principal(ctx, h), nil
}

// Bearer returns the principal with an API key on the Scope's site, or ErrCredentials.
func (a *Authenticator) Bearer(ctx context.Context, key string) (tenancy.Principal, error) {
	if !secrets.IsKey(key, keyPrefix) {
		return tenancy.Principal{}, tenancy.ErrCredentials
	}
	h, err := a.holder(ctx, key, tenancy.APIKey)
	if err != nil {
		return tenancy.Principal{}, err
	}
	return a.principal(ctx, h), nil
}

// Provider returns the provider for one of its tokens, or ErrCredentials. Call AsProvider only if it succeeds.
func (a *Authenticator) Provider(ctx context.Context, token string) (tenancy.Provider, error) {
	hash := secrets.Digest(token)
	if a.provider != nil && subtle.ConstantTimeCompare(hash, a.provider) == 1 {
		return tenancy.Provider{Name: tenancy.ConfiguredToken}, nil
	}
	if !secrets.IsKey(token, tokenPrefix) {
		return tenancy.Provider{}, tenancy.ErrCredentials
	}
	found, err := a.token(ctx, string(hash))
	if err != nil {
		return tenancy.Provider{}, err
	}
	if found == nil {
		return tenancy.Provider{}, tenancy.ErrCredentials
	}
	a.used.note(0, found.ID, found.LastUsed, a.clock())
	return tenancy.Provider{Name: found.Name, Token: found.ID}, nil
}

// Account returns a name for the account with a login or e-mail address on the Scope's site, under which attempts
// are counted. The login and the address of an account have the same name. It returns a name for unknown accounts
// as well.
func (a *Authenticator) Account(ctx context.Context, login string) (string, error) {
	user, err := a.store.Users().ByLogin(ctx, tenancy.Fold(login))
	switch {
	case errors.Is(err, ErrNoUser):
		return "none " + tenancy.Fold(login), nil
	case err != nil:
		return "", tenancy.Wrap("sign in", err)
	}
	return accountOf(user), nil
}

// SignIn returns the user with a login (or e-mail address) and password on the Scope's site. It is for sessions of
// the administration, never for the API. It returns ErrCredentials if the two don't match, even if the failed
// sign-in could not be recorded in the history. After any other error, the password was not checked.
func (a *Authenticator) SignIn(ctx context.Context, login, password string) (*tenancy.User, error) {
	user, err := a.store.Users().ByLogin(ctx, tenancy.Fold(login))
	if err != nil && !errors.Is(err, ErrNoUser) {
		return nil, tenancy.Wrap("sign in", err)
	}
	hash, id := a.nobody(), int64(0)
	if err == nil {
		id = user.ID
	}
	if err == nil && user.PasswordHash != "" && MayServe(user.PasswordHash) {
		hash = user.PasswordHash
	}
	if right := CheckPassword(hash, password); !right || err != nil || user.PasswordHash == "" {
		if err := a.refusals.note(ctx, id); err != nil {
			return nil, fmt.Errorf("%w, and it could not be recorded: %w", tenancy.ErrCredentials, err)
		}
		return nil, tenancy.ErrCredentials
	}
	return user, nil
}

// Forget drops the remembered users and keys of a site and the provider's tokens. Call it whenever they change, here or on
// another node.
func (a *Authenticator) Forget(site int64) {
	a.keys.Forget(site)
	a.tokens.Forget(site)
}

// holder finds the credential with a secret and kind. For every invalid secret it returns the same error after the
// same amount of work.
func (a *Authenticator) holder(ctx context.Context, secret string, kind tenancy.Kind) (*holder, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	hash := secrets.Digest(secret)
	site := scope.Site.ID
	h, err := a.keys.Get(ctx, strconv.FormatInt(site, 10)+" "+string(hash), func(ctx context.Context) (*holder, int64, error) {
		c, u, err := a.store.Credentials().Find(ctx, hash)
		return &holder{c, u}, site, err
	})
	switch {
	case errors.Is(err, ErrNoKey):
		return nil, tenancy.ErrCredentials
	case err != nil:
		return nil, tenancy.Wrap("find key", err)
	case h.credential.expired(a.clock()):
		return nil, tenancy.ErrCredentials
	case h.credential.Kind != kind || subtle.ConstantTimeCompare(h.credential.Hash, hash) != 1:
		return nil, tenancy.ErrCredentials
	}
	return h, nil
}

// principal returns the owner of the key as a principal, and records that the key was used.
func (a *Authenticator) principal(ctx context.Context, h *holder) tenancy.Principal {
	a.used.note(tenancy.Current(ctx).Site.ID, h.credential.ID, h.credential.LastUsed, a.clock())
	return h.principal()
}

func (h *holder) principal() tenancy.Principal {
	p, c := h.user.Principal(), h.credential
	p.ReadOnly, p.Kind, p.Key, p.Credential, p.Limits = c.ReadOnly, c.Kind, c.Name, c.ID, c.Limits()
	return p
}

// Acting returns the principal on whose behalf a webhook, a source or an import acts that was created earlier on
// the Scope's site: the user with their present role and, unless key is 0, the limits of that key. It returns
// ErrCredentials if the user or the key no longer exists, the key belongs to another user, or the key has expired;
// then nothing may be done.
func (a *Authenticator) Acting(ctx context.Context, user, key int64) (tenancy.Principal, error) {
	if key == 0 {
		u, err := a.store.Users().Get(ctx, user)
		if errors.Is(err, ErrNoUser) {
			return tenancy.Principal{}, tenancy.ErrCredentials
		}
		if err != nil {
			return tenancy.Principal{}, tenancy.Wrap("find user", err)
		}
		return u.Principal(), nil
	}
	c, u, err := a.store.Credentials().ByID(ctx, key)
	switch {
	case errors.Is(err, ErrNoKey):
		return tenancy.Principal{}, tenancy.ErrCredentials
	case err != nil:
		return tenancy.Principal{}, tenancy.Wrap("find key", err)
	case c.UserID != user || c.expired(a.clock()):
		return tenancy.Principal{}, tenancy.ErrCredentials
	}
	return (&holder{c, u}).principal(), nil
}
