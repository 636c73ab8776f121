package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/test/kit"
)

// With payload "full" a message has what GET answers, in the language of the webhook; a long one comes without it.
func TestWebhookPayloads(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	thin, english, german := k.Receive(), k.Receive(), k.Receive()
	k.Webhook(thin.URL, nil)
	k.Webhook(english.URL, map[string]any{"payload": "full"})
	k.Webhook(german.URL, map[string]any{"payload": "full", "language": "de"})
	venue := k.Post("/venues", "editor", kit.Object{"venue": "Hall", "city": "Köln"}).Want(t, 201, "").ID()
	event := k.Event(kit.Object{"title": "Fête & <b>Jazz</b>", "description": "<p>Ünder</p>", "venue": venue, "cost": "12"})
	long := k.Event(kit.Object{"description": strings.Repeat("long ", 5000)})
	k.Deliver()
	of := func(r *kit.Receiver, id int64) *kit.Message {
		t.Helper()
		for _, m := range r.Await(3) {
			if m.Data.ID == id {
				return &m
			}
		}
		t.Fatalf("nothing of %d", id)
		return nil
	}
	for _, c := range []struct {
		r      *kit.Receiver
		prefix string
	}{{english, ""}, {german, "//de/calendar/events/v1"}} {
		for _, one := range []struct {
			id   int64
			path string
		}{{event, kit.Item("events", event)}, {venue, kit.Item("venues", venue)}} {
			m := of(c.r, one.id)
			want := k.Get(c.prefix+one.path, "administrator").Want(t, 200, "")
			var got map[string]any
			k.Must(json.Unmarshal(m.Data.Object, &got))
			same(t, one.path, got, want.Body)
		}
		if m := of(c.r, long); m.Data.Object != nil || m.Data.RestURL == "" {
			t.Errorf("a message of %d bytes has its object", len(m.Body))
		}
	}
	if m := of(thin, event); m.Data.Object != nil {
		t.Errorf("%s", m.Body)
	}
}

// same compares the members of an object with those that GET answers. Addresses differ in the language that is asked for.
func same(t *testing.T, about string, got, want map[string]any) {
	t.Helper()
	if len(got) == 0 || len(got) != len(want) {
		t.Errorf("%s: %d members, GET has %d", about, len(got), len(want))
	}
	for name, value := range want {
		a, _ := json.Marshal(got[name])
		b, _ := json.Marshal(value)
		if !bytes.Equal(bytes.ReplaceAll(a, []byte("/de/"), []byte("/")), bytes.ReplaceAll(b, []byte("/de/"), []byte("/"))) {
			t.Errorf("%s: %s is %s, GET has %s", about, name, a, b)
		}
	}
}

// Filters of each kind: what enters is published, what leaves is unpublished, and what is outside is not told.
func TestWebhookFilters(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	category := k.Post("/categories", "editor", kit.Object{"name": "Music"}).Want(t, 201, "").ID()
	venue := k.Post("/venues", "editor", kit.Object{"venue": "Hall"}).Want(t, 201, "").ID()
	all := []struct {
		filter  any
		in, out kit.Object
	}{
		{kit.Object{"categories": []int64{category}}, kit.Object{"categories": []int64{category}}, kit.Object{"categories": []int64{}}},
		{kit.Object{"categories_exclude": fmt.Sprint(category)}, kit.Object{"categories": []int64{}}, kit.Object{"categories": []int64{category}}},
		{kit.Object{"venue": venue}, kit.Object{"venue": venue}, kit.Object{"venue": 0}},
		{"search=jazz", kit.Object{"title": "Jazz"}, kit.Object{"title": "Chess"}},
		{"featured=true", kit.Object{"featured": true}, kit.Object{"featured": false}},
		{kit.Object{"event_language": []string{"de"}}, kit.Object{"event_language": []string{"en", "de"}}, kit.Object{"event_language": []string{"en"}}},
		{kit.Object{"audience": []string{"families"}}, kit.Object{"audience": []string{"families"}}, kit.Object{"audience": []string{"adults"}}},
	}
	receivers := make([]*kit.Receiver, len(all))
	for i, c := range all {
		receivers[i] = k.Receive()
		k.Webhook(receivers[i].URL, map[string]any{"filter": c.filter, "events": []string{"event.published", "event.unpublished", "event.updated", "event.deleted"}})
	}
	k.Deliver()
	passed := func() {
		t.Helper()
		storagetest.Until(t, "all webhooks have seen the last change", func() bool {
			return k.Peek("demo", `SELECT bool_and(w.seen_version >= s.version)::text FROM webhooks w JOIN sites s ON s.id = w.site_id WHERE w.site_id = $1`,
				k.Sites["demo"].ID) == "true"
		})
	}
	for i, c := range all {
		told := func(event string, id int64) {
			t.Helper()
			storagetest.Until(t, fmt.Sprintf("%v: %s", c.filter, event), func() bool {
				return slices.ContainsFunc(receivers[i].Taken(), func(m kit.Message) bool { return m.Type == event && m.Data.ID == id })
			})
		}
		event, outside := k.Event(c.in), k.Event(c.out)
		told("event.published", event)
		k.Patch(kit.Item("events", outside), "editor", kit.Object{"excerpt": "Outside"}).Want(t, 200, "")
		k.Patch(kit.Item("events", event), "editor", c.out).Want(t, 200, "")
		told("event.unpublished", event)
		k.Del(kit.Item("events", outside)+"?force=true", "editor").Want(t, 200, "")
		k.Del(kit.Item("events", event)+"?force=true", "editor").Want(t, 200, "")
		passed()
		for _, m := range receivers[i].Got() {
			if m.Data.ID == outside || m.Data.ID == event && m.Type != "event.published" && m.Type != "event.unpublished" {
				t.Errorf("%v: told %s", c.filter, m.Body)
			}
		}
	}
}

// A message that is sent again by hand has its name, and a new time and signature. A clock that jumps delays nothing and repeats nothing.
func TestWebhookRedelivery(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	r := k.Receive()
	id, secret := k.Webhook(r.URL, nil)
	k.Deliver()
	event := k.Event(nil)
	first := r.Await(1)[0]
	delivery := int64(waits(k, id, 1).At("deliveries.0.id").(float64))
	k.Later(3 * time.Second)
	again := fmt.Sprintf("%s/deliveries/%d/redeliver", path("webhooks", id), delivery)
	if a := k.Post(again, "administrator", nil); a.Status >= 300 {
		t.Fatalf("%s", a)
	}
	second := r.Await(2)[1]
	if second.Header.Get("webhook-id") != first.Header.Get("webhook-id") || second.Data.ID != event || second.Data.Version != first.Data.Version {
		t.Errorf("%v %s", second.Header, second.Body)
	}
	signed(t, &second, secret)
	k.Later(-48 * time.Hour) // the clock is set back by two days
	k.Patch(path("events", event), "administrator", kit.Object{"title": "After the clock was set back"})
	third := r.Await(3)[2]
	if third.Type != "event.updated" {
		t.Errorf("%s", third.Body)
	}
	signed(t, &third, secret)
	k.Later(96 * time.Hour)
	k.Patch(path("events", event), "administrator", kit.Object{"title": "And forward"})
	r.Await(4)
	storagetest.Until(t, "nothing waits", func() bool { return k.Get(path("webhooks", id), "administrator").Body["waiting"] == 0.0 })
	if n := len(r.Got()); n != 4 {
		t.Errorf("%d messages", n)
	}
}

// A site has as many webhooks as its plan allows, and never more than a hundred, however many are asked for at once.
func TestWebhooksAreLimited(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	body := map[string]any{"url": "https://example.org/hook", "events": []string{"*"}}
	k.Limit(map[string]any{"webhooks": 3})
	for range 3 {
		k.Post("/webhooks", "administrator", body).Want(t, 201, "")
	}
	k.IsError("over the limit", k.Post("/webhooks", "administrator", body))
	k.Limit(map[string]any{"webhooks": 5000})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 30 {
				if a := k.Post("/webhooks", "administrator", body); a.Status != http.StatusCreated && a.Status != http.StatusForbidden {
					t.Errorf("%s", a)
				}
			}
		})
	}
	all.Wait()
	if n := k.Peek("demo", `SELECT count(*)::text FROM webhooks WHERE site_id = $1`, k.Sites["demo"].ID); n != "100" {
		t.Errorf("%s webhooks", n)
	}
}

// No log has a secret, however a webhook is made, renewed, tested or fails.
func TestWebhookSecretsAreInNoLog(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var log bytes.Buffer
	k := kit.New(t, func(c *server.Config) {
		c.Logger = slog.New(slog.NewTextHandler(&locked{&mu, &log}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	r := k.Receive()
	id, secret := k.Webhook(r.URL+"?t0ken=secret", nil)
	k.Deliver()
	renewed := k.Post(path("webhooks", id)+"/secret", "administrator", nil)
	r.Status(http.StatusInternalServerError)
	k.Post(path("webhooks", id)+"/test", "administrator", nil)
	waits(k, id, 1)
	mu.Lock()
	defer mu.Unlock()
	other, _ := renewed.Body["secret"].(string)
	if log.Len() == 0 || len(other) < 20 {
		t.Fatalf("nothing was logged, or %s", renewed)
	}
	for _, text := range []string{secret, secret[6:], other[6:], "t0ken"} {
		if strings.Contains(log.String(), text) {
			t.Errorf("the log has %q", text)
		}
	}
}

// locked writes by turns.
type locked struct {
	mu *sync.Mutex
	b  *bytes.Buffer
}

// Write implements io.Writer.
func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// The library of Standard Webhooks takes the messages, whatever their texts are, and none that was changed.
func TestWebhookSignatureByLibrary(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("there is no node")
	}
	k := kit.New(t)
	r := k.Receive()
	_, secret := k.Webhook(r.URL, map[string]any{"payload": "full", "ed25519": true})
	k.Deliver()
	for i, title := range []string{"Plain", "Fête – 東京 🎪", `Quote " and \ and </script>`} {
		k.Event(kit.Object{"title": title})
		r.Await(i + 1)
	}
	g := &generators{k: k, dir: t.TempDir()}
	g.copy("hooktest", "package.json", "package-lock.json", "verify.mjs")
	var all []map[string]any
	for _, m := range r.Taken() {
		headers := map[string]string{}
		for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
			headers[name] = m.Header.Get(name)
		}
		all = append(all, map[string]any{"secret": secret, "headers": headers, "body": string(m.Body)})
	}
	text, err := json.Marshal(all)
	k.Must(err)
	k.Must(os.WriteFile(filepath.Join(g.dir, "messages.json"), text, 0o600))
	g.run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	g.run("node", "verify.mjs", "messages.json")
}
