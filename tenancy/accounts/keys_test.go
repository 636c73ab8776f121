package accounts_test

import (
	"fmt"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/test/tenancytest"
)

func text(v any) string { return fmt.Sprint(v) }

// newKey makes a key for a user.
func newKey(t testing.TB, i *tenancytest.Installation, site *tenancy.Site, user int64, kind tenancy.Kind, readOnly bool) (*accounts.Credential, string) {
	t.Helper()
	key, secret, err := i.Keys.Create(i.Enter(site), user, &accounts.KeyFields{
		Name: args.Some("a program"), Kind: args.Some(string(kind)), ReadOnly: args.Some(readOnly),
	})
	if err != nil {
		t.Fatal(err)
	}
	return key, secret
}

func TestKeys(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo")
	ann, _ := i.User(site, "ann", tenancy.Author)
	first, _ := newKey(t, i, site, ann.ID, tenancy.APIKey, true)
	second, _ := newKey(t, i, site, ann.ID, tenancy.ApplicationPassword, false)
	list, err := i.Keys.List(i.In(site, ann.Principal()), ann.ID)
	if err != nil || len(list) != 3 || list[0].ID != second.ID || list[1].ID != first.ID || !list[1].ReadOnly ||
		list[1].Kind != tenancy.APIKey || list[1].Name != "a program" {
		t.Errorf("%+v, %v", list, err)
	}
	if err := i.Keys.Revoke(i.In(site, ann.Principal()), ann.ID, second.ID); err != nil {
		t.Error(err)
	}
	tenancytest.WantError(t, i.Keys.Revoke(i.In(site, ann.Principal()), ann.ID, second.ID), accounts.ErrNoKey)
	third, _ := newKey(t, i, site, ann.ID, tenancy.APIKey, false)
	if third.ID <= second.ID {
		t.Errorf("id %d after %d: ids come twice", third.ID, second.ID)
	}
}

func TestKeysAreOnesOwn(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo")
	ann, _ := i.User(site, "ann", tenancy.Author)
	bob, _ := i.User(site, "bob", tenancy.Author)
	key, _ := newKey(t, i, site, bob.ID, tenancy.APIKey, false)
	name := &accounts.KeyFields{Name: args.Some("x")}

	ctx := i.In(site, ann.Principal())
	_, err := i.Keys.List(ctx, bob.ID)
	tenancytest.WantError(t, err, tenancy.ErrForbidden)
	_, _, err = i.Keys.Create(ctx, bob.ID, name)
	tenancytest.WantError(t, err, tenancy.ErrForbidden)
	tenancytest.WantError(t, i.Keys.Revoke(ctx, bob.ID, key.ID), tenancy.ErrForbidden)
	tenancytest.WantError(t, i.Keys.Revoke(ctx, ann.ID, key.ID), accounts.ErrNoKey)

	reader := ann.Principal()
	reader.ReadOnly = true
	_, _, err = i.Keys.Create(i.In(site, reader), ann.ID, name)
	tenancytest.WantError(t, err, tenancy.ErrForbidden)

	_, _, err = i.Keys.Create(i.In(site, tenancy.Principal{}), 0, name)
	tenancytest.WantError(t, err, tenancy.ErrUnauthenticated)
}
