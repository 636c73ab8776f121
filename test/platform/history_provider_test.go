package platform

import (
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
)

// What changes nothing is no change: neither history has an entry of it, and what
// clients keep of the site stays valid.
func TestSiteChangedToWhatItIsLeavesNothing(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	admin := k.Person("administrator")
	set := map[string]any{"name": "Same", "domains": []string{"same.example"}, "limits": map[string]any{"events": 9}, "geo": false}
	first := k.Provider("PATCH", "/sites/demo", set).Want(t, 200, "")
	version := k.Version("demo")
	entries, provider := len(k.Entries("demo", 100)), len(k.Audit("/audit", url.Values{}))
	for _, body := range []map[string]any{set, {}, {"state": "active"}, {"limits": map[string]any{}}} {
		a := k.Provider("PATCH", "/sites/demo", body).Want(t, 200, "")
		if !cmp.Equal(a.Body, first.Body) {
			t.Errorf("%v: %s", body, cmp.Diff(first.Body, a.Body))
		}
	}
	k.Provider("POST", "/sites/demo/undelete", nil).Want(t, 200, "")
	f := kit.FormAt(admin.Get("/admin/settings"), kit.SettingsForm)
	if p := admin.Post("/admin/settings", f); p.Status != 303 {
		t.Errorf("settings as they are: %d %s", p.Status, p.Body)
	}
	if now := k.Version("demo"); now != version {
		t.Errorf("version %d, was %d", now, version)
	}
	if n := len(k.Entries("demo", 100)); n != entries {
		t.Errorf("%d entries of the site, were %d", n, entries)
	}
	if n := len(k.Audit("/audit", url.Values{})); n != provider {
		t.Errorf("%d entries of the provider, were %d", n, provider)
	}
}

// The provider's history says what the provider set, in words that hold without
// looking anything up: what a plan grants stands in the entries of the plan.
func TestProviderHistoryOfASite(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Plan("small", map[string]any{"limits": map[string]any{"events": 5}, "geo": true}).Want(t, 201, "")
	k.Provider("POST", "/sites", map[string]any{"slug": "club", "name": "Club", "plan": "small"}).Want(t, 201, "")
	k.Provider("PATCH", "/sites/club", map[string]any{"limits": map[string]any{"users": 3}, "geo": false}).Want(t, 200, "")
	k.Provider("PATCH", "/sites/club", map[string]any{"plan": "unlimited", "limits": nil}).Want(t, 200, "")
	gone := k.Provider("DELETE", "/sites/club?grace=3", nil).Want(t, 200, "")
	k.Provider("POST", "/sites/club/undelete", nil).Want(t, 200, "")
	deleted := map[string]any{"at": gone.Body["deleted"], "purge": gone.Body["purge"], "state": "active"}
	list := k.Provider("GET", "/audit?per_page=5", nil).Want(t, 200, "").Body["entries"].([]any)
	for i, want := range []map[string]any{
		{"action": "undelete", "before": map[string]any{"deleted": deleted, "state": "closed"}, "after": map[string]any{"deleted": nil, "state": "active"}},
		{"action": "delete", "before": map[string]any{"deleted": nil, "state": "active"}, "after": map[string]any{"deleted": deleted, "state": "closed"}},
		{"action": "update", "before": map[string]any{"plan": "small", "limits": map[string]any{"users": 3.0, "geo": 0.0}},
			"after": map[string]any{"plan": "unlimited", "limits": map[string]any{}}},
		{"action": "update", "before": map[string]any{"limits": map[string]any{}}, "after": map[string]any{"limits": map[string]any{"users": 3.0, "geo": 0.0}}},
	} {
		e := list[i].(map[string]any)
		got := map[string]any{"action": e["action"], "before": e["before"], "after": e["after"]}
		if !cmp.Equal(got, want) {
			t.Errorf("entry %d: %s", i, cmp.Diff(want, got))
		}
	}
	made := list[4].(map[string]any)["after"].(map[string]any)
	if made["plan"] != "small" || made["deleted"] != nil || made["geo"] != nil || made["events"] != nil {
		t.Errorf("made as %v", made)
	}
}

// Who has no token of a name is called by a word of the page's language, not by the
// name that stands for it in the interface.
func TestProviderIsCalledInWords(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Provider("PATCH", "/sites/demo", kit.Object{"name": "By token"}).Want(t, 200, "")
	ctx := tenancy.AsProvider(t.Context(), tenancy.Provider{Name: tenancy.CommandLine, Command: true})
	_, err := k.Platform.Sites.Update(ctx, "demo", &platform.SiteFields{ProfileFields: platform.ProfileFields{Name: args.Some("By command")}})
	k.Must(err)
	b := k.Browser()
	b.Post("/admin/provider/login", url.Values{"password": {kit.ProviderToken}})
	for _, p := range []kit.Page{b.Get("/admin/provider/audit"), k.Person("administrator").Get("/admin/audit?kind=site")} {
		if !p.Shows("<bdi>Provider</bdi>") || p.Shows(tenancy.ConfiguredToken) || p.Shows(tenancy.CommandLine+"</bdi>") {
			t.Errorf("%s", p.Body)
		}
	}
}

// The provider's history says who signed in to the console and that somebody tried
// to, and nothing of what was typed.
func TestProviderHistoryOfSignIns(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	ctx := tenancy.AsProvider(t.Context(), tenancy.Provider{Name: "test"})
	token, secret, err := k.Platform.Tokens.Create(ctx, &accounts.TokenFields{Name: args.Some("desk")})
	k.Must(err)
	b := k.Browser()
	wrong := secret[:len(secret)-1] + "!"
	b.Post("/admin/provider/login", url.Values{"password": {wrong}})
	b.Post("/admin/provider/login", url.Values{"password": {secret}})
	a := k.Provider("GET", "/audit?kind=session", nil).Want(t, 200, "")
	got := a.Body["entries"].([]any)
	for _, e := range got {
		delete(e.(map[string]any), "place")
		delete(e.(map[string]any), "at")
	}
	want := []any{
		map[string]any{"action": "sign_in", "kind": "session", "id": float64(token.ID), "object": "desk", "user_id": 0.0, "who": "desk",
			"via": "provider", "address": "0.0.0.0"},
		map[string]any{"action": "sign_in_failed", "kind": "session", "id": 0.0, "user_id": 0.0, "who": "", "via": "", "address": "0.0.0.0"},
	}
	if !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	p := b.Get("/admin/provider/audit?kind=session&action=sign_in_failed")
	if !p.Shows("Nobody (not signed in)") || !p.Shows("0.0.0.0") || strings.Contains(p.Body, wrong) {
		t.Errorf("%s", p.Body)
	}
}
