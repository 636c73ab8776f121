package accounts_test

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/tenancytest"
)

// Whoever sets no cost gets the one of service, in every place that keeps a password.
func TestPasswordsCostWhatServiceAsks(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t, func(o *platform.Options) { o.HashCost = accounts.HashCost{} })
	costs := func(about string, user *tenancy.User, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", about, err)
		}
		if !strings.HasPrefix(user.PasswordHash, "$argon2id$v=19$m=19456,t=2,p=1$") {
			t.Errorf("%s: hash %.40q", about, user.PasswordHash)
		}
	}
	const first, second, third = "correct horse battery", "horse battery staple", "battery staple correct"

	f := &platform.SiteFields{Slug: args.Some("music")}
	f.Name = args.Some("Music")
	chief := tenancytest.Person("chief", tenancy.Administrator)
	chief.Password = args.Some(first)
	site, admin, err := i.Sites.Found(i.Provider(), f, chief)
	costs("the first administrator", admin, err)

	fields := tenancytest.Person("anna", tenancy.Editor)
	fields.Password = args.Some(first)
	anna, _, err := i.Users.Create(i.Enter(site), fields)
	costs("a new user", anna, err)
	anna, err = i.Users.Update(i.Enter(site), anna.ID, &accounts.UserFields{Password: args.Some(second)})
	costs("a password that somebody else sets", anna, err)
	anna, err = i.Users.ChangePassword(i.In(site, anna.Principal()), accounts.ByPassword(second), third, accounts.Cut{})
	costs("a password of one's own", anna, err)

	_, token, _, err := i.Vouchers.Give(i.Enter(site), anna.ID)
	if err != nil {
		t.Fatal(err)
	}
	anna, err = i.Vouchers.Redeem(i.In(site, tenancy.Principal{}), token, "", first, accounts.Cut{})
	costs("a forgotten password", anna, err)
}
