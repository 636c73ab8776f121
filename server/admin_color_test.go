package server_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestAdminColor(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	id := k.post("/categories", "administrator", map[string]any{"name": "Music"}).id()
	k.event(object{"categories": []int64{id}})
	before := k.get(fmt.Sprintf("/categories/%d", id), "")
	path := fmt.Sprintf("/admin/categories/%d", id)
	b := k.person("editor")
	stored := func() string {
		return k.peek("demo", `SELECT COALESCE(color, 'none') FROM terms WHERE taxonomy = 'category' AND id = $1`, id)
	}
	save := func(change ...string) page {
		form := formAt(b.get(path), `<form class="stack narrow"`)
		for i := 0; i+1 < len(change); i += 2 {
			form[change[i]] = []string{change[i+1]}
		}
		form.Set("do", "save")
		return b.post(path, form)
	}
	if save(); stored() != "none" {
		t.Error("a form that wasn't touched gives a colour:", stored())
	}
	if save("color", "#A1B2C3"); stored() != "#a1b2c3" {
		t.Error("picked, though the box for none is ticked:", stored())
	}
	if page := b.get("/events/category/music/"); !strings.Contains(page.Body, `fill="#a1b2c3"`) {
		t.Error("the public page shows no mark")
	}
	if a := k.look("/category/music.ics"); strings.Count(string(a.Raw), "\r\nCOLOR:darkgray\r\n") != 1 {
		t.Errorf("the calendar file has no colour by name: %s", a.Raw)
	}
	if page := b.get("/admin/categories"); !strings.Contains(page.Body, `fill="#a1b2c3"`) {
		t.Error("the list shows no mark")
	}
	if page := b.get("/admin/events/new"); !strings.Contains(page.Body, `fill="#a1b2c3"`) {
		t.Error("the editor's tree shows no mark")
	}
	if p := save("color", "red"); p.Status != 422 || !p.shows("#rrggbb") || stored() != "#a1b2c3" {
		t.Error("no colour at all:", p.Status, stored())
	}
	after := k.get(fmt.Sprintf("/categories/%d", id), "")
	if string(after.Raw) != string(before.Raw) {
		t.Errorf("the interface's answer has changed:\n%s\n%s", before.Raw, after.Raw)
	}
	if save("color_none", "1"); stored() != "none" {
		t.Error("taken away:", stored())
	}
	if a := k.patch(fmt.Sprintf("/categories/%d", id), "editor", map[string]any{"name": "Music", "color": "#123456"}); a.Status != 200 || stored() != "none" {
		t.Error("an argument the interface doesn't know:", a)
	}
}
