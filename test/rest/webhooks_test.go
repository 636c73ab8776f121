package rest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// A receiver is told what happens to objects, in order, signed, and with the same name at every try.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	r := k.Receive()
	id, secret := k.Webhook(r.URL, nil)
	k.Deliver()
	event := k.Event(map[string]any{"title": "Concert"})
	first := r.Await(1)[0]
	if first.Type != "event.published" || first.Data.ID != event || first.Data.Site != "demo" ||
		first.Data.RestURL != fmt.Sprintf("http://localhost/calendar/events/v1/events/%d", event) || first.Data.Object != nil {
		t.Errorf("%s", first.Body)
	}
	signed(t, &first, secret)
	for i, step := range []struct {
		do   func()
		want string
	}{
		{func() { k.Patch(path("events", event), "administrator", map[string]any{"title": "New"}) }, "event.updated"},
		{func() { k.Patch(path("events", event), "administrator", map[string]any{"event_status": "cancelled"}) }, "event.cancelled"},
		{func() { k.Patch(path("events", event), "administrator", map[string]any{"status": "draft"}) }, "event.unpublished"},
		{func() { k.Patch(path("events", event), "administrator", map[string]any{"status": "publish"}) }, "event.published"},
		{func() { k.Del(path("events", event), "administrator") }, "event.trashed"},
		{func() { k.Patch(path("events", event), "administrator", map[string]any{"status": "draft"}) }, "event.restored"},
		{func() { k.Del(path("events", event)+"?force=true", "administrator") }, "event.deleted"},
	} {
		step.do()
		if got := r.Await(i + 2)[i+1]; got.Type != step.want || got.Data.ID != event {
			t.Errorf("%d: %s, want %s", i, got.Body, step.want)
		}
	}
	got := k.Get(path("webhooks", id), "administrator")
	got.Want(t, 200, "")
	if got.Body["waiting"] != 0.0 || got.Body["active"] != true || got.Body["secret"] != nil {
		t.Errorf("%s", got)
	}
	list := k.Get(path("webhooks", id)+"/deliveries?per_page=3", "administrator")
	list.Want(t, 200, "")
	if list.Body["total"] != 8.0 || list.Body["total_pages"] != 3.0 || !strings.Contains(string(list.Raw), `"type":"event.deleted"`) {
		t.Errorf("%s", list)
	}
}

func path(collection string, id int64) string { return fmt.Sprintf("/%s/%d", collection, id) }

// signed checks a message as its receiver does.
func signed(t *testing.T, m *kit.Message, secret string) {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) != 32 {
		t.Errorf("%q is no secret: %v", secret, err)
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", m.Header.Get("webhook-id"), m.Header.Get("webhook-timestamp"), m.Body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for one := range strings.FieldsSeq(m.Header.Get("webhook-signature")) {
		if one == want {
			return
		}
	}
	t.Errorf("signed %q, want %s", m.Header.Get("webhook-signature"), want)
}

// The end of an import is told, and what anybody has sent to the site.
func TestWebhookTellsOfImportsAndSubmissions(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Change("demo", `UPDATE sites SET submissions = true WHERE id = $1`, k.Sites["demo"].ID)
	r := k.Receive()
	k.Webhook(r.URL, map[string]any{"events": []string{"import.finished", "submission.received"}})
	k.Deliver()
	started := k.StartImport(kit.Sent{Name: "club.ics", File: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1@club\r\nSUMMARY:Choir\r\n" +
		"DTSTART:20300101T190000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"}).Want(t, 202, "").ID()
	k.RunImports()
	got := r.Await(1)[0]
	if got.Type != "import.finished" || got.Data.ID != started || !strings.HasSuffix(got.Data.RestURL, fmt.Sprintf("/imports/%d", started)) {
		t.Errorf("%s", got.Body)
	}
	sent := k.Post("/submissions", "", map[string]any{"title": "Choir", "start_date": "2031-01-01 19:00", "contact_name": "Ada", "contact_email": "ada@example.net"})
	sent.Want(t, 201, "")
	if got := r.Await(2)[1]; got.Type != "submission.received" || !strings.Contains(got.Data.RestURL, "/submissions/") {
		t.Errorf("%s", got.Body)
	}
}
