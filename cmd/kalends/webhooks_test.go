package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"syscall"
	"testing"

	"github.com/kalends/kalends/storage/storagetest"
)

// Of what was written before the program was killed nothing is lost: the receiver has the last version of every event in the end,
// whether it was to be sent, on its way, or not yet looked at.
func TestWebhooksSurviveAKill(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the program twice")
	}
	t.Parallel()
	var mu sync.Mutex
	told := map[int64]int64{} // the highest version of each event
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var m struct {
			Data struct{ ID, Version int64 } `json:"data"`
		}
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		told[m.Data.ID] = max(told[m.Data.ID], m.Data.Version)
	}))
	t.Cleanup(receiver.Close)
	dir, env := dataDir(t), []string{"KALENDS_FETCH_HOSTS=" + receiver.Listener.Addr().String(), "KALENDS_DEMO=yes"}
	first := launchWith(t, dir, env).started()
	password := first.password()
	status, answer, err := first.call(t.Context(), http.MethodPost, "/webhooks", password, map[string]any{"url": receiver.URL, "events": []string{"*"}})
	if err != nil || status != http.StatusCreated {
		t.Fatal(status, answer, err)
	}
	last := map[int64]bool{}
	write := func(s *service, method, path string, body map[string]any) int64 {
		status, answer, err := s.call(t.Context(), method, path, password, body)
		if err != nil || status >= http.StatusBadRequest {
			t.Fatal(status, answer, err)
		}
		id := int64(answer["id"].(float64))
		last[id] = true
		return id
	}
	for i := range 40 {
		id := write(first, http.MethodPost, "/events", map[string]any{"title": fmt.Sprint("Event ", i), "start_date": "2031-01-01 10:00", "end_date": "2031-01-01 11:00"})
		write(first, http.MethodPatch, fmt.Sprint("/events/", id), map[string]any{"title": fmt.Sprint("Changed ", i)})
	}
	first.signal(syscall.SIGKILL)
	_ = first.wait()
	second := launchWith(t, dir, env).started()
	status, answer, err = second.call(t.Context(), http.MethodGet, "/changes?types=event&per_page=500", password, nil)
	if err != nil || status != http.StatusOK {
		t.Fatal(status, answer, err)
	}
	versions := map[int64]int64{}
	for _, one := range answer["changes"].([]any) {
		c := one.(map[string]any)
		if id := int64(c["id"].(float64)); last[id] {
			versions[id] = int64(c["version"].(float64))
		}
	}
	if len(versions) != len(last) {
		t.Fatalf("%d of %d events", len(versions), len(last))
	}
	storagetest.Until(t, "the receiver has the last version of every event", func() bool {
		mu.Lock()
		defer mu.Unlock()
		for id, version := range versions {
			if told[id] != version {
				return false
			}
		}
		return true
	})
}
