package server_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/mail"
	"github.com/kalends/kalends/mail/mailtest"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage/storagetest"
)

// A sign-in that the database breaks off is no guess, and guesses are counted all
// the same while it does.
func TestSignInTriesWithoutDatabase(t *testing.T) {
	t.Parallel()
	database := storagetest.Database(t)
	wire, address := newWire(t, database)
	k := newKitOn(t, address)
	k.url = database
	k.password("editor")
	k.clock = time.Now().UTC().Truncate(time.Second)
	broken := func(password string) (guessed int) {
		t.Helper()
		for n := range 8 {
			wire.cut(n)
			p := k.browser().signIn("editor", password)
			wire.mend()
			k.db.Reset()
			switch p.Status {
			case http.StatusUnprocessableEntity:
				guessed++
			case http.StatusServiceUnavailable, http.StatusSeeOther, http.StatusTooManyRequests:
			default:
				t.Fatalf("after %d round trips: %d %.300s", n, p.Status, p.Body)
			}
		}
		return guessed
	}
	for range 3 {
		broken(adminPassword)
	}
	if p := k.browser().signIn("editor", adminPassword); p.Status != http.StatusSeeOther {
		t.Fatalf("nobody has guessed: %d %.300s", p.Status, p.Body)
	}
	guesses := 0
	for range 3 {
		guesses += broken("not it at all")
	}
	for guesses < 9 && k.browser().signIn("editor", "nor this").Status == http.StatusUnprocessableEntity {
		guesses++
	}
	if guesses != 5 {
		t.Errorf("%d guesses told of, want as many as without breaks: 5", guesses)
	}
}

// Whatever takes a try gives it back when the database breaks it off: nobody has
// guessed, and nobody has to wait.
func TestTriesWithoutDatabase(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ready  func(k *kit) func() page // what tries once
		counts bool                     // also when it comes to something
	}{
		"a passkey":            {triesPasskey, false},
		"a new passkey":        {triesNewPasskey, false},
		"the console":          {triesConsole, false},
		"a new password":       {triesPassword, false},
		"another address":      {triesPerson, false},
		"the lobby":            {triesLobby, false},
		"a password forgotten": {triesForgotten, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			database, post := storagetest.Database(t), mailtest.New(t)
			sender, err := mail.New(post.URL, "calendar@example.org")
			if err != nil {
				t.Fatal(err)
			}
			wire, address := newWire(t, database)
			k := newKitOn(t, address, func(c *server.Config) { c.Post = sender })
			k.url = database
			try := c.ready(k)
			k.clock = time.Now().UTC().Truncate(time.Second)
			broken := 0
			for range 3 {
				for n := range 10 {
					wire.cut(n)
					p := try()
					wire.mend()
					k.db.Reset()
					switch {
					case p.Status == http.StatusServiceUnavailable:
						broken++
						if text := p.Body; strings.Contains(text, "pgconn") || strings.Contains(text, "dial tcp") || strings.Contains(text, "database doesn't") {
							t.Errorf("an error is shown: %.2000s", text)
						}
					case p.Status >= http.StatusBadRequest:
						t.Fatalf("after %d round trips and %d breaks: %d %.500s", n, broken, p.Status, p.Body)
					}
					if p.Status < http.StatusBadRequest && c.counts {
						break
					}
				}
			}
			if broken < 3 {
				t.Errorf("broken off %d times", broken)
			}
			if p := try(); p.Status >= http.StatusBadRequest {
				t.Errorf("after %d breaks: %d %.500s", broken, p.Status, p.Body)
			}
		})
	}
}

func triesPasskey(k *kit) func() page {
	d := newDevice(k, "localhost")
	k.person("editor").register(d)
	return func() page {
		b := k.browser()
		question := b.post("/admin/login/passkey/options", url.Values{})
		if question.Status != http.StatusOK {
			return question
		}
		return b.passkey(d.signed(k, question.Body))
	}
}

func triesNewPasskey(k *kit) func() page {
	b := k.person("editor")
	b.get("/admin/profile")
	return func() page { return b.post("/admin/profile/passkey", url.Values{"confirm": {adminPassword}}) }
}

func triesConsole(k *kit) func() page {
	return func() page { return k.browser().post("/admin/provider/login", url.Values{"password": {providerToken}}) }
}

// triesPassword changes nothing: that would end the session.
func triesPassword(k *kit) func() page {
	b := k.person("editor")
	b.get("/admin/profile")
	return func() page {
		p := b.post("/admin/profile", url.Values{"do": {"password"}, "old": {adminPassword}, "password": {"short"}, "again": {"short"}})
		if p.Status == http.StatusUnprocessableEntity && !p.shows("id=\"p-old\"") {
			p.Status = http.StatusOK
		}
		return p
	}
}

func triesPerson(k *kit) func() page {
	b := k.person("editor")
	b.get("/admin/profile")
	return func() page {
		return b.post("/admin/profile", url.Values{"do": {"person"}, "name": {"E. Ditor"}, "email": {"editor@example.org"}, "present": {adminPassword}})
	}
}

func triesLobby(k *kit) func() page {
	k.password("editor")
	return func() page {
		b := k.browser()
		return b.post("/admin/sites", url.Values{"email": {"editor@example.org"}, "password": {adminPassword}})
	}
}

func triesForgotten(k *kit) func() page {
	return func() page { return k.browser().post("/admin/forgotten", url.Values{"login": {"editor"}}) }
}

// The page of an event's password says that the database doesn't answer, keeps
// nothing of the password, and asks for it once more.
func TestPasswordOfEventWithoutDatabase(t *testing.T) {
	t.Parallel()
	database := storagetest.Database(t)
	wire, address := newWire(t, database)
	k := newKitOn(t, address)
	k.event(map[string]any{"title": "Kept", "slug": "kept", "post_password": "open sesame"})
	b := k.browser()
	b.cookies["kalends-language"] = "de"
	b.get("/en/event/kept/")
	for n := 0; ; n++ {
		wire.cut(n)
		p := b.post("/en/event/kept/", url.Values{"password": {"open sesame"}})
		wire.mend()
		k.db.Reset()
		if p.Status == http.StatusOK && n > 0 {
			if !p.shows("Kept") {
				t.Errorf("opened: %.500s", p.Body)
			}
			return
		}
		if p.Status != http.StatusServiceUnavailable || !p.shows(`action="/en/event/kept/"`) || !p.shows("is not kept") || strings.Contains(p.Body, "sesame") || n > 30 {
			t.Fatalf("after %d round trips: %d %.2000s", n, p.Status, p.Body)
		}
	}
}

// Who comes from the lobby and finds the database gone goes on from the page that
// says so; a page elsewhere sends nobody in.
func TestArrivalWithoutDatabase(t *testing.T) {
	t.Parallel()
	database := storagetest.Database(t)
	wire, address := newWire(t, database)
	k := newKitOn(t, address)
	b, pass := k.doors()
	b.choose("two", pass)
	wire.cut(0)
	in := k.arrive("two.localhost", pass, "http://localhost")
	other := k.arrive("two.localhost", pass, "https://evil.example")
	wire.mend()
	k.db.Reset()
	if in.page.Status != http.StatusServiceUnavailable || !in.page.shows(pass) {
		t.Fatalf("broken off: %d %.2000s", in.page.Status, in.page.Body)
	}
	if other.page.Status < 400 || other.page.shows(pass) {
		t.Errorf("from elsewhere: %d %.500s", other.page.Status, other.page.Body)
	}
	if p := in.post("/admin/arrive", url.Values{"pass": {pass}}); p.Status != http.StatusSeeOther || in.cookies["kalends"] == "" {
		t.Errorf("sent again: %d %.500s", p.Status, p.Body)
	}
}
