package accounts_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/test/tenancytest"
)

func TestCreateUser(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo")
	f := tenancytest.Person("Ann", tenancy.Editor)
	f.Password = args.Some("a long password")
	made, password, err := i.Users.Create(i.Enter(site), f)
	if err != nil {
		t.Fatal(err)
	}
	if made.ID != 1 || made.Name != "Ann" || made.Role != tenancy.Editor || len(password) != 29 || !accounts.CheckPassword(made.PasswordHash, "a long password") {
		t.Errorf("made %+v with %q", made, password)
	}
	read, err := i.Users.Get(i.Enter(site), made.ID)
	if err != nil || !cmp.Equal(made, read) {
		t.Errorf("read %+v, %v", read, err)
	}
	keys, err := i.Keys.List(i.Enter(site), made.ID)
	if err != nil || len(keys) != 1 || keys[0].Kind != tenancy.ApplicationPassword || !keys[0].LastUsed.IsZero() {
		t.Errorf("keys %+v, %v", keys, err)
	}
}

func TestUserRefuses(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site, other := i.Site("demo"), i.Site("other")
	i.User(site, "ann", tenancy.Administrator)
	bob, _ := i.User(site, "bob", tenancy.Author)
	i.User(other, "ann", tenancy.Administrator) // the same login elsewhere is another person

	_, _, err := i.Users.Create(i.Enter(site), tenancytest.Person("ANN", tenancy.Editor))
	tenancytest.WantProblem(t, err, "login", "problem.login.taken")
	same := tenancytest.Person("carl", tenancy.Editor)
	same.Email = args.Some(args.Email("Ann@Mail.example"))
	_, _, err = i.Users.Create(i.Enter(site), same)
	tenancytest.WantProblem(t, err, "email", "problem.email.taken")
	_, err = i.Users.Update(i.Enter(site), bob.ID, &accounts.UserFields{Login: args.Some("Ann")})
	tenancytest.WantProblem(t, err, "login", "problem.login.taken")
	_, err = i.Users.Update(i.Enter(site), bob.ID, &accounts.UserFields{Password: args.Some("short")})
	tenancytest.WantProblem(t, err, "password", "problem.password.short")
}

func TestUpdateUser(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo")
	bob, _ := i.User(site, "bob", tenancy.Author)
	after, err := i.Users.Update(i.Enter(site), bob.ID, &accounts.UserFields{Name: args.Some("Bob"), Role: args.Some("editor")})
	if err != nil || after.Name != "Bob" || after.Role != tenancy.Editor || after.Email != bob.Email || after.Login != "bob" {
		t.Errorf("%+v, %v", after, err)
	}
	before := version(t, i, "demo")
	if _, err := i.Users.Update(i.Enter(site), bob.ID, &accounts.UserFields{Name: args.Some("Bob")}); err != nil {
		t.Error(err)
	}
	if now := version(t, i, "demo"); now != before {
		t.Errorf("nothing changed, and the version went from %d to %d", before, now)
	}
}

func version(t testing.TB, i *tenancytest.Installation, slug string) int64 {
	t.Helper()
	site, err := i.Sites.Get(i.Provider(), slug)
	if err != nil {
		t.Fatal(err)
	}
	return site.Version
}

// Another site's users aren't there, with each of the two walls alone.
func TestForeignUsers(t *testing.T) {
	t.Parallel()
	for name, policies := range map[string]bool{"policies": true, "clauses": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := tenancytest.Install(t)
			mine, foreign := i.Site("mine"), i.Site("foreign")
			i.User(mine, "ann", tenancy.Administrator)
			i.User(foreign, "ann", tenancy.Administrator)
			bob, _ := i.User(foreign, "bob", tenancy.Administrator)
			keys, err := i.Keys.List(i.Enter(foreign), bob.ID)
			if err != nil || len(keys) != 1 {
				t.Fatal(keys, err)
			}
			if !policies {
				withoutPolicies(t, i)
			}
			ctx := i.Enter(mine)
			_, err = i.Users.Get(ctx, bob.ID)
			tenancytest.WantError(t, err, accounts.ErrNoUser)
			_, err = i.Users.Update(ctx, bob.ID, &accounts.UserFields{Name: args.Some("x")})
			tenancytest.WantError(t, err, accounts.ErrNoUser)
			_, err = i.Users.Delete(ctx, bob.ID)
			tenancytest.WantError(t, err, accounts.ErrNoUser)
			_, _, err = i.Keys.Create(ctx, bob.ID, &accounts.KeyFields{Name: args.Some("x")})
			tenancytest.WantError(t, err, accounts.ErrNoUser)
			tenancytest.WantError(t, i.Keys.Revoke(ctx, bob.ID, keys[0].ID), accounts.ErrNoKey)
			if list, err := i.Keys.List(ctx, bob.ID); err != nil || len(list) != 0 {
				t.Errorf("keys %+v, %v", list, err)
			}
			if page, err := i.Users.List(ctx, &accounts.UserFilter{}); err != nil || page.Total != 1 || len(page.Items) != 1 {
				t.Errorf("users %+v, %v", page, err)
			}
			if page, err := i.Users.List(ctx, &accounts.UserFilter{Filter: tenancy.Filter{Search: args.Some("bob")}}); err != nil || page.Total != 0 {
				t.Errorf("search found %+v, %v", page, err)
			}
			if _, err := i.DB.Users().ByLogin(ctx, "bob"); err == nil {
				t.Error("a foreign login is found")
			}
		})
	}
}

// withoutPolicies takes the second wall away.
func withoutPolicies(t testing.TB, i *tenancytest.Installation) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), i.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if _, err := conn.Exec(t.Context(), `
		ALTER TABLE users DISABLE ROW LEVEL SECURITY;
		ALTER TABLE credentials DISABLE ROW LEVEL SECURITY`); err != nil {
		t.Fatal(err)
	}
}

// A statement that forgets to name the site sees nothing of others.
func TestPoliciesAlone(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	mine, foreign := i.Site("mine"), i.Site("foreign")
	i.User(mine, "ann", tenancy.Administrator)
	i.User(foreign, "bob", tenancy.Administrator)
	for site, want := range map[any]int{"": 0, mine.ID: 2, foreign.ID: 2} {
		var n int
		err := i.DB.Across("a test looks at what is there").QueryRow(t.Context(), `
			SELECT count(*)
			FROM set_config('kalends.site', $1::text, false), LATERAL (
				SELECT id FROM users
				UNION ALL
				SELECT id FROM credentials
			) rows`, text(site)).Scan(&n)
		if err != nil || n != want {
			t.Errorf("site %v sees %d rows, %v", site, n, err)
		}
	}
}

func TestConcurrentLastAdministrator(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site, other := i.Site("demo"), i.Site("other")
	i.User(other, "zoe", tenancy.Administrator)
	ann, _ := i.User(site, "ann", tenancy.Administrator)
	ctx := i.Enter(site)
	demote := &accounts.UserFields{Role: args.Some("editor")}
	_, err := i.Users.Update(ctx, ann.ID, demote)
	tenancytest.WantError(t, err, accounts.ErrLastAdministrator)
	_, err = i.Users.Delete(ctx, ann.ID)
	tenancytest.WantError(t, err, accounts.ErrLastAdministrator)
	if _, err := i.Users.Update(ctx, ann.ID, &accounts.UserFields{Name: args.Some("Ann")}); err != nil {
		t.Errorf("the last administrator can't be renamed: %v", err)
	}

	bob, _ := i.User(site, "bob", tenancy.Administrator)
	var group sync.WaitGroup
	errs := make([]error, 2)
	for n, id := range []int64{ann.ID, bob.ID} {
		group.Go(func() { _, errs[n] = i.Users.Delete(ctx, id) })
	}
	group.Wait()
	if (errs[0] == nil) == (errs[1] == nil) {
		t.Errorf("both at once: %v, %v", errs[0], errs[1])
	}
}

func TestUsersNeedTheRight(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo")
	ann, _ := i.User(site, "ann", tenancy.Administrator)
	bob, _ := i.User(site, "bob", tenancy.Editor)
	reader := ann.Principal()
	reader.ReadOnly = true
	for _, c := range []struct {
		who        tenancy.Principal
		read, self error
		write      error
	}{
		{tenancy.Principal{}, tenancy.ErrUnauthenticated, tenancy.ErrUnauthenticated, tenancy.ErrUnauthenticated},
		{bob.Principal(), tenancy.ErrForbidden, nil, tenancy.ErrForbidden},
		{reader, nil, nil, tenancy.ErrForbidden},
	} {
		ctx := i.In(site, c.who)
		_, err := i.Users.List(ctx, &accounts.UserFilter{})
		tenancytest.WantError(t, err, c.read)
		_, err = i.Users.Get(ctx, ann.ID)
		tenancytest.WantError(t, err, c.read)
		_, err = i.Users.Get(ctx, bob.ID)
		tenancytest.WantError(t, err, c.self)
		_, _, err = i.Users.Create(ctx, tenancytest.Person("carl", tenancy.Author))
		tenancytest.WantError(t, err, c.write)
		_, err = i.Users.Update(ctx, bob.ID, &accounts.UserFields{Role: args.Some("administrator")})
		tenancytest.WantError(t, err, c.write)
		_, err = i.Users.Delete(ctx, bob.ID)
		tenancytest.WantError(t, err, c.write)
	}
	_, err := i.Users.List(t.Context(), &accounts.UserFilter{})
	tenancytest.WantError(t, err, tenancy.ErrNoScope)
}

func TestChangePassword(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo")
	f := tenancytest.Person("ann", tenancy.Subscriber)
	f.Password = args.Some("the old password")
	ann, _, err := i.Users.Create(i.Enter(site), f)
	if err != nil {
		t.Fatal(err)
	}
	ctx := i.In(site, ann.Principal())
	_, err = i.Users.ChangePassword(ctx, accounts.ByPassword("a wrong password"), "the new password", accounts.Cut{})
	tenancytest.WantError(t, err, tenancy.ErrCredentials)
	_, err = i.Users.ChangePassword(ctx, accounts.ByPassword("the old password"), "short", accounts.Cut{})
	tenancytest.WantProblem(t, err, "password", "problem.password.short")
	_, err = i.Users.ChangePassword(ctx, accounts.Presence{}, "the new password", accounts.Cut{})
	tenancytest.WantError(t, err, tenancy.ErrCredentials)
	_, err = i.Users.ChangePassword(i.In(site, tenancy.Principal{}), accounts.ByPassword("the old password"), "the new password", accounts.Cut{})
	tenancytest.WantError(t, err, tenancy.ErrUnauthenticated)
	after, err := i.Users.ChangePassword(ctx, accounts.ByPassword("the old password"), "the new password", accounts.Cut{})
	if err != nil || after.Seal() == ann.Seal() || !accounts.CheckPassword(after.PasswordHash, "the new password") {
		t.Errorf("%+v, %v", after, err)
	}
}

// TestPasswordIsNoName: nobody's password is their login or their e-mail address, wherever it is set.
func TestPasswordIsNoName(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo")
	fields := func(password string) *accounts.UserFields {
		f := tenancytest.Person("Friends of Ann", tenancy.Editor)
		f.Email = args.Some(args.Email("Zoe.Quimby@club.example"))
		if password != "" {
			f.Password = args.Some(password)
		}
		return f
	}
	ann, _, err := i.Users.Create(i.Enter(site), fields("the old password"))
	if err != nil {
		t.Fatal(err)
	}
	for _, easy := range []string{"friends of ann", "FRIENDS OF ANN", "Zoe.Quimby@club.example", "zoe.quimby@Club.Example ", " Friends of Ann"} {
		found := &args.Problems{}
		fields(easy).Check(found)
		tenancytest.WantProblem(t, found.Err(), "password", "problem.password.common")
		_, _, err := i.Users.Create(i.Enter(site), fields(easy))
		tenancytest.WantProblem(t, err, "password", "problem.password.common")
		_, err = i.Users.Invite(i.Enter(site), fields(easy))
		tenancytest.WantProblem(t, err, "password", "problem.password.common")
		_, err = i.Users.Update(i.Enter(site), ann.ID, &accounts.UserFields{Password: args.Some(easy)})
		tenancytest.WantProblem(t, err, "password", "problem.password.common")
		_, err = i.Users.ChangePassword(i.In(site, ann.Principal()), accounts.ByPassword("the old password"), easy, accounts.Cut{})
		tenancytest.WantProblem(t, err, "password", "problem.password.common")
		_, token, _, err := i.Vouchers.Give(i.Enter(site), ann.ID)
		if err != nil {
			t.Fatal(err)
		}
		_, err = i.Vouchers.Redeem(i.In(site, tenancy.Principal{}), token, "", easy, accounts.Cut{})
		tenancytest.WantProblem(t, err, "password", "problem.password.common")
	}
	if _, err := i.Users.Update(i.Enter(site), ann.ID, &accounts.UserFields{Password: args.Some("friends of bob and ann")}); err != nil {
		t.Errorf("another: %v", err)
	}
}
