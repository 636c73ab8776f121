package tenancy_test

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// Whoever sets no cost gets the one of service, in every place that keeps a password.
func TestPasswordsCostWhatServiceAsks(t *testing.T) {
	t.Parallel()
	i := install(t, func(o *tenancy.Options) { o.HashCost = tenancy.HashCost{} })
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

	f := &tenancy.SiteFields{Slug: args.Some("music")}
	f.Name = args.Some("Music")
	chief := person("chief", tenancy.Administrator)
	chief.Password = args.Some(first)
	site, admin, err := i.Sites.Found(i.provider(), f, chief)
	costs("the first administrator", admin, err)

	fields := person("anna", tenancy.Editor)
	fields.Password = args.Some(first)
	anna, _, err := i.Users.Create(i.enter(site), fields)
	costs("a new user", anna, err)
	anna, err = i.Users.Update(i.enter(site), anna.ID, &tenancy.UserFields{Password: args.Some(second)})
	costs("a password that somebody else sets", anna, err)
	anna, err = i.Users.ChangePassword(i.in(site, anna.Principal()), tenancy.ByPassword(second), third, tenancy.Cut{})
	costs("a password of one's own", anna, err)

	_, token, _, err := i.Vouchers.Give(i.enter(site), anna.ID)
	if err != nil {
		t.Fatal(err)
	}
	anna, err = i.Vouchers.Redeem(i.in(site, tenancy.Principal{}), token, "", first, tenancy.Cut{})
	costs("a forgotten password", anna, err)
}
