package accounts_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/test/sitetest"
)

// hash is what stands for a secret.
func hash(text string) []byte { return []byte(fmt.Sprintf("%-32s", text)) }

// person makes a user of a site.
func person(s *sitetest.Site, login, email, name string, role tenancy.Role) *tenancy.User {
	s.Helper()
	u := &tenancy.User{Login: login, Email: email, Name: name, Role: role, PasswordHash: "$" + login}
	s.Must(s.DB.Users().Create(s.Ctx, u, nil))
	return u
}

func logins(list []*tenancy.User) []string {
	all := []string{}
	for _, u := range list {
		all = append(all, u.Login)
	}
	return all
}

// People are found by parts of their logins, addresses and names, in any letter case and script, and of one role where that is asked for.
func TestUserList(t *testing.T) {
	t.Parallel()
	all := sitetest.New(t)
	s := all.Site(t, "one")
	s.Exec(`DELETE FROM users WHERE site_id = $1`, s.ID)
	person(s, "Zoe", "zoe@Example.org", "Zoë Müller", tenancy.Administrator)
	person(s, "anna", "a_b@example.com", "Анна Иванова", tenancy.Editor)
	person(s, "Ben", "100%@example.net", "ÖZGÜR", tenancy.Editor)
	for what, c := range map[string]struct {
		query tenancy.Query
		want  []string
		total int
	}{
		"all by login":      {tenancy.Query{}, []string{"anna", "Ben", "Zoe"}, 3},
		"login":             {tenancy.Query{Search: "EN"}, []string{"Ben"}, 1},
		"address":           {tenancy.Query{Search: "zoe@example"}, []string{"Zoe"}, 1},
		"name":              {tenancy.Query{Search: "MÜLLER"}, []string{"Zoe"}, 1},
		"in other scripts":  {tenancy.Query{Search: "ИВАНОВА"}, []string{"anna"}, 1},
		"umlauts":           {tenancy.Query{Search: "özgür"}, []string{"Ben"}, 1},
		"signs of patterns": {tenancy.Query{Search: "_"}, []string{"anna"}, 1},
		"another":           {tenancy.Query{Search: "%"}, []string{"Ben"}, 1},
		"a role":            {tenancy.Query{Role: tenancy.Editor}, []string{"anna", "Ben"}, 2},
		"of none":           {tenancy.Query{Role: tenancy.Subscriber}, []string{}, 0},
		"both":              {tenancy.Query{Role: tenancy.Editor, Search: "example.n"}, []string{"Ben"}, 1},
		"the second page":   {tenancy.Query{Page: 2, PerPage: 2}, []string{"Zoe"}, 3},
		"one behind it":     {tenancy.Query{Page: 9, PerPage: 2}, []string{}, 3},
	} {
		q := c.query
		q.Search, q.Page = tenancy.Fold(q.Search), max(q.Page, 1)
		if q.PerPage == 0 {
			q.PerPage = 50
		}
		page, err := s.DB.Users().List(s.Ctx, q)
		s.Must(err)
		s.Equal(what, logins(page.Items), c.want)
		s.Equal(what+", in all", page.Total, c.total)
	}
	other := all.Site(t, "other")
	page, err := other.DB.Users().List(other.Ctx, tenancy.Query{Page: 1, PerPage: 9, Search: "zoe"})
	s.Must(err)
	s.Equal("of another site", page.Total, 0)
}

// A login or an address names one person, in any letter case; a login counts before an address. Neither is there twice on a site.
func TestByLogin(t *testing.T) {
	t.Parallel()
	all := sitetest.New(t)
	s, other := all.Site(t, "one"), all.Site(t, "other")
	ann := person(s, "Ann", "ann@example.org", "Ann", tenancy.Editor)
	bob := person(s, "ann@EXAMPLE.org", "bob@example.org", "Bob", tenancy.Editor)
	for name, want := range map[string]int64{"ANN": ann.ID, " ann ": ann.ID, "ann@example.org": bob.ID, "BOB@example.org": bob.ID, "nobody": 0, "": 0} {
		u, err := s.DB.Users().ByLogin(s.Ctx, name)
		if want == 0 {
			s.Wants(err, accounts.ErrNoUser)
			continue
		}
		s.Must(err)
		s.Equal(name, u.ID, want)
	}
	_, err := other.DB.Users().ByLogin(other.Ctx, "ann")
	s.Wants(err, accounts.ErrNoUser)
	s.Refuses(s.DB.Users().Create(s.Ctx, &tenancy.User{Login: "aNN", Email: "new@example.org", Role: tenancy.Editor}, nil), "login", "problem.login.taken")
	s.Refuses(s.DB.Users().Create(s.Ctx, &tenancy.User{Login: "new", Email: "Bob@Example.org", Role: tenancy.Editor}, nil), "email", "problem.email.taken")
	person(other, "Ann", "ann@example.org", "Ann", tenancy.Editor)
	_, err = s.DB.Users().Update(s.Ctx, bob.ID, func(u *tenancy.User, _ int) error { u.Login = "ANN"; return nil })
	s.Refuses(err, "login", "problem.login.taken")
}

// Whoever goes takes their ways in with them. What they wrote stays, without an author, and the version of entries as it was.
func TestDeleteUser(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t).Site(t, "one")
	u := person(s, "ann", "ann@example.org", "Ann", tenancy.Administrator)
	v := s.Venue("Hall")
	s.Exec(`UPDATE venues SET author = $2 WHERE site_id = $1`, s.ID, u.ID)
	s.Must(s.DB.Credentials().Create(s.Ctx, &accounts.Credential{UserID: u.ID, Kind: tenancy.APIKey, Name: "k", Hash: hash("k")}))
	s.Must(s.DB.Sessions().Create(s.Ctx, &accounts.Session{UserID: u.ID, Hash: hash("s"), Created: sitetest.Noon, LastSeen: sitetest.Noon, Expires: sitetest.Noon.Add(time.Hour)}))
	stop := errors.New("stop")
	_, err := s.DB.Users().Delete(s.Ctx, u.ID, func(_ *tenancy.User, others int) error {
		s.Equal("other administrators", others, 0)
		return stop
	})
	s.Wants(err, stop)
	s.Exec(`UPDATE users SET role = 'administrator' WHERE site_id = $1 AND id = 2`, s.ID)
	last, err := s.DB.Users().Delete(s.Ctx, u.ID, func(_ *tenancy.User, others int) error { s.Equal("other administrators", others, 1); return nil })
	s.Must(err)
	s.Equal("who it was", []any{last.Login, last.ID}, []any{"ann", u.ID})
	s.Equal("left", append(s.Rows(`SELECT name FROM credentials`), s.Rows(`SELECT csrf::text FROM sessions`)...), []string{})
	s.Equal("the venue", s.Rows(`SELECT version || ' ' || COALESCE(author, 0) FROM venues`), []string{fmt.Sprint(v.Version, " 0")})
	_, err = s.DB.Users().Delete(s.Ctx, u.ID, func(*tenancy.User, int) error { return nil })
	s.Wants(err, accounts.ErrNoUser)
	again := person(s, "ann", "ann@example.org", "Ann", tenancy.Editor)
	if again.ID <= u.ID {
		t.Errorf("the number %d is given twice", again.ID)
	}
}

// Whoever resets a password decides which other ways in go with it, and each that goes is told.
func TestCuts(t *testing.T) {
	t.Parallel()
	all := sitetest.New(t)
	for n, cut := range []accounts.Cut{{}, {Keys: true}, {Passkeys: true}, {Keys: true, Passkeys: true}} {
		s := all.Site(t, fmt.Sprint("site-", n))
		u, other := person(s, "ann", "ann@example.org", "Ann", tenancy.Editor), person(s, "bob", "bob@example.org", "Bob", tenancy.Editor)
		for _, of := range []*tenancy.User{u, other} {
			s.Must(s.DB.Credentials().Create(s.Ctx, &accounts.Credential{UserID: of.ID, Kind: tenancy.APIKey, Name: of.Login, Hash: hash(of.Login)}))
			free, err := s.DB.Passkeys().Create(s.Ctx, &accounts.Passkey{ID: hash(of.Login), UserID: of.ID, Name: of.Login, Data: []byte("{}"), Created: sitetest.Noon})
			s.Must(err)
			s.Equal("free", free, true)
			s.Must(s.DB.Vouchers().Create(s.Ctx, &accounts.Voucher{Hash: hash(of.Login), UserID: of.ID, Kind: "reset", Created: sitetest.Noon,
				Expires: sitetest.Noon.Add(time.Hour)}, false))
			s.Must(s.DB.Sessions().Create(s.Ctx, &accounts.Session{UserID: of.ID, Hash: hash(of.Login), Created: sitetest.Noon, LastSeen: sitetest.Noon,
				Expires: sitetest.Noon.Add(time.Hour)}))
		}
		_, err := s.DB.Vouchers().Redeem(s.Ctx, hash("ann"), cut, nil, func(_ *accounts.Voucher, u *tenancy.User) error { u.PasswordHash = "$new"; return nil })
		s.Must(err)
		want := []string{"bob"}
		if !cut.Keys {
			want = []string{"ann", "bob"}
		}
		s.Equal("keys", s.Rows(`SELECT name FROM credentials ORDER BY 1`), want)
		want = []string{"bob"}
		if !cut.Passkeys {
			want = []string{"ann", "bob"}
		}
		s.Equal("passkeys", s.Rows(`SELECT name FROM passkeys ORDER BY 1`), want)
		s.Equal("vouchers and sessions", append(s.Rows(`SELECT user_id::text FROM vouchers`), s.Rows(`SELECT user_id::text FROM sessions`)...),
			[]string{fmt.Sprint(other.ID), fmt.Sprint(other.ID)})
		told := []string{}
		if cut.Keys {
			told = append(told, "key ann")
		}
		if cut.Passkeys {
			told = append(told, "passkey ann")
		}
		s.Equal("told", s.Rows(`SELECT kind || ' ' || (before ->> 'name') FROM changes WHERE action = 'delete' ORDER BY 1`), told)
		s.Equal("the password isn't told", s.Rows(`SELECT before::text FROM changes WHERE kind = 'user' AND action = 'update' AND id = $1`, u.ID),
			[]string{`{"password": "set"}`})
		_, err = s.DB.Vouchers().Redeem(s.Ctx, hash("ann"), cut, nil, func(*accounts.Voucher, *tenancy.User) error { return nil })
		s.Wants(err, accounts.ErrNoVoucher)
	}
}

// A new voucher takes the place of others of its kind where it is to, and sweeps those that are over. Nobody who is gone gets one.
func TestVouchers(t *testing.T) {
	t.Parallel()
	all := sitetest.New(t)
	s := all.Site(t, "one")
	give := func(name, kind string, at time.Duration, life time.Duration, instead bool) {
		s.Helper()
		s.Must(s.DB.Vouchers().Create(s.Ctx, &accounts.Voucher{Hash: hash(name), UserID: 1, Kind: accounts.VoucherKind(kind), Seal: "s",
			Created: sitetest.Noon.Add(at), Expires: sitetest.Noon.Add(at + life)}, instead))
	}
	left := func(what string, want ...string) {
		s.Helper()
		got := s.Rows(`SELECT trim(convert_from(id, 'UTF8')) FROM vouchers ORDER BY 1`)
		s.Equal(what, got, append([]string{}, want...))
	}
	give("a", "invitation", 0, time.Hour, false)
	give("b", "reset", 0, time.Hour, false)
	give("c", "reset", time.Minute, time.Hour, false)
	left("beside one another", "a", "b", "c")
	give("d", "reset", time.Minute, time.Hour, true)
	left("instead of its kind", "a", "d")
	give("e", "reset", time.Hour, time.Hour, false)
	left("over at their last moment", "d", "e")
	err := s.DB.Vouchers().Create(s.Ctx, &accounts.Voucher{Hash: hash("f"), UserID: 99, Kind: "reset", Created: sitetest.Noon, Expires: sitetest.Noon}, true)
	s.Wants(err, accounts.ErrNoUser)
	left("for nobody", "d", "e")
	_, _, err = s.DB.Vouchers().Find(all.Site(t, "other").Ctx, hash("d"))
	s.Wants(err, accounts.ErrNoVoucher)
	v, u, err := s.DB.Vouchers().Find(s.Ctx, hash("d"))
	s.Must(err)
	s.Equal("found", []any{v.UserID, u.ID, string(v.Kind), v.Expires}, []any{int64(1), int64(1), "reset", sitetest.Noon.Add(time.Minute + time.Hour)})
}

// Keys of all users are found by their names and their owners; when one was last used goes forward only.
func TestKeys(t *testing.T) {
	t.Parallel()
	all := sitetest.New(t)
	s := all.Site(t, "one")
	keys := s.DB.Credentials()
	ann := person(s, "ann", "ann@example.org", "ÄNNE", tenancy.Editor)
	for n, name := range []string{"Phone", "Laptop 100%"} {
		for _, user := range []int64{1, ann.ID} {
			s.Must(keys.Create(s.Ctx, &accounts.Credential{UserID: user, Kind: tenancy.APIKey, Name: name, Hash: hash(fmt.Sprint(n, user)), ReadOnly: n == 0}))
		}
	}
	list := func(search string, user int64) []string {
		s.Helper()
		page, err := keys.All(s.Ctx, tenancy.Query{Page: 1, PerPage: 9, Search: tenancy.Fold(search)}, user)
		s.Must(err)
		got := []string{}
		for _, k := range page.Items {
			got = append(got, k.Login+" "+k.Name)
		}
		s.Equal("in all", page.Total, len(got))
		return got
	}
	s.Equal("all, the newest first", list("", 0), []string{"ann Laptop 100%", "user1 Laptop 100%", "ann Phone", "user1 Phone"})
	s.Equal("by name", list("PHONE", 0), []string{"ann Phone", "user1 Phone"})
	s.Equal("by owner", list("änne", 0), []string{"ann Laptop 100%", "ann Phone"})
	s.Equal("by login, of one", list("user", 1), []string{"user1 Laptop 100%", "user1 Phone"})
	s.Equal("by sign", list("0%", ann.ID), []string{"ann Laptop 100%"})
	s.Equal("of one who has none", list("", 2), []string{})
	k, u, err := keys.Find(s.Ctx, hash(fmt.Sprint(0, ann.ID)))
	s.Must(err)
	s.Equal("found", []any{k.Name, k.ReadOnly, u.Login, k.LastUsed.IsZero()}, []any{"Phone", true, "ann", true})
	for _, at := range []time.Duration{time.Hour, time.Minute} {
		s.Must(keys.Touch(s.Ctx, map[int64]time.Time{k.ID: sitetest.Noon.Add(at), 99: sitetest.Noon}))
		k, _, err = keys.Find(s.Ctx, k.Hash)
		s.Must(err)
		s.Equal("last used", k.LastUsed, sitetest.Noon.Add(time.Hour))
	}
	s.Wants(keys.Delete(s.Ctx, 1, k.ID), accounts.ErrNoKey)
	gone, err := keys.DeleteAny(s.Ctx, k.ID)
	s.Must(err)
	s.Equal("whose it was", gone.Login, "ann")
	_, _, err = keys.Find(s.Ctx, k.Hash)
	s.Wants(err, accounts.ErrNoKey)
	s.Wants(keys.Create(s.Ctx, &accounts.Credential{UserID: 99, Kind: tenancy.APIKey, Hash: hash("x")}), accounts.ErrNoUser)
	_, _, err = keys.Find(all.Site(t, "other").Ctx, hash("11"))
	s.Wants(err, accounts.ErrNoKey)
}

// Sessions are listed from the one seen last. Signing in sweeps what is over, of that user alone; signing out elsewhere keeps this one.
func TestSessions(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t).Site(t, "one")
	sessions := s.DB.Sessions()
	open := func(name string, user int64, at time.Duration) {
		s.Helper()
		s.Must(sessions.Create(s.Ctx, &accounts.Session{UserID: user, Hash: hash(name), Created: sitetest.Noon.Add(at), LastSeen: sitetest.Noon.Add(at),
			Expires: sitetest.Noon.Add(at + time.Hour), Address: "192.0.2.1", UserAgent: name}))
	}
	left := func(what string, user int64, want ...string) {
		s.Helper()
		list, err := sessions.List(s.Ctx, user)
		s.Must(err)
		got := []string{}
		for _, one := range list {
			got = append(got, one.UserAgent)
		}
		s.Equal(what, got, append([]string{}, want...))
	}
	open("a", 1, 0)
	open("other", 2, 0)
	open("b", 1, time.Minute)
	left("the last first", 1, "b", "a")
	s.Must(sessions.Touch(s.Ctx, hash("a"), sitetest.Noon.Add(2*time.Minute)))
	s.Must(sessions.Touch(s.Ctx, hash("a"), sitetest.Noon.Add(time.Second))) // of a request that took long
	left("seen since", 1, "a", "b")
	open("c", 1, time.Hour)
	left("what is over at that moment goes", 1, "c", "b")
	left("others keep theirs", 2, "other")
	s.Wants(sessions.Delete(s.Ctx, 1, hash("other")), accounts.ErrNoKey)
	s.Must(sessions.DeleteOthers(s.Ctx, 1, hash("c")))
	left("but one", 1, "c")
	left("others keep theirs", 2, "other")
	s.Wants(sessions.Create(s.Ctx, &accounts.Session{UserID: 99, Hash: hash("x"), Created: sitetest.Noon, LastSeen: sitetest.Noon, Expires: sitetest.Noon}), accounts.ErrNoUser)
	s.Must(sessions.Refused(s.Ctx, 1))
	s.Equal("history", s.Rows(`SELECT action || ' ' || who FROM changes WHERE kind = 'session' ORDER BY n`),
		[]string{"sign_in user1", "sign_in user2", "sign_in user1", "sign_in user1", "sign_in_failed "})
	s.Equal("version", s.Rows(`SELECT version::text FROM sites WHERE id = $1`, s.ID), []string{"0"})
}

// A request that was under way when its user's password or role changed leaves no way in behind.
func TestWriteIn(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t).Site(t, "one")
	ann := person(s, "ann", "ann@example.org", "Ann", tenancy.Administrator)
	p := ann.Principal()
	p.Seal = ann.Seal()
	ctx := tenancy.With(t.Context(), tenancy.Scope{Site: &tenancy.Site{ID: s.ID}, Principal: p})
	each := func(ctx context.Context, name string) map[string]error {
		_, passkey := s.DB.Passkeys().Create(ctx, &accounts.Passkey{ID: hash(name), UserID: ann.ID, Data: []byte("{}"), Created: sitetest.Noon})
		_, update := s.DB.Users().Update(ctx, 2, func(u *tenancy.User, _ int) error { u.Name = name; return nil })
		return map[string]error{"passkey": passkey, "update": update,
			"key":  s.DB.Credentials().Create(ctx, &accounts.Credential{UserID: ann.ID, Kind: tenancy.APIKey, Name: name, Hash: hash(name)}),
			"user": s.DB.Users().Create(ctx, &tenancy.User{Login: name, Email: name + "@mail.example", Role: tenancy.Administrator}, nil)}
	}
	for _, step := range []struct {
		change func(*tenancy.User)
		want   error
	}{
		{func(*tenancy.User) {}, nil},
		{func(u *tenancy.User) { u.Role = tenancy.Editor }, tenancy.ErrForbidden},
		{func(u *tenancy.User) { u.Role, u.PasswordHash = tenancy.Administrator, "$other" }, tenancy.ErrUnauthenticated},
	} {
		_, err := s.DB.Users().Update(s.Ctx, ann.ID, func(u *tenancy.User, _ int) error { step.change(u); return nil })
		s.Must(err)
		for what, err := range each(ctx, fmt.Sprint("n", step.want == nil, errors.Is(step.want, tenancy.ErrForbidden))) {
			if !errors.Is(err, step.want) {
				t.Errorf("%s: %v, want %v", what, err, step.want)
			}
		}
	}
	_, err := s.DB.Users().Delete(s.Ctx, ann.ID, func(*tenancy.User, int) error { return nil })
	s.Must(err)
	s.Wants(s.DB.Credentials().Create(ctx, &accounts.Credential{UserID: 1, Kind: tenancy.APIKey, Hash: hash("z")}), tenancy.ErrUnauthenticated)
}

// A challenge is good once and until its end, on its own site.
func TestChallenges(t *testing.T) {
	t.Parallel()
	all := sitetest.New(t)
	s, other := all.Site(t, "one"), all.Site(t, "other")
	store := s.DB.Challenges()
	end := sitetest.Noon.Add(time.Minute)
	for _, name := range []string{"a", "b", "c"} {
		s.Must(store.Create(s.Ctx, hash(name), []byte(name), sitetest.Noon, end))
	}
	look := func(ctx context.Context, name string, at time.Time) string {
		data, err := store.Look(ctx, hash(name), at)
		if err != nil && !errors.Is(err, accounts.ErrNoChallenge) {
			t.Error(err)
		}
		return string(data)
	}
	take := func(ctx context.Context, name string, at time.Time) string {
		data, err := store.Take(ctx, hash(name), at)
		if (err != nil) != (data == nil) || err != nil && !errors.Is(err, accounts.ErrNoChallenge) {
			t.Errorf("%q %v", data, err)
		}
		return string(data)
	}
	s.Equal("before its end", []string{look(s.Ctx, "a", end.Add(-1)), look(s.Ctx, "a", end), look(other.Ctx, "a", sitetest.Noon), look(s.Ctx, "x", sitetest.Noon)},
		[]string{"a", "", "", ""})
	s.Equal("once", []string{take(other.Ctx, "a", sitetest.Noon), take(s.Ctx, "a", sitetest.Noon), take(s.Ctx, "a", sitetest.Noon)}, []string{"", "a", ""})
	s.Equal("over, and gone", []string{take(s.Ctx, "b", end), take(s.Ctx, "b", sitetest.Noon)}, []string{"", ""})
	s.Must(store.Create(s.Ctx, hash("d"), []byte("d"), end, end.Add(time.Minute)))
	s.Equal("swept", s.Rows(`SELECT convert_from(data, 'UTF8') FROM challenges`), []string{"d"})
}

// The lobby finds the accounts of an address on all sites, the one used last first, and none without a password.
func TestLobbyOrder(t *testing.T) {
	t.Parallel()
	all := sitetest.New(t)
	for n, c := range []struct{ email, hash string }{
		{"ann@example.org", "$1"}, {"Ann@Example.ORG", "$2"}, {"ann@example.org", ""}, {"ann@example.org", "$3"}, {"ann@example.com", "$4"},
	} {
		s := all.Site(t, fmt.Sprint("site-", n))
		u := &tenancy.User{Login: "ann", Email: c.email, Role: tenancy.Editor, PasswordHash: c.hash}
		s.Must(s.DB.Users().Create(s.Ctx, u, nil))
		if n == 0 {
			s.Must(s.DB.Sessions().Create(s.Ctx, &accounts.Session{UserID: u.ID, Hash: hash("s"), Created: sitetest.Noon,
				LastSeen: sitetest.Noon.Add(time.Hour), Expires: sitetest.Noon.Add(2 * time.Hour)}))
		}
	}
	for most, want := range map[int][]string{9: {"site-0", "site-1", "site-3"}, 2: {"site-0", "site-1"}, 0: {}} {
		list, err := all.DB.Lobby().Accounts(t.Context(), "ann@example.org", most)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, a := range list {
			got = append(got, a.Slug)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d at most: %s, want %s", most, strings.Join(got, " "), strings.Join(want, " "))
		}
	}
	if list, err := all.DB.Lobby().Accounts(t.Context(), "nobody@example.org", 5); err != nil || len(list) != 0 {
		t.Errorf("%v %v", list, err)
	}
}
