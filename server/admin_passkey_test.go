package server_test

import (
	"maps"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestPasskeys(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b, d := k.person("editor"), newDevice(k, "localhost")
	b.get("/admin/profile")
	if p := b.post("/admin/profile/passkey", url.Values{"confirm": {"wrong"}}); p.Status != 422 || !strings.Contains(p.Body, "not your current password") {
		t.Errorf("without the password: %d %s", p.Status, p.Body)
	}
	if p := b.register(d); p.Status != 303 {
		t.Fatalf("register: %d %s", p.Status, p.Body)
	}
	if p := b.follow(); !p.shows("The passkey has been added.") || !p.shows("Phone") || !p.shows("localhost") {
		t.Errorf("profile: %s", p.Body)
	}
	if p := b.register(d); p.Status != 422 || !p.shows("already registered") {
		t.Errorf("the same again: %d", p.Status)
	}
	fresh := k.twin().browser()
	if p := fresh.passkey(d.signed(k, fresh.question())); p.Status != 303 || p.Header.Get("Location") != "/admin/venues" || fresh.cookies["kalends"] == "" {
		t.Fatalf("sign in: %d %s", p.Status, p.Body)
	}
	if p := fresh.follow(); p.Status != 200 || !p.shows(`class="who">editor`) {
		t.Errorf("signed in: %d", p.Status)
	}
	if n := k.peek("demo", "SELECT count(*)::text FROM changes WHERE action = 'sign_in'"); n != "2" {
		t.Errorf("sign-ins in the history: %s", n)
	}
	p := b.get("/admin/profile")
	name := p.hidden("passkey")
	if p := b.post("/admin/profile", url.Values{"do": {"passkey.rename"}, "passkey": {name}, "passkey_name": {" "}}); p.Status != 422 {
		t.Errorf("no name: %d", p.Status)
	}
	b.post("/admin/profile", url.Values{"do": {"passkey.rename"}, "passkey": {name}, "passkey_name": {"Tablet"}})
	if p := b.follow(); !p.shows("Tablet") {
		t.Error("it isn't renamed")
	}
	other := k.person("author")
	other.get("/admin/profile")
	other.post("/admin/profile", url.Values{"do": {"passkey.remove"}, "passkey": {name}, "sure": {"1"}, "confirm": {adminPassword}})
	if n := k.peek("demo", "SELECT count(*)::text FROM passkeys"); n != "1" {
		t.Error("somebody else removed it")
	}
	if p := b.post("/admin/profile", url.Values{"do": {"passkey.remove"}, "passkey": {name}}); p.Status != 200 || !p.shows("Confirm that it is you") {
		t.Errorf("the question before: %d", p.Status)
	}
	if p := b.post("/admin/profile", url.Values{"do": {"passkey.remove"}, "passkey": {name}, "sure": {"1"}, "confirm": {"wrong"}}); p.Status != 422 || !p.shows("not your current password") {
		t.Errorf("removed without the password: %d", p.Status)
	}
	b.post("/admin/profile", url.Values{"do": {"passkey.remove"}, "passkey": {name}, "sure": {"1"}, "confirm": {adminPassword}})
	if p := b.follow(); !p.shows("The passkey has been removed.") || p.shows("Tablet") {
		t.Error("it isn't removed")
	}
	fresh = k.browser()
	if p := fresh.passkey(d.signed(k, fresh.question())); p.Status != 422 || fresh.cookies["kalends"] != "" {
		t.Errorf("the removed one: %d", p.Status)
	}
}

func TestPasskeysRefused(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.tries = time.Now()
	k.site("other")
	d := newDevice(k, "localhost")
	if p := k.person("editor").register(d); p.Status != 303 {
		t.Fatalf("register: %d %s", p.Status, p.Body)
	}
	b := k.browser()
	replayed := d.signed(k, b.question())
	if p := b.passkey(replayed); p.Status != 303 {
		t.Fatalf("sign in: %d", p.Status)
	}
	at := func(host, origin string) *device {
		copied := *d
		copied.host, copied.origin, copied.count = host, origin, 100
		return &copied
	}
	elsewhere := func() *browser { b := k.browser(); b.host = "other.localhost"; return b }
	stranger := newDevice(k, "localhost")
	stranger.handle = d.handle
	forged := *stranger
	forged.id, forged.count = d.id, 100
	for what, try := range map[string]func(b *browser) string{
		"a replayed answer":        func(b *browser) string { b.question(); return replayed },
		"an answer to nothing":     func(*browser) string { return replayed },
		"a page elsewhere":         func(b *browser) string { return at("localhost", "https://evil.example").signed(k, b.question()) },
		"another host":             func(b *browser) string { return at("other.localhost", "http://localhost").signed(k, b.question()) },
		"a question elsewhere":     func(*browser) string { return at("localhost", "http://localhost").signed(k, elsewhere().question()) },
		"an unknown device":        func(b *browser) string { return stranger.signed(k, b.question()) },
		"a forged signature":       func(b *browser) string { return forged.signed(k, b.question()) },
		"a count that stands":      func(b *browser) string { c := *d; c.count--; return c.signed(k, b.question()) },
		"nothing that can be read": func(b *browser) string { b.question(); return "{" },
	} {
		k.exec("SET kalends.site = '1'; DELETE FROM attempts")
		b := k.browser()
		credential := try(b)
		if p := b.passkey(credential); p.Status != 422 || b.cookies["kalends"] != "" || !p.shows("did not work") {
			t.Errorf("%s: %d", what, p.Status)
		}
	}
	there := elsewhere()
	if p := there.passkey(at("other.localhost", "http://other.localhost").signed(k, there.question())); p.Status != 422 || there.cookies["kalends"] != "" {
		t.Errorf("the passkey of another site: %d", p.Status)
	}
	if n := k.peek("demo", "SELECT count(*)::text FROM changes WHERE action = 'sign_in_failed'"); n != "7" { // an answer to no question of this site is no guess
		t.Errorf("failures in the history: %s", n)
	}
	k.exec("SET kalends.site = '1'; DELETE FROM attempts")
	b = k.browser()
	late := d.signed(k, b.question())
	k.exec("SET kalends.site = '1'; UPDATE challenges SET expires_at = now() - interval '1 hour'")
	if p := b.passkey(late); p.Status != 422 {
		t.Errorf("too late: %d", p.Status)
	}
	k.exec("SET kalends.site = '1'; DELETE FROM attempts")
	for range 5 {
		k.browser().question()
	}
	if p := k.browser().post("/admin/login/passkey/options", url.Values{}); p.Status != 429 || p.Header.Get("Retry-After") == "" {
		t.Errorf("many questions: %d", p.Status)
	}
}

// TestPasskeyCountsOnce: the answers to two questions under one count are a
// copied device; whichever node is first takes one of them.
func TestPasskeyCountsOnce(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	d := newDevice(k, "localhost")
	if p := k.person("editor").register(d); p.Status != 303 {
		t.Fatalf("register: %d %s", p.Status, p.Body)
	}
	twin := k.twin()
	var in atomic.Int32
	var all sync.WaitGroup
	for i := range 4 {
		b := k.browser()
		if i%2 == 1 {
			b = twin.browser()
		}
		copied := *d
		credential := copied.signed(k, b.question())
		all.Go(func() {
			one := &browser{k: b.k, host: b.host, cookies: maps.Clone(b.cookies)}
			if one.passkey(credential).Status == 303 {
				in.Add(1)
			}
		})
	}
	all.Wait()
	if in.Load() != 1 {
		t.Errorf("%d of four copies signed in", in.Load())
	}
}

// A form whose session has ended is given another by a device, where it stands.
func TestPasskeyWithinThePage(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b, d := k.person("editor"), newDevice(k, "localhost")
	b.register(d)
	fresh := k.browser()
	if p := fresh.part("/admin/session"); p.Status != 401 || !p.shows(`formaction="/admin/session/passkey"`) || !p.shows(`name="credential"`) {
		t.Fatalf("the form: %d %s", p.Status, p.Body)
	}
	if p := fresh.sendPart("/admin/session/passkey", url.Values{"credential": {d.signed(k, fresh.question())}, "pending": {"/admin/events/new"}}); p.Status != 200 ||
		!strings.HasPrefix(p.Body, `<input type="hidden" name="csrf"`) || fresh.cookies["kalends"] == "" || fresh.cookies["kalends-asked"] != "" {
		t.Fatalf("signed in: %d %v %s", p.Status, fresh.cookies, p.Body)
	}
	if p := fresh.part("/admin/session"); p.Status != 200 {
		t.Errorf("the session: %d", p.Status)
	}
	other := k.browser()
	if p := other.sendPart("/admin/session/passkey", url.Values{"credential": {"made up"}}); p.Status != 422 || !p.shows(`action="/admin/session"`) ||
		!p.shows(`role="alert"`) || strings.Contains(p.Body, "<html") || other.cookies["kalends"] != "" {
		t.Errorf("refused: %d %s", p.Status, p.Body)
	}
	if p := other.post("/admin/session/passkey", url.Values{"credential": {d.signed(k, other.question())}}, "Origin", "https://evil.example"); p.Status != 403 {
		t.Errorf("from a page elsewhere: %d", p.Status)
	}
}
