package admin

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// wordsOf are the kinds with translatable texts in their forms: section, name of the title field, and address of the
// form for a new one.
var wordsOf = []struct{ section, title, fresh string }{
	{"venues", "venue", "/admin/venues/new"}, {"organizers", "organizer", "/admin/organizers/new"},
	{"categories", "name", "/admin/categories"}, {"tags", "name", "/admin/tags"},
}

// The forms of venues, organizers, categories and tags have translations like that of events, also in conflicts
// between two people.
func TestAdminWritesTextsOfPlaces(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	b := k.Person("administrator")
	formed := func(p kit.Page, begins string, pairs ...string) url.Values {
		form := kit.FormAt(p, begins)
		form.Set("do", "save")
		for i := 0; i < len(pairs); i += 2 {
			form.Set(pairs[i], pairs[i+1])
		}
		return form
	}
	for _, c := range wordsOf {
		made, edit := `<form class="editor"`, `<form class="editor"`
		if c.title == "name" {
			made, edit = `<form class="stack"`, `<form class="stack narrow"`
		}
		german := "translations.de." + c.title
		p := b.Post(c.fresh, formed(b.Get(c.fresh), made, c.title, "Town", german, "Stadt", "translations.de.description", "Klein", "translations.fr.slug", "VILLE"))
		if p.Status != 303 {
			t.Fatalf("%s: %d %s", c.section, p.Status, p.Body)
		}
		id := int64(k.Get("/"+c.section+"?hide_empty=false", "editor").At(c.section + ".0.id").(float64))
		page, path := fmt.Sprintf("/admin/%s/%d", c.section, id), kit.Item(c.section, id)+"?translations=full"
		k.Get(path, "editor").Has(t, "translations.de."+c.title, "Stadt", "translations.de.slug", "stadt", "translations.fr.slug", "ville", "translations.fr."+c.title, "-")
		if got := fmt.Sprint(k.Get(path, "editor").At("translations.de.description")); !strings.Contains(got, "Klein") {
			t.Errorf("%s: description %s", c.section, got)
		}
		before := b.Get(page)
		if p := b.Post(page, formed(before, edit, c.title, "Big town")); p.Status != 303 {
			t.Errorf("%s: another title: %d", c.section, p.Status)
		}
		k.Get(path, "editor").Has(t, "translations.de."+c.title, "Stadt", "translations.de.outdated", true)
		edited := b.Get(page)
		if !edited.Shows(`name="translations.de.current"`) || !edited.Shows(`name="translations.fr.`+c.title) || edited.Shows(`name="translations.en.`) {
			t.Errorf("%s: the form", c.section)
		}
		b.Post(page, formed(edited, edit, "translations.de.current", "1", "translations.fr."+c.title, "La ville"))
		k.Get(path, "editor").Has(t, "translations.de.outdated", false, "translations.fr."+c.title, "La ville", c.title, "Big town")
		wrong := b.Post(page, formed(b.Get(page), edit, german, kit.Letters(1001), "translations.fr.description", "Grande"))
		if wrong.Status != 422 || !wrong.Shows("Grande") || !wrong.Shows("(German)") || !wrong.Shows("La ville") {
			t.Errorf("%s: what won't do: %d", c.section, wrong.Status)
		}
		clash := b.Post(page, formed(before, edit, german, "Kleinstadt"))
		if clash.Status != 409 || !clash.Shows("Kleinstadt") || !clash.Shows("La ville") {
			t.Fatalf("%s: two people: %d %v", c.section, clash.Status, clash.Shows("Kleinstadt"))
		}
		if p := b.Post(page, formed(clash, `<form class="conflict"`, "do", "resolve", "choose.translations", "mine", "choose."+c.title, "theirs")); p.Status != 303 {
			t.Errorf("%s: the choice: %d", c.section, p.Status)
		}
		k.Get(path, "editor").Has(t, "translations.de."+c.title, "Kleinstadt", c.title, "Big town")
	}
	one := kit.New(t)
	for _, c := range wordsOf {
		if p := one.Person("administrator").Get(c.fresh); p.Status != 200 || p.Shows("translations.") || p.Shows(`name="texts"`) || p.Shows("/admin/texts") {
			t.Errorf("a site of one language is asked for others in %s: %d", c.fresh, p.Status)
		}
	}
}

// Items with missing or outdated translations are listed and counted, with links to their forms.
func TestAdminListsMissingTexts(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	b := k.Person("administrator")
	paths := map[string][]string{}
	for _, c := range append(wordsOf, struct{ section, title, fresh string }{"events", "title", ""}) {
		for _, texts := range []kit.Object{{c.title: "Current", "translations": kit.Object{"de": kit.Object{c.title: "Da"}}},
			{c.title: "Old", "translations": kit.Object{"de": kit.Object{c.title: "Alt"}, "fr": kit.Object{c.title: "Vieux"}}},
			{c.title: "Partial", "translations": kit.Object{"de": kit.Object{"description": "Nur das"}}}, {c.title: "Missing"}} {
			if c.section == "events" {
				texts = kit.Times(texts)
			}
			path := kit.Item(c.section, k.Post("/"+c.section, "editor", texts).Want(t, 201, "").ID())
			paths[c.section] = append(paths[c.section], path)
		}
		k.Patch(paths[c.section][1], "editor", kit.Object{"description": "New words"}).Want(t, 200, "")
	}
	overview := b.Get("/admin/texts")
	for section, list := range paths {
		p := b.Get("/admin/" + section + "?texts=de")
		for n, path := range list {
			link := fmt.Sprintf(`href="/admin/%s#f-translations.de.`, strings.TrimPrefix(path, "/"))
			if got := p.Shows(link); got != (n > 0) {
				t.Errorf("%s lacks German texts: %v", path, got)
			}
		}
		list, _, _ := strings.Cut(p.Body, `id="new"`) // the form of a new one lacks all texts
		if strings.Count(list, ">missing<") != 2 || strings.Count(list, ">outdated<") != 1 {
			t.Errorf("%s: %d missing, %d outdated", section, strings.Count(list, ">missing<"), strings.Count(list, ">outdated<"))
		}
		for language, count := range map[string]int{"de": 3, "fr": 4} {
			if link := fmt.Sprintf(`<a href="/admin/%s?texts=%s">%d</a>`, section, language, count); !overview.Shows(link) {
				t.Errorf("the overview lacks %s", link)
			}
		}
		if p := b.Get("/admin/" + section + "?texts=es"); p.Status != 200 || !p.Shows("Current") {
			t.Errorf("%s: a language of others: %d", section, p.Status)
		}
	}
	if p := k.Person("author").Get("/admin/texts"); p.Status != 200 || !p.Shows("/admin/categories?texts=de") || p.Shows("/admin/tags?texts=de") {
		t.Errorf("an author: %d", p.Status)
	}
	if p := b.Get("/admin/events/export?texts=de"); !p.Shows("Partial") || p.Shows("Current") {
		t.Error("an export of the list has more than the list")
	}
}
