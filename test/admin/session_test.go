package admin

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

func TestAdminSignIn(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Password("editor")
	b := k.Browser()
	if p := b.Get("/admin/events?status=draft"); p.Status != 303 || p.Header.Get("Location") != "/admin/login?to=%2Fadmin%2Fevents%3Fstatus%3Ddraft" {
		t.Fatalf("without a session: %d %s", p.Status, p.Header.Get("Location"))
	}
	if p := b.Follow(); p.Status != 200 || !p.Shows("Username or e-mail address") || !p.Shows(`value="/admin/events?status=draft"`) {
		t.Fatalf("login: %d %s", p.Status, p.Body)
	}
	for _, wrong := range []url.Values{{"login": {"editor"}, "password": {"no"}}, {"login": {"nobody"}, "password": {kit.AdminPassword}}, {},
		{"login": {"administrator"}, "password": {""}}, {"login": {"editor"}, "password": {k.Secrets["demo/editor"]}}} {
		if p := b.Post("/admin/login", wrong); p.Status != 422 || !p.Shows("do not match") || b.Cookies["kalends"] != "" {
			t.Errorf("%v: %d %v", wrong, p.Status, b.Cookies)
		}
	}
	for _, login := range []string{"editor", "EDITOR@example.org "} {
		p := b.Post("/admin/login", url.Values{"login": {login}, "password": {kit.AdminPassword}, "to": {"/admin/events?status=draft"}})
		if p.Status != 303 || p.Header.Get("Location") != "/admin/events?status=draft" {
			t.Errorf("%s: %d %s", login, p.Status, p.Header.Get("Location"))
		}
	}
	if p := b.Follow(); p.Status != 200 || !p.Shows("There are no events here yet.") {
		t.Errorf("events: %d %s", p.Status, p.Body)
	}
	for _, evil := range []string{"https://evil.example", "//evil.example", "/admin//evil.example", `/admin\..\evil`, "/elsewhere", "/admin/logout"} {
		if p := b.Get("/admin/login?to=" + url.QueryEscape(evil)); p.Header.Get("Location") != "/admin" {
			t.Errorf("%s leads to %s", evil, p.Header.Get("Location"))
		}
	}
}

func TestAdminSignInIsThrottled(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Tries = time.Now()
	k.Password("editor")
	b := k.Browser()
	for range 5 {
		b.SignIn("editor", "wrong")
	}
	p := b.SignIn("editor", kit.AdminPassword)
	if p.Status != 429 || p.Header.Get("Retry-After") == "" || !p.Shows("Too many attempts") {
		t.Errorf("after five: %d %q", p.Status, p.Header.Get("Retry-After"))
	}
	k.Password("author")
	if p := b.SignIn("author", kit.AdminPassword); p.Status != 303 {
		t.Errorf("somebody else: %d", p.Status)
	}
	for range 12 {
		if p := b.SignIn("author", kit.AdminPassword); p.Status != 303 {
			t.Fatalf("right ones count: %d", p.Status)
		}
	}
}

func TestAdminCookies(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	var found *http.Cookie
	for _, c := range b.Page.Cookies {
		if c.Name == "kalends" {
			found = c
		}
	}
	if found == nil || !found.HttpOnly || found.SameSite != http.SameSiteLaxMode || found.Path != "/" || found.Domain != "" || len(found.Value) < 32 {
		t.Fatalf("cookie: %v", b.Page.Cookies)
	}
	p := b.Get("/admin/events")
	for name, want := range map[string]string{"Cache-Control": "no-store", "Content-Security-Policy": "script-src 'self'",
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex"} {
		if !strings.Contains(p.Header.Get(name), want) {
			t.Errorf("%s: %q", name, p.Header.Get(name))
		}
	}
	if strings.Contains(p.Body, "<script") && !strings.Contains(p.Body, `<script type="module" src="/static/`) || strings.Contains(p.Body, "style=") {
		t.Error("inline script or style")
	}
}

func TestAdminSessions(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	first := b.Cookies["kalends"]
	b.SignIn("editor", kit.AdminPassword)
	if second := b.Cookies["kalends"]; second == first {
		t.Error("the token stays at a new sign-in")
	}
	old := k.Browser()
	old.Cookies["kalends"] = first
	if p := old.Get("/admin/events"); p.Status != 303 {
		t.Errorf("the old token: %d", p.Status)
	}
	token := b.Cookies["kalends"]
	b.Get("/admin/events")
	b.Post("/admin/logout", url.Values{})
	if p := b.Follow(); b.Cookies["kalends"] != "" || !p.Shows("You are signed out.") {
		t.Errorf("signed out: %v", b.Cookies)
	}
	old.Cookies["kalends"] = token
	if p := old.Get("/admin/events"); p.Status != 303 {
		t.Errorf("the token after sign-out: %d", p.Status)
	}
	b = k.Person("editor")
	k.Password("editor")
	if p := b.Get("/admin/events"); p.Status != 303 {
		t.Errorf("after a new password: %d", p.Status)
	}
	b = k.Person("editor")
	k.Change("demo", "UPDATE sessions SET last_seen_at = now() - interval '13 hours'")
	if p := b.Get("/admin/events"); p.Status != 303 {
		t.Errorf("idle: %d", p.Status)
	}
	b = k.Person("editor")
	k.Change("demo", "UPDATE sessions SET expires_at = now() - interval '1 second'")
	if p := b.Get("/admin/events"); p.Status != 303 {
		t.Errorf("over: %d", p.Status)
	}
}

func TestAdminSessionsOfOtherSites(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("other")
	b := k.Person("editor")
	if p := b.Get("/admin/events"); p.Status != 200 {
		t.Fatalf("at home: %d", p.Status)
	}
	b.Host = "other.localhost"
	if p := b.Get("/admin/events"); p.Status != 303 {
		t.Errorf("elsewhere: %d", p.Status)
	}
}

func TestAdminForms(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(nil)
	b := k.Person("editor")
	b.Get("/admin/events")
	form := func(pairs ...string) url.Values {
		f := url.Values{"do": {"trash"}, "to": {"/admin/events"}, "id": {fmt.Sprint(id)}}
		for i := 0; i+1 < len(pairs); i += 2 {
			f.Set(pairs[i], pairs[i+1])
		}
		return f
	}
	token := b.Cookies["csrf"]
	for name, try := range map[string]func() kit.Page{
		"no token":       func() kit.Page { return b.Do("POST", "/admin/events", form(), nil) },
		"wrong token":    func() kit.Page { return b.Post("/admin/events", form("csrf", strings.Repeat("x", len(token)))) },
		"foreign origin": func() kit.Page { return b.Post("/admin/events", form(), "Origin", "https://evil.example") },
		"null origin":    func() kit.Page { return b.Post("/admin/events", form(), "Origin", "null") },
		"cross site":     func() kit.Page { return b.Post("/admin/events", form(), "Sec-Fetch-Site", "cross-site") },
		"same site":      func() kit.Page { return b.Post("/admin/events", form(), "Sec-Fetch-Site", "same-site") },
	} {
		if p := try(); p.Status != 403 {
			t.Errorf("%s: %d", name, p.Status)
		}
		if got := k.Get(fmt.Sprintf("/events/%d", id), ""); got.Status != 200 {
			t.Errorf("%s changed something", name)
		}
	}
	b.Cookies["csrf"] = token
	if p := b.Post("/admin/events", form()); p.Status != 303 || !b.Follow().Shows("1 entry moved to the trash.") {
		t.Errorf("the right way: %d", p.Status)
	}
	if p := b.Get("/admin/events"); p.Shows("1 entry moved to the trash.") {
		t.Error("it is said twice")
	}
	if p := b.Do("DELETE", "/admin/events", nil, nil); p.Status != 405 || p.Header.Get("Allow") == "" {
		t.Errorf("method: %d", p.Status)
	}
	if p := b.Get("/admin/nothing"); p.Status != 404 || !p.Shows("Page not found") {
		t.Errorf("unknown: %d", p.Status)
	}
}

func TestAdminWithoutDatabase(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	b.Get("/admin/events")
	k.DB.Close()
	if p := b.Get("/admin/events"); p.Status != 503 && p.Status != 500 || !p.Shows("<h1>") {
		t.Errorf("page: %d %s", p.Status, p.Body)
	}
	p := b.Post("/admin/events", url.Values{"title": {"Kept <text>"}, "do": {"save"}})
	if p.Status < 500 || !p.Shows(`value="Kept <text>"`) || !p.Shows("Your entries have been kept.") {
		t.Errorf("form: %d %s", p.Status, p.Body)
	}
}
