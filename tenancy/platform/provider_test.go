package platform_test

import (
	"strconv"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/test/tenancytest"
)

func TestEnter(t *testing.T) {
	t.Parallel()
	site := &tenancy.Site{ID: 3, Language: "de"}
	base := tenancy.Base{Origin: "https://calendars.example"}
	ctx := tenancy.With(t.Context(), tenancy.Scope{Base: base, Language: "en"})
	_, err := tenancy.Enter(ctx, site)
	tenancytest.WantError(t, err, tenancy.ErrUnauthenticated)

	in, err := tenancy.Enter(tenancy.AsProvider(ctx, tenancy.Provider{}), site)
	if err != nil {
		t.Fatal(err)
	}
	scope, err := tenancy.From(in)
	if err != nil || scope.Site != site || scope.Base != base || scope.Language != "en" {
		t.Errorf("%+v, %v", scope, err)
	}
	if err := scope.Principal.Require(tenancy.ManageUsers | tenancy.EditOthers); err != nil {
		t.Errorf("the provider may not: %v", err)
	}
	if in, _ = tenancy.Enter(tenancy.AsProvider(t.Context(), tenancy.Provider{}), site); tenancy.Current(in).Language != "de" {
		t.Errorf("language %q", tenancy.Current(in).Language)
	}
}

// Strangers can't fill the provider's history, which is kept for ever: from wherever
// they come, so many refused sign-ins are noted and then one each half minute.
func TestRefusedSignInsToTheConsoleThatAreNoted(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	try := func(times int) {
		for n := range times {
			ctx := tenancy.With(t.Context(), tenancy.Scope{Address: "2001:db8:0:" + strconv.Itoa(n) + "::1"})
			_, _, err := i.Console.Start(ctx, "wrong")
			tenancytest.WantError(t, err, tenancy.ErrCredentials)
		}
	}
	noted := func() (n int) {
		f := &tenancy.HistoryFilter{Kind: args.Some("session"), Action: args.Some("sign_in_failed")}
		if err := i.History.EachProvider(i.Provider(), f, func(*tenancy.Entry) error { n++; return nil }); err != nil {
			t.Error(err)
		}
		return n
	}
	if try(110); noted() != 100 {
		t.Errorf("%d are noted", noted())
	}
	i.Wait(accounts.ConsoleWait)
	if try(3); noted() != 101 {
		t.Errorf("%d are noted half a minute later", noted())
	}
}
