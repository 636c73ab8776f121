package rest

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// keyed sends a request with an Idempotency-Key.
func keyed(k *kit.Kit, method, path, as, key string, body any) kit.Answer {
	return k.Send(kit.Request{Method: method, Path: path, As: as, JSON: body, Headers: map[string]string{"Idempotency-Key": key}})
}

// TestRepeats: a request that comes again with its key is answered as the first time, and writes nothing (rules 20).
func TestRepeats(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	body := kit.Times(kit.Object{"title": "Once", "tags": []string{"new"}})
	first := keyed(k, "POST", "/events", "editor", "a-1", body).Want(t, 201, "")
	state := k.State()
	again := keyed(k, "POST", "/events", "editor", "a-1", body).Want(t, 201, "")
	if string(again.Raw) != string(first.Raw) || again.Header.Get("Idempotent-Replayed") != "true" || first.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("again: %v %s", again.Header, again.Raw)
	}
	for _, name := range []string{"Etag", "Content-Type", "X-Kalends-Version", "Location"} {
		if first.Header.Get(name) != again.Header.Get(name) {
			t.Errorf("%s: %q, then %q", name, first.Header.Get(name), again.Header.Get(name))
		}
	}
	if now := k.State(); now != state {
		t.Errorf("the second request wrote something: %s, was %s", now, state)
	}
	k.Patch(kit.Item("events", first.ID()), "editor", kit.Object{"title": "Changed since"}).Want(t, 200, "")
	keyed(k, "POST", "/events", "editor", "a-1", body).Want(t, 201, "").Has(t, "title", "Once")

	other := kit.Times(kit.Object{"title": "Another"})
	keyed(k, "POST", "/events", "editor", "a-1", other).Want(t, 422, "idempotency-key-reused")
	keyed(k, "POST", "/events?_fields=id", "editor", "a-1", body).Want(t, 422, "idempotency-key-reused")
	keyed(k, "POST", "/venues", "editor", "a-1", kit.Object{"venue": "Hall"}).Want(t, 422, "idempotency-key-reused")
	if id := keyed(k, "POST", "/events", "administrator", "a-1", body).Want(t, 201, "").ID(); id == first.ID() {
		t.Error("the key of one credential is the key of another")
	}

	patch := kit.Object{"title": "Twice"}
	path := kit.Item("events", first.ID())
	keyed(k, "PATCH", path, "editor", "p-1", patch).Want(t, 200, "").Has(t, "title", "Twice")
	if again := keyed(k, "PATCH", path, "editor", "p-1", patch).Want(t, 200, ""); again.Header.Get("Idempotent-Replayed") != "true" {
		t.Error("sent again before anything else changed, an update is done again")
	}
	keyed(k, "PATCH", path, "editor", "p-1", kit.Object{}).Want(t, 422, "idempotency-key-reused")
	k.Patch(path, "editor", kit.Object{"title": "Later"}).Want(t, 200, "")
	keyed(k, "PATCH", path, "editor", "p-1", patch).Want(t, 200, "").Has(t, "title", "Twice")
	k.Get(path, "").Want(t, 200, "").Has(t, "title", "Later")
	keyed(k, "DELETE", path+"?force=true", "editor", "d-1", nil).Want(t, 200, "")
	keyed(k, "DELETE", path+"?force=true", "editor", "d-1", nil).Want(t, 200, "")
	k.Del(path+"?force=true", "editor").Want(t, 404, "rest-event-not-found")

	raw := func(body string) kit.Answer {
		return k.Send(kit.Request{Method: "POST", Path: "/tags", As: "editor", Body: body,
			Headers: map[string]string{"Idempotency-Key": "order", "Content-Type": "application/json"}})
	}
	raw(`{"name":"One","description":"d"}`).Want(t, 201, "")
	if raw(`{"description": "d", "name": "One"}`).Want(t, 201, "").Header.Get("Idempotent-Replayed") != "true" {
		t.Error("the order of members counts")
	}
}

// TestRepeatsRefused: refusals are not kept, keys have to be keys, and readers need none.
func TestRepeatsRefused(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	keyed(k, "POST", "/tags", "editor", "r", kit.Object{}).Want(t, 400, "rest_missing_callback_param")
	keyed(k, "POST", "/tags", "editor", "r", kit.Object{"name": "Right now"}).Want(t, 201, "")
	for _, wrong := range []string{"", "with space", strings.Repeat("x", 256), "é"} {
		keyed(k, "POST", "/tags", "editor", wrong, kit.Object{"name": "x"}).Want(t, 400, "rest_invalid_param").Refused(t, "Idempotency-Key")
	}
	keyed(k, "POST", "/tags", "editor", strings.Repeat("x", 255), kit.Object{"name": "Long"}).Want(t, 201, "")
	keyed(k, "POST", "/tags", "", "r", kit.Object{"name": "x"}).Want(t, 401, "rest_forbidden")
	keyed(k, "GET", "/tags", "editor", "not a key", nil).Want(t, 200, "")
	k.Clock = k.Clock.Add(25 * time.Hour)
	keyed(k, "POST", "/tags", "editor", "r", kit.Object{"name": "A day later"}).Want(t, 201, "").Has(t, "name", "A day later")
}

// TestRepeatsAtOnce: of many requests with one key, on two nodes, one writes; the others get its answer, or are told to come again.
func TestRepeatsAtOnce(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	nodes := []*kit.Kit{k, k.SecondNode()}
	var all sync.WaitGroup
	var mu sync.Mutex
	ids := map[int64]bool{}
	for i := range 24 {
		all.Go(func() {
			a := keyed(nodes[i%2], "POST", "/events", "editor", "same", kit.Times(kit.Object{"title": "Same"}))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case a.Status == 201:
				ids[a.ID()] = true
			case a.Status != 409 || a.Code() != "idempotency-key-in-use" || a.Header.Get("Retry-After") != "1":
				t.Errorf("%s", a)
			}
		})
	}
	all.Wait()
	if len(ids) != 1 {
		t.Errorf("events %v", ids)
	}
	k.Get("/events?start_date=2020-01-01&end_date=2035-01-01", "").Want(t, 200, "").Has(t, "total", 1)
}

// TestRepeatsAfterDeath: where a node ended after the write and before its answer was kept, the object as it is now is the answer.
func TestRepeatsAfterDeath(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	body := kit.Times(kit.Object{"title": "Written", "tags": []string{"new"},
		"venue": kit.Object{"venue": "New hall"}, "organizer": kit.Object{"organizer": "New club"}})
	made := keyed(k, "POST", "/events", "editor", "k", body).Want(t, 201, "")
	k.Change("demo", "UPDATE kept_answers SET status = 0, headers = NULL, body = NULL WHERE site_id = $1", k.Sites["demo"].ID)
	again := keyed(k, "POST", "/events", "editor", "k", body).Want(t, 201, "")
	again.Has(t, "title", "Written")
	if again.ID() != made.ID() || again.Header.Get("Location") != made.Header.Get("Location") || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%v %s, first %v %s", again.Header, again, made.Header, made)
	}
	path := kit.Item("events", made.ID()) + "?force=true"
	keyed(k, "DELETE", path, "editor", "d", nil).Want(t, 200, "")
	k.Change("demo", "UPDATE kept_answers SET status = 0, headers = NULL, body = NULL WHERE site_id = $1", k.Sites["demo"].ID)
	keyed(k, "DELETE", path, "editor", "d", nil).Want(t, 200, "").Has(t, "id", made.ID())
}

// TestRepeatsRights: who may no longer do what was done gets no answer that tells of it.
func TestRepeatsRights(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	body := kit.Times(kit.Object{"title": "By an editor"})
	keyed(k, "POST", "/events", "editor", "k", body).Want(t, 201, "")
	k.Change("demo", "UPDATE users SET role = 'subscriber' WHERE site_id = $1 AND login = 'editor'", k.Sites["demo"].ID)
	k.Platform.Authenticator.Forget(k.Sites["demo"].ID)
	keyed(k, "POST", "/events", "editor", "k", body).Want(t, 403, "rest_forbidden")
}
