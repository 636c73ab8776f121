package admin

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/test/kit"
)

// Strangers who guess at an account from many networks have to wait, all of them together. They don't keep its owner out of a browser in
// which they have signed in before, and the owner is told, once.
func TestStrangersDontLockTheOwnerOut(t *testing.T) {
	t.Parallel()
	k, post := kit.Mailed(t, kit.BehindProxy())
	k.Tries = time.Now()
	owner := k.Person("editor")
	refused := 0
	for i := range 70 {
		p := k.Browser().Post("/admin/login", url.Values{"login": {"editor"}, "password": {fmt.Sprint("guess ", i)}}, "X-Forwarded-For", fmt.Sprintf("198.%d.100.7", i))
		if p.Status == 429 {
			refused++
		}
	}
	if refused < 15 {
		t.Errorf("%d of 70 guesses are refused", refused)
	}
	letter := post.Next()
	if letter.To != "editor@example.org" || !strings.Contains(letter.Text, "Many wrong passwords") || !strings.Contains(letter.Text, "/admin/forgotten") {
		t.Errorf("the letter: %+v", letter)
	}
	post.None()
	if p := k.Browser().Post("/admin/login", url.Values{"login": {"editor"}, "password": {kit.AdminPassword}}, "X-Forwarded-For", "203.0.113.77"); p.Status != 429 {
		t.Errorf("a strange browser: %d", p.Status)
	}
	delete(owner.Cookies, "kalends")
	if p := owner.SignIn("editor", kit.AdminPassword); p.Status != 303 {
		t.Errorf("the owner's browser: %d", p.Status)
	}
	wrong := 0
	for range 15 {
		delete(owner.Cookies, "kalends")
		if owner.SignIn("editor", "wrong").Status == 422 {
			wrong++
		}
	}
	if wrong == 0 || wrong > 10 {
		t.Errorf("a known browser names %d wrong passwords", wrong)
	}
	other := k.Person("author")
	other.Cookies["kalends-device"] = owner.Cookies["kalends-device"]
	delete(other.Cookies, "kalends")
	if p := other.Post("/admin/login", url.Values{"login": {"author"}, "password": {"wrong"}}, "X-Forwarded-For", "203.0.113.78"); p.Status != 422 {
		t.Errorf("another's token: %d", p.Status)
	}
	for _, forged := range []string{"x", "a.b.c", strings.Replace(owner.Cookies["kalends-device"], ".", ".A", 1)} {
		b := k.Browser()
		b.Cookies["kalends-device"] = forged
		if p := b.Post("/admin/login", url.Values{"login": {"editor"}, "password": {kit.AdminPassword}}, "X-Forwarded-For", "203.0.113.79"); p.Status != 429 {
			t.Errorf("a forged token: %d", p.Status)
		}
	}
}

// The owner of an account is told, at the address that they had, of another password or e-mail address and of a new key, whoever made
// it; in their language. A person who is invited and chooses a first password is not.
func TestOwnersAreTold(t *testing.T) {
	t.Parallel()
	k, post := kit.Mailed(t)
	ctx, err := tenancy.Enter(tenancy.AsProvider(t.Context(), tenancy.Provider{}), k.Sites["demo"])
	k.Must(err)
	told := func(about, to, text string) {
		t.Helper()
		if l := post.Next(); l.To != to || !strings.Contains(l.Text, text) || !strings.Contains(l.Text, "/admin/forgotten") || strings.Contains(l.Text, "{{") {
			t.Errorf("%s: %+v", about, l)
		}
	}
	b := k.Person("editor") // who had no password before
	post.None()
	b.Get("/admin/profile")
	b.Post("/admin/profile", url.Values{"do": {"password"}, "old": {kit.AdminPassword}, "password": {"another battery staple"}, "again": {"another battery staple"}})
	told("a password of one's own", "editor@example.org", "password of your account editor")
	b.Get("/admin/profile")
	b.Post("/admin/profile", url.Values{"do": {"person"}, "name": {"Ed"}, "email": {"ed@example.net"}, "present": {"another battery staple"}})
	told("an address", "editor@example.org", "e-mail address")
	page, err := k.Platform.Users.List(ctx, &accounts.UserFilter{Filter: tenancy.Filter{Search: args.Some("ed@example.net")}})
	k.Must(err)
	id := page.Items[0].ID
	_, _, err = k.Platform.Keys.Create(ctx, id, &accounts.KeyFields{Name: args.Some("Buy pills at https://evil.example")})
	k.Must(err)
	if l := post.Next(); l.To != "ed@example.net" || !strings.Contains(l.Text, "new key") || strings.Contains(l.Text, "evil") {
		t.Errorf("a key: %+v", l)
	}
	_, err = k.Platform.Users.Update(ctx, id, &accounts.UserFields{Password: args.Some("battery staple correct"), Email: args.Some(args.Email("third@example.net"))})
	k.Must(err)
	first, second := post.Next(), post.Next()
	if first.To != "ed@example.net" || second.To != "ed@example.net" || !strings.Contains(first.Text+second.Text, "e-mail address") || !strings.Contains(first.Text+second.Text, "The password") {
		t.Errorf("by an administrator: %+v %+v", first, second)
	}
	_, err = k.Platform.Users.Update(ctx, id, &accounts.UserFields{Name: args.Some("Edith")})
	k.Must(err)
	post.None()
}
