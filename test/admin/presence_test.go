package admin

import (
	"maps"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/test/kit"
)

// confirmed requests a challenge for the signed-in user and signs it.
func confirmed(b *kit.Browser, d *kit.Device) string {
	b.K.T.Helper()
	p := b.Post("/admin/profile/confirm", url.Values{})
	if p.Status != 200 {
		b.K.T.Fatalf("question: %d %s", p.Status, p.Body)
	}
	return d.Signed(b.K, p.Body)
}

// deeds are the actions that require more than a session, with a check that they were done.
func deeds(key string) map[string]struct {
	path, sql string
	form      url.Values
} {
	return map[string]struct {
		path, sql string
		form      url.Values
	}{
		"a key":      {"/admin/access", "SELECT count(*)::text FROM credentials WHERE name = 'Robot'", url.Values{"do": {"save"}, "name": {"Robot"}, "kind": {"api_key"}}},
		"an address": {"/admin/profile", "SELECT count(*)::text FROM users WHERE email = 'new@example.org'", url.Values{"do": {"person"}, "name": {"E"}, "email": {"new@example.org"}}},
		"a password": {"/admin/profile", "SELECT count(*)::text FROM changes WHERE kind = 'user' AND before ? 'password' AND via = 'session'",
			url.Values{"do": {"password"}, "password": {"a new long password"}, "again": {"a new long password"}}},
		"a removal": {"/admin/profile", "SELECT (1 - count(*))::text FROM passkeys", url.Values{"do": {"passkey.remove"}, "passkey": {key}, "sure": {"1"}}},
	}
}

// Adding or removing credentials requires a passkey signature for that purpose or the password; other signatures are
// rejected, and none is accepted twice.
func TestPresence(t *testing.T) {
	t.Parallel()
	for name := range deeds("") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New(t)
			k.Tries = time.Now()
			b, d := k.Person("editor"), kit.NewDevice(k, "localhost")
			b.Register(d)
			other, others := k.Person("author"), kit.NewDevice(k, "localhost")
			other.Register(others)
			deed := deeds(b.Get("/admin/profile").Hidden("passkey"))[name]
			deed.sql = strings.Replace(deed.sql, "FROM passkeys", "FROM passkeys WHERE user_id = 2", 1)
			send := func(credential string) kit.Page {
				b.Get("/admin/profile")
				form := url.Values{"credential": {credential}, "once": {newOnce()}}
				maps.Copy(form, deed.form)
				return b.Post(deed.path, form)
			}
			stranger := *others
			stranger.Handle = d.Handle
			login := func() string { return d.Signed(k, b.Question()) }
			adding := func() string {
				return d.Signed(k, b.Post("/admin/profile/passkey", url.Values{"confirm": {kit.AdminPassword}}).Body)
			}
			elsewhere := *d
			elsewhere.Origin = "https://evil.example"
			for what, credential := range map[string]func() string{
				"made up": func() string { confirmed(b, d); return "{}" }, "nothing": func() string { return "" },
				"signed to sign in": login, "signed to add a passkey": adding,
				"somebody else's":  func() string { return confirmed(b, &stranger) },
				"theirs, to them":  func() string { return confirmed(other, others) },
				"for another page": func() string { return confirmed(b, &elsewhere) },
			} {
				k.Change("demo", "DELETE FROM attempts")
				b.Get("/admin/profile")
				if p := send(credential()); p.Status != 422 {
					t.Errorf("%s: %d", what, p.Status)
				}
				if n := k.Peek("demo", deed.sql); n != "0" {
					t.Errorf("%s: done", what)
				}
			}
			d.Count += 10
			k.Change("demo", "DELETE FROM attempts")
			b.Get("/admin/profile")
			credential := confirmed(b, d)
			if p := send(credential); p.Status >= 400 {
				t.Fatalf("the passkey: %d %s", p.Status, p.Body)
			}
			if n := k.Peek("demo", deed.sql); n != "1" {
				t.Errorf("not done: %s", n)
			}
			k.Change("demo", "DELETE FROM credentials WHERE name = 'Robot'; UPDATE users SET email = 'old@example.org' WHERE login = 'editor'")
			if p := send(credential); p.Status != 422 && name != "a removal" {
				t.Errorf("a second time: %d", p.Status)
			}
		})
	}
}

// A signature for confirmation neither signs anybody in nor adds a passkey.
func TestQuestionsHaveAPurpose(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Tries = time.Now()
	b, d := k.Person("editor"), kit.NewDevice(k, "localhost")
	b.Register(d)
	b.Get("/admin/profile")
	fresh := kit.NewDevice(k, "localhost")
	question := b.Post("/admin/profile/confirm", url.Values{}).Body
	fresh.Made(k, strings.Replace(question, "{", `{"user":{"id":"AAAAAAAAAAI"},`, 1))
	made := fresh.Made(k, strings.Replace(question, "{", `{"user":{"id":"AAAAAAAAAAI"},`, 1))
	if p := b.Post("/admin/profile", url.Values{"do": {"passkey"}, "passkey_name": {"Thief"}, "credential": {made}}); p.Status != 422 {
		t.Errorf("a passkey of a question to confirm: %d", p.Status)
	}
	b.Get("/admin/profile")
	if p := b.Passkey(confirmed(b, d)); p.Status != 422 {
		t.Errorf("a sign-in by an answer that confirms: %d", p.Status)
	}
	if n := k.Peek("demo", "SELECT count(*)::text FROM passkeys"); n != "1" {
		t.Errorf("%s passkeys", n)
	}
	for range 5 {
		b.Get("/admin/profile")
		b.Post("/admin/profile/confirm", url.Values{})
	}
	if p := b.Post("/admin/profile/confirm", url.Values{}); p.Status != 429 || p.Header.Get("Retry-After") == "" {
		t.Errorf("many questions: %d", p.Status)
	}
}

// A user without password confirms with a passkey, sees no password field, and cannot remove their last credential.
func TestPresenceWithoutPassword(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Person("editor").Register(kit.NewDevice(k, "localhost"))
	d := kit.NewDevice(k, "localhost")
	b := k.Browser()
	k.Change("demo", "DELETE FROM passkeys")
	first := k.Person("editor")
	first.Register(d)
	k.Change("demo", "UPDATE users SET password_hash = '' WHERE login = 'editor'")
	if p := b.Passkey(d.Signed(k, b.Question())); p.Status != 303 {
		t.Fatalf("sign in: %d", p.Status)
	}
	p := b.Get("/admin/profile")
	if p.Shows(`name="old"`) || p.Shows(`name="confirm"`) || !p.Shows("You have no password") || !p.Shows("Change password – with a passkey") {
		t.Errorf("profile: %s", p.Body)
	}
	key := p.Hidden("passkey")
	if p := b.Post("/admin/profile", url.Values{"do": {"passkey.remove"}, "passkey": {key}, "sure": {"1"}, "confirm": {""}}); p.Status != 422 {
		t.Errorf("by no password: %d", p.Status)
	}
	if p := b.Post("/admin/profile", url.Values{"do": {"passkey.remove"}, "passkey": {key}, "sure": {"1"}, "credential": {confirmed(b, d)}}); p.Status != 422 ||
		!p.Shows("your only way to sign in") {
		t.Errorf("the last way in: %d %s", p.Status, p.Body)
	}
	b.Get("/admin/access")
	if p := b.Post("/admin/access", url.Values{"do": {"save"}, "name": {"Robot"}, "kind": {"api_key"}, "once": {newOnce()}, "credential": {confirmed(b, d)}}); p.Status != 200 {
		t.Errorf("a key: %d", p.Status)
	}
	b.Get("/admin/profile")
	second := kit.NewDevice(k, "localhost")
	question := b.Post("/admin/profile/passkey", url.Values{"credential": {confirmed(b, d)}})
	if question.Status != 200 {
		t.Fatalf("another passkey: %d %s", question.Status, question.Body)
	}
	if p := b.Post("/admin/profile", url.Values{"do": {"passkey"}, "passkey_name": {"Second"}, "credential": {second.Made(k, question.Body)}}); p.Status != 303 {
		t.Errorf("another passkey: %d", p.Status)
	}
	b.Get("/admin/profile")
	if p := b.Post("/admin/profile", url.Values{"do": {"password"}, "password": {"a new long password"}, "again": {"a new long password"},
		"credential": {confirmed(b, second)}}); p.Status != 303 {
		t.Errorf("a password: %d %s", p.Status, p.Body)
	}
}

// A password change offers to revoke keys and passkeys with their numbers, and a reset does so by default. Those of
// others are unaffected, and the history records what was revoked.
func TestNewPasswordCuts(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	b.Register(kit.NewDevice(k, "localhost"))
	authorization, _ := k.Key(2, false)
	p := b.Get("/admin/profile")
	if !p.Shows("Revoke my keys (2)") || !p.Shows("Remove my passkeys (1)") || ticked(p, "cut_keys") || ticked(p, "cut_passkeys") {
		t.Errorf("profile: %s", p.Body)
	}
	change := func(old, password string, more url.Values) kit.Page {
		b.Get("/admin/profile")
		form := url.Values{"do": {"password"}, "old": {old}, "password": {password}, "again": {password}}
		maps.Copy(form, more)
		return b.Post("/admin/profile", form)
	}
	if p := change(kit.AdminPassword, "a second long password", nil); p.Status != 303 {
		t.Fatalf("changed: %d", p.Status)
	}
	k.Get("/events", authorization).Want(t, 200, "")
	if p := change("a second long password", "a third long password", url.Values{"cut_keys": {"0", "1"}, "cut_passkeys": {"0"}}); p.Status != 303 {
		t.Fatalf("changed: %d", p.Status)
	}
	k.Get("/events", authorization).Want(t, 401, "rest_invalid_credentials")
	if n := k.Peek("demo", "SELECT count(*)::text FROM credentials WHERE user_id = 2"); n != "0" {
		t.Errorf("%s keys are left", n)
	}
	if n := k.Peek("demo", "SELECT count(*)::text FROM passkeys"); n != "1" {
		t.Errorf("%s passkeys are left", n)
	}
	if n := k.Peek("demo", "SELECT count(*)::text FROM credentials"); n != "4" {
		t.Errorf("%s keys of others", n)
	}
	if n := k.Peek("demo", "SELECT string_agg(before->>'name', ' ' ORDER BY id) FROM changes WHERE kind = 'key' AND action = 'delete' AND who = 'editor'"); n != "editor test" {
		t.Errorf("the history says %q", n)
	}

	authorization, _ = k.Key(2, false)
	ctx, err := tenancy.Enter(tenancy.AsProvider(t.Context(), tenancy.Provider{Name: "test"}), k.Sites["demo"])
	k.Must(err)
	for i, c := range []struct {
		cut      url.Values
		status   int
		passkeys string
	}{{url.Values{"cut_keys": {"0"}, "cut_passkeys": {"0"}}, 200, "1"}, {nil, 401, "0"}} {
		_, token, _, err := k.Platform.Vouchers.Give(ctx, 2)
		k.Must(err)
		guest := k.Browser()
		p := guest.Get("/admin/welcome?code=" + token)
		if !p.Shows("Revoke my keys (1)") || !p.Shows("Remove my passkeys (1)") || !ticked(p, "cut_keys") || !ticked(p, "cut_passkeys") {
			t.Errorf("reset %d: %s", i, p.Body)
		}
		form := kit.FormAt(p, `<form class="stack" method="post" action="/admin/welcome"`)
		maps.Copy(form, c.cut)
		form.Set("password", "a fourth long password")
		form.Set("again", "a fourth long password")
		if p := guest.Post("/admin/welcome", form); p.Status != 303 {
			t.Fatalf("reset %d: %d %s", i, p.Status, p.Body)
		}
		if a := k.Get("/events", authorization); a.Status != c.status {
			t.Errorf("reset %d: the key gives %d", i, a.Status)
		}
		if n := k.Peek("demo", "SELECT count(*)::text FROM passkeys"); n != c.passkeys {
			t.Errorf("reset %d: %s passkeys", i, n)
		}
	}
	invited, err := k.Platform.Users.Invite(ctx, &accounts.UserFields{Login: args.Some("guest"), Email: args.Some(args.Email("guest@example.org")), Role: args.Some("author")})
	k.Must(err)
	_, token, _, err := k.Platform.Vouchers.Give(ctx, invited.ID)
	k.Must(err)
	if p := k.Browser().Get("/admin/welcome?code=" + token); p.Shows("cut_keys") {
		t.Error("an invitation offers to revoke keys")
	}
}

// ticked reports whether a box of a page is ticked.
func ticked(p kit.Page, name string) bool {
	_, rest, _ := strings.Cut(p.Body, `id="f-`+name+`"`)
	tag, _, _ := strings.Cut(rest, ">")
	return strings.Contains(tag, "checked")
}
