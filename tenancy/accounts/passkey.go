package accounts

import (
	"context"
	"encoding/hex"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// ErrNoPasskey says that a site has no such passkey.
var ErrNoPasskey = errors.New("no such passkey")

// mostPasskeys is how many passkeys a person may have.
const mostPasskeys = 20

// Passkey is a public key with which a person signs in on a device.
type Passkey struct {
	ID        []byte // chosen by the device
	UserID    int64
	Name      string
	SignCount uint32 // of the last sign-in, 0 for devices that do not count
	Data      []byte // written and read by package signin
	Created   time.Time
	LastUsed  time.Time // zero: never
}

// Key returns the ID as text, for forms.
func (p *Passkey) Key() string { return hex.EncodeToString(p.ID) }

// PasskeyStore keeps the passkeys of the Scope's site. The site's history records each one that is added, renamed or removed.
type PasskeyStore interface {
	// List returns a user's passkeys, the newest first.
	List(ctx context.Context, user int64) ([]*Passkey, error)
	// Create stores a passkey of an existing user and reports whether its ID was
	// free.
	Create(ctx context.Context, p *Passkey) (free bool, err error)
	// Find returns the passkey with this ID and its user, or ErrNoPasskey.
	Find(ctx context.Context, id []byte) (*Passkey, *tenancy.User, error)
	// Use stores the count and data of a sign-in. It reports whether the count is valid: it is greater than all
	// previous ones, or the device does not count. If two calls have the same count, the second gets false. The
	// site's version stays unchanged.
	Use(ctx context.Context, p *Passkey) (goesOn bool, err error)
	// Rename renames a passkey of a user, or returns ErrNoPasskey.
	Rename(ctx context.Context, user int64, id []byte, name string) error
	// Delete removes a passkey of a user. It returns ErrNoPasskey, and *args.Problems for the user's last passkey
	// unless last is true.
	Delete(ctx context.Context, user int64, id []byte, last bool) error
}

// Passkeys is the service for passkeys. People see and change their own, and cannot remove their last way to sign
// in.
type Passkeys struct {
	store    PasskeyStore
	users    UserStore
	refusals *refusals
	clock    func() time.Time
	notices  *notices
}

// List returns the passkeys of the current user, the newest first.
func (s *Passkeys) List(ctx context.Context) ([]*Passkey, error) {
	me, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	list, err := s.store.List(ctx, me)
	return list, tenancy.Wrap("list passkeys", err)
}

// MayAdd returns nil if the current user may add a passkey. It requires their presence, because a passkey is
// another way to sign in. It returns ErrUnauthenticated, ErrCredentials, and *args.Problems if the user already has
// mostPasskeys.
func (s *Passkeys) MayAdd(ctx context.Context, presence Presence) error {
	if _, err := present(ctx, s.users, presence); err != nil {
		return tenancy.Wrap("add passkey", err)
	}
	return s.room(ctx)
}

// room returns *args.Problems if the current user already has mostPasskeys.
func (s *Passkeys) room(ctx context.Context) error {
	list, err := s.List(ctx)
	if err == nil && len(list) >= mostPasskeys {
		err = args.Invalid("passkey", "problem.passkey.many", map[string]any{"Max": mostPasskeys})
	}
	return err
}

// Add stores a passkey for the current user. p already has the ID, the count and the data. Add returns
// ErrUnauthenticated, and *args.Problems for an invalid name, a known device, and more than mostPasskeys.
func (s *Passkeys) Add(ctx context.Context, p *Passkey) error {
	if err := s.room(ctx); err != nil {
		return err
	}
	name, err := passkeyName(p.Name)
	if err != nil {
		return err
	}
	p.UserID, p.Name, p.Created = tenancy.Current(ctx).Principal.UserID, name, s.clock().UTC().Truncate(time.Second)
	free, err := s.store.Create(ctx, p)
	if err == nil && !free {
		return args.Invalid("passkey", "problem.passkey.taken", nil)
	}
	if err != nil {
		return tenancy.Wrap("add passkey", err)
	}
	if owner, err := s.users.Get(ctx, p.UserID); err == nil { // as in Keys.Create
		s.notices.note(ctx, NewPasskey, owner)
	}
	return nil
}

// Rename renames a passkey of the current user, found by Key. It returns ErrUnauthenticated, ErrNoPasskey, and
// *args.Problems.
func (s *Passkeys) Rename(ctx context.Context, key, name string) error {
	me, err := signedIn(ctx)
	if err != nil {
		return err
	}
	if name, err = passkeyName(name); err != nil {
		return err
	}
	id, err := hex.DecodeString(key)
	if err != nil {
		return ErrNoPasskey
	}
	return tenancy.Wrap("rename passkey", s.store.Rename(ctx, me, id, name))
}

// Remove removes a passkey of the current user, found by Key. It returns ErrUnauthenticated, ErrCredentials if the
// presence is not theirs, ErrNoPasskey, and *args.Problems for the last passkey of a person without a password.
func (s *Passkeys) Remove(ctx context.Context, key string, presence Presence) error {
	user, err := present(ctx, s.users, presence)
	if err != nil {
		return tenancy.Wrap("remove passkey", err)
	}
	id, err := hex.DecodeString(key)
	if err != nil {
		return ErrNoPasskey
	}
	return tenancy.Wrap("remove passkey", s.store.Delete(ctx, user.ID, id, user.PasswordHash != ""))
}

// Find returns the passkey with an ID and its user, or ErrNoPasskey. It does not authenticate the user; the
// signature does.
func (s *Passkeys) Find(ctx context.Context, id []byte) (*Passkey, *tenancy.User, error) {
	p, user, err := s.store.Find(ctx, id)
	return p, user, tenancy.Wrap("find passkey", err)
}

// Use records a sign-in whose signature was valid. It returns ErrCredentials for an invalid count: the device or
// its response was copied.
func (s *Passkeys) Use(ctx context.Context, p *Passkey) error {
	p.LastUsed = s.clock().UTC().Truncate(time.Second)
	goesOn, err := s.store.Use(ctx, p)
	if err == nil && !goesOn {
		return tenancy.ErrCredentials
	}
	return tenancy.Wrap("use passkey", err)
}

// Refused records in the history that a sign-in as a user failed; 0 is an unknown user.
func (s *Passkeys) Refused(ctx context.Context, user int64) error {
	return tenancy.Wrap("note a sign-in", s.refusals.note(ctx, user))
}

func passkeyName(name string) (string, error) {
	name = args.Visible(name)
	switch {
	case name == "":
		return "", args.Invalid("passkey_name", "problem.missing", nil)
	case utf8.RuneCountInString(name) > longestName:
		return "", args.Invalid("passkey_name", "problem.length", map[string]any{"Max": longestName})
	}
	return name, nil
}
