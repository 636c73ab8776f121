package console

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/web"
)

// sends posts a form and wants a status.
func sends(b *kit.Browser, path string, form url.Values, status int) kit.Page {
	b.K.T.Helper()
	p := b.Post(path, form)
	if p.Status != status {
		b.K.T.Errorf("%s %v: %d, want %d: %s", path, form, p.Status, status, p.Body)
	}
	return p
}

// Every page of the console is restricted to the provider, and forms require the CSRF token of the session.
func TestConsoleIsTheProviders(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	found, visitors := 0, map[string]*kit.Browser{"nobody": k.Browser(), "administrator": k.Person("administrator"), "provider": k.Console()}
	for _, p := range web.New(web.Config{Calendar: k.Calendar, Platform: k.Platform}).Pages() {
		if !strings.HasPrefix(p.Path, "/admin/provider") {
			continue
		}
		found++
		path := strings.ReplaceAll(p.Path, ":slug", "demo")
		form := url.Values{"do": {"delete"}, "sure": {"1"}, "grace": {"0"}, "name": {"demo"}, "csrf": {"wrong"}}
		for who, b := range visitors {
			var got kit.Page
			want := http.StatusSeeOther
			if p.Method == http.MethodPost {
				if got = b.Post(path, form); who == "provider" {
					want = http.StatusForbidden
				}
			} else if got = b.Get(path); who == "provider" {
				want = http.StatusOK
				if strings.Contains(p.Path, "/plans/") || strings.Contains(p.Path, "/provider/copies/") {
					want = http.StatusNotFound
				}
			}
			if got.Status != want || want == http.StatusSeeOther && got.Header.Get("Location") != "/admin/provider/login" {
				t.Errorf("%s %s as %s: %d %s", p.Method, path, who, got.Status, got.Header.Get("Location"))
			}
		}
	}
	if found != 27 {
		t.Errorf("%d pages of the console", found)
	}
	k.Provider("GET", "/sites/demo", nil).Want(t, 200, "").Has(t, "state", "active")
}

func TestConsolePlans(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Console()
	const plans, small = "/admin/provider/plans", "/admin/provider/plans/small"
	b.Get(plans)
	sends(b, plans, url.Values{"name": {"small"}, "events": {"5"}, "media_bytes": {"1.5"}, "geo": {"0", "1"}}, 303)
	k.Provider("GET", "/plans/small", nil).Want(t, 200, "").Has(t, "limits.events", 5, "limits.media_bytes", 1.5e6, "limits.users", nil, "geo", true)
	if p := b.Get(plans); !p.Shows("Events: 5 · Images: 1.5 MB<") || !p.Shows("No limit") || !p.Shows(small) {
		t.Errorf("%s", p.Body)
	}
	for field, form := range map[string]url.Values{
		"name":                {"name": {"small"}},
		"f-name":              {"name": {"No name"}},
		"events":              {"name": {"other"}, "events": {"-1"}},
		"users":               {"name": {"other"}, "users": {"1.5"}},
		"media_bytes":         {"name": {"other"}, "media_bytes": {"much"}},
		"requests_per_minute": {"name": {"other"}, "requests_per_minute": {"0"}},
	} {
		if p := sends(b, plans, form, 422); !p.Shows(`href="#f-` + strings.TrimPrefix(field, "f-")) {
			t.Errorf("%s is not named: %s", field, p.Body)
		}
	}
	if p := sends(b, small, url.Values{"do": {"save"}, "events": {"many"}}, 422); !p.Shows(`value="many"`) {
		t.Errorf("what was typed is gone: %s", p.Body)
	}
	sends(b, small, url.Values{"do": {"save"}, "users": {"3"}, "geo": {"0"}}, 303)
	k.Provider("GET", "/plans/small", nil).Has(t, "limits.events", nil, "limits.users", 3, "geo", false)
	sends(b, "/admin/provider/plans/none", url.Values{"do": {"save"}, "users": {"3"}}, 404)
	k.Provider("GET", "/plans/none", nil).Want(t, 404, "rest_plan_not_found")

	k.Provider("PATCH", "/sites/demo", map[string]any{"plan": "small"}).Want(t, 200, "")
	if p := b.Get(small); !p.Shows("Move them to another plan") || !p.Shows("/admin/provider?plan=small") {
		t.Errorf("%s", p.Body)
	}
	sends(b, small, url.Values{"do": {"delete"}, "sure": {"1"}}, 409)
	if p := b.Get("/admin/provider?plan=small"); !p.Shows("/sites/demo") {
		t.Errorf("%s", p.Body)
	}
	k.Provider("PATCH", "/sites/demo", map[string]any{"plan": "unlimited"}).Want(t, 200, "")
	if p := b.Get("/admin/provider?plan=small&state=active&search=d"); p.Shows("/sites/demo") {
		t.Errorf("%s", p.Body)
	}
	sends(b, small, url.Values{"do": {"delete"}}, 200)
	sends(b, small, url.Values{"do": {"delete"}, "sure": {"1"}}, 303)
	sends(b, "/admin/provider/plans/unlimited", url.Values{"do": {"delete"}, "sure": {"1"}}, 409)
	k.Provider("GET", "/plans", nil).Has(t, "plans.#", 1)

	if p := b.Get("/admin/provider/audit?kind=plan"); strings.Count(p.Body, `class="deed"`) != 3 || !p.Shows("small") {
		t.Errorf("%s", p.Body)
	}
	if p := b.Get("/admin/provider/audit?kind=plan&action=update&open=" + openLink(b)); !p.Shows("Maximum number of users") {
		t.Errorf("%s", p.Body)
	}
	if p := b.Get("/admin/provider/audit?from=nonsense"); !p.Shows(`role="alert"`) {
		t.Errorf("%s", p.Body)
	}
}

// openLink is the place of the entry of a history in the middle of the last page.
func openLink(b *kit.Browser) string {
	b.K.T.Helper()
	list := strings.Split(b.Page.Body, `<li id="e-`)
	if len(list) < 3 {
		b.K.T.Fatalf("no entries: %s", b.Page.Body)
	}
	place, _, _ := strings.Cut(list[2], `"`)
	return place
}

// A site's plan and its own limits are set together.
func TestConsoleGrants(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Console()
	const demo = "/admin/provider/sites/demo"
	k.Plan("small", map[string]any{"limits": map[string]any{"events": 5, "users": 9}}).Want(t, 201, "")
	b.Get(demo)
	sends(b, demo, url.Values{"do": {"grant"}, "plan": {"small"}, "own_events": {"own"}, "events": {"7"}, "own_users": {"none"},
		"own_media_bytes": {"plan"}, "media_bytes": {"3"}, "geo": {"0"}}, 303)
	k.Provider("GET", "/sites/demo", nil).Has(t, "plan.name", "small", "plan.geo", false, "limits.events", 7, "limits.users", nil,
		"limits.media_bytes", nil)
	if p := b.Get(demo); !p.Shows(`value="7"`) || !p.Shows(`<option value="none" selected>`) {
		t.Errorf("%s", p.Body)
	}
	sends(b, demo, url.Values{"do": {"grant"}, "plan": {"none"}}, 422)
	if p := sends(b, demo, url.Values{"do": {"grant"}, "plan": {"small"}, "own_users": {"own"}, "users": {""}}, 422); !p.Shows("#f-users") {
		t.Errorf("%s", p.Body)
	}
	sends(b, demo, url.Values{"do": {"grant"}, "plan": {"small"}, "own_events": {"own"}, "events": {"-3"}}, 422)
	k.Provider("GET", "/sites/demo", nil).Has(t, "limits.events", 7)
	sends(b, demo, url.Values{"do": {"grant"}, "plan": {"small"}}, 303)
	k.Provider("GET", "/sites/demo", nil).Has(t, "plan.geo", true, "limits.events", 5, "limits.users", 9)
	if p := b.Get("/admin/provider/audit"); !p.Shows("Custom limits") {
		t.Errorf("%s", p.Body)
	}
	if p := b.Get(demo + "/audit?kind=site"); !p.Shows("History of demo") || !p.Shows("Custom limits") || p.Shows("/admin/audit/export") {
		t.Errorf("%s", p.Body)
	}
	if p := b.Get(demo + "/audit?kind=site&open=" + openLink(b)); !p.Shows("Events: 7") {
		t.Errorf("%s", p.Body)
	}
}

// A deleted site waits for the given grace period and can be restored.
func TestConsoleDeletes(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("other")
	b := k.Console()
	const other = "/admin/provider/sites/other"
	b.Get(other)
	if p := sends(b, other, url.Values{"do": {"delete"}}, 200); !p.Shows(`name="grace"`) {
		t.Errorf("%s", p.Body)
	}
	if p := sends(b, other, url.Values{"do": {"delete"}, "sure": {"1"}, "grace": {"366"}}, 422); !p.Shows("365") || !p.Shows(`id="p-grace"`) {
		t.Errorf("%s", p.Body)
	}
	sends(b, other, url.Values{"do": {"delete"}, "sure": {"1"}, "grace": {"3"}}, 303)
	if p := b.Get("/admin/provider?state=deleted"); !p.Shows(other) || p.Shows("/sites/demo") {
		t.Errorf("%s", p.Body)
	}
	if p := b.Get(other); !p.Shows("Permanent deletion:") || !p.Shows(`value="undelete"`) || p.Shows(`value="close"`) {
		t.Errorf("%s", p.Body)
	}
	sends(b, other, url.Values{"do": {"resume"}, "sure": {"1"}}, 422)
	sends(b, other, url.Values{"do": {"undelete"}}, 303)
	k.Provider("GET", "/sites/other", nil).Has(t, "state", "active")
	sends(b, other, url.Values{"do": {"delete"}, "sure": {"1"}, "grace": {"0"}}, 303)
	k.Provider("GET", "/sites/other", nil).Want(t, 404, "rest_site_not_found")
	sends(b, other, url.Values{"do": {"undelete"}}, 404)
	if p := b.Get("/admin/provider/audit?action=export"); !p.Shows(`<option value="export" selected>Exported</option>`) ||
		!p.Shows(`<option value="import">Imported</option>`) {
		t.Errorf("%s", p.Body)
	}
	if p := b.Get("/admin/provider/audit?action=purge"); !p.Shows("Permanently deleted") {
		t.Errorf("%s", p.Body)
	}
}

var invitation = regexp.MustCompile(`http://[a-z.]+/admin/welcome\?code=[A-Za-z0-9_%-]+`)

// A site is created with its first administrator, who signs in with the link.
func TestConsoleFoundsASite(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Console()
	const path = "/admin/provider/new"
	if p := b.Get(path); !p.Shows("Europe/Berlin") || !p.Shows(`value="unlimited"`) {
		t.Errorf("%s", p.Body)
	}
	whole := url.Values{"name": {"The Club"}, "slug": {"club"}, "timezone": {"Europe/Berlin"}, "language": {"de"}, "plan": {"unlimited"},
		"handle": {"anna"}, "person": {"Anna"}, "email": {"anna@example.org"}, "token": {kit.ProviderToken}}
	k.Plan("nobody", map[string]any{"limits": map[string]any{"users": 0}}).Want(t, 201, "")
	for name, value := range map[string]string{"name": "", "slug": "No slug", "timezone": "Nowhere", "language": "xx", "plan": "none",
		"handle": "", "email": "nothing", "person": strings.Repeat("x", 251)} {
		form := kit.Clone(whole)
		form.Set(name, value)
		if p := sends(b, path, form, 422); !p.Shows(`href="#f-` + name) {
			t.Errorf("%s is not named: %s", name, p.Body)
		}
	}
	form := kit.Clone(whole)
	form.Set("plan", "nobody")
	if p := sends(b, path, form, 422); !p.Shows("The limit for users has been reached") {
		t.Errorf("%s", p.Body)
	}
	k.Provider("GET", "/sites/club", nil).Want(t, 404, "rest_site_not_found")

	p := sends(b, path, whole, 200)
	link := invitation.FindString(p.Body)
	if !strings.HasPrefix(link, "http://club.localhost/") {
		t.Fatalf("%q in %s", link, p.Body)
	}
	k.Provider("GET", "/sites/club", nil).Has(t, "timezone", "Europe/Berlin", "language", "de", "usage.users", 1)
	if p := sends(b, path, whole, 303); p.Header.Get("Location") != "/admin/provider/sites/club" { // its answer may have been lost
		t.Errorf("once more: %v", p.Header)
	}
	form = kit.Clone(whole)
	form.Set("name", "Another club")
	if p := sends(b, path, form, 422); !p.Shows(`href="#f-slug`) {
		t.Errorf("another one: %s", p.Body)
	}
	if p := b.Get("/admin/provider/sites/club"); p.Shows(link) || !p.Shows("No password yet") {
		t.Errorf("%s", p.Body)
	}
	anna := k.Browser()
	anna.Host = "club.localhost"
	where, _ := url.Parse(link)
	anna.Get(where.RequestURI())
	if p := anna.Post("/admin/welcome", url.Values{"code": {where.Query().Get("code")}, "name": {"Anna"}, "password": {kit.AdminPassword},
		"again": {kit.AdminPassword}}); p.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	if p := anna.Get("/admin/settings"); p.Status != http.StatusOK {
		t.Errorf("the administrator: %d", p.Status)
	}
	const club = "/admin/provider/sites/club"
	sends(b, club, url.Values{"do": {"voucher"}, "id": {"1"}}, 400) // who has a password
	p = sends(b, club, url.Values{"do": {"invite"}, "handle": {"bert"}, "name": {"Bert"}, "email": {"bert@example.org"},
		"token": {kit.ProviderToken}}, 200)
	if !invitation.MatchString(p.Body) {
		t.Errorf("%s", p.Body)
	}
	if again := sends(b, club, url.Values{"do": {"voucher"}, "id": {"2"}, "sure": {"1"}, "token": {kit.ProviderToken}}, 200); invitation.FindString(again.Body) == invitation.FindString(p.Body) {
		t.Error("the same link again")
	}
	if p := sends(b, club, url.Values{"do": {"invite"}, "handle": {"bert"}, "email": {"x@example.org"}, "token": {kit.ProviderToken}}, 422); !p.Shows("#f-handle") {
		t.Errorf("%s", p.Body)
	}
	sends(b, club, url.Values{"do": {"voucher"}, "id": {"99"}}, 404)
	sends(b, club, url.Values{"do": {"nothing"}}, 400)
}

// A stolen session of the console neither founds a site nor invites an administrator: that takes a provider token.
func TestConsoleInvitesWithAToken(t *testing.T) {
	t.Parallel()
	const demo = "/admin/provider/sites/demo"
	for what, c := range map[string]struct {
		path, sql string
		form      url.Values
		typed     []string
	}{
		"a site": {"/admin/provider/new", "SELECT count(*)::text FROM sites WHERE slug = 'club'", url.Values{"name": {"The Club"}, "slug": {"club"}, "timezone": {"UTC"},
			"language": {"en"}, "plan": {"unlimited"}, "handle": {"anna"}, "person": {"Anna"}, "email": {"anna@example.org"}}, []string{"The Club", "club", "anna", "Anna", "anna@example.org"}},
		"an administrator": {demo, "SELECT count(*)::text FROM users WHERE login = 'bert'", url.Values{"do": {"invite"}, "handle": {"bert"}, "name": {"Bert"},
			"email": {"bert@example.org"}}, []string{"bert", "Bert", "bert@example.org"}},
		"one again": {demo, "SELECT count(*)::text FROM vouchers", url.Values{"do": {"voucher"}, "id": {"1"}, "sure": {"1"}}, nil},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			k := kit.New(t)
			b := k.Console()
			if what == "one again" {
				p := b.Post(demo, url.Values{"do": {"voucher"}, "id": {"1"}})
				if p.Status != 200 || !p.Shows(`id="f-token"`) || invitation.MatchString(p.Body) || strings.Count(p.Body, `id="f-token"`) != 1 {
					t.Errorf("asked: %d %s", p.Status, p.Body)
				}
			} else if p := b.Get(c.path); !p.Shows(`id="f-token"`) {
				t.Errorf("not asked: %s", p.Body)
			}
			send := func(token string) kit.Page {
				form := kit.Clone(c.form)
				form.Set("token", token)
				return b.Post(c.path, form)
			}
			for _, wrong := range []string{"", "", "kalp_not_it", kit.AdminPassword, "kalp_not_it", "kalp_not_it", "", "kalp_not_it"} {
				p, told := send(wrong), "This is not a valid provider token."
				if wrong == "" { // no attempt
					told = "This field is required."
				}
				if p.Status != 422 || !p.Shows(`id="p-token"`) || !p.Shows(told) || invitation.MatchString(p.Body) {
					t.Errorf("%q: %d %s", wrong, p.Status, p.Body)
				}
				for _, text := range c.typed {
					if !p.Shows(`value="` + text + `"`) {
						t.Errorf("%q is gone", text)
					}
				}
			}
			if p := send(kit.ProviderToken); p.Status != 429 || p.Header.Get("Retry-After") == "" || !p.Shows(`id="p-token"`) {
				t.Errorf("after five: %d", p.Status)
			}
			if n := k.Peek("demo", c.sql); n != "0" {
				t.Errorf("done: %s", n)
			}
		})
	}
}

// postbox keeps the last mail.
type postbox struct{ to, subject, text string }

func (p *postbox) Send(_ context.Context, to, subject, text string) error {
	p.to, p.subject, p.text = to, subject, text
	if strings.HasPrefix(to, "lost@") {
		return errors.New("no such mailbox")
	}
	return nil
}

// With a mail server, the invitation is sent by email in the site's language; if that fails, the link is shown.
func TestConsoleMailsInvitations(t *testing.T) {
	t.Parallel()
	box := &postbox{}
	k := kit.New(t, func(c *server.Config) { c.Post = box })
	b := k.Console()
	form := url.Values{"name": {"Der Verein"}, "slug": {"verein"}, "timezone": {"UTC"}, "language": {"de"}, "plan": {"unlimited"},
		"handle": {"anna"}, "person": {"Anna"}, "email": {"anna@example.org"}, "token": {kit.ProviderToken}}
	p := sends(b, "/admin/provider/new", form, 303)
	if p.Header.Get("Location") != "/admin/provider/sites/verein" || box.to != "anna@example.org" || !strings.Contains(box.text, "Der Verein") ||
		!strings.Contains(box.text, "http://verein.localhost/admin/welcome?code=") || strings.Contains(p.Body, "code=") {
		t.Errorf("%+v, %s", box, p.Header.Get("Location"))
	}
	form.Set("slug", "lost")
	form.Set("email", "lost@example.org")
	if p := sends(b, "/admin/provider/new", form, 200); !p.Shows("could not be sent") || !invitation.MatchString(p.Body) {
		t.Errorf("%s", p.Body)
	}
}

// Name and address of a site can be changed in the console, too.
func TestConsoleEditsSites(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("other")
	b := k.Console()
	const other = "/admin/provider/sites/other"
	if p := b.Get(other); !p.Shows(other + "/edit") {
		t.Errorf("%s", p.Body)
	}
	k.Provider("PATCH", "/sites/other", map[string]any{"timezone": "UTC+2"}).Want(t, 200, "")
	f := kit.FormAt(b.Get(other+"/edit"), `action="`+other+`/edit"`)
	version := k.Version("other")
	sends(b, other+"/edit", f, 303)
	if now := k.Version("other"); now != version {
		t.Errorf("the form as it stands made version %d of %d", now, version)
	}
	f.Set("slug", "demo")
	if p := sends(b, other+"/edit", f, 422); !p.Shows(`id="p-slug"`) {
		t.Errorf("%s", p.Body)
	}
	f.Set("slug", "renamed")
	f.Set("name", "Renamed")
	f.Set("language", "ja")
	for range 2 { // the second time its answer was lost
		p := sends(b, other+"/edit", f, 303)
		if to := p.Header.Get("Location"); to != "/admin/provider/sites/renamed" {
			t.Errorf("leads to %s", to)
		}
	}
	k.Provider("GET", "/sites/renamed", nil).Has(t, "timezone", "UTC+2", "name", "Renamed", "language", "ja")
	f.Set("name", "Another")
	sends(b, other+"/edit", f, 404)
	if p := b.Get(other + "/edit"); p.Status != 404 {
		t.Errorf("of no site: %d", p.Status)
	}
}
