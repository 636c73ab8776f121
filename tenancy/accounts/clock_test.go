package accounts_test

import (
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/tenancytest"
)

// TestSessionsAndClocks: a clock that is ahead ends sessions as time does and keeps
// them for when it is put right; one that is set back ends none, neither then nor when it is put
// right.
func TestSessionsAndClocks(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("club")
	anna, _ := i.User(site, "anna", tenancy.Editor)
	ctx := i.In(site, tenancy.Principal{})
	_, token, err := i.Sessions.Start(ctx, anna, accounts.Entry{Agent: "a browser", Address: "192.0.2.1"})
	tenancytest.WantError(t, err, nil)
	find := func(want error) {
		t.Helper()
		_, _, err := i.Sessions.Find(ctx, token)
		tenancytest.WantError(t, err, want)
	}
	find(nil)
	i.Wait(3 * 24 * time.Hour)
	find(tenancy.ErrCredentials)
	i.Wait(-3 * 24 * time.Hour)
	find(nil)
	i.Wait(-13 * time.Hour)
	find(nil)
	i.Wait(13 * time.Hour) // put right
	find(nil)
	i.Wait(12 * time.Hour) // this long without a sign of life is the end
	find(tenancy.ErrCredentials)
}

// TestConsoleSessionsAndClocks: the same for sessions of the provider.
func TestConsoleSessionsAndClocks(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t, func(o *platform.Options) { o.ProviderToken = "kalp_of_this_test" })
	ctx := tenancy.With(t.Context(), tenancy.Scope{Address: "192.0.2.1"})
	_, secret, err := i.Console.Start(ctx, "kalp_of_this_test")
	tenancytest.WantError(t, err, nil)
	find := func(want error) {
		t.Helper()
		_, err := i.Console.Find(ctx, secret)
		tenancytest.WantError(t, err, want)
	}
	i.Wait(24 * time.Hour)
	find(tenancy.ErrCredentials)
	i.Wait(-24 * time.Hour)
	find(nil)
	i.Wait(-62 * time.Minute)
	find(nil)
	i.Wait(62 * time.Minute)
	find(nil)
	i.Wait(time.Hour)
	find(tenancy.ErrCredentials)
}

// TestVouchersAndClocks: a link that a wrong clock gave is good for no longer than
// others, and one that a right clock gave outlives a wrong one.
func TestVouchersAndClocks(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("club")
	i.User(site, "anna", tenancy.Editor)
	ctx := i.In(site, tenancy.Principal{})
	forgotten := func() string {
		t.Helper()
		_, token, _, err := i.Vouchers.Forgotten(ctx, "anna")
		tenancytest.WantError(t, err, nil)
		return token
	}
	check := func(token string, want error) {
		t.Helper()
		_, _, err := i.Vouchers.Check(ctx, token)
		tenancytest.WantError(t, err, want)
	}
	token := forgotten()
	i.Wait(3 * 24 * time.Hour)
	check(token, accounts.ErrNoVoucher)
	i.Wait(-3 * 24 * time.Hour)
	check(token, nil)
	i.Wait(-4 * time.Minute) // another node's clock
	check(token, nil)
	i.Wait(4 * time.Minute)

	i.Wait(3 * 24 * time.Hour)
	token = forgotten()
	check(token, nil)
	i.Wait(-3 * 24 * time.Hour)
	check(token, accounts.ErrNoVoucher)
	_, err := i.Vouchers.Redeem(ctx, token, "", "correct horse battery", accounts.Cut{})
	tenancytest.WantError(t, err, accounts.ErrNoVoucher)
	token = forgotten() // whoever asks again gets in
	_, err = i.Vouchers.Redeem(ctx, token, "", "correct horse battery", accounts.Cut{})
	tenancytest.WantError(t, err, nil)
}

// TestAttemptsAndClocks: nobody waits for a clock to come to where it was.
func TestAttemptsAndClocks(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	ctx := i.In(i.Site("club"), tenancy.Principal{})
	for {
		wait, err := i.Attempts.Take(ctx, "somebody")
		tenancytest.WantError(t, err, nil)
		if wait > 0 {
			break
		}
	}
	i.Wait(-5 * time.Hour)
	given := 0
	for {
		wait, err := i.Attempts.Take(ctx, "somebody")
		tenancytest.WantError(t, err, nil)
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
	i := tenancytest.Install(t)
	i.Site("club", "club.example")
	resolve := func(want string) {
		t.Helper()
		site, err := i.Resolver.Resolve(t.Context(), "club.example")
		tenancytest.WantError(t, err, nil)
		if err == nil && site.Name != want {
			t.Errorf("remembers %q, want %q", site.Name, want)
		}
	}
	resolve("Site club")
	i.Wait(-5 * time.Hour)
	before := i.Finds.Load()
	resolve("Site club")
	if n := i.Finds.Load() - before; n != 1 {
		t.Errorf("asked %d times", n)
	}
	for n := range 150 { // more than may be asked for at once
		_, err := i.Resolver.Serves(t.Context(), "a"+time.Duration(n).String()+".example")
		tenancytest.WantError(t, err, nil)
	}
	i.Wait(-5 * time.Hour)
	if ok, err := i.Resolver.Serves(t.Context(), "club.example"); err != nil || !ok {
		t.Errorf("%v, %v: nobody asks for hours", ok, err)
	}
}

// TestGraceAndClocks: a clock that is set back takes no days of grace away.
func TestGraceAndClocks(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	i.Site("club", "club.example")
	deleted, err := i.Sites.Delete(i.Provider(), "club", &platform.DeletionFields{Grace: args.Some(1)})
	tenancytest.WantError(t, err, nil)
	i.Wait(-3 * 24 * time.Hour)
	if slugs, err := i.Sites.Purge(i.Provider()); err != nil || slugs != nil {
		t.Fatalf("%v, %v", slugs, err)
	}
	again, err := i.Sites.Delete(i.Provider(), "club", &platform.DeletionFields{Grace: args.Some(1)})
	if err != nil || !again.Deletion.At.Equal(deleted.Deletion.At) {
		t.Errorf("%+v, %v", again, err)
	}
	back, err := i.Sites.Undelete(i.Provider(), "club")
	if err != nil || back.Deleted() || back.State != tenancy.Active {
		t.Errorf("%+v, %v", back, err)
	}
}
