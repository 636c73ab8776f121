package console

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/test/kit"
)

const callback = "/admin/provider/login/provider/callback"

// begin goes to the provider of the console, and returns the address.
func begin(b *kit.Browser) string {
	b.K.T.Helper()
	p := b.Get("/admin/provider/login/provider")
	if p.Status != http.StatusSeeOther {
		b.K.T.Fatalf("%d %s", p.Status, p.Body)
	}
	return p.Header.Get("Location")
}

// back comes back from there.
func back(b *kit.Browser, answer url.Values) kit.Page {
	b.K.T.Helper()
	return b.Get(callback + "?" + answer.Encode())
}

// console is a kit whose console trusts a provider.
func console(t *testing.T) (*kit.Kit, *kit.Issuer) {
	t.Helper()
	k := kit.New(t)
	k.Tries = time.Now()
	i := kit.NewIssuer(k)
	k.AskAt(i.Host)
	k.ConsoleSignIn = &accounts.ConsoleSignIn{Issuer: i.URL, ClientID: "kalends", Secret: "a secret", Claim: "groups",
		Emails: []string{"ann@example.org"}, Groups: []string{"operators"}}
	return k, i
}

func says(subject, email string, groups ...string) map[string]any {
	return map[string]any{"sub": subject, "email": email, "email_verified": true, "groups": groups}
}

// People whose verified address or whose group is named enter the console by its provider, under their address; everybody else is told why not.
func TestConsoleProvider(t *testing.T) {
	t.Parallel()
	k, i := console(t)
	if p := k.Browser().Get("/admin/provider/login"); !p.Shows(`href="/admin/provider/login/provider"`) || !p.Shows("Sign in with "+i.Host) || !p.Shows(`name="password"`) {
		t.Errorf("the page: %s", p.Body)
	}
	for email, say := range map[string]map[string]any{
		"Ann@Example.org": says("1", "Ann@Example.org"), "zoe@example.org": says("2", "zoe@example.org", "others", "operators")} {
		i.Say = say
		b := k.Browser()
		answer := i.Grant(begin(b))
		if p := back(b, answer); p.Status != http.StatusSeeOther || p.Header.Get("Location") != "/admin/provider" || b.Cookies["kalends-provider"] == "" {
			t.Fatalf("%s: %d %s", email, p.Status, p.Body)
		}
		if p := b.Get("/admin/provider"); p.Status != http.StatusOK || !p.Shows(email) {
			t.Errorf("%s: %d %s", email, p.Status, p.Body)
		}
		if p := b.Get("/admin/provider/audit"); !p.Shows(email) {
			t.Errorf("the history doesn't name %s: %s", email, p.Body)
		}
		if again := k.Browser(); back(again, answer).Status != http.StatusUnprocessableEntity || again.Cookies["kalends-provider"] != "" {
			t.Errorf("%s: replayed", email)
		}
	}
	unverified := says("3", "ann@example.org", "operators")
	unverified["email_verified"] = false
	for what, one := range map[string]struct {
		say  map[string]any
		text string
	}{
		"nobody that is named": {says("4", "eve@example.org", "others"), "you may not use this console"},
		"not verified":         {unverified, "has not verified"},
		"no address":           {says("5", "", "operators"), "has not verified"},
	} {
		i.Say = one.say
		b := k.Browser()
		if p := back(b, i.Grant(begin(b))); p.Status != http.StatusForbidden || b.Cookies["kalends-provider"] != "" || !p.Shows(one.text) || !p.Shows(`name="password"`) {
			t.Errorf("%s: %d %s", what, p.Status, p.Body)
		}
	}
	i.Say = says("4", "eve@example.org")
	b := k.Browser()
	if p := b.Do("GET", callback+"?"+i.Grant(begin(b)).Encode(), nil, []string{"Accept-Language", "de"}); !p.Shows("dürfen diese Konsole aber nicht nutzen") {
		t.Errorf("in German: %s", p.Body)
	}
	if p := k.Console().Get("/admin/provider/audit"); strings.Count(p.Body, "sign_in_failed") == 0 && !p.Shows("failed") {
		t.Errorf("refused sign-ins are not in the history: %s", p.Body)
	}
}

// Sessions end when their person may not sign in any more; the token works while the provider doesn't.
func TestConsoleProviderGone(t *testing.T) {
	t.Parallel()
	k, i := console(t)
	i.Say = says("1", "ann@example.org")
	b := k.Browser()
	back(b, i.Grant(begin(b)))
	if p := b.Get("/admin/provider"); p.Status != http.StatusOK {
		t.Fatalf("%d", p.Status)
	}
	changed := *k.ConsoleSignIn
	changed.Emails = []string{"bob@example.org"}
	k.ConsoleSignIn = &changed
	if p := b.Get("/admin/provider"); p.Status != http.StatusSeeOther {
		t.Errorf("whose address is no longer named: %d", p.Status)
	}
	asked := k.Browser()
	answer := i.Grant(begin(asked))
	elsewhere := changed
	elsewhere.Issuer = "http://127.0.0.1:1"
	k.ConsoleSignIn = &elsewhere
	k.AskAt(i.Host, "127.0.0.1:1")
	if p := back(asked, answer); p.Status != http.StatusUnprocessableEntity {
		t.Errorf("an answer of a former provider: %d", p.Status)
	}
	down := k.Browser()
	if p := down.Get("/admin/provider/login/provider"); p.Status != http.StatusBadGateway || !p.Shows("cannot be reached") || !p.Shows(`name="password"`) {
		t.Errorf("without the provider: %d %s", p.Status, p.Body)
	}
	k.Console()
	k.ConsoleSignIn = nil
	if p := k.Browser().Get("/admin/provider/login/provider"); p.Status != http.StatusSeeOther || p.Header.Get("Location") != "/admin/provider/login" {
		t.Errorf("without a provider: %d", p.Status)
	}
	if p := k.Browser().Get("/admin/provider/login"); p.Shows("/login/provider") {
		t.Errorf("offered: %s", p.Body)
	}
}

// Nobody comes in by an answer to no question of this browser, or by a token that is not for the console.
func TestConsoleProviderAttacked(t *testing.T) {
	t.Parallel()
	k, i := console(t)
	i.Say = says("1", "ann@example.org")
	good := func(b *kit.Browser) url.Values { return i.Grant(begin(b)) }
	for what, answer := range map[string]func(b *kit.Browser) url.Values{
		"of another browser": func(*kit.Browser) url.Values { return good(k.Browser()) },
		"with another state": func(b *kit.Browser) url.Values { a := good(b); a.Set("state", "x"); return a },
		"without a state":    func(b *kit.Browser) url.Values { a := good(b); a.Del("state"); return a },
		"with another code":  func(b *kit.Browser) url.Values { a := good(b); a.Set("code", "code999"); return a },
		"for somebody else": func(b *kit.Browser) url.Values {
			i.Change = func(claims map[string]any) { claims["aud"] = "others" }
			return good(b)
		},
		"to another question": func(b *kit.Browser) url.Values {
			i.Change = func(claims map[string]any) { claims["nonce"] = "x" }
			return good(b)
		},
	} {
		k.Tries = k.Tries.Add(time.Hour) // of the counted tries
		b := k.Browser()
		a := answer(b)
		if p := back(b, a); p.Status < 400 || p.Status >= 500 || b.Cookies["kalends-provider"] != "" {
			t.Errorf("%s: %d", what, p.Status)
		}
		i.Change = nil
	}
	k.Tries = k.Tries.Add(time.Hour)
	site := k.Browser()
	site.Host = "demo.localhost"
	if p := site.Get("/admin/provider/login/provider"); p.Status != http.StatusNotFound {
		t.Errorf("on a site: %d", p.Status)
	}
	for range 5 {
		begin(k.Browser())
	}
	if p := k.Browser().Get("/admin/provider/login/provider"); p.Status != http.StatusTooManyRequests {
		t.Errorf("a sixth time: %d", p.Status)
	}
}

// TestConsoleRealProvider signs somebody in to the console by the example server of zitadel/oidc.
func TestConsoleRealProvider(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Tries = time.Now()
	i := k.RealIssuer(callback)
	k.ConsoleSignIn = &accounts.ConsoleSignIn{Issuer: i.URL, ClientID: "kalends", Secret: "a secret", Claim: "groups", Emails: []string{"test-user@zitadel.ch"}}
	b := k.Browser()
	if p := back(b, i.Through(begin(b))); p.Status != http.StatusSeeOther || b.Cookies["kalends-provider"] == "" {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	if p := b.Get("/admin/provider"); p.Status != http.StatusOK || !p.Shows("test-user@zitadel.ch") {
		t.Errorf("%d %s", p.Status, p.Body)
	}
}
