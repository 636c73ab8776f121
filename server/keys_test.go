package server_test

import (
	"context"
	"testing"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// key makes an API key of a user of demo and returns it as an Authorization.
func (k *kit) key(user int64, readOnly bool) (authorization string, id int64) {
	k.t.Helper()
	ctx, err := tenancy.Enter(tenancy.AsProvider(context.Background(), tenancy.Provider{Name: "test"}), k.sites["demo"])
	k.must(err)
	made, secret, err := k.platform.Keys.Create(ctx, user, &tenancy.KeyFields{Name: args.Some("test"),
		Kind: args.Some(string(tenancy.APIKey)), ReadOnly: args.Some(readOnly)})
	k.must(err)
	return "Bearer " + secret, made.ID
}

// TestKeys: an API key acts for its user; a read-only one reads as he does and
// writes nothing (wire.md §2).
func TestKeys(t *testing.T) {
	t.Parallel()
	k := standing(t)
	draft := k.event(object{"title": "Draft", "status": "draft"})
	protected := k.event(object{"title": "Protected", "post_password": "x"})
	whole, _ := k.key(2, false)
	reading, id := k.key(2, true)
	for _, as := range []string{whole, reading} {
		k.get(item("events", draft), as).want(t, 200, "")
		k.get("/events", as).want(t, 200, "").has(t, "total", 2)
		k.get("/events?status=draft", as).want(t, 200, "").has(t, "total", 1)
	}
	k.get(item("events", protected), whole).want(t, 200, "")
	k.get(query(item("events", protected), "password", "x"), reading).want(t, 200, "")
	state := k.state()
	k.post("/events", reading, times(nil)).want(t, 403, "rest_forbidden")
	k.patch(item("events", draft), reading, object{"title": "x"}).want(t, 403, "rest_forbidden")
	k.del(item("events", draft), reading).want(t, 403, "rest_forbidden")
	k.post("/tags", reading, object{"name": "x"}).want(t, 403, "rest_forbidden")
	k.post("/venues", reading, object{"venue": "x"}).want(t, 403, "rest_forbidden")
	if now := k.state(); now != state {
		t.Errorf("a read-only key changed something: %s, was %s", now, state)
	}
	k.patch(item("events", draft), whole, object{"title": "By key"}).want(t, 200, "").has(t, "title", "By key")
	k.post("/venues", whole, object{"venue": "x"}).want(t, 201, "").has(t, "author", 2)
	ctx, err := tenancy.Enter(tenancy.AsProvider(context.Background(), tenancy.Provider{Name: "test"}), k.sites["demo"])
	k.must(err)
	k.must(k.platform.Keys.Revoke(ctx, 2, id))
	k.get("/events", reading).want(t, 401, "rest_invalid_credentials")
	k.get("/events", whole).want(t, 200, "")
}
