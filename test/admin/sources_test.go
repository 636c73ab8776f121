package admin

import (
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// An administrator adds a source, sees how it is, has it read, pauses it, and says what becomes of its events.
func TestSourcePages(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	feed := k.Outlet("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:a@b.example\r\nDTSTAMP:20300101T000000Z\r\n" +
		"DTSTART:20300501T180000Z\r\nSUMMARY:Choir\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
	form := b.Fill("/admin/sources", kit.NarrowForm, url.Values{"name": {"The club"}, "url": {feed.URL + "?key=S3CRET"}, "password": {"PASSW0RD"},
		"site": {"https://club.example/"}, "categories": {"Club, Music"}})
	page := b.Post("/admin/sources", form).Header.Get("Location")
	if !strings.HasPrefix(page, "/admin/sources/") {
		t.Fatalf("added: %d %q", b.Page.Status, page)
	}
	page, _, _ = strings.Cut(page, "?")
	k.ReadSources()
	p := b.Get(page)
	if !p.Shows("The club") || strings.Contains(p.Body, "S3CRET") || strings.Contains(p.Body, "PASSW0RD") || !strings.Contains(p.Body, "Club, Music") {
		t.Errorf("shown: %d %s", p.Status, p.Body)
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM events WHERE title = 'Choir'`); n != "1" {
		t.Errorf("%s events", n)
	}
	feed.Say("")
	b.Post(page, url.Values{"do": {"read"}})
	k.ReadSources()
	if p = b.Get("/admin/sources"); !strings.Contains(p.Body, `class="badge bad"`) {
		t.Errorf("a problem: %s", p.Body)
	}
	form = b.Fill(page, kit.NarrowForm, url.Values{"active": {"0"}, "do": {"save"}})
	if p = b.Post(page, form); p.Status != 303 || !b.Get("/admin/sources").Shows("Paused") {
		t.Errorf("paused: %d", p.Status)
	}
	if p = b.Post(page, form); p.Status != 409 {
		t.Errorf("an old form: %d", p.Status)
	}
	if p = b.Post(page, url.Values{"do": {"delete"}}); p.Status != 200 || !strings.Contains(p.Body, `value="trash"`) {
		t.Errorf("deleting asks: %d", p.Status)
	}
	b.Post(page, url.Values{"do": {"trash"}})
	k.ReadSources()
	if got := k.Peek("demo", `SELECT status || (SELECT count(*) FROM sources) FROM events WHERE title = 'Choir'`); got != "trash0" {
		t.Errorf("deleted: %s", got)
	}
	if p = k.Person("editor").Get("/admin/sources"); p.Status != 403 {
		t.Errorf("an editor: %d", p.Status)
	}
}
