package admin

import (
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// oneOf is a calendar with one event.
func oneOf(title string) string {
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:a@b.example\r\nDTSTAMP:20300101T000000Z\r\n" +
		"DTSTART:20300501T180000Z\r\nSUMMARY:" + title + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
}

// The form of an event says which fields its source leaves alone, and takes one back by one press, which the history tells.
func TestSourceKeptInForm(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	feed := k.Outlet(oneOf("Choir"))
	k.Source(kit.Object{"url": feed.URL, "name": "The club"})
	k.ReadSources()
	b := k.Person("editor")
	path := "/admin/events/" + k.Peek("demo", `SELECT id::text FROM events`)
	if p := b.Get(path); p.Shows("no longer updates") {
		t.Errorf("untouched: %s", p.Body)
	}
	b.Post(path, b.Fill(path, kit.EveryEditor, url.Values{"title": {"Ours"}, "start_date": {"2030-05-02T20:00"}, "end_date": {"2030-05-02T21:00"}, "website": {"https://ours.example/"}}))
	p := b.Get(path)
	if !p.Shows("“The club” no longer updates them") || !p.Shows("text again: Title") || !p.Shows("text again: When") || strings.Count(p.Body, `name="field"`) != 2 {
		t.Errorf("changed: %d %s", p.Status, p.Body)
	}
	if p = b.Post(path+"/source", url.Values{"field": {"title"}}); p.Status != 303 {
		t.Errorf("taken back: %d %s", p.Status, p.Body)
	}
	const shows = `SELECT title || ' ' || start_local::date::text || ' ' || website FROM events`
	if got := k.Peek("demo", shows); got != "Choir 2030-05-02 https://ours.example/" {
		t.Errorf("one field: %s", got)
	}
	for range 2 {
		b.Post(path+"/source", url.Values{"field": {"start_date"}})
	}
	if got := k.Peek("demo", shows); got != "Choir 2030-05-01 https://ours.example/" {
		t.Errorf("when: %s", got)
	}
	if p = b.Get(path); strings.Contains(p.Body, `name="field"`) {
		t.Errorf("nothing is kept: %s", p.Body)
	}
	if p = b.Get(path + "/revisions"); strings.Count(p.Body, "Choir") < 2 {
		t.Errorf("the history: %s", p.Body)
	}
	if p = k.Person("contributor").Post(path+"/source", url.Values{"field": {"title"}}); p.Status != 403 {
		t.Errorf("a contributor: %d", p.Status)
	}
}

// The form of a source has what its kind uses, which is chosen before, and nothing else.
func TestSourceFormsByKind(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	for kind, has := range map[string]string{"": "user gone", "ics": "user password gone site every policy", "table": "user gone", "schema": "user gone",
		"tec": "user password gone filter", "kalends": "user gone filter", "site": "filter mapping status categories active", "nonsense": "user gone"} {
		p := b.Get("/admin/sources?kind=" + kind)
		for name := range strings.FieldsSeq("user password site every policy gone status categories filter mapping active") {
			shown := strings.Contains(p.Body, `name="`+name+`"`)
			if strings.Contains(has, name) && !shown || kind == "site" && shown != strings.Contains(" "+has+" ", " "+name+" ") ||
				name == "mapping" && shown != (kind == "site") || name == "filter" && shown != (kind == "tec" || kind == "kalends" || kind == "site") {
				t.Errorf("%s: %s is shown: %t", kind, name, shown)
			}
		}
	}
	if p := b.Get("/admin/sources?kind=kalends"); !strings.Contains(p.Body, `value="trash" selected`) {
		t.Errorf("what other installations no longer have: %s", p.Body)
	}
	form := b.Fill("/admin/sources?kind=kalends", kit.NarrowForm, url.Values{"name": {"The town"}, "url": {"https://town.example/"}, "filter": {"categories=music"}, "active": {"0"}})
	page := b.Post("/admin/sources", form).Header.Get("Location")
	page, _, _ = strings.Cut(page, "?")
	if p := b.Get(page); !strings.Contains(p.Body, `value="categories=music"`) || !strings.Contains(p.Body, `name="kind" value="kalends"`) {
		t.Errorf("its page: %d %s", p.Status, p.Body)
	}
}

// An administrator adds a source, sees how it is, has it read, pauses it, and says what becomes of its events.
func TestSourcePages(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	feed := k.Outlet(oneOf("Choir"))
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
