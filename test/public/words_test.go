package public

import (
	"net/http"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestEventBelowEvents: an address below /events/ leads to the event of that slug, also a former one, and is
// not found at once where there is none.
func TestEventBelowEvents(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(map[string]any{"title": "Choir"})
	k.Event(map[string]any{"title": "Secret", "post_password": "let me in"})
	k.Patch(kit.Item("events", id), "administrator", map[string]any{"slug": "chorus"}).Want(t, 200, "")
	b := k.Browser()
	for path, to := range map[string]string{"/en/events/choir/": "/en/event/choir/", "/en/events/Chorus": "/en/event/chorus/", "/en/events/secret/": "/en/event/secret/"} {
		if p := b.Get(path); p.Status != http.StatusFound || p.Header.Get("Location") != to {
			t.Errorf("%s: %d %s", path, p.Status, p.Header.Get("Location"))
		}
	}
	for _, path := range []string{"/en/events/nothing/", "/en/events/nothing/2030/", "/events/word"} {
		p := b.Get(path)
		if p.Status == http.StatusFound {
			p = b.Follow() // to the language
		}
		if p.Status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, p.Status, p.Header.Get("Location"))
		}
	}
}
