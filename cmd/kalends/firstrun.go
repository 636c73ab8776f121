package main

import (
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
)

// firstUser is the administrator of the demo site.
var firstUser = tenancy.User{Login: "admin", Email: "admin@demo.invalid"}

// firstPassword returns the password of the first administrator. It checks the configured one before anything is created:
// the next run, with a better one, would find a site and leave it without an administrator.
func (p *program) firstPassword() (string, error) {
	if p.config.AdminPassword == "" {
		return rand.Text(), nil
	}
	if err := accounts.CheckNewPassword(p.config.AdminPassword, &firstUser); err != nil {
		return "", errors.New(readable(err, func(string) string { return "KALENDS_ADMIN_PASSWORD" }))
	}
	return p.config.AdminPassword, nil
}

// firstRun creates the demo site with its administrator if there are no sites, and prints once how to sign in.
func (p *program) firstRun(in *installation, base string) error {
	ctx := provider(p.ctx)
	page, err := in.platform.Sites.List(ctx, &platform.SiteFilter{})
	if err != nil || page.Total > 0 {
		return err
	}
	if !p.config.wantsDemo() {
		p.empty(base)
		return nil
	}
	password, err := p.firstPassword()
	if err != nil {
		return err
	}
	zone, err := args.ParseZone("Europe/Berlin")
	if err != nil {
		return err
	}
	site, err := in.platform.Sites.Create(ctx, &platform.SiteFields{Slug: args.Some(demoSite),
		ProfileFields: platform.ProfileFields{Name: args.Some("Lindau Calendar"), Timezone: args.Some(zone), Language: args.Some("en")}})
	if err != nil {
		return fmt.Errorf("first run: %w", err)
	}
	if ctx, err = tenancy.Enter(ctx, site); err != nil {
		return err
	}
	user, secret, err := in.platform.Users.Create(ctx, &accounts.UserFields{Login: args.Some(firstUser.Login),
		Email: args.Some(args.Email(firstUser.Email)), Password: args.Some(password), Name: args.Some("Admin"),
		Role: args.Some(string(tenancy.Administrator))})
	if err != nil {
		return fmt.Errorf("first run: %w", err)
	}
	scope := *tenancy.Current(ctx)
	scope.Principal = user.Principal()
	if ctx, err = in.speak(tenancy.With(ctx, scope)); err == nil {
		err = in.fill(ctx)
	}
	if err != nil {
		return fmt.Errorf("first run: %w", err)
	}
	p.welcome(base, password, secret)
	return nil
}

// wantsDemo reports whether the first run creates the demo site, which everybody can read. An installation with a domain of its own is not
// for trying, so it gets none unasked.
func (c *Config) wantsDemo() bool {
	return c.Demo == "yes" || c.Demo != "no" && c.PlatformDomain == "localhost"
}

// empty says how to create the first site.
func (p *program) empty(base string) {
	fmt.Fprintf(p.out, `
There is no site yet. Create one with its administrator, with the same settings as the service:

  kalends site create club --name 'The club'
  kalends user create anna --site club --email anna@example.org --role administrator --password '…'

Then it answers at club.%s. Or use the console at %s/admin/provider with a provider token (kalends token
create NAME). KALENDS_DEMO=yes creates a site with sample events instead.

`, p.config.PlatformDomain, base)
}

// welcome prints the secrets of a first run once. A password chosen by the operator is not printed, because the
// output of containers is stored.
func (p *program) welcome(base, password, secret string) {
	fmt.Fprintf(p.out, "\nFirst run: there is now a site %q with sample events.\n", demoSite)
	if p.config.AdminPassword != "" {
		fmt.Fprintf(p.out, `
The calendar is at %s/, its administration at %[1]s/admin/. Sign in as admin with the password of
KALENDS_ADMIN_PASSWORD; you can create application passwords under your name.

`, base)
		return
	}
	fmt.Fprintf(p.out, `This is shown once:

  login                 admin
  password              %s
  application password  %s

The calendar is at %s/, its administration at %[3]s/admin/. Try the API:

  curl -u 'admin:%[2]s' %[3]s/calendar/events/v1/events \
    -d title='My first event' -d start_date='tomorrow 19:00' -d end_date='tomorrow 21:00'

`, password, secret, base)
}
