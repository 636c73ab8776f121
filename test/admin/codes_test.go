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

// TestCodes: whoever has set up an app is asked for its code after the password, everywhere, and for a recovery code without it.
func TestCodes(t *testing.T) {
	t.Parallel()
	k, post := kit.Mailed(t)
	k.Tries = time.Now()
	b, other := k.Person("editor"), k.Browser()
	other.SignIn("editor", kit.AdminPassword)
	b.Get("/admin/profile")
	if p := b.Post("/admin/profile", url.Values{"do": {"codes.begin"}, "codes": {"wrong"}}); p.Status != 422 || !p.Shows("not your current password") {
		t.Errorf("without the password: %d", p.Status)
	}
	p := b.Post("/admin/profile", url.Values{"do": {"codes.begin"}, "codes": {kit.AdminPassword}})
	a, setup := kit.NewApp(k, p), p.Hidden("setup")
	if !p.Shows("<svg class=\"qr\"") || !p.Shows("autocomplete=\"one-time-code\"") {
		t.Errorf("the drawing: %s", p.Body)
	}
	if p := b.Post("/admin/profile", url.Values{"do": {"codes.confirm"}, "setup": {setup}, "app_code": {"000000"}}); p.Status != 422 || !p.Shows("This code is wrong") {
		t.Errorf("a wrong code: %d", p.Status)
	}
	if p := k.Person("author").Post("/admin/profile", url.Values{"do": {"codes.confirm"}, "setup": {setup}, "app_code": {a.Code(k.Tries)}}); p.Status != 403 && p.Status != 422 {
		t.Errorf("somebody else's app: %d", p.Status)
	}
	if p := k.Browser().SignIn("editor", kit.AdminPassword); p.Status != 303 {
		t.Errorf("a code is asked for before it is confirmed: %d", p.Status)
	}
	a = b.Codes()
	if l := post.Next(); l.To != "editor@example.org" || !strings.Contains(l.Text, "now also requires a code") || strings.Contains(l.Text, a.Recovery[0]) {
		t.Errorf("the letter: %+v", l)
	}
	if p := other.Get("/admin/venues"); p.Status != 303 {
		t.Errorf("a session from before: %d", p.Status)
	}
	if p := b.Get("/admin/profile"); p.Status != 200 || !p.Shows("10 recovery codes are left.") || p.Shows(a.Recovery[0]) {
		t.Errorf("the profile: %d", p.Status)
	}
	if p := b.Post("/admin/profile", url.Values{"do": {"codes.begin"}, "codes": {kit.AdminPassword}}); p.Status != 422 || !p.Shows("already been set up") {
		t.Errorf("a second app: %d", p.Status)
	}
	in := k.Browser()
	asked := in.SignIn("editor", kit.AdminPassword)
	if asked.Status != 200 || in.Cookies["kalends"] != "" || !asked.Shows("Enter your code") {
		t.Fatalf("the password alone: %d, %v", asked.Status, in.Cookies)
	}
	if p := in.Tell(asked, a.Code(k.Tries)); p.Status != 422 || in.Cookies["kalends"] != "" {
		t.Errorf("the code that was used to set it up: %d", p.Status)
	}
	k.Tries = k.Tries.Add(30 * time.Second)
	if p := in.Tell(asked, a.Code(k.Tries)); p.Status != 303 || p.Header.Get("Location") != "/admin/venues" || in.Cookies["kalends"] == "" {
		t.Fatalf("with the code: %d %s", p.Status, p.Body)
	}
	again := k.Browser()
	if p := again.Tell(asked, a.Code(k.Tries.Add(30*time.Second))); p.Status != 422 || again.Cookies["kalends"] != "" || !p.Shows("took too long") {
		t.Errorf("a second time with one password: %d", p.Status)
	}
	spent := k.Browser()
	spent.Tell(spent.SignIn("editor", kit.AdminPassword), strings.ToLower(strings.ReplaceAll(a.Recovery[3], "-", " ")))
	if spent.Cookies["kalends"] == "" {
		t.Error("a recovery code doesn't sign in")
	}
	if l := post.Next(); !strings.Contains(l.Text, "with a recovery code") {
		t.Errorf("the letter: %+v", l)
	}
	if p := again.Tell(again.SignIn("editor", kit.AdminPassword), a.Recovery[3]); p.Status != 422 || again.Cookies["kalends"] != "" {
		t.Errorf("a recovery code twice: %d", p.Status)
	}
	if p := b.Get("/admin/profile"); !p.Shows("9 recovery codes are left.") {
		t.Error("one is not gone")
	}
	p = b.Post("/admin/profile", url.Values{"do": {"codes.renew"}, "codes": {kit.AdminPassword}})
	if p.Status != 200 || p.Shows(a.Recovery[0]) {
		t.Errorf("new ones: %d", p.Status)
	}
	post.Next()
	if p := again.Tell(again.SignIn("editor", kit.AdminPassword), a.Recovery[0]); p.Status != 422 {
		t.Errorf("a former recovery code: %d", p.Status)
	}
	if p := b.Post("/admin/profile", url.Values{"do": {"codes.off"}, "codes": {"wrong"}}); p.Status != 422 {
		t.Errorf("off without the password: %d", p.Status)
	}
	if p := b.Post("/admin/profile", url.Values{"do": {"codes.off"}, "codes": {kit.AdminPassword}}); p.Status != 303 {
		t.Errorf("off: %d %s", p.Status, p.Body)
	}
	if l := post.Next(); !strings.Contains(l.Text, "no longer requires a code") {
		t.Errorf("the letter: %+v", l)
	}
	if p := k.Browser().SignIn("editor", kit.AdminPassword); p.Status != 303 {
		t.Errorf("a code is still asked for: %d", p.Status)
	}
}

// TestCodesEverywhere: no way in by a password goes past the code: not the lobby, not a link to a new password, not the dialog of a page
// whose session has ended. A passkey is more than a password and needs none.
func TestCodesEverywhere(t *testing.T) {
	t.Parallel()
	k, post := kit.Mailed(t)
	k.Tries = time.Now()
	b, d := k.Person("editor"), kit.NewDevice(k, "localhost")
	if p := b.Register(d); p.Status != 303 {
		t.Fatalf("register: %d", p.Status)
	}
	post.Next()
	a := b.Codes()
	post.Next()
	next := func() string {
		k.Tries = k.Tries.Add(30 * time.Second)
		return a.Code(k.Tries)
	}
	lobby := k.Browser()
	p := lobby.Post("/admin/sites", url.Values{"email": {"editor@example.org"}, "password": {kit.AdminPassword}})
	pass := p.Hidden("pass")
	arrived := k.Browser()
	arrived.Host = "demo.localhost"
	asked := arrived.Post("/admin/arrive", url.Values{"pass": {pass}}, "Origin", "http://localhost", "Sec-Fetch-Site", "cross-site")
	if pass == "" || arrived.Cookies["kalends"] != "" || !asked.Shows("Enter your code") {
		t.Fatalf("from the lobby: %d %s", asked.Status, asked.Body)
	}
	if p := arrived.Tell(asked, next()); p.Status != 303 || arrived.Cookies["kalends"] == "" {
		t.Errorf("from the lobby with the code: %d", p.Status)
	}
	part := k.Browser()
	if p := sendPart(part, "/admin/session", url.Values{"login": {"editor"}, "password": {kit.AdminPassword}}); p.Status != 409 || part.Cookies["kalends"] != "" {
		t.Errorf("in a dialog: %d", p.Status)
	}
	if p := k.Browser().Post("/admin/forgotten", url.Values{"login": {"editor"}}); p.Status != 200 {
		t.Fatalf("forgotten: %d", p.Status)
	}
	reset := k.Browser()
	page := reset.Get(inSite(welcomeLink.FindString(post.Next().Text)))
	asked = reset.Post("/admin/welcome", url.Values{"code": {page.Hidden("code")}, "password": {"a new long password"}, "again": {"a new long password"}})
	if asked.Status != 200 || reset.Cookies["kalends"] != "" || !asked.Shows("Enter your code") {
		t.Fatalf("after a reset: %d %s", asked.Status, asked.Body)
	}
	if p := reset.Tell(asked, next()); p.Status != 303 {
		t.Errorf("after a reset with the code: %d", p.Status)
	}
	fresh := k.Browser()
	if p := fresh.Passkey(d.Signed(k, fresh.Question())); p.Status != 303 || fresh.Cookies["kalends"] == "" {
		t.Errorf("by passkey: %d", p.Status)
	}
	if n := k.Peek("demo", "SELECT count(*)::text FROM second_factors WHERE position($1 in secret) > 0", a.Seed); n != "0" {
		t.Error("the secret is stored as it is")
	}
}

// TestCodesGuessed: wrong codes count as wrong passwords do, and knowing the password doesn't start the count anew.
func TestCodesGuessed(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Tries = time.Now()
	a := k.Person("editor").Codes()
	k.Change("demo", "DELETE FROM attempts")
	b, refused := k.Browser(), 0
	for range 8 {
		asked := b.SignIn("editor", kit.AdminPassword)
		if asked.Status == 429 {
			refused++
			continue
		}
		if p := b.Tell(asked, "123456"); p.Status == 429 && p.Header.Get("Retry-After") != "" {
			refused++
		}
	}
	if refused != 3 {
		t.Errorf("%d of 8 guesses are refused", refused)
	}
	if n := k.Peek("demo", "SELECT count(*)::text FROM changes WHERE action = 'sign_in_failed'"); n != "5" {
		t.Errorf("failures in the history: %s", n)
	}
	k.Tries = k.Tries.Add(time.Hour)
	if p := b.Tell(b.SignIn("editor", kit.AdminPassword), a.Code(k.Tries)); p.Status != 303 {
		t.Errorf("later: %d", p.Status)
	}
}

// TestCodeCountsOnce: of many who tell the same code at once, on two nodes, one gets in.
func TestCodeCountsOnce(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Tries = time.Now()
	a := k.Person("editor").Codes()
	twin := k.SecondNode()
	k.Tries = k.Tries.Add(30 * time.Second)
	twin.Tries = k.Tries
	var in atomic.Int32
	var all sync.WaitGroup
	for _, code := range []string{a.Code(k.Tries), a.Recovery[0]} {
		k.Change("demo", "DELETE FROM attempts")
		in.Store(0)
		for i := range 4 {
			b := k.Browser()
			if i%2 == 1 {
				b = twin.Browser()
			}
			asked := b.SignIn("editor", kit.AdminPassword)
			all.Go(func() {
				one := &kit.Browser{K: b.K, Host: b.Host, Cookies: maps.Clone(b.Cookies)}
				if one.Tell(asked, code).Status == 303 {
					in.Add(1)
				}
			})
		}
		all.Wait()
		if in.Load() != 1 {
			t.Errorf("%d of four got in with one code", in.Load())
		}
	}
}

// TestInvitedByPasskey: somebody who is invited can take a passkey instead of a password, once, and only for an invitation.
func TestInvitedByPasskey(t *testing.T) {
	t.Parallel()
	k, post := kit.Mailed(t)
	k.Tries = time.Now()
	admin := k.Person("administrator")
	admin.Get("/admin/users/new")
	if p := admin.Post("/admin/users/new", url.Values{"handle": {"newcomer"}, "email": {"new@example.org"}, "name": {"New"}, "role": {"editor"}, "do": {"save"},
		"confirm": {kit.AdminPassword}}); p.Status != 303 && p.Status != 200 {
		t.Fatalf("invite: %d %s", p.Status, p.Body)
	}
	link := inSite(welcomeLink.FindString(post.Next().Text))
	b, d := k.Browser(), kit.NewDevice(k, "localhost")
	page := b.Get(link)
	if !page.Shows("data-options=\"/admin/welcome/passkey\"") || !page.Shows(`<script type="module" src="/static/admin.`) {
		t.Fatalf("the invitation: %d %s", page.Status, page.Body)
	}
	code := page.Hidden("code")
	question := b.Post("/admin/welcome/passkey", url.Values{"code": {code}})
	if question.Status != 200 {
		t.Fatalf("question: %d %s", question.Status, question.Body)
	}
	if p := k.Browser().Post("/admin/welcome/passkey", url.Values{"code": {strings.Repeat("x", 40)}}); p.Status != 422 {
		t.Errorf("no invitation: %d", p.Status)
	}
	form := url.Values{"code": {code}, "passkey_name": {"Phone"}, "credential": {d.Made(k, question.Body)}}
	if p := k.Browser().Post("/admin/welcome", form); p.Status != 422 {
		t.Errorf("in another browser: %d", p.Status)
	}
	if p := b.Post("/admin/welcome", form); p.Status != 303 || b.Cookies["kalends"] == "" {
		t.Fatalf("accepted: %d %s", p.Status, p.Body)
	}
	if p := b.Get("/admin/venues"); p.Status != 200 || !p.Shows(`class="who">New`) {
		t.Errorf("signed in: %d", p.Status)
	}
	if p := k.Browser().Get(link); p.Status != 410 {
		t.Errorf("the link afterwards: %d", p.Status)
	}
	fresh := k.Browser()
	if p := fresh.Passkey(d.Signed(k, fresh.Question())); p.Status != 303 {
		t.Errorf("sign in: %d", p.Status)
	}
	if p := b.Get("/admin/profile"); !p.Shows("You have no password, and a passkey needs no code.") {
		t.Error("codes are offered to somebody without a password")
	}
	k.Password("editor")
	k.Browser().Post("/admin/forgotten", url.Values{"login": {"editor"}})
	var reset string
	for reset == "" {
		reset = inSite(welcomeLink.FindString(post.Next().Text))
	}
	r := k.Browser()
	page = r.Get(reset)
	if page.Shows("/admin/welcome/passkey") {
		t.Error("a passkey is offered to somebody who has forgotten their password")
	}
	if p := r.Post("/admin/welcome/passkey", url.Values{"code": {page.Hidden("code")}}); p.Status != 422 {
		t.Errorf("asked all the same: %d", p.Status)
	}
}
