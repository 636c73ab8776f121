package signin

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/test/htmltest"
	"github.com/kalends/kalends/web/forms/frame"
)

// club is a site in German with texts in French.
func club() *tenancy.Site {
	site := &tenancy.Site{Slug: "club", Name: "Verein <1>", Language: "de", State: tenancy.Active}
	site.SetTimezone("Europe/Berlin")
	site.Settings.ContentLanguages = []string{"de", "fr"}
	site.Settings.Texts = map[string]tenancy.SiteText{"fr": {Name: "Le club"}}
	return site
}

func atClub(t *testing.T, language string) context.Context {
	t.Helper()
	return tenancy.With(t.Context(), tenancy.Scope{Site: club(), Language: language, Base: tenancy.Base{Origin: "https://club.example.org", Namespace: "/calendar/events/v1"}})
}

func typed(pairs ...string) *frame.Form {
	f := &frame.Form{Kind: "user", Values: url.Values{}}
	for i := 0; i+1 < len(pairs); i += 2 {
		f.Values.Add(pairs[i], pairs[i+1])
	}
	return f
}

// mailbox keeps the last letter.
type mailbox struct{ to, subject, text string }

func (m *mailbox) Send(_ context.Context, to, subject, text string) error {
	m.to, m.subject, m.text = to, subject, text
	return nil
}

// A letter is in the language of whoever gets it. Somebody invited has none yet and is written to in the site's, not in that of whoever
// invites them.
func TestLanguageOfLetters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind                accounts.VoucherKind
		asks, theirs, wants string
	}{
		{accounts.Invitation, "fr", "", "de"}, {accounts.Invitation, "fr", "en", "en"}, {accounts.Reset, "fr", "", "fr"}, {accounts.Reset, "fr", "ja", "ja"},
	} {
		m := &mailbox{}
		user := &tenancy.User{Name: "Ada", Login: "ada", Email: "ada@example.org", Language: c.theirs}
		if err := NewLetters(nil, m, nil).mail(atClub(t, c.asks), c.kind, user, "https://club.example.org/admin/welcome?code=x", "Grace"); err != nil {
			t.Fatal(err)
		}
		name := map[string]string{"fr": "Le club"}[c.wants]
		if name == "" {
			name = "Verein <1>"
		}
		want := i18n.Text(c.wants, "admin.mail."+string(c.kind)+".subject", map[string]any{"Site": name, "Name": "Ada", "Login": "ada"})
		if m.to != "ada@example.org" || m.subject != want || !strings.Contains(m.text, "https://club.example.org/admin/welcome?code=x\n") && !strings.HasSuffix(m.text, "code=x\n") || !strings.Contains(m.text, "ada") ||
			c.kind == accounts.Invitation && (!strings.Contains(m.text, "Grace") || !strings.HasSuffix(m.text, "https://club.example.org/admin\n")) {
			t.Errorf("%+v: to %s, %q, want %q\n%s", c, m.to, m.subject, want, m.text)
		}
	}
	if NewLetters(nil, nil, nil).Sent() || !NewLetters(nil, &mailbox{}, nil).Sent() {
		t.Error("letters are sent where there is a post")
	}
}

// The sign-in keeps what waits for it and shows it, but nothing that is secret; a password that was wrong is never filled in.
func TestSignInKeepsWhatWaits(t *testing.T) {
	t.Parallel()
	ctx := atClub(t, "en")
	v := &frame.Visit{Ctx: ctx, Path: "/admin/events/new", Form: typed("title", "Choir <1>", "post_password", "open", "csrf", "token", "password", "mine", "do", "publish")}
	r := waitingReply(v, nil)
	page := htmltest.Of(ctx, t, r.Body)
	for _, text := range []string{`name="pending" value="/admin/events/new"`, `name="title" value="Choir &lt;1&gt;"`, frame.Tell(ctx, "login.pending"), "<dd dir=\"auto\">Choir &lt;1&gt;</dd>"} {
		if !strings.Contains(page, text) {
			t.Errorf("without %s", text)
		}
	}
	if r.Status != http.StatusUnauthorized || strings.Contains(page, "mine") || strings.Contains(page, `"token"`) || strings.Contains(page, `value="publish"`) || strings.Contains(page, "/admin/forgotten") {
		t.Errorf("%d %s", r.Status, page)
	}
	f := typed("login", "ada", "password", "wrong one", "to", "/admin/events")
	f.Wrong("login", "They do not match.")
	page = htmltest.Of(ctx, t, signInReply(&frame.Visit{Ctx: ctx, Form: f}, 422, nil).Body)
	if !strings.Contains(page, `value="ada"`) || strings.Contains(page, "wrong one") || !strings.Contains(page, "They do not match.") || !strings.Contains(page, `name="to" value="/admin/events"`) || !strings.Contains(page, `href="/admin/forgotten"`) {
		t.Error(page)
	}
	if part := signInPart(); part.Status != 401 || !part.Part || !strings.Contains(htmltest.Of(ctx, t, part.Body), `action="/admin/session"`) {
		t.Errorf("for a script: %+v", part)
	}
}

// A form of another session is kept for another look: its button only shows it.
func TestFormsOfOtherSessions(t *testing.T) {
	t.Parallel()
	ctx := atClub(t, "en")
	r := staleForm(&frame.Visit{Ctx: ctx, Path: "/admin/venues/merge", Form: typed("keep", "1", "do", "merge", "csrf", "old", "confirm", "secret")})
	page := htmltest.Of(ctx, t, r.Body)
	if r.Status != 403 || !strings.Contains(page, `action="/admin/venues/merge"`) || !strings.Contains(page, `name="keep" value="1"`) || strings.Contains(page, "secret") ||
		!strings.Contains(page, `name="do" value="show"`) || strings.Contains(page, `value="merge"`) {
		t.Errorf("%d %s", r.Status, page)
	}
}

// People show that it is them by what they have: a password, a passkey of this host, or either. A form that can do without asks for
// neither.
func TestMeansToShowOneself(t *testing.T) {
	t.Parallel()
	ctx := atClub(t, "en")
	for _, c := range []struct {
		means                     Means
		password, plain, byDevice bool // a field for a password, a button without a device, one with
	}{
		{Means{Password: true, Login: "ada"}, true, true, false}, {Means{Password: true, Passkey: true}, true, true, true}, {Means{Passkey: true}, false, false, true}, {Means{}, false, true, false},
	} {
		page := htmltest.Of(ctx, t, PresenceField(c.means, typed("confirm", "typed"), "confirm")) + htmltest.Of(ctx, t, PresenceButtons(c.means, "save", "Save", ""))
		if strings.Contains(page, `type="password"`) != c.password || strings.Contains(page, `data-options="/admin/profile/confirm"`) != c.byDevice ||
			strings.Contains(page, `name="do" value="save">Save<`) != c.plain || strings.Contains(page, "typed") {
			t.Errorf("%+v: %s", c.means, page)
		}
	}
	if got := (Means{Passkey: true, Login: "ada"}).Optional(); !got.Password || !got.Passkey || got.Login != "ada" {
		t.Errorf("%+v", got)
	}
	if unproven(&frame.Visit{User: &tenancy.User{PasswordHash: "x"}}) != "required" || unproven(&frame.Visit{User: &tenancy.User{}}) != "passkey.unconfirmed" {
		t.Error("who has no password is not asked for one")
	}
}

// A new password offers to revoke what would stay valid, by name, as far as there is any; it does so only where that is ticked.
func TestWhatAPasswordLeavesOpen(t *testing.T) {
	t.Parallel()
	ctx := atClub(t, "en")
	open := ways{keys: []string{"Key <1>"}}
	page := htmltest.Of(ctx, t, cutFields(typed("cut_keys", "1"), open))
	if !strings.Contains(page, "Key &lt;1&gt;") || !strings.Contains(page, `name="cut_keys" value="1" checked`) || strings.Contains(page, "cut_passkeys") {
		t.Error(page)
	}
	if page = htmltest.Of(ctx, t, cutFields(typed(), ways{})); strings.TrimSpace(page) != "" {
		t.Errorf("nothing is open: %s", page)
	}
	open = ways{passkeys: strings.Split(strings.Repeat("Phone ", 12), " ")[:12]}
	if page = htmltest.Of(ctx, t, cutFields(typed(), open)); strings.Count(page, "Phone") != 10 || !strings.Contains(page, "…") || !strings.Contains(page, "12") || strings.Contains(page, "checked") {
		t.Error(page)
	}
	if cut := cutOf(typed("cut_keys", "0", "cut_keys", "1", "cut_passkeys", "0")); !cut.Keys || cut.Passkeys {
		t.Errorf("%+v", cut)
	}
	if got := waysOf(accounts.Ways{Keys: []*accounts.Credential{{Name: "a"}}, Passkeys: []*accounts.Passkey{{Name: "b"}, {Name: "c"}}}); len(got.keys) != 1 || len(got.passkeys) != 2 || got.passkeys[1] != "c" {
		t.Errorf("%+v", got)
	}
}

// A passkey keeps the name that was typed for it while that is wrong, beside its own field.
func TestNamesOfPasskeys(t *testing.T) {
	t.Parallel()
	ctx := atClub(t, "en")
	k := passkeyEntry{&accounts.Passkey{ID: []byte{1, 171}, Name: "Phone <1>"}, "club.example.org"}
	if got := passkeyTyped(typed(), k); got != "Phone <1>" {
		t.Error(got)
	}
	f := typed("passkey-01ab", "A long name", "passkey_name", "Firefox, Linux")
	f.Wrong("passkey-01ab", "Too long.")
	p := profile{form: f, user: &tenancy.User{}, passkeys: []passkeyEntry{k}, confirm: Means{Password: true}}
	page := htmltest.Of(ctx, t, passkeySection(p))
	if !strings.Contains(page, `value="A long name"`) || !strings.Contains(page, `id="p-passkey-01ab"`) || !strings.Contains(page, "Phone &lt;1&gt;") || !strings.Contains(page, "club.example.org") {
		t.Error(page)
	}
	if got := p.label(ctx, "passkey-01ab"); got != p.label(ctx, "passkey_name") || strings.HasPrefix(got, "passkey-") {
		t.Errorf("its problem is called %q", got)
	}
}

// A new key is shown once with a command that uses it, as its kind is used.
func TestCommandsForKeys(t *testing.T) {
	t.Parallel()
	ctx := atClub(t, "en")
	a := access{form: typed("once", "token"), user: &tenancy.User{Login: "ada"}, secret: "s3cret", made: &accounts.Credential{Name: "Key", Kind: tenancy.APIKey}}
	if got := tryLine(ctx, a); got != "curl -H 'Authorization: Bearer s3cret' https://club.example.org/calendar/events/v1/events" {
		t.Error(got)
	}
	if page := htmltest.Of(ctx, t, accessPage(a)); strings.Count(page, "s3cret") != 2 || !strings.Contains(page, `name="once" value="token"`) {
		t.Error(page)
	}
	a.made.Kind = tenancy.ApplicationPassword
	if got := tryLine(ctx, a); got != "curl -u 'ada:s3cret' https://club.example.org/calendar/events/v1/events" {
		t.Error(got)
	}
	a.made = nil
	a.keys = []*accounts.Credential{{ID: 3, Name: "Key <1>", Kind: tenancy.APIKey, ReadOnly: true}}
	page := htmltest.Of(ctx, t, accessPage(a))
	if strings.Contains(page, "s3cret") || !strings.Contains(page, "Key &lt;1&gt;") || !strings.Contains(page, frame.Tell(ctx, "access.reads")) || !strings.Contains(page, `name="id" value="3"`) {
		t.Error(page)
	}
}

// The lobby lets people into sites that are open to them, and searches where there are many.
func TestDoorsOfTheLobby(t *testing.T) {
	t.Parallel()
	ctx := tenancy.With(t.Context(), tenancy.Scope{Language: "en"})
	closed := club()
	closed.Slug, closed.State = "closed", tenancy.Closed
	doors := &accounts.Doors{All: 2}
	doors.List = append(doors.List, accounts.Door{Site: club(), Pass: "pass"}, accounts.Door{Site: closed})
	page := htmltest.Of(ctx, t, lobbyDoorsPage(doors, ""))
	if !strings.Contains(page, "Verein &lt;1&gt;") || strings.Count(page, `name="pass"`) != 1 || strings.Contains(page, `name="search"`) || !strings.Contains(page, frame.Tell(ctx, "console.state.closed")) {
		t.Error(page)
	}
	doors = &accounts.Doors{All: fewDoors + 1, More: 3}
	if page = htmltest.Of(ctx, t, lobbyDoorsPage(doors, `a"b`)); !strings.Contains(page, `value="a&#34;b"`) || !strings.Contains(page, frame.Tell(ctx, "console.none")) || !strings.Contains(page, "3") {
		t.Error(page)
	}
	page = htmltest.Of(ctx, t, lobbyGoPage(club(), "https://club.example.org/admin/arrive", "pass"))
	if !strings.Contains(page, `action="https://club.example.org/admin/arrive"`) || !strings.Contains(page, `name="pass" value="pass"`) || strings.Contains(page, "?pass") {
		t.Errorf("a pass stands in no address: %s", page)
	}
	for tag, want := range map[string]string{"de": "de", "xx": "", "": ""} {
		if r := lobbyLanguage(&frame.Visit{Form: typed("language", tag)}); r.Language != want || r.Redirect != "/admin/sites" {
			t.Errorf("%q: %+v", tag, r)
		}
	}
}

// An origin keeps scheme and port of the visit, for sites behind other ports and without TLS.
func TestOrigins(t *testing.T) {
	t.Parallel()
	for origin, want := range map[string]string{"https://club.example.org": "https://example.org", "http://localhost:8080": "http://example.org:8080"} {
		base := tenancy.Base{Origin: origin}
		if _, port, found := strings.Cut(strings.SplitN(origin, "//", 2)[1], ":"); found {
			base.Port = ":" + port
		}
		v := &frame.Visit{Ctx: tenancy.With(t.Context(), tenancy.Scope{Base: base})}
		if got := originOf(v, "example.org"); got != want {
			t.Errorf("%s: %s", origin, got)
		}
	}
}

// Each user is a number to devices, the same at each sign-in, and has a name.
func TestUsersOfDevices(t *testing.T) {
	t.Parallel()
	u := passkeyUser{user: &tenancy.User{ID: 258, Login: "ada"}}
	if string(u.WebAuthnID()) != "\x00\x00\x00\x00\x00\x00\x01\x02" || u.WebAuthnName() != "ada" || u.WebAuthnDisplayName() != "ada" {
		t.Errorf("%v, %s, %s", u.WebAuthnID(), u.WebAuthnName(), u.WebAuthnDisplayName())
	}
	if u.user.Name = "Ada"; u.WebAuthnDisplayName() != "Ada" {
		t.Error(u.WebAuthnDisplayName())
	}
	kept, err := keptOf(&accounts.Passkey{SignCount: 7, Data: []byte(`{"host": "club.example.org", "credential": {}}`)})
	if err != nil || kept.Host != "club.example.org" || kept.Credential.Authenticator.SignCount != 7 {
		t.Errorf("%+v, %v", kept, err)
	}
	if _, err := keptOf(&accounts.Passkey{Data: []byte("{")}); err == nil {
		t.Error("broken data")
	}
}

// The page of a profile marks the session that somebody uses, and ends others only where there are some.
func TestSessionsOfAProfile(t *testing.T) {
	t.Parallel()
	ctx := atClub(t, "en")
	one, other := &accounts.Session{Hash: []byte("one"), UserAgent: "Firefox Linux", LastSeen: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}, &accounts.Session{Hash: []byte("other"), UserAgent: "curl"}
	p := profile{form: typed("name", "Ada"), user: &tenancy.User{Name: "Ada <1>", Role: tenancy.Author}, sessions: []*accounts.Session{one, other}, current: other, confirm: Means{Password: true}}
	page := htmltest.Of(ctx, t, profilePage(p))
	if strings.Count(page, frame.Tell(ctx, "sessions.this")) != 1 || !strings.Contains(page, `value="others"`) || !strings.Contains(page, "Ada &lt;1&gt;") || strings.Index(page, frame.Tell(ctx, "sessions.this")) < strings.Index(page, "curl") {
		t.Error(page)
	}
	p.sessions = p.sessions[1:]
	if page = htmltest.Of(ctx, t, profilePage(p)); strings.Contains(page, `value="others"`) {
		t.Error("there are no others")
	}
}
