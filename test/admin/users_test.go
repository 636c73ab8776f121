package admin

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

var firstField = regexp.MustCompile(`<input[^>]* name="handle"[^>]* autofocus`)

var welcomeLink = regexp.MustCompile(`https?://[^\s<"]+/admin/welcome\?code=[A-Za-z0-9]+`)

// invite makes a person through the form and returns the link shown.
func invite(b *kit.Browser, login, role string) string {
	b.K.T.Helper()
	return inviteBy(b, kit.AdminPassword, login, role)
}

// inviteBy is invite by somebody with that password.
func inviteBy(b *kit.Browser, password, login, role string) string {
	b.K.T.Helper()
	form := b.Get("/admin/users/new")
	if !firstField.MatchString(form.Body) {
		b.K.T.Error("nothing can be typed at once into the form of a user")
	}
	p := b.Post("/admin/users/new", url.Values{"do": {"save"}, "once": {form.Hidden("once")}, "handle": {login}, "name": {"The " + login},
		"email": {login + "@example.org"}, "role": {role}, "confirm": {password}})
	link := welcomeLink.FindString(p.Body)
	if p.Status != http.StatusOK || link == "" {
		b.K.T.Fatalf("invite: %d %s", p.Status, p.Body)
	}
	return link
}

// inSite cuts scheme and host off an address.
func inSite(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.RequestURI()
}

func TestAdminUsers(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	p := b.Get("/admin/users?search=edit")
	if p.Status != 200 || !p.Shows("editor@example.org") || p.Shows("subscriber@example.org") || !p.Shows("Editor") {
		t.Errorf("list: %d %s", p.Status, p.Body)
	}
	if p := b.Get("/admin/events"); !p.Shows(`href="/admin/users"`) {
		t.Error("no way to the users")
	}
	e := k.Person("editor")
	if p := e.Get("/admin/users"); p.Status != 403 {
		t.Errorf("an editor: %d", p.Status)
	}
	if p := e.Post("/admin/users/5", url.Values{"do": {"delete"}, "sure": {"1"}}); p.Status != 403 {
		t.Errorf("an editor deletes: %d", p.Status)
	}
	if p := e.Get("/admin/events"); p.Shows(`href="/admin/users"`) {
		t.Error("an editor is shown the way")
	}
	p = b.Post("/admin/users/new", url.Values{"do": {"save"}, "handle": {"editor"}, "name": {"N"}, "email": {"no address"}, "role": {"king"}})
	if p.Status != 422 || !p.Shows(`id="p-email"`) || !p.Shows(`id="p-role"`) {
		t.Errorf("wrong: %d %s", p.Status, p.Body)
	}
	p = b.Post("/admin/users/new", url.Values{"do": {"save"}, "handle": {"editor"}, "email": {"new@example.org"}, "role": {"author"}})
	if p.Status != 422 || !p.Shows(`id="p-handle"`) {
		t.Errorf("taken: %d %s", p.Status, p.Body)
	}
}

func TestAdminUserIsChanged(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	form := b.Get("/admin/users/2")
	change := url.Values{"do": {"save"}, "handle": {"editor"}, "name": {"New Name"}, "email": {"new@example.org"}, "role": {"author"},
		"seen": {form.Hidden("seen")}, "yours": {kit.AdminPassword}}
	if p := b.Post("/admin/users/2", change); p.Status != 303 || !b.Follow().Shows("New Name") {
		t.Fatalf("save: %d %s", p.Status, p.Body)
	}
	if got := k.Peek("demo", "SELECT login || ' ' || email || ' ' || role FROM users WHERE site_id = 1 AND id = 2"); got != "editor new@example.org author" {
		t.Error(got)
	}
	change.Set("name", "Late")
	p := b.Post("/admin/users/2", change)
	if p.Status != 409 || !p.Shows(`value="Late"`) || !p.Shows("New Name") {
		t.Errorf("stale: %d %s", p.Status, p.Body)
	}
	change.Set("seen", p.Hidden("seen"))
	if p := b.Post("/admin/users/2", change); p.Status != 303 {
		t.Errorf("once more: %d", p.Status)
	}
	me := b.Get("/admin/users/1")
	p = b.Post("/admin/users/1", url.Values{"do": {"save"}, "handle": {"administrator"}, "name": {"A"}, "email": {"administrator@example.org"},
		"role": {"editor"}, "seen": {me.Hidden("seen")}})
	if p.Status != 422 || !p.Shows("last administrator") {
		t.Errorf("the last administrator: %d", p.Status)
	}
	if p := b.Post("/admin/users/1", url.Values{"do": {"delete"}, "sure": {"1"}}); p.Status != 422 || !p.Shows("last administrator") {
		t.Errorf("the last administrator is deleted: %d", p.Status)
	}
}

func TestAdminUserIsDeleted(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b, e := k.Person("administrator"), k.Person("editor")
	id := k.Event(map[string]any{"author": 2})
	if p := b.Get("/admin/users/2"); !p.Shows("Last active") {
		t.Errorf("sessions: %s", p.Body)
	}
	if p := b.Post("/admin/users/2", url.Values{"do": {"end"}}); p.Status != 303 || e.Get("/admin/events").Status != 303 {
		t.Errorf("sessions aren't ended: %d", p.Status)
	}
	if p := b.Post("/admin/users/2", url.Values{"do": {"delete"}}); p.Status != 200 || !p.Shows("This user’s entries are kept") {
		t.Errorf("asked: %d %s", p.Status, p.Body)
	}
	if p := b.Post("/admin/users/2", url.Values{"do": {"delete"}, "sure": {"1"}}); p.Status != 303 {
		t.Errorf("deleted: %d", p.Status)
	}
	if got := k.Peek("demo", "SELECT coalesce(author::text, 'nobody') FROM events WHERE site_id = 1 AND id = $1", id); got != "nobody" {
		t.Errorf("author %s", got)
	}
	if p := b.Get("/admin/users/2"); p.Status != 404 {
		t.Errorf("afterwards: %d", p.Status)
	}
}

func TestAdminInvitationByLink(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("other")
	b := k.Person("administrator")
	first := invite(b, "somebody", "author")
	if !strings.HasPrefix(first, "http://localhost/admin/welcome?") {
		t.Errorf("link %s", first)
	}
	p := b.Post("/admin/users/6", url.Values{"do": {"voucher"}, "confirm": {kit.AdminPassword}})
	link := inSite(welcomeLink.FindString(p.Body))
	n := k.Browser()
	if p := n.Get(inSite(first)); p.Status != 410 || !p.Shows("no longer valid") {
		t.Errorf("the first link: %d", p.Status)
	}
	if p := n.SignIn("somebody", ""); p.Status != 422 {
		t.Errorf("without a password: %d", p.Status)
	}
	page := n.Get(link)
	if page.Status != 200 || !page.Shows("Your username: somebody") || page.Hidden("code") == "" {
		t.Fatalf("welcome: %d %s", page.Status, page.Body)
	}
	form := url.Values{"code": {page.Hidden("code")}, "name": {"Some Body"}, "password": {"short"}, "again": {"short"}}
	if p := n.Post("/admin/welcome", form); p.Status != 422 || !p.Shows(`id="p-password"`) {
		t.Errorf("short: %d %s", p.Status, p.Body)
	}
	form.Set("password", kit.AdminPassword)
	if p := n.Post("/admin/welcome", form); p.Status != 422 || !p.Shows(`id="p-again"`) {
		t.Errorf("differ: %d", p.Status)
	}
	form.Set("again", kit.AdminPassword)
	elsewhere := k.Browser()
	elsewhere.Host = "other.localhost"
	if p := elsewhere.Post("/admin/welcome", form); p.Status != 410 {
		t.Errorf("on another site: %d", p.Status)
	}
	if p := n.Post("/admin/welcome", form); p.Status != 303 || !strings.Contains(n.Get("/admin/profile").Body, "Some Body") {
		t.Fatalf("set: %d %s", p.Status, p.Body)
	}
	if p := k.Browser().Post("/admin/welcome", form); p.Status != 410 {
		t.Errorf("twice: %d", p.Status)
	}
	if p := k.Browser().SignIn("somebody", kit.AdminPassword); p.Status != 303 {
		t.Errorf("sign in: %d", p.Status)
	}
	if got := k.Peek("demo", "SELECT count(*)::text FROM vouchers WHERE site_id = 1"); got != "0" {
		t.Errorf("%s vouchers left", got)
	}
}

// TestAdminOwnAccount: among the users, administrators can change neither their own e-mail address nor their password; they
// do that in their profile.
func TestAdminOwnAccount(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	page := b.Get("/admin/users/1")
	if page.Shows(`name="email"`) || page.Shows(`value="voucher"`) || !page.Shows("administrator@example.org") {
		t.Errorf("one's own page: %s", page.Body)
	}
	if p := b.Post("/admin/users/1", url.Values{"do": {"voucher"}}); p.Status != 303 || p.Header.Get("Location") != "/admin/profile" {
		t.Errorf("a link to a new password: %d %s", p.Status, p.Body)
	}
	if got := k.Peek("demo", "SELECT count(*)::text FROM vouchers WHERE site_id = 1"); got != "0" {
		t.Errorf("%s vouchers", got)
	}
	form := url.Values{"do": {"save"}, "seen": {page.Hidden("seen")}, "handle": {"administrator"}, "name": {"Another name"}, "email": {"thief@example.org"}, "role": {"administrator"}}
	if p := b.Post("/admin/users/1", form); p.Status != 303 {
		t.Errorf("saved: %d %s", p.Status, p.Body)
	}
	if got := k.Peek("demo", "SELECT name || ' ' || email FROM users WHERE site_id = 1 AND id = 1"); got != "Another name administrator@example.org" {
		t.Errorf("stored: %s", got)
	}
}

// TestAdminOthersAccounts: a session alone neither invites anybody, nor gives another person a link to a new password,
// another e-mail address or another role. Every page comes back with what was typed.
func TestAdminOthersAccounts(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Tries = time.Now()
	b, d := k.Person("administrator"), kit.NewDevice(k, "localhost")
	b.Register(d)
	seen := b.Get("/admin/users/2").Hidden("seen")
	save := func(email, role string) url.Values {
		return url.Values{"do": {"save"}, "seen": {seen}, "handle": {"editor"}, "name": {"What was typed"}, "email": {email}, "role": {role}}
	}
	const stored = "SELECT email || ' ' || role FROM users WHERE site_id = 1 AND id = 2"
	for what, c := range map[string]struct {
		path, field, sql, before string
		typed                    []string
		form                     url.Values
	}{
		"a link": {"/admin/users/2", "confirm", "SELECT count(*)::text FROM vouchers WHERE site_id = 1", "0", nil, url.Values{"do": {"voucher"}}},
		"an invitation": {"/admin/users/new", "confirm", "SELECT count(*)::text FROM users WHERE login = 'guest'", "0", []string{"guest@example.org", "What was typed"},
			url.Values{"do": {"save"}, "handle": {"guest"}, "name": {"What was typed"}, "email": {"guest@example.org"}, "role": {"contributor"}}},
		"an address": {"/admin/users/2", "yours", stored, "editor@example.org editor", []string{"thief@example.org", "What was typed"}, save("thief@example.org", "editor")},
		"a role":     {"/admin/users/2", "yours", stored, "editor@example.org editor", []string{"What was typed"}, save("editor@example.org", "administrator")},
		"less":       {"/admin/users/2", "yours", stored, "editor@example.org editor", []string{"What was typed"}, save("editor@example.org", "subscriber")},
	} {
		k.Change("demo", "DELETE FROM attempts; DELETE FROM vouchers")
		if p := b.Get(c.path); !p.Shows(`id="f-`+c.field+`"`) || !p.Shows(`data-options="/admin/profile/confirm"`) || !p.Shows(`<script type="module" src="/static/admin.`) {
			t.Errorf("%s: the page doesn't ask", what)
		}
		if !b.Page.Shows(`name="user" value="administrator" autocomplete="username"`) {
			t.Errorf("%s: a password manager takes the password for another person's", what)
		}
		send := func(name, value string) kit.Page {
			form := kit.Clone(c.form)
			form.Set(name, value)
			form.Set("once", newOnce())
			return b.Post(c.path, form)
		}
		for range 6 { // an empty field is no attempt
			if p := send(c.field, ""); p.Status != 422 || !p.Shows(`<a href="#f-`+c.field+`">To be safe: the password that you sign in with yourself</a>: This field is required.`) {
				t.Errorf("%s with nothing: %d %s", what, p.Status, p.Body)
			}
		}
		for _, wrong := range []string{"", "not it at all"} {
			p, told := send(c.field, wrong), "This is not your current password."
			if wrong == "" {
				told = "This field is required."
			}
			if p.Status != 422 || !p.Shows(`id="p-`+c.field+`"`) || !p.Shows(told) {
				t.Errorf("%s with %q: %d %s", what, wrong, p.Status, p.Body)
			}
			for _, text := range c.typed {
				if !p.Shows(`value="` + text + `"`) {
					t.Errorf("%s: %q is gone", what, text)
				}
			}
			if role := c.form.Get("role"); role != "" && !p.Shows(`value="`+role+`" selected`) {
				t.Errorf("%s: the role is gone", what)
			}
		}
		if p := send("credential", "{}"); p.Status != 422 || !p.Shows(`id="p-`+c.field+`"`) {
			t.Errorf("%s with no passkey: %d", what, p.Status)
		}
		for range 4 {
			send(c.field, "not it at all")
		}
		if p := send(c.field, kit.AdminPassword); p.Status != 429 || p.Header.Get("Retry-After") == "" || !p.Shows(`id="p-`+c.field+`"`) {
			t.Errorf("%s after five: %d", what, p.Status)
		}
		if got := k.Peek("demo", c.sql); got != c.before {
			t.Errorf("%s: done: %s", what, got)
		}
		d.Count += 10
		for _, right := range []func() (string, string){
			func() (string, string) { return "credential", confirmed(b, d) },
			func() (string, string) { return c.field, kit.AdminPassword },
		} {
			k.Change("demo", "DELETE FROM attempts")
			b.Get(c.path)
			if p := send(right()); p.Status >= 400 {
				t.Errorf("%s: %d %s", what, p.Status, p.Body)
			}
			if got := k.Peek("demo", c.sql); got == c.before {
				t.Errorf("%s: not done", what)
			}
			k.Change("demo", "DELETE FROM vouchers; DELETE FROM users WHERE login = 'guest'; "+
				"UPDATE users SET name = 'editor', email = 'editor@example.org', role = 'editor' WHERE id = 2")
		}
	}
	if p := b.Post("/admin/users/2", save("editor@example.org", "editor")); p.Status != 303 {
		t.Errorf("a name: %d %s", p.Status, p.Body)
	}
	if p := k.Browser().Get("/admin/users/2"); p.Status != 303 {
		t.Errorf("nobody: %d", p.Status)
	}
}

// TestAdminPasswordIsNoName: one's own e-mail address is no password, and the page says so along with what else is wrong.
func TestAdminPasswordIsNoName(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	const easy = "This password is too easy to guess."
	link := inSite(invite(k.Person("administrator"), "somebody", "author"))
	n := k.Browser()
	code := n.Get(link).Hidden("code")
	for _, again := range []string{"Somebody@Example.org", "something else"} {
		p := n.Post("/admin/welcome", url.Values{"code": {code}, "name": {"Some Body"}, "password": {"Somebody@Example.org"}, "again": {again}})
		if p.Status != 422 || !p.Shows(easy) {
			t.Errorf("welcome with %q: %d %s", again, p.Status, p.Body)
		}
	}
	e := k.Person("editor")
	e.Get("/admin/profile")
	for _, old := range []string{kit.AdminPassword, "not it at all"} {
		p := e.Post("/admin/profile", url.Values{"do": {"password"}, "old": {old}, "password": {"editor@example.org"}, "again": {"editor@example.org"}})
		if p.Status != 422 || !p.Shows(easy) {
			t.Errorf("profile with %q: %d %s", old, p.Status, p.Body)
		}
	}
	k.Provider("PATCH", "/sites/demo/users/2", map[string]any{"password": "EDITOR@example.org"}).Want(t, 400, "rest_invalid_param")
}

func TestAdminVoucherEnds(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	k.Password("editor")
	b.Get("/admin/users/2")
	voucher := func() string {
		p := b.Post("/admin/users/2", url.Values{"do": {"voucher"}, "confirm": {kit.AdminPassword}})
		return inSite(welcomeLink.FindString(p.Body))
	}
	link := voucher()
	if p := k.Browser().Get(link); p.Status != 200 {
		t.Fatalf("good: %d", p.Status)
	}
	if got := k.Peek("demo", "SELECT count(*)::text FROM vouchers WHERE site_id = 1 AND position(convert_to($1, 'UTF8') in id) > 0", link[len(link)-40:]); got != "0" {
		t.Error("the token is stored")
	}
	k.Password("editor") // another hash
	if p := k.Browser().Get(link); p.Status != 410 {
		t.Errorf("after another change of the password: %d", p.Status)
	}
	link = voucher()
	k.Change("demo", "UPDATE vouchers SET expires_at = now() - interval '1 second'")
	if p := k.Browser().Get(link); p.Status != 410 {
		t.Errorf("over: %d", p.Status)
	}
	if got := k.Peek("demo", "SELECT (expires_at - created_at < interval '2 hours')::text FROM vouchers WHERE site_id = 1"); got != "true" {
		t.Error("a reset is good for too long")
	}
	old := k.Person("editor")
	page := k.Browser().Get(voucher())
	n := k.Browser()
	if p := n.Post("/admin/welcome", url.Values{"code": {page.Hidden("code")}, "password": {"another long password"}, "again": {"another long password"}}); p.Status != 303 {
		t.Fatalf("reset: %d", p.Status)
	}
	if p := old.Get("/admin/events"); p.Status != 303 {
		t.Errorf("the old session: %d", p.Status)
	}
	if p := n.Get("/admin/events"); p.Status != 200 {
		t.Errorf("the new one: %d", p.Status)
	}
}
