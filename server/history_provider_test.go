package server_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// What changes nothing is no change: neither history has an entry of it, and what
// clients keep of the site stays valid.
func TestSiteChangedToWhatItIsLeavesNothing(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	admin := k.person("administrator")
	set := map[string]any{"name": "Same", "domains": []string{"same.example"}, "limits": map[string]any{"events": 9}, "geo": false}
	first := k.provider("PATCH", "/sites/demo", set).want(t, 200, "")
	version := k.version("demo")
	entries, provider := len(k.entries("demo", 100)), len(k.audit("/audit", url.Values{}))
	for _, body := range []map[string]any{set, {}, {"state": "active"}, {"limits": map[string]any{}}} {
		a := k.provider("PATCH", "/sites/demo", body).want(t, 200, "")
		if !cmp.Equal(a.Body, first.Body) {
			t.Errorf("%v: %s", body, cmp.Diff(first.Body, a.Body))
		}
	}
	k.provider("POST", "/sites/demo/undelete", nil).want(t, 200, "")
	f := formAt(admin.get("/admin/settings"), settingsForm)
	if p := admin.post("/admin/settings", f); p.Status != 303 {
		t.Errorf("settings as they are: %d %s", p.Status, p.Body)
	}
	if now := k.version("demo"); now != version {
		t.Errorf("version %d, was %d", now, version)
	}
	if n := len(k.entries("demo", 100)); n != entries {
		t.Errorf("%d entries of the site, were %d", n, entries)
	}
	if n := len(k.audit("/audit", url.Values{})); n != provider {
		t.Errorf("%d entries of the provider, were %d", n, provider)
	}
}

// The provider's history says what the provider set, in words that hold without
// looking anything up: what a plan grants stands in the entries of the plan.
func TestProviderHistoryOfASite(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.plan("small", map[string]any{"limits": map[string]any{"events": 5}, "geo": true}).want(t, 201, "")
	k.provider("POST", "/sites", map[string]any{"slug": "club", "name": "Club", "plan": "small"}).want(t, 201, "")
	k.provider("PATCH", "/sites/club", map[string]any{"limits": map[string]any{"users": 3}, "geo": false}).want(t, 200, "")
	k.provider("PATCH", "/sites/club", map[string]any{"plan": "unlimited", "limits": nil}).want(t, 200, "")
	gone := k.provider("DELETE", "/sites/club?grace=3", nil).want(t, 200, "")
	k.provider("POST", "/sites/club/undelete", nil).want(t, 200, "")
	deleted := map[string]any{"at": gone.Body["deleted"], "purge": gone.Body["purge"], "state": "active"}
	list := k.provider("GET", "/audit?per_page=5", nil).want(t, 200, "").Body["entries"].([]any)
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
	k := newKit(t)
	k.provider("PATCH", "/sites/demo", object{"name": "By token"}).want(t, 200, "")
	ctx := tenancy.AsProvider(t.Context(), tenancy.Provider{Name: tenancy.CommandLine, Command: true})
	_, err := k.platform.Sites.Update(ctx, "demo", &tenancy.SiteFields{ProfileFields: tenancy.ProfileFields{Name: args.Some("By command")}})
	k.must(err)
	b := k.browser()
	b.post("/admin/provider/login", url.Values{"password": {providerToken}})
	for _, p := range []page{b.get("/admin/provider/audit"), k.person("administrator").get("/admin/audit?kind=site")} {
		if !p.shows("<bdi>Provider</bdi>") || p.shows(tenancy.ConfiguredToken) || p.shows(tenancy.CommandLine+"</bdi>") {
			t.Errorf("%s", p.Body)
		}
	}
}

// The provider's history says who signed in to the console and that somebody tried
// to, and nothing of what was typed.
func TestProviderHistoryOfSignIns(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	ctx := tenancy.AsProvider(t.Context(), tenancy.Provider{Name: "test"})
	token, secret, err := k.platform.Tokens.Create(ctx, &tenancy.TokenFields{Name: args.Some("desk")})
	k.must(err)
	b := k.browser()
	wrong := secret[:len(secret)-1] + "!"
	b.post("/admin/provider/login", url.Values{"password": {wrong}})
	b.post("/admin/provider/login", url.Values{"password": {secret}})
	a := k.provider("GET", "/audit?kind=session", nil).want(t, 200, "")
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
	p := b.get("/admin/provider/audit?kind=session&action=sign_in_failed")
	if !p.shows("Nobody (not signed in)") || !p.shows("0.0.0.0") || strings.Contains(p.Body, wrong) {
		t.Errorf("%s", p.Body)
	}
}
