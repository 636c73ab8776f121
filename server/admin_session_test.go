package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestAdminSignIn(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.password("editor")
	b := k.browser()
	if p := b.get("/admin/events?status=draft"); p.Status != 303 || p.Header.Get("Location") != "/admin/login?to=%2Fadmin%2Fevents%3Fstatus%3Ddraft" {
		t.Fatalf("without a session: %d %s", p.Status, p.Header.Get("Location"))
	}
	if p := b.follow(); p.Status != 200 || !p.shows("Login or e-mail address") || !p.shows(`value="/admin/events?status=draft"`) {
		t.Fatalf("login: %d %s", p.Status, p.Body)
	}
	for _, wrong := range []url.Values{{"login": {"editor"}, "password": {"no"}}, {"login": {"nobody"}, "password": {adminPassword}}, {},
		{"login": {"administrator"}, "password": {""}}, {"login": {"editor"}, "password": {k.secrets["demo/editor"]}}} {
		if p := b.post("/admin/login", wrong); p.Status != 422 || !p.shows("do not match") || b.cookies["kalends"] != "" {
			t.Errorf("%v: %d %v", wrong, p.Status, b.cookies)
		}
	}
	for _, login := range []string{"editor", "EDITOR@example.org "} {
		p := b.post("/admin/login", url.Values{"login": {login}, "password": {adminPassword}, "to": {"/admin/events?status=draft"}})
		if p.Status != 303 || p.Header.Get("Location") != "/admin/events?status=draft" {
			t.Errorf("%s: %d %s", login, p.Status, p.Header.Get("Location"))
		}
	}
	if p := b.follow(); p.Status != 200 || !p.shows("There are no events here yet.") {
		t.Errorf("events: %d %s", p.Status, p.Body)
	}
	for _, evil := range []string{"https://evil.example", "//evil.example", "/admin//evil.example", `/admin\..\evil`, "/elsewhere", "/admin/logout"} {
		if p := b.get("/admin/login?to=" + url.QueryEscape(evil)); p.Header.Get("Location") != "/admin" {
			t.Errorf("%s leads to %s", evil, p.Header.Get("Location"))
		}
	}
}

func TestAdminSignInIsThrottled(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.tries = time.Now()
	k.password("editor")
	b := k.browser()
	for range 5 {
		b.signIn("editor", "wrong")
	}
	p := b.signIn("editor", adminPassword)
	if p.Status != 429 || p.Header.Get("Retry-After") == "" || !p.shows("too many attempts") {
		t.Errorf("after five: %d %q", p.Status, p.Header.Get("Retry-After"))
	}
	k.password("author")
	if p := b.signIn("author", adminPassword); p.Status != 303 {
		t.Errorf("somebody else: %d", p.Status)
	}
	for range 12 {
		if p := b.signIn("author", adminPassword); p.Status != 303 {
			t.Fatalf("right ones count: %d", p.Status)
		}
	}
}

func TestAdminCookies(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b := k.person("editor")
	var found *http.Cookie
	for _, c := range b.page.Cookies {
		if c.Name == "kalends" {
			found = c
		}
	}
	if found == nil || !found.HttpOnly || found.SameSite != http.SameSiteLaxMode || found.Path != "/" || found.Domain != "" || len(found.Value) < 32 {
		t.Fatalf("cookie: %v", b.page.Cookies)
	}
	p := b.get("/admin/events")
	for name, want := range map[string]string{"Cache-Control": "no-store", "Content-Security-Policy": "script-src 'self'",
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex"} {
		if !strings.Contains(p.Header.Get(name), want) {
			t.Errorf("%s: %q", name, p.Header.Get(name))
		}
	}
	if strings.Contains(p.Body, "<script") && !strings.Contains(p.Body, `<script src="/static/`) || strings.Contains(p.Body, "style=") {
		t.Error("inline script or style")
	}
}

func TestAdminSessions(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b := k.person("editor")
	first := b.cookies["kalends"]
	b.signIn("editor", adminPassword)
	if second := b.cookies["kalends"]; second == first {
		t.Error("the token stays at a new sign-in")
	}
	old := k.browser()
	old.cookies["kalends"] = first
	if p := old.get("/admin/events"); p.Status != 303 {
		t.Errorf("the old token: %d", p.Status)
	}
	token := b.cookies["kalends"]
	b.get("/admin/events")
	b.post("/admin/logout", url.Values{})
	if p := b.follow(); b.cookies["kalends"] != "" || !p.shows("You are signed out.") {
		t.Errorf("signed out: %v", b.cookies)
	}
	old.cookies["kalends"] = token
	if p := old.get("/admin/events"); p.Status != 303 {
		t.Errorf("the token after sign-out: %d", p.Status)
	}
	b = k.person("editor")
	k.password("editor")
	if p := b.get("/admin/events"); p.Status != 303 {
		t.Errorf("after a new password: %d", p.Status)
	}
	b = k.person("editor")
	k.exec("SET kalends.site = '1'; UPDATE sessions SET last_seen_at = now() - interval '13 hours'")
	if p := b.get("/admin/events"); p.Status != 303 {
		t.Errorf("idle: %d", p.Status)
	}
	b = k.person("editor")
	k.exec("SET kalends.site = '1'; UPDATE sessions SET expires_at = now() - interval '1 second'")
	if p := b.get("/admin/events"); p.Status != 303 {
		t.Errorf("over: %d", p.Status)
	}
}

func TestAdminSessionsOfOtherSites(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.site("other")
	b := k.person("editor")
	if p := b.get("/admin/events"); p.Status != 200 {
		t.Fatalf("at home: %d", p.Status)
	}
	b.host = "other.localhost"
	if p := b.get("/admin/events"); p.Status != 303 {
		t.Errorf("elsewhere: %d", p.Status)
	}
}

func TestAdminForms(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	id := k.event(nil)
	b := k.person("editor")
	b.get("/admin/events")
	form := func(pairs ...string) url.Values {
		f := url.Values{"do": {"trash"}, "to": {"/admin/events"}, "id": {fmt.Sprint(id)}}
		for i := 0; i+1 < len(pairs); i += 2 {
			f.Set(pairs[i], pairs[i+1])
		}
		return f
	}
	token := b.cookies["csrf"]
	for name, try := range map[string]func() page{
		"no token":       func() page { return b.do("POST", "/admin/events", form(), nil) },
		"wrong token":    func() page { return b.post("/admin/events", form("csrf", strings.Repeat("x", len(token)))) },
		"foreign origin": func() page { return b.post("/admin/events", form(), "Origin", "https://evil.example") },
		"null origin":    func() page { return b.post("/admin/events", form(), "Origin", "null") },
		"cross site":     func() page { return b.post("/admin/events", form(), "Sec-Fetch-Site", "cross-site") },
		"same site":      func() page { return b.post("/admin/events", form(), "Sec-Fetch-Site", "same-site") },
	} {
		if p := try(); p.Status != 403 {
			t.Errorf("%s: %d", name, p.Status)
		}
		if got := k.get(fmt.Sprintf("/events/%d", id), ""); got.Status != 200 {
			t.Errorf("%s changed something", name)
		}
	}
	b.cookies["csrf"] = token
	if p := b.post("/admin/events", form()); p.Status != 303 || !b.follow().shows("1 entry moved to the trash.") {
		t.Errorf("the right way: %d", p.Status)
	}
	if p := b.get("/admin/events"); p.shows("1 entry moved to the trash.") {
		t.Error("it is said twice")
	}
	if p := b.do("DELETE", "/admin/events", nil, nil); p.Status != 405 || p.Header.Get("Allow") == "" {
		t.Errorf("method: %d", p.Status)
	}
	if p := b.get("/admin/nothing"); p.Status != 404 || !p.shows("Page not found") {
		t.Errorf("unknown: %d", p.Status)
	}
}

func TestAdminWithoutDatabase(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b := k.person("editor")
	b.get("/admin/events")
	k.db.Close()
	if p := b.get("/admin/events"); p.Status != 503 && p.Status != 500 || !p.shows("<h1>") {
		t.Errorf("page: %d %s", p.Status, p.Body)
	}
	p := b.post("/admin/events", url.Values{"title": {"Kept <text>"}, "do": {"save"}})
	if p.Status < 500 || !p.shows(`value="Kept <text>"`) || !p.shows("Nothing you typed is lost.") {
		t.Errorf("form: %d %s", p.Status, p.Body)
	}
}
