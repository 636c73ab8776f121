package tenancy_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

func TestCreateUser(t *testing.T) {
	t.Parallel()
	i := install(t)
	site := i.site("demo")
	f := person("Ann", tenancy.Editor)
	f.Password = args.Some("a long password")
	made, password, err := i.Users.Create(i.enter(site), f)
	if err != nil {
		t.Fatal(err)
	}
	if made.ID != 1 || made.Name != "Ann" || made.Role != tenancy.Editor || len(password) != 29 || !tenancy.CheckPassword(made.PasswordHash, "a long password") {
		t.Errorf("made %+v with %q", made, password)
	}
	read, err := i.Users.Get(i.enter(site), made.ID)
	if err != nil || !cmp.Equal(made, read) {
		t.Errorf("read %+v, %v", read, err)
	}
	keys, err := i.Keys.List(i.enter(site), made.ID)
	if err != nil || len(keys) != 1 || keys[0].Kind != tenancy.ApplicationPassword || !keys[0].LastUsed.IsZero() {
		t.Errorf("keys %+v, %v", keys, err)
	}
}

func TestUserRefuses(t *testing.T) {
	t.Parallel()
	i := install(t)
	site, other := i.site("demo"), i.site("other")
	i.user(site, "ann", tenancy.Administrator)
	bob, _ := i.user(site, "bob", tenancy.Author)
	i.user(other, "ann", tenancy.Administrator) // the same login elsewhere is another person

	_, _, err := i.Users.Create(i.enter(site), person("ANN", tenancy.Editor))
	wantProblem(t, err, "login", "problem.login.taken")
	same := person("carl", tenancy.Editor)
	same.Email = args.Some(args.Email("Ann@Mail.example"))
	_, _, err = i.Users.Create(i.enter(site), same)
	wantProblem(t, err, "email", "problem.email.taken")
	_, err = i.Users.Update(i.enter(site), bob.ID, &tenancy.UserFields{Login: args.Some("Ann")})
	wantProblem(t, err, "login", "problem.login.taken")
	_, err = i.Users.Update(i.enter(site), bob.ID, &tenancy.UserFields{Password: args.Some("short")})
	wantProblem(t, err, "password", "problem.password.short")
}

func TestUpdateUser(t *testing.T) {
	t.Parallel()
	i := install(t)
	site := i.site("demo")
	bob, _ := i.user(site, "bob", tenancy.Author)
	after, err := i.Users.Update(i.enter(site), bob.ID, &tenancy.UserFields{Name: args.Some("Bob"), Role: args.Some("editor")})
	if err != nil || after.Name != "Bob" || after.Role != tenancy.Editor || after.Email != bob.Email || after.Login != "bob" {
		t.Errorf("%+v, %v", after, err)
	}
	before := version(i, "demo")
	if _, err := i.Users.Update(i.enter(site), bob.ID, &tenancy.UserFields{Name: args.Some("Bob")}); err != nil {
		t.Error(err)
	}
	if now := version(i, "demo"); now != before {
		t.Errorf("nothing changed, and the version went from %d to %d", before, now)
	}
}

func version(i *installation, slug string) int64 {
	i.t.Helper()
	site, err := i.Sites.Get(i.provider(), slug)
	if err != nil {
		i.t.Fatal(err)
	}
	return site.Version
}

// Another site's users aren't there, with each of the two walls alone.
func TestForeignUsers(t *testing.T) {
	t.Parallel()
	for name, policies := range map[string]bool{"policies": true, "clauses": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t)
			mine, foreign := i.site("mine"), i.site("foreign")
			i.user(mine, "ann", tenancy.Administrator)
			i.user(foreign, "ann", tenancy.Administrator)
			bob, _ := i.user(foreign, "bob", tenancy.Administrator)
			keys, err := i.Keys.List(i.enter(foreign), bob.ID)
			if err != nil || len(keys) != 1 {
				t.Fatal(keys, err)
			}
			if !policies {
				i.withoutPolicies()
			}
			ctx := i.enter(mine)
			_, err = i.Users.Get(ctx, bob.ID)
			wantError(t, err, tenancy.ErrNoUser)
			_, err = i.Users.Update(ctx, bob.ID, &tenancy.UserFields{Name: args.Some("x")})
			wantError(t, err, tenancy.ErrNoUser)
			_, err = i.Users.Delete(ctx, bob.ID)
			wantError(t, err, tenancy.ErrNoUser)
			_, _, err = i.Keys.Create(ctx, bob.ID, &tenancy.KeyFields{Name: args.Some("x")})
			wantError(t, err, tenancy.ErrNoUser)
			wantError(t, i.Keys.Revoke(ctx, bob.ID, keys[0].ID), tenancy.ErrNoKey)
			if list, err := i.Keys.List(ctx, bob.ID); err != nil || len(list) != 0 {
				t.Errorf("keys %+v, %v", list, err)
			}
			if page, err := i.Users.List(ctx, &tenancy.UserFilter{}); err != nil || page.Total != 1 || len(page.Items) != 1 {
				t.Errorf("users %+v, %v", page, err)
			}
			if page, err := i.Users.List(ctx, &tenancy.UserFilter{Filter: tenancy.Filter{Search: args.Some("bob")}}); err != nil || page.Total != 0 {
				t.Errorf("search found %+v, %v", page, err)
			}
			if _, err := i.db.Users().ByLogin(ctx, "bob"); err == nil {
				t.Error("a foreign login is found")
			}
		})
	}
}

// withoutPolicies takes the second wall away.
func (i *installation) withoutPolicies() {
	i.t.Helper()
	conn, err := pgx.Connect(i.t.Context(), i.url)
	if err != nil {
		i.t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if _, err := conn.Exec(i.t.Context(), `
		ALTER TABLE users DISABLE ROW LEVEL SECURITY;
		ALTER TABLE credentials DISABLE ROW LEVEL SECURITY`); err != nil {
		i.t.Fatal(err)
	}
}

// A statement that forgets to name the site sees nothing of others.
func TestPoliciesAlone(t *testing.T) {
	t.Parallel()
	i := install(t)
	mine, foreign := i.site("mine"), i.site("foreign")
	i.user(mine, "ann", tenancy.Administrator)
	i.user(foreign, "bob", tenancy.Administrator)
	for site, want := range map[any]int{"": 0, mine.ID: 2, foreign.ID: 2} {
		var n int
		err := i.db.Across("a test looks at what is there").QueryRow(t.Context(), `
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

func TestLastAdministrator(t *testing.T) {
	t.Parallel()
	i := install(t)
	site, other := i.site("demo"), i.site("other")
	i.user(other, "zoe", tenancy.Administrator)
	ann, _ := i.user(site, "ann", tenancy.Administrator)
	ctx := i.enter(site)
	demote := &tenancy.UserFields{Role: args.Some("editor")}
	_, err := i.Users.Update(ctx, ann.ID, demote)
	wantError(t, err, tenancy.ErrLastAdministrator)
	_, err = i.Users.Delete(ctx, ann.ID)
	wantError(t, err, tenancy.ErrLastAdministrator)
	if _, err := i.Users.Update(ctx, ann.ID, &tenancy.UserFields{Name: args.Some("Ann")}); err != nil {
		t.Errorf("the last administrator can't be renamed: %v", err)
	}

	bob, _ := i.user(site, "bob", tenancy.Administrator)
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
	i := install(t)
	site := i.site("demo")
	ann, _ := i.user(site, "ann", tenancy.Administrator)
	bob, _ := i.user(site, "bob", tenancy.Editor)
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
		ctx := i.in(site, c.who)
		_, err := i.Users.List(ctx, &tenancy.UserFilter{})
		wantError(t, err, c.read)
		_, err = i.Users.Get(ctx, ann.ID)
		wantError(t, err, c.read)
		_, err = i.Users.Get(ctx, bob.ID)
		wantError(t, err, c.self)
		_, _, err = i.Users.Create(ctx, person("carl", tenancy.Author))
		wantError(t, err, c.write)
		_, err = i.Users.Update(ctx, bob.ID, &tenancy.UserFields{Role: args.Some("administrator")})
		wantError(t, err, c.write)
		_, err = i.Users.Delete(ctx, bob.ID)
		wantError(t, err, c.write)
	}
	_, err := i.Users.List(t.Context(), &tenancy.UserFilter{})
	wantError(t, err, tenancy.ErrNoScope)
}

func TestChangePassword(t *testing.T) {
	t.Parallel()
	i := install(t)
	site := i.site("demo")
	f := person("ann", tenancy.Subscriber)
	f.Password = args.Some("the old password")
	ann, _, err := i.Users.Create(i.enter(site), f)
	if err != nil {
		t.Fatal(err)
	}
	ctx := i.in(site, ann.Principal())
	_, err = i.Users.ChangePassword(ctx, tenancy.ByPassword("a wrong password"), "the new password", tenancy.Cut{})
	wantError(t, err, tenancy.ErrCredentials)
	_, err = i.Users.ChangePassword(ctx, tenancy.ByPassword("the old password"), "short", tenancy.Cut{})
	wantProblem(t, err, "password", "problem.password.short")
	_, err = i.Users.ChangePassword(ctx, tenancy.Presence{}, "the new password", tenancy.Cut{})
	wantError(t, err, tenancy.ErrCredentials)
	_, err = i.Users.ChangePassword(i.in(site, tenancy.Principal{}), tenancy.ByPassword("the old password"), "the new password", tenancy.Cut{})
	wantError(t, err, tenancy.ErrUnauthenticated)
	after, err := i.Users.ChangePassword(ctx, tenancy.ByPassword("the old password"), "the new password", tenancy.Cut{})
	if err != nil || after.Seal() == ann.Seal() || !tenancy.CheckPassword(after.PasswordHash, "the new password") {
		t.Errorf("%+v, %v", after, err)
	}
}

// TestPasswordIsNoName: nobody's password is their login or their e-mail address, wherever it is set.
func TestPasswordIsNoName(t *testing.T) {
	t.Parallel()
	i := install(t)
	site := i.site("demo")
	fields := func(password string) *tenancy.UserFields {
		f := person("Friends of Ann", tenancy.Editor)
		f.Email = args.Some(args.Email("Zoe.Quimby@club.example"))
		if password != "" {
			f.Password = args.Some(password)
		}
		return f
	}
	ann, _, err := i.Users.Create(i.enter(site), fields("the old password"))
	if err != nil {
		t.Fatal(err)
	}
	for _, easy := range []string{"friends of ann", "FRIENDS OF ANN", "Zoe.Quimby@club.example", "zoe.quimby@Club.Example ", " Friends of Ann"} {
		found := &args.Problems{}
		fields(easy).Check(found)
		wantProblem(t, found.Err(), "password", "problem.password.common")
		_, _, err := i.Users.Create(i.enter(site), fields(easy))
		wantProblem(t, err, "password", "problem.password.common")
		_, err = i.Users.Invite(i.enter(site), fields(easy))
		wantProblem(t, err, "password", "problem.password.common")
		_, err = i.Users.Update(i.enter(site), ann.ID, &tenancy.UserFields{Password: args.Some(easy)})
		wantProblem(t, err, "password", "problem.password.common")
		_, err = i.Users.ChangePassword(i.in(site, ann.Principal()), tenancy.ByPassword("the old password"), easy, tenancy.Cut{})
		wantProblem(t, err, "password", "problem.password.common")
		_, token, _, err := i.Vouchers.Give(i.enter(site), ann.ID)
		if err != nil {
			t.Fatal(err)
		}
		_, err = i.Vouchers.Redeem(i.in(site, tenancy.Principal{}), token, "", easy, tenancy.Cut{})
		wantProblem(t, err, "password", "problem.password.common")
	}
	if _, err := i.Users.Update(i.enter(site), ann.ID, &tenancy.UserFields{Password: args.Some("friends of bob and ann")}); err != nil {
		t.Errorf("another: %v", err)
	}
}
