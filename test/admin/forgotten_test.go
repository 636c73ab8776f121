package admin

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/internal/mail/mailtest"
	"github.com/kalends/kalends/server"

	"github.com/kalends/kalends/test/kit"
)

// TestMailedLinks: a link in a letter leads to the site and nowhere else, and by TLS
// unless the proxy says that there is none.
func TestMailedLinks(t *testing.T) {
	t.Parallel()
	const begins = "://localhost/admin/welcome?code="
	link := func(k *kit.Kit, post *mailtest.Server, headers ...string) string {
		t.Helper()
		k.Change("demo", "DELETE FROM attempts")
		if p := k.Browser().Post("/admin/forgotten", url.Values{"login": {"editor"}}, headers...); p.Status != 200 {
			t.Fatalf("%v: %d", headers, p.Status)
		}
		return welcomeLink.FindString(post.Next().Text)
	}
	k, post := kit.Mailed(t, kit.BehindProxy())
	k.Password("editor")
	for _, headers := range [][]string{
		{"X-Url-Scheme", "www.evil.example/c?u=https"},
		{"X-Forwarded-Proto", "www.evil.example/c?u=https"},
		{"X-Forwarded-Protocol", "www.evil.example/c?u=https"},
	} {
		if got := link(k, post, headers...); !strings.HasPrefix(got, "http"+begins) {
			t.Errorf("%v: %s", headers, got)
		}
	}
	if got := link(k, post, "X-Forwarded-Proto", "https"); !strings.HasPrefix(got, "https"+begins) {
		t.Errorf("by TLS: %s", got)
	}
	k, post = kit.Mailed(t, func(c *server.Config) { c.Proxies = []string{"10.0.0.1"} })
	k.Password("editor")
	if got := link(k, post, "X-Forwarded-Proto", "http"); !strings.HasPrefix(got, "https"+begins) {
		t.Errorf("past the proxy: %s", got)
	}
}

func TestAdminForgottenPassword(t *testing.T) {
	t.Parallel()
	k, post := kit.Mailed(t)
	k.Tries = time.Now()
	k.Password("editor")
	b := k.Browser()
	b.Host = "evil.example" // belongs to no site, so it is answered by the default one
	known := b.Post("/admin/forgotten", url.Values{"login": {"Editor@example.org"}})
	letter := post.Next()
	link := welcomeLink.FindString(letter.Text)
	if known.Status != 200 || letter.To != "editor@example.org" || !strings.HasPrefix(link, "http://demo.localhost/admin/welcome?code=") {
		t.Fatalf("%d, to %s: %s", known.Status, letter.To, letter.Text)
	}
	unknown := b.Post("/admin/forgotten", url.Values{"login": {"nobody@example.org"}})
	if unknown.Status != known.Status || unknown.Body != known.Body {
		t.Error("the answers differ")
	}
	n := k.Browser()
	page := n.Get(inSite(link))
	if p := n.Post("/admin/welcome", url.Values{"code": {page.Hidden("code")}, "password": {"a new long password"}, "again": {"a new long password"}}); p.Status != 303 {
		t.Errorf("reset: %d %s", p.Status, p.Body)
	}
	if l := post.Next(); l.To != "editor@example.org" || !strings.Contains(l.Text, "password of your account editor") {
		t.Errorf("nobody is told of the new password: %+v", l)
	}
	if p := k.Browser().SignIn("editor", "a new long password"); p.Status != 303 {
		t.Errorf("sign in: %d", p.Status)
	}
	for range 3 {
		b.Post("/admin/forgotten", url.Values{"login": {"nobody@example.org"}})
	}
	if p := b.Post("/admin/forgotten", url.Values{"login": {"author"}}); p.Status != 429 || p.Header.Get("Retry-After") == "" {
		t.Errorf("after five: %d", p.Status)
	}
	post.None()
}

// By login and by e-mail address a reset counts as one, which no answer tells: who asks gets the same ones for names that nobody has.
func TestForgottenCountsTheAccount(t *testing.T) {
	t.Parallel()
	k, post := kit.Mailed(t, kit.BehindProxy())
	k.Tries = time.Now()
	k.Password("editor")
	ask := func(login, address string) string {
		p := k.Browser().Post("/admin/forgotten", url.Values{"login": {login}}, "X-Forwarded-For", address)
		return fmt.Sprint(p.Status, strings.ReplaceAll(p.Body, login, "LOGIN"))
	}
	for i := range 14 {
		known := ask([]string{"editor", "editor@example.org"}[i%2], fmt.Sprintf("198.%d.100.7", i))
		unknown := ask([]string{"nobody", "nobody@example.org"}[i%2], fmt.Sprintf("198.%d.100.8", i))
		if known != unknown {
			t.Errorf("the %dth answers differ:\n%s\n%s", i, known, unknown)
		}
	}
	for range 5 {
		if l := post.Next(); l.To != "editor@example.org" {
			t.Errorf("to %s", l.To)
		}
	}
	ask("author", "198.50.100.7")
	if l := post.Next(); l.To != "author@example.org" {
		t.Errorf("a sixth: %+v", l)
	}
	post.None()
}

// TestForgottenWhileNoMailIsSent: with a mail server that never answers, and more requests than may wait for it, every answer is the
// same, whoever has an account; and people of other sites get theirs.
func TestForgottenWhileNoMailIsSent(t *testing.T) {
	t.Parallel()
	sender, err := mail.New(mailtest.Silent(t), "calendar@example.org")
	if err != nil {
		t.Fatal(err)
	}
	k := kit.New(t, kit.BehindProxy(), func(c *server.Config) { c.Post = sender })
	k.Tries = time.Now()
	k.Site("other")
	answers := map[string]int{}
	for i := range 120 {
		login := []string{"editor", "author", "contributor", "administrator"}[i%4]
		if i >= 16 {
			login = fmt.Sprint("nobody-", i)
		}
		p := k.Browser().Post("/admin/forgotten", url.Values{"login": {login}}, "X-Forwarded-For", fmt.Sprintf("198.%d.100.7", i))
		answers[fmt.Sprint(p.Status, strings.ReplaceAll(p.Body, login, "LOGIN"))]++
	}
	if len(answers) != 1 {
		t.Errorf("%d different answers", len(answers))
		for answer, n := range answers {
			t.Logf("%d times %.300s", n, answer)
		}
	}
	b := k.Browser()
	b.Host = "other.localhost"
	if p := b.Post("/admin/forgotten", url.Values{"login": {"editor"}}, "X-Forwarded-For", "203.0.113.9"); p.Status != 200 {
		t.Errorf("another site: %d", p.Status)
	}
}

// TestAdminForgottenTwice: who asks again, or a stranger who asks in their name, takes no
// link away; using one does.
func TestAdminForgottenTwice(t *testing.T) {
	t.Parallel()
	k, post := kit.Mailed(t)
	k.Password("editor")
	link := func() string {
		t.Helper()
		if p := k.Browser().Post("/admin/forgotten", url.Values{"login": {"editor"}}); p.Status != 200 {
			t.Fatalf("%d", p.Status)
		}
		return inSite(welcomeLink.FindString(post.Next().Text))
	}
	over := link()
	k.Change("demo", "UPDATE vouchers SET expires_at = now() - interval '1 second'")
	first, second := link(), link()
	if got := k.Peek("demo", "SELECT count(*)::text FROM vouchers WHERE site_id = 1"); got != "2" {
		t.Errorf("%s vouchers are kept", got)
	}
	n := k.Browser()
	page := n.Get(first)
	if p := k.Browser().Get(second); page.Status != 200 || p.Status != 200 || k.Browser().Get(over).Status != 410 {
		t.Fatalf("the first: %d, the second: %d", page.Status, p.Status)
	}
	if p := n.Post("/admin/welcome", url.Values{"code": {page.Hidden("code")}, "password": {"a new long password"}, "again": {"a new long password"}}); p.Status != 303 {
		t.Errorf("reset: %d %s", p.Status, p.Body)
	}
	if p := k.Browser().Get(second); p.Status != 410 {
		t.Errorf("after it was used, the other: %d", p.Status)
	}
}

func TestAdminInvitationByMail(t *testing.T) {
	t.Parallel()
	k, post := kit.Mailed(t)
	k.Exec("UPDATE sites SET language = 'de' WHERE slug = 'demo'")
	k.Platform.Forget(k.Sites["demo"].ID)
	b := k.Person("administrator")
	b.Cookies["kalends-language"] = "en"
	b.Get("/admin/users/new")
	p := b.Post("/admin/users/new", url.Values{"do": {"save"}, "handle": {"gast"}, "email": {"gast@example.org"}, "role": {"author"},
		"confirm": {kit.AdminPassword}})
	letter := post.Next()
	if p.Status != 303 || welcomeLink.MatchString(b.Follow().Body) || !b.Page.Shows("gast (gast@example.org) is invited.") {
		t.Errorf("%d %s", p.Status, b.Page.Body)
	}
	if letter.To != "gast@example.org" || letter.Subject != "demo: Ihre Einladung" || welcomeLink.FindString(letter.Text) == "" {
		t.Errorf("%+v", letter)
	}
	k.Peek("demo", "WITH a AS (UPDATE users SET name = 'Rosa Stein' WHERE login = 'administrator' RETURNING 1) SELECT count(*)::text FROM a")
	b.Post("/admin/users/new", url.Values{"do": {"save"}, "handle": {"zweiter"}, "email": {"zweiter@example.org"}, "role": {"author"}, "confirm": {kit.AdminPassword}})
	if letter = post.Next(); !strings.Contains(letter.Text, "Rosa Stein lädt Sie ein, am Kalender „demo“ mitzuarbeiten.") || !strings.HasSuffix(strings.TrimSpace(letter.Text), "\nhttp://localhost/admin") {
		t.Errorf("who invites, and where to sign in later:\n%s", letter.Text)
	}
	p = b.Post("/admin/users/new", url.Values{"do": {"save"}, "handle": {"refused"}, "email": {"refused@example.org"}, "role": {"author"},
		"confirm": {kit.AdminPassword}})
	if p.Status != 200 || !p.Shows("could not be sent") || !welcomeLink.MatchString(p.Body) {
		t.Errorf("refused: %d", p.Status)
	}
}

func TestAdminForgottenWithoutMail(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Browser()
	if p := b.Get("/admin/login"); !p.Shows(`href="/admin/forgotten"`) {
		t.Error("no way there")
	}
	if p := b.Get("/admin/forgotten"); p.Status != 200 || !p.Shows("Ask an administrator") || p.Shows(`name="login"`) {
		t.Errorf("%d %s", p.Status, p.Body)
	}
	if p := b.Post("/admin/forgotten", url.Values{"login": {"editor"}}); p.Status != 200 {
		t.Errorf("%d", p.Status)
	}
	if got := k.Peek("demo", "SELECT count(*)::text FROM vouchers WHERE site_id = 1"); got != "0" {
		t.Error("a voucher nobody gets")
	}
}
