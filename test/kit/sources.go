package kit

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"time"

	"github.com/kalends/kalends/calendar/courier"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/outbound"
	"github.com/kalends/kalends/internal/secrets"
	platformstore "github.com/kalends/kalends/storage/platform"
	sourcestore "github.com/kalends/kalends/storage/sources"
)

// reader reads sources, also those of the test, which begin to listen later than the kit.
type reader struct {
	mu    sync.Mutex
	hosts []string
}

func (r *reader) allow(host string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hosts = append(r.hosts, host)
}

// Read implements sources.Web.
func (r *reader) Read(ctx context.Context, q *sources.Request) (*sources.Response, error) {
	r.mu.Lock()
	web := courier.NewReader(outbound.NewGuard(r.hosts, true), imports.Accept, 5*time.Second, reading.MaxBytes)
	r.mu.Unlock()
	return web.Read(ctx, q)
}

// gathering returns the service over sources.
func (k *Kit) gathering(clock func() time.Time) *sources.Service {
	secret, err := platformstore.Secret(context.Background(), k.DB.Engine(), wording.Folding)
	k.Must(err)
	box, err := secrets.NewBox(secret, "sources")
	k.Must(err)
	k.reader = &reader{}
	return sources.New(sources.Options{Store: sourcestore.New(k.DB.Engine()), Calendar: k.Calendar, Imports: k.Imports, Web: k.reader, Box: box,
		Home: k.Platform.Resolver.Sent, Clock: clock})
}

// Outlet is a place in the world that sources read.
type Outlet struct {
	URL string

	mu     sync.Mutex
	answer http.HandlerFunc
	asked  []*http.Request
}

// Outlet begins to listen. It answers with a text until Answer says otherwise.
func (k *Kit) Outlet(text string) *Outlet {
	k.T.Helper()
	f := &Outlet{}
	f.Say(text)
	server := httptest.NewServer(f)
	k.T.Cleanup(server.Close)
	f.URL = server.URL + "/feed"
	k.reader.allow(server.Listener.Addr().String())
	return f
}

// ServeHTTP implements http.Handler.
func (f *Outlet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.asked = append(f.asked, r.Clone(context.Background()))
	answer := f.answer
	f.mu.Unlock()
	answer(w, r)
}

// Answer has requests answered in another way.
func (f *Outlet) Answer(h http.HandlerFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answer = h
}

// Say has requests answered with a text, and with 304 for those that know it.
func (f *Outlet) Say(text string) {
	tag := `"` + strconv.Itoa(len(text)) + "-" + strconv.FormatUint(uint64(sum(text)), 16) + `"`
	f.Answer(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write([]byte(text))
	})
}

func sum(text string) (n uint32) {
	for _, b := range []byte(text) {
		n = n*31 + uint32(b)
	}
	return n
}

// Asked returns the requests since the last call.
func (f *Outlet) Asked() []*http.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := f.asked
	f.asked = nil
	return list
}

// Source makes a source as the administrator of the site demo, and returns its id.
func (k *Kit) Source(fields Object) int64 {
	k.T.Helper()
	body := Object{"name": "Club", "kind": "ics"}
	maps.Copy(body, fields)
	return k.Post("/sources", "administrator", body).Want(k.T, 201, "").ID()
}

// ReadSources reads all sources that are due, and executes the imports that come of it.
func (k *Kit) ReadSources() {
	k.T.Helper()
	for {
		worked, err := k.Sources.Work(k.T.Context())
		k.Must(err)
		k.RunImports()
		k.Platform.Forget(k.Sites["demo"].ID)
		if !worked {
			return
		}
	}
}

// ReadSource has a source read now and returns it as it is then.
func (k *Kit) ReadSource(id int64) Answer {
	k.T.Helper()
	path := "/sources/" + strconv.FormatInt(id, 10)
	k.Post(path+"/read", "administrator", nil).Want(k.T, 202, "")
	k.ReadSources()
	return k.Send(Request{Method: "GET", Path: path, As: "administrator"}).Want(k.T, 200, "")
}

// Reads allows sources to be read from a host, although it is private.
func (k *Kit) Reads(host string) { k.reader.allow(host) }
