package main

import (
	"context"
	"strings"
	"time"

	"github.com/kalends/kalends/internal/embedded"
	"github.com/kalends/kalends/migrations"
	"github.com/kalends/kalends/storage/pg"
)

// oldest is the oldest supported version of Postgres.
const oldest = 150000

// database returns the address of the service's database. That of the private Postgres is only available while it
// runs.
func (p *program) database() (string, error) {
	if p.config.DatabaseURL != "" {
		return p.config.DatabaseURL, nil
	}
	dir, err := p.config.dataDir()
	if err != nil {
		return "", err
	}
	return embedded.Attach(dir)
}

// checkDatabase checks Postgres.
func (p *program) checkDatabase(ctx context.Context, f *findings) {
	url, err := p.database()
	if err != nil {
		f.warn("database", "the private Postgres is not running; start `kalends serve` and check again, or set DATABASE_URL")
		return
	}
	begun := time.Now()
	e, err := pg.Examine(ctx, url)
	if err != nil {
		f.fail("database", "%s", unreachable(err, url, "DATABASE_URL"))
		return
	}
	middle, passed := begun.Add(time.Since(begun)/2), time.Since(begun)
	if e.Version < oldest {
		f.fail("database", "Postgres %d answers; Kalends needs 15 or newer: install one, and restore a backup into it", e.Version/10000)
	} else {
		f.ok("database", "Postgres %d.%d answers as role %s", e.Version/10000, e.Version%10000, e.Role)
	}
	if e.ReadOnly {
		f.fail("database", "the database is read-only: it is a standby, or default_transaction_read_only is on; "+
			"DATABASE_URL has to be the primary")
	}
	checkEncoding(f, e)
	checkPostgres(f, e)
	if checkSchema(ctx, f, url) {
		checkCatalog(ctx, f, url, e)
		p.checkDefaultSite(ctx, f, url)
	}
	checkWalls(f, e)
	checkCluster(f, e.Cluster, url)
	if apart := e.Clock.Sub(middle).Abs(); apart > skew+passed {
		f.fail("clock", "this machine and the database are %s apart: synchronize both with NTP", apart.Round(time.Second/10))
	} else {
		f.ok("clock", "this machine and the database agree")
	}
	checkConnections(f, e, int(p.config.Connections))
	checkCommit(ctx, f, url)
}

// checkSchema checks the version of the schema and reports whether it is the newest.
func checkSchema(ctx context.Context, f *findings, url string) bool {
	have, want, err := migrations.Version(ctx, url)
	switch {
	case err != nil:
		f.fail("schema", "%v", err)
	case have == 0:
		f.fail("schema", "the database is empty: run `kalends migrate`")
	case have < want:
		f.fail("schema", "its version is %d, this program needs %d: run `kalends migrate`", have, want)
	case have > want:
		f.warn("schema", "its version is %d, this program knows %d: it belongs to a newer release, install that one", have, want)
	default:
		f.ok("schema", "version %d, the newest", have)
	}
	return err == nil && have == want
}

// checkWalls checks what isolates sites from each other.
func checkWalls(f *findings, e *pg.Examination) {
	for _, name := range []string{"pg_trgm", "btree_gin"} {
		if e.Extensions[name] {
			f.ok("extension", "%s is installed", name)
		} else {
			f.fail("extension", "%s is missing: run `kalends migrate` as the owner of the database, or CREATE EXTENSION %s", name, name)
		}
	}
	switch {
	case e.Service != nil && *e.Service:
		f.fail("role", "%s bypasses row-level security: ALTER ROLE %s NOSUPERUSER NOBYPASSRLS", pg.ServiceRole, pg.ServiceRole)
	case e.Bypasses && !e.Member:
		f.fail("role", "%s bypasses row-level security and is not a member of %s: connect with a plain role", e.Role, pg.ServiceRole)
	case e.Bypasses:
		f.warn("role", "%s bypasses row-level security; the service works as %s, but connect with a plain role",
			e.Role, pg.ServiceRole)
	case e.Member:
		f.ok("role", "the service works as %s, to which row-level security applies", pg.ServiceRole)
	default:
		f.ok("role", "the service works as %s, to which row-level security applies", e.Role)
	}
	if len(e.Unreadable) > 0 {
		f.fail("rights", "the service may not read %s: give the tables to the role that migrates, and what migrations/schema.sql grants "+
			"to %s", strings.Join(e.Unreadable, ", "), pg.ServiceRole)
	}
	sound := wallsStand(f, e.Walls, "")
	if e.Cluster != nil {
		for _, w := range e.Cluster.Workers {
			sound = wallsStand(f, w.Walls, " on the worker "+w.Address) && sound
		}
	}
	if sound {
		f.ok("row security", "forced on every table of sites")
	}
}

// wallsStand reports whether row-level security is intact on a server.
func wallsStand(f *findings, w pg.Walls, where string) bool {
	if len(w.Open) > 0 {
		f.fail("row security", "the policies of %s%s differ from the schema in migrations: restore them, and find out who changed them",
			strings.Join(w.Open, ", "), where)
	}
	if len(w.Unforced) > 0 {
		f.fail("row security", "not forced on %s%s: ALTER TABLE … ENABLE and FORCE ROW LEVEL SECURITY, and find out who removed it",
			strings.Join(w.Unforced, ", "), where)
	}
	return len(w.Open) == 0 && len(w.Unforced) == 0
}

// checkCluster checks the servers of a Citus cluster.
func checkCluster(f *findings, c *pg.Cluster, url string) {
	switch {
	case c == nil:
		return
	case !c.Spread:
		f.warn("cluster", "the extension citus is installed and the tables are not distributed: run `kalends migrate --citus`")
		return
	case len(c.Workers) == 0:
		f.fail("cluster", "it has no workers: SELECT citus_add_node(…)")
		return
	}
	sound, shards := true, 0
	for _, w := range c.Workers {
		shards += w.Shards
		sound = sound && w.Err == nil && w.Synced
		if w.Err != nil {
			f.fail("cluster", "the worker %s cannot be used (%s): its %d shards of sites are not available; check that it runs, that its "+
				"pg_hba.conf allows this machine and that it accepts the role", w.Address, withoutAddress(w.Err, url), w.Shards)
		}
		if !w.Synced {
			f.fail("cluster", "the worker %s does not know where the shards are: SELECT start_metadata_sync_to_node(…) on the coordinator",
				w.Address)
		}
		if w.Shards == 0 {
			f.warn("cluster", "the worker %s has no shards of sites: SELECT citus_rebalance_start() on the coordinator", w.Address)
		}
		for _, role := range w.Blind {
			f.warn("cluster", "a shard is being moved to %s and row-level security hides its rows from the role that copies them: "+
				"ALTER ROLE %s BYPASSRLS there", w.Address, role)
		}
	}
	if sound {
		f.ok("cluster", "%d workers answer; they have %d shards of sites, %d of them being moved", len(c.Workers), shards, c.Moving)
	}
}

// checkDefaultSite checks that there is a default site for hosts that belong to no site, if one is configured.
func (p *program) checkDefaultSite(ctx context.Context, f *findings, url string) {
	site := p.config.DefaultSite
	switch has, others, err := pg.HasSite(ctx, url, site); {
	case err != nil: // reported as the catalog
	case !others:
		f.ok("default site", "there is no site yet; `kalends serve` says how to create one")
	case !has && site != "" && site != demoSite:
		f.warn("default site", "there is no site %q, so the platform's own domain lists sites and other hosts of no site get 404: "+
			"set KALENDS_DEFAULT_SITE to one of `kalends site list`", site)
	case !has:
		f.ok("default site", "none; the platform's own domain lists the sites that want to be found")
	default:
		f.ok("default site", "%s", site)
	}
}
