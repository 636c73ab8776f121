package rest

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/tenancy"

	"github.com/kalends/kalends/test/kit"
)

// TestKeys: an API key acts for its user; a read-only one reads as he does and
// writes nothing (rule 2.2).
func TestKeys(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	draft := k.Event(kit.Object{"title": "Draft", "status": "draft"})
	protected := k.Event(kit.Object{"title": "Protected", "post_password": "x"})
	whole, _ := k.Key(2, false)
	reading, id := k.Key(2, true)
	for _, as := range []string{whole, reading} {
		k.Get(kit.Item("events", draft), as).Want(t, 200, "")
		k.Get("/events", as).Want(t, 200, "").Has(t, "total", 2)
		k.Get("/events?status=draft", as).Want(t, 200, "").Has(t, "total", 1)
	}
	k.Get(kit.Item("events", protected), whole).Want(t, 200, "")
	k.Get(kit.Query(kit.Item("events", protected), "password", "x"), reading).Want(t, 200, "")
	state := k.State()
	k.Post("/events", reading, kit.Times(nil)).Want(t, 403, "rest_forbidden")
	k.Patch(kit.Item("events", draft), reading, kit.Object{"title": "x"}).Want(t, 403, "rest_forbidden")
	k.Del(kit.Item("events", draft), reading).Want(t, 403, "rest_forbidden")
	k.Post("/tags", reading, kit.Object{"name": "x"}).Want(t, 403, "rest_forbidden")
	k.Post("/venues", reading, kit.Object{"venue": "x"}).Want(t, 403, "rest_forbidden")
	if now := k.State(); now != state {
		t.Errorf("a read-only key changed something: %s, was %s", now, state)
	}
	k.Patch(kit.Item("events", draft), whole, kit.Object{"title": "By key"}).Want(t, 200, "").Has(t, "title", "By key")
	k.Post("/venues", whole, kit.Object{"venue": "x"}).Want(t, 201, "").Has(t, "author", 2)
	ctx, err := tenancy.Enter(tenancy.AsProvider(context.Background(), tenancy.Provider{Name: "test"}), k.Sites["demo"])
	k.Must(err)
	k.Must(k.Platform.Keys.Revoke(ctx, 2, id))
	k.Get("/events", reading).Want(t, 401, "rest_invalid_credentials")
	k.Get("/events", whole).Want(t, 200, "")
}

// TestKeysOfOthers: administrators see and revoke everybody's keys of their site, as
// the provider does; nobody else sees any, and a key stops working at once.
func TestKeysOfOthers(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("other")
	editor, id := k.Key(2, false)
	k.Get("/events", editor).Want(t, 200, "")
	for _, role := range []string{"editor", "author", "contributor", "subscriber"} {
		b := k.Person(role)
		if p := b.Get("/admin/keys"); p.Status != 403 || p.Shows("api_key") {
			t.Errorf("the list as %s: %d", role, p.Status)
		}
		b.Get("/admin/profile")
		if p := b.Post("/admin/keys", url.Values{"do": {"revoke"}, "id": {fmt.Sprint(id)}}); p.Status != 403 {
			t.Errorf("revoked by %s: %d", role, p.Status)
		}
		if p := b.Get("/admin/users/2"); p.Status != 403 {
			t.Errorf("the person as %s: %d", role, p.Status)
		}
	}
	boss := k.Person("administrator")
	k.Must(k.Platform.Flush(t.Context()))
	all, one := boss.Get("/admin/keys"), boss.Get("/admin/keys?user=2&search=TEST")
	if !all.Shows("administrator") || !all.Shows(">author<") || !all.Shows("API key") || !all.Shows("Last used") {
		t.Errorf("the list: %d %s", all.Status, all.Body)
	}
	if n := strings.Count(one.Body, `value="revoke"`); n != 1 || one.Hidden("id") != fmt.Sprint(id) || one.Shows(">author<") {
		t.Errorf("the editor's keys: %d %s", n, one.Body)
	}
	if p := boss.Get("/admin/keys?user=4711"); p.Status != 404 {
		t.Errorf("nobody's keys: %d", p.Status)
	}
	if p := boss.Get("/admin/users/2"); !p.Shows("Keys that programs use on behalf of this user: 2.") {
		t.Errorf("the person: %s", p.Body)
	}
	if p := boss.Post("/admin/keys", url.Values{"do": {"revoke"}, "id": {fmt.Sprint(id)}, "to": {"/admin/keys?user=2"}}); p.Status != 303 ||
		p.Header.Get("Location") != "/admin/keys?user=2" {
		t.Errorf("revoked: %d %s", p.Status, p.Header.Get("Location"))
	}
	k.Get("/events", editor).Want(t, 401, "rest_invalid_credentials")
	if p := boss.Post("/admin/keys", url.Values{"do": {"revoke"}, "id": {fmt.Sprint(id)}, "to": {"//evil.example/admin/keys"}}); p.Header.Get("Location") != "/admin/keys" {
		t.Errorf("revoked twice: %d %s", p.Status, p.Header.Get("Location"))
	}

	again, id := k.Key(2, true)
	provider := kit.Request{Method: "GET", Path: "//platform/v1/sites/demo/keys?user=2&search=test", As: "Bearer " + kit.ProviderToken}
	list := k.Send(provider).Want(t, 200, "").Has(t, "total", 1)
	if text := list.String(); !strings.Contains(text, fmt.Sprintf(`"id":%d`, id)) || !strings.Contains(text, `"read_only":true`) || strings.Contains(text, "hash") {
		t.Errorf("the provider's list: %s", text)
	}
	gone := kit.Request{Method: "DELETE", Path: fmt.Sprintf("//platform/v1/sites/other/keys/%d", id), As: "Bearer " + kit.ProviderToken}
	k.Send(gone).Want(t, 404, "rest_key_not_found")
	k.Get("/events", again).Want(t, 200, "")
	gone.Path = fmt.Sprintf("//platform/v1/sites/demo/keys/%d", id)
	k.Send(kit.Request{Method: gone.Method, Path: gone.Path, As: k.As("demo", "administrator")}).Want(t, 401, "rest_invalid_credentials")
	k.Send(gone).Want(t, 200, "").Has(t, "id", id)
	k.Get("/events", again).Want(t, 401, "rest_invalid_credentials")
	k.Send(gone).Want(t, 404, "rest_key_not_found")
	gone.Path = "//platform/v1/sites/none/keys/1"
	k.Send(gone).Want(t, 404, "rest_site_not_found")
	gone.Path = "//platform/v1/sites/demo/keys/0"
	k.Send(gone).Want(t, 404, "rest_key_not_found")
}
