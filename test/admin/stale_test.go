package admin

import (
	"fmt"
	"maps"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// inDays is the form of a time on a later day.
func inDays(n int) string { return time.Now().AddDate(0, 0, n).Format("2006-01-02") + " 12:00:00" }

// soonEvent makes an event in some days, with more fields, and returns its ID.
func soonEvent(k *kit.Kit, as, title string, days int, more kit.Object) string {
	k.T.Helper()
	body := kit.Object{"title": title, "status": "publish", "start_date": inDays(days), "end_date": inDays(days)}
	maps.Copy(body, more)
	return fmt.Sprint(k.Post("/events", as, body).Want(k.T, 201, "").ID())
}

// staleKit returns a site with three events that somebody should check – one by the author, one by the editor and a series – and
// with others that nobody has to. It returns the IDs of the three.
func staleKit(t *testing.T) (k *kit.Kit, choir, fair, yoga string) {
	t.Helper()
	k = kit.New(t)
	if p := k.Person("editor").Get("/admin/events"); p.Shows("view=confirm") || p.Shows(`class="badge waits"`) {
		t.Error("an empty site has something to confirm")
	}
	choir = soonEvent(k, "author", "Choir", 10, nil)
	fair = soonEvent(k, "editor", "Fair", 59, nil)
	yoga = soonEvent(k, "editor", "Yoga", -300, kit.Object{"recurrence": kit.Object{"every": "week"}})
	soonEvent(k, "editor", "Far", 70, nil)
	soonEvent(k, "editor", "Past", -10, nil)
	soonEvent(k, "editor", "Draft", 10, kit.Object{"status": "draft"})
	soonEvent(k, "editor", "Off", 10, kit.Object{"event_status": "cancelled"})
	soonEvent(k, "editor", "Secret", 10, kit.Object{"hide_from_listings": true})
	soonEvent(k, "editor", "Fed", 10, nil)
	k.Change("demo", "UPDATE events SET modified_at = now() - interval '7 months'")
	k.Change("demo", `INSERT INTO sources (site_id, id, version, name, kind, sealed, known, every, policy, gone, user_id, home, created_at)
		SELECT id, 1, 1, 'Feed', 'ics', '', '', 3600, 'update', 'cancel', 1, '', now() FROM sites WHERE slug = 'demo'`)
	k.Change("demo", "UPDATE events SET source_id = 1 WHERE title = 'Fed'")
	soonEvent(k, "editor", "Fresh", 10, nil)
	return k, choir, fair, yoga
}

// waitsFor is what a page shows beside the navigation for a number of items.
func waitsFor(n int) string {
	return fmt.Sprintf(`<span aria-hidden="true">%d</span> <span class="hidden">waiting: %[1]d</span>`, n)
}

// Events that nobody has changed for half a year are counted, listed with who has changed them last, and confirmed with one button.
func TestStaleEventsAreConfirmed(t *testing.T) {
	t.Parallel()
	k, choir, fair, yoga := staleKit(t)
	before := k.Get("/events/"+choir, "").Want(t, 200, "").Body
	const tab = "/admin/events?view=confirm"
	author, editor := k.Person("author"), k.Person("editor")
	if p := k.Person("contributor").Get("/admin/events"); p.Shows("view=confirm") || p.Shows(`class="badge waits"`) {
		t.Error("a contributor is asked to confirm")
	}
	p := author.Get(tab)
	if !p.Shows(waitsFor(1)) || !p.Shows(`id="event-`+choir+`"`) || strings.Count(p.Body, `name="confirm"`) != 1 {
		t.Errorf("the author isn't asked about their own event alone: %d buttons", strings.Count(p.Body, `name="confirm"`))
	}
	p = editor.Get(tab)
	for _, id := range []string{choir, fair, yoga} {
		if !p.Shows(`id="event-` + id + `"`) {
			t.Errorf("event %s isn't listed", id)
		}
	}
	if !p.Shows(waitsFor(3)) || strings.Count(p.Body, `name="confirm"`) != 3 {
		t.Errorf("the editor isn't asked about three: %d buttons", strings.Count(p.Body, `name="confirm"`))
	}
	if p := editor.Get("/admin/desk"); !p.Shows(`<a href="/admin/events?view=confirm">Unchanged for six months</a> <span class="count">3</span>`) {
		t.Error("the overview doesn't count them")
	}
	form := kit.FormAt(author.Get("/admin/events/"+choir), `class="said"`)
	form.Set("confirm", choir)
	if p := author.Post("/admin/events", form); p.Status != 303 {
		t.Fatalf("confirmed by the author: %d", p.Status)
	}
	if p := author.Get("/admin/events/" + choir); !p.Shows("1 entry confirmed.") || p.Shows(`name="confirm"`) || p.Shows(`class="badge waits"`) {
		t.Error("the author is asked again")
	}
	if p := author.Get("/admin/events/" + choir + "/revisions"); !p.Shows("<b>Confirmed</b>") {
		t.Error("the history doesn't have the confirmation")
	}
	if p := k.Person("administrator").Get("/admin/audit"); !p.Shows("Confirmed") {
		t.Error("the history of the site doesn't have the confirmation")
	}
	after := k.Get("/events/"+choir, "").Want(t, 200, "").Body
	for name, value := range before {
		if fmt.Sprint(after[name]) != fmt.Sprint(value) && !strings.HasPrefix(name, "modified") && name != "version" {
			t.Errorf("%s became %v", name, after[name])
		}
	}
	form = kit.FormAt(editor.Get(tab), `data-many`)
	form.Set("do", "confirm")
	form["id"] = []string{fair, yoga}
	editor.Post("/admin/events", form)
	if p := editor.Get(tab); !p.Shows("2 entries confirmed.") || p.Shows(`name="confirm"`) || p.Shows(`class="badge waits"`) {
		t.Error("what was confirmed is asked about again")
	}
	if p := editor.Get("/admin/events"); p.Shows("view=confirm") {
		t.Error("there is a tab for nothing")
	}
	version := k.Peek("demo", "SELECT version::text FROM events WHERE id = $1::bigint", fair)
	editor.Post("/admin/events", url.Values{"csrf": form["csrf"], "seen": {kit.AllSeen}, "confirm": {fair}, "to": {tab}})
	if now := k.Peek("demo", "SELECT version::text FROM events WHERE id = $1::bigint", fair); now != version {
		t.Error("what needs no confirmation was written")
	}
}

// People are told once of events that have become stale, in their language: editors of all, authors of theirs in their area.
func TestPeopleAreToldOfStaleEvents(t *testing.T) {
	t.Parallel()
	k, post := waitingKit(t)
	for _, role := range []string{"author", "editor", "contributor"} {
		k.Password(role)
	}
	// They became stale when their dates were 60 days away: half a year after a change is some days earlier or later in some months.
	soonEvent(k, "author", "Choir", 58, nil)
	soonEvent(k, "editor", "Fair", 59, nil)
	k.Change("demo", "UPDATE events SET modified_at = now() - interval '7 months'")
	k.Change("demo", "UPDATE users SET told = 'at_once', told_at = told_at - interval '9 days', language = CASE role WHEN 'editor' THEN 'de' ELSE 'en' END")
	k.Change("demo", "UPDATE users SET venues = '{999}' WHERE role = 'author'")
	k.TellPeople()
	letter := post.Next()
	for _, want := range []string{"Veranstaltungen, die zu überprüfen sind (2)", "– Choir", "– Fair", "/admin/events?view=confirm"} {
		if !strings.Contains(letter.Text, want) {
			t.Errorf("the editor's mail lacks %q:\n%s", want, letter.Text)
		}
	}
	post.None() // the event is not in the author's area
	k.Change("demo", "UPDATE users SET venues = '{}' WHERE role = 'author'")
	k.Exec("UPDATE attention_rounds SET looked = 0")
	k.TellPeople()
	letter = post.Next()
	if !strings.Contains(letter.Text, "Events to check (1)") || !strings.Contains(letter.Text, "– Choir") || strings.Contains(letter.Text, "Fair") {
		t.Errorf("the author's mail:\n%s", letter.Text)
	}
	k.Exec("UPDATE attention_rounds SET looked = 0")
	k.TellPeople()
	post.None()
}
