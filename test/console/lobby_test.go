package console

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// lobbyKit has three sites; the editor has the same password on two of them.
func lobbyKit(t *testing.T) *kit.Kit {
	t.Helper()
	k := kit.New(t)
	k.Site("two")
	k.Site("three")
	k.PasswordOn("demo", "editor")
	k.PasswordOn("two", "editor")
	return k
}

// After signing in once, users choose one of their sites and enter it by a form.
func TestLobby(t *testing.T) {
	t.Parallel()
	k := lobbyKit(t)
	b := k.InLobby(" Editor@Example.org")
	p := b.Page
	if p.Pass("demo") == "" || p.Pass("two") == "" || p.Pass("three") != "" || strings.Contains(p.Body, "onward") {
		t.Fatalf("to choose from: %s", p.Body)
	}
	pass := p.Pass("two")
	if p = b.Choose("two", pass); p.Status != http.StatusOK || !p.Shows(`action="http://two.localhost/admin/arrive"`) || !p.Shows(pass) ||
		p.Header.Get("Referrer-Policy") != "strict-origin" || !strings.Contains(p.Header.Get("Content-Security-Policy"), "form-action 'self' http://two.localhost;") {
		t.Fatalf("chosen: %d %v %s", p.Status, p.Header, p.Body)
	}
	in := k.Arrive("two.localhost", pass, "http://localhost")
	if in.Page.Status != http.StatusSeeOther || in.Page.Header.Get("Location") != "/admin" || in.Cookies["kalends"] == "" {
		t.Fatalf("arrived: %d %v %s", in.Page.Status, in.Page.Header, in.Page.Body)
	}
	if p := in.Get("/admin/events"); p.Status != http.StatusOK || !p.Shows(`<a href="/admin/sites">Switch site</a>`) {
		t.Errorf("on the site: %d %s", p.Status, p.Body)
	}
	if in.Host = "demo.localhost"; in.Get("/admin/events").Status != http.StatusSeeOther {
		t.Error("its session opens the other site")
	}
	if in.Host = "two.localhost"; in.Get("/admin/sites").Header.Get("Location") != "http://localhost/admin/sites" {
		t.Errorf("from a site to the lobby: %v", in.Page.Header)
	}
}

// A pass is valid for one site, once, within a minute, and only from the lobby.
func TestLobbyPasses(t *testing.T) {
	t.Parallel()
	k := lobbyKit(t)
	sooner := func(site, by string) { // all that waits there is over so much sooner
		k.Peek(site, `WITH moved AS (UPDATE challenges SET expires_at = expires_at - $1::interval RETURNING 1) SELECT count(*)::text FROM moved`, by)
	}
	b := k.InLobby("editor@example.org")
	list := b.Page
	refused := func(what, host, pass, origin string, status int) {
		t.Helper()
		if in := k.Arrive(host, pass, origin); in.Page.Status != status || in.Cookies["kalends"] != "" {
			t.Errorf("%s: %d %v", what, in.Page.Status, in.Cookies)
		}
	}
	two, demo := list.Pass("two"), list.Pass("demo")
	refused("not chosen", "two.localhost", two, "http://localhost", 422)
	if p := b.Choose("demo", two); p.Status != 422 {
		t.Error("another site's pass in the lobby", p.Status)
	}
	b.Choose("two", two)
	refused("another site's", "demo.localhost", two, "http://localhost", 422)
	refused("from a page elsewhere", "two.localhost", two, "https://evil.example", 403)
	refused("from a page that hides", "two.localhost", two, "null", 403)
	refused("from nowhere", "two.localhost", two, "", 403)
	refused("made up", "two.localhost", strings.Repeat("x", len(two)), "http://localhost", 422)
	if in := k.Arrive("two.localhost", two, "http://localhost"); in.Page.Status != 303 {
		t.Errorf("none of that uses it up: %d", in.Page.Status)
	}
	refused("a second time", "two.localhost", two, "http://localhost", 422)
	if p := b.Choose("two", two); p.Status != 422 || !p.Shows("has expired or has already been used") {
		t.Error("chosen a second time", p.Status)
	}
	b.Choose("demo", demo)
	sooner("demo", "1 minute")
	refused("a minute later", "demo.localhost", demo, "http://localhost", 422)
	demo = k.InLobby("editor@example.org").Page.Pass("demo")
	sooner("demo", "5 minutes")
	if p := b.Choose("demo", demo); p.Status != 422 {
		t.Error("chosen too late", p.Status)
	}
	demo = k.InLobby("editor@example.org").Page.Pass("demo")
	b.Choose("demo", demo)
	k.PasswordOn("demo", "editor") // hashed anew: another
	refused("after a new password", "demo.localhost", demo, "http://localhost", 422)
	var kept []string
	for _, site := range []string{"demo", "two"} {
		kept = append(kept, k.Peek(site, `SELECT coalesce(string_agg(encode(id, 'escape') || convert_from(data, 'UTF8'), ' '), '') FROM challenges`))
	}
	if strings.Contains(strings.Join(kept, ""), two) || strings.Contains(strings.Join(kept, ""), demo) {
		t.Error("a pass lies in the database")
	}
}

// Guessing reveals nothing and is throttled.
func TestLobbyIsThrottled(t *testing.T) {
	t.Parallel()
	k := lobbyKit(t)
	k.Tries = time.Now()
	b := k.Browser()
	guess := func(email, password string) kit.Page {
		return b.Post("/admin/sites", url.Values{"email": {email}, "password": {password}})
	}
	for range 6 {
		if p := guess("editor@example.org", kit.AdminPassword); p.Status != 200 {
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
		if p := guess(email, kit.AdminPassword); p.Status != 429 || p.Header.Get("Retry-After") == "" || p.Pass("demo") != "" {
			t.Errorf("a sixth time as %s: %d", email, p.Status)
		}
	}
	if p := b.SignIn("editor", kit.AdminPassword); p.Status != 303 {
		t.Errorf("the site's own sign-in: %d", p.Status)
	}
	k.Must(k.Platform.Flush(t.Context()))
	for _, site := range []string{"demo", "two"} {
		if n := k.Peek(site, `SELECT count(*)::text FROM changes WHERE kind = 'session' AND action = 'sign_in_failed'`); n != "1" {
			t.Errorf("failed sign-ins in the history of %s: %s", site, n)
		}
	}
}

// An account with somebody else's email address does not allow guessing their password: only a password that opens
// all accounts of an address is not counted as a guess.
func TestLobbyCountsGuessesAtOthers(t *testing.T) {
	t.Parallel()
	k := lobbyKit(t)
	k.Tries = time.Now()
	ctx, err := tenancy.Enter(tenancy.AsProvider(t.Context(), tenancy.Provider{}), k.Sites["three"])
	k.Must(err)
	page, err := k.Platform.Users.List(ctx, &accounts.UserFilter{Filter: tenancy.Filter{Search: args.Some("editor@")}})
	k.Must(err)
	_, err = k.Platform.Users.Update(ctx, page.Items[0].ID, &accounts.UserFields{Password: args.Some("another battery staple")})
	k.Must(err)
	b := k.Browser()
	for n := range 6 {
		want := http.StatusOK
		if n == 5 {
			want = http.StatusTooManyRequests
		}
		if p := b.Post("/admin/sites", url.Values{"email": {"editor@example.org"}, "password": {kit.AdminPassword}}); p.Status != want {
			t.Fatalf("try %d: %d, want %d", n+1, p.Status, want)
		}
	}
}

// Closed sites are listed but cannot be opened; a single open one is entered directly.
func TestLobbyStates(t *testing.T) {
	t.Parallel()
	k := lobbyKit(t)
	state := func(slug string, s tenancy.State) {
		_, err := k.Platform.Sites.Update(tenancy.AsProvider(t.Context(), tenancy.Provider{}), slug, &platform.SiteFields{State: args.Some(string(s))})
		k.Must(err)
	}
	state("two", tenancy.ReadOnly)
	b := k.InLobby("editor@example.org")
	if !b.Page.Shows("Read-only") || b.Page.Pass("two") == "" {
		t.Errorf("read-only: %s", b.Page.Body)
	}
	pass := b.Page.Pass("two")
	state("two", tenancy.Closed)
	if p := b.Choose("two", pass); p.Status != 422 {
		t.Errorf("closed meanwhile: %d", p.Status)
	}
	if p := k.InLobby("editor@example.org").Page; !p.Shows("Closed") || p.Pass("two") != "" || p.Pass("demo") == "" || strings.Contains(p.Body, "onward") {
		t.Errorf("closed: %s", p.Body)
	}
	k.PasswordOn("three", "author")
	if p := k.InLobby("author@example.org").Page; !p.Shows(`action="http://three.localhost/admin/arrive"`) || !strings.Contains(p.Body, "data-onward") {
		t.Errorf("one alone: %s", p.Body)
	}
	site := k.Browser()
	site.Host = "demo.localhost"
	if p := site.Post("/admin/sites", url.Values{"email": {"editor@example.org"}, "password": {kit.AdminPassword}}); p.Status != 405 {
		t.Errorf("on a site: %d", p.Status)
	}
	site.Host = "unknown.example"
	if p := site.Post("/admin/sites", url.Values{"email": {"editor@example.org"}, "password": {kit.AdminPassword}}); p.Status != 303 {
		t.Errorf("on a name of nobody's: %d", p.Status)
	}
	site.Host = "localhost"
	if p := site.Post("/admin/sites", url.Values{"email": {"editor@example.org"}, "password": {kit.AdminPassword}}, "Origin", "https://evil.example"); p.Status != 403 {
		t.Errorf("by another page: %d", p.Status)
	}
}

// Users who signed in at the lobby can return and choose again without password, search among many sites, and are
// signed out of the lobby when they sign out of a site.
func TestLobbyReturn(t *testing.T) {
	t.Parallel()
	k := lobbyKit(t)
	for n := range 10 {
		slug := fmt.Sprintf("club-%d", n)
		k.Site(slug)
		k.PasswordOn(slug, "editor")
	}
	b := k.InLobby("editor@example.org")
	if n := strings.Count(b.Page.Body, `name="pass"`); n != 12 || !b.Page.Shows(`name="search"`) {
		t.Fatalf("%d sites to choose from: %s", n, b.Page.Body)
	}
	if p := b.Get("/admin/sites?search=CLUB+7"); p.Pass("club-7") == "" || strings.Count(p.Body, `name="pass"`) != 1 {
		t.Errorf("searched: %s", p.Body)
	}
	if p := b.Get("/admin/sites?search=nowhere"); strings.Contains(p.Body, `name="pass"`) || !p.Shows("No sites found.") {
		t.Errorf("nothing found: %s", p.Body)
	}
	k.PasswordOn("two", "editor") // hashed anew: another
	p := b.Get("/admin/sites")
	if p.Pass("demo") == "" || p.Pass("two") != "" {
		t.Errorf("after a new password on one site: %s", p.Body)
	}
	pass := p.Pass("demo")
	b.Choose("demo", pass)
	in := k.Arrive("demo.localhost", pass, "http://localhost")
	if p := in.Get("/admin/events"); !strings.Contains(p.Header.Get("Content-Security-Policy"), "form-action 'self' http://localhost;") {
		t.Errorf("browsers won't follow out of the site: %v", p.Header)
	}
	if p := in.Get("/admin/nothing"); p.Status != 404 || !strings.Contains(p.Header.Get("Content-Security-Policy"), "form-action 'self' http://localhost;") {
		t.Errorf("nor from a page about an error: %d %v", p.Status, p.Header)
	}
	out := in.Post("/admin/logout", nil)
	if at := out.Header.Get("Location"); out.Status != 303 || at != "http://localhost/admin/sites/leave?site=demo" {
		t.Fatalf("signing out leads to %s", at)
	}
	if p := b.Get("/admin/sites/leave?site=demo"); p.Header.Get("Location") != "http://localhost/admin/login" { // where the first site is at home
		t.Errorf("leaving leads to %v", p.Header)
	}
	if p := b.Get("/admin/sites"); p.Pass("demo") != "" || !p.Shows(`name="email"`) {
		t.Errorf("who has left is still there: %s", p.Body)
	}
	for _, stay := range []string{"x", strings.Repeat("x", 43), ""} {
		b.Cookies["kalends-lobby"] = stay
		if p := b.Get("/admin/sites"); p.Status != 200 || p.Pass("demo") != "" {
			t.Errorf("a token made up: %d", p.Status)
		}
	}
	plain := k.Person("editor") // who signed in at the site alone
	if p := plain.Get("/admin/events"); !strings.Contains(p.Header.Get("Content-Security-Policy"), "form-action 'self';") {
		t.Errorf("forms lead elsewhere: %v", p.Header)
	}
	if p := plain.Post("/admin/logout", nil); p.Header.Get("Location") != "/admin/login" {
		t.Errorf("signing out where nobody came from the lobby: %v", p.Header)
	}
}

// A sign-in at the lobby ends after twelve hours.
func TestLobbyReturnEnds(t *testing.T) {
	t.Parallel()
	k := lobbyKit(t)
	b := k.InLobby("editor@example.org")
	k.Peek("demo", `WITH moved AS (UPDATE challenges SET expires_at = expires_at - interval '12 hours' RETURNING 1) SELECT count(*)::text FROM moved`)
	if p := b.Get("/admin/sites"); p.Pass("two") != "" || !p.Shows(`name="email"`) {
		t.Errorf("after twelve hours: %s", p.Body)
	}
}

// The lobby counts guesses at an address from all networks together, and lets in the browser that it knows.
func TestLobbyCountsGuessesAtAnAddress(t *testing.T) {
	t.Parallel()
	k := kit.New(t, kit.BehindProxy())
	k.Site("two")
	k.PasswordOn("demo", "editor")
	k.PasswordOn("two", "editor")
	k.Tries = time.Now()
	owner := k.InLobby("editor@example.org")
	refused := 0
	for i := range 70 {
		if p := k.Browser().Post("/admin/sites", url.Values{"email": {"editor@example.org"}, "password": {fmt.Sprint("guess ", i)}}, "X-Forwarded-For", fmt.Sprintf("198.%d.100.7", i)); p.Status == 429 {
			refused++
		}
	}
	if refused < 15 {
		t.Errorf("%d of 70 guesses are refused", refused)
	}
	form := url.Values{"email": {"editor@example.org"}, "password": {kit.AdminPassword}}
	if p := k.Browser().Post("/admin/sites", form, "X-Forwarded-For", "203.0.113.77"); p.Status != 429 {
		t.Errorf("a strange browser: %d", p.Status)
	}
	delete(owner.Cookies, "kalends-lobby")
	if p := owner.Post("/admin/sites", form, "X-Forwarded-For", "203.0.113.78"); p.Status != 200 {
		t.Errorf("the owner's browser: %d", p.Status)
	}
}
