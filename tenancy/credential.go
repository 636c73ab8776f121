package tenancy

import "time"

// Kind is what a credential is used as.
type Kind string

// The kinds of credentials (rule 2.1).
const (
	ApplicationPassword Kind = "application_password" // with a login, HTTP Basic
	APIKey              Kind = "api_key"              // alone, Bearer
)

// Credential lets a program act as a user of a site. The secret itself is kept
// nowhere, only its hash.
type Credential struct {
	ID       int64
	UserID   int64
	Kind     Kind
	Name     string
	Hash     []byte // SHA-256 of the secret
	ReadOnly bool   // reads only; API keys
	Created  time.Time
	LastUsed time.Time // to the minute; zero when never used
}

// OwnedKey is a Credential and whose it is.
type OwnedKey struct {
	Credential
	Login, Owner string // of the user: what they sign in with, and what they are called
}

// Token lets a program act as the provider.
type Token struct {
	ID       int64
	Name     string
	Hash     []byte // SHA-256 of the secret
	Created  time.Time
	LastUsed time.Time // to the minute; zero when never used
}
