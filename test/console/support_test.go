package console

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

const supportPath = "/admin/provider/sites/demo/support"

// at is where people find a site. The site demo is that of the platform's own domain.
func at(slug string) string {
	if slug == "demo" {
		return "localhost"
	}
	return slug + ".localhost"
}

// support returns a pass that the console has given for a site.
func support(k *kit.Kit, console *kit.Browser, slug, role string) (pass string) {
	k.T.Helper()
	path := "/admin/provider/sites/" + slug + "/support"
	console.Get(path)
	p := sends(console, path, url.Values{"role": {role}, "reason": {"Ticket 7: prices"}}, 200)
	if !p.Shows(`action="http://`+at(slug)+`/admin/support"`) || p.Header.Get("Referrer-Policy") != "strict-origin" ||
		!strings.Contains(p.Header.Get("Content-Security-Policy"), "form-action 'self' http://"+at(slug)+";") {
		k.T.Fatalf("no way to the site: %d %v", p.Status, p.Header)
	}
	return p.Hidden("pass")
}

// arrives sends a pass to a site, in a browser of its own.
func arrives(k *kit.Kit, host, pass, origin string, more ...string) *kit.Browser {
	k.T.Helper()
	b := k.Browser()
	b.Host = host
	b.Post("/admin/support", url.Values{"pass": {pass}}, append([]string{"Origin", origin, "Sec-Fetch-Site", "cross-site"}, more...)...)
	return b
}

// Support comes in without an account, changes an event, and leaves. The site's history says who it was and why.
func TestSupport(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	console := k.Console()
	if p := console.Get("/admin/provider/sites/demo"); !p.Shows(supportPath) {
		t.Error("the page of the site doesn't lead there")
	}
	users := k.Peek("demo", "SELECT count(*)::text FROM users")
	in := arrives(k, "localhost", support(k, console, "demo", "editor"), "http://localhost")
	if in.Page.Status != http.StatusSeeOther || in.Page.Header.Get("Location") != "/admin" || in.Cookies["kalends-support"] == "" || in.Cookies["kalends"] != "" {
		t.Fatalf("arrived: %d %v", in.Page.Status, in.Page.Header)
	}
	for _, path := range []string{"/admin", "/admin/desk", "/admin/events", "/admin/events/new", "/admin/media", "/admin/submissions", "/admin/settings"} {
		if p := in.Get(path); !p.Shows("You are signed in as localhost support") || !p.Shows("Support of localhost") || p.Shows("/admin/profile") {
			t.Errorf("%s: %d without the bar", path, p.Status)
		}
	}
	in.Make("tags", url.Values{"name": {"jazz"}})
	if got := k.Peek("demo", "SELECT count(*)::text FROM users"); got != users {
		t.Errorf("%s users, before %s", got, users)
	}
	for action, kind := range map[string]string{"create": "tag", "sign_in": "session"} {
		got := k.Peek("demo", `SELECT who || '|' || via || '|' || via_name || '|' || user_id FROM changes WHERE action = $1 AND kind = $2 AND via = 'support'`, action, kind)
		if got != "localhost|support|Ticket 7: prices|0" {
			t.Errorf("%s of %s: %q", action, kind, got)
		}
	}
	k.Password("administrator")
	if p := k.Person("administrator").Get("/admin/audit"); !p.Shows("Support of localhost") || !p.Shows("Ticket 7: prices") {
		t.Error("the site's history doesn't say who it was")
	}
	if p := console.Get("/admin/provider/audit?kind=site&action=sign_in"); !p.Shows("Ticket 7: prices") && !p.Shows("Signed in") {
		t.Error("the provider's history doesn't say it")
	}
	in.Get("/admin/events")
	token := in.Cookies["kalends-support"]
	if p := sends(in, "/admin/logout", url.Values{}, 303); p.Header.Get("Location") != "http://localhost/admin/provider/sites/demo" {
		t.Errorf("leaves to %s", p.Header.Get("Location"))
	}
	in.Cookies["kalends-support"] = token
	if p := in.Get("/admin/events"); p.Status != http.StatusSeeOther {
		t.Errorf("a session that was left: %d", p.Status)
	}
}

// The history of a site that nobody has changed yet says that support was there.
func TestSupportInAnUntouchedSite(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Provider("POST", "/sites", kit.Object{"slug": "fresh", "name": "Fresh"}).Want(t, 201, "")
	console := k.Console()
	arrives(k, at("fresh"), support(k, console, "fresh", "editor"), "http://localhost")
	if p := console.Get("/admin/provider/sites/fresh/audit"); !p.Shows("Ticket 7: prices") {
		t.Errorf("%d, and nothing of support", p.Status)
	}
}

// Each administrator of the site, and nobody else, is told by e-mail when support comes in, in their language, and why.
func TestAdministratorsAreToldOfSupport(t *testing.T) {
	t.Parallel()
	k, post := kit.Mailed(t)
	k.Peek("demo", `WITH a AS (UPDATE users SET language = 'de' WHERE role = 'administrator' RETURNING 1) SELECT count(*)::text FROM a`)
	console := k.Console()
	if p := console.Get(supportPath); !p.Shows("by e-mail") && !p.Shows("by email") {
		t.Error("the form doesn't say that administrators are told")
	}
	pass := support(k, console, "demo", "editor")
	post.None()
	arrives(k, "localhost", pass, "http://localhost")
	letter := post.Next()
	if letter.To != "administrator@example.org" || !strings.Contains(letter.Subject, "Der Support hat sich angemeldet") {
		t.Errorf("to %s: %s", letter.To, letter.Subject)
	}
	for _, text := range []string{"Support von localhost", "Grund: Ticket 7: prices", "30 Minuten", "http://localhost/admin/audit"} {
		if !strings.Contains(letter.Text, text) {
			t.Errorf("the letter lacks %q:\n%s", text, letter.Text)
		}
	}
	arrives(k, "localhost", pass, "http://localhost")
	post.None()
}

// Support has the role that was chosen, on one site, and never what would leave somebody a way in.
func TestSupportMayLittle(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("two")
	console := k.Console()
	console.Get(supportPath)
	for _, form := range []url.Values{{"role": {"editor"}, "reason": {" "}}, {"role": {"subscriber"}, "reason": {"x"}}, {"reason": {"x"}},
		{"role": {"editor"}, "reason": {strings.Repeat("x", 201)}}} {
		sends(console, supportPath, form, 422)
	}
	closed := map[string][]string{
		"editor":        {"/admin/settings", "/admin/users", "/admin/users/new", "/admin/webhooks", "/admin/sources", "/admin/keys", "/admin/audit", "/admin/profile", "/admin/access", "/admin/sign-in"},
		"administrator": {"/admin/users", "/admin/users/new", "/admin/keys", "/admin/profile", "/admin/access", "/admin/sign-in"},
	}
	for role, paths := range closed {
		in := arrives(k, "localhost", support(k, console, "demo", role), "http://localhost")
		for _, path := range paths {
			if p := in.Get(path); p.Status != http.StatusForbidden {
				t.Errorf("%s gets %s: %d", role, path, p.Status)
			}
		}
		if p := in.Get("/admin/settings"); (p.Status == http.StatusOK) != (role == "administrator") {
			t.Errorf("%s gets the settings: %d", role, p.Status)
		}
		in.Get("/admin/events")
		for _, path := range []string{"/admin/access", "/admin/profile", "/admin/profile/confirm"} {
			if p := in.Post(path, url.Values{"do": {"key"}, "name": {"mine"}}); p.Status != http.StatusForbidden {
				t.Errorf("%s posts to %s: %d", role, path, p.Status)
			}
		}
		in.Host = "two.localhost"
		if p := in.Get("/admin/events"); p.Status != http.StatusSeeOther {
			t.Errorf("on another site: %d", p.Status)
		}
	}
}

// A pass is valid once, for a minute, for its site, host and browser, and only from the console.
func TestPassesOfSupport(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("two")
	console := k.Console()
	pass := support(k, console, "two", "editor")
	refused := func(what, host, pass, origin string, status int, more ...string) {
		t.Helper()
		if in := arrives(k, host, pass, origin, more...); in.Page.Status != status || in.Cookies["kalends-support"] != "" {
			t.Errorf("%s: %d %v", what, in.Page.Status, in.Cookies)
		}
	}
	refused("another site's", "localhost", pass, "http://localhost", 422)
	refused("from a page elsewhere", "two.localhost", pass, "https://evil.example", 403)
	refused("from the site itself", "two.localhost", pass, "http://two.localhost", 403)
	refused("from a page that hides", "two.localhost", pass, "null", 403)
	refused("from nowhere", "two.localhost", pass, "", 403)
	refused("made up", "two.localhost", strings.Repeat("x", len(pass)), "http://localhost", 422)
	if in := arrives(k, "two.localhost", pass, "http://localhost"); in.Page.Status != 303 {
		t.Errorf("none of that uses it up: %d", in.Page.Status)
	}
	refused("a second time", "two.localhost", pass, "http://localhost", 422)
	refused("as one of the lobby", "two.localhost", support(k, console, "two", "editor"), "http://evil.localhost", 403)
	if in := k.Arrive("two.localhost", support(k, console, "two", "editor"), "http://localhost"); in.Page.Status != 422 {
		t.Errorf("at the door of the lobby: %d", in.Page.Status)
	}
	refused("another browser", "two.localhost", support(k, console, "two", "editor"), "http://localhost", 422, "User-Agent", "other")
	refused("another host of the site", "demo.localhost", support(k, console, "demo", "editor"), "http://localhost", 422)
	pass = support(k, console, "two", "editor")
	k.Peek("two", `WITH moved AS (UPDATE challenges SET expires_at = expires_at - '1 minute'::interval RETURNING 1) SELECT count(*)::text FROM moved`)
	refused("a minute later", "two.localhost", pass, "http://localhost", 422)
	pass = support(k, console, "two", "editor")
	kept := k.Peek("two", `SELECT coalesce(string_agg(encode(id, 'escape') || convert_from(data, 'UTF8'), ' '), '') FROM challenges`)
	if strings.Contains(kept, pass) {
		t.Error("a pass lies in the database")
	}
	sends(console, "/admin/provider/logout", url.Values{}, 303)
	refused("after signing out", "two.localhost", pass, "http://localhost", 422)
}

// A session of support ends after half an hour, and with the session of the console. Its forms carry a token of their own.
func TestSupportEnds(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	console := k.Console()
	in := arrives(k, "localhost", support(k, console, "demo", "administrator"), "http://localhost")
	in.Get("/admin/settings")
	if p := in.Post("/admin/logout", url.Values{"csrf": {"wrong"}}); p.Status != http.StatusForbidden {
		t.Errorf("a form of nobody's: %d", p.Status)
	}
	own := k.Person("administrator")
	own.Get("/admin/events")
	own.Cookies["kalends-support"] = in.Cookies["kalends-support"]
	if p := own.Post("/admin/tags", url.Values{"name": {"mine"}, "csrf": {own.Cookies["csrf"]}}); p.Status != http.StatusForbidden {
		t.Errorf("a form of the person's own session: %d", p.Status)
	}
	k.Peek("demo", `WITH moved AS (UPDATE challenges SET expires_at = expires_at - '31 minutes'::interval RETURNING 1) SELECT count(*)::text FROM moved`)
	if p := in.Get("/admin/events"); p.Status != http.StatusSeeOther {
		t.Errorf("half an hour later: %d", p.Status)
	}
	if p := own.Get("/admin/events"); p.Status != http.StatusOK || p.Shows("as support") {
		t.Errorf("one's own session beside it: %d", p.Status)
	}
	in = arrives(k, "localhost", support(k, console, "demo", "administrator"), "http://localhost")
	sends(console, "/admin/provider/logout", url.Values{}, 303)
	if p := in.Get("/admin/events"); p.Status != http.StatusSeeOther {
		t.Errorf("after the provider has signed out: %d", p.Status)
	}
	console = k.Console()
	k.Provider("PATCH", "/sites/demo", map[string]any{"state": "closed"}).Want(t, 200, "")
	if p := console.Get("/admin/provider/sites/demo"); p.Shows(supportPath) {
		t.Error("a closed site offers it")
	}
	console.Get(supportPath)
	if p := sends(console, supportPath, url.Values{"role": {"editor"}, "reason": {"x"}}, 422); !p.Shows("The site is closed") {
		t.Error("nobody says that the site is closed")
	}
}
