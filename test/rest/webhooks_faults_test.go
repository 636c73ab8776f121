package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar/letters"
	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/internal/mail/mailtest"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage/storagetest"
	hookstore "github.com/kalends/kalends/storage/webhooks"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/kit"
)

// waits waits until so many tries of a webhook are in its log.
func waits(k *kit.Kit, id int64, tries int) kit.Answer {
	k.T.Helper()
	var a kit.Answer
	storagetest.Until(k.T, "tries", func() bool {
		a = k.Get(path("webhooks", id)+"/deliveries?per_page=50", "administrator")
		return a.Body["total"].(float64) >= float64(tries)
	})
	return a
}

// What waits is replaced by what comes later, under a new name, and still says that the event was published, for the receiver was not told.
func TestWebhookReplacesWhatWaits(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	r := k.Receive()
	id, _ := k.Webhook(r.URL, nil)
	r.Status(http.StatusInternalServerError)
	k.Deliver()
	event := k.Event(nil)
	waits(k, id, 1)
	for _, title := range []string{"Two", "Three", "Four"} {
		k.Patch(path("events", event), "administrator", map[string]any{"title": title})
	}
	version := k.Get(path("events", event), "administrator").Header.Get("X-Kalends-Version")
	r.Answer(nil)
	got := r.Await(1)[0]
	first := r.Got()[0]
	if got.Type != "event.published" || got.Header.Get("webhook-id") == first.Header.Get("webhook-id") || got.Data.Version <= first.Data.Version {
		t.Errorf("%s after %s, version %s", got.Body, first.Body, version)
	}
	storagetest.Until(t, "nothing waits", func() bool { return k.Get(path("webhooks", id), "administrator").Body["waiting"] == 0.0 })
	// Made and deleted before any try is nothing.
	r.Answer(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	k.Patch(path("events", event), "administrator", map[string]any{"title": "Five"})
	waits(k, id, len(r.Got()))
	storagetest.Until(t, "the receiver is left alone", func() bool {
		return k.Peek("demo", `SELECT (paused_until IS NOT NULL)::text FROM webhooks WHERE site_id = $1`, k.Sites["demo"].ID) == "true"
	})
	gone, trashed := k.Event(nil), k.Event(nil)
	k.Del(path("events", gone)+"?force=true", "administrator")
	k.Del(path("events", trashed), "administrator")
	k.Del(path("events", trashed)+"?force=true", "administrator")
	storagetest.Until(t, "the webhook knows of all that was done", func() bool {
		return k.Peek("demo", `SELECT (w.seen_version >= s.version)::text FROM webhooks w JOIN sites s ON s.id = w.site_id WHERE w.site_id = $1`, k.Sites["demo"].ID) == "true"
	})
	r.Answer(nil)
	k.Later(2 * time.Minute)
	r.Await(2)
	for _, m := range r.Got() {
		// What was in the trash in between may be told to be deleted: after the trash nothing is known of who knew it.
		if m.Data.ID == gone || m.Data.ID == trashed && m.Type != "event.deleted" {
			t.Errorf("%s", m.Body)
		}
	}
}

// A change of the filter is not told by itself (rule 19.5): what only the former one had is followed no more, what only the new one has is told
// of when it changes.
func TestWebhookWithAnotherFilter(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	r := k.Receive()
	id, _ := k.Webhook(r.URL, map[string]any{"filter": "featured=true"})
	k.Deliver()
	old := k.Event(map[string]any{"featured": true})
	if got := r.Await(1)[0]; got.Data.ID != old || got.Type != "event.published" {
		t.Fatalf("%s", got.Body)
	}
	other := k.Event(map[string]any{"featured": false})
	storagetest.Until(t, "the former filter has passed the other event", func() bool {
		return k.Peek("demo", `SELECT (w.seen_version = s.version)::text FROM webhooks w JOIN sites s ON s.id = w.site_id WHERE w.site_id = $1`,
			k.Sites["demo"].ID) == "true"
	})
	k.Patch(path("webhooks", id), "administrator", map[string]any{"filter": "featured=false"})
	k.Patch(path("events", old), "administrator", map[string]any{"title": "Former"})
	k.Patch(path("events", other), "administrator", map[string]any{"title": "Present"})
	last := k.Event(map[string]any{"featured": false})
	storagetest.Until(t, "the last event is told", func() bool { // objects have no order among themselves
		return slices.ContainsFunc(r.Got(), func(m kit.Message) bool { return m.Data.ID == last })
	})
	for _, m := range r.Got()[1:] {
		if m.Data.ID == old || m.Data.ID == other && m.Type != "event.updated" {
			t.Errorf("after another filter: %s", m.Body)
		}
	}
}

// A webhook with a filter follows the history up to where its filter was looked at, however far the site has come meanwhile.
func TestWebhookFollowsItsFilter(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Webhook(k.Receive().URL, map[string]any{"filter": "featured=true"})
	ctx, err := tenancy.Enter(tenancy.AsProvider(t.Context(), tenancy.Provider{Scheduled: true}), k.Sites["demo"])
	k.Must(err)
	rounds := hookstore.New(k.DB.Engine())
	list, err := rounds.Active(ctx)
	k.Must(err)
	selection, err := list[0].Filter.Selection(ctx, time.Now())
	k.Must(err)
	k.Must(k.DB.Changes().Look(ctx, selection, true))
	looked := k.Version("demo")
	event := k.Event(map[string]any{"featured": true}) // comes between the look and the steps
	steps, to, _, err := rounds.Steps(ctx, list[0], []string{"event"}, selection, 10)
	if err != nil || len(steps) != 0 || to.Version != looked {
		t.Fatalf("%d steps up to version %d, want none up to %d: %v", len(steps), to.Version, looked, err)
	}
	list[0].Seen = to
	k.Must(k.DB.Changes().Look(ctx, selection, true))
	if steps, _, _, err = rounds.Steps(ctx, list[0], []string{"event"}, selection, 10); err != nil || len(steps) != 1 || steps[0].Position.ID != event {
		t.Errorf("%v, want the event: %v", steps, err)
	}
}

// Only one try for an object is under way: a later change waits until the receiver has answered.
func TestWebhookSendsOneOfAnObjectAtATime(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	r := k.Receive()
	k.Webhook(r.URL, nil)
	entered, leave := make(chan struct{}, 10), make(chan struct{})
	r.Answer(func(w http.ResponseWriter, _ *http.Request) {
		entered <- struct{}{}
		<-leave
		w.WriteHeader(http.StatusNoContent)
	})
	k.Deliver()
	event := k.Event(nil)
	<-entered
	k.Patch(path("events", event), "administrator", map[string]any{"title": "New"})
	other := k.Event(nil) // comes in between
	<-entered
	select {
	case <-entered:
		t.Error("the second message of the object is sent beside the first")
	default:
	}
	close(leave)
	r.Await(3)
	storagetest.Until(t, "the update comes last", func() bool {
		list := r.Taken()
		return kit.Types(list[len(list)-1:]) == fmt.Sprintf("event.updated %d", event)
	})
	if n := strings.Count(kit.Types(r.Taken()), fmt.Sprintf("event.published %d", other)); n != 1 {
		t.Error(kit.Types(r.Taken()))
	}
}

// A message that no receiver takes does not hold up others. Its tries come as planned, and after the last the webhook is switched off
// and the administrators are told. Switched on again, it goes on where it ended.
func TestWebhookIsSwitchedOff(t *testing.T) {
	t.Parallel()
	post := mailtest.New(t)
	sender, err := mail.New(post.URL, "Kalends <kalends@example.org>")
	if err != nil {
		t.Fatal(err)
	}
	k := kit.New(t, func(c *server.Config) { c.Post = letters.Post(sender) })
	r := k.Receive()
	id, secret := k.Webhook(r.URL+"/T0KEN", nil)
	k.Deliver()
	r.Status(http.StatusInternalServerError)
	event := k.Event(nil)
	for try, delay := range []time.Duration{0, 5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour,
		14 * time.Hour, 20 * time.Hour, 24 * time.Hour} {
		k.Later(delay / 2) // the time that the test takes comes on top
		if n := len(r.Got()); n != try && try > 0 {
			t.Errorf("%d tries before the %dth was due", n, try+1)
		}
		k.Later(delay * 3 / 5)
		waits(k, id, try+1)
	}
	var a kit.Answer
	storagetest.Until(t, "the webhook is switched off", func() bool {
		a = k.Get(path("webhooks", id), "administrator")
		return a.Body["active"] == false
	})
	if a.Body["problem"] != "failed" || a.Body["waiting"] != 1.0 {
		t.Errorf("%s", a)
	}
	letter := post.Next()
	if letter.To != "administrator@example.org" || !strings.Contains(letter.Subject, "webhook") || !strings.Contains(letter.Text, "/admin/webhooks") ||
		strings.Contains(letter.Text, "T0KEN") || strings.Contains(letter.Text, secret) {
		t.Errorf("%+v", letter)
	}
	names := map[string]bool{}
	for _, m := range r.Got() {
		names[m.Header.Get("webhook-id")] = true
		signed(t, &m, secret)
	}
	if len(r.Got()) != 10 || len(names) != 1 {
		t.Errorf("%d tries with %d names", len(r.Got()), len(names))
	}
	other := k.Event(nil)
	r.Answer(nil)
	k.Patch(path("webhooks", id), "administrator", map[string]any{"active": true}).Want(t, 200, "")
	r.Await(2)
	if got := kit.Types(r.Taken()); !strings.Contains(got, fmt.Sprintf("event.published %d", event)) || !strings.Contains(got, fmt.Sprintf("event.published %d", other)) {
		t.Error(got)
	}
}

// When a receiver answers again, all that waits for it is sent soon, whatever was planned.
func TestWebhookSendsAllWhenTheReceiverIsBack(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	r := k.Receive()
	id, _ := k.Webhook(r.URL, nil)
	r.Status(http.StatusServiceUnavailable)
	k.Deliver()
	var events []int64
	for i := range 5 {
		events = append(events, k.Event(nil))
		waits(k, id, i+1)
	}
	k.Later(6 * time.Second)
	waits(k, id, 10) // their next tries are in five minutes
	r.Answer(nil)
	k.Event(nil)
	r.Await(len(events) + 1)
}

// Receivers that are gone (410), ask for patience, lead elsewhere or hang are heeded, and nobody else waits for them.
func TestWebhookReceivers(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	gone, patient, leads, hangs, well := k.Receive(), k.Receive(), k.Receive(), k.Receive(), k.Receive()
	ids := map[*kit.Receiver]int64{}
	for _, r := range []*kit.Receiver{gone, patient, leads, hangs, well} {
		ids[r], _ = k.Webhook(r.URL, nil)
	}
	done := make(chan struct{})
	t.Cleanup(func() { close(done) })
	gone.Status(http.StatusGone)
	patient.Answer(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	leads.Answer(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, well.URL, http.StatusTemporaryRedirect)
	})
	hangs.Answer(func(http.ResponseWriter, *http.Request) { <-done })
	k.Deliver()
	const n = 20
	for range n {
		k.Event(nil)
	}
	well.Await(n)
	storagetest.Until(t, "one is switched off", func() bool {
		a := k.Get(path("webhooks", ids[gone]), "administrator")
		return a.Body["active"] == false && a.Body["problem"] == "gone"
	})
	if got := well.Got(); len(got) != n {
		t.Errorf("%d messages: a redirect was followed", len(got))
	}
	waits(k, ids[leads], 1)
	a := k.Get(path("webhooks", ids[leads])+"/deliveries", "administrator")
	if !strings.Contains(string(a.Raw), `"status":307`) {
		t.Errorf("%s", a)
	}
	waits(k, ids[patient], 1)
	asked := len(patient.Got())
	patient.Answer(nil)
	k.Later(50 * time.Minute)
	k.Event(nil)
	well.Await(n + 1)
	if len(patient.Got()) != asked {
		t.Errorf("it asked for an hour, and got %d more", len(patient.Got())-asked)
	}
	k.Later(15 * time.Minute)
	patient.Await(n + 1)
}

// A site with a receiver that never answers does not delay another site's.
func TestWebhookOfAnotherSiteIsNotDelayed(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("two")
	dead, well := k.Receive(), k.Receive()
	done := make(chan struct{})
	t.Cleanup(func() { close(done) })
	dead.Answer(func(http.ResponseWriter, *http.Request) { <-done })
	for range 10 {
		k.Send(kit.Request{Method: "POST", Path: "/webhooks", Site: "two", As: "administrator",
			JSON: map[string]any{"url": dead.URL, "events": []string{"*"}}}).Want(t, 201, "")
	}
	k.Webhook(well.URL, nil)
	k.Deliver()
	for range 10 {
		k.Send(kit.Request{Method: "POST", Path: "/events", Site: "two", As: "administrator", JSON: kit.Valid("event")}).Want(t, 201, "")
		k.Event(nil)
	}
	well.Await(10)
}

// Two nodes send each message once between them, and nothing is lost.
func TestWebhookOnTwoNodes(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	r := k.Receive()
	k.Webhook(r.URL, map[string]any{"events": []string{"event.published"}})
	other := k.SecondNode()
	k.Deliver()
	other.Deliver()
	events := map[int64]bool{}
	for range 60 {
		events[k.Event(nil)] = true
	}
	r.Await(len(events))
	times := map[int64]int{}
	for _, m := range r.Taken() {
		times[m.Data.ID]++
	}
	for event := range events {
		if times[event] != 1 {
			t.Errorf("event %d came %d times", event, times[event])
		}
	}
}

// A webhook ends with the rights of whoever made it: with their role, and with the key.
func TestWebhookEndsWithItsOwner(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	ctx, err := tenancy.Enter(tenancy.AsProvider(context.Background(), tenancy.Provider{Name: "test"}), k.Sites["demo"])
	k.Must(err)
	r := k.Receive()
	id, _ := k.Webhook(r.URL, nil) // with the application password of the administrator
	k.Deliver()
	k.Event(nil)
	r.Await(1)
	list, err := k.Platform.Keys.List(ctx, 1)
	k.Must(err)
	k.Must(k.Platform.Keys.Revoke(ctx, 1, list[0].ID))
	k.Change("demo", `UPDATE sites SET version = version + 1 WHERE id = $1`, k.Sites["demo"].ID)
	storagetest.Until(t, "the webhook is switched off", func() bool {
		return k.Peek("demo", `SELECT off FROM webhooks WHERE site_id = $1 AND id = $2`, k.Sites["demo"].ID, id) == "owner"
	})
	if n := len(r.Got()); n != 1 {
		t.Errorf("%d messages", n)
	}
}

// Addresses that nothing is sent to are refused, as is everything else that makes no sense, and who is no administrator has no webhooks.
func TestWebhookArguments(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	r := k.Receive()
	valid := map[string]any{"url": r.URL, "events": []string{"event.updated"}}
	for _, c := range []struct{ arg, value, param string }{
		{"url", `"http://example.org/hook"`, "url"},
		{"url", `"https://127.0.0.1/hook"`, "url"},
		{"url", `"https://localhost/hook"`, "url"},
		{"url", `"https://0x7f000001/hook"`, "url"},
		{"url", `"https://[::1]/hook"`, "url"},
		{"url", `"https://169.254.169.254/latest"`, "url"},
		{"url", `"https://user:password@example.org/"`, "url"},
		{"url", `"https://example.org:8443/"`, "url"},
		{"url", `"ftp://example.org/"`, "url"},
		{"url", `""`, "url"},
		{"events", `[]`, "events"},
		{"events", `["event.exploded"]`, "events"},
		{"payload", `"fat"`, "payload"},
		{"language", `"xx"`, "language"},
		{"filter", `5`, "filter"},
		{"filter", `{"start_date": "2030-01-01"}`, "filter"},
		{"filter", `{"starts_after": "now"}`, "filter"},
		{"filter", `{"status": "draft"}`, "filter"},
		{"filter", `{"series": "first"}`, "filter"},
		{"filter", `{"categories": ["no-such"]}`, "filter"},
		{"filter", `{"unknown": 1}`, "filter"},
	} {
		body := map[string]any{"url": valid["url"], "events": valid["events"]}
		body[c.arg] = json.RawMessage(c.value)
		a := k.Post("/webhooks", "administrator", body)
		if a.Status != 400 || a.Params()[c.param] == nil {
			t.Errorf("%s %s: %s", c.arg, c.value, a)
		}
		k.IsError(c.arg+c.value, a)
	}
	for as, status := range map[string]int{"": 401, "editor": 403, "author": 403, "subscriber": 403} {
		k.Post("/webhooks", as, valid).Want(t, status, "rest_forbidden")
		k.Get("/webhooks", as).Want(t, status, "rest_forbidden")
	}
	k.Get("/webhooks/999", "administrator").Want(t, 404, "rest-webhook-not-found")
	k.Post("/webhooks/999/test", "administrator", nil).Want(t, 404, "rest-webhook-not-found")
	id, secret := k.Webhook(r.URL+"?t0ken=1", map[string]any{"filter": map[string]any{"featured": true}, "language": "de", "ed25519": true})
	k.Post(path("webhooks", id)+"/deliveries/7/redeliver", "administrator", nil).Want(t, 404, "rest-delivery-not-found")
	got := k.Get(path("webhooks", id), "administrator")
	if !strings.HasPrefix(fmt.Sprint(got.Body["public_key"]), "whpk_") || got.Body["secret"] != nil || got.Body["language"] != "de" {
		t.Errorf("%s", got)
	}
	etag := got.Header.Get("ETag")
	k.Send(kit.Request{Method: "PATCH", Path: path("webhooks", id), As: "administrator", JSON: got.Body}).Want(t, 200, "")
	if again := k.Get(path("webhooks", id), "administrator"); again.Header.Get("ETag") != etag {
		t.Errorf("sent back, it changed: %s", again)
	}
	k.Patch(path("webhooks", id), "administrator", map[string]any{"active": false}).Want(t, 200, "")
	k.Send(kit.Request{Method: "PATCH", Path: path("webhooks", id), As: "administrator", JSON: map[string]any{"active": true},
		Headers: map[string]string{"If-Match": etag}}).Want(t, 412, "rest_precondition_failed")
	// Neither the secret nor the rest of the address is anywhere else.
	history := k.Peek("demo", `SELECT string_agg(c::text, ' ') FROM changes c WHERE site_id = $1`, k.Sites["demo"].ID)
	stored := k.Peek("demo", `SELECT string_agg(c::text, ' ') FROM webhooks c WHERE site_id = $1`, k.Sites["demo"].ID)
	if strings.Contains(history, "t0ken") || strings.Contains(history+stored, secret[6:]) {
		t.Error("a secret can be read")
	}
	k.Del(path("webhooks", id), "administrator").Want(t, 200, "")
	k.Del(path("webhooks", id), "administrator").Want(t, 404, "rest-webhook-not-found")
}
