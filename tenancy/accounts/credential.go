package accounts

import (
	"strings"
	"time"
	"unicode"

	"github.com/kalends/kalends/internal/secrets"
	"github.com/kalends/kalends/tenancy"
)

// Credential lets a program act as a user of a site. Only the hash of the secret is stored.
type Credential struct {
	ID       int64
	UserID   int64
	Kind     tenancy.Kind
	Name     string
	Hash     []byte // SHA-256 of the secret
	ReadOnly bool   // an API key that may only read
	Created  time.Time
	LastUsed time.Time // to the minute; zero if never used

	Scopes     []string  // names of its access; nil: everything that its owner may do
	Categories []int64   // it writes only events in these categories; empty: all events
	Expires    time.Time // zero: never
}

// Limits returns the limits that the credential has within its owner's rights, or nil if it has none.
func (c *Credential) Limits() *tenancy.KeyLimits {
	if c.Scopes == nil && len(c.Categories) == 0 && c.Expires.IsZero() {
		return nil
	}
	limits := &tenancy.KeyLimits{Access: tenancy.FullAccess, Categories: c.Categories, Expires: c.Expires}
	if c.Scopes != nil {
		limits.Access = tenancy.AccessOf(c.Scopes)
	}
	return limits
}

// expired reports whether the credential has expired by a time.
func (c *Credential) expired(at time.Time) bool { return !c.Expires.IsZero() && !at.Before(c.Expires) }

// OwnedKey is a Credential with its owner.
type OwnedKey struct {
	Credential
	Login, Owner string // login and name of the user
}

// Token lets a program act as the provider.
type Token struct {
	ID       int64
	Name     string
	Hash     []byte // SHA-256 of the secret
	Created  time.Time
	LastUsed time.Time // to the minute; zero if never used
}

// Prefixes of secrets, so that people and secret scanners recognize them.
const (
	keyPrefix   = "kal_"
	tokenPrefix = "kalp_"
)

// newSecret returns a new secret of the kind in the form shown to people, and its hash.
func newSecret(k tenancy.Kind) (shown string, hash []byte) {
	if k == tenancy.APIKey {
		shown = keyPrefix + secrets.Key()
		return shown, secrets.Digest(shown)
	}
	secret := secrets.Random(secrets.PasswordLength)
	groups := make([]string, 0, secrets.PasswordLength/4)
	for i := 0; i < len(secret); i += 4 {
		groups = append(groups, secret[i:i+4])
	}
	return strings.Join(groups, " "), secrets.Digest(secret)
}

// newToken returns a new provider token and its hash.
func newToken() (shown string, hash []byte) {
	shown = tokenPrefix + secrets.Key()
	return shown, secrets.Digest(shown)
}

// withoutBlanks returns an application password without blanks, as it is hashed.
func withoutBlanks(password string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, password)
}
