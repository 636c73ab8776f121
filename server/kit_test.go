package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kalends/kalends/archive"
	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/jobs"
	"github.com/kalends/kalends/media"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
)

// cheap is the cost of passwords of people whom nobody attacks.
var cheap = tenancy.HashCost{Memory: 8, Time: 1, Threads: 1}

// TestMain lets garbage lie longer: collecting it took half of what these tests take of the processor, and they have
// the memory.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(storagetest.Main(m))
}

// kit is a whole server on a fresh database with one site, "demo", and a user
// of every role.
type kit struct {
	past     *past // see owner
	t        testing.TB
	app      *fiber.App
	db       *storage.DB
	url      string // of the database
	platform *tenancy.Platform
	pictures *media.Pictures
	shelf    *media.Shelf
	shelfDir string
	jobs     *jobs.Jobs
	calendar *calendar.Calendar
	sites    map[string]*tenancy.Site
	secrets  map[string]string // site/role → application password
	clock    time.Time         // stands still unless it is zero
	tries    time.Time         // the platform's, which counts tries to sign in; stands still unless it is zero
}

const providerToken = "kalp_provider_of_the_tests"

// walked are the languages whose pages tests go through one by one: of each direction
// and of scripts with blanks and without. The others get a look at some.
var walked = []string{"en", "ar", "de", "es", "fr", "ja"}

// newKit starts a server; options change its configuration before it starts.
func newKit(t testing.TB, options ...func(*server.Config)) *kit {
	t.Helper()
	return newKitOn(t, storagetest.Database(t), options...)
}

func newKitOn(t testing.TB, database string, options ...func(*server.Config)) *kit {
	t.Helper()
	k := newNodeOn(t, database, options...)
	k.site("demo")
	return k
}

// twin returns another node on the same database, of which this one is told
// nothing.
func (k *kit) twin() *kit {
	k.t.Helper()
	other := newNodeOn(k.t, k.url)
	other.sites, other.secrets, other.tries = k.sites, k.secrets, k.tries
	return other
}

func newNodeOn(t testing.TB, database string, options ...func(*server.Config)) *kit {
	t.Helper()
	return newNodeWith(t, database, storage.Options{MaxConns: 4, Strict: true}, options...)
}

func newNodeWith(t testing.TB, database string, store storage.Options, options ...func(*server.Config)) *kit {
	t.Helper()
	k := &kit{t: t, url: database, past: &past{}, sites: map[string]*tenancy.Site{}, secrets: map[string]string{}}
	clock := func() time.Time {
		if !k.clock.IsZero() {
			return k.clock
		}
		return time.Now()
	}
	platform := func() time.Time {
		if !k.tries.IsZero() {
			return k.tries
		}
		return time.Now()
	}
	var err error
	store.Clock = clock
	k.db, err = storage.Open(context.Background(), database, store)
	k.must(err)
	t.Cleanup(k.db.Close)
	k.platform = tenancy.NewPlatform(k.db, tenancy.Options{Languages: i18n.Languages(), ProviderToken: providerToken, Clock: platform,
		HashCost: cheap, DefaultSite: func() string { return "demo" }, RemoveFiles: func(ctx context.Context, site int64) error {
			return k.pictures.Clear(ctx, site)
		}})
	config := server.Config{Platform: k.platform, Domain: "localhost", Pictures: pictures(t, t.TempDir()), Logger: slog.New(slog.DiscardHandler),
		Checks: []server.Check{answers(k.db)}, Timeout: 2 * time.Minute} // a machine with much to do is slow, not broken
	for _, option := range options {
		option(&config)
	}
	k.pictures = config.Pictures
	config.Calendar = calendar.New(k.db, config.Pictures, clock)
	k.calendar = config.Calendar
	k.shelfDir = t.TempDir()
	k.shelf = shelf(t, k.shelfDir)
	k.jobs = jobs.New(k.db.Jobs(), k.shelf, archive.New(k.db, config.Pictures, k.platform.Sites, clock), k.platform.Sites,
		jobs.Options{Dir: t.TempDir(), Clock: clock, MaxBytes: 8 << 20})
	config.Jobs = k.jobs
	k.app = server.New(config)
	return k
}

// answers checks whether a database does.
func answers(db *storage.DB) server.Check {
	return server.Check{Name: "database", Vital: true, Probe: func(ctx context.Context) string {
		if _, err := db.State(ctx); err != nil {
			return "it doesn't answer"
		}
		return ""
	}}
}

// shelf returns a shelf in a folder.
func shelf(t testing.TB, dir string) *media.Shelf {
	t.Helper()
	blobs, err := media.NewDisk(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = blobs.Close() })
	return media.NewShelf(blobs)
}

// pictures returns pictures in a folder, which may be fetched from these hosts
// besides public ones.
func pictures(t testing.TB, dir string, hosts ...string) *media.Pictures {
	t.Helper()
	blobs, err := media.NewDisk(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = blobs.Close() })
	return media.NewPictures(blobs, media.NewFetcher(media.FetchConfig{AllowHosts: hosts}), media.NewBudget(0))
}

// site makes a site in Berlin with a user of every role; ids of users follow
// the order of tenancy.Roles.
func (k *kit) site(slug string) *tenancy.Site {
	k.t.Helper()
	zone, err := args.ParseZone("Europe/Berlin")
	k.must(err)
	ctx := tenancy.AsProvider(context.Background(), tenancy.Provider{Name: "test"})
	s, err := k.platform.Sites.Create(ctx, &tenancy.SiteFields{Slug: args.Some(slug), ProfileFields: tenancy.ProfileFields{
		Name: args.Some(slug), Timezone: args.Some(zone), Language: args.Some("en")}})
	k.must(err)
	k.sites[slug] = s
	ctx, err = tenancy.Enter(ctx, s)
	k.must(err)
	for _, role := range tenancy.Roles() {
		_, secret, err := k.platform.Users.Create(ctx, &tenancy.UserFields{Login: args.Some(string(role)),
			Email: args.Some(args.Email(string(role) + "@example.org")), Role: args.Some(string(role))})
		k.must(err)
		k.secrets[slug+"/"+string(role)] = secret
	}
	return s
}

func (k *kit) must(err error) {
	k.t.Helper()
	if err != nil {
		k.t.Fatal(err)
	}
}

// exec runs SQL past the service, as the owner of the tables.
func (k *kit) exec(sql string, arguments ...any) {
	k.t.Helper()
	_, err := k.owner().Exec(context.Background(), sql, arguments...)
	k.must(err)
}

// request is one request of a test; the zero As is the public.
type request struct {
	Method, Path string
	As           string // a role on the site, or a whole Authorization header
	Site         string // slug; "": the default site by address
	JSON         any
	Form         url.Values
	Body         string
	Headers      map[string]string
}

// answer is what came back.
type answer struct {
	Status int
	Header http.Header
	Raw    []byte
	Close  bool           // the connection ends with it
	Body   map[string]any // of an object
}

// send makes a request below the API's root, or of a whole path that begins
// with two slashes.
func (k *kit) send(r request) answer {
	k.t.Helper()
	path := "/calendar/events/v1" + r.Path
	if whole, ok := strings.CutPrefix(r.Path, "//"); ok {
		path = "/" + whole
	}
	body, kind := r.payload(k.t)
	req := httptest.NewRequest(r.Method, path, body)
	req.Host = "localhost"
	slug := "demo"
	if r.Site != "" {
		req.Host, slug = r.Site+".localhost", r.Site
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	switch secret, isRole := k.secrets[slug+"/"+r.As]; {
	case isRole:
		req.SetBasicAuth(r.As, secret)
	case r.As != "":
		req.Header.Set("Authorization", r.As)
	}
	for name, value := range r.Headers {
		req.Header.Set(name, value)
	}
	res, err := k.app.Test(req, -1)
	k.must(err)
	defer func() { _ = res.Body.Close() }()
	a := k.read(res)
	if res.Header.Get("X-Request-Id") == "" {
		k.t.Errorf("%s %s: no X-Request-Id", r.Method, path)
	}
	if strings.HasPrefix(path, "/platform/") && a.code() != "" && !platformCode.MatchString(a.code()) {
		k.t.Errorf("%s %s: the code %s isn't in the form of the others", r.Method, path, a.code())
	}
	return a
}

// platformCode is the one form of the codes of the provider's interface.
var platformCode = regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)

// read reads an answer to its end.
func (k *kit) read(res *http.Response) answer {
	k.t.Helper()
	a := answer{Status: res.StatusCode, Header: res.Header, Close: res.Close}
	var err error
	a.Raw, err = io.ReadAll(res.Body)
	k.must(err)
	_ = json.Unmarshal(a.Raw, &a.Body)
	k.spoken(a.Raw)
	return a
}

// keyShown is the key of a text where the text should be.
var keyShown = regexp.MustCompile(`["> ](problem|error|admin|console|public|arg|route)\.[a-z_]+(\.[a-z_]+)*["<]`)

// spoken fails the test when an answer has the key of a text instead of the text.
func (k *kit) spoken(body []byte) {
	k.t.Helper()
	if key := keyShown.Find(body); key != nil {
		k.t.Errorf("%s has no text", key)
	}
}

func (r request) payload(t testing.TB) (io.Reader, string) {
	t.Helper()
	switch {
	case r.JSON != nil:
		b, err := json.Marshal(r.JSON)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.NewReader(b), "application/json"
	case r.Form != nil:
		return strings.NewReader(r.Form.Encode()), "application/x-www-form-urlencoded"
	case r.Body != "":
		return strings.NewReader(r.Body), r.Headers["Content-Type"]
	}
	return nil, ""
}

// get, post, patch and del are the common requests.
func (k *kit) get(path, as string) answer { return k.send(request{Method: "GET", Path: path, As: as}) }

func (k *kit) post(path, as string, body any) answer {
	return k.send(request{Method: "POST", Path: path, As: as, JSON: body})
}

func (k *kit) patch(path, as string, body any) answer {
	return k.send(request{Method: "PATCH", Path: path, As: as, JSON: body})
}

func (k *kit) del(path, as string) answer {
	return k.send(request{Method: "DELETE", Path: path, As: as})
}

// event makes an event as the administrator and returns its id.
func (k *kit) event(fields map[string]any) int64 {
	k.t.Helper()
	body := map[string]any{"title": "Event", "start_date": "2030-03-01 10:00:00", "end_date": "2030-03-01 12:00:00"}
	maps.Copy(body, fields)
	a := k.post("/events", "administrator", body)
	if a.Status != http.StatusCreated {
		k.t.Fatalf("create event: %s", a)
	}
	return a.id()
}

func (a answer) id() int64 {
	id, _ := a.Body["id"].(float64)
	return int64(id)
}

func (a answer) code() string {
	code, _ := a.Body["code"].(string)
	return code
}

func (a answer) String() string { return fmt.Sprintf("%d %s", a.Status, a.Raw) }

// want fails the test unless status and code are those expected.
func (a answer) want(t testing.TB, status int, code string) answer {
	t.Helper()
	if a.Status != status || a.code() != code {
		t.Errorf("got %d %q, want %d %q\n%s", a.Status, a.code(), status, code, a.Raw)
	}
	return a
}

// params returns the arguments an error names.
func (a answer) params() map[string]any {
	data, _ := a.Body["data"].(map[string]any)
	params, _ := data["params"].(map[string]any)
	return params
}

// past are a kit's connections past the service's role.
type past struct {
	once sync.Once
	pool *pgxpool.Pool
}

// owner returns the kit's connections past the service's role: few, for kits
// run side by side.
func (k *kit) owner() *pgxpool.Pool {
	k.t.Helper()
	k.past.once.Do(func() {
		config, err := pgxpool.ParseConfig(k.url)
		k.must(err)
		config.MaxConns = 2
		k.past.pool, err = pgxpool.NewWithConfig(context.Background(), config)
		k.must(err)
		k.t.Cleanup(k.past.pool.Close)
	})
	return k.past.pool
}

// peek reads one text of a site past the service. The tables' owner is held by
// the policies too, so it enters the site first.
func (k *kit) peek(slug, sql string, arguments ...any) (text string) {
	k.t.Helper()
	ctx := context.Background()
	k.must(pgx.BeginFunc(ctx, k.owner(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT set_config('kalends.site', $1, true)", fmt.Sprint(k.sites[slug].ID)); err != nil {
			return err
		}
		return tx.QueryRow(ctx, sql, arguments...).Scan(&text)
	}))
	return text
}
