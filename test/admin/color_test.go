package admin

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

func TestAdminColor(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Post("/categories", "administrator", map[string]any{"name": "Music"}).ID()
	k.Event(kit.Object{"categories": []int64{id}})
	before := k.Get(fmt.Sprintf("/categories/%d", id), "")
	path := fmt.Sprintf("/admin/categories/%d", id)
	b := k.Person("editor")
	stored := func() string {
		return k.Peek("demo", `SELECT COALESCE(color, 'none') FROM terms WHERE taxonomy = 'category' AND id = $1`, id)
	}
	save := func(change ...string) kit.Page {
		form := kit.FormAt(b.Get(path), `<form class="stack narrow"`)
		for i := 0; i+1 < len(change); i += 2 {
			form[change[i]] = []string{change[i+1]}
		}
		form.Set("do", "save")
		return b.Post(path, form)
	}
	if save(); stored() != "none" {
		t.Error("a form that wasn't touched gives a colour:", stored())
	}
	if save("color", "#A1B2C3"); stored() != "#a1b2c3" {
		t.Error("picked, though the box for none is ticked:", stored())
	}
	if page := b.Get("/events/category/music/"); !strings.Contains(page.Body, `fill="#a1b2c3"`) {
		t.Error("the public page shows no mark")
	}
	if a := k.Look("/category/music.ics"); strings.Count(string(a.Raw), "\r\nCOLOR:darkgray\r\n") != 1 {
		t.Errorf("the calendar file has no colour by name: %s", a.Raw)
	}
	if page := b.Get("/admin/categories"); !strings.Contains(page.Body, `fill="#a1b2c3"`) {
		t.Error("the list shows no mark")
	}
	if page := b.Get("/admin/events/new"); !strings.Contains(page.Body, `fill="#a1b2c3"`) {
		t.Error("the editor's tree shows no mark")
	}
	if p := save("color", "red"); p.Status != 422 || !p.Shows("#1d5c86") || stored() != "#a1b2c3" {
		t.Error("no colour at all:", p.Status, stored())
	}
	after := k.Get(fmt.Sprintf("/categories/%d", id), "")
	if string(after.Raw) != string(before.Raw) {
		t.Errorf("the interface's answer has changed:\n%s\n%s", before.Raw, after.Raw)
	}
	if save("color_none", "1"); stored() != "none" {
		t.Error("taken away:", stored())
	}
	if a := k.Patch(fmt.Sprintf("/categories/%d", id), "editor", map[string]any{"name": "Music", "color": "#123456"}); a.Status != 200 || stored() != "none" {
		t.Error("an argument the interface doesn't know:", a)
	}
}
