package admin

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// paste sends a list, and returns the address of its dry run when that is done.
func paste(b *kit.Browser, lines, once string) string {
	b.K.T.Helper()
	b.Get("/admin/import")
	p := b.Post("/admin/import", url.Values{"lines": {lines}, "policy": {"update"}, "status": {"publish"}, "once": {once}, "do": {"save"}})
	if p.Status != http.StatusSeeOther {
		b.K.T.Fatalf("%d %.3000s", p.Status, p.Body)
	}
	b.K.RunImports()
	return p.Header.Get("Location")
}

// A list of a sheet of paper becomes a table; what is wrong in it is marked and can be changed, and everything is published together.
func TestPastedLists(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2030, 3, 1, 8, 0, 0, 0, time.UTC)
	k.Event(kit.Object{"title": "Choir", "start_date": "2030-03-07 20:00:00", "end_date": "2030-03-07 21:00:00", "status": "publish"})
	b := k.Person("editor")
	count := func(where string) string {
		return k.Peek("demo", "SELECT count(*)::text FROM events WHERE site_id = $1 AND status = 'publish' AND "+where, k.Sites["demo"].ID)
	}
	look := paste(b, "Thu 7 March 19:30 Choir, Town hall, $12\nTea 31/2 14:00\nBall every second Friday 8pm\n\nSunday, 10 March 2030\n10:00 Brunch, Cafe\n", "ONCE1")
	p := b.Get(look)
	for _, want := range []string{">\nChoir</textarea>", `name="c.1.start_date" type="date" value="2030-03-07"`, `name="c.1.start_time" type="time" value="19:30"`,
		">\n$12</textarea>", "Already on this site:", `name="c.2.start_date" type="text" value="31/2"`, "“31/2” is not a date or time.",
		"“every second Friday” is not a clear repetition.", `name="c.4.start_date" type="date" value="2030-03-10"`, `aria-invalid="true"`} {
		if !strings.Contains(p.Body, want) {
			t.Errorf("the table lacks %s", want)
		}
	}
	if again := paste(b, "Other Thu 19:30", "ONCE1"); again != look {
		t.Errorf("the form that was sent twice made %s beside %s", again, look)
	}
	form := b.Fill(look, `<form class="send" id="import-form"`, url.Values{"do": {"look"}, "c.2.start_date": {"2030-03-12"}, "c.3.leave_out": {"1"}, "c.4.title": {"Great brunch"}})
	looked := b.Post(look, form).Header.Get("Location")
	k.RunImports()
	if p := b.Get(looked); looked == look || !p.Shows("Great brunch") || !p.Shows("Left out: 1") || count("title <> 'Choir'") != "0" {
		t.Fatalf("looked again: %s %d, %s events", looked, p.Status, count("title <> 'Choir'"))
	}
	form = b.Fill(looked, `<form class="send" id="import-form"`, url.Values{"do": {"run"}, "c.1.venue": {"Old hall"}})
	run := b.Post(looked, form).Header.Get("Location")
	k.RunImports()
	for where, want := range map[string]string{"title = 'Great brunch' AND start_local = '2030-03-10 10:00'": "1", "title = 'Tea' AND start_local = '2030-03-12 14:00'": "1",
		"title = 'Choir'": "2", "title = 'Ball'": "0"} {
		if got := count(where); got != want {
			t.Errorf("%s: %s events, want %s", where, got, want)
		}
	}
	if got := k.Peek("demo", `SELECT count(*)::text FROM venues WHERE site_id = $1 AND name = 'Old hall'`, k.Sites["demo"].ID); got != "1" {
		t.Errorf("%s venues", got)
	}
	if p := b.Get(run); !p.Shows("Thursday, March\u00a07,\u00a02030") || strings.Contains(p.Body, "2030-03-07 19:30:00") {
		_, found, _ := strings.Cut(p.Body, "<main")
		t.Errorf("the report: %d %s", p.Status, found)
	}
	if p := b.Get(run); !strings.Contains(p.Body, ">Left out<") || !p.Shows("Left out: 1") {
		t.Errorf("the report does not say what was left out: %d", p.Status)
	}
	listed := func() int { return strings.Count(b.Get("/admin/import").Body, `<a href="/admin/import/`) }
	if n := listed(); n != 1 {
		t.Errorf("%d imports are listed, with the checks that led to one", n)
	}
	paste(b, "Tea 12 March 2030 15:00", "ONCE4")
	k.RunImports()
	paste(b, "Tea 12 March 2030 15:00", "ONCE5")
	k.RunImports()
	if n := listed(); n != 2 {
		t.Errorf("%d imports are listed, with an older check of the same list", n)
	}
	if p := b.Post("/admin/import", url.Values{"lines": {" "}, "policy": {"update"}, "do": {"save"}}); p.Status != 422 || !strings.Contains(p.Body, `id="p-lines"`) {
		t.Errorf("nothing: %d %.3000s", p.Status, p.Body)
	}
}

// Before a list is imported, its page says which venues are new. A venue in parentheses is recognised, and the end of what
// begins "from" a time is unknown.
func TestPastedListSaysWhatIsNew(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2030, 3, 1, 8, 0, 0, 0, time.UTC)
	k.Made("/venues", kit.Object{"venue": "Town library", "status": "publish"})
	b := k.Person("editor")
	look := paste(b, "Reading (Town library), 7 March 2030 19:30\nBall, 8 March 2030 20:00-23:00, Old hall\nTea (with cake), 9 March 2030 from 15:00, Old hall\nRace 31/2 9:00, Stadium\n", "ONCE2")
	p := b.Get(look)
	if added, venue, badges := p.Shows("Will be added:"), p.Shows("Venues: 1 (Old hall)"), strings.Count(p.Body, `<span class="badge">New venue<`); !added || !venue || badges != 2 {
		t.Errorf("what is new: %t, %t, %d times", added, venue, badges)
	}
	b.Post(look, url.Values{"do": {"run"}, "status": {"publish"}})
	k.RunImports()
	for title, want := range map[string]string{"Reading": "Town library false", "Ball": "Old hall false", "Tea (with cake)": "Old hall true"} {
		if got := k.Peek("demo", `
			SELECT v.name || ' ' || e.end_unknown
			FROM events e JOIN event_venues l ON l.site_id = e.site_id AND l.event_id = e.id JOIN venues v ON v.site_id = e.site_id AND v.id = l.venue_id
			WHERE e.site_id = $1 AND e.title = $2`, k.Sites["demo"].ID, title); got != want {
			t.Errorf("%s: %s, want %s", title, got, want)
		}
	}
	text := "Talk (Town library) Thu 7 March 2030 from 19:30"
	_, read, _ := strings.Cut(b.Get("/admin/events/quick?text="+url.QueryEscape(text)).Body, `class="understood"`)
	if read, _, _ = strings.Cut(read, "</dl>"); !strings.Contains(read, "<bdi>Town library</bdi>") || strings.Contains(read, "New venue") || !strings.Contains(read, "from\u00a07:30") {
		t.Errorf("quick add: %s", read)
	}
	b.Post("/admin/events/quick", url.Values{"text": {text}, "once": {"ONCE3"}})
	if got := k.Peek("demo", `SELECT end_unknown::text FROM events WHERE site_id = $1 AND title = 'Talk'`, k.Sites["demo"].ID); got != "true" {
		t.Errorf("the end of what was added quickly is unknown: %s", got)
	}
}

// Columns that nobody knows are chosen once; another file with them is read alike.
func TestChosenColumns(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	send := func(day int) string {
		a := k.StartImport(kit.Sent{Name: "a.csv", File: fmt.Sprintf("Was;Anfang;Wieviel\nChor;%d.3.2030;5 €\n", day), Fields: map[string]string{"dry_run": "true"}})
		k.RunImports()
		return fmt.Sprint("/admin/import/", a.ID())
	}
	look := send(1)
	if p := b.Get(look); !strings.Contains(p.Body, `name="column.1"`) || !p.Shows("Which column is the title?") || !p.Shows("Which column is the date?") || p.Shows("Failed") {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	looked := b.Post(look, url.Values{"do": {"look"}, "column.0": {"Event Name"}, "column.1": {"Event Start Date"}, "column.2": {"Event Cost"}}).Header.Get("Location")
	k.RunImports()
	if p := b.Get(looked); !strings.Contains(p.Body, `value="2030-03-01"`) || !strings.Contains(p.Body, "\n5 €</textarea>") {
		t.Errorf("chosen: %d %s", p.Status, p.Body)
	}
	if p := b.Get(send(2)); !strings.Contains(p.Body, `value="2030-03-02"`) {
		t.Errorf("remembered: %d %s", p.Status, p.Body)
	}
	half := k.StartImport(kit.Sent{Name: "b.csv", File: "Was;Tag;Beginn\nChor;1.3.2030;19:30\n", Fields: map[string]string{"dry_run": "true"}})
	k.RunImports()
	if p := b.Get(fmt.Sprint("/admin/import/", half.ID())); !p.Shows("Which column is the title?") || p.Shows("Which column is the date?") || p.Shows("columns for the title") {
		t.Errorf("only the title is missing: %d %s", p.Status, p.Body)
	}
}
