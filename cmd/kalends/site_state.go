package main

import (
	"context"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// siteNamed is a command on one site.
type siteNamed struct {
	Slug string `arg:"" help:"The site."`
}

type (
	siteSuspend  struct{ siteNamed }
	siteResume   struct{ siteNamed }
	siteClose    struct{ siteNamed }
	siteUndelete struct{ siteNamed }
)

// Run implements the command.
func (c *siteSuspend) Run(p *program) error { return c.become(p, tenancy.ReadOnly) }

// Run implements the command.
func (c *siteResume) Run(p *program) error { return c.become(p, tenancy.Active) }

// Run implements the command.
func (c *siteClose) Run(p *program) error { return c.become(p, tenancy.Closed) }

// Run implements the command.
func (c *siteUndelete) Run(p *program) error {
	return p.withSites(func(ctx context.Context, sites *platform.Sites) (any, error) {
		site, err := sites.Undelete(ctx, c.Slug)
		return p.describe(site), err
	})
}

// become changes the state of the site.
func (c *siteNamed) become(p *program, state tenancy.State) error {
	return p.withSites(func(ctx context.Context, sites *platform.Sites) (any, error) {
		site, err := sites.Update(ctx, c.Slug, &platform.SiteFields{State: args.Some(string(state))})
		return p.describe(site), err
	})
}
