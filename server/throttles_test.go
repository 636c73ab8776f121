package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// Sign-in attempts are limited per client and account; login and email address count as one account, and attempts of
// all clients on it are limited, too.
func TestSignInIsThrottled(t *testing.T) {
	t.Parallel()
	k := kit.New(t, kit.BehindProxy())
	k.Password("editor")
	try := func(client, login string) int {
		return k.Browser().Post("/admin/login", url.Values{"login": {login}, "password": {"not it at all"}}, "X-Forwarded-For", client).Status
	}
	begun := time.Now()
	guessed := func(most int, client, login func(n int) string) (count int) {
		k.Change("demo", "DELETE FROM attempts")
		begun = time.Now()
		for n := range most {
			if try(client(n), login(n)) == http.StatusUnprocessableEntity {
				count++
			}
		}
		return count
	}
	tooMany := func(n, most int) bool { // one more comes each half minute, and a slow machine has some
		return n < most || n > most+int(time.Since(begun)/(30*time.Second))+1
	}
	same := func(text string) func(int) string { return func(int) string { return text } }
	nobody := func(n int) string { return fmt.Sprintf("nobody%d", n) }
	if n := guessed(30, same("203.0.113.1"), nobody); tooMany(n, 20) {
		t.Errorf("one client had %d names tried", n)
	}
	if n := guessed(30, func(n int) string { return fmt.Sprintf("2001:db8::%x", n) }, nobody); tooMany(n, 20) {
		t.Errorf("one network of IPv6 had %d names tried", n)
	}
	names := []string{"editor", "editor@example.org", "EDITOR"}
	if n := guessed(12, same("203.0.113.2"), func(n int) string { return names[n%3] }); tooMany(n, 5) {
		t.Errorf("one account had %d passwords tried by one client", n)
	}
	if n := guessed(60, func(n int) string { return fmt.Sprintf("198.51.100.%d", n) }, same("editor")); tooMany(n, 50) {
		t.Errorf("one account had %d passwords tried by many clients", n)
	}
}

// Strangers can add only a limited number of lines to the history with passwords, and none with passkeys that were
// not asked for.
func TestRefusalsAreBounded(t *testing.T) {
	t.Parallel()
	k := kit.New(t, kit.BehindProxy())
	lines := func() string {
		return k.Peek("demo", "SELECT count(*)::text FROM changes WHERE action = 'sign_in_failed'")
	}
	for range 30 {
		if p := k.Browser().Post("/admin/login/passkey", url.Values{"credential": {"{}"}}); p.Status != http.StatusUnprocessableEntity {
			t.Fatalf("an answer to nothing: %d", p.Status)
		}
	}
	if got := lines(); got != "0" {
		t.Errorf("%s lines of answers to nothing", got)
	}
	begun := time.Now()
	for n := range 110 {
		k.Browser().Post("/admin/login", url.Values{"login": {fmt.Sprint(n)}, "password": {"x"}}, "X-Forwarded-For", fmt.Sprintf("198.51.100.%d", n))
	}
	if got, _ := strconv.Atoi(lines()); got < 100 || got > 101+int(time.Since(begun)/(30*time.Second)) {
		t.Errorf("%d lines of 110 clients", got)
	}
}

// Guesses at the password of an event are limited over the API, in lists and on its page together, also when
// concurrent; beyond the limit even the right one is rejected.
func TestGuessesAtEvents(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := k.Event(kit.Object{"title": "Party", "slug": "party", "post_password": "sesame"})
	path := kit.Item("events", id)
	for range 15 {
		k.Get(kit.Query(path, "password", "sesame"), "").Want(t, 200, "") // is no guess
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	tried := 0
	for n := range 30 {
		at := []string{path, "/events", "/events/by-slug/party"}[n%3]
		all.Go(func() {
			a := k.Get(kit.Query(at, "password", fmt.Sprint(n)), "")
			mu.Lock()
			defer mu.Unlock()
			if a.Status != http.StatusTooManyRequests {
				tried++
			} else if a.Header.Get("Retry-After") == "" {
				t.Error("nobody says when to try again")
			}
		})
	}
	all.Wait()
	if tried != 10 {
		t.Errorf("%d guesses were compared", tried)
	}
	k.Get(kit.Query(path, "password", "sesame"), "").Want(t, 429, "rest_too_many_requests")
	if p := k.Browser().Post("/event/party", url.Values{"password": {"sesame"}}); p.Status != http.StatusTooManyRequests {
		t.Errorf("on the page: %d", p.Status)
	}
	k.Get(path, "").Want(t, 403, "event-password-protected")
	for _, filter := range []string{"featured=false", "featured=true", "search=party", "ticketed=false&order=desc", "geoloc=false", "attendance_mode=offline"} {
		k.Clock = k.Clock.Add(time.Minute)
		tried = 0
		for n := range 15 { // which find the event by the right one, so a list without it is an answer, too
			if k.Get(fmt.Sprintf("/events?%s&password=%d", filter, n), "").Status != http.StatusTooManyRequests {
				tried++
			}
		}
		if tried != 10 {
			t.Errorf("%d guesses were compared by %s", tried, filter)
		}
	}
	for _, feed := range []string{"//events.rss?", "//events.atom?", "//events.json?", "//events.ics?", "//events/?ical=1&", "//events.rss?search=party&",
		"//events.ics?search=party&", "/events.ics?", "/events.ics?search=party&"} {
		k.Clock = k.Clock.Add(time.Minute)
		for range 15 {
			k.Get(feed+"password=sesame", "").Want(t, 200, "") // is no guess
		}
		tried = 0
		for n := range 15 {
			if k.Get(fmt.Sprint(feed, "password=", n), "").Status != http.StatusTooManyRequests {
				tried++
			}
		}
		if tried != 10 {
			t.Errorf("%d guesses were compared by %s", tried, feed)
		}
	}
	k.Clock = k.Clock.Add(time.Minute)
	k.Get(kit.Query(path, "password", "sesame"), "").Want(t, 200, "")
}
