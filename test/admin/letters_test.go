package admin

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// Administrators see how many people get letters, why none are sent, and what the next one says, but never who gets it.
func TestLettersPage(t *testing.T) {
	t.Parallel()
	k, _ := kit.Mailed(t)
	k.Clock = time.Date(2027, 5, 3, 7, 30, 0, 0, time.UTC)
	set := func(value string) {
		ctx, err := tenancy.Enter(tenancy.AsProvider(t.Context(), tenancy.Provider{Scheduled: true}), k.Sites["demo"])
		k.Must(err)
		_, err = k.Platform.Sites.Configure(ctx, &platform.ConfigFields{Letters: args.Some(value)}, "")
		k.Must(err)
	}
	b := k.Person("administrator")
	if p := b.Get("/admin/letters"); p.Status != http.StatusOK || !p.Shows("Off") || !p.Shows("Nothing is on") || p.Shows(`href="/admin/letters"`) {
		t.Fatalf("off: %d %s", p.Status, p.Body)
	}
	set("on")
	k.Peek("demo", `INSERT INTO letter_subscriptions (site_id, id, email, email_key, language, period, home, created_at, confirmed_at, issue_at)
		VALUES ($1, 1, 'ada@example.net', 'ada@example.net', 'en', 'daily', '', $2, $2, $2) RETURNING email`, k.Sites["demo"].ID, k.Clock)
	k.Peek("demo", `INSERT INTO letter_months (site_id, month, sent, ended, last_at) VALUES ($1, '2027-05-01', 7, 4, $2) RETURNING sent::text`,
		k.Sites["demo"].ID, k.Clock)
	k.Event(map[string]any{"title": "Choir", "slug": "choir", "start_date": "2027-05-07 19:30", "end_date": "2027-05-07 21:00"})
	k.Event(map[string]any{"title": "Hidden draft", "start_date": "2027-05-07 19:30", "end_date": "2027-05-07 21:00", "status": "draft"})
	p := b.Get("/admin/letters")
	for _, text := range []string{"<dd>1</dd>", "<dd>4</dd>", "<dd>7</dd>", "Next weekly newsletter</dt><dd>Thu, May\u00a06,\u00a02027, 6:00\u00a0AM · Subscribers: 0", "Next daily newsletter</dt><dd>Tue, May\u00a04,\u00a02027, 6:00\u00a0AM · Subscribers: 1", "Choir", `href="/admin/letters"`} {
		if !p.Shows(text) {
			t.Errorf("no %q: %s", text, p.Body)
		}
	}
	if !p.Shows(`src="/admin/letters/preview"`) || !p.Shows(`sandbox="allow-popups allow-popups-to-escape-sandbox"`) {
		t.Error("the page does not frame the letter")
	}
	html := b.Get("/admin/letters/preview")
	for _, want := range []string{"default-src 'none'", "form-action 'none'", "frame-ancestors 'self'", "; sandbox allow-popups"} {
		if !strings.Contains(html.Header.Get("Content-Security-Policy"), want) {
			t.Errorf("the letter may do too much: %s", html.Header.Get("Content-Security-Policy"))
		}
	}
	if html.Status != 200 || !html.Shows("Choir") || !html.Shows(`<base target="_blank"/>`) || html.Shows("Hidden draft") || html.Header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("the letter: %d %s", html.Status, html.Body)
	}
	if p.Shows("ada@") || p.Shows("Hidden draft") {
		t.Errorf("too much is shown: %s", p.Body)
	}
	k.Limit(map[string]any{"letters": 7})
	if p := b.Get("/admin/letters"); !p.Shows("at most 7 e-mails") || !p.Shows("7 / 7") {
		t.Errorf("the limit: %s", p.Body)
	}
	k.Limit(map[string]any{"letters": 0})
	if p := b.Get("/admin/letters"); !p.Shows("The provider has stopped") {
		t.Errorf("stopped: %s", p.Body)
	}
	k.Limit(map[string]any{"letters": nil})
	set("paused")
	if p := b.Get("/admin/letters"); !p.Shows("Paused") {
		t.Errorf("paused: %s", p.Body)
	}
	for _, path := range []string{"/admin/letters", "/admin/letters/preview"} {
		if p := k.Person("editor").Get(path); p.Status != http.StatusForbidden {
			t.Errorf("%s for an editor: %d", path, p.Status)
		}
	}
}
