package console

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/test/kit"
)

// The console accepts only provider tokens, on the platform's own domain.
func TestConsoleSignIn(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Tries = time.Now()
	b := k.Browser()
	if p := b.Get("/admin/provider/sites/demo"); p.Status != http.StatusSeeOther || p.Header.Get("Location") != "/admin/provider/login" {
		t.Errorf("%d %s", p.Status, p.Header.Get("Location"))
	}
	for range 5 {
		if p := b.Post("/admin/provider/login", url.Values{"password": {"wrong"}}); p.Status != http.StatusUnprocessableEntity {
			t.Errorf("%d", p.Status)
		}
	}
	if p := b.Post("/admin/provider/login", url.Values{"password": {kit.ProviderToken}}); p.Status != http.StatusTooManyRequests {
		t.Errorf("a sixth time: %d", p.Status)
	}
	site := k.Browser()
	site.Host = "demo.localhost"
	if p := site.Get("/admin/provider"); p.Status != http.StatusNotFound {
		t.Errorf("on a site: %d", p.Status)
	}
	if p := k.Person("administrator").Get("/admin/provider"); p.Status != http.StatusSeeOther {
		t.Errorf("for a site's administrator: %d", p.Status)
	}
}

// A session ends when the token it was started with is revoked.
func TestConsoleEndsWithItsToken(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	ctx := tenancy.AsProvider(t.Context(), tenancy.Provider{Name: "test"})
	token, secret, err := k.Platform.Tokens.Create(ctx, &accounts.TokenFields{Name: args.Some("desk")})
	k.Must(err)
	b := k.Browser()
	b.Post("/admin/provider/login", url.Values{"password": {secret}})
	if p := b.Get("/admin/provider"); p.Status != http.StatusOK || !p.Shows("desk") {
		t.Fatalf("%d", p.Status)
	}
	k.Must(k.Platform.Tokens.Revoke(ctx, token.ID))
	if p := b.Get("/admin/provider"); p.Status != http.StatusSeeOther {
		t.Errorf("after the token was revoked: %d", p.Status)
	}
}

func TestConsoleSite(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Console()
	if p := b.Get("/admin/provider?search=dem"); !p.Shows("/admin/provider/sites/demo") {
		t.Errorf("%s", p.Body)
	}
	const demo = "/admin/provider/sites/demo"
	b.Get(demo)
	if p := b.Post(demo, url.Values{"do": {"close"}, "sure": {"1"}, "csrf": {"wrong"}}); p.Status != http.StatusForbidden {
		t.Errorf("a form of nobody's: %d", p.Status)
	}
	b.Cookies["csrf"] = ""
	b.Get(demo)
	if p := b.Post(demo, url.Values{"do": {"suspend"}}); p.Status != http.StatusOK || !p.Shows("Yes, continue") {
		t.Errorf("%d %s", p.Status, p.Body)
	}
	if p := b.Post(demo, url.Values{"do": {"suspend"}, "sure": {"1"}}); p.Status != http.StatusSeeOther {
		t.Errorf("%d %s", p.Status, p.Body)
	}
	if p := b.Get(demo); !p.Shows("Read-only") || !p.Shows("Reactivate") {
		t.Errorf("%s", p.Body)
	}
	if p := b.Post(demo, url.Values{"do": {"add"}, "domain": {"*.example"}}); p.Status != http.StatusUnprocessableEntity || !p.Shows("asterisk") {
		t.Errorf("%d %s", p.Status, p.Body)
	}
	if p := b.Post(demo, url.Values{"do": {"add"}, "domain": {"bücher.invalid"}}); p.Status != http.StatusSeeOther {
		t.Errorf("%d %s", p.Status, p.Body)
	}
	if p := b.Get(demo); !p.Shows("_kalends.xn--bcher-kva.invalid") || !p.Shows("kalends=") {
		t.Errorf("%s", p.Body)
	}
	if p := b.Post(demo, url.Values{"do": {"remove"}, "domain": {"xn--bcher-kva.invalid"}, "sure": {"1"}}); p.Status != http.StatusSeeOther {
		t.Errorf("%d %s", p.Status, p.Body)
	}
	if p := b.Get(demo); strings.Contains(p.Body, "xn--bcher-kva") {
		t.Errorf("%s", p.Body)
	}
	if p := b.Post("/admin/provider/logout", url.Values{}); p.Status != http.StatusSeeOther {
		t.Errorf("%d", p.Status)
	}
	if p := b.Get(demo); p.Status != http.StatusSeeOther {
		t.Errorf("after signing out: %d", p.Status)
	}
}
