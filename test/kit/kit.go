// Package kit is shared by tests of the whole program: a server with its own database and users of every role,
// requests as programs and browsers send them, and access to what is behind the server. All functions fail their test
// on errors.
package kit

import (
	"bytes"
	"context"
	"encoding/json"
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
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kalends/kalends/calendar/attention"
	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/letters"
	"github.com/kalends/kalends/calendar/newsletters"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/outbound"
	"github.com/kalends/kalends/media"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage"
	numberstore "github.com/kalends/kalends/storage/numbers"
	platformstore "github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/archive"
	"github.com/kalends/kalends/tenancy/idp"
	"github.com/kalends/kalends/tenancy/jobs"
	"github.com/kalends/kalends/tenancy/platform"
)

// cheap is the password hashing cost in tests, where nobody attacks passwords.
var cheap = accounts.HashCost{Memory: 8, Time: 1, Threads: 1}

// Main makes garbage collection less frequent up to a gigabyte, because it took half of the processor time of these tests.
func Main(m *testing.M) {
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(1 << 30)
	os.Exit(storagetest.Main(m))
}

// Kit is a whole server on a fresh database with one site, "demo", and a user of every role.
type Kit struct {
	asker     *asker // of providers by which people sign in
	past      *past  // see Owner
	T         testing.TB
	App       *fiber.App
	DB        *storage.DB
	URL       string // of the database
	Platform  *platform.Platform
	pictures  *media.Pictures
	Shelf     *media.Shelf
	ShelfDir  string
	Jobs      *jobs.Jobs
	Calendar  *services.Calendar
	Editing   *editing.Service
	Imports   *imports.Service
	Sites     map[string]*tenancy.Site
	Secrets   map[string]string // site/role → application password
	Sources   *sources.Service
	bearer    *bearer
	reader    *reader
	later     *atomic.Int64        // by how much the clock of webhooks is ahead; see Later
	Letters   *newsletters.Service // see LettersAt
	Attention *attention.Service   // see TellPeople
	Numbers   *numbers.Counter     // of the node; see its Flush
	Mailing   newsletters.Options  // of which Letters is made
	ahead     *atomic.Int64        // by how much the clock of letters is ahead
	Sender    *webhooks.Sender     // of messages of webhooks; see Deliver
	Clock     time.Time            // stands still unless zero
	Tries     time.Time            // the platform's clock for counting sign-in attempts; stands still unless zero

	importing imports.Options

	ConsoleSignIn *accounts.ConsoleSignIn // by which people sign in to the console
	DefaultSite   string                  // for hosts that belong to no site; demo
}

// ProviderToken is the token of the provider's interface.
const ProviderToken = "kalp_provider_of_the_tests"

// Walked are the languages in which tests visit every page: both writing directions, and scripts with and without
// spaces. Other languages are only sampled.
var Walked = []string{"en", "ar", "de", "es", "fr", "ja"}

// New starts a server. options change its configuration before it starts.
func New(t testing.TB, options ...func(*server.Config)) *Kit {
	t.Helper()
	return NewOn(t, storagetest.Database(t), options...)
}

// NewOn starts a server on an existing database.
func NewOn(t testing.TB, database string, options ...func(*server.Config)) *Kit {
	t.Helper()
	k := newNodeOn(t, database, options...)
	k.Site("demo")
	return k
}

// SecondNode returns another node on the same database that is not notified of this one's writes.
func (k *Kit) SecondNode() *Kit {
	k.T.Helper()
	other := newNodeOn(k.T, k.URL)
	other.Sites, other.Secrets, other.Tries = k.Sites, k.Secrets, k.Tries
	other.bearer.as(k.bearer)
	for _, host := range k.reader.hosts {
		other.reader.allow(host)
	}
	return other
}

func newNodeOn(t testing.TB, database string, options ...func(*server.Config)) *Kit {
	t.Helper()
	return NewNodeWith(t, database, storage.Options{MaxConns: 4, Strict: true}, options...)
}

// NewNodeWith starts another node on a database, with options for the store.
func NewNodeWith(t testing.TB, database string, store storage.Options, options ...func(*server.Config)) *Kit {
	t.Helper()
	k := &Kit{DefaultSite: "demo", asker: &asker{IdentityProviders: idp.New(outbound.NewGuard(nil, true), time.Now)}, T: t, URL: database, past: &past{pools: map[string]*pgxpool.Pool{}}, Sites: map[string]*tenancy.Site{}, Secrets: map[string]string{}}
	clock := func() time.Time {
		if !k.Clock.IsZero() {
			return k.Clock
		}
		return time.Now()
	}
	tries := func() time.Time {
		if !k.Tries.IsZero() {
			return k.Tries
		}
		return time.Now()
	}
	var err error
	store.Clock, store.Connect = clock, storagetest.Connect(t)
	if store.OnVersion == nil {
		store.OnVersion = func(site, _ int64, _ bool) { k.Sender.Raised(site) }
	}
	k.DB, err = storage.Open(context.Background(), database, store)
	k.Must(err)
	t.Cleanup(k.end)
	k.Platform = platform.New(k.DB, platform.Options{Languages: i18n.Languages(), ProviderToken: ProviderToken, Clock: tries,
		Providers: k.asker, ConsoleSignIn: func() *accounts.ConsoleSignIn { return k.ConsoleSignIn }, Secret: secretOf(func() *storage.DB { return k.DB }), HashCost: cheap, DefaultSite: func() string { return k.DefaultSite }, RemoveFiles: func(ctx context.Context, site int64) error {
			return k.pictures.Clear(ctx, site)
		}})
	config := server.Config{Platform: k.Platform, Domain: "localhost", Pictures: Pictures(t, t.TempDir()), Logger: slog.New(slog.DiscardHandler),
		Checks: []server.Check{answers(k.DB)}, Timeout: 2 * time.Minute, Places: 1000} // a busy machine is slow, not broken; tests of the gate have fewer places
	for _, option := range options {
		option(&config)
	}
	k.pictures = config.Pictures
	config.Calendar = services.New(k.DB, config.Pictures, clock)
	k.Calendar = config.Calendar
	k.Editing = editing.New(k.Calendar, k.DB)
	config.Editing = k.Editing
	config.Changes, config.Repeats = changes.New(k.DB.Changes(), clock), k.DB.Answers()
	config.Webhooks, k.Sender = k.hooks(config.Post, clock)
	config.Submissions = letters.Submissions(k.Calendar, k.DB, k.Platform, config.Post)
	k.Numbers = numbers.NewCounter(numberstore.New(k.DB.Engine()), clock, config.Logger)
	config.Numbers = numbers.New(numberstore.New(k.DB.Engine()), k.Calendar, k.Numbers)
	k.Mailing = k.mailing(config.Post, clock)
	k.Letters = newsletters.New(k.Mailing)
	config.Letters = k.Letters
	k.Attention = k.attentive(config.Post, clock)
	config.Attention = k.Attention
	k.importing = imports.Options{Files: importer(), Box: k.box("imports"), People: k.Platform.Authenticator, Clock: clock, Logger: config.Logger}
	k.Imports = imports.New(k.Calendar, k.DB, k.Editing, k.importing)
	config.Imports = k.Imports
	k.Sources = k.gathering(clock)
	config.Sources = k.Sources
	k.ShelfDir = t.TempDir()
	k.Shelf = shelf(t, k.ShelfDir)
	k.Jobs = jobs.New(k.DB.Jobs(), k.Shelf, archive.New(k.DB.Archives(), config.Pictures, k.Platform.Sites, clock), k.Platform.Sites,
		jobs.Options{Dir: t.TempDir(), Clock: clock, MaxBytes: 8 << 20})
	config.Jobs = k.Jobs
	k.App = server.New(config)
	return k
}

// end lets go of the server. Pools of what is used again hold a server, with its thousands of routes,
// until the second garbage collection after its test, unless it is emptied.
func (k *Kit) end() {
	if k.App != nil {
		*k.App = fiber.App{}
	}
	k.App = nil
}

// secretOf returns what reads the secret of an installation.
func secretOf(db func() *storage.DB) func(ctx context.Context) ([]byte, error) {
	return func(ctx context.Context) ([]byte, error) {
		return platformstore.Secret(ctx, db().Engine(), wording.Folding)
	}
}

// answers returns a check of a database.
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

// Pictures returns Pictures in a folder that may also fetch from the given hosts.
func Pictures(t testing.TB, dir string, hosts ...string) *media.Pictures {
	t.Helper()
	blobs, err := media.NewDisk(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = blobs.Close() })
	return media.NewPictures(blobs, media.NewFetcher(media.FetchConfig{AllowHosts: hosts}), media.NewBudget(0))
}

// Site creates a site in Berlin with a user of every role. User ids follow the order of tenancy.Roles.
func (k *Kit) Site(slug string) *tenancy.Site {
	k.T.Helper()
	zone, err := args.ParseZone("Europe/Berlin")
	k.Must(err)
	ctx := tenancy.AsProvider(context.Background(), tenancy.Provider{Name: "test"})
	s, err := k.Platform.Sites.Create(ctx, &platform.SiteFields{Slug: args.Some(slug), ProfileFields: platform.ProfileFields{
		Name: args.Some(slug), Timezone: args.Some(zone), Language: args.Some("en"), Settings: Dollars()}})
	k.Must(err)
	k.Sites[slug] = s
	ctx, err = tenancy.Enter(ctx, s)
	k.Must(err)
	for _, role := range tenancy.Roles() {
		_, secret, err := k.Platform.Users.Create(ctx, &accounts.UserFields{Login: args.Some(string(role)),
			Email: args.Some(args.Email(string(role) + "@example.org")), Role: args.Some(string(role))})
		k.Must(err)
		k.Secrets[slug+"/"+string(role)] = secret
	}
	return s
}

// Dollars are the settings of sites in tests: the currency of the recorded answers, wherever the site is.
func Dollars() args.Opt[args.Object[platform.SettingsFields]] {
	return args.Some(args.Object[platform.SettingsFields]{Fields: platform.SettingsFields{CurrencyCode: args.Some("USD"),
		CurrencySymbol: args.Some("$"), CurrencyPosition: args.Some("prefix")}})
}

// Must ends the test on an error.
func (k *Kit) Must(err error) {
	k.T.Helper()
	if err != nil {
		k.T.Fatal(err)
	}
}

// Exec runs SQL directly, as the owner of the tables.
func (k *Kit) Exec(sql string, arguments ...any) {
	k.T.Helper()
	_, err := k.Owner().Exec(context.Background(), sql, arguments...)
	k.Must(err)
}

// Request is a request of a test. A zero As is anonymous.
type Request struct {
	Method, Path string
	As           string // a role on the site, or an Authorization header
	Site         string // slug; "": the default site
	JSON         any
	Form         url.Values
	Body         string
	Headers      map[string]string
}

// Send sends a request to a path relative to the API's root, or to a full path that begins with two slashes.
func (k *Kit) Send(r Request) Answer {
	k.T.Helper()
	path := "/calendar/events/v1" + r.Path
	if whole, ok := strings.CutPrefix(r.Path, "//"); ok {
		path = "/" + whole
	}
	body, kind := r.payload(k.T)
	req := httptest.NewRequest(r.Method, path, body)
	req.Host = "localhost"
	slug := "demo"
	if r.Site != "" {
		req.Host, slug = r.Site+".localhost", r.Site
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	switch secret, isRole := k.Secrets[slug+"/"+r.As]; {
	case isRole:
		req.SetBasicAuth(r.As, secret)
	case r.As != "":
		req.Header.Set("Authorization", r.As)
	}
	for name, value := range r.Headers {
		req.Header.Set(name, value)
	}
	res, err := k.App.Test(req, -1)
	k.Must(err)
	defer func() { _ = res.Body.Close() }()
	a := k.read(res)
	if res.Header.Get("X-Request-Id") == "" {
		k.T.Errorf("%s %s: no X-Request-Id", r.Method, path)
	}
	if strings.HasPrefix(path, "/platform/") && a.Code() != "" && !platformCode.MatchString(a.Code()) {
		k.T.Errorf("%s %s: the code %s isn't in the form of the others", r.Method, path, a.Code())
	}
	return a
}

// platformCode matches the codes of the provider's interface.
var platformCode = regexp.MustCompile(`^([a-z]+(_[a-z]+)*|idempotency-[a-z-]+)$`)

// read reads a response to the end.
func (k *Kit) read(res *http.Response) Answer {
	k.T.Helper()
	a := Answer{Status: res.StatusCode, Header: res.Header, Close: res.Close}
	var err error
	a.Raw, err = io.ReadAll(res.Body)
	k.Must(err)
	_ = json.Unmarshal(a.Raw, &a.Body)
	k.spoken(a.Raw)
	return a
}

// keyAreas begin the keys of texts that people read.
var keyAreas = [][]byte{[]byte("problem."), []byte("error."), []byte("admin."), []byte("console."), []byte("public."), []byte("arg."), []byte("route.")}

// keyEnd matches the rest of a text key that is shown instead of its text.
var keyEnd = regexp.MustCompile(`^[a-z_]+(\.[a-z_]+)*["<]`)

// spoken fails the test if a response contains a text key instead of its text. It looks for the beginnings of keys, because a
// regular expression over every response took a tenth of the time of these tests.
func (k *Kit) spoken(body []byte) {
	k.T.Helper()
	for _, area := range keyAreas {
		for rest := body; ; {
			at := bytes.Index(rest, area)
			if at < 0 {
				break
			}
			before, after := rest[:at], rest[at+len(area):]
			if end := keyEnd.Find(after); end != nil && len(before) > 0 && bytes.ContainsAny(before[at-1:], `"> `) {
				k.T.Errorf("%s%s has no text", area, end)
			}
			rest = after
		}
	}
}

func (r Request) payload(t testing.TB) (io.Reader, string) {
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

// Get reads a path of the API as a caller.
func (k *Kit) Get(path, as string) Answer { return k.Send(Request{Method: "GET", Path: path, As: as}) }

// Post sends a body as JSON.
func (k *Kit) Post(path, as string, body any) Answer {
	return k.Send(Request{Method: "POST", Path: path, As: as, JSON: body})
}

// Patch sends changes as JSON.
func (k *Kit) Patch(path, as string, body any) Answer {
	return k.Send(Request{Method: "PATCH", Path: path, As: as, JSON: body})
}

// Del sends a DELETE.
func (k *Kit) Del(path, as string) Answer {
	return k.Send(Request{Method: "DELETE", Path: path, As: as})
}

// Event creates an event as the administrator and returns its id.
func (k *Kit) Event(fields map[string]any) int64 {
	k.T.Helper()
	body := map[string]any{"title": "Event", "start_date": "2030-03-01 10:00:00", "end_date": "2030-03-01 12:00:00"}
	maps.Copy(body, fields)
	a := k.Post("/events", "administrator", body)
	if a.Status != http.StatusCreated {
		k.T.Fatalf("create event: %s", a)
	}
	return a.ID()
}
