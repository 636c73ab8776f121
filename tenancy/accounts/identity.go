package accounts

import (
	"context"
	"errors"
)

// Errors of signing in through an OpenID Connect provider.
var (
	ErrNoProvider    = errors.New("people don't sign in by a provider here")
	ErrIssuer        = errors.New("no address of a provider")
	ErrUnreachable   = errors.New("the provider can't be asked")
	ErrSecretLost    = errors.New("the provider's secret can't be decrypted here: enter it again")
	ErrNotConfirmed  = errors.New("the provider doesn't confirm who it is")
	ErrUnverified    = errors.New("the provider hasn't verified the e-mail address")
	ErrNoAccount     = errors.New("nobody with this e-mail address has an account")
	ErrOtherIdentity = errors.New("the account belongs to somebody else at the provider")
	ErrNoGroup       = errors.New("none of the groups may sign in")
	ErrNotAdmitted   = errors.New("neither the e-mail address nor a group may enter the console")
	ErrPasswordsOff  = errors.New("passwords are turned off")
	ErrNotBegunHere  = errors.New("no such sign-in was begun in this browser")
)

// Party identifies the installation as a client of a provider.
type Party struct {
	Issuer, ClientID, Secret string
	Redirect                 string // URL to which the browser returns
	Claim                    string // name of the claim with the person's groups
}

// Asked holds the secrets that tie a provider's response to a request.
type Asked struct {
	State    string `json:"state"`
	Nonce    string `json:"nonce"`
	Verifier string `json:"verifier"` // of PKCE
}

// Identity is a person as a provider describes them.
type Identity struct {
	Issuer, Subject string
	Email           string
	Verified        bool // the provider has verified the address
	Name, Login     string
	Groups          []string
}

// IdentityProviders identifies people through OpenID Connect providers.
type IdentityProviders interface {
	// Check returns ErrIssuer for a URL that must not be requested.
	Check(issuer string) error
	// Address returns the provider's URL to which the browser is sent, or ErrUnreachable.
	Address(ctx context.Context, p Party, a Asked) (string, error)
	// Identity returns the person that a code stands for. It returns ErrUnreachable, or ErrNotConfirmed if the
	// provider does not confirm the code.
	Identity(ctx context.Context, p Party, a Asked, code string) (*Identity, error)
}

// noProviders stands in for the providers of an installation without any.
type noProviders struct{}

func (noProviders) Check(string) error { return ErrIssuer }

func (noProviders) Address(context.Context, Party, Asked) (string, error) { return "", ErrUnreachable }

func (noProviders) Identity(context.Context, Party, Asked, string) (*Identity, error) {
	return nil, ErrUnreachable
}
