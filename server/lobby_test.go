package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// inLobby is a browser in front of the platform, in which somebody has signed in
// with the password of the tests.
func (k *kit) inLobby(email string) *browser {
	k.t.Helper()
	b := k.browser()
	if p := b.post("/admin/sites", url.Values{"email": {email}, "password": {adminPassword}}); p.Status != http.StatusOK {
		k.t.Fatalf("sign in: %d %s", p.Status, p.Body)
	}
	return b
}

// pass is what the page of the lobby has for a site, "" for none.
func (p page) pass(site string) string {
	m := regexp.MustCompile(`name="site" value="` + site + `"> <input type="hidden" name="pass" value="([^"]+)"`).FindStringSubmatch(p.Body)
	if m == nil {
		return ""
	}
	return m[1]
}

// choose sends the form of a site in the lobby.
func (b *browser) choose(site, pass string) page {
	b.k.t.Helper()
	return b.post("/admin/sites/go", url.Values{"site": {site}, "pass": {pass}})
}

// arrive sends a pass to a site from a page of an origin, in a browser of its own.
func (k *kit) arrive(host, pass, origin string) *browser {
	k.t.Helper()
	b := k.browser()
	b.host = host
	b.post("/admin/arrive", url.Values{"pass": {pass}}, "Origin", origin, "Sec-Fetch-Site", "cross-site")
	return b
}

// lobbyKit has three sites; the editor has one password on two of them.
func lobbyKit(t *testing.T) *kit {
	t.Helper()
	k := newKit(t)
	k.site("two")
	k.site("three")
	k.passwordOn("demo", "editor")
	k.passwordOn("two", "editor")
	return k
}

// Who signs in once chooses among their sites, and goes on to the one by a form.
func TestLobby(t *testing.T) {
	t.Parallel()
	k := lobbyKit(t)
	b := k.inLobby(" Editor@Example.org")
	p := b.page
	if p.pass("demo") == "" || p.pass("two") == "" || p.pass("three") != "" || strings.Contains(p.Body, "onward") {
		t.Fatalf("to choose from: %s", p.Body)
	}
	pass := p.pass("two")
	if p = b.choose("two", pass); p.Status != http.StatusOK || !p.shows(`action="http://two.localhost/admin/arrive"`) || !p.shows(pass) ||
		p.Header.Get("Referrer-Policy") != "strict-origin" || !strings.Contains(p.Header.Get("Content-Security-Policy"), "form-action 'self' http://two.localhost;") {
		t.Fatalf("chosen: %d %v %s", p.Status, p.Header, p.Body)
	}
	in := k.arrive("two.localhost", pass, "http://localhost")
	if in.page.Status != http.StatusSeeOther || in.page.Header.Get("Location") != "/admin" || in.cookies["kalends"] == "" {
		t.Fatalf("arrived: %d %v %s", in.page.Status, in.page.Header, in.page.Body)
	}
	if p := in.get("/admin/events"); p.Status != http.StatusOK || !p.shows(`<a href="/admin/sites">Other sites</a>`) {
		t.Errorf("on the site: %d %s", p.Status, p.Body)
	}
	if in.host = "demo.localhost"; in.get("/admin/events").Status != http.StatusSeeOther {
		t.Error("its session opens the other site")
	}
	if in.host = "two.localhost"; in.get("/admin/sites").Header.Get("Location") != "http://localhost/admin/sites" {
		t.Errorf("from a site to the lobby: %v", in.page.Header)
	}
}

// A pass is good for one site, once, within a minute of its choice, and from the
// lobby alone.
func TestLobbyPasses(t *testing.T) {
	t.Parallel()
	k := lobbyKit(t)
	sooner := func(site, by string) { // all that waits there is over so much sooner
		k.peek(site, `WITH moved AS (UPDATE challenges SET expires_at = expires_at - $1::interval RETURNING 1) SELECT count(*)::text FROM moved`, by)
	}
	b := k.inLobby("editor@example.org")
	list := b.page
	refused := func(what, host, pass, origin string, status int) {
		t.Helper()
		if in := k.arrive(host, pass, origin); in.page.Status != status || in.cookies["kalends"] != "" {
			t.Errorf("%s: %d %v", what, in.page.Status, in.cookies)
		}
	}
	two, demo := list.pass("two"), list.pass("demo")
	refused("not chosen", "two.localhost", two, "http://localhost", 422)
	if p := b.choose("demo", two); p.Status != 422 {
		t.Error("another site's pass in the lobby", p.Status)
	}
	b.choose("two", two)
	refused("another site's", "demo.localhost", two, "http://localhost", 422)
	refused("from a page elsewhere", "two.localhost", two, "https://evil.example", 403)
	refused("from a page that hides", "two.localhost", two, "null", 403)
	refused("from nowhere", "two.localhost", two, "", 403)
	refused("made up", "two.localhost", strings.Repeat("x", len(two)), "http://localhost", 422)
	if in := k.arrive("two.localhost", two, "http://localhost"); in.page.Status != 303 {
		t.Errorf("none of that uses it up: %d", in.page.Status)
	}
	refused("a second time", "two.localhost", two, "http://localhost", 422)
	if p := b.choose("two", two); p.Status != 422 || !p.shows("has been used or has expired") {
		t.Error("chosen a second time", p.Status)
	}
	b.choose("demo", demo)
	sooner("demo", "1 minute")
	refused("a minute later", "demo.localhost", demo, "http://localhost", 422)
	demo = k.inLobby("editor@example.org").page.pass("demo")
	sooner("demo", "5 minutes")
	if p := b.choose("demo", demo); p.Status != 422 {
		t.Error("chosen too late", p.Status)
	}
	demo = k.inLobby("editor@example.org").page.pass("demo")
	b.choose("demo", demo)
	k.passwordOn("demo", "editor") // hashed anew: another
	refused("after a new password", "demo.localhost", demo, "http://localhost", 422)
	var kept []string
	for _, site := range []string{"demo", "two"} {
		kept = append(kept, k.peek(site, `SELECT coalesce(string_agg(encode(id, 'escape') || convert_from(data, 'UTF8'), ' '), '') FROM challenges`))
	}
	if strings.Contains(strings.Join(kept, ""), two) || strings.Contains(strings.Join(kept, ""), demo) {
		t.Error("a pass lies in the database")
	}
}

// Somebody who guesses learns nothing, and not for long.
func TestLobbyIsThrottled(t *testing.T) {
	t.Parallel()
	k := lobbyKit(t)
	k.tries = time.Now()
	b := k.browser()
	guess := func(email, password string) page {
		return b.post("/admin/sites", url.Values{"email": {email}, "password": {password}})
	}
	for range 6 {
		if p := guess("editor@example.org", adminPassword); p.Status != 200 {
			t.Fatalf("right ones count: %d", p.Status)
		}
	}
	known, unknown := guess("editor@example.org", "wrong"), guess("nobody@example.org", "wrong")
	for _, its := range []string{"Date", "X-Request-Id"} { // every answer has another
		known.Header.Del(its)
		unknown.Header.Del(its)
	}
	if known.Status != 422 || unknown.Status != 422 ||
		strings.ReplaceAll(known.Body, "editor@", "nobody@") != unknown.Body || fmt.Sprint(known.Header) != fmt.Sprint(unknown.Header) {
		t.Errorf("an address that is there answers another way: %v %v\n%s\n%s", known.Header, unknown.Header, known.Body, unknown.Body)
	}
	guess("three@example.org", "wrong")
	guess("", "")
	guess("author@example.org", "") // an account without a password has none
	for _, email := range []string{"editor@example.org", "nobody@example.org"} {
		if p := guess(email, adminPassword); p.Status != 429 || p.Header.Get("Retry-After") == "" || p.pass("demo") != "" {
			t.Errorf("a sixth time as %s: %d", email, p.Status)
		}
	}
	if p := b.signIn("editor", adminPassword); p.Status != 303 {
		t.Errorf("the site's own sign-in: %d", p.Status)
	}
	k.must(k.platform.Flush(t.Context()))
	for _, site := range []string{"demo", "two"} {
		if n := k.peek(site, `SELECT count(*)::text FROM changes WHERE kind = 'session' AND action = 'sign_in_failed'`); n != "1" {
			t.Errorf("failed sign-ins in the history of %s: %s", site, n)
		}
	}
}

// Sites that are closed are listed and can't be opened; one alone is opened at
// once.
func TestLobbyStates(t *testing.T) {
	t.Parallel()
	k := lobbyKit(t)
	state := func(slug string, s tenancy.State) {
		_, err := k.platform.Sites.Update(tenancy.AsProvider(t.Context(), tenancy.Provider{}), slug, &tenancy.SiteFields{State: args.Some(string(s))})
		k.must(err)
	}
	state("two", tenancy.ReadOnly)
	b := k.inLobby("editor@example.org")
	if !b.page.shows("Read-only") || b.page.pass("two") == "" {
		t.Errorf("read-only: %s", b.page.Body)
	}
	pass := b.page.pass("two")
	state("two", tenancy.Closed)
	if p := b.choose("two", pass); p.Status != 422 {
		t.Errorf("closed meanwhile: %d", p.Status)
	}
	if p := k.inLobby("editor@example.org").page; !p.shows("Closed") || p.pass("two") != "" || p.pass("demo") == "" || strings.Contains(p.Body, "onward") {
		t.Errorf("closed: %s", p.Body)
	}
	k.passwordOn("three", "author")
	if p := k.inLobby("author@example.org").page; !p.shows(`action="http://three.localhost/admin/arrive"`) || !strings.Contains(p.Body, "/static/onward.") {
		t.Errorf("one alone: %s", p.Body)
	}
	site := k.browser()
	site.host = "demo.localhost"
	if p := site.post("/admin/sites", url.Values{"email": {"editor@example.org"}, "password": {adminPassword}}); p.Status != 405 {
		t.Errorf("on a site: %d", p.Status)
	}
	site.host = "unknown.example"
	if p := site.post("/admin/sites", url.Values{"email": {"editor@example.org"}, "password": {adminPassword}}); p.Status != 303 {
		t.Errorf("on a name of nobody's: %d", p.Status)
	}
	site.host = "localhost"
	if p := site.post("/admin/sites", url.Values{"email": {"editor@example.org"}, "password": {adminPassword}}, "Origin", "https://evil.example"); p.Status != 403 {
		t.Errorf("by another page: %d", p.Status)
	}
}
