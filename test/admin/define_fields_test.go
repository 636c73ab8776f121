package admin

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// A choice is defined on the pages alone: options keep their keys when they are renamed and moved, and so events keep theirs.
func TestAdminDefinesFields(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Configure(&platform.ConfigFields{SettingsFields: platform.SettingsFields{ContentLanguages: args.Some(args.Texts{"en", "de"})}})
	b := k.Person("administrator")
	if p := b.Get("/admin/fields"); !p.Shows("There are no extra fields yet.") || !p.Shows("“Dogs allowed”") {
		t.Error("an empty list has no examples")
	}
	form := b.Fill("/admin/fields", kit.NarrowForm, url.Values{"label": {"Stage"}, "kind": {"choice"}, "options": {"Garden\r\n\r\n Hall \r\nGarden"}, "of": {"", "event", "venue"}})
	for range 2 { // as somebody does who presses the button twice
		if p := b.Post("/admin/fields", form); p.Status != http.StatusSeeOther || !strings.Contains(p.Header.Get("Location"), "/admin/fields/edit?key=stage") {
			t.Fatalf("adding a field leads to %q: %d", p.Header.Get("Location"), p.Status)
		}
	}
	if strings.Contains(b.Get("/admin/fields").Body, "k-stage_2") {
		t.Error("a form that is sent twice adds two fields")
	}
	event := k.Event(kit.Object{"title": "Choir", "fields": kit.Object{"stage": "garden"}})

	edit := "/admin/fields/edit?key=stage"
	form = b.Fill(edit, kit.NarrowForm, url.Values{"do": {"row_down.0"}, "options[0][label]": {"Big garden"}, "more": {"Studio"}})
	p := b.Post("/admin/fields/edit", form)
	form = kit.FormAt(p, kit.NarrowForm)
	if form.Get("options[1][label]") != "Big garden" || form.Get("options[1][key]") != "garden" || form.Get("more") != "Studio" {
		t.Errorf("after moving an option: %v", form)
	}
	for name, text := range map[string]string{"do": "save", "filter": "1", "hint": "Where it is", "translations.de.label": "Bühne", "translations.de.options.garden": "Garten"} {
		form.Set(name, text)
	}
	if p := b.Post("/admin/fields/edit", form); p.Status != http.StatusSeeOther {
		t.Fatalf("saving: %d", p.Status)
	}
	field := k.Get("/fields/stage", "administrator")
	for name, want := range map[string]string{"label": "Stage", "hint": "Where it is", "filter": "true", "of": "[event venue]",
		"options":      "[map[key:hall label:Hall] map[key:garden label:Big garden] map[key:studio label:Studio]]",
		"translations": "map[de:map[label:Bühne options:map[garden:Garten]] en:map[hint:Where it is label:Stage options:map[garden:Big garden hall:Hall studio:Studio]]]"} {
		if got := fmt.Sprint(field.At(name)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := fmt.Sprint(k.Get(fmt.Sprintf("/events/%d", event), "").At("fields")); got != "map[stage:garden]" {
		t.Errorf("the event has %s", got)
	}
	if p := b.Post("/admin/fields/edit", form); p.Status != http.StatusConflict || !p.Shows("Big garden") {
		t.Errorf("a page from before the change: %d", p.Status)
	}
	if p := k.Person("editor").Get("/admin/fields"); p.Status != http.StatusForbidden {
		t.Errorf("an editor gets %d", p.Status)
	}
}

// An archived field comes back with what is in it. Before a field is deleted, the page says how many events and venues use it.
func TestAdminArchivesAndDeletesFields(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Post("/fields", "administrator", kit.Object{"label": "Dogs", "kind": "yes_no", "of": []string{"event", "venue"}}).Want(t, http.StatusCreated, "")
	event := k.Event(kit.Object{"title": "Walk", "fields": kit.Object{"dogs": true}})
	k.Event(kit.Object{"title": "Talk", "fields": kit.Object{"dogs": false}})
	k.Made("/venues", kit.Object{"venue": "Park", "fields": kit.Object{"dogs": true}})
	b := k.Person("administrator")
	b.Get("/admin/fields")
	press := func(do, sure string) kit.Page {
		return b.Post("/admin/fields/edit", url.Values{"key": {"dogs"}, "do": {do}, "sure": {sure}})
	}
	has := func() string { return fmt.Sprint(k.Get(fmt.Sprintf("/events/%d", event), "").At("fields")) }
	if p := press("archive", ""); p.Status != http.StatusSeeOther || has() != "-" || !b.Get("/admin/fields").Shows("Archived") {
		t.Errorf("archived: %d, the event shows %s", p.Status, has())
	}
	if press("restore", ""); has() != "map[dogs:true]" {
		t.Errorf("back again, the event has %s", has())
	}
	p := press("delete", "")
	for _, text := range []string{"Dogs", "Events that use this field: 2", "Venues that use this field: 1", "archive the field instead"} {
		if p.Status != http.StatusOK || !p.Shows(text) {
			t.Errorf("the question (%d) doesn't say %q", p.Status, text)
		}
	}
	if has() != "map[dogs:true]" {
		t.Error("the question deletes")
	}
	form := kit.FormAt(p, `<form class="buttons"`) // as the question sends it
	form.Set("do", "delete")
	if p := b.Post("/admin/fields/edit", form); p.Status != http.StatusSeeOther || has() != "-" || strings.Contains(b.Get("/admin/fields").Body, "k-dogs") {
		t.Errorf("deleted: %d, the event has %s", p.Status, has())
	}
	if p := b.Get("/admin/fields/edit?key=dogs"); p.Status != http.StatusNotFound {
		t.Errorf("a field that is gone: %d", p.Status)
	}
}
