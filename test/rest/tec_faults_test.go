package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// largeSite is a site with many events at some venues.
func largeSite(t *testing.T, events int) *tecSite {
	t.Helper()
	s := newTECSite(t)
	var venues []map[string]any
	for i := range 120 {
		venues = append(venues, s.thing("venues", int64(100_000+i), fmt.Sprintf("Venue %d", i), fmt.Sprintf("venue-%d", i), nil))
	}
	topic := s.thing("categories", 7, "Topic", "topic", nil)
	start := time.Date(2015, 1, 1, 9, 0, 0, 0, time.UTC)
	for i := range events {
		s.add(int64(1000+i), fmt.Sprintf("Conference %d", i), start.Add(time.Duration(i)*17*time.Hour).Format(time.DateTime), 3,
			map[string]any{"venue": venues[i%len(venues)], "categories": in(topic)})
	}
	return s
}

// broken has some requests fail that ask for the same, the first so many times.
type broken struct {
	page  string // part of the query
	times int
	how   func(w http.ResponseWriter)
}

func (s *tecSite) breaks(list ...*broken) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = func(w http.ResponseWriter, r *http.Request) bool {
		for _, b := range list {
			if b.times > 0 && strings.Contains(r.URL.Path+"?"+r.URL.RawQuery+"&", b.page+"&") {
				b.times--
				b.how(w)
				return true
			}
		}
		return false
	}
}

func status(code int, headers ...string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		answerTEC(w, code, map[string]any{"code": "internal_server_error", "message": "…"})
	}
}

// cut ends a connection in the middle of an answer.
func cut(w http.ResponseWriter) {
	w.Header().Set("Content-Length", "100000")
	_, _ = w.Write([]byte(`{"events": [{"id": 1, "title"`))
	panic(http.ErrAbortHandler)
}

func html(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html")
	_, _ = w.Write([]byte("<!doctype html><title>Briefly unavailable for scheduled maintenance</title>"))
}

// A site of 6,000 events comes whole although it fails in every way; what it never gives is named, and comes when it is asked again.
func TestTECFaults(t *testing.T) {
	t.Parallel()
	const n = 6000
	s := largeSite(t, n)
	k := tecKit(t, s)
	var waited time.Duration
	k.ImportsFrom(s.host(), func(d time.Duration) { waited += d })
	always := 1 << 30
	whole := func(page int) string {
		return fmt.Sprintf("page=%d&per_page=50&start_date=1000-01-01+00%%3A00%%3A00", page)
	}
	s.breaks(&broken{whole(3), 2, status(500)}, &broken{whole(10), 1, status(429, "Retry-After", "40")}, &broken{whole(20), 3, cut},
		&broken{whole(30), 2, html}, &broken{whole(40), 1, status(404)}, &broken{whole(50), 1, status(503, "Retry-After", "7")},
		// one event that the site can't show takes its whole page along: number 2,973, of page 60
		&broken{whole(60), always, status(500)}, &broken{"page=298&per_page=10&start_date=1000-01-01+00%3A00%3A00", always, status(500)},
		&broken{"page=2973&per_page=1&start_date=1000-01-01+00%3A00%3A00", always, html}, &broken{"/events/3972?page=1&per_page=1", always, status(500)})
	r := move(k, s, nil)
	if got := r.Counts(); got != fmt.Sprintf("read %d, created %d, refused 1", n, n-1) {
		t.Fatalf("counts: %s %s", got, r.Raw)
	}
	if missed := fmt.Sprint(r.Entries[n-1]["problems"]); !strings.Contains(missed, "3972") {
		t.Errorf("what is missed: %v", missed)
	}
	if waited < 47*time.Second {
		t.Errorf("waited %s", waited)
	}
	before := k.Peek("demo", `SELECT string_agg(id::text, ' ' ORDER BY id) FROM events`)
	s.breaks()
	again := move(k, s, map[string]any{"gone": "trash"})
	if got := again.Counts(); got != fmt.Sprintf("read %d, created 1, same %d", n, n-1) {
		t.Errorf("again: %s", got)
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM events WHERE id BETWEEN 1000 AND 6999`); n != "6000" || before == "" {
		t.Errorf("%s events have their ids", n)
	}
	for _, asked := range s.asked {
		if strings.Contains(asked, "latest") {
			t.Errorf("asked for %s", asked)
		}
	}
}

// A site that goes away in the middle leaves nothing half done; nothing is learned of addresses that nobody may ask for.
func TestTECAway(t *testing.T) {
	t.Parallel()
	s := largeSite(t, 400)
	k := tecKit(t, s)
	problem := func(r kit.Report) any {
		p, _ := r.Body["problem"].(map[string]any)
		return p["code"]
	}
	away := false
	s.mu.Lock()
	s.faults = func(w http.ResponseWriter, r *http.Request) bool {
		if away = away || strings.Contains(r.URL.RawQuery, "page=4&per_page=50"); away {
			status(500)(w)
		}
		return away
	}
	s.mu.Unlock()
	r := move(k, s, nil)
	if problem(r) != "import-not-fetched" || r.Body["state"] != "failed" || k.Peek("demo", `SELECT count(*)::text FROM events`) != "0" {
		t.Errorf("a site that goes away: %s", r.Raw)
	}
	s.mu.Lock()
	s.faults = func(w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
		return true
	}
	s.mu.Unlock()
	if r := move(k, s, nil); problem(r) != "import-not-fetched" {
		t.Errorf("a redirect to a private address: %s", r.Raw)
	}
	for _, address := range []string{"https://10.1.2.3/", "http://localhost:1/", "https://[::1]/wp-json/tribe/events/v1", "https://editor:secret@127.0.0.1/"} {
		if r := move(k, s, map[string]any{"url": address}); problem(r) != "import-not-fetched" || strings.Contains(string(r.Raw), "secret") {
			t.Errorf("%s: %s", address, r.Raw)
		}
	}
	s.mu.Lock()
	s.faults = func(w http.ResponseWriter, _ *http.Request) bool { html(w); return true }
	s.mu.Unlock()
	if r := move(k, s, nil); problem(r) != "import-not-fetched" {
		t.Errorf("HTML alone: %s", r.Raw)
	}
	s.mu.Lock()
	s.faults = nil
	s.mu.Unlock()
	for _, address := range []string{s.URL + "/events/", s.URL + "/wp-json/tribe/events/v1/events?page=2", s.URL + "/"} {
		if r := move(k, s, map[string]any{"url": address, "dry_run": true}); r.Counts() != "read 400, created 400" {
			t.Errorf("%s: %s %s", address, r.Counts(), r.Raw)
		}
	}
}
