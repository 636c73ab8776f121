package tenancy_test

import (
	"testing"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// TestSessionsAndClocks: a clock that is ahead ends sessions as time does and keeps
// them for when it is put right; one that is set back ends none, neither then nor when it is put
// right.
func TestSessionsAndClocks(t *testing.T) {
	t.Parallel()
	i := install(t)
	site := i.site("club")
	anna, _ := i.user(site, "anna", tenancy.Editor)
	ctx := i.in(site, tenancy.Principal{})
	_, token, err := i.Sessions.Start(ctx, anna, "a browser", "192.0.2.1")
	wantError(t, err, nil)
	find := func(want error) {
		t.Helper()
		_, _, err := i.Sessions.Find(ctx, token)
		wantError(t, err, want)
	}
	find(nil)
	i.wait(3 * day)
	find(tenancy.ErrCredentials)
	i.wait(-3 * day)
	find(nil)
	i.wait(-13 * time.Hour)
	find(nil)
	i.wait(13 * time.Hour) // put right
	find(nil)
	i.wait(12 * time.Hour) // this long without a sign of life is the end
	find(tenancy.ErrCredentials)
}

// TestConsoleSessionsAndClocks: the same for sessions of the provider.
func TestConsoleSessionsAndClocks(t *testing.T) {
	t.Parallel()
	i := install(t, func(o *tenancy.Options) { o.ProviderToken = "kalp_of_this_test" })
	ctx := tenancy.With(t.Context(), tenancy.Scope{Address: "192.0.2.1"})
	_, secret, err := i.Console.Start(ctx, "kalp_of_this_test")
	wantError(t, err, nil)
	find := func(want error) {
		t.Helper()
		_, err := i.Console.Find(ctx, secret)
		wantError(t, err, want)
	}
	i.wait(day)
	find(tenancy.ErrCredentials)
	i.wait(-day)
	find(nil)
	i.wait(-62 * time.Minute)
	find(nil)
	i.wait(62 * time.Minute)
	find(nil)
	i.wait(time.Hour)
	find(tenancy.ErrCredentials)
}

// TestVouchersAndClocks: a link that a wrong clock gave is good for no longer than
// others, and one that a right clock gave outlives a wrong one.
func TestVouchersAndClocks(t *testing.T) {
	t.Parallel()
	i := install(t)
	site := i.site("club")
	i.user(site, "anna", tenancy.Editor)
	ctx := i.in(site, tenancy.Principal{})
	forgotten := func() string {
		t.Helper()
		_, token, _, err := i.Vouchers.Forgotten(ctx, "anna")
		wantError(t, err, nil)
		return token
	}
	check := func(token string, want error) {
		t.Helper()
		_, _, err := i.Vouchers.Check(ctx, token)
		wantError(t, err, want)
	}
	token := forgotten()
	i.wait(3 * day)
	check(token, tenancy.ErrNoVoucher)
	i.wait(-3 * day)
	check(token, nil)
	i.wait(-4 * time.Minute) // another node's clock
	check(token, nil)
	i.wait(4 * time.Minute)

	i.wait(3 * day)
	token = forgotten()
	check(token, nil)
	i.wait(-3 * day)
	check(token, tenancy.ErrNoVoucher)
	_, err := i.Vouchers.Redeem(ctx, token, "", "correct horse battery", tenancy.Cut{})
	wantError(t, err, tenancy.ErrNoVoucher)
	token = forgotten() // whoever asks again gets in
	_, err = i.Vouchers.Redeem(ctx, token, "", "correct horse battery", tenancy.Cut{})
	wantError(t, err, nil)
}

// TestAttemptsAndClocks: nobody waits for a clock to come to where it was.
func TestAttemptsAndClocks(t *testing.T) {
	t.Parallel()
	i := install(t)
	ctx := i.in(i.site("club"), tenancy.Principal{})
	for {
		wait, err := i.Attempts.Take(ctx, "somebody")
		wantError(t, err, nil)
		if wait > 0 {
			break
		}
	}
	i.wait(-5 * time.Hour)
	given := 0
	for {
		wait, err := i.Attempts.Take(ctx, "somebody")
		wantError(t, err, nil)
		if wait > 0 {
			if wait > 30*time.Second {
				t.Errorf("somebody waits %s", wait)
			}
			break
		}
		given++
	}
	if given > 1 {
		t.Errorf("%d attempts for a clock that was set back", given)
	}
}

// TestResolverAndClocks: nothing is remembered for longer, and asking for names goes
// on, after a clock was set back.
func TestResolverAndClocks(t *testing.T) {
	t.Parallel()
	i := install(t)
	i.site("club", "club.example")
	resolve := func(want string) {
		t.Helper()
		site, err := i.Resolver.Resolve(t.Context(), "club.example")
		wantError(t, err, nil)
		if err == nil && site.Name != want {
			t.Errorf("remembers %q, want %q", site.Name, want)
		}
	}
	resolve("Site club")
	i.wait(-5 * time.Hour)
	before := i.finds.Load()
	resolve("Site club")
	if n := i.finds.Load() - before; n != 1 {
		t.Errorf("asked %d times", n)
	}
	for n := range 150 { // more than may be asked for at once
		_, err := i.Resolver.Serves(t.Context(), "a"+time.Duration(n).String()+".example")
		wantError(t, err, nil)
	}
	i.wait(-5 * time.Hour)
	if ok, err := i.Resolver.Serves(t.Context(), "club.example"); err != nil || !ok {
		t.Errorf("%v, %v: nobody asks for hours", ok, err)
	}
}

// TestGraceAndClocks: a clock that is set back takes no days of grace away.
func TestGraceAndClocks(t *testing.T) {
	t.Parallel()
	i := install(t)
	i.site("club", "club.example")
	deleted, err := i.Sites.Delete(i.provider(), "club", &tenancy.DeletionFields{Grace: args.Some(1)})
	wantError(t, err, nil)
	i.wait(-3 * day)
	if slugs, err := i.Sites.Purge(i.provider()); err != nil || slugs != nil {
		t.Fatalf("%v, %v", slugs, err)
	}
	again, err := i.Sites.Delete(i.provider(), "club", &tenancy.DeletionFields{Grace: args.Some(1)})
	if err != nil || !again.Deletion.At.Equal(deleted.Deletion.At) {
		t.Errorf("%+v, %v", again, err)
	}
	back, err := i.Sites.Undelete(i.provider(), "club")
	if err != nil || back.Deleted() || back.State != tenancy.Active {
		t.Errorf("%+v, %v", back, err)
	}
}
