package tenancy

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// Each role may do what the one below it may, and more (rule 2.3).
func TestRoles(t *testing.T) {
	t.Parallel()
	var above Permission
	for n, r := range Roles() {
		if !r.Valid() {
			t.Errorf("%s is no role", r)
		}
		if n > 0 && (r.Rights()&^above != 0 || r.Rights() == above) {
			t.Errorf("%s may do what the role above it may not, or as much", r)
		}
		above = r.Rights()
	}
	for _, r := range []Role{NoRole, Subscriber, "owner", "Administrator"} {
		if r.Rights() != 0 {
			t.Errorf("%q may do something", r)
		}
	}
	for r, not := range map[Role]Permission{
		Editor: ManageUsers | ManageSite, Author: EditOthers | ReadOthers | SetAuthor | ManageTags, Contributor: Publish | EditOthers | ManageCategories,
	} {
		if r.Rights()&not != 0 {
			t.Errorf("%s may do %b", r, r.Rights()&not)
		}
	}
	if NoRole.Valid() || Role("Editor").Valid() {
		t.Error("what is no role is valid")
	}
}

// Who isn't signed in is asked to sign in; who is, and may not, is told so. A key that reads only keeps the rights to read.
func TestRequire(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		p              Principal
		rights         Permission
		want           error
		read, unsigned bool
	}{
		"nobody":                 {Principal{}, EditOwn, ErrUnauthenticated, false, true},
		"nobody, nothing":        {Principal{}, 0, nil, true, true},
		"a subscriber":           {Principal{UserID: 1, Role: Subscriber}, EditOwn, ErrForbidden, false, false},
		"a user without a role":  {Principal{UserID: 1}, EditOwn, ErrForbidden, false, false},
		"an author":              {Principal{UserID: 1, Role: Author}, EditOwn | Publish, nil, true, false},
		"some of the rights":     {Principal{UserID: 1, Role: Author}, EditOwn | EditOthers, ErrForbidden, false, false},
		"the provider on a site": {Principal{Role: Administrator}, ManageSite, nil, true, false},
		"a key that reads":       {Principal{UserID: 1, Role: Editor, ReadOnly: true}, ReadOthers, ErrForbidden, true, false},
	} {
		if err := c.p.Require(c.rights); !errors.Is(err, c.want) || (err == nil) != c.p.May(c.rights) {
			t.Errorf("%s: %v", what, err)
		}
		if c.p.MayRead(c.rights) != c.read || c.p.Anonymous() != c.unsigned {
			t.Errorf("%s: reads %v, anonymous %v", what, c.p.MayRead(c.rights), c.p.Anonymous())
		}
	}
}

// The provider alone enters sites, as an administrator who is no user. Users of sites are told that they may not.
func TestEnter(t *testing.T) {
	t.Parallel()
	site := &Site{ID: 7, Language: "de"}
	if _, err := Enter(t.Context(), site); !errors.Is(err, ErrUnauthenticated) {
		t.Errorf("nobody: %v", err)
	}
	user := With(t.Context(), Scope{Site: site, Principal: Principal{UserID: 1, Role: Administrator}, Language: "pl", Address: "192.0.2.1"})
	if _, err := Enter(user, site); !errors.Is(err, ErrForbidden) {
		t.Errorf("a user: %v", err)
	}
	inside, err := Enter(AsProvider(user, Provider{Name: "token"}), &Site{ID: 8, Language: "fr"})
	if err != nil {
		t.Fatal(err)
	}
	s := Current(inside)
	if s.Site.ID != 8 || !reflect.DeepEqual(s.Principal, Principal{Role: Administrator}) || s.Language != "pl" || s.Address != "192.0.2.1" {
		t.Errorf("%+v", s)
	}
	if inside, err = Enter(AsProvider(t.Context(), Provider{}), site); err != nil || Current(inside).Language != "de" {
		t.Errorf("without a language: %+v %v", Current(inside), err)
	}
	if scope, err := From(t.Context()); !errors.Is(err, ErrNoScope) || scope != nil {
		t.Errorf("no scope: %v", err)
	}
	if _, err := From(With(t.Context(), Scope{Language: "en"})); !errors.Is(err, ErrNoScope) {
		t.Errorf("a scope of no site: %v", err)
	}
}

// The history says by which way a write came, and under which name.
func TestSourceOf(t *testing.T) {
	t.Parallel()
	site := &Site{ID: 1}
	by := func(p Principal) context.Context {
		return With(t.Context(), Scope{Site: site, Principal: p, Address: "192.0.2.1"})
	}
	ann := Principal{UserID: 3, Login: "ann", Role: Editor}
	key := Principal{UserID: 3, Login: "ann", Role: Editor, Kind: APIKey, Key: "phone"}
	for what, c := range map[string]struct {
		ctx  context.Context
		want Source
	}{
		"nowhere":           {t.Context(), Source{}},
		"nobody":            {by(Principal{}), Source{Address: "192.0.2.1"}},
		"a session":         {by(ann), Source{3, "ann", ViaSession, "", "192.0.2.1", 0}},
		"a key":             {by(key), Source{3, "ann", Via(APIKey), "phone", "192.0.2.1", 0}},
		"the provider":      {AsProvider(by(Principal{Role: Administrator}), Provider{Name: "bot", Token: 4}), Source{0, "bot", ViaProvider, "bot", "192.0.2.1", 0}},
		"the command line":  {AsProvider(t.Context(), Provider{Name: CommandLine, Command: true}), Source{Who: CommandLine, Via: ViaCommand}},
		"the schedule":      {AsProvider(t.Context(), Provider{Scheduled: true}), Source{Via: ViaSchedule}},
		"an import":         {Importing(by(ann), 7), Source{3, "ann", ViaImport, "", "192.0.2.1", 7}},
		"a provider's file": {Importing(AsProvider(t.Context(), Provider{Name: CommandLine, Command: true}), 8), Source{Who: CommandLine, Via: ViaImport, Import: 8}},
	} {
		if got := SourceOf(c.ctx); got != c.want {
			t.Errorf("%s: %+v, want %+v", what, got, c.want)
		}
	}
}

// Attempts are counted by address, and of IPv6 by the network within which everybody has as many addresses as they like.
func TestClient(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"": "", "192.0.2.1": "192.0.2.1", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "2001:db8:1:2::": "2001:db8:1:2::/64",
		"2001:DB8:1:2:ffff:ffff:ffff:ffff": "2001:db8:1:2::/64", "2001:db8:1:3::1": "2001:db8:1:3::/64", "fe80::1%eth0": "fe80::/64", "not an address": "not an address",
	} {
		if got := (&Scope{Address: address}).Client(); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}

// Addresses in an answer begin like that of the request (rule 1.1).
func TestBase(t *testing.T) {
	t.Parallel()
	b := Base{Origin: "https://riverton.example:8443", Prefix: "/de", Namespace: "/calendar/events/v1"}
	if b.Host() != "riverton.example:8443" || !b.Secure() || b.API() != "https://riverton.example:8443/de/calendar/events/v1" ||
		b.Pages() != "https://riverton.example:8443/de" {
		t.Errorf("%s %v %s %s", b.Host(), b.Secure(), b.API(), b.Pages())
	}
	if (Base{Origin: "http://https.example"}).Secure() || (Base{}).Host() != "" {
		t.Error("what is not encrypted is taken for it, or no host for one")
	}
}

// A session ends with the password that opened it, and a request that is under way with the role.
func TestStill(t *testing.T) {
	t.Parallel()
	u := &User{ID: 1, Login: "ann", Role: Editor, PasswordHash: "$argon2id$one"}
	p := u.Principal()
	if err := u.Still(p); err != nil {
		t.Errorf("no session: %v", err)
	}
	p.Seal = u.Seal()
	if err := u.Still(p); err != nil {
		t.Errorf("the same: %v", err)
	}
	p.Role = Administrator
	if err := u.Still(p); !errors.Is(err, ErrForbidden) {
		t.Errorf("another role: %v", err)
	}
	u.PasswordHash = "$argon2id$two"
	if err := u.Still(p); !errors.Is(err, ErrUnauthenticated) {
		t.Errorf("another password: %v", err)
	}
	if strings.Contains(u.Seal(), "argon") || len(u.Seal()) != 16 || u.Seal() == (&User{}).Seal() {
		t.Errorf("seal %q", u.Seal())
	}
	mark := u.Mark()
	for what, change := range map[string]func(*User){"login": func(u *User) { u.Login = "b" }, "email": func(u *User) { u.Email = "b" },
		"name": func(u *User) { u.Name = "b" }, "role": func(u *User) { u.Role = Author }} {
		other := *u
		if change(&other); other.Mark() == mark {
			t.Errorf("with another %s it has the same mark", what)
		}
	}
	if u.Theme = DarkTheme; u.Mark() != mark {
		t.Error("the mark changes with what no form about a user holds")
	}
	for name, want := range map[string]string{" Ann ": "ann", "ÄRZTE": "ärzte", "\tann@Example.ORG\n": "ann@example.org", "": ""} {
		if got := Fold(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}
