package rest_test

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/test/kit"
)

// found returns the titles of a site's events in 2030 that a filter finds, in the order of the list.
func found(k *kit.Kit, filter string) (titles []string) {
	k.T.Helper()
	a := k.Send(kit.Request{Method: "GET", Path: "/events?start_date=2030-01-01&end_date=2031-01-01&per_page=50" + filter, As: "editor"}).Want(k.T, 200, "")
	for _, e := range kit.ListOf(a.Body["events"]) {
		event, _ := e.(map[string]any)
		titles = append(titles, fmt.Sprint(event["title"]))
	}
	return titles
}

func TestSource(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2029, 12, 1, 12, 0, 0, 0, time.UTC)
	feed := k.Outlet(club)
	a := k.Post("/sources", "administrator", kit.Object{"name": "The club", "kind": "ics", "url": feed.URL + "?token=T0KEN", "user": "ann",
		"password": "S3CRET", "site": "https://club.example", "categories": []string{"Club"}}).Want(t, 201, "")
	for _, secret := range []string{"T0KEN", "S3CRET", "ann"} {
		if strings.Contains(string(a.Raw), secret) {
			t.Errorf("%s is in the answer: %s", secret, a.Raw)
		}
	}
	id := a.ID()
	k.ReadSources()
	of := k.Send(kit.Request{Method: "GET", Path: at("sources", id), As: "administrator"}).Want(t, 200, "")
	if of.Body["problem"] != nil || of.Body["last_success"] == nil || of.Body["next_read"] != "2029-12-01T13:00:00Z" {
		t.Errorf("read: %s", of.Raw)
	}
	if got := fmt.Sprint(of.Body["counts"]); !strings.Contains(got, "created:5") || !strings.Contains(got, "refused:1") {
		t.Errorf("counts: %s", got)
	}
	asked := feed.Asked()
	if len(asked) != 1 {
		t.Fatalf("%d requests", len(asked))
	}
	if user, password, _ := asked[0].BasicAuth(); user != "ann" || password != "S3CRET" || asked[0].URL.Query().Get("token") != "T0KEN" {
		t.Errorf("asked as %s", user)
	}
	list := k.Send(kit.Request{Method: "GET", Path: "/imports?source=" + fmt.Sprint(id), As: "editor"}).Want(t, 200, "")
	if list.Body["total"] != 1.0 || !strings.Contains(string(list.Raw), `"source":{"id":`+fmt.Sprint(id)+`,"name":"The club","site":"https://club.example"`) {
		t.Errorf("imports: %s", list.Raw)
	}
	events := k.Send(kit.Request{Method: "GET", Path: "/events?start_date=2030-01-01&end_date=2031-01-01&search=gig"}).Want(t, 200, "")
	event, _ := kit.ListOf(events.Body["events"])[0].(map[string]any)
	if fmt.Sprint(event["source"]) != fmt.Sprintf("map[id:%d name:The club site:https://club.example]", id) {
		t.Errorf("source of an event: %v", event["source"])
	}
	k.Made("/events", kit.Valid("event"))
	if got := found(k, fmt.Sprint("&source=", id)); len(got) != len(found(k, ""))-1 || len(got) != 7 {
		t.Errorf("filter: %v", got)
	}
	if got := found(k, "&source=999"); got != nil {
		t.Errorf("filter of no source: %v", got)
	}
	for _, table := range []string{"sources", "imports", "import_files", "changes", "sites"} {
		if n := k.Peek("demo", `SELECT count(*)::text FROM `+table+` x WHERE x::text ~ 'T0KEN|S3CRET'`); n != "0" {
			t.Errorf("a secret is in %s", table)
		}
	}
}

// Nothing new costs one conditional request, and no version of the site.
func TestSourceWithNothingNew(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2029, 12, 1, 12, 0, 0, 0, time.UTC)
	feed := k.Outlet(many(20, nil))
	id := k.Source(kit.Object{"url": feed.URL, "every": 900})
	k.ReadSources()
	feed.Asked()
	version := k.Peek("demo", `SELECT version::text FROM sites`)
	k.ReadSources()
	if n := len(feed.Asked()); n != 0 {
		t.Errorf("%d requests before it is due", n)
	}
	k.Clock = k.Clock.Add(15 * time.Minute)
	k.ReadSources()
	asked := feed.Asked()
	if len(asked) != 1 || asked[0].Header.Get("If-None-Match") == "" {
		t.Errorf("asked: %v", asked)
	}
	of := k.Send(kit.Request{Method: "GET", Path: at("sources", id), As: "administrator"})
	if of.Body["last_success"] != "2029-12-01T12:15:00Z" || of.Body["next_read"] != "2029-12-01T12:30:00Z" {
		t.Errorf("%s", of.Raw)
	}
	feed.Answer(func(w http.ResponseWriter, _ *http.Request) { // the same without an ETag, and then with other stamps only
		_, _ = w.Write([]byte(many(20, nil)))
	})
	k.ReadSource(id)
	feed.Say(many(20, func(_ int, line string) string {
		return strings.Replace(line, "DTSTAMP:20300101", "DTSTAMP:20300102", 1)
	}))
	k.ReadSource(id)
	if got := k.Peek("demo", `SELECT version::text FROM sites`); got != version {
		t.Errorf("version %s, was %s", got, version)
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM imports`); n != "1" {
		t.Errorf("%s imports", n)
	}
}

// What changes at the source changes here; what is missing is cancelled, but not if much is.
func TestSourceChanges(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	feed := k.Outlet(many(20, nil))
	id := k.Source(kit.Object{"url": feed.URL})
	k.ReadSources()
	feed.Say(many(20, func(i int, line string) string {
		switch i {
		case 3:
			return strings.Replace(line, "SUMMARY:", "SUMMARY:New ", 1)
		case 7:
			return ""
		}
		return line
	}))
	of := k.ReadSource(id)
	if got := fmt.Sprint(of.Body["counts"]); !strings.Contains(got, "changed:1") || !strings.Contains(got, "cancelled:1") || of.Body["problem"] != nil {
		t.Errorf("changed: %s", of.Raw)
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM events WHERE event_status = 'cancelled'`); n != "1" {
		t.Errorf("%s cancelled", n)
	}
	for about, text := range map[string]string{"empty": "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nEND:VCALENDAR\n", "much smaller": many(5, nil)} {
		feed.Say(text)
		of = k.ReadSource(id)
		if of.Body["problem"] == nil {
			t.Errorf("%s: %s", about, of.Raw)
		}
		if n := k.Peek("demo", `SELECT count(*)::text FROM events WHERE event_status = 'cancelled' OR status <> 'publish'`); n != "1" {
			t.Fatalf("%s: %s cancelled", about, n)
		}
	}
	feed.Say(many(5, nil))
	k.ReadSource(id)
	before := k.Peek("demo", `SELECT count(*)::text FROM imports`)
	if k.ReadSource(id); k.Peek("demo", `SELECT count(*)::text FROM imports`) != before {
		t.Error("what asks for an answer asks at every reading")
	}
	import1 := k.Peek("demo", `SELECT id::text FROM imports WHERE problem ->> 'code' = 'gone-too-many' ORDER BY id DESC LIMIT 1`)
	k.Post("/imports/"+import1+"/run", "administrator", nil).Want(t, 202, "")
	k.RunImports()
	of = k.Send(kit.Request{Method: "GET", Path: at("sources", id), As: "administrator"})
	if of.Body["problem"] != nil {
		t.Errorf("confirmed: %s", of.Raw)
	}
}

// Whatever goes wrong, nothing is lost here; the source is read later and later, and the administrators are told once.
func TestSourceFaults(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2029, 12, 1, 12, 0, 0, 0, time.UTC)
	whole := many(20, nil)
	feed := k.Outlet(whole)
	id := k.Source(kit.Object{"url": feed.URL})
	k.ReadSources()
	state := func() string {
		return k.Peek("demo", `SELECT count(*)::text || ' ' || (SELECT version FROM sites) FROM events WHERE status = 'publish' AND event_status = 'scheduled'`)
	}
	was := state()
	code := func(a kit.Answer) string {
		problem, _ := a.Body["problem"].(map[string]any)
		return fmt.Sprint(problem["code"])
	}
	private := k.Outlet(whole)
	for _, c := range []struct {
		about, code string
		answer      http.HandlerFunc
	}{
		{"cut in the middle", "import-not-fetched", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(whole)))
			_, _ = w.Write([]byte(whole[:len(whole)/2]))
		}},
		{"HTML", "import-page", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("<!doctype html><html><body><h1>Welcome</h1></body></html>"))
		}},
		{"a private address", "import-not-fetched", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		}},
		{"a closed door", "import-not-fetched", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }},
		{"nothing", "import-empty", func(http.ResponseWriter, *http.Request) {}},
		{"304 unasked", "import-not-fetched", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) }},
	} {
		feed.Answer(c.answer)
		of := k.ReadSource(id)
		if code(of) != c.code {
			t.Errorf("%s: %s", c.about, of.Raw)
		}
		if state() != was {
			t.Errorf("%s: %s, was %s", c.about, state(), was)
		}
	}
	if n := len(private.Asked()); n != 0 {
		t.Errorf("%d requests elsewhere", n)
	}
	feed.Answer(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "200000")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	of := k.ReadSource(id)
	if next := fmt.Sprint(of.Body["next_read"]); next != k.Clock.Add(200000*time.Second).Format(time.RFC3339) {
		t.Errorf("Retry-After: %s", next)
	}
	feed.Answer(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	of = k.ReadSource(id)
	if next := fmt.Sprint(of.Body["next_read"]); next != k.Clock.Add(24*time.Hour).Format(time.RFC3339) {
		t.Errorf("backoff to a day: %s", next)
	}
	for range 4 {
		k.Clock = k.Clock.Add(25 * time.Hour)
		k.ReadSources()
	}
	feed.Say(whole)
	k.Clock = k.Clock.Add(25 * time.Hour)
	k.ReadSources()
	of = k.Send(kit.Request{Method: "GET", Path: at("sources", id), As: "administrator"})
	if of.Body["problem"] != nil || of.Body["next_read"] != k.Clock.Add(time.Hour).Format(time.RFC3339) {
		t.Errorf("well again: %s", of.Raw)
	}
}

// A source whose UIDs change at every fetch doubles nothing.
func TestSourceWithUIDsThatChange(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	feed := k.Outlet(many(20, nil))
	id := k.Source(kit.Object{"url": feed.URL})
	k.ReadSources()
	for n := range 3 {
		feed.Say(many(20, func(_ int, line string) string {
			if strings.HasPrefix(line, "UID:") {
				return line + fmt.Sprint("-", n)
			}
			return line
		}))
		if of := k.ReadSource(id); of.Body["problem"] != nil {
			t.Errorf("%s", of.Raw)
		}
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM events WHERE event_status = 'scheduled'`); n != "20" {
		t.Errorf("%s events", n)
	}
}

// One node reads a source at a time, and a site has two that are read. When the node dies, another one goes on.
func TestSourceIsHeld(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2029, 12, 1, 12, 0, 0, 0, time.UTC)
	feed := k.Outlet(many(20, nil))
	for _, name := range []string{"one", "two", "three"} {
		k.Source(kit.Object{"url": feed.URL + "/" + name})
	}
	store := k.Sources.Store
	take := func(key string) *sources.Task {
		task, err := store.Take(t.Context(), &sources.Hold{Key: key, For: 30 * time.Second}, 0)
		k.Must(err)
		return task
	}
	first, second, third := take("a"), take("b"), take("c")
	if first == nil || second == nil || first.Source.ID == second.Source.ID || third != nil {
		t.Fatalf("%v %v %v", first, second, third)
	}
	k.Clock = k.Clock.Add(time.Minute) // the nodes are dead
	k.ReadSources()
	if n := k.Peek("demo", `SELECT count(*)::text FROM sources WHERE success_at IS NOT NULL`); n != "3" {
		t.Errorf("%s sources were read", n)
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM events`); n != "20" {
		t.Errorf("%s events", n)
	}
	if err := store.Extend(tenancy.With(t.Context(), tenancy.Scope{Site: k.Sites["demo"]}), &sources.Hold{Key: "a"}); !errors.Is(err, sources.ErrLost) {
		t.Errorf("the dead node still holds: %v", err)
	}
}

// Deleting asks what becomes of the events.
func TestSourceDeleted(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	feed := k.Outlet(many(20, nil))
	id := k.Source(kit.Object{"url": feed.URL})
	k.ReadSources()
	remove := func(query string) kit.Answer {
		return k.Send(kit.Request{Method: "DELETE", Path: at("sources", id) + query, As: "administrator"})
	}
	remove("").Want(t, 400, "rest_missing_callback_param")
	remove("?events=burn").Want(t, 400, "rest_invalid_param")
	remove("?events=keep").Want(t, 200, "")
	k.ReadSources()
	if got := found(k, "&search=event"); k.Peek("demo", `SELECT count(*)::text FROM events WHERE status = 'publish'`) != "20" {
		t.Errorf("kept: %v", got)
	}
	e := k.Send(kit.Request{Method: "GET", Path: "/events?start_date=2030-01-01&end_date=2031-01-01"})
	if strings.Contains(string(e.Raw), `"source"`) {
		t.Error("events have a source that is gone")
	}
	other := k.Outlet(many(20, func(_ int, line string) string { return strings.Replace(line, "SUMMARY:", "SUMMARY:Other ", 1) }))
	id = k.Source(kit.Object{"url": other.URL})
	k.ReadSources()
	remove("?events=trash").Want(t, 200, "")
	k.Send(kit.Request{Method: "GET", Path: at("sources", id), As: "administrator"}).Want(t, 404, "rest-source-not-found")
	k.ReadSources()
	if n := k.Peek("demo", `SELECT count(*)::text FROM events WHERE status = 'trash' AND title LIKE 'Other%'`); n != "20" {
		t.Errorf("%s in the trash", n)
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM sources`); n != "0" {
		t.Errorf("%s sources", n)
	}
}

// Another host gets no password; the address that is shown stands for the one that is there.
func TestSourceAddress(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	feed, other := k.Outlet(club), k.Outlet(club)
	id := k.Source(kit.Object{"url": feed.URL + "?token=T0KEN", "user": "ann", "password": "S3CRET"})
	shown := k.Send(kit.Request{Method: "GET", Path: at("sources", id), As: "administrator"}).Body["url"]
	change := func(body kit.Object) kit.Answer {
		return k.Send(kit.Request{Method: "PATCH", Path: at("sources", id), As: "administrator", JSON: body})
	}
	change(kit.Object{"url": shown, "every": 7200}).Want(t, 200, "")
	k.ReadSources()
	asked := feed.Asked()
	if _, password, _ := asked[len(asked)-1].BasicAuth(); password != "S3CRET" || asked[len(asked)-1].URL.RawQuery != "token=T0KEN" {
		t.Errorf("the shown address: %v", asked[len(asked)-1].URL)
	}
	change(kit.Object{"url": other.URL}).Want(t, 200, "")
	k.ReadSources()
	asked = other.Asked()
	if len(asked) != 1 || asked[0].Header.Get("Authorization") != "" {
		t.Errorf("another host: %v", asked)
	}
	for _, wrong := range []kit.Object{{"url": "ftp://example.org/a"}, {"url": "https://…/a"}, {"every": 899}, {"every": 604801}, {"kind": "rss"},
		{"gone": "burn"}, {"policy": "x"}, {"name": ""}, {"columns": "x"}, {"status": "private"}} {
		change(wrong).Want(t, 400, "rest_invalid_param")
	}
	feed.Answer(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) })
	change(kit.Object{"url": feed.URL, "user": "ann", "password": "S3CRET"}).Want(t, 200, "")
	k.ReadSources()
	asked = other.Asked()
	if len(asked) != 1 || asked[0].Header.Get("Authorization") != "" {
		t.Errorf("a redirect: %v", asked)
	}
}

// A source that was made with a key does no more than the key, and ends with it.
func TestSourceOfKey(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	feed := k.Outlet(many(3, nil))
	admin, err := strconv.ParseInt(k.Peek("demo", `SELECT id::text FROM users WHERE role = 'administrator'`), 10, 64)
	k.Must(err)
	key, number := k.LimitedKey(admin, accounts.KeyFields{Scopes: args.Some(args.Texts{"sources:write"})})
	a := k.Send(kit.Request{Method: "POST", Path: "/sources", As: key, JSON: kit.Object{"name": "Club", "kind": "ics", "url": feed.URL}}).Want(t, 201, "")
	other := k.Source(kit.Object{"url": feed.URL + "/other", "active": false})
	k.Send(kit.Request{Method: "GET", Path: at("sources", other), As: key}).Want(t, 404, "rest-source-not-found")
	k.ReadSources()
	of := k.Send(kit.Request{Method: "GET", Path: at("sources", a.ID()), As: "administrator"}).Want(t, 200, "")
	if of.Body["problem"] != nil || len(found(k, "")) != 3 {
		t.Errorf("read: %s", of.Raw)
	}
	k.Peek("demo", `DELETE FROM credentials WHERE id = $1 RETURNING id::text`, number)
	feed.Say(many(5, nil))
	of = k.ReadSource(a.ID())
	if problem, _ := of.Body["problem"].(map[string]any); problem["code"] != "rest_forbidden" || len(found(k, "")) != 3 {
		t.Errorf("without its key: %s", of.Raw)
	}
	k.Send(kit.Request{Method: "POST", Path: "/sources", As: "editor", JSON: kit.Valid("source")}).Want(t, 403, "rest_forbidden")
}

func at(collection string, id int64) string { return fmt.Sprintf("/%s/%d", collection, id) }
