package accounts

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/internal/secrets"
	"github.com/kalends/kalends/tenancy"
)

// DeviceLife is how long a browser remains a known device after a sign-in.
const DeviceLife = 180 * 24 * time.Hour

// alarmEvery is the minimum time between two messages that warn the owner of an account about password guessing.
const alarmEvery = 24 * time.Hour

// Device returns a token that marks a browser as one in which a user of the Scope's site has signed in. It does not
// authenticate anyone: wrong passwords from this browser are just counted separately from those of strangers (ADR
// 107). It becomes invalid when the password changes.
func (a *Authenticator) Device(ctx context.Context, u *tenancy.User) string {
	return deviceToken(tenancy.Current(ctx).Site.ID, u, a.clock())
}

func deviceToken(site int64, u *tenancy.User, now time.Time) string {
	until, nonce := strconv.FormatInt(now.Add(DeviceLife).Unix(), 36), secrets.Key()
	return strings.Join([]string{until, nonce, deviceSeal(site, u, until, nonce)}, ".")
}

func deviceSeal(site int64, u *tenancy.User, until, nonce string) string {
	key := sha256.Sum256([]byte("device " + u.PasswordHash))
	m := hmac.New(sha256.New, key[:])
	_, _ = fmt.Fprintf(m, "%d %d %s %s", site, u.ID, until, nonce) // never fails
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

// known returns the name of a user's device with a token, or "" if the token is invalid.
func known(site int64, u *tenancy.User, token string, now time.Time) string {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || u.PasswordHash == "" || !secrets.IsKey(parts[1], "") {
		return ""
	}
	until, err := strconv.ParseInt(parts[0], 36, 64)
	seal := deviceSeal(site, u, parts[0], parts[1])
	if err != nil || now.Unix() >= until || subtle.ConstantTimeCompare([]byte(seal), []byte(parts[2])) != 1 {
		return ""
	}
	return parts[1]
}

// Tries returns the counters for an attempt to sign in on the Scope's site. device is the browser's token from
// Device, or "". A known device has only its own counter, so strangers cannot lock out the owner.
func (a *Authenticator) Tries(ctx context.Context, client, login, device string) ([]Try, error) {
	user, err := a.store.Users().ByLogin(ctx, tenancy.Fold(login))
	switch {
	case errors.Is(err, ErrNoUser):
		return SignInTries(client, "none "+tenancy.Fold(login)), nil
	case err != nil:
		return nil, tenancy.Wrap("sign in", err)
	}
	if name := known(tenancy.Current(ctx).Site.ID, user, device, a.clock()); name != "" {
		return []Try{{"device " + name, attemptsOfDevice}}, nil
	}
	return SignInTries(client, accountOf(user)), nil
}

// accountOf returns the name of an account for counting attempts. The name does not depend on how the account was
// found.
func accountOf(u *tenancy.User) string { return "user " + strconv.FormatInt(u.ID, 10) }

// Alarm tells the owner of the account with a login, at most once a day, that someone has tried so many passwords
// that further attempts have to wait.
func (a *Authenticator) Alarm(ctx context.Context, login string) error {
	user, err := a.store.Users().ByLogin(ctx, tenancy.Fold(login))
	if errors.Is(err, ErrNoUser) {
		return nil
	}
	if err != nil {
		return tenancy.Wrap("tell of guesses", err)
	}
	now, hash := a.clock().UTC(), secrets.Digest("alarm "+accountOf(user))
	switch _, err := a.store.Challenges().Look(ctx, hash, now); {
	case err == nil: // they were told
		return nil
	case !errors.Is(err, ErrNoChallenge):
		return tenancy.Wrap("tell of guesses", err)
	}
	if err := a.store.Challenges().Create(ctx, hash, []byte("{}"), now, now.Add(alarmEvery)); err != nil {
		return tenancy.Wrap("tell of guesses", err)
	}
	a.notices.note(ctx, Guesses, user)
	return nil
}
