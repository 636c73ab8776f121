package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/cache"
	"github.com/kalends/kalends/internal/embedded"
	"github.com/kalends/kalends/internal/metrics"
	"github.com/kalends/kalends/internal/outbound"
	"github.com/kalends/kalends/internal/secrets"
	"github.com/kalends/kalends/media"
	"github.com/kalends/kalends/migrations"
	"github.com/kalends/kalends/storage"
	platformstore "github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/archive"
	"github.com/kalends/kalends/tenancy/idp"
	"github.com/kalends/kalends/tenancy/jobs"
	"github.com/kalends/kalends/tenancy/platform"
)

// installation is the opened database with the services that use it.
type installation struct {
	logger   *slog.Logger
	url      string // of the database
	schema   *schema
	postgres *embedded.Server // nil with DATABASE_URL
	db       *storage.DB
	secret   []byte // that all nodes share
	platform *platform.Platform
	blobs    media.Store
	pictures *media.Pictures
	janitor  *media.Janitor
	calendar *services.Calendar
	archives *archive.Archives
	jobs     *jobs.Jobs
	editing  *editing.Service
	imports  *imports.Service
	versions *cache.Versions
	answers  *cache.Answers
	buckets  *cache.Buckets
	redis    *cache.Redis     // nil without REDIS_URL
	metrics  *metrics.Metrics // nil without KALENDS_METRICS_ADDR

	observed  atomic.Pointer[metrics.Metrics] // the metrics, once there are some
	sender    atomic.Pointer[webhooks.Sender] // of messages of webhooks, once there is one
	elsewhere bool                            // other nodes keep their pictures in another place
}

// open opens the configured installation. The embedded database belongs to one process; commands next to a running
// service join it.
func (p *program) open(ctx context.Context, upgrade bool) (*installation, error) {
	if err := errors.Join(p.config.wrongInstallation()...); err != nil {
		return nil, invalid(err)
	}
	go i18n.Languages() // loads the catalogs while waiting for the database
	in := &installation{logger: p.logger()}
	var err error
	if in.url, err = in.database(ctx, p); err != nil {
		return nil, err
	}
	in.schema = &schema{url: in.url}
	if p.patience > 0 && p.config.DatabaseURL != "" {
		err = in.awaitDatabase(ctx, in.url, p.patience)
	}
	if err == nil && upgrade {
		err = migrations.Up(ctx, in.url)
	}
	if err == nil {
		err = in.begin(ctx, p, upgrade)
	}
	if err != nil {
		in.close()
		return nil, err
	}
	return in, nil
}

// begin creates the services, and checks the schema unless it was just upgraded.
func (in *installation) begin(ctx context.Context, p *program, upgraded bool) error {
	schema := make(chan error, 1)
	if upgraded {
		schema <- nil
	} else {
		go func() { schema <- in.migrated(ctx) }()
	}
	err := in.services(ctx, p)
	return cmp.Or(<-schema, err)
}

// migrated returns nil if this program can run on the schema. A newer schema belongs to the next release, which keeps
// what this one needs.
func (in *installation) migrated(ctx context.Context) error {
	have, want, err := in.schema.look(ctx)
	switch {
	case err != nil:
		return err
	case have < want:
		return fmt.Errorf("the database has schema version %d, this program needs %d: run `kalends migrate`", have, want)
	case have > want:
		in.logger.Warn("the database has the schema of a newer release", "have", have, "know", want)
	}
	return nil
}

// database returns the address of Postgres, and starts a private one if none is configured.
func (in *installation) database(ctx context.Context, p *program) (string, error) {
	if p.config.DatabaseURL != "" {
		return p.config.DatabaseURL, nil
	}
	dir, err := p.config.dataDir()
	if err != nil {
		return "", err
	}
	in.postgres, err = embedded.Start(ctx, embedded.Config{Dir: dir, Logger: in.logger, Getenv: p.getenv})
	if err != nil {
		return "", err
	}
	return in.postgres.URL(), nil
}

func (in *installation) services(ctx context.Context, p *program) error {
	var err error
	raise := func(site, version int64, content bool) {
		in.sender.Load().Raised(site)
		if content {
			in.platform.Resolver.Unchanged(site, version)
		}
		in.versions.Raise(site, version)
	}
	if in.db, err = storage.Open(ctx, in.url, storage.Options{MaxConns: p.config.Connections, LinkBytes: p.config.linkBytes(),
		OnVersion: raise, Tracer: p.tracer, Took: in.took(p), Logger: in.logger}); err != nil {
		return err
	}
	in.versions = cache.NewVersions(in.db, in.logger)
	if _, err := in.db.State(ctx); err != nil {
		return err
	}
	// This must come before any times are derived, because it stores the version of the time zone data.
	if in.secret, err = platformstore.Secret(ctx, in.db.Engine(), wording.Folding); err != nil {
		return err
	}
	dir, err := p.config.dataDir()
	if err != nil {
		return err
	}
	if in.blobs, err = p.config.blobs(); err != nil {
		return err
	}
	in.pictures = media.NewPictures(in.blobs, media.NewFetcher(media.FetchConfig{AllowHosts: p.config.FetchHosts}),
		media.NewBudget(memory(p.getenv, in.postgres != nil)))
	in.janitor = janitor(in.blobs, in.db)
	in.calendar = services.New(in.db, in.pictures, in.db.Now)
	in.platform = platform.New(in.db, platform.Options{Domain: p.config.PlatformDomain, Languages: i18n.Languages(),
		DefaultSite: func() string { return p.config.DefaultSite }, ProviderToken: p.config.ProviderToken,
		Clock: in.db.Now, RemoveFiles: in.pictures.Clear, Versions: in.versions,
		Providers: idp.New(outbound.NewGuard(p.config.FetchHosts, true), in.db.Now), ConsoleSignIn: p.config.consoleSignIn,
		Secret: func(context.Context) ([]byte, error) { return in.secret, nil },
		Pages:  media.NewFetcher(media.FetchConfig{AllowHosts: p.config.FetchHosts, MaxBytes: 16 << 10, Accept: "text/plain"})})
	in.archives = archive.New(in.db.Archives(), in.pictures, in.platform.Sites, in.db.Now)
	in.editing = editing.New(in.calendar, in.db)
	box, err := secrets.NewBox(in.secret, "imports")
	if err != nil {
		return err
	}
	in.imports = imports.New(in.calendar, in.db, in.editing, imports.Options{Files: media.NewFetcher(media.FetchConfig{
		AllowHosts: p.config.ImportHosts, Secure: true, MaxBytes: imports.MaxBytes, Timeout: fetching, Accept: imports.Accept}),
		Box: box, People: in.platform.Authenticator, Logger: in.logger, Clock: in.db.Now})
	in.jobs = jobs.New(in.db.Jobs(), media.NewShelf(in.blobs), in.archives, in.platform.Sites,
		jobs.Options{Dir: filepath.Join(dir, "tmp"), MaxBytes: p.config.ImportBytes, Logger: in.logger, Clock: in.db.Now})
	return nil
}

// fetching is the time limit for the file of an import, which may be large.
const fetching = 2 * time.Minute

// took returns the function that measures round trips to the database, or nil without metrics.
func (in *installation) took(p *program) func(time.Duration) {
	if p.config.MetricsAddr == "" {
		return nil
	}
	return func(took time.Duration) { in.observed.Load().Postgres(took) }
}

// caches creates the response cache and the rate limits, backed by Redis if configured.
func (in *installation) caches(p *program) error {
	if p.config.RedisURL != "" {
		program, err := fingerprint()
		if err != nil {
			return err
		}
		if in.redis, err = cache.NewRedis(p.config.RedisURL, slices.Concat(in.secret, program), in.logger); err != nil {
			return fmt.Errorf("REDIS_URL: %w", err)
		}
	}
	in.buckets = cache.NewBuckets(in.redis, time.Now)
	if p.config.CacheBytes > 0 {
		in.answers = cache.New(cache.Options{Bytes: p.config.CacheBytes, Redis: in.redis})
	}
	return nil
}

// fingerprint returns a hash of this executable. Nodes with different executables may produce different responses and
// must not share them. A version would not suffice, because executables of the same version may differ.
func fingerprint() ([]byte, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	file, err := os.Open(path) //nolint:gosec // its own file
	if err != nil {
		return nil, fmt.Errorf("read this program: %w", err)
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return nil, fmt.Errorf("read this program: %w", err)
	}
	return sum.Sum(nil), nil
}

// close closes everything in order: connections first, then Postgres.
func (in *installation) close() {
	if in.db != nil {
		in.db.Close()
	}
	if in.postgres != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := in.postgres.Stop(ctx); err != nil {
			in.logger.Error("stop database", "error", err)
		}
	}
}

// provider returns a context in which the command line acts as the provider.
func provider(ctx context.Context) context.Context {
	return tenancy.AsProvider(ctx, tenancy.Provider{Name: tenancy.CommandLine, Command: true})
}

// enter returns a context on a site with the rights of an administrator.
func (in *installation) enter(ctx context.Context, slug string) (context.Context, error) {
	ctx = provider(ctx)
	site, err := in.platform.Sites.Get(ctx, slug)
	if err != nil {
		return nil, fmt.Errorf("site %q: %w", slug, err)
	}
	return tenancy.Enter(ctx, site)
}
