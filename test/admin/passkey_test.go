package admin

import (
	"maps"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

func TestPasskeys(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b, d := k.Person("editor"), kit.NewDevice(k, "localhost")
	b.Get("/admin/profile")
	if p := b.Post("/admin/profile/passkey", url.Values{"confirm": {"wrong"}}); p.Status != 422 || !strings.Contains(p.Body, "not your current password") {
		t.Errorf("without the password: %d %s", p.Status, p.Body)
	}
	for range 6 {
		if p := b.Post("/admin/profile/passkey", url.Values{"confirm": {""}}); p.Status != 422 || p.Body != "The field To be safe: the password that you sign in with yourself is required." {
			t.Errorf("with nothing: %d %s", p.Status, p.Body)
		}
	}
	if p := b.Register(d); p.Status != 303 {
		t.Fatalf("register: %d %s", p.Status, p.Body)
	}
	if p := b.Follow(); !p.Shows("The passkey has been added.") || !p.Shows("Phone") || !p.Shows("localhost") {
		t.Errorf("profile: %s", p.Body)
	}
	if p := b.Register(d); p.Status != 422 || !p.Shows("already registered") {
		t.Errorf("the same again: %d", p.Status)
	}
	fresh := k.SecondNode().Browser()
	if p := fresh.Passkey(d.Signed(k, fresh.Question())); p.Status != 303 || p.Header.Get("Location") != "/admin/venues" || fresh.Cookies["kalends"] == "" {
		t.Fatalf("sign in: %d %s", p.Status, p.Body)
	}
	if p := fresh.Follow(); p.Status != 200 || !p.Shows(`class="who">editor`) {
		t.Errorf("signed in: %d", p.Status)
	}
	if n := k.Peek("demo", "SELECT count(*)::text FROM changes WHERE action = 'sign_in'"); n != "2" {
		t.Errorf("sign-ins in the history: %s", n)
	}
	p := b.Get("/admin/profile")
	name := p.Hidden("passkey")
	if p := b.Post("/admin/profile", url.Values{"do": {"passkey.rename"}, "passkey": {name}, "passkey_name": {" "}}); p.Status != 422 {
		t.Errorf("no name: %d", p.Status)
	}
	b.Post("/admin/profile", url.Values{"do": {"passkey.rename"}, "passkey": {name}, "passkey_name": {"Tablet"}})
	if p := b.Follow(); !p.Shows("Tablet") {
		t.Error("it isn't renamed")
	}
	other := k.Person("author")
	other.Get("/admin/profile")
	other.Post("/admin/profile", url.Values{"do": {"passkey.remove"}, "passkey": {name}, "sure": {"1"}, "confirm": {kit.AdminPassword}})
	if n := k.Peek("demo", "SELECT count(*)::text FROM passkeys"); n != "1" {
		t.Error("somebody else removed it")
	}
	if p := b.Post("/admin/profile", url.Values{"do": {"passkey.remove"}, "passkey": {name}}); p.Status != 200 || !p.Shows("Confirm that it is you") {
		t.Errorf("the question before: %d", p.Status)
	}
	if p := b.Post("/admin/profile", url.Values{"do": {"passkey.remove"}, "passkey": {name}, "sure": {"1"}, "confirm": {"wrong"}}); p.Status != 422 || !p.Shows("not your current password") {
		t.Errorf("removed without the password: %d", p.Status)
	}
	b.Post("/admin/profile", url.Values{"do": {"passkey.remove"}, "passkey": {name}, "sure": {"1"}, "confirm": {kit.AdminPassword}})
	if p := b.Follow(); !p.Shows("The passkey has been removed.") || p.Shows("Tablet") {
		t.Error("it isn't removed")
	}
	fresh = k.Browser()
	if p := fresh.Passkey(d.Signed(k, fresh.Question())); p.Status != 422 || fresh.Cookies["kalends"] != "" {
		t.Errorf("the removed one: %d", p.Status)
	}
}

func TestPasskeysRefused(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Tries = time.Now()
	k.Site("other")
	d := kit.NewDevice(k, "localhost")
	unlocked := kit.NewDevice(k, "localhost")
	unlocked.Anyone = true
	if p := k.Person("editor").Register(unlocked); p.Status != 422 {
		t.Errorf("register without verifying the user: %d", p.Status)
	}
	if p := k.Person("editor").Register(d); p.Status != 303 {
		t.Fatalf("register: %d %s", p.Status, p.Body)
	}
	b := k.Browser()
	replayed := d.Signed(k, b.Question())
	if p := b.Passkey(replayed); p.Status != 303 {
		t.Fatalf("sign in: %d", p.Status)
	}
	at := func(host, origin string) *kit.Device {
		copied := *d
		copied.Host, copied.Origin, copied.Count = host, origin, 100
		return &copied
	}
	elsewhere := func() *kit.Browser { b := k.Browser(); b.Host = "other.localhost"; return b }
	stranger := kit.NewDevice(k, "localhost")
	stranger.Handle = d.Handle
	forged := *stranger
	forged.ID, forged.Count = d.ID, 100
	for what, try := range map[string]func(b *kit.Browser) string{
		"a replayed answer":    func(b *kit.Browser) string { b.Question(); return replayed },
		"an answer to nothing": func(*kit.Browser) string { return replayed },
		"a page elsewhere":     func(b *kit.Browser) string { return at("localhost", "https://evil.example").Signed(k, b.Question()) },
		"another host":         func(b *kit.Browser) string { return at("other.localhost", "http://localhost").Signed(k, b.Question()) },
		"a question elsewhere": func(*kit.Browser) string {
			return at("localhost", "http://localhost").Signed(k, elsewhere().Question())
		},
		"an unknown device":        func(b *kit.Browser) string { return stranger.Signed(k, b.Question()) },
		"a forged signature":       func(b *kit.Browser) string { return forged.Signed(k, b.Question()) },
		"a user not verified":      func(b *kit.Browser) string { c := *d; c.Count, c.Anyone = 100, true; return c.Signed(k, b.Question()) },
		"a count that stands":      func(b *kit.Browser) string { c := *d; c.Count--; return c.Signed(k, b.Question()) },
		"nothing that can be read": func(b *kit.Browser) string { b.Question(); return "{" },
	} {
		k.Change("demo", "DELETE FROM attempts")
		b := k.Browser()
		credential := try(b)
		if p := b.Passkey(credential); p.Status != 422 || b.Cookies["kalends"] != "" || !p.Shows("did not work") {
			t.Errorf("%s: %d", what, p.Status)
		}
	}
	there := elsewhere()
	if p := there.Passkey(at("other.localhost", "http://other.localhost").Signed(k, there.Question())); p.Status != 422 || there.Cookies["kalends"] != "" {
		t.Errorf("the passkey of another site: %d", p.Status)
	}
	if n := k.Peek("demo", "SELECT count(*)::text FROM changes WHERE action = 'sign_in_failed'"); n != "8" { // an answer to no question of this site is no guess
		t.Errorf("failures in the history: %s", n)
	}
	k.Change("demo", "DELETE FROM attempts")
	b = k.Browser()
	late := d.Signed(k, b.Question())
	k.Change("demo", "UPDATE challenges SET expires_at = now() - interval '1 hour'")
	if p := b.Passkey(late); p.Status != 422 {
		t.Errorf("too late: %d", p.Status)
	}
	k.Change("demo", "DELETE FROM attempts")
	for range 5 {
		k.Browser().Question()
	}
	if p := k.Browser().Post("/admin/login/passkey/options", url.Values{}); p.Status != 429 || p.Header.Get("Retry-After") == "" {
		t.Errorf("many questions: %d", p.Status)
	}
}

// Two answers with the same signature counter indicate a cloned device; only one is accepted, on whichever node it
// arrives first.
func TestPasskeyCountsOnce(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	d := kit.NewDevice(k, "localhost")
	if p := k.Person("editor").Register(d); p.Status != 303 {
		t.Fatalf("register: %d %s", p.Status, p.Body)
	}
	twin := k.SecondNode()
	var in atomic.Int32
	var all sync.WaitGroup
	for i := range 4 {
		b := k.Browser()
		if i%2 == 1 {
			b = twin.Browser()
		}
		copied := *d
		credential := copied.Signed(k, b.Question())
		all.Go(func() {
			one := &kit.Browser{K: b.K, Host: b.Host, Cookies: maps.Clone(b.Cookies)}
			if one.Passkey(credential).Status == 303 {
				in.Add(1)
			}
		})
	}
	all.Wait()
	if in.Load() != 1 {
		t.Errorf("%d of four copies signed in", in.Load())
	}
}

// A form whose session has ended gets a new one by passkey, without leaving the page.
func TestPasskeyWithinThePage(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b, d := k.Person("editor"), kit.NewDevice(k, "localhost")
	b.Register(d)
	fresh := k.Browser()
	if p := part(fresh, "/admin/session"); p.Status != 401 || !p.Shows(`formaction="/admin/session/passkey"`) || !p.Shows(`name="credential"`) {
		t.Fatalf("the form: %d %s", p.Status, p.Body)
	}
	if p := sendPart(fresh, "/admin/session/passkey", url.Values{"credential": {d.Signed(k, fresh.Question())}, "pending": {"/admin/events/new"}}); p.Status != 200 ||
		!strings.HasPrefix(p.Body, `<input type="hidden" name="csrf"`) || fresh.Cookies["kalends"] == "" || fresh.Cookies["kalends-asked"] != "" {
		t.Fatalf("signed in: %d %v %s", p.Status, fresh.Cookies, p.Body)
	}
	if p := part(fresh, "/admin/session"); p.Status != 200 {
		t.Errorf("the session: %d", p.Status)
	}
	other := k.Browser()
	if p := sendPart(other, "/admin/session/passkey", url.Values{"credential": {"made up"}}); p.Status != 422 || !p.Shows(`action="/admin/session"`) ||
		!p.Shows(`role="alert"`) || strings.Contains(p.Body, "<html") || other.Cookies["kalends"] != "" {
		t.Errorf("refused: %d %s", p.Status, p.Body)
	}
	if p := other.Post("/admin/session/passkey", url.Values{"credential": {d.Signed(k, other.Question())}}, "Origin", "https://evil.example"); p.Status != 403 {
		t.Errorf("from a page elsewhere: %d", p.Status)
	}
}
