package server_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
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
// writes nothing (rule 2.2).
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

// TestKeysOfOthers: administrators see and revoke everybody's keys of their site, as
// the provider does; nobody else sees any, and a key stops working at once.
func TestKeysOfOthers(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.site("other")
	editor, id := k.key(2, false)
	k.get("/events", editor).want(t, 200, "")
	for _, role := range []string{"editor", "author", "contributor", "subscriber"} {
		b := k.person(role)
		if p := b.get("/admin/keys"); p.Status != 403 || p.shows("api_key") {
			t.Errorf("the list as %s: %d", role, p.Status)
		}
		b.get("/admin/profile")
		if p := b.post("/admin/keys", url.Values{"do": {"revoke"}, "id": {fmt.Sprint(id)}}); p.Status != 403 {
			t.Errorf("revoked by %s: %d", role, p.Status)
		}
		if p := b.get("/admin/users/2"); p.Status != 403 {
			t.Errorf("the person as %s: %d", role, p.Status)
		}
	}
	boss := k.person("administrator")
	k.must(k.platform.Flush(t.Context()))
	all, one := boss.get("/admin/keys"), boss.get("/admin/keys?user=2&search=TEST")
	if !all.shows("administrator") || !all.shows(">author<") || !all.shows("API key") || !all.shows("Last used") {
		t.Errorf("the list: %d %s", all.Status, all.Body)
	}
	if n := strings.Count(one.Body, `value="revoke"`); n != 1 || one.hidden("id") != fmt.Sprint(id) || one.shows(">author<") {
		t.Errorf("the editor's keys: %d %s", n, one.Body)
	}
	if p := boss.get("/admin/keys?user=4711"); p.Status != 404 {
		t.Errorf("nobody's keys: %d", p.Status)
	}
	if p := boss.get("/admin/users/2"); !p.shows("act in this person’s name: 2.") {
		t.Errorf("the person: %s", p.Body)
	}
	if p := boss.post("/admin/keys", url.Values{"do": {"revoke"}, "id": {fmt.Sprint(id)}, "to": {"/admin/keys?user=2"}}); p.Status != 303 ||
		p.Header.Get("Location") != "/admin/keys?user=2" {
		t.Errorf("revoked: %d %s", p.Status, p.Header.Get("Location"))
	}
	k.get("/events", editor).want(t, 401, "rest_invalid_credentials")
	if p := boss.post("/admin/keys", url.Values{"do": {"revoke"}, "id": {fmt.Sprint(id)}, "to": {"//evil.example/admin/keys"}}); p.Header.Get("Location") != "/admin/keys" {
		t.Errorf("revoked twice: %d %s", p.Status, p.Header.Get("Location"))
	}

	again, id := k.key(2, true)
	provider := request{Method: "GET", Path: "//platform/v1/sites/demo/keys?user=2&search=test", As: "Bearer " + providerToken}
	list := k.send(provider).want(t, 200, "").has(t, "total", 1)
	if text := list.String(); !strings.Contains(text, fmt.Sprintf(`"id":%d`, id)) || !strings.Contains(text, `"read_only":true`) || strings.Contains(text, "hash") {
		t.Errorf("the provider's list: %s", text)
	}
	gone := request{Method: "DELETE", Path: fmt.Sprintf("//platform/v1/sites/other/keys/%d", id), As: "Bearer " + providerToken}
	k.send(gone).want(t, 404, "rest_key_not_found")
	k.get("/events", again).want(t, 200, "")
	gone.Path = fmt.Sprintf("//platform/v1/sites/demo/keys/%d", id)
	k.send(request{Method: gone.Method, Path: gone.Path, As: k.as("demo", "administrator")}).want(t, 401, "rest_invalid_credentials")
	k.send(gone).want(t, 200, "").has(t, "id", id)
	k.get("/events", again).want(t, 401, "rest_invalid_credentials")
	k.send(gone).want(t, 404, "rest_key_not_found")
	gone.Path = "//platform/v1/sites/none/keys/1"
	k.send(gone).want(t, 404, "rest_site_not_found")
	gone.Path = "//platform/v1/sites/demo/keys/0"
	k.send(gone).want(t, 404, "rest_key_not_found")
}
