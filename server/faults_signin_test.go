package server_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

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
			k.db.Pool().Reset()
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
	for range 8 {
		guesses += broken("not it at all")
	}
	if guesses > 5 {
		t.Errorf("%d guesses told of", guesses)
	}
	if p := k.browser().signIn("editor", "nor this"); p.Status != http.StatusTooManyRequests {
		t.Errorf("after %d guesses: %d", guesses, p.Status)
	}
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
		k.db.Pool().Reset()
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
	k.db.Pool().Reset()
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
