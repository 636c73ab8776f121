package rest_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/test/kit"
)

// neighbours are two installations, of which the second listens.
func neighbours(t *testing.T) (k, other *kit.Kit, address string) {
	t.Helper()
	k, other = kit.New(t), kit.New(t)
	host := other.Listen()
	k.Reads(host)
	return k, other, "http://" + host
}

// titles returns what the published events of site demo are called.
func titles(k *kit.Kit) string {
	k.T.Helper()
	return k.Peek("demo", `SELECT COALESCE(string_agg(title, ', ' ORDER BY title), '') FROM events WHERE status = 'publish' AND series_id IS NULL AND event_status = 'scheduled'`)
}

// hear has a followed installation asked again.
func hear(k *kit.Kit, source int64) kit.Answer {
	k.T.Helper()
	of := k.ReadSource(source)
	if of.Body["problem"] != nil {
		k.T.Errorf("%s", of.Raw)
	}
	return of
}

// Another installation is followed by its changes: what is new, changed, hidden or deleted there is so here, series with dates of their
// own, too; where nothing is new, nothing is written.
func TestSourceOfOtherInstallation(t *testing.T) {
	t.Parallel()
	k, other, address := neighbours(t)
	concert := other.Event(kit.Object{"title": "Concert", "cost": "5 €", "venue": kit.Object{"venue": "Hall", "city": "Bonn"}, "categories": []string{"Music"}})
	gone := other.Event(kit.Object{"title": "Gone", "start_date": "2029-01-01 10:00", "end_date": "2029-01-01 11:00"})
	other.Event(kit.Object{"title": "Draft", "status": "draft"})
	other.Event(kit.Object{"title": "Secret", "post_password": "s3cret"})
	series := other.Event(kit.Object{"title": "Choir", "recurrence": kit.Object{"rrule": "FREQ=WEEKLY;COUNT=4"}})
	other.Patch(fmt.Sprintf("/events/%v", kit.Happens(other, series, "")[1]["id"]), "editor", kit.Object{"title": "Choir in the park"}).Want(t, 200, "")
	source := k.Source(kit.Object{"kind": "kalends", "url": address, "name": "The town"})
	k.Get(at("sources", source), "administrator").Has(t, "gone", "trash")
	k.ReadSources()
	if got := titles(k); got != "Choir, Concert, Gone" {
		t.Fatalf("taken over: %s", got)
	}
	of := k.Get("/events?search=concert&start_date=2030-01-01&end_date=2031-01-01", "").Want(t, 200, "")
	of.Has(t, "events.0.venue.city", "Bonn", "events.0.categories.0.name", "Music", "events.0.source.name", "The town")
	if got := k.Peek("demo", `SELECT uid FROM events WHERE title = 'Concert'`); got != other.Peek("demo", fmt.Sprint(`SELECT '`, concert, `@' || uid FROM sites WHERE slug = 'demo'`)) {
		t.Errorf("its UID: %s", got)
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM events WHERE title = 'Choir in the park'`); n != "1" {
		t.Errorf("a date of its own: %s", n)
	}
	version := k.Peek("demo", `SELECT version::text FROM sites`)
	hear(k, source)
	if got := k.Peek("demo", `SELECT version::text FROM sites`); got != version {
		t.Errorf("nothing is new, but version %s is after %s", got, version)
	}
	other.Patch(kit.Item("events", concert), "editor", kit.Object{"title": "Late concert"}).Want(t, 200, "")
	other.Del(kit.Item("events", gone), "editor").Want(t, 200, "")
	other.Event(kit.Object{"title": "New"})
	hear(k, source)
	if got := titles(k); got != "Choir, Late concert, New" {
		t.Errorf("changed: %s", got)
	}
	other.Del(kit.Item("events", series), "editor").Want(t, 200, "")
	other.Patch(kit.Item("events", concert), "editor", kit.Object{"status": "private"}).Want(t, 200, "")
	hear(k, source)
	if got := titles(k); got != "New" {
		t.Errorf("withdrawn: %s", got)
	}
	if got := k.Peek("demo", `SELECT (etag <> '')::text FROM sources`); got != "true" {
		t.Error("no token is kept")
	}
}

// A token that has ended begins anew, and doubles nothing; so does a node that dies with a reading in its hands.
func TestFollowerDiesAndBeginsAnew(t *testing.T) {
	t.Parallel()
	k, other, address := neighbours(t)
	k.Clock = time.Date(2029, 12, 1, 12, 0, 0, 0, time.UTC)
	for i := range 7 {
		other.Event(kit.Object{"title": fmt.Sprint("Event ", i)})
	}
	source := k.Source(kit.Object{"kind": "kalends", "url": address + "/calendar/events/v1/events"})
	k.ReadSources()
	was := titles(k)
	if strings.Count(was, "Event") != 7 {
		t.Fatalf("%s", was)
	}
	other.Event(kit.Object{"title": "Event 7"})
	k.Post(at("sources", source)+"/read", "administrator", nil).Want(t, 202, "")
	if task, err := k.Sources.Store.Take(t.Context(), &sources.Hold{Key: "dead", For: 30 * time.Second}, 0); err != nil || task == nil {
		t.Fatalf("%v %v", task, err)
	}
	k.ReadSources() // which somebody else holds
	if got := titles(k); got != was {
		t.Errorf("held by the dead: %s", got)
	}
	k.Clock = k.Clock.Add(time.Minute)
	k.ReadSources()
	if got := titles(k); got != was+", Event 7" {
		t.Errorf("afterwards: %s", got)
	}
	// the token has ended
	k.Change("demo", `UPDATE sources SET etag = 'nonsense'`)
	other.Event(kit.Object{"title": "Event 8"})
	hear(k, source)
	token := `SELECT etag FROM sources`
	now := k.Peek("demo", token)
	if got := titles(k); got != was+", Event 7, Event 8" || now == "nonsense" {
		t.Errorf("begun anew: %s", got)
	}
	other.Change("demo", `DELETE FROM selections`) // which no token survives
	other.Event(kit.Object{"title": "Event 9"})
	hear(k, source)
	if got := titles(k); got != was+", Event 7, Event 8, Event 9" || k.Peek("demo", token) == now {
		t.Errorf("begun anew once more: %s", got)
	}
}

// A follower is told of a change while it waits for one.
func TestFollowerWaits(t *testing.T) {
	t.Parallel()
	k, other, address := neighbours(t)
	k.Sources.Wait = 3 * time.Second
	other.Event(kit.Object{"title": "Early"})
	source := k.Source(kit.Object{"kind": "kalends", "url": address})
	k.ReadSources()
	done := make(chan struct{})
	go func() { defer close(done); other.Event(kit.Object{"title": "Late"}) }()
	hear(k, source)
	<-done
	hear(k, source) // where it was published before anybody waited
	if got := titles(k); got != "Early, Late" {
		t.Errorf("%s", got)
	}
}

// Two installations that follow each other take nothing of their own back; a filter takes only what it selects.
func TestFollowersOfEachOther(t *testing.T) {
	t.Parallel()
	k, other, address := neighbours(t)
	host := k.Listen()
	other.Reads(host)
	mine := k.Event(kit.Object{"title": "Mine", "categories": []string{"Music"}})
	other.Event(kit.Object{"title": "Theirs", "categories": []string{"Music"}})
	other.Event(kit.Object{"title": "Sport"})
	here := k.Source(kit.Object{"kind": "kalends", "url": address, "filter": kit.Object{"categories": []string{"music"}}})
	there := other.Source(kit.Object{"kind": "kalends", "url": "http://" + host})
	for range 3 {
		k.ReadSources()
		other.ReadSources()
		hear(k, here)
		hear(other, there)
	}
	other.Patch("/events/by-slug/mine", "editor", kit.Object{"title": "Changed there"}).Want(t, 200, "")
	hear(k, here)
	if got := titles(k); got != "Mine, Theirs" {
		t.Errorf("here: %s", got)
	}
	if got := titles(other); got != "Changed there, Sport, Theirs" {
		t.Errorf("there: %s", got)
	}
	k.Patch(kit.Item("events", mine), "editor", kit.Object{"description": "More"}).Want(t, 200, "").Has(t, "source", "-")
	for _, wrong := range []kit.Object{{"filter": kit.Object{"start_date": "2030-01-01"}}, {"filter": kit.Object{"nonsense": "1"}}, {"mapping": kit.Object{"a": "b"}}} {
		k.Patch(at("sources", here), "administrator", wrong).Want(t, 400, "rest_invalid_param")
	}
}

// An installation without changes and tables is read by its lists, on time; what answers something else is not read, and nothing is lost.
func TestSourceOfOldInstallation(t *testing.T) {
	t.Parallel()
	k, other, address := neighbours(t)
	for i := range 60 {
		other.Event(kit.Object{"title": fmt.Sprint("Event ", i)})
	}
	front := k.Outlet("")
	pass := func(w http.ResponseWriter, r *http.Request) {
		res, err := http.Get(address + r.URL.RequestURI())
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = res.Body.Close() }()
		w.WriteHeader(res.StatusCode)
		_, _ = io.Copy(w, res.Body)
	}
	missing := []string{"/changes", "/events.csv"}
	front.Answer(func(w http.ResponseWriter, r *http.Request) {
		if slices.ContainsFunc(missing, func(end string) bool { return strings.HasSuffix(r.URL.Path, end) }) {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		pass(w, r)
	})
	source := k.Source(kit.Object{"kind": "kalends", "url": strings.TrimSuffix(front.URL, "/feed"), "every": 7200})
	k.ReadSources()
	if n := strings.Count(titles(k), "Event"); n != 60 {
		t.Errorf("%d events", n)
	}
	if got := k.Peek("demo", `SELECT (next_at > read_at + interval '1 hour')::text || etag FROM sources`); got != "true" {
		t.Errorf("on time: %s", got)
	}
	was := titles(k)
	for about, answer := range map[string]http.HandlerFunc{
		"HTML": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<!doctype html><p>Hello</p>")) },
		"chain without an end": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"changes":[{}],"next":"a","more":true}`))
		},
		"another place": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		},
		"cut": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"changes":[`))
		},
		"nothing": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) },
	} {
		front.Answer(answer)
		if of := k.ReadSource(source); of.At("problem.code") != "import-not-fetched" || titles(k) != was {
			t.Errorf("%s: %s", about, of.Raw)
		}
	}
}

// Of another installation only what has changed is read: a changed event, a new one that looks like another, a date of a series. What went is
// found by a reading of everything.
func TestFollowerReadsWhatChanged(t *testing.T) {
	t.Parallel()
	k, other, address := neighbours(t)
	front := k.Outlet("")
	front.Answer(func(w http.ResponseWriter, r *http.Request) {
		res, err := http.Get(address + r.URL.RequestURI())
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = res.Body.Close() }()
		w.WriteHeader(res.StatusCode)
		_, _ = io.Copy(w, res.Body)
	})
	var ids []int64
	for i := range 12 {
		ids = append(ids, other.Event(kit.Object{"title": fmt.Sprint("Event ", i), "venue": kit.Object{"venue": "Hall"}}))
	}
	series := other.Event(kit.Object{"title": "Choir", "recurrence": kit.Object{"rrule": "FREQ=WEEKLY;COUNT=4"}})
	source := k.Source(kit.Object{"kind": "kalends", "url": strings.TrimSuffix(front.URL, "/feed")})
	k.ReadSources()
	read := func(about, want string) {
		t.Helper()
		front.Asked()
		hear(k, source)
		got := ""
		for _, r := range front.Asked() {
			if strings.HasSuffix(r.URL.Path, "/events.csv") {
				got += "[" + r.URL.Query().Get("include") + "] "
			}
		}
		got += k.Peek("demo", `SELECT total || ' of ' || (SELECT count(*) FROM events WHERE series_id IS NULL AND status = 'publish') FROM imports ORDER BY id DESC LIMIT 1`)
		if got != want {
			t.Errorf("%s: %s, want %s", about, got, want)
		}
	}
	other.Patch(kit.Item("events", ids[3]), "editor", kit.Object{"title": "Changed"}).Want(t, 200, "")
	read("a change", fmt.Sprintf("[%d] 1 of 13", ids[3]))
	twin := other.Event(kit.Object{"title": "Event 5", "venue": kit.Object{"venue": "Hall"}})
	read("a twin", fmt.Sprintf("[%d] 1 of 14", twin))
	other.Patch(fmt.Sprintf("/events/%v", kit.Happens(other, series, "")[1]["id"]), "editor", kit.Object{"title": "Choir in the park"}).Want(t, 200, "")
	read("a date", fmt.Sprintf("[%d] 2 of 14", series))
	other.Event(kit.Object{"title": "With a new venue", "venue": kit.Object{"venue": "Cellar"}})
	read("a new venue", fmt.Sprintf("[%d] 1 of 15", number(other, `SELECT max(id)::text FROM events`)))
	other.Del(kit.Item("events", ids[0]), "editor").Want(t, 200, "")
	read("one that went", "[] 15 of 14")
	venue := number(other, `SELECT id::text FROM venues WHERE name = 'Hall'`)
	other.Patch(kit.Item("venues", venue), "editor", kit.Object{"venue": "Town hall"}).Want(t, 200, "")
	read("a venue's name", "[] 15 of 14")
	if n := k.Peek("demo", `SELECT count(*)::text FROM events e JOIN venues v ON v.site_id = e.site_id AND v.id = ANY(e.venue_ids) WHERE v.name = 'Town hall' AND e.status = 'publish'`); n != "12" {
		t.Errorf("%s events are at the venue's new name", n)
	}
	if got := k.Peek("demo", `SELECT count(*)::text FROM events WHERE title IN ('Changed', 'Choir in the park') AND status = 'publish'`); got != "2" {
		t.Errorf("%s of both changes stay", got)
	}
}
