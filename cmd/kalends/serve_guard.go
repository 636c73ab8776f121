package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/media"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// guard checks, before the service listens, for conditions that would break the walls between sites or expose data
// to everyone. It returns an error for certain breaches, and logs a warning for possible ones; kalends doctor
// reports the same, with remedies.
func (in *installation) guard(ctx context.Context, p *program) error {
	for _, odd := range p.config.odd {
		in.logger.Warn("settings", "problem", odd)
	}
	if n := len(p.config.ProviderToken); n > 0 && n < shortest {
		in.logger.Warn("KALENDS_PROVIDER_TOKEN opens every site and is short: create a longer one with `openssl rand -hex 32`",
			"characters", n, "least", shortest)
	}
	if err := in.walls(ctx); err != nil {
		return err
	}
	if site := p.config.DefaultSite; site != "" && site != demoSite && in.lacks(ctx, site) {
		in.logger.Warn("KALENDS_DEFAULT_SITE names a site that does not exist, so the platform's own domain lists sites and other "+
			"hosts of no site get 404", "site", site)
	}
	switch err := media.Mark(ctx, in.blobs, in.db); {
	case errors.Is(err, media.ErrOtherStore):
		in.elsewhere = true
		in.logger.Warn(otherStore)
	case err != nil:
		in.logger.Warn("mark the place of the pictures", "error", err)
	}
	return nil
}

// lacks reports whether there is no site of a slug.
func (in *installation) lacks(ctx context.Context, site string) bool {
	_, err := in.platform.Sites.Get(provider(ctx), site)
	return errors.Is(err, tenancy.ErrNoSite)
}

// walls returns an error if row-level security does not separate sites. A schema of the next release may have other tables and policies,
// which this program does not judge.
func (in *installation) walls(ctx context.Context) error {
	e, err := pg.Examine(ctx, in.url)
	if err != nil {
		return fmt.Errorf("look at row-level security: %w", err)
	}
	if e.Service != nil && *e.Service {
		return fmt.Errorf("%s bypasses row-level security, so nothing but the program would separate sites: "+
			"ALTER ROLE %s NOSUPERUSER NOBYPASSRLS", pg.ServiceRole, pg.ServiceRole)
	}
	have, want := in.schema.versions(ctx)
	open := slices.Concat(e.Unforced, e.Open)
	if e.Cluster != nil {
		for _, w := range e.Cluster.Workers {
			open = append(append(open, w.Unforced...), w.Open...)
		}
	}
	if len(open) == 0 {
		return nil
	}
	if have > want {
		in.logger.Warn("row-level security is other than this release knows it", "tables", strings.Join(open, " "))
		return nil
	}
	return fmt.Errorf("row-level security does not separate the sites in %s: restore the policies of migrations/schema.sql, "+
		"ALTER TABLE … ENABLE and FORCE ROW LEVEL SECURITY, and find out who changed them; kalends doctor says more",
		strings.Join(open, ", "))
}

// patience is how long a starting service waits for a Postgres that is starting, too.
const patience = time.Minute

// awaitDatabase waits for a Postgres that is starting. It returns permanent errors immediately.
func (in *installation) awaitDatabase(ctx context.Context, url string, patience time.Duration) error {
	told := false
	for end := time.Now().Add(patience); ; {
		err := pg.Answers(ctx, url)
		if err == nil || !pg.Starting(err) || time.Now().After(end) {
			if err != nil && ctx.Err() == nil {
				return errors.New(unreachable(err, url, "DATABASE_URL"))
			}
			return err
		}
		if !told {
			told = true
			in.logger.Warn("waiting for Postgres", "for", patience.String(), "reason", withoutAddress(err, url))
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(time.Second / 2):
		}
	}
}
