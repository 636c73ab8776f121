package accounts

import (
	"context"

	"github.com/kalends/kalends/tenancy"
)

// Presence proves that the person acting in a session is its owner, and not someone who has got hold of it. The proof is the
// present password, or a passkey that has just signed for this. Adding or removing a way in requires a Presence. The zero
// value proves nothing.
type Presence struct {
	password string
	user     int64 // whose passkey it was
}

// ByPassword returns a Presence by what may be the present password.
func ByPassword(password string) Presence { return Presence{password: password} }

// Prove returns a Presence by a passkey of whoever asks, whose signature was right. It returns ErrUnauthenticated, and
// ErrCredentials for another person's passkey or an invalid count.
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

// of returns nil when the presence is that user's, else ErrCredentials.
func (p Presence) of(u *tenancy.User) error {
	if p.user != 0 && p.user == u.ID || p.password != "" && CheckPassword(u.PasswordHash, p.password) {
		return nil
	}
	return tenancy.ErrCredentials
}

// Cut says what a new password removes besides the sessions that the old one opened.
type Cut struct {
	Keys     bool // application passwords and API keys
	Passkeys bool
}

// Ways are the ways in that a new password leaves open unless they are cut.
type Ways struct {
	Keys     []*Credential
	Passkeys []*Passkey
}
