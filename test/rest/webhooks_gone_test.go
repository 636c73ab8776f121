package rest

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/test/kit"
)

// away has a receiver ask for nothing for an hour.
func away(k *kit.Kit, r *kit.Receiver, event int64) {
	k.T.Helper()
	r.Answer(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	k.Patch(path("events", event), "administrator", map[string]any{"title": "The receiver goes away"}).Want(k.T, 200, "")
	storagetest.Until(k.T, "the receiver is left alone", func() bool {
		return k.Peek("demo", `SELECT bool_and(paused_until IS NOT NULL)::text FROM webhooks WHERE site_id = $1`, k.Sites["demo"].ID) == "true"
	})
}

// seen waits until all webhooks have followed the history to its end.
func seen(k *kit.Kit) {
	k.T.Helper()
	storagetest.Until(k.T, "webhooks have seen the last change", func() bool {
		return k.Peek("demo", `SELECT bool_and(w.seen_version >= s.version)::text FROM webhooks w JOIN sites s ON s.id = w.site_id WHERE w.site_id = $1`,
			k.Sites["demo"].ID) == "true"
	})
}

// A receiver that was away is told what became of each event, once, and nothing of one that came and went (rule 19.4). What went by way of the
// trash may be told to be deleted.
func TestWebhookOfWhatIsGoneWhileTheReceiverIsAway(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	r := k.Receive()
	id, _ := k.Webhook(r.URL, nil)
	k.Deliver()
	first, known, back := k.Event(nil), k.Event(nil), k.Event(nil)
	r.Await(3)
	away(k, r, first)
	before := len(r.Got())
	trash := func(event int64) { k.Del(path("events", event), "administrator").Want(t, 200, "") }
	remove := func(event int64) { k.Del(path("events", event)+"?force=true", "administrator").Want(t, 200, "") }
	gone, trashed, kept := k.Event(nil), k.Event(nil), k.Event(nil)
	seen(k) // each is known to wait
	remove(gone)
	trash(trashed)
	seen(k)
	remove(trashed)
	trash(known)
	seen(k)
	remove(known)
	trash(back)
	seen(k)
	k.Patch(path("events", back), "administrator", map[string]any{"status": "publish", "title": "Back"}).Want(t, 200, "")
	trash(kept)
	seen(k)
	k.Patch(path("events", kept), "administrator", map[string]any{"status": "publish", "title": "Kept"}).Want(t, 200, "")
	seen(k)
	if n := len(r.Got()); n != before {
		t.Fatalf("%d messages while the receiver was away", n-before)
	}
	r.Answer(nil)
	k.Later(2 * time.Hour)
	storagetest.Until(t, "nothing waits", func() bool { return k.Get(path("webhooks", id), "administrator").Body["waiting"] == 0.0 })
	told := map[int64][]string{}
	for _, m := range r.Got()[before:] {
		told[m.Data.ID] = append(told[m.Data.ID], m.Type)
	}
	for _, c := range []struct {
		event int64
		what  string
		want  [][]string
	}{
		{first, "edited", [][]string{{"event.updated"}}},
		{gone, "made and deleted", [][]string{nil}},
		{trashed, "made, trashed and deleted", [][]string{nil, {"event.deleted"}}}, // after the trash nothing is known of who knew it
		{known, "known, trashed and deleted", [][]string{{"event.deleted"}}},
		{back, "known, trashed and restored", [][]string{{"event.published"}, {"event.restored"}}},
		{kept, "made, trashed and restored", [][]string{{"event.published"}}},
	} {
		if got := told[c.event]; !slices.ContainsFunc(c.want, func(want []string) bool { return slices.Equal(got, want) }) {
			t.Errorf("%s: told %q, want one of %q", c.what, got, c.want)
		}
		delete(told, c.event)
	}
	if len(told) > 0 {
		t.Errorf("told also of %v", told)
	}
}

// While a receiver is away the filter of its webhook changes (rule 19.5): what only the former one had is told as it waits, and of nothing
// that happens to it later, not even that it is deleted; what the new one has is told from its next change on.
func TestWebhookWithAnotherFilterWhileTheReceiverIsAway(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	r := k.Receive()
	id, _ := k.Webhook(r.URL, map[string]any{"filter": "featured=true"})
	k.Deliver()
	first, known := k.Event(map[string]any{"featured": true}), k.Event(map[string]any{"featured": true})
	r.Await(2)
	away(k, r, first)
	before := len(r.Got())
	waits, untold := k.Event(map[string]any{"featured": true}), k.Event(map[string]any{"featured": false})
	seen(k)
	k.Patch(path("webhooks", id), "administrator", map[string]any{"filter": "featured=false"}).Want(t, 200, "")
	k.Patch(path("events", waits), "administrator", map[string]any{"title": "Later"}).Want(t, 200, "")
	k.Del(path("events", known)+"?force=true", "administrator").Want(t, 200, "")
	enters := k.Event(map[string]any{"featured": false})
	k.Patch(path("events", untold), "administrator", map[string]any{"title": "Changed"}).Want(t, 200, "")
	seen(k)
	r.Answer(nil)
	k.Later(2 * time.Hour)
	storagetest.Until(t, "nothing waits", func() bool { return k.Get(path("webhooks", id), "administrator").Body["waiting"] == 0.0 })
	told := map[int64]string{}
	for _, m := range r.Got()[before:] {
		told[m.Data.ID] += m.Type + " "
	}
	for event, want := range map[int64]string{first: "event.updated ", waits: "event.published ", known: "", untold: "event.updated ", enters: "event.published "} {
		if told[event] != want {
			t.Errorf("of %d told %q, want %q (%v)", event, told[event], want, []int64{first, waits, known, untold, enters})
		}
	}
}

// slow is a mail server that answers only when something has come.
type slow struct{ asked, come, answered chan struct{} }

// Send implements letters.Post.
func (s *slow) Send(ctx context.Context, _, _, _ string) error {
	close(s.asked)
	select {
	case <-s.come:
		close(s.answered)
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// No receiver waits for the letter that says that another one is switched off.
func TestWebhookIsSwitchedOffSlowly(t *testing.T) {
	t.Parallel()
	post := &slow{make(chan struct{}), make(chan struct{}), make(chan struct{})}
	k := kit.New(t, func(c *server.Config) { c.Post = post })
	gone, there := k.Receive(), k.Receive()
	gone.Status(http.StatusGone)
	var once sync.Once
	there.Answer(func(w http.ResponseWriter, _ *http.Request) {
		select {
		case <-post.asked:
			once.Do(func() { close(post.come) })
		default:
		}
		w.WriteHeader(http.StatusNoContent)
	})
	k.Webhook(gone.URL, nil)
	k.Webhook(there.URL, nil)
	k.Deliver()
	k.Event(nil)
	<-post.asked
	k.Event(nil)
	select {
	case <-post.answered:
	case <-time.After(25 * time.Second):
		t.Error("messages wait for a mail server")
	}
}
