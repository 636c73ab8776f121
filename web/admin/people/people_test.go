package people

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/test/htmltest"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/signin"
)

// asks is a context in which the user with an id asks, who may do everything.
func asks(t *testing.T, id int64) context.Context {
	t.Helper()
	site := &tenancy.Site{Name: "Demo", Language: "en"}
	site.SetTimezone("UTC")
	user := &tenancy.User{ID: id, Role: tenancy.Administrator}
	return tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: "en", Principal: user.Principal()})
}

// ada is somebody with a password.
func ada() *tenancy.User {
	return &tenancy.User{ID: 7, Login: "ada", Email: "ada@example.org", Name: "Ada <L>", Role: tenancy.Author, PasswordHash: "hash"}
}

// Whoever gives somebody else another address or role shows that it is them, also where the form leaves these fields out; a name needs
// no proof, and nor does what people change of their own.
func TestWhatOpensAWayToAnAccount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*frame.Form)
		opens  bool
	}{
		{"nothing", func(*frame.Form) {}, false},
		{"another name", func(f *frame.Form) { f.Set("name", "Ada"); f.Set("handle", "lovelace") }, false},
		{"blanks around the address", func(f *frame.Form) { f.Set("email", " ada@example.org ") }, false},
		{"another address", func(f *frame.Form) { f.Set("email", "eve@example.org") }, true},
		{"no address", func(f *frame.Form) { f.Values.Del("email") }, true},
		{"another role", func(f *frame.Form) { f.Set("role", "editor") }, true},
		{"fewer rights", func(f *frame.Form) { f.Set("role", "subscriber") }, true},
		{"no role", func(f *frame.Form) { f.Values.Del("role") }, true},
		{"a role twice", func(f *frame.Form) { f.Set("role", "author", "administrator") }, true},
	} {
		f := userForm(ada())
		c.change(f)
		if got := opensWay(&frame.Visit{Ctx: asks(t, 1), Form: f}, ada()); got != c.opens {
			t.Errorf("%s: %v", c.name, got)
		}
		if opensWay(&frame.Visit{Ctx: asks(t, 7), Form: f}, ada()) {
			t.Errorf("%s of one's own", c.name)
		}
	}
	if own(asks(t, 7), nil) || own(asks(t, 1), ada()) || !own(asks(t, 7), ada()) {
		t.Error("who is who")
	}
}

// A form that says what is stored already has been saved, whatever blanks are around its texts.
func TestSameUser(t *testing.T) {
	t.Parallel()
	for _, name := range userFields {
		f := userForm(ada())
		if !sameUser(f, ada()) {
			t.Fatal("the form of somebody as they are")
		}
		f.Set(name, " "+f.Get(name)+" ")
		if !sameUser(f, ada()) {
			t.Errorf("blanks around %s", name)
		}
		if f.Set(name, "other"); sameUser(f, ada()) {
			t.Errorf("another %s", name)
		}
		if f.Values.Del(name); sameUser(f, ada()) {
			t.Errorf("no %s", name)
		}
	}
}

// The form of a user is read as the API reads it; its login has a name of its own, so that browsers don't fill in that of whoever
// types.
func TestFormOfAUser(t *testing.T) {
	t.Parallel()
	fields, err := readUser(userForm(ada()), args.Updating)
	if err != nil || fields.Login.Or("") != "ada" || fields.Name.Or("") != "Ada <L>" || fields.Email.Or("") != "ada@example.org" || fields.Role.Or("") != "author" {
		t.Errorf("%+v, %v", fields, err)
	}
	f := &frame.Form{Kind: "user", Values: url.Values{"login": {"browser"}, "handle": {"ada"}}}
	_, err = readUser(f, args.Creating)
	if !f.Refuse(asks(t, 1), err) || f.Problem("login") != "" || f.Problem("email") == "" || f.Problem("role") == "" {
		t.Errorf("without address and role: %v", f.Problems)
	}
	if f = userForm(ada()); f.Get("seen") == "" || f.Get("seen") != frame.IDText(ada().Mark()) {
		t.Errorf("the form is of %s", f.Get("seen"))
	}
	if userAction(&userEditor{}) != "/admin/users/new" || userAction(&userEditor{user: ada()}) != "/admin/users/7" {
		t.Error("where the form is sent")
	}
	list := roleChoices(asks(t, 1))
	if len(list) != len(tenancy.Roles()) || list[0].Name != "administrator" || list[0].Value != "Administrator" {
		t.Errorf("roles %v", list)
	}
}

// The page of somebody offers what can be done with them; one's own password is changed in the profile, where it is asked for.
func TestPageOfAUser(t *testing.T) {
	t.Parallel()
	means := signin.Means{Password: true, Login: "root"}
	other := &userEditor{form: userForm(ada()), user: ada(), confirm: means, keys: 2,
		sessions: []*accounts.Session{{UserAgent: "Firefox Linux", LastSeen: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}}}
	page := htmltest.Of(asks(t, 1), t, userPage(other))
	for _, text := range []string{`<bdi>Ada &lt;L&gt;</bdi>`, `name="yours"`, `name="confirm"`, `value="voucher"`, `value="end"`, `value="delete"`, `href="/admin/keys?user=7"`,
		"Firefox, Linux", `action="/admin/users/7"`, `value="author" selected`, `href="/admin/audit?kind=user&amp;id=7"`} {
		if !strings.Contains(page, text) {
			t.Errorf("without %s", text)
		}
	}
	if strings.Contains(page, "hash") {
		t.Error("the hash of a password is on the page")
	}
	page = htmltest.Of(asks(t, 7), t, userPage(&userEditor{form: userForm(ada()), user: ada(), confirm: means}))
	for _, text := range []string{`name="yours"`, `name="confirm"`, `value="voucher"`, `name="email"`, `value="end"`, `href="/admin/keys`} {
		if strings.Contains(page, text) {
			t.Errorf("one's own page has %s", text)
		}
	}
	if !strings.Contains(page, `href="/admin/profile"`) {
		t.Error("one's own page doesn't lead to the profile")
	}
	page = htmltest.Of(asks(t, 1), t, userPage(&userEditor{form: &frame.Form{Kind: "user", Values: url.Values{"once": {"token"}, "role": {"contributor"}}}, confirm: means}))
	for _, text := range []string{`action="/admin/users/new"`, `value="token"`, `value="contributor" selected`, `name="confirm"`} {
		if !strings.Contains(page, text) {
			t.Errorf("a new one lacks %s", text)
		}
	}
	if strings.Contains(page, `value="delete"`) {
		t.Error("a new one can be deleted")
	}
	other.link, other.unsent, other.stale = "https://example.org/admin/welcome?code=x", true, true
	page = htmltest.Of(asks(t, 1), t, userPage(other))
	if !strings.Contains(page, "https://example.org/admin/welcome?code=x") || !strings.Contains(page, frame.Tell(asks(t, 1), "voucher.unsent")) ||
		!strings.Contains(page, frame.Tell(asks(t, 1), "user.stale")) {
		t.Errorf("a link to pass on: %s", page)
	}
}

// Lists keep their filter from page to page, and say who has not chosen a password yet.
func TestListsOfPeople(t *testing.T) {
	t.Parallel()
	ctx := asks(t, 1)
	l := &userList{form: &frame.Form{Values: url.Values{"search": {"a&b"}}}, page: 2, total: 101, items: []*tenancy.User{ada(), {ID: 8, Login: "new", Role: tenancy.Editor}}}
	if l.pages() != 3 || l.address(1) != "/admin/users?search=a%26b" || l.address(3) != "/admin/users?page=3&search=a%26b" {
		t.Errorf("%d pages, %s, %s", l.pages(), l.address(1), l.address(3))
	}
	page := htmltest.Of(ctx, t, usersPage(l))
	if n := strings.Count(page, frame.Tell(ctx, "users.waiting")); n != 1 || !strings.Contains(page, "page=3") || !strings.Contains(page, `value="a&amp;b"`) {
		t.Errorf("%d have no password: %s", n, page)
	}
	l = &userList{form: &frame.Form{Values: url.Values{}}, page: 1}
	if page = htmltest.Of(ctx, t, usersPage(l)); l.address(1) != "/admin/users" || !strings.Contains(page, `class="nothing"`) || strings.Contains(page, `rel="next"`) {
		t.Error(page)
	}
	key := &accounts.OwnedKey{Login: "ada", Owner: "Ada <L>"}
	key.ID, key.UserID, key.Name, key.ReadOnly, key.Kind = 3, 7, "Key & co", true, tenancy.APIKey
	k := &keyList{form: &frame.Form{Values: url.Values{"search": {"co"}}}, whose: ada(), page: 2, total: 51, items: []*accounts.OwnedKey{key}}
	if k.pages() != 2 || k.address(1) != "/admin/keys?search=co&user=7" || k.address(2) != "/admin/keys?page=2&search=co&user=7" {
		t.Errorf("%d pages, %s, %s", k.pages(), k.address(1), k.address(2))
	}
	page = htmltest.Of(ctx, t, keysPage(k))
	for _, text := range []string{"Key &amp; co", `href="/admin/users/7"`, `name="id" value="3"`, `value="/admin/keys?page=2&amp;search=co&amp;user=7"`, frame.Tell(ctx, "access.reads")} {
		if !strings.Contains(page, text) {
			t.Errorf("without %s", text)
		}
	}
	if k = (&keyList{form: &frame.Form{Values: url.Values{}}, page: 1}); k.address(1) != "/admin/keys" {
		t.Error(k.address(1))
	}
}

// An entry of the history leads to what it is about, if that is still there and has a page.
func TestEntriesLeadToTheirObjects(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{"event": "/admin/events/7", "venue": "/admin/venues/7", "organizer": "/admin/organizers/7", "user": "", "site": "", "session": ""} {
		e := &tenancy.Entry{Position: tenancy.Position{Kind: kind, ID: 7}, Action: "update"}
		if got := entryLink(e); got != want {
			t.Errorf("%s leads to %q", kind, got)
		}
		if e.Action = "delete"; entryLink(e) != "" {
			t.Errorf("a deleted %s leads to %q", kind, entryLink(e))
		}
	}
}
