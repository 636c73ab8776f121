package server_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// console is a browser in which the provider has signed in to the console.
func (k *kit) console() *browser {
	k.t.Helper()
	b := k.browser()
	if p := b.post("/admin/provider/login", url.Values{"password": {providerToken}}); p.Status != http.StatusSeeOther {
		k.t.Fatalf("sign in: %d %s", p.Status, p.Body)
	}
	b.get("/admin/provider")
	return b
}

// The console opens to provider tokens alone, on the platform's own name.
func TestConsoleSignIn(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.tries = time.Now()
	b := k.browser()
	if p := b.get("/admin/provider/sites/demo"); p.Status != http.StatusSeeOther || p.Header.Get("Location") != "/admin/provider/login" {
		t.Errorf("%d %s", p.Status, p.Header.Get("Location"))
	}
	for range 5 {
		if p := b.post("/admin/provider/login", url.Values{"password": {"wrong"}}); p.Status != http.StatusUnprocessableEntity {
			t.Errorf("%d", p.Status)
		}
	}
	if p := b.post("/admin/provider/login", url.Values{"password": {providerToken}}); p.Status != http.StatusTooManyRequests {
		t.Errorf("a sixth time: %d", p.Status)
	}
	site := k.browser()
	site.host = "demo.localhost"
	if p := site.get("/admin/provider"); p.Status != http.StatusNotFound {
		t.Errorf("on a site: %d", p.Status)
	}
	if p := k.person("administrator").get("/admin/provider"); p.Status != http.StatusSeeOther {
		t.Errorf("for a site's administrator: %d", p.Status)
	}
}

// A session ends with the token it began with.
func TestConsoleEndsWithItsToken(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	ctx := tenancy.AsProvider(t.Context(), tenancy.Provider{Name: "test"})
	token, secret, err := k.platform.Tokens.Create(ctx, &tenancy.TokenFields{Name: args.Some("desk")})
	k.must(err)
	b := k.browser()
	b.post("/admin/provider/login", url.Values{"password": {secret}})
	if p := b.get("/admin/provider"); p.Status != http.StatusOK || !p.shows("desk") {
		t.Fatalf("%d", p.Status)
	}
	k.must(k.platform.Tokens.Revoke(ctx, token.ID))
	if p := b.get("/admin/provider"); p.Status != http.StatusSeeOther {
		t.Errorf("after the token was revoked: %d", p.Status)
	}
}

func TestConsoleSite(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b := k.console()
	if p := b.get("/admin/provider?search=dem"); !p.shows("/admin/provider/sites/demo") {
		t.Errorf("%s", p.Body)
	}
	const demo = "/admin/provider/sites/demo"
	b.get(demo)
	if p := b.post(demo, url.Values{"do": {"close"}, "sure": {"1"}, "csrf": {"wrong"}}); p.Status != http.StatusForbidden {
		t.Errorf("a form of nobody's: %d", p.Status)
	}
	b.cookies["csrf"] = ""
	b.get(demo)
	if p := b.post(demo, url.Values{"do": {"suspend"}}); p.Status != http.StatusOK || !p.shows("Yes, continue") {
		t.Errorf("%d %s", p.Status, p.Body)
	}
	if p := b.post(demo, url.Values{"do": {"suspend"}, "sure": {"1"}}); p.Status != http.StatusSeeOther {
		t.Errorf("%d %s", p.Status, p.Body)
	}
	if p := b.get(demo); !p.shows("Read-only") || !p.shows("Reactivate") {
		t.Errorf("%s", p.Body)
	}
	if p := b.post(demo, url.Values{"do": {"add"}, "domain": {"*.example"}}); p.Status != http.StatusUnprocessableEntity || !p.shows("asterisk") {
		t.Errorf("%d %s", p.Status, p.Body)
	}
	if p := b.post(demo, url.Values{"do": {"add"}, "domain": {"bücher.invalid"}}); p.Status != http.StatusSeeOther {
		t.Errorf("%d %s", p.Status, p.Body)
	}
	if p := b.get(demo); !p.shows("_kalends.xn--bcher-kva.invalid") || !p.shows("kalends=") {
		t.Errorf("%s", p.Body)
	}
	if p := b.post(demo, url.Values{"do": {"remove"}, "domain": {"xn--bcher-kva.invalid"}, "sure": {"1"}}); p.Status != http.StatusSeeOther {
		t.Errorf("%d %s", p.Status, p.Body)
	}
	if p := b.get(demo); strings.Contains(p.Body, "xn--bcher-kva") {
		t.Errorf("%s", p.Body)
	}
	if p := b.post("/admin/provider/logout", url.Values{}); p.Status != http.StatusSeeOther {
		t.Errorf("%d", p.Status)
	}
	if p := b.get(demo); p.Status != http.StatusSeeOther {
		t.Errorf("after signing out: %d", p.Status)
	}
}
