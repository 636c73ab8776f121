package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/kalends/kalends/internal/args"
	platformstore "github.com/kalends/kalends/storage/platform"
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

// firstRun creates the demo site with its administrator if there are no sites, and prints once how to sign in. If it was
// interrupted, the next start goes on with it. Of several nodes that start together, one does this.
func (p *program) firstRun(in *installation, base string) error {
	switch none, begun, err := in.sites(p.ctx); {
	case err != nil || !none && !begun:
		return err
	case none && !p.config.wantsDemo():
		p.empty(base)
		return nil
	}
	return platformstore.Alone(p.ctx, in.url, func() error {
		none, begun, err := in.sites(p.ctx) // another node may have finished in the meantime
		if err != nil || !none && !begun {
			return err
		}
		r, err := p.newFirstRun(in, base)
		for i := 0; err == nil && i < len(r.steps); i++ {
			err = r.steps[i]()
		}
		if err != nil {
			return fmt.Errorf("first run: %w", err)
		}
		return nil
	})
}

// sites reports whether there are none, and whether a first run has begun that did not come to its end.
func (in *installation) sites(ctx context.Context) (none, begun bool, err error) {
	page, err := in.platform.Sites.List(provider(ctx), &platform.SiteFilter{})
	if err != nil {
		return false, false, err
	}
	begun, err = platformstore.Beginning(ctx, in.db.Engine())
	return page.Total == 0, begun, err
}

// firstRun has the steps of a first run, in order. Each step creates only what does not exist yet, so that after an
// interruption all steps can be repeated. The password is always that of the latest run, which is the one shown.
type firstRun struct {
	program  *program
	in       *installation
	ctx      context.Context // acts as the administrator on the site, once that step has created them
	steps    []func() error
	password string // of the administrator
	secret   string // their application password
}

func (p *program) newFirstRun(in *installation, base string) (*firstRun, error) {
	password, err := p.firstPassword()
	if err != nil {
		return nil, err
	}
	samples, books, err := demoTexts()
	if err != nil {
		return nil, err
	}
	samples = slices.DeleteFunc(samples, func(s sample) bool {
		_, now := s.day(time.Now())
		return !now
	})
	nameSamples(samples)
	r := &firstRun{program: p, in: in, ctx: provider(p.ctx), password: password}
	r.steps = []func() error{
		func() error { return platformstore.SetBeginning(p.ctx, in.db.Engine(), true) },
		r.site,
		r.administrator,
		func() (err error) { r.ctx, err = in.speak(r.ctx); return err },
	}
	for i := range samples {
		r.steps = append(r.steps, func() error { return in.sample(r.ctx, &samples[i], books) })
	}
	r.steps = append(r.steps,
		func() error { return in.nameTerms(r.ctx, books) },
		func() error { p.welcome(base, password, r.secret); return nil },
		func() error { return platformstore.SetBeginning(p.ctx, in.db.Engine(), false) },
	)
	return r, nil
}

// site makes the demo site and enters it.
func (r *firstRun) site() error {
	site, err := r.in.platform.Sites.Get(r.ctx, demoSite)
	if errors.Is(err, tenancy.ErrNoSite) {
		zone, wrong := args.ParseZone("Europe/Berlin")
		if wrong != nil {
			return wrong
		}
		site, err = r.in.platform.Sites.Create(r.ctx, &platform.SiteFields{
			Slug: args.Some(demoSite),
			ProfileFields: platform.ProfileFields{
				Name:     args.Some("Lindau Calendar"),
				Timezone: args.Some(zone),
				Language: args.Some("en"),
			},
		})
	}
	if err == nil {
		r.ctx, err = tenancy.Enter(r.ctx, site)
	}
	return err
}

// administrator creates the administrator, who performs the following steps. An administrator from an interrupted
// run gets the password of this run, because the former password was never shown.
func (r *firstRun) administrator() error {
	users := r.in.platform.Users
	user, err := r.in.db.Users().ByLogin(r.ctx, firstUser.Login)
	switch {
	case errors.Is(err, accounts.ErrNoUser):
		user, r.secret, err = users.Create(r.ctx, &accounts.UserFields{Login: args.Some(firstUser.Login),
			Email: args.Some(args.Email(firstUser.Email)), Password: args.Some(r.password), Name: args.Some("Admin"),
			Role: args.Some(string(tenancy.Administrator))})
	case err == nil:
		err = r.renew(user)
	}
	if err != nil {
		return err
	}
	scope := *tenancy.Current(r.ctx)
	scope.Principal = user.Principal()
	r.ctx = tenancy.With(r.ctx, scope)
	return nil
}

// renew sets a user's password to that of this run, and replaces all their application passwords with a new one.
func (r *firstRun) renew(user *tenancy.User) error {
	_, err := r.in.platform.Users.Update(r.ctx, user.ID, &accounts.UserFields{Password: args.Some(r.password)})
	if err != nil {
		return err
	}
	keys, err := r.in.platform.Keys.List(r.ctx, user.ID)
	for i := 0; err == nil && i < len(keys); i++ {
		err = r.in.platform.Keys.Revoke(r.ctx, user.ID, keys[i].ID)
	}
	if err == nil {
		_, r.secret, err = r.in.platform.Keys.Create(r.ctx, user.ID, &accounts.KeyFields{Name: args.Some(user.Login),
			Kind: args.Some(string(tenancy.ApplicationPassword))})
	}
	return err
}

// wantsDemo reports whether the first run creates the demo site, which everyone can read. An installation with its
// own domain is not a trial, so it gets no demo site by default.
func (c *Config) wantsDemo() bool {
	return c.Demo == "yes" || c.Demo != "no" && c.PlatformDomain == "localhost"
}

// empty prints how to create the first site.
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
