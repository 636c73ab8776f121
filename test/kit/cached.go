package kit

import (
	"log/slog"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/letters"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/cache"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage"
	numberstore "github.com/kalends/kalends/storage/numbers"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy/platform"
)

// CachedKit returns a node with a cache and a kit without one on the same database. Their clocks stand still at the
// same time.
func CachedKit(t testing.TB, options ...func(*server.Config)) (plain, kept *Kit) {
	t.Helper()
	plain = NewOn(t, storagetest.Database(t))
	return plain, plain.WithCache(options...)
}

// WithCache returns a node with a cache on the kit's database. Their clocks stand still at the same time. Its store
// remembers no rows, so that what ChangeUnnoticed changed shows what the cache answered.
func (k *Kit) WithCache(options ...func(*server.Config)) *Kit {
	t := k.T
	t.Helper()
	k.Clock = time.Date(2030, 2, 20, 12, 0, 0, 0, time.UTC)
	copied := *k
	kept := &copied
	clock := func() time.Time { return kept.Clock }
	var versions *cache.Versions
	var err error
	kept.DB, err = storage.Open(t.Context(), k.URL, storage.Options{MaxConns: 4, Connect: storagetest.Connect(t), Clock: clock, RowBytes: -1,
		OnVersion: func(site, version int64, content bool) {
			if content {
				kept.Platform.Resolver.Unchanged(site, version)
			}
			versions.Raise(site, version)
		}})
	k.Must(err)
	t.Cleanup(kept.end)
	versions = cache.NewVersions(kept.DB, slog.New(slog.DiscardHandler))
	kept.Platform = platform.New(kept.DB, platform.Options{Languages: i18n.Languages(), ProviderToken: ProviderToken,
		Secret: secretOf(func() *storage.DB { return kept.DB }), HashCost: cheap, DefaultSite: func() string { return "demo" }, Versions: versions})
	photos := Pictures(t, t.TempDir())
	config := server.Config{Platform: kept.Platform, Domain: "localhost", Pictures: photos, Checks: []server.Check{answers(kept.DB)},
		Calendar: services.New(kept.DB, photos, clock), Logger: slog.New(slog.DiscardHandler),
		Answers: cache.New(cache.Options{Clock: clock}), Versions: versions}
	for _, option := range options {
		option(&config)
	}
	config.Editing = editing.New(config.Calendar, kept.DB)
	config.Changes, config.Repeats = changes.New(kept.DB.Changes(), clock), kept.DB.Answers()
	config.Imports = imports.New(config.Calendar, kept.DB, config.Editing, imports.Options{People: kept.Platform.Authenticator, Clock: clock})
	kept.Numbers = numbers.NewCounter(numberstore.New(kept.DB.Engine()), clock, config.Logger)
	config.Numbers = numbers.New(numberstore.New(kept.DB.Engine()), config.Calendar, kept.Numbers)
	config.Submissions = letters.Submissions(config.Calendar, kept.DB, kept.Platform, config.Post)
	kept.App = server.New(config)
	return kept
}

// ChangeUnnoticed changes the titles of a site's events in the database without notifying anybody, so that only cached
// responses show the old ones. It also moves the start by a second, because cached list entries depend on it.
func (k *Kit) ChangeUnnoticed(site, title string) {
	k.T.Helper()
	k.Change(site, "UPDATE events SET title = $1, start_utc = start_utc + interval '1 second' WHERE site_id = $2", title, k.Sites[site].ID)
}

// With sends a request with headers, given as alternating names and values.
func (k *Kit) With(method, path, as string, body any, headers ...string) Answer {
	k.T.Helper()
	r := Request{Method: method, Path: path, As: as, JSON: body, Headers: map[string]string{}}
	for i := 0; i < len(headers); i += 2 {
		r.Headers[headers[i]] = headers[i+1]
	}
	return k.Send(r)
}

// Recorded is a recorded response.
type Recorded struct {
	Status   int
	Headers  map[string]string
	Body     any
	Same     int  // the record with the same body
	Abridged bool // list entries contain only some of their keys
}
