package accounts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/secrets"
	"github.com/kalends/kalends/tenancy"
)

// VoucherKind is the purpose of a voucher.
type VoucherKind string

// The kinds of vouchers.
const (
	Invitation VoucherKind = "invitation" // for a person who never had a password
	Reset      VoucherKind = "reset"      // for a person who has forgotten their password
)

// life is how long a voucher of the kind is valid.
func (k VoucherKind) life() time.Duration {
	if k == Invitation {
		return 7 * 24 * time.Hour
	}
	return time.Hour
}

// ErrNoVoucher says that a voucher was already used, has expired, or never existed.
var ErrNoVoucher = errors.New("no such voucher")

// Voucher lets a person set a password, once. Only the hash of its token is stored.
type Voucher struct {
	Hash    []byte // SHA-256 of the token
	UserID  int64
	Kind    VoucherKind
	Seal    string // seal of the account when the voucher was created
	Created time.Time
	Expires time.Time
}

// VoucherStore keeps the vouchers of the Scope's site.
type VoucherStore interface {
	// Create stores a voucher. If instead is true, it replaces the user's other vouchers of the same kind. It
	// leaves the site's version unchanged.
	Create(ctx context.Context, v *Voucher, instead bool) error
	// Find returns the voucher with this hash and its user, or ErrNoVoucher.
	Find(ctx context.Context, hash []byte) (*Voucher, *tenancy.User, error)
	// Redeem calls change with the user of a voucher, and stores the result. It removes the user's vouchers and
	// sessions, and the access in cut. It adds passkey unless that is nil. A second call with the same voucher
	// returns ErrNoVoucher. If change fails, nothing is stored.
	Redeem(ctx context.Context, hash []byte, cut Cut, passkey *Passkey, change func(*Voucher, *tenancy.User) error) (*tenancy.User, error)
}

// Vouchers is the service for invitations and forgotten passwords.
type Vouchers struct {
	store    VoucherStore
	users    UserStore
	keys     CredentialStore
	passkeys PasskeyStore
	cost     HashCost
	clock    func() time.Time
	forget   func(site int64)
	notices  *notices
}

// Give makes a voucher for a user: an invitation for a user without a password, otherwise a reset. It returns the
// voucher with its token, which can't be shown again. Earlier vouchers of the kind stop working. It returns
// ErrUnauthenticated or ErrForbidden to people without the right to manage users, and ErrNoUser if the user does
// not exist.
func (s *Vouchers) Give(ctx context.Context, user int64) (*Voucher, string, *tenancy.User, error) {
	scope, err := requireWriting(ctx, 0)
	if err != nil {
		return nil, "", nil, err
	}
	u, err := s.users.Get(ctx, user)
	if err != nil {
		return nil, "", nil, tenancy.Wrap("give voucher", err)
	}
	kind := Reset
	if u.PasswordHash == "" {
		kind = Invitation
	}
	made, token, err := s.make(ctx, u, kind, true)
	if me := scope.Principal; err == nil && me.Seal != "" { // the giver's password has changed in the meantime, so nobody gets the token
		var giver *tenancy.User
		switch giver, err = s.users.Get(ctx, me.UserID); {
		case err == nil:
			err = giver.Still(me)
		case errors.Is(err, ErrNoUser):
			err = tenancy.ErrUnauthenticated
		}
	}
	if err != nil {
		return nil, "", nil, tenancy.Wrap("give voucher", err)
	}
	return made, token, u, nil
}

// Forgotten makes a voucher for the user with a login or e-mail address. Anyone may call it, so the token must be
// sent only to the user's address. Earlier vouchers stay valid until one of them is used. It returns ErrNoUser.
func (s *Vouchers) Forgotten(ctx context.Context, login string) (*Voucher, string, *tenancy.User, error) {
	u, err := s.users.ByLogin(ctx, tenancy.Fold(login))
	if err != nil {
		return nil, "", nil, tenancy.Wrap("forgotten password", err)
	}
	made, token, err := s.make(ctx, u, Reset, false)
	return made, token, u, err
}

func (s *Vouchers) make(ctx context.Context, u *tenancy.User, kind VoucherKind, instead bool) (*Voucher, string, error) {
	token, now := secrets.Key(), s.clock().UTC().Truncate(time.Second)
	made := &Voucher{Hash: secrets.Digest(token), UserID: u.ID, Kind: kind, Seal: voucherSeal(u),
		Created: now, Expires: now.Add(kind.life())}
	if err := s.store.Create(ctx, made, instead); err != nil {
		return nil, "", tenancy.Wrap("make voucher", err)
	}
	return made, token, nil
}

// Check returns the voucher of a token and its user, or ErrNoVoucher.
func (s *Vouchers) Check(ctx context.Context, token string) (*Voucher, *tenancy.User, error) {
	if !secrets.IsKey(token, "") {
		return nil, nil, ErrNoVoucher
	}
	found, user, err := s.store.Find(ctx, secrets.Digest(token))
	if err == nil {
		err = s.good(found, user)
	}
	if err != nil {
		return nil, nil, tenancy.Wrap("find voucher", err)
	}
	return found, user, nil
}

// Ways returns the ways to sign in that a voucher's user has besides the password, or ErrNoVoucher.
func (s *Vouchers) Ways(ctx context.Context, token string) (w Ways, err error) {
	_, user, err := s.Check(ctx, token)
	if err != nil {
		return w, err
	}
	if w.Keys, err = s.keys.List(ctx, user.ID); err == nil {
		w.Passkeys, err = s.passkeys.List(ctx, user.ID)
	}
	return w, tenancy.Wrap("list ways in", err)
}

// Redeem sets the password of a voucher's user, and their name unless that is empty. It ends all their sessions and
// removes the access in cut. It returns ErrNoVoucher if the token is not valid, and *args.Problems if the password
// or the name is not.
func (s *Vouchers) Redeem(ctx context.Context, token, name, password string, cut Cut) (*tenancy.User, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	_, whose, err := s.Check(ctx, token) // before the expensive hashing
	if err != nil {
		return nil, err
	}
	if err := CheckWelcome(name, password, whose); err != nil {
		return nil, err
	}
	hash := s.cost.Hash(password)
	as := *scope
	as.Principal = whose.Principal()
	user, err := s.store.Redeem(tenancy.With(ctx, as), secrets.Digest(token), cut, nil, func(v *Voucher, u *tenancy.User) error {
		if err := s.good(v, u); err != nil {
			return err
		}
		if err := CheckNewPassword(password, u); err != nil { // checked again, because the login may have changed
			return err
		}
		u.PasswordHash = hash
		if name != "" {
			u.Name = name
		}
		return nil
	})
	if err != nil {
		return nil, tenancy.Wrap("redeem voucher", err)
	}
	s.forget(scope.Site.ID)
	s.notices.compare(ctx, whose, user)
	return user, nil
}

// Accept stores a passkey for an invited person, without a password. p already has the ID, the count and the data.
// Accept returns ErrNoVoucher, also for a voucher that is not an invitation, and *args.Problems for an invalid name
// and a known device.
func (s *Vouchers) Accept(ctx context.Context, token string, p *Passkey) (*tenancy.User, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	_, whose, err := s.Check(ctx, token)
	if err != nil {
		return nil, err
	}
	if p.Name, err = passkeyName(p.Name); err != nil {
		return nil, err
	}
	p.UserID, p.Created = whose.ID, s.clock().UTC().Truncate(time.Second)
	as := *scope
	as.Principal = whose.Principal()
	user, err := s.store.Redeem(tenancy.With(ctx, as), secrets.Digest(token), Cut{}, p, func(v *Voucher, u *tenancy.User) error {
		if v.Kind != Invitation || u.PasswordHash != "" {
			return ErrNoVoucher
		}
		return s.good(v, u)
	})
	if err != nil {
		return nil, tenancy.Wrap("accept invitation", err)
	}
	s.forget(scope.Site.ID)
	s.notices.note(ctx, NewPasskey, whose)
	return user, nil
}

// CheckWelcome returns *args.Problems with all problems of a chosen name and password. The name may be empty.
func CheckWelcome(name, password string, whose *tenancy.User) error {
	found := &args.Problems{}
	switch {
	case !args.Readable(name):
		found.Invalid("name", "problem.characters", nil)
	case !args.OneLine(name):
		found.Invalid("name", "problem.line", nil)
	case utf8.RuneCountInString(name) > longestName:
		found.Invalid("name", "problem.length", map[string]any{"Max": longestName})
	}
	if err := found.Add(CheckNewPassword(password, whose)); err != nil {
		return err
	}
	return found.Err()
}

// longestName is the maximum length of a person's name in characters.
const longestName = 250

// apart is the maximum difference between the clocks of nodes.
const apart = 5 * time.Minute

// good returns ErrNoVoucher if the voucher has expired, or if the password or e-mail address of its account has
// changed. It also refuses a voucher from the future: the clock that made it has since been corrected, and the
// voucher would be valid for too long.
func (s *Vouchers) good(v *Voucher, u *tenancy.User) error {
	now := s.clock()
	if !now.Before(v.Expires) || now.Add(apart).Before(v.Created) || v.Seal != voucherSeal(u) {
		return ErrNoVoucher
	}
	return nil
}

// voucherSeal returns a text that changes with the password and the e-mail address of a user.
func voucherSeal(u *tenancy.User) string {
	sum := sha256.Sum256([]byte("voucher " + u.PasswordHash + "\n" + tenancy.Fold(u.Email)))
	return hex.EncodeToString(sum[:8])
}

// mostStranded limits the number of people that Stranded returns.
const mostStranded = 20

// Stranded returns people who can't sign in: they have chosen no password, and their
// invitation has expired.
func (s *Vouchers) Stranded(ctx context.Context) ([]*tenancy.User, error) {
	if err := requireReading(ctx, 0); err != nil {
		return nil, err
	}
	list, err := s.users.Stranded(ctx, s.clock().UTC(), mostStranded)
	return list, tenancy.Wrap("list users without a way in", err)
}
