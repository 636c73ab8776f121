package admin

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// told is what a provider says of somebody.
func told(subject, email string, groups ...string) map[string]any {
	return map[string]any{"sub": subject, "email": email, "email_verified": true, "name": "Name of " + subject, "preferred_username": subject, "groups": groups}
}

// trusted is a provider that the site trusts, and an administrator.
func trusted(t *testing.T, more url.Values) (*kit.Kit, *kit.Issuer, *kit.Browser) {
	t.Helper()
	k := kit.New(t)
	k.Tries = time.Now()
	i := kit.NewIssuer(k)
	k.AskAt(i.Host)
	admin := k.Person("administrator")
	if p := i.Trust(admin, more); p.Status != 303 {
		t.Fatalf("trust: %d %s", p.Status, p.Body)
	}
	return k, i, admin
}

// TestProvider: people come in by what the provider says of them: by their verified address at first, by its name for them from then on,
// with the role that their groups give.
func TestProvider(t *testing.T) {
	t.Parallel()
	k, i, admin := trusted(t, url.Values{"editor_groups": {"staff, writers"}, "administrator_groups": {"boss"}})
	k.Password("editor")
	if p := k.Browser().Get("/admin/login"); !p.Shows(`href="/admin/login/provider"`) || !p.Shows("Sign in with "+i.Host) {
		t.Errorf("the page: %s", p.Body)
	}
	if p := admin.Get("/admin/sign-in"); p.Status != 200 || p.Shows("a secret") || !p.Shows("staff, writers") || !p.Shows("http://localhost/admin/login/provider/callback") {
		t.Errorf("the settings: %d %s", p.Status, p.Body)
	}
	if n := k.Peek("demo", "SELECT count(*)::text FROM changes WHERE before::text LIKE '%a secret%'"); n != "0" {
		t.Error("the secret is in the history")
	}
	if n := k.Peek("demo", "SELECT count(*)::text FROM sign_in_providers WHERE position('a secret'::bytea in secret) > 0"); n != "0" {
		t.Error("the secret is stored as it is")
	}
	in := func(want string, say map[string]any) *kit.Browser {
		t.Helper()
		i.Say = say
		b := k.Browser()
		p := b.Back(i.Grant(b.Begin()))
		if p.Status != 303 || p.Header.Get("Location") != "/admin/venues" || b.Cookies["kalends"] == "" {
			t.Fatalf("%s: %d %s", want, p.Status, p.Body)
		}
		if p := b.Get("/admin/venues"); !p.Shows(`class="who">` + want) {
			t.Errorf("%s: %s", want, p.Body)
		}
		return b
	}
	in("author", told("ann", "Author@Example.org", "staff"))
	if got := k.Peek("demo", "SELECT role FROM users WHERE login = 'author'"); got != "editor" {
		t.Errorf("the role is %s", got)
	}
	in("author", told("ann", "moved@example.org", "boss", "staff"))
	if got := k.Peek("demo", "SELECT role || ' ' || email FROM users WHERE login = 'author'"); got != "administrator author@example.org" {
		t.Errorf("later: %s", got)
	}
	in("Name of zoe", told("zoe", "zoe@example.org", "writers"))
	if got := k.Peek("demo", "SELECT role || ' ' || email || ' ' || (password_hash = '')::text FROM users WHERE login = 'zoe'"); got != "editor zoe@example.org true" {
		t.Errorf("somebody new: %s", got)
	}
	refused := func(what, says string, say map[string]any) {
		t.Helper()
		i.Say = say
		b := k.Browser()
		if p := b.Back(i.Grant(b.Begin())); p.Status != 403 || b.Cookies["kalends"] != "" || !p.Shows(says) {
			t.Errorf("%s: %d %s", what, p.Status, p.Body)
		}
	}
	refused("no group", "None of your groups", told("bob", "bob@example.org", "others"))
	refused("another with the address of somebody known", "belongs to another person", told("eve", "author@example.org", "staff"))
	unverified := told("kim", "editor@example.org", "staff")
	unverified["email_verified"] = false
	refused("an address that isn't verified", "has not verified", unverified)
	if n := k.Peek("demo", "SELECT count(*)::text FROM users WHERE login IN ('bob', 'eve', 'kim')"); n != "0" {
		t.Errorf("%s users more", n)
	}
	boss := told("boss", "administrator@example.org", "staff")
	k.Change("demo", "UPDATE users SET role = 'editor' WHERE login = 'author'")
	in("administrator", boss)
	if got := k.Peek("demo", "SELECT role FROM users WHERE login = 'administrator'"); got != "administrator" {
		t.Errorf("the last administrator is %s", got)
	}
}

// TestProviderAttacked: whatever doesn't answer the question of this browser, signed by this provider for this site, lets nobody in.
func TestProviderAttacked(t *testing.T) {
	t.Parallel()
	k, i, _ := trusted(t, nil)
	k.Password("editor")
	two := k.Site("two")
	_ = two
	set := func(name string, value any) func(map[string]any) {
		return func(claims map[string]any) { claims[name] = value }
	}
	past := time.Now().Add(-time.Hour).Unix()
	for what, c := range map[string]struct {
		change func(map[string]any)
		forge  func(header map[string]any, signed *string)
		query  func(b *kit.Browser, q url.Values)
	}{
		"another nonce":      {change: set("nonce", "another")},
		"no nonce":           {change: set("nonce", nil)},
		"another audience":   {change: set("aud", "somebody else")},
		"another party":      {change: func(c map[string]any) { c["aud"], c["azp"] = []string{"kalends", "evil"}, "evil" }},
		"a foreign issuer":   {change: set("iss", "https://evil.example")},
		"an expired token":   {change: set("exp", past)},
		"no subject":         {change: set("sub", "")},
		"no address":         {change: set("email", "")},
		"unverified":         {change: set("email_verified", false)},
		"verified, says who": {change: set("email_verified", "yes")},
		"no signature": {forge: func(_ map[string]any, signed *string) {
			parts := strings.Split(*signed, ".")
			head, _ := json.Marshal(map[string]any{"alg": "none"})
			*signed = base64.RawURLEncoding.EncodeToString(head) + "." + parts[1] + "."
		}},
		"another signature": {forge: func(_ map[string]any, signed *string) { *signed = (*signed)[:len(*signed)-8] + "AAAAAAAA" }},
		"no token":          {forge: func(_ map[string]any, signed *string) { *signed = "" }},
		"another state":     {query: func(_ *kit.Browser, q url.Values) { q.Set("state", strings.Repeat("x", 40)) }},
		"no state":          {query: func(_ *kit.Browser, q url.Values) { q.Del("state") }},
		"another code":      {query: func(_ *kit.Browser, q url.Values) { q.Set("code", "made up") }},
		"no code":           {query: func(_ *kit.Browser, q url.Values) { q.Del("code") }},
		"a refusal":         {query: func(_ *kit.Browser, q url.Values) { q.Del("code"); q.Set("error", "access_denied") }},
		"another browser":   {query: func(b *kit.Browser, _ url.Values) { delete(b.Cookies, "kalends-asked") }},
		"the code of another question": {query: func(_ *kit.Browser, q url.Values) {
			other := k.Browser()
			q.Set("code", i.Grant(other.Begin()).Get("code"))
		}},
		"a passkey's question": {query: func(b *kit.Browser, q url.Values) { b.Question(); q.Set("state", "") }},
		"another site":         {query: func(b *kit.Browser, _ url.Values) { b.Host = "two.localhost" }},
	} {
		k.Change("demo", "DELETE FROM attempts")
		i.Say, i.Change, i.Forge = told("ann", "editor@example.org"), c.change, c.forge
		b := k.Browser()
		q := i.Grant(b.Begin())
		if c.query != nil {
			c.query(b, q)
		}
		if p := b.Back(q); p.Status < 300 || b.Cookies["kalends"] != "" || p.Status == 303 && p.Header.Get("Location") == "/admin/venues" {
			t.Errorf("%s: %d %v", what, p.Status, b.Cookies)
		}
	}
	i.Change, i.Forge = nil, nil
	k.Change("demo", "DELETE FROM attempts")
	b := k.Browser()
	q := i.Grant(b.Begin())
	if p := b.Back(q); p.Status != 303 || b.Cookies["kalends"] == "" {
		t.Fatalf("the genuine one: %d %s", p.Status, p.Body)
	}
	again := k.Browser()
	again.Cookies["kalends-asked"] = b.Cookies["kalends-asked"]
	if p := again.Back(q); p.Status != 422 || again.Cookies["kalends"] != "" || !p.Shows("not started in this browser") {
		t.Errorf("replayed: %d", p.Status)
	}
	if n := k.Peek("demo", "SELECT count(*)::text FROM sign_in_identities"); n != "1" {
		t.Errorf("%s are known", n)
	}
}

// TestPasswordsOff: passwords can be turned off by an administrator whom the provider knows, and no way in by a password is left, but for
// administrators while the provider knows none of them.
func TestPasswordsOff(t *testing.T) {
	t.Parallel()
	k, i, admin := trusted(t, nil)
	k.Password("editor")
	if p := i.Trust(admin, url.Values{"passwords": {"0"}}); p.Status != 422 || !p.Shows("Sign in with the provider first") {
		t.Fatalf("before anybody has come: %d", p.Status)
	}
	i.Say = told("boss", "administrator@example.org")
	by := k.Browser()
	if p := by.Back(i.Grant(by.Begin())); p.Status != 303 {
		t.Fatalf("sign in: %d", p.Status)
	}
	by.Get("/admin/profile")
	if p := i.Trust(by, url.Values{"passwords": {"0"}}); p.Status != 303 {
		t.Fatalf("turn off: %d %s", p.Status, p.Body)
	}
	id, err := strconv.ParseInt(k.Peek("demo", "SELECT id::text FROM users WHERE login = 'editor'"), 10, 64)
	k.Must(err)
	program, _ := k.Key(id, false)
	for _, who := range []string{"editor", "administrator"} {
		b := k.Browser()
		if p := b.SignIn(who, kit.AdminPassword); p.Status != 403 || b.Cookies["kalends"] != "" || !p.Shows("Passwords are turned off") {
			t.Errorf("%s: %d", who, p.Status)
		}
	}
	lobby := k.Browser()
	pass := lobby.Post("/admin/sites", url.Values{"email": {"editor@example.org"}, "password": {kit.AdminPassword}}).Hidden("pass")
	if b := k.Arrive("demo.localhost", pass, "http://localhost"); pass == "" || b.Cookies["kalends"] != "" {
		t.Errorf("by the lobby: %q %v", pass, b.Cookies)
	}
	if a := k.Browser().Do("GET", "/calendar/events/v1/me", nil, []string{"Authorization", program}); a.Status != 200 {
		t.Errorf("a program: %d", a.Status)
	}
	k.Change("demo", "DELETE FROM sign_in_identities")
	b := k.Browser()
	if p := b.SignIn("editor", kit.AdminPassword); p.Status != 403 || b.Cookies["kalends"] != "" {
		t.Errorf("an editor: %d", p.Status)
	}
	if p := b.SignIn("administrator", kit.AdminPassword); p.Status != 303 {
		t.Errorf("an administrator where the provider knows none: %d", p.Status)
	}
	b.Get("/admin/sign-in")
	if p := b.Post("/admin/sign-in", url.Values{"do": {"delete"}, "confirm": {kit.AdminPassword}}); p.Status != 303 {
		t.Errorf("remove: %d %s", p.Status, p.Body)
	}
	if p := k.Browser().SignIn("editor", kit.AdminPassword); p.Status != 303 {
		t.Errorf("afterwards: %d", p.Status)
	}
}

// TestProviderAddresses: only https and public addresses are asked, unless the operator lists them, and one that doesn't answer is said so.
func TestProviderAddresses(t *testing.T) {
	t.Parallel()
	k, i, admin := trusted(t, nil)
	for _, address := range []string{"http://login.example.com", "https://10.0.0.1", "https://localhost", "https://169.254.169.254", "http://127.0.0.1:1", "file:///etc/passwd",
		"https://user:password@login.example.com", "https://login.example.com?x=1", "nonsense", "https://"} {
		if p := i.Trust(admin, url.Values{"issuer": {address}}); p.Status != 422 || !p.Shows("Enter the https address") {
			t.Errorf("%s: %d", address, p.Status)
		}
	}
	if p := i.Trust(admin, url.Values{"issuer": {"https://login.example.com"}, "client_secret": {""}}); p.Status != 422 {
		t.Errorf("the secret goes to another provider: %d", p.Status)
	}
	if p := i.Trust(admin, url.Values{"client_secret": {""}, "client_id": {"kalends"}}); p.Status != 303 {
		t.Errorf("the secret is asked for again: %d", p.Status)
	}
	if p := i.Trust(admin, url.Values{"confirm": {"wrong"}}); p.Status != 422 {
		t.Errorf("without the password: %d", p.Status)
	}
	if p := k.Person("editor").Get("/admin/sign-in"); p.Status != 403 {
		t.Errorf("an editor: %d", p.Status)
	}
	k.AskAt() // the operator lists none
	if p := k.Browser().Get("/admin/login/provider"); p.Status != 502 || !p.Shows("cannot be reached") {
		t.Errorf("out of reach: %d", p.Status)
	}
}
