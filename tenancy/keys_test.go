package tenancy_test

import (
	"fmt"
	"testing"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

func text(v any) string { return fmt.Sprint(v) }

// key makes a key for a user.
func (i *installation) key(site *tenancy.Site, user int64, kind tenancy.Kind, readOnly bool) (*tenancy.Credential, string) {
	i.t.Helper()
	key, secret, err := i.Keys.Create(i.enter(site), user, &tenancy.KeyFields{
		Name: args.Some("a program"), Kind: args.Some(string(kind)), ReadOnly: args.Some(readOnly),
	})
	if err != nil {
		i.t.Fatal(err)
	}
	return key, secret
}

func TestKeys(t *testing.T) {
	t.Parallel()
	i := install(t)
	site := i.site("demo")
	ann, _ := i.user(site, "ann", tenancy.Author)
	first, _ := i.key(site, ann.ID, tenancy.APIKey, true)
	second, _ := i.key(site, ann.ID, tenancy.ApplicationPassword, false)
	list, err := i.Keys.List(i.in(site, ann.Principal()), ann.ID)
	if err != nil || len(list) != 3 || list[0].ID != second.ID || list[1].ID != first.ID || !list[1].ReadOnly ||
		list[1].Kind != tenancy.APIKey || list[1].Name != "a program" {
		t.Errorf("%+v, %v", list, err)
	}
	if err := i.Keys.Revoke(i.in(site, ann.Principal()), ann.ID, second.ID); err != nil {
		t.Error(err)
	}
	wantError(t, i.Keys.Revoke(i.in(site, ann.Principal()), ann.ID, second.ID), tenancy.ErrNoKey)
	third, _ := i.key(site, ann.ID, tenancy.APIKey, false)
	if third.ID <= second.ID {
		t.Errorf("id %d after %d: ids come twice", third.ID, second.ID)
	}
}

func TestKeysAreOnesOwn(t *testing.T) {
	t.Parallel()
	i := install(t)
	site := i.site("demo")
	ann, _ := i.user(site, "ann", tenancy.Author)
	bob, _ := i.user(site, "bob", tenancy.Author)
	key, _ := i.key(site, bob.ID, tenancy.APIKey, false)
	name := &tenancy.KeyFields{Name: args.Some("x")}

	ctx := i.in(site, ann.Principal())
	_, err := i.Keys.List(ctx, bob.ID)
	wantError(t, err, tenancy.ErrForbidden)
	_, _, err = i.Keys.Create(ctx, bob.ID, name)
	wantError(t, err, tenancy.ErrForbidden)
	wantError(t, i.Keys.Revoke(ctx, bob.ID, key.ID), tenancy.ErrForbidden)
	wantError(t, i.Keys.Revoke(ctx, ann.ID, key.ID), tenancy.ErrNoKey)

	reader := ann.Principal()
	reader.ReadOnly = true
	_, _, err = i.Keys.Create(i.in(site, reader), ann.ID, name)
	wantError(t, err, tenancy.ErrForbidden)

	_, _, err = i.Keys.Create(i.in(site, tenancy.Principal{}), 0, name)
	wantError(t, err, tenancy.ErrUnauthenticated)
}
