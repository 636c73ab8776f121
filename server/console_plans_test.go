package server_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/web"
)

// sends posts a form and wants a status.
func (b *browser) sends(path string, form url.Values, status int) page {
	b.k.t.Helper()
	p := b.post(path, form)
	if p.Status != status {
		b.k.t.Errorf("%s %v: %d, want %d: %s", path, form, p.Status, status, p.Body)
	}
	return p
}

// Every page of the console is the provider's alone: nobody and no site's
// administrator sees or changes anything, and a form needs its session's token.
func TestConsoleIsTheProviders(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	found, visitors := 0, map[string]*browser{"nobody": k.browser(), "administrator": k.person("administrator"), "provider": k.console()}
	for _, p := range web.New(web.Config{Calendar: k.calendar, Platform: k.platform}).Pages() {
		if !strings.HasPrefix(p.Path, "/admin/provider") {
			continue
		}
		found++
		path := strings.ReplaceAll(p.Path, ":slug", "demo")
		form := url.Values{"do": {"delete"}, "sure": {"1"}, "grace": {"0"}, "name": {"demo"}, "csrf": {"wrong"}}
		for who, b := range visitors {
			var got page
			want := http.StatusSeeOther
			if p.Method == http.MethodPost {
				if got = b.post(path, form); who == "provider" {
					want = http.StatusForbidden
				}
			} else if got = b.get(path); who == "provider" {
				want = http.StatusOK
				if strings.Contains(p.Path, "/plans/") {
					want = http.StatusNotFound
				}
			}
			if got.Status != want || want == http.StatusSeeOther && got.Header.Get("Location") != "/admin/provider/login" {
				t.Errorf("%s %s as %s: %d %s", p.Method, path, who, got.Status, got.Header.Get("Location"))
			}
		}
	}
	if found != 15 {
		t.Errorf("%d pages of the console", found)
	}
	k.provider("GET", "/sites/demo", nil).want(t, 200, "").has(t, "state", "active")
}

func TestConsolePlans(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b := k.console()
	const plans, small = "/admin/provider/plans", "/admin/provider/plans/small"
	b.get(plans)
	b.sends(plans, url.Values{"name": {"small"}, "events": {"5"}, "media_bytes": {"1.5"}, "geo": {"0", "1"}}, 303)
	k.provider("GET", "/plans/small", nil).want(t, 200, "").has(t, "limits.events", 5, "limits.media_bytes", 1.5e6, "limits.users", nil, "geo", true)
	if p := b.get(plans); !p.shows("Events: 5 · Images: 1.5 MB<") || !p.shows("No limit") || !p.shows(small) {
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
		if p := b.sends(plans, form, 422); !p.shows(`href="#f-` + strings.TrimPrefix(field, "f-")) {
			t.Errorf("%s is not named: %s", field, p.Body)
		}
	}
	if p := b.sends(small, url.Values{"do": {"save"}, "events": {"many"}}, 422); !p.shows(`value="many"`) {
		t.Errorf("what was typed is gone: %s", p.Body)
	}
	b.sends(small, url.Values{"do": {"save"}, "users": {"3"}, "geo": {"0"}}, 303)
	k.provider("GET", "/plans/small", nil).has(t, "limits.events", nil, "limits.users", 3, "geo", false)
	b.sends("/admin/provider/plans/none", url.Values{"do": {"save"}, "users": {"3"}}, 404)
	k.provider("GET", "/plans/none", nil).want(t, 404, "rest_plan_not_found")

	k.provider("PATCH", "/sites/demo", map[string]any{"plan": "small"}).want(t, 200, "")
	if p := b.get(small); !p.shows("Give them another one") || !p.shows("/admin/provider?plan=small") {
		t.Errorf("%s", p.Body)
	}
	b.sends(small, url.Values{"do": {"delete"}, "sure": {"1"}}, 409)
	if p := b.get("/admin/provider?plan=small"); !p.shows("/sites/demo") {
		t.Errorf("%s", p.Body)
	}
	k.provider("PATCH", "/sites/demo", map[string]any{"plan": "unlimited"}).want(t, 200, "")
	if p := b.get("/admin/provider?plan=small&state=active&search=d"); p.shows("/sites/demo") {
		t.Errorf("%s", p.Body)
	}
	b.sends(small, url.Values{"do": {"delete"}}, 200)
	b.sends(small, url.Values{"do": {"delete"}, "sure": {"1"}}, 303)
	b.sends("/admin/provider/plans/unlimited", url.Values{"do": {"delete"}, "sure": {"1"}}, 409)
	k.provider("GET", "/plans", nil).has(t, "plans.#", 1)

	if p := b.get("/admin/provider/audit?kind=plan"); strings.Count(p.Body, `class="deed"`) != 3 || !p.shows("small") {
		t.Errorf("%s", p.Body)
	}
	if p := b.get("/admin/provider/audit?kind=plan&action=update&open=" + b.openLink()); !p.shows("Maximum number of users") {
		t.Errorf("%s", p.Body)
	}
	if p := b.get("/admin/provider/audit?from=nonsense"); !p.shows(`role="alert"`) {
		t.Errorf("%s", p.Body)
	}
}

// openLink is the place of the entry of a history in the middle of the last page.
func (b *browser) openLink() string {
	b.k.t.Helper()
	list := strings.Split(b.page.Body, `<li id="e-`)
	if len(list) < 3 {
		b.k.t.Fatalf("no entries: %s", b.page.Body)
	}
	place, _, _ := strings.Cut(list[2], `"`)
	return place
}

// A site's plan and its own limits are granted as a whole.
func TestConsoleGrants(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b := k.console()
	const demo = "/admin/provider/sites/demo"
	k.plan("small", map[string]any{"limits": map[string]any{"events": 5, "users": 9}}).want(t, 201, "")
	b.get(demo)
	b.sends(demo, url.Values{"do": {"grant"}, "plan": {"small"}, "own_events": {"own"}, "events": {"7"}, "own_users": {"none"},
		"own_media_bytes": {"plan"}, "media_bytes": {"3"}, "geo": {"0"}}, 303)
	k.provider("GET", "/sites/demo", nil).has(t, "plan.name", "small", "plan.geo", false, "limits.events", 7, "limits.users", nil,
		"limits.media_bytes", nil)
	if p := b.get(demo); !p.shows(`value="7"`) || !p.shows(`<option value="none" selected>`) {
		t.Errorf("%s", p.Body)
	}
	b.sends(demo, url.Values{"do": {"grant"}, "plan": {"none"}}, 422)
	if p := b.sends(demo, url.Values{"do": {"grant"}, "plan": {"small"}, "own_users": {"own"}, "users": {""}}, 422); !p.shows("#f-users") {
		t.Errorf("%s", p.Body)
	}
	b.sends(demo, url.Values{"do": {"grant"}, "plan": {"small"}, "own_events": {"own"}, "events": {"-3"}}, 422)
	k.provider("GET", "/sites/demo", nil).has(t, "limits.events", 7)
	b.sends(demo, url.Values{"do": {"grant"}, "plan": {"small"}}, 303)
	k.provider("GET", "/sites/demo", nil).has(t, "plan.geo", true, "limits.events", 5, "limits.users", 9)
	if p := b.get("/admin/provider/audit"); !p.shows("Own limits") {
		t.Errorf("%s", p.Body)
	}
	if p := b.get(demo + "/audit?kind=site"); !p.shows("History of demo") || !p.shows("Own limits") || p.shows("/admin/audit/export") {
		t.Errorf("%s", p.Body)
	}
	if p := b.get(demo + "/audit?kind=site&open=" + b.openLink()); !p.shows("Events: 7") {
		t.Errorf("%s", p.Body)
	}
}

// A deleted site waits for as long as the provider says, and comes back.
func TestConsoleDeletes(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.site("other")
	b := k.console()
	const other = "/admin/provider/sites/other"
	b.get(other)
	if p := b.sends(other, url.Values{"do": {"delete"}}, 200); !p.shows(`name="grace"`) {
		t.Errorf("%s", p.Body)
	}
	if p := b.sends(other, url.Values{"do": {"delete"}, "sure": {"1"}, "grace": {"366"}}, 422); !p.shows("365") || !p.shows(`id="p-grace"`) {
		t.Errorf("%s", p.Body)
	}
	b.sends(other, url.Values{"do": {"delete"}, "sure": {"1"}, "grace": {"3"}}, 303)
	if p := b.get("/admin/provider?state=deleted"); !p.shows(other) || p.shows("/sites/demo") {
		t.Errorf("%s", p.Body)
	}
	if p := b.get(other); !p.shows("Removed for good:") || !p.shows(`value="undelete"`) || p.shows(`value="close"`) {
		t.Errorf("%s", p.Body)
	}
	b.sends(other, url.Values{"do": {"resume"}, "sure": {"1"}}, 422)
	b.sends(other, url.Values{"do": {"undelete"}}, 303)
	k.provider("GET", "/sites/other", nil).has(t, "state", "active")
	b.sends(other, url.Values{"do": {"delete"}, "sure": {"1"}, "grace": {"0"}}, 303)
	k.provider("GET", "/sites/other", nil).want(t, 404, "rest_site_not_found")
	b.sends(other, url.Values{"do": {"undelete"}}, 404)
	if p := b.get("/admin/provider/audit?action=export"); !p.shows(`<option value="export" selected>Exported</option>`) ||
		!p.shows(`<option value="import">Imported</option>`) {
		t.Errorf("%s", p.Body)
	}
	if p := b.get("/admin/provider/audit?action=purge"); !p.shows("Removed for good") {
		t.Errorf("%s", p.Body)
	}
}

var invitation = regexp.MustCompile(`http://[a-z.]+/admin/welcome\?code=[A-Za-z0-9_%-]+`)

// A site is made with its first administrator, who gets in by the link.
func TestConsoleFoundsASite(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b := k.console()
	const path = "/admin/provider/new"
	if p := b.get(path); !p.shows("Europe/Berlin") || !p.shows(`value="unlimited"`) {
		t.Errorf("%s", p.Body)
	}
	whole := url.Values{"name": {"The Club"}, "slug": {"club"}, "timezone": {"Europe/Berlin"}, "language": {"de"}, "plan": {"unlimited"},
		"handle": {"anna"}, "person": {"Anna"}, "email": {"anna@example.org"}}
	k.plan("nobody", map[string]any{"limits": map[string]any{"users": 0}}).want(t, 201, "")
	for name, value := range map[string]string{"name": "", "slug": "No slug", "timezone": "Nowhere", "language": "xx", "plan": "none",
		"handle": "", "email": "nothing", "person": strings.Repeat("x", 251)} {
		form := clone(whole)
		form.Set(name, value)
		if p := b.sends(path, form, 422); !p.shows(`href="#f-` + name) {
			t.Errorf("%s is not named: %s", name, p.Body)
		}
	}
	form := clone(whole)
	form.Set("plan", "nobody")
	if p := b.sends(path, form, 422); !p.shows("The limit on users is reached") {
		t.Errorf("%s", p.Body)
	}
	k.provider("GET", "/sites/club", nil).want(t, 404, "rest_site_not_found")

	p := b.sends(path, whole, 200)
	link := invitation.FindString(p.Body)
	if !strings.HasPrefix(link, "http://club.localhost/") {
		t.Fatalf("%q in %s", link, p.Body)
	}
	k.provider("GET", "/sites/club", nil).has(t, "timezone", "Europe/Berlin", "language", "de", "usage.users", 1)
	if p := b.sends(path, whole, 303); p.Header.Get("Location") != "/admin/provider/sites/club" { // its answer may have been lost
		t.Errorf("once more: %v", p.Header)
	}
	form = clone(whole)
	form.Set("name", "Another club")
	if p := b.sends(path, form, 422); !p.shows(`href="#f-slug`) {
		t.Errorf("another one: %s", p.Body)
	}
	if p := b.get("/admin/provider/sites/club"); p.shows(link) || !p.shows("No password yet") {
		t.Errorf("%s", p.Body)
	}
	anna := k.browser()
	anna.host = "club.localhost"
	where, _ := url.Parse(link)
	anna.get(where.RequestURI())
	if p := anna.post("/admin/welcome", url.Values{"code": {where.Query().Get("code")}, "name": {"Anna"}, "password": {adminPassword},
		"again": {adminPassword}}); p.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	if p := anna.get("/admin/settings"); p.Status != http.StatusOK {
		t.Errorf("the administrator: %d", p.Status)
	}
	const club = "/admin/provider/sites/club"
	b.sends(club, url.Values{"do": {"voucher"}, "id": {"1"}}, 400) // who has a password
	p = b.sends(club, url.Values{"do": {"invite"}, "handle": {"bert"}, "name": {"Bert"}, "email": {"bert@example.org"}}, 200)
	if !invitation.MatchString(p.Body) {
		t.Errorf("%s", p.Body)
	}
	if again := b.sends(club, url.Values{"do": {"voucher"}, "id": {"2"}}, 200); invitation.FindString(again.Body) == invitation.FindString(p.Body) {
		t.Error("the same link again")
	}
	if p := b.sends(club, url.Values{"do": {"invite"}, "handle": {"bert"}, "email": {"x@example.org"}}, 422); !p.shows("#f-handle") {
		t.Errorf("%s", p.Body)
	}
	b.sends(club, url.Values{"do": {"voucher"}, "id": {"99"}}, 404)
	b.sends(club, url.Values{"do": {"nothing"}}, 400)
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

// With a mail server the invitation goes by mail, in the language of the site;
// when it can't be sent, the link is shown.
func TestConsoleMailsInvitations(t *testing.T) {
	t.Parallel()
	box := &postbox{}
	k := newKit(t, func(c *server.Config) { c.Post = box })
	b := k.console()
	form := url.Values{"name": {"Der Verein"}, "slug": {"verein"}, "timezone": {"UTC"}, "language": {"de"}, "plan": {"unlimited"},
		"handle": {"anna"}, "person": {"Anna"}, "email": {"anna@example.org"}}
	p := b.sends("/admin/provider/new", form, 303)
	if p.Header.Get("Location") != "/admin/provider/sites/verein" || box.to != "anna@example.org" || !strings.Contains(box.text, "Der Verein") ||
		!strings.Contains(box.text, "http://verein.localhost/admin/welcome?code=") || strings.Contains(p.Body, "code=") {
		t.Errorf("%+v, %s", box, p.Header.Get("Location"))
	}
	form.Set("slug", "lost")
	form.Set("email", "lost@example.org")
	if p := b.sends("/admin/provider/new", form, 200); !p.shows("could not be sent") || !invitation.MatchString(p.Body) {
		t.Errorf("%s", p.Body)
	}
}

// What a site is called and where it is found is changed in the console, too.
func TestConsoleEditsSites(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.site("other")
	b := k.console()
	const other = "/admin/provider/sites/other"
	if p := b.get(other); !p.shows(other + "/edit") {
		t.Errorf("%s", p.Body)
	}
	k.provider("PATCH", "/sites/other", map[string]any{"timezone": "UTC+2"}).want(t, 200, "")
	f := formAt(b.get(other+"/edit"), `action="`+other+`/edit"`)
	version := k.version("other")
	b.sends(other+"/edit", f, 303)
	if now := k.version("other"); now != version {
		t.Errorf("the form as it stands made version %d of %d", now, version)
	}
	f.Set("slug", "demo")
	if p := b.sends(other+"/edit", f, 422); !p.shows(`id="p-slug"`) {
		t.Errorf("%s", p.Body)
	}
	f.Set("slug", "renamed")
	f.Set("name", "Renamed")
	f.Set("language", "ja")
	for range 2 { // the second time its answer was lost
		p := b.sends(other+"/edit", f, 303)
		if to := p.Header.Get("Location"); to != "/admin/provider/sites/renamed" {
			t.Errorf("leads to %s", to)
		}
	}
	k.provider("GET", "/sites/renamed", nil).has(t, "timezone", "UTC+2", "name", "Renamed", "language", "ja")
	f.Set("name", "Another")
	b.sends(other+"/edit", f, 404)
	if p := b.get(other + "/edit"); p.Status != 404 {
		t.Errorf("of no site: %d", p.Status)
	}
}
