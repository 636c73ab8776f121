package admin

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// deedOf is the part of the page of the history about the newest deed.
func deedOf(t *testing.T, p kit.Page) kit.Page {
	t.Helper()
	_, rest, found := strings.Cut(p.Body, `<li id="e-`)
	if !found {
		t.Fatalf("%d: no deed is shown", p.Status)
	}
	body, _, _ := strings.Cut(rest, `<li id="e-`)
	return kit.Page{Status: p.Status, Body: body}
}

// What was done to many events at once is one entry of the history, with its own Undo, until there is nothing left to undo.
func TestHistoryOfManyIsOne(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	var ids []int64
	for i := range 30 {
		ids = append(ids, k.Event(kit.Object{"title": fmt.Sprintf("Concert %d", i)}))
	}
	venue := k.Made("/venues", kit.Object{"venue": "New hall"})
	editor, admin := k.Person("editor"), k.Person("administrator")
	editor.Get("/admin/events?view=all")
	editor.Post("/admin/events", bulkSaving(bulkForm(editor, ids, "look", "set_venue", fmt.Sprint(venue))))
	deed := func() kit.Page {
		t.Helper()
		return deedOf(t, admin.Get("/admin/audit?who=editor&kind=event"))
	}
	p := deed()
	for _, text := range []string{"Changed", "30 events", "Venues", "Concert 1", ">editor<", "Undo"} {
		if !p.Shows(text) {
			t.Errorf("the deed lacks %q: %s", text, p.Body)
		}
	}
	details := kit.Unescape(regexp.MustCompile(`href="(/admin/audit[?][^"]*deed=[^"]*)"`).FindStringSubmatch(p.Body)[1])
	if p := admin.Get(details); strings.Count(p.Body, `<li id="e-`) != 30 || !p.Shows("Concert 29") {
		t.Errorf("%s has %d entries", details, strings.Count(p.Body, `<li id="e-`))
	}
	if p := k.Person("author").Get(details); p.Status != 200 || p.Shows("Concert 29") {
		t.Errorf("somebody else's deed: %d", p.Status)
	}
	k.Patch(fmt.Sprintf("/events/%d", ids[0]), "administrator", kit.Object{"venue": k.Made("/venues", kit.Object{"venue": "Old hall"})}).Want(t, 200, "")
	if p := deed(); !p.Shows("Undo") {
		t.Error("29 of 30 can still be undone")
	}
	undo := kit.FormAt(deed(), `<form`)
	if p := admin.Post("/admin/events/undo", undo); p.Status != 200 || !p.Shows("Not everything was undone") || !p.Shows("Concert 0") {
		t.Errorf("undo: %d %.2000s", p.Status, p.Body)
	}
	if n := k.Peek("demo", "SELECT count(*)::text FROM event_venues WHERE site_id = $1", k.Sites["demo"].ID); n != "1" {
		t.Errorf("%s events have a venue", n)
	}
	if p := deed(); p.Shows("Undo") {
		t.Error("nothing is left to undo")
	}
}

// Merged venues are one entry, which names both, and come back by it.
func TestHistoryOfMerge(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	keep, other := k.Made("/venues", kit.Object{"venue": "City hall"}), k.Made("/venues", kit.Object{"venue": "Town hall"})
	k.Event(kit.Object{"title": "Ball", "venue": other})
	admin := k.Person("administrator")
	form := kit.MergeForm(admin.Get(fmt.Sprintf("/admin/venues/merge?id=%d&id=%d&keep=%[1]d", keep, other)))
	form.Set("keep", fmt.Sprint(keep))
	form.Set("step", "save")
	form.Set("do", "merge")
	admin.Post("/admin/venues/merge", form)
	p := deedOf(t, admin.Get("/admin/audit"))
	for _, text := range []string{"Merged", "City hall", "Deleted", "Town hall", "Ball", "Undo"} {
		if !p.Shows(text) {
			t.Errorf("the merge lacks %q: %s", text, p.Body)
		}
	}
	if p := admin.Post("/admin/events/undo", kit.FormAt(p, `<form`)); p.Status != 303 {
		t.Errorf("undo: %d", p.Status)
	}
	if p := k.Get(fmt.Sprintf("/venues/%d", other), "administrator"); p.Status != 200 {
		t.Errorf("the venue is %d", p.Status)
	}
}

// What an administrator changes of an extra field is told with what it was before.
func TestHistoryOfExtraFields(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	admin := k.Person("administrator")
	form := kit.FormAt(admin.Get("/admin/fields"), `<form class="stack narrow"`)
	for name, value := range map[string]string{"label": "Stage", "kind": "choice", "options": "Main hall\nGarden", "of": "event", "do": "save"} {
		form.Set(name, value)
	}
	admin.Post("/admin/fields", form)
	form = kit.FormAt(admin.Follow(), `<form class="stack narrow"`)
	form.Set("label", "Place in the house")
	form.Set("do", "save")
	admin.Post("/admin/fields/edit", form)
	place := k.Entries("demo", 1)[0].Position.String()
	p := admin.Get("/admin/audit?kind=site&open=" + place)
	for _, text := range []string{"Place in the house · Name", "Stage"} {
		if !p.Shows(text) {
			t.Errorf("the history lacks %q: %s", text, p.Body)
		}
	}
}

// Who doesn't administer a site reads what they did themselves, and takes that back.
func TestHistoryOfOneself(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	theirs := k.Event(map[string]any{"title": "Secret plan", "status": "draft"})
	author := k.Person("author")
	made := k.Post("/events", "author", kit.NewEvent("Own choir")).Want(t, 201, "").ID()
	k.Post(fmt.Sprintf("/events/%d", made), "author", kit.Object{"title": "Own band"}).Want(t, 200, "")
	p := author.Get("/admin/audit")
	if p.Status != 200 || strings.Count(p.Body, `<li id="e-`) != 2 || !p.Shows("Own band") || p.Shows("Secret plan") || p.Shows(`name="who"`) || p.Shows("audit/export") {
		t.Errorf("%d, %d entries", p.Status, strings.Count(p.Body, `<li id="e-`))
	}
	for _, path := range []string{"/admin/audit?who=administrator", fmt.Sprintf("/admin/audit?kind=event&id=%d", theirs),
		"/admin/audit?open=" + k.Entries("demo", 50)[3].Position.String()} {
		if p := author.Get(path); p.Status != 200 || p.Shows("Secret plan") {
			t.Errorf("%s: %d, tells what others did: %v", path, p.Status, p.Shows("Secret plan"))
		}
	}
	if p := author.Get("/admin/audit/export?format=csv"); p.Status != http.StatusForbidden {
		t.Errorf("the export: %d", p.Status)
	}
	if p := k.Person("subscriber").Get("/admin/audit"); p.Status != http.StatusForbidden {
		t.Errorf("a subscriber: %d", p.Status)
	}
	undo := kit.FormAt(deedOf(t, author.Get("/admin/audit?kind=event")), `<form`)
	if author.Post("/admin/events/undo", undo); author.Page.Status != 303 {
		t.Fatalf("undo: %d", author.Page.Status)
	}
	if title := k.Get(fmt.Sprintf("/events/%d", made), "author").At("title"); title != "Own choir" {
		t.Errorf("after Undo it is called %v", title)
	}
	if p := author.Get("/admin/audit?kind=event&action=update"); strings.Count(p.Body, `action="/admin/events/undo"`) != 1 {
		t.Errorf("what is undone can be undone %d times", strings.Count(p.Body, `action="/admin/events/undo"`))
	}
}
