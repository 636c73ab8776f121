package admin

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// What a list does with many events does nothing with those that were changed after the list was opened; its answer shows what
// has changed, and offers to decide once more.
func TestManyChangedMeanwhile(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	music := k.Made("/categories", kit.Object{"name": "Music"})
	b := k.Person("editor")
	for _, c := range []struct{ do, before, after string }{
		{"publish", "pending", "publish"}, {"draft", "publish", "draft"}, {"trash", "publish", "trash"}, {"category", "publish", "publish"},
		{"cancel", "publish", "publish"},
	} {
		seen, other := k.Event(kit.Object{"title": "Poetry slam", "status": c.before}), k.Event(kit.Object{"title": "Quiet", "status": c.before})
		b.Get("/admin/events?view=all")
		k.Patch(fmt.Sprintf("/events/%d", seen), "administrator", kit.Object{"title": "Buy pills"}).Want(t, 200, "")
		form := url.Values{"do": {c.do}, "sure": {"1"}, "id": {fmt.Sprint(seen), fmt.Sprint(other)}, "to": {"/admin/events"}, "category": {fmt.Sprint(music)}}
		p := b.Post("/admin/events", form)
		if p.Status != 409 || !p.Shows("These entries were changed after you opened the page") || !p.Shows("Buy") || !p.Shows("Poetry") || p.Shows("Quiet") {
			t.Errorf("%s: %d %.3000s", c.do, p.Status, p.Body)
		}
		state := func(id int64) string {
			return k.Peek("demo", fmt.Sprintf("SELECT status || event_status || (SELECT count(*) FROM event_terms t WHERE t.event_id = e.id) FROM events e WHERE id = %d", id))
		}
		if got := state(seen); got != c.before+"scheduled0" {
			t.Errorf("%s: what was changed became %s", c.do, got)
		}
		if got := state(other); got == c.before+"scheduled0" {
			t.Errorf("%s: nothing happens with what was not changed", c.do)
		}
		again := kit.FormAt(p, `<form class="buttons"`)
		again.Set("do", c.do)
		if p := b.Post("/admin/events", again); p.Status != 303 || state(seen) == c.before+"scheduled0" {
			t.Errorf("%s, having seen it: %d %s", c.do, p.Status, state(seen))
		}
	}
}

// So does what a list does with everything that it finds, on pages that nobody has opened, too.
func TestAllChangedMeanwhile(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	var last int64
	for i := range 25 {
		last = k.Event(kit.Object{"title": fmt.Sprint("Talk ", i), "status": "pending", "start_date": fmt.Sprintf("2031-01-%02d 10:00", i+1), "end_date": fmt.Sprintf("2031-01-%02d 11:00", i+1)})
	}
	b := k.Person("editor")
	b.Get("/admin/events?search=talk&view=all")
	k.Patch(fmt.Sprintf("/events/%d", last), "administrator", kit.Object{"title": "Talk about pills"}).Want(t, 200, "")
	if p := b.Post("/admin/events", url.Values{"do": {"publish"}, "all": {"1"}, "to": {"/admin/events?search=talk&view=all"}}); p.Status != 409 || !p.Shows("24 entries published.") {
		t.Errorf("%d %.2000s", p.Status, p.Body)
	}
	if got := k.Get(fmt.Sprintf("/events/%d", last), "administrator").Body["status"]; got != "pending" {
		t.Errorf("what was changed is %v", got)
	}
}

// Deleting for good asks first; what somebody restored or changed before the answer stays. So does what goes to the trash from the
// form of an event, a place in the trash, and a term.
func TestRemovedAfterChange(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	event := fmt.Sprint(k.Event(kit.Object{"title": "Poetry slam"}))
	venue := fmt.Sprint(k.Made("/venues", kit.Object{"venue": "Old hall"}))
	category := fmt.Sprint(k.Made("/categories", kit.Object{"name": "Music"}))
	path := "/admin/events/" + event
	form := b.Fill(path, `<form id="remove"`, url.Values{"do": {"remove"}})
	k.Patch("/events/"+event, "administrator", kit.Object{"title": "Poetry night"}).Want(t, 200, "")
	if p := b.Post(path+"/remove", form); p.Status != 409 || !p.Shows("night") {
		t.Errorf("an event: %d %.2000s", p.Status, p.Body)
	}
	k.Del("/events/"+event, "administrator").Want(t, 200, "")
	k.Del("/venues/"+venue, "administrator").Want(t, 200, "")
	for section, id := range map[string]string{"events": event, "venues": venue} {
		b.Get("/admin/trash")
		p := b.Post("/admin/"+section, url.Values{"do": {"delete"}, "id": {id}, "to": {"/admin/trash"}})
		again := kit.FormAt(p, `<form class="buttons"`)
		again.Set("do", "delete")
		k.Patch("/"+section+"/"+id, "administrator", kit.Object{"status": "publish"}).Want(t, 200, "")
		if p := b.Post("/admin/"+section, again); p.Status != 409 || k.Get("/"+section+"/"+id, "").Status != 200 {
			t.Errorf("%s: %d", section, p.Status)
		}
	}
	b.Get("/admin/categories/" + category)
	k.Patch("/categories/"+category, "administrator", kit.Object{"name": "Concerts"}).Want(t, 200, "")
	if p := b.Post("/admin/categories/"+category, url.Values{"do": {"delete"}, "sure": {"1"}}); p.Status != 303 || !b.Follow().Shows("someone else has changed this") {
		t.Errorf("a category: %d", p.Status)
	}
	other := fmt.Sprint(k.Made("/categories", kit.Object{"name": "Arts"}))
	b.Get("/admin/categories")
	k.Patch("/categories/"+category, "administrator", kit.Object{"name": "Music again"}).Want(t, 200, "")
	b.Post("/admin/categories", url.Values{"do": {"move"}, "id": {category}, "below": {other}})
	if p := b.Follow(); !p.Shows("someone else has changed this") || k.Get("/categories/"+category, "").Body["parent"] != 0.0 {
		t.Errorf("a category moved: %.2000s", p.Body)
	}
}

// A picture that was put to use after its page was opened is not deleted, and an alternative text does not replace one that the page
// has not shown.
func TestPictureChangedMeanwhile(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	path := kit.InLibrary(k, b)
	id := path[len("/admin/media/"):]
	b.Get(path)
	p := b.Post(path, url.Values{"do": {"delete"}})
	form := kit.FormAt(p, `<form class="stack narrow after"`)
	form.Set("do", "delete")
	k.Made("/venues", kit.Object{"venue": "Town hall", "image": id})
	if p := b.Post(path, form); p.Status != 409 || k.Get("/media/"+id, "").Status != 200 {
		t.Errorf("deleted: %d", p.Status)
	}
	other := k.Person("administrator")
	b.Get(path)
	other.Get(path)
	other.Post(path, url.Values{"alt": {"A choir"}, "do": {"save"}})
	if p := b.Post(path, url.Values{"alt": {"Pills"}, "do": {"save"}}); p.Status != 409 || k.Peek("demo", "SELECT alt FROM images WHERE id = "+id) != "A choir" {
		t.Errorf("described: %d", p.Status)
	}
}
