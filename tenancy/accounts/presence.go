package accounts

import (
	"context"

	"github.com/kalends/kalends/tenancy"
)

// Presence proves that the person acting in a session is its owner, and not someone who has stolen it. The proof is
// the present password, or a passkey that has just signed a challenge for this purpose. Adding or removing a way to
// sign in requires a Presence. The zero value proves nothing.
type Presence struct {
	password string
	user     int64 // user who owns the passkey
}

// ByPassword returns a Presence that claims this password. It is checked when the Presence is used.
func ByPassword(password string) Presence { return Presence{password: password} }

// Prove returns a Presence for a passkey of the current user whose signature was valid. It returns
// ErrUnauthenticated, and ErrCredentials for another person's passkey or an invalid count.
func (s *Passkeys) Prove(ctx context.Context, p *Passkey) (Presence, error) {
	me, err := signedIn(ctx)
	if err != nil {
		return Presence{}, err
	}
	if p.UserID != me {
		return Presence{}, tenancy.ErrCredentials
	}
	if err := s.Use(ctx, p); err != nil {
		return Presence{}, err
	}
	return Presence{user: me}, nil
}

// of returns nil if the presence is this user's, otherwise ErrCredentials.
func (p Presence) of(u *tenancy.User) error {
	if p.user != 0 && p.user == u.ID || p.password != "" && CheckPassword(u.PasswordHash, p.password) {
		return nil
	}
	return tenancy.ErrCredentials
}

// present returns the current user if the presence is theirs. It returns ErrUnauthenticated and ErrCredentials.
func present(ctx context.Context, users UserStore, p Presence) (*tenancy.User, error) {
	me, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	user, err := users.Get(ctx, me)
	if err == nil {
		err = p.of(user)
	}
	return user, tenancy.Wrap("confirm", err)
}

// Cut says which access a new password removes in addition to the sessions opened with the old one.
type Cut struct {
	Keys     bool // application passwords and API keys
	Passkeys bool
}

// Ways are the ways to sign in that remain valid after a password change unless a Cut removes them.
type Ways struct {
	Keys     []*Credential
	Passkeys []*Passkey
}
