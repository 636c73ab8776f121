package admin

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/internal/mail/mailtest"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage/storagetest"
)

// A sign-in interrupted by a database failure is not a guess, and guesses during the failure are counted.
func TestSignInTriesWithoutDatabase(t *testing.T) {
	t.Parallel()
	database := storagetest.Database(t)
	wire, address := kit.NewWire(t, database)
	k := kit.NewOn(t, address)
	k.URL = database
	k.Password("editor")
	k.Clock = time.Now().UTC().Truncate(time.Second)
	broken := func(password string) (guessed int) {
		t.Helper()
		for n := range 8 {
			wire.Cut(n)
			p := k.Browser().SignIn("editor", password)
			wire.Mend()
			k.DB.Reset()
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
		broken(kit.AdminPassword)
	}
	if p := k.Browser().SignIn("editor", kit.AdminPassword); p.Status != http.StatusSeeOther {
		t.Fatalf("nobody has guessed: %d %.300s", p.Status, p.Body)
	}
	guesses := 0
	for range 3 {
		guesses += broken("not it at all")
	}
	for guesses < 9 && k.Browser().SignIn("editor", "nor this").Status == http.StatusUnprocessableEntity {
		guesses++
	}
	if guesses != 5 {
		t.Errorf("%d guesses told of, want as many as without breaks: 5", guesses)
	}
}

// An attempt interrupted by a database failure is given back, so that nobody has to wait.
func TestTriesWithoutDatabase(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ready  func(k *kit.Kit) func() kit.Page // what tries once
		counts bool                             // also when it comes to something
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
			wire, address := kit.NewWire(t, database)
			k := kit.NewOn(t, address, func(c *server.Config) { c.Post = sender })
			k.URL = database
			try := c.ready(k)
			k.Clock = time.Now().UTC().Truncate(time.Second)
			broken := 0
			for range 3 {
				for n := range 10 {
					wire.Cut(n)
					p := try()
					wire.Mend()
					k.DB.Reset()
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

func triesPasskey(k *kit.Kit) func() kit.Page {
	d := kit.NewDevice(k, "localhost")
	k.Person("editor").Register(d)
	return func() kit.Page {
		b := k.Browser()
		question := b.Post("/admin/login/passkey/options", url.Values{})
		if question.Status != http.StatusOK {
			return question
		}
		return b.Passkey(d.Signed(k, question.Body))
	}
}

func triesNewPasskey(k *kit.Kit) func() kit.Page {
	b := k.Person("editor")
	b.Get("/admin/profile")
	return func() kit.Page { return b.Post("/admin/profile/passkey", url.Values{"confirm": {kit.AdminPassword}}) }
}

func triesConsole(k *kit.Kit) func() kit.Page {
	return func() kit.Page {
		return k.Browser().Post("/admin/provider/login", url.Values{"password": {kit.ProviderToken}})
	}
}

// triesPassword submits an invalid change, because a valid one would end the session.
func triesPassword(k *kit.Kit) func() kit.Page {
	b := k.Person("editor")
	b.Get("/admin/profile")
	return func() kit.Page {
		p := b.Post("/admin/profile", url.Values{"do": {"password"}, "old": {kit.AdminPassword}, "password": {"short"}, "again": {"short"}})
		if p.Status == http.StatusUnprocessableEntity && !p.Shows("id=\"p-old\"") {
			p.Status = http.StatusOK
		}
		return p
	}
}

func triesPerson(k *kit.Kit) func() kit.Page {
	b := k.Person("editor")
	b.Get("/admin/profile")
	return func() kit.Page {
		return b.Post("/admin/profile", url.Values{"do": {"person"}, "name": {"E. Ditor"}, "email": {"editor@example.org"}, "present": {kit.AdminPassword}})
	}
}

func triesLobby(k *kit.Kit) func() kit.Page {
	k.Password("editor")
	return func() kit.Page {
		b := k.Browser()
		return b.Post("/admin/sites", url.Values{"email": {"editor@example.org"}, "password": {kit.AdminPassword}})
	}
}

func triesForgotten(k *kit.Kit) func() kit.Page {
	return func() kit.Page { return k.Browser().Post("/admin/forgotten", url.Values{"login": {"editor"}}) }
}

// The password page of an event reports a database failure, does not keep the password, and asks for it again, whether
// or not the site is still remembered.
func TestPasswordOfEventWithoutDatabase(t *testing.T) {
	t.Parallel()
	for name, passes := range map[string]time.Duration{"the site is remembered": 0, "the site is looked up": time.Minute} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wire, address := kit.NewWire(t, storagetest.Database(t))
			k := kit.NewOn(t, address)
			k.Tries = time.Now()
			k.Event(map[string]any{"title": "Kept", "slug": "kept", "post_password": "open sesame"})
			b := k.Browser()
			b.Cookies["kalends-language"] = "de"
			b.Get("/en/event/kept/")
			for n := 0; ; n++ {
				k.Tries = k.Tries.Add(passes)
				wire.Cut(n)
				p := b.Post("/en/event/kept/", url.Values{"password": {"open sesame"}})
				wire.Mend()
				k.DB.Reset()
				if p.Status == http.StatusOK && n > 0 {
					if !p.Shows("Kept") {
						t.Errorf("opened: %.500s", p.Body)
					}
					return
				}
				if p.Status != http.StatusServiceUnavailable || !p.Shows(`action="/en/event/kept/"`) || !p.Shows("could not be checked") || strings.Contains(p.Body, "sesame") || n > 30 {
					t.Fatalf("after %d round trips: %d %.2000s", n, p.Status, p.Body)
				}
			}
		})
	}
}

// A user who comes from the lobby during a database failure continues from the error page; forms on other pages are
// rejected.
func TestArrivalWithoutDatabase(t *testing.T) {
	t.Parallel()
	database := storagetest.Database(t)
	wire, address := kit.NewWire(t, database)
	k := kit.NewOn(t, address)
	b, pass := doors(k)
	b.Choose("two", pass)
	wire.Cut(0)
	in := k.Arrive("two.localhost", pass, "http://localhost")
	other := k.Arrive("two.localhost", pass, "https://evil.example")
	wire.Mend()
	k.DB.Reset()
	if in.Page.Status != http.StatusServiceUnavailable || !in.Page.Shows(pass) {
		t.Fatalf("broken off: %d %.2000s", in.Page.Status, in.Page.Body)
	}
	if other.Page.Status < 400 || other.Page.Shows(pass) {
		t.Errorf("from elsewhere: %d %.500s", other.Page.Status, other.Page.Body)
	}
	if p := in.Post("/admin/arrive", url.Values{"pass": {pass}}); p.Status != http.StatusSeeOther || in.Cookies["kalends"] == "" {
		t.Errorf("sent again: %d %.500s", p.Status, p.Body)
	}
}
