package freshness

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/storagetest"
)

// hook receives the messages of a webhook.
type hook struct {
	url, host string
	id        int64

	mu    sync.Mutex
	times map[string]int   // by name of the message
	last  map[int64]notice // of events
	again int
}

// notice is the latest that a receiver was told of an event.
type notice struct {
	event   string
	version int64
}

func newHook(t *testing.T) *hook {
	t.Helper()
	h := &hook{times: map[string]int{}, last: map[int64]notice{}}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	h.url, h.host = server.URL+"/hook", server.Listener.Addr().String()
	return h
}

// ServeHTTP implements http.Handler.
func (h *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m struct {
		Type string
		Data struct{ ID, Version int64 }
	}
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		return // its node was killed
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	name := r.Header.Get("webhook-id")
	if h.times[name]++; h.times[name] > 1 {
		h.again++
	}
	if strings.HasPrefix(m.Type, "event.") && m.Data.Version >= h.last[m.Data.ID].version {
		h.last[m.Data.ID] = notice{m.Type, m.Data.Version}
	}
	w.WriteHeader(http.StatusNoContent)
}

// compare fails the test unless the receiver was told of the last that happened to each event, when nothing waits any more. A message is
// sent again only when its node was killed.
func (h *hook) compare(w *writing) {
	ctx := w.t.Context()
	conn := w.connect(ctx)
	defer func() { _ = conn.Close(ctx) }()
	storagetest.Until(w.t, "all is told", func() bool {
		var done bool
		err := conn.QueryRow(ctx, `SELECT h.seen_version >= s.version AND NOT EXISTS (SELECT FROM webhook_messages m WHERE m.site_id = s.id)
			FROM webhooks h JOIN sites s ON s.id = h.site_id WHERE s.slug = 'demo' AND h.id = $1`, h.id).Scan(&done)
		if err != nil {
			w.t.Fatal(err)
		}
		return done
	})
	rows, err := conn.Query(ctx, `SELECT e.id, e.status, (SELECT max(c.version) FROM changes c WHERE c.site_id = e.site_id AND c.kind = 'event' AND c.id = e.id)
		FROM events e JOIN sites s ON s.id = e.site_id WHERE s.slug = 'demo'`)
	if err != nil {
		w.t.Fatal(err)
	}
	var id, version int64
	var status string
	there := map[int64]bool{}
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err = pgx.ForEachRow(rows, []any{&id, &status, &version}, func() error {
		there[id] = true
		told := h.last[id]
		gone := told.event == "event.trashed" || told.event == "event.deleted"
		switch {
		case !w.made[id]: // by the first run
		case status == "trash" && told.event == "": // it came and went between two looks
		case gone != (status == "trash"), !gone && told.version < version:
			w.t.Errorf("event %d is %s since version %d, the receiver was told of %+v", id, status, version, told)
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	for id, told := range h.last {
		if w.made[id] && !there[id] && told.event != "event.deleted" {
			w.t.Errorf("event %d is gone, the receiver was told of %+v", id, told)
		}
	}
	for name, times := range h.times {
		if times > 1+w.kills {
			w.t.Errorf("message %s came %d times", name, times)
		}
	}
}
