package admin

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Two people at one event: the second is told who types there, and who saved before.
func TestAdminTwoAtOnce(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(map[string]any{"title": "Shared"})
	path := fmt.Sprintf("/admin/events/%d", id)
	anna, ben := k.Person("administrator"), k.Person("editor")
	form := kit.FormIn(anna.Get(path))
	if p := ben.Get(path); p.Shows("is also editing this event") {
		t.Error("nobody types yet")
	}
	typed := url.Values{"event": {fmt.Sprint(id)}, "version": {form.Get("version")}, "title": {"Anna’s"}}
	if p := anna.Post("/admin/drafts", typed); p.Status != 200 || p.Shows("is also editing") {
		t.Errorf("one's own typing: %d %s", p.Status, p.Body)
	}
	bens := kit.FormIn(ben.Get(path))
	if !ben.Page.Shows("administrator is also editing this event (last change: ") {
		t.Errorf("who types isn't told: %s", ben.Page.Body)
	}
	typed.Set("title", "Ben’s")
	if p := ben.Post("/admin/drafts", typed); !p.Shows("administrator is also editing this event (last change: ") {
		t.Errorf("while typing it isn't told: %s", p.Body)
	}
	form.Set("title", "Anna’s")
	if p := anna.Post(path, form); p.Status != 303 {
		t.Fatalf("saved: %d", p.Status)
	}
	bens.Set("title", "Ben’s")
	if p := ben.Post(path, bens); p.Status != 409 || !p.Shows("Saved by administrator, ") {
		t.Errorf("who saved isn't told: %d %s", p.Status, p.Body)
	}
}

// What is typed is kept only for events that exist and that its writer may edit; others learn nothing about who types there.
func TestDraftsOfOthersEvents(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(map[string]any{"title": "Shared"})
	path := fmt.Sprintf("/admin/events/%d", id)
	anna, carl := k.Person("administrator"), k.Person("contributor")
	anna.Get(path)
	anna.Post("/admin/drafts", url.Values{"event": {fmt.Sprint(id)}, "title": {"Anna’s"}})
	carl.Get("/admin/events")
	for event, want := range map[string]int{fmt.Sprint(id): 403, "987654321": 404} {
		if p := carl.Post("/admin/drafts", url.Values{"event": {event}, "title": {"Carl’s"}}); p.Status != want || p.Shows("also editing") {
			t.Errorf("%s: %d, want %d %s", event, p.Status, want, p.Body)
		}
	}
	if p := anna.Get(path); p.Shows("is also editing this event") {
		t.Error("somebody who may not edit the event types there")
	}
	own := k.Post("/events", "contributor", map[string]any{"title": "Carl’s own", "start_date": "2030-05-01 10:00", "end_date": "2030-05-01 12:00"}).ID()
	typed := url.Values{"event": {fmt.Sprint(own)}, "title": {"More"}}
	if p := carl.Post("/admin/drafts", typed); p.Status != 200 {
		t.Errorf("one's own: %d %s", p.Status, p.Body)
	}
	k.Post(fmt.Sprintf("/events/%d", own), "editor", map[string]any{"status": "publish"})
	if p := carl.Post("/admin/drafts", typed); p.Status != 200 {
		t.Errorf("one's own, published meanwhile: %d %s", p.Status, p.Body)
	}
}

// The trash says who threw things away and when, and the history what they are called.
func TestAdminTrashSaysWho(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	event := k.Event(map[string]any{"title": "Called off"})
	venue := k.Post("/venues", "administrator", map[string]any{"venue": "Old hall"}).ID()
	editor := k.Person("editor")
	editor.Get("/admin/events")
	editor.Post("/admin/events", url.Values{"do": {"trash"}, "id": {fmt.Sprint(event)}, "to": {"/admin/events"}})
	editor.Post("/admin/venues", url.Values{"do": {"trash"}, "id": {fmt.Sprint(venue)}, "to": {"/admin/venues"}})
	p := editor.Get("/admin/trash")
	if n := strings.Count(p.Body, `<span class="soft">Deleted by editor, `); n != 2 || !p.Shows("Called off</bdi> <span class=\"soft\">Mar\u00a01,\u00a02030</span>") || !p.Shows("Old hall") {
		t.Errorf("%d times it is said who", n)
	}
	admin := k.Person("administrator")
	if p := admin.Get("/admin/audit"); strings.Count(p.Body, `<bdi>Called off</bdi>`) != 2 || strings.Count(p.Body, `<bdi>Old hall</bdi>`) != 2 {
		t.Errorf("titles in the history: %s", p.Body)
	}
}

// What was restored goes back to the trash by Undo, and comes from there as it was.
func TestAdminUndoOfRestore(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(map[string]any{"title": "Found again", "slug": "found-again", "status": "pending"})
	b := k.Person("editor")
	b.Get("/admin/events")
	do := func(name string) kit.Page {
		t.Helper()
		b.Post("/admin/events", url.Values{"seen": {kit.AllSeen}, "do": {name}, "id": {fmt.Sprint(id)}, "to": {"/admin/trash"}})
		return b.Follow()
	}
	undo := func(p kit.Page) {
		t.Helper()
		form := kit.FormAt(p, `<form class="said undo"`)
		if form.Get("writes") == "" {
			t.Fatalf("no Undo: %s", p.Body)
		}
		if b.Post("/admin/events/undo", url.Values{"writes": {form.Get("writes")}, "to": {"/admin/trash"}}); b.Page.Status != 303 {
			t.Fatalf("undone: %d", b.Page.Status)
		}
		b.Follow()
	}
	status := func() string {
		return k.Peek("demo", fmt.Sprintf("SELECT status || ' ' || slug FROM events WHERE id = %d", id))
	}
	do("trash")
	undo(do("restore"))
	if got := status(); got != "trash found-again__trashed" {
		t.Errorf("after Undo it is %s", got)
	}
	do("restore")
	if got := status(); got != "pending found-again" {
		t.Errorf("restored it is %s", got)
	}
	undo(do("trash"))
	if got := status(); got != "pending found-again" {
		t.Errorf("after Undo of the trash it is %s", got)
	}
}

// The pages of things without earlier versions of their own lead to their history.
func TestAdminHistoryOfOne(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Post("/categories", "administrator", map[string]any{"name": "Readings"}).ID()
	path := fmt.Sprintf("/admin/categories/%d", id)
	link := fmt.Sprintf("/admin/audit?kind=category&id=%d", id)
	admin := k.Person("administrator")
	if p := admin.Get(path); !p.Shows(`href="` + link + `"`) {
		t.Errorf("no way to the history: %s", p.Body)
	}
	if p := admin.Get(link); strings.Count(p.Body, `<li id="e-`) != 1 || !p.Shows("Readings") {
		t.Errorf("its history: %s", p.Body)
	}
	if p := k.Person("editor").Get(path); p.Status != 200 || p.Shows("/admin/audit?") {
		t.Errorf("an editor is led to what only administrators read: %d", p.Status)
	}
}
