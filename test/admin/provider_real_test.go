package admin

import (
	"net/url"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// TestRealProvider signs somebody in by the example server of zitadel/oidc (tools/issuer): by its own pages, its keys and its tokens.
func TestRealProvider(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Tries = time.Now()
	issuer := k.RealIssuer("/admin/login/provider/callback")
	i := &kit.Issuer{URL: issuer.URL}
	admin := k.Person("administrator")
	admin.Get("/admin/sign-in")
	if p := admin.Post("/admin/sign-in", url.Values{"do": {"save"}, "issuer": {i.URL}, "client_id": {"kalends"}, "client_secret": {"a secret"}, "passwords": {"1"},
		"author_groups": {"staff"}, "confirm": {kit.AdminPassword}}); p.Status != 303 {
		t.Fatalf("trust: %d %s", p.Status, p.Body)
	}
	for _, want := range []string{"a new user", "the same user"} {
		b := k.Browser()
		back := issuer.Through(b.Begin())
		if p := b.Back(back); p.Status != 303 || b.Cookies["kalends"] == "" {
			t.Fatalf("%s: %d %s", want, p.Status, p.Body)
		}
		if again := k.Browser(); again.Back(back).Status != 422 || again.Cookies["kalends"] != "" {
			t.Errorf("%s: replayed", want)
		}
		if got := k.Peek("demo", "SELECT string_agg(role || ' ' || name, ',') FROM users WHERE email = 'test-user@zitadel.ch'"); got != "author Test User" {
			t.Errorf("%s: %s", want, got)
		}
	}
}
