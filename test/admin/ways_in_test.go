package admin

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/test/kit"
	"github.com/kalends/kalends/web/forms/frame"
)

// A request that was let in before the password of its person changed, or their role, or before they were removed, and
// that is still under way, makes no way in: no key, no passkey, no user, no link to a password, and gives no rights.
func TestNoWayInAfterwards(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	provider, err := tenancy.Enter(tenancy.AsProvider(t.Context(), tenancy.Provider{Name: "test"}), k.Sites["demo"])
	k.Must(err)
	other, _, err := k.Platform.Users.Create(provider, person("other", tenancy.Contributor))
	k.Must(err)
	made := 0
	ways := func(ctx context.Context, id int64) map[string]error {
		made++
		errs := map[string]error{}
		_, _, errs["key"] = k.Platform.Keys.Create(ctx, id, &accounts.KeyFields{Name: args.Some("k")})
		errs["passkey"] = k.Platform.Passkeys.Add(ctx, &accounts.Passkey{ID: []byte(fmt.Sprint("passkey", made)), Name: "p", Data: []byte("{}")})
		_, errs["user"] = k.Platform.Users.Invite(ctx, person(fmt.Sprint("guest", made), tenancy.Contributor))
		role := []tenancy.Role{tenancy.Author, tenancy.Contributor}[made%2]
		_, errs["role"] = k.Platform.Users.Update(ctx, other.ID, &accounts.UserFields{Role: args.Some(string(role))})
		_, _, _, errs["voucher"] = k.Platform.Vouchers.Give(ctx, other.ID)
		return errs
	}
	for about, c := range map[string]struct {
		happens func(id int64) error
		want    error
	}{
		"nothing": {func(int64) error { return nil }, nil},
		"a new password": {func(id int64) error {
			_, err := k.Platform.Users.Update(provider, id, &accounts.UserFields{Password: args.Some("another quite long one")})
			return err
		}, tenancy.ErrUnauthenticated},
		"another role": {func(id int64) error {
			_, err := k.Platform.Users.Update(provider, id, &accounts.UserFields{Role: args.Some(string(tenancy.Editor))})
			return err
		}, tenancy.ErrForbidden},
		"removed": {func(id int64) error {
			_, err := k.Platform.Users.Delete(provider, id)
			return err
		}, tenancy.ErrUnauthenticated},
	} {
		made++
		boss, _, err := k.Platform.Users.Create(provider, person(fmt.Sprint("boss", made), tenancy.Administrator))
		k.Must(err)
		session, _, err := k.Platform.Sessions.Start(provider, boss, accounts.Entry{})
		k.Must(err)
		v := &frame.Visit{Ctx: tenancy.With(t.Context(), tenancy.Scope{Site: k.Sites["demo"], Language: "en"})}
		v.SignIn(session, boss)
		for way, err := range ways(v.Ctx, boss.ID) {
			if err != nil {
				t.Errorf("%s, before: %s: %v", about, way, err)
			}
		}
		k.Must(c.happens(boss.ID))
		for way, err := range ways(v.Ctx, boss.ID) {
			if !errors.Is(err, c.want) {
				t.Errorf("%s, afterwards: %s: %v, want %v", about, way, err, c.want)
			}
		}
	}
}

// person are the fields of a user with a password.
func person(login string, role tenancy.Role) *accounts.UserFields {
	return &accounts.UserFields{Login: args.Some(login), Email: args.Some(args.Email(login + "@example.org")),
		Password: args.Some("a quite long passphrase"), Role: args.Some(string(role))}
}
