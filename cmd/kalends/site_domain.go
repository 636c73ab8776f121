package main

import (
	"context"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// siteDomain groups the provider's commands for the domains of a site.
type siteDomain struct {
	Add    domainAdd    `cmd:"" help:"Request a domain and print how to prove it."`
	List   domainList   `cmd:"" help:"List the domains."`
	Check  domainCheck  `cmd:"" help:"Check the proof of a domain."`
	Remove domainRemove `cmd:"" help:"Remove a domain from the site."`
}

type (
	domainList struct {
		Slug string `arg:"" help:"The site."`
	}
	oneDomain struct {
		Slug   string `arg:"" help:"The site."`
		Domain string `arg:"" help:"The domain."`
	}
	domainAdd    struct{ oneDomain }
	domainCheck  struct{ oneDomain }
	domainRemove struct{ oneDomain }
)

// Run implements the command.
func (c *domainAdd) Run(p *program) error {
	fields, err := parse[platform.DomainFields](args.Values{"domain": c.Domain}, args.Creating)
	if err != nil {
		return err
	}
	if err := platform.CheckDomain(fields, p.config.PlatformDomain); err != nil {
		return invalid(err)
	}
	return p.withDomains(c.Slug, func(ctx context.Context, domains *platform.Domains) (any, error) {
		made, err := domains.Claim(ctx, fields)
		if err != nil {
			return nil, err
		}
		return describeDomain(ctx, domains, &platform.Check{Domain: *made}), nil
	})
}

// Run implements the command.
func (c *domainList) Run(p *program) error {
	return p.withDomains(c.Slug, func(ctx context.Context, domains *platform.Domains) (any, error) {
		list, err := domains.List(ctx)
		all := make([]any, len(list))
		for i := range list {
			all[i] = describeDomain(ctx, domains, &platform.Check{Domain: list[i]})
		}
		return all, err
	})
}

// Run implements the command.
func (c *domainCheck) Run(p *program) error {
	return p.withDomains(c.Slug, func(ctx context.Context, domains *platform.Domains) (any, error) {
		found, err := domains.Check(ctx, c.Domain)
		if err != nil {
			return nil, err
		}
		points, err := domains.Point(ctx, c.Domain)
		if err != nil {
			return nil, err
		}
		shown := describeDomain(ctx, domains, found)
		shown["points"] = points.Direction
		return shown, nil
	})
}

// Run implements the command.
func (c *domainRemove) Run(p *program) error {
	return p.withDomains(c.Slug, func(ctx context.Context, domains *platform.Domains) (any, error) {
		last, err := domains.Remove(ctx, c.Domain)
		if err != nil {
			return nil, err
		}
		return describeDomain(ctx, domains, &platform.Check{Domain: *last}), nil
	})
}

// withDomains opens the installation and enters a site.
func (p *program) withDomains(slug string, do func(context.Context, *platform.Domains) (any, error)) error {
	return p.on(slug, func(ctx context.Context, in *installation) (any, error) { return do(ctx, in.platform.Domains) })
}

// describeDomain returns the output for a domain of the scope's site.
func describeDomain(ctx context.Context, domains *platform.Domains, d *platform.Check) map[string]any {
	shown := map[string]any{"domain": d.Name, "state": d.State(), "target": domains.Target(tenancy.Current(ctx).Site)}
	if d.By != "" {
		shown["proved_by"], shown["proved"] = d.By, d.Proved.Format(time.RFC3339)
		return shown
	}
	name, value := d.Record()
	shown["dns"], shown["http"] = map[string]any{"name": name, "type": "TXT", "value": value},
		map[string]any{"url": d.Page(), "content": d.Token}
	shown["ends"] = d.Ends().Format(time.RFC3339)
	if d.DNS != "" {
		shown["found"] = map[string]any{"dns": d.DNS, "http": d.HTTP}
	}
	return shown
}
