package accounts

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/secrets"
	"github.com/kalends/kalends/tenancy"
)

// ErrNoSecondFactor says that a user has no second factor.
var ErrNoSecondFactor = errors.New("no code is asked for")

// How many recovery codes there are, and how many characters each has.
const (
	recoveryCodes  = 10
	recoveryLength = 16
)

// setupLife is how long people may take to set up an app.
const setupLife = 30 * time.Minute

// SecondFactor is a user's authenticator app. After the password, the sign-in asks for a code from it (ADR 142).
type SecondFactor struct {
	UserID   int64
	Secret   []byte   // encrypted
	LastStep int64    // step of the last code that was used
	Codes    [][]byte // SHA-256 hashes of the remaining recovery codes
	Created  time.Time
}

// SecondFactorStore keeps the second factors of the users of the Scope's site.
type SecondFactorStore interface {
	// Find returns the app of a user, or ErrNoSecondFactor.
	Find(ctx context.Context, user int64) (*SecondFactor, error)
	// Create stores the app of an existing user and ends all of their sessions except the one with the hash in but.
	// It returns false if the user already has an app.
	Create(ctx context.Context, f *SecondFactor, but []byte) (free bool, err error)
	// Advance records that the code of a step was used. It returns false if this code or a later one was already
	// used. The site's version stays unchanged.
	Advance(ctx context.Context, user, step int64) (bool, error)
	// Spend removes a recovery code and reports whether it existed. The site's version stays unchanged.
	Spend(ctx context.Context, user int64, hash []byte) (bool, error)
	// Renew replaces the recovery codes, or returns ErrNoSecondFactor.
	Renew(ctx context.Context, user int64, codes [][]byte) error
	// Delete removes the app of a user, or returns ErrNoSecondFactor.
	Delete(ctx context.Context, user int64) error
}

// SecondFactors is the service for second factors: codes that the sign-in asks for after the password. People set
// up their own.
type SecondFactors struct {
	store    SecondFactorStore
	users    UserStore
	waiting  ChallengeStore // setups that are not yet confirmed, and sign-ins that still need a code
	refusals *refusals
	box      func(ctx context.Context) (*secrets.Box, error)
	clock    func() time.Time
	notices  *notices
}

// Setup is an app that is being set up.
type Setup struct {
	Token   string // for Confirm
	Secret  string // as people type it
	Address string // as a URL in the QR code that apps read
}

// Of returns the second factor of the current user, or ErrNoSecondFactor.
func (s *SecondFactors) Of(ctx context.Context) (*SecondFactor, error) {
	me, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	found, err := s.store.Find(ctx, me)
	return found, tenancy.Wrap("find second factor", err)
}

// Begin creates a secret for an app of the current user. It requires their presence; otherwise someone who has
// stolen a session could lock them out. It returns ErrUnauthenticated, ErrCredentials, and *args.Problems for a
// person without a password, or with an app already set up.
func (s *SecondFactors) Begin(ctx context.Context, presence Presence) (*Setup, error) {
	user, err := present(ctx, s.users, presence)
	if err != nil {
		return nil, err
	}
	switch {
	case user.PasswordHash == "":
		return nil, args.Invalid("codes", "problem.code.password", nil)
	case user.SecondFactor:
		return nil, args.Invalid("codes", "problem.code.on", nil)
	}
	seed := make([]byte, seedLength)
	_, _ = rand.Read(seed) // never fails
	sealed, err := s.seal(ctx, user.ID, seed)
	if err != nil {
		return nil, err
	}
	token, now := secrets.Key(), s.clock().UTC()
	if err := s.waiting.Create(ctx, setupHash(user.ID, token), sealed, now, now.Add(setupLife)); err != nil {
		return nil, tenancy.Wrap("set up codes", err)
	}
	return s.setup(ctx, user, token, seed), nil
}

// Again returns the app that the current user is setting up, or ErrNoWay.
func (s *SecondFactors) Again(ctx context.Context, token string) (*Setup, error) {
	user, seed, err := s.begun(ctx, token)
	if err != nil {
		return nil, err
	}
	return s.setup(ctx, user, token, seed), nil
}

func (*SecondFactors) setup(ctx context.Context, user *tenancy.User, token string, seed []byte) *Setup {
	return &Setup{token, seedText(seed), seedAddress(seed, tenancy.Current(ctx).Site.Name, user.Login)}
}

// begun returns the user and the secret of an app that is being set up.
func (s *SecondFactors) begun(ctx context.Context, token string) (*tenancy.User, []byte, error) {
	me, err := signedIn(ctx)
	if err != nil {
		return nil, nil, err
	}
	if !secrets.IsKey(token, "") {
		return nil, nil, ErrNoWay
	}
	sealed, err := s.waiting.Look(ctx, setupHash(me, token), s.clock().UTC())
	if errors.Is(err, ErrNoChallenge) {
		return nil, nil, ErrNoWay
	}
	if err != nil {
		return nil, nil, tenancy.Wrap("set up codes", err)
	}
	user, err := s.users.Get(ctx, me)
	if err != nil {
		return nil, nil, tenancy.Wrap("set up codes", err)
	}
	seed, err := s.open(ctx, me, sealed)
	return user, seed, err
}

// Confirm turns codes on, if the code proves that the app has the secret. It ends all sessions of the current user
// except but, and returns the recovery codes, which can't be shown again. It returns ErrNoWay, ErrCredentials for a
// wrong code, and *args.Problems.
func (s *SecondFactors) Confirm(ctx context.Context, token, code string, but *Session) (recovery []string, err error) {
	user, seed, err := s.begun(ctx, token)
	if err != nil {
		return nil, err
	}
	now := s.clock().UTC()
	step, ok := stepFor(seed, typedCode(code), now)
	if !ok {
		return nil, tenancy.ErrCredentials
	}
	made := &SecondFactor{UserID: user.ID, LastStep: step, Created: now.Truncate(time.Second)}
	if made.Secret, err = s.seal(ctx, user.ID, seed); err != nil {
		return nil, err
	}
	recovery, made.Codes = newRecovery(user.ID)
	free, err := s.store.Create(ctx, made, but.Hash)
	if err == nil && !free {
		err = args.Invalid("codes", "problem.code.on", nil)
	}
	if err != nil {
		return nil, tenancy.Wrap("set up codes", err)
	}
	// This comes last, so that an interrupted setup can be confirmed again.
	if _, err := s.waiting.Take(ctx, setupHash(user.ID, token), now); err != nil && !errors.Is(err, ErrNoChallenge) {
		return nil, tenancy.Wrap("set up codes", err)
	}
	s.notices.note(ctx, CodesOn, user)
	return recovery, nil
}

// Renew replaces the recovery codes of the current user; the former ones stop working. It returns ErrCredentials if
// the presence is not theirs, or ErrNoSecondFactor if they have not turned codes on.
func (s *SecondFactors) Renew(ctx context.Context, presence Presence) (recovery []string, err error) {
	user, err := present(ctx, s.users, presence)
	if err != nil {
		return nil, err
	}
	recovery, hashes := newRecovery(user.ID)
	if err := s.store.Renew(ctx, user.ID, hashes); err != nil {
		return nil, tenancy.Wrap("renew recovery codes", err)
	}
	s.notices.note(ctx, NewCodes, user)
	return recovery, nil
}

// Off turns codes off for the current user. It returns ErrCredentials if the presence is not theirs, or
// ErrNoSecondFactor if codes are not on.
func (s *SecondFactors) Off(ctx context.Context, presence Presence) error {
	user, err := present(ctx, s.users, presence)
	if err != nil {
		return err
	}
	return s.off(ctx, user)
}

// Remove turns codes off for a user who has lost their app and their recovery codes. Only the provider may do so:
// otherwise people who manage users could sign in as anyone whose password they set. It returns ErrForbidden to
// anyone else, and ErrNoSecondFactor if codes are not on.
func (s *SecondFactors) Remove(ctx context.Context, user int64) error {
	if !tenancy.ByProvider(ctx) {
		return tenancy.ErrForbidden
	}
	whose, err := s.users.Get(ctx, user)
	if err != nil {
		return tenancy.Wrap("turn codes off", err)
	}
	return s.off(ctx, whose)
}

func (s *SecondFactors) off(ctx context.Context, user *tenancy.User) error {
	if err := s.store.Delete(ctx, user.ID); err != nil {
		return tenancy.Wrap("turn codes off", err)
	}
	s.notices.note(ctx, CodesOff, user)
	return nil
}

// Ask returns a token with which a user of the Scope's site enters their code. The caller must just have verified
// the user's password.
func (s *SecondFactors) Ask(ctx context.Context, user *tenancy.User) (token string, err error) {
	token = secrets.Key()
	now := s.clock().UTC()
	kept := strconv.FormatInt(user.ID, 10) + " " + user.Seal()
	return token, tenancy.Wrap("ask for a code", s.waiting.Create(ctx, askedHash(token), []byte(kept), now, now.Add(ChallengeLife)))
}

// Asked returns the user to whom Ask gave a token, or ErrNoWay.
func (s *SecondFactors) Asked(ctx context.Context, token string) (*tenancy.User, error) {
	if !secrets.IsKey(token, "") {
		return nil, ErrNoWay
	}
	kept, err := s.waiting.Look(ctx, askedHash(token), s.clock().UTC())
	if errors.Is(err, ErrNoChallenge) {
		return nil, ErrNoWay
	}
	if err != nil {
		return nil, tenancy.Wrap("ask for a code", err)
	}
	number, seal, _ := strings.Cut(string(kept), " ")
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("ask for a code: %w", err)
	}
	user, err := s.users.Get(ctx, id)
	if errors.Is(err, ErrNoUser) || err == nil && user.Seal() != seal {
		return nil, ErrNoWay
	}
	return user, tenancy.Wrap("ask for a code", err)
}

// Tell checks a code that was entered with a token from Ask, and returns the user. It accepts an unused code from
// the app, or a recovery code. It returns ErrNoWay if the token is not valid, and ErrCredentials if the code is
// wrong, even if the failed sign-in could not be recorded in the history.
func (s *SecondFactors) Tell(ctx context.Context, token, code string) (*tenancy.User, error) {
	user, err := s.Asked(ctx, token)
	if err != nil {
		return nil, err
	}
	right, err := s.right(ctx, user, typedCode(code))
	if err != nil {
		return nil, tenancy.Wrap("check a code", err)
	}
	if !right {
		if err := s.refusals.note(ctx, user.ID); err != nil {
			return nil, fmt.Errorf("%w, and it could not be recorded: %w", tenancy.ErrCredentials, err)
		}
		return nil, tenancy.ErrCredentials
	}
	if _, err := s.waiting.Take(ctx, askedHash(token), s.clock().UTC()); err != nil && !errors.Is(err, ErrNoChallenge) {
		return nil, tenancy.Wrap("check a code", err)
	}
	return user, nil
}

// right reports whether a code is correct, and uses it up. If the second factor was removed in the meantime, it
// accepts every code.
func (s *SecondFactors) right(ctx context.Context, user *tenancy.User, code string) (bool, error) {
	found, err := s.store.Find(ctx, user.ID)
	if errors.Is(err, ErrNoSecondFactor) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	if len(code) == recoveryLength {
		spent, err := s.store.Spend(ctx, user.ID, recoveryHash(user.ID, code))
		if spent {
			s.notices.note(ctx, CodeSpent, user)
		}
		return spent, err
	}
	seed, err := s.open(ctx, user.ID, found.Secret)
	if err != nil {
		return false, err
	}
	step, ok := stepFor(seed, code, s.clock())
	if !ok || step <= found.LastStep {
		return false, nil
	}
	return s.store.Advance(ctx, user.ID, step)
}

// typedCode normalizes a code that someone has typed: in capitals, without spaces and hyphens.
func typedCode(code string) string {
	return strings.ToUpper(strings.ReplaceAll(withoutBlanks(code), "-", ""))
}

// newRecovery returns recovery codes in the form shown to people, and their hashes.
func newRecovery(user int64) (shown []string, hashes [][]byte) {
	for range recoveryCodes {
		code := rand.Text()[:recoveryLength] // 80 bits
		shown = append(shown, code[:4]+"-"+code[4:8]+"-"+code[8:12]+"-"+code[12:])
		hashes = append(hashes, recoveryHash(user, code))
	}
	return shown, hashes
}

func recoveryHash(user int64, code string) []byte {
	return secrets.Digest("recovery " + strconv.FormatInt(user, 10) + " " + code)
}

func setupHash(user int64, token string) []byte {
	return secrets.Digest("codes of " + strconv.FormatInt(user, 10) + " " + token)
}

func askedHash(token string) []byte { return secrets.Digest("code " + token) }

func (s *SecondFactors) seal(ctx context.Context, user int64, seed []byte) ([]byte, error) {
	box, err := s.box(ctx)
	if err != nil {
		return nil, tenancy.Wrap("encrypt a secret", err)
	}
	return box.Seal(seed, sealedFor(ctx, user)), nil
}

func (s *SecondFactors) open(ctx context.Context, user int64, sealed []byte) ([]byte, error) {
	box, err := s.box(ctx)
	if err != nil {
		return nil, tenancy.Wrap("decrypt a secret", err)
	}
	seed, err := box.Open(sealed, sealedFor(ctx, user))
	return seed, tenancy.Wrap("decrypt a secret", err)
}

func sealedFor(ctx context.Context, user int64) string {
	return fmt.Sprintf("%d %d", tenancy.Current(ctx).Site.ID, user)
}
