package server_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// wordsOf are the kinds whose forms have texts: their section, the name of their title,
// and where the form of a new one is.
var wordsOf = []struct{ section, title, fresh string }{
	{"venues", "venue", "/admin/venues/new"}, {"organizers", "organizer", "/admin/organizers/new"},
	{"categories", "name", "/admin/categories"}, {"tags", "name", "/admin/tags"},
}

// TestAdminWritesTextsOfPlaces: the forms of venues, organizers, categories and tags
// have texts in other languages as that of events has, also where two people meet.
func TestAdminWritesTextsOfPlaces(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	b := k.person("administrator")
	formed := func(p page, begins string, pairs ...string) url.Values {
		form := formAt(p, begins)
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
		p := b.post(c.fresh, formed(b.get(c.fresh), made, c.title, "Town", german, "Stadt", "translations.de.description", "Klein", "translations.fr.slug", "VILLE"))
		if p.Status != 303 {
			t.Fatalf("%s: %d %s", c.section, p.Status, p.Body)
		}
		id := int64(k.get("/"+c.section+"?hide_empty=false", "editor").at(c.section + ".0.id").(float64))
		page, path := fmt.Sprintf("/admin/%s/%d", c.section, id), item(c.section, id)+"?translations=full"
		k.get(path, "editor").has(t, "translations.de."+c.title, "Stadt", "translations.de.slug", "stadt", "translations.fr.slug", "ville", "translations.fr."+c.title, "-")
		if got := fmt.Sprint(k.get(path, "editor").at("translations.de.description")); !strings.Contains(got, "Klein") {
			t.Errorf("%s: description %s", c.section, got)
		}
		before := b.get(page)
		if p := b.post(page, formed(before, edit, c.title, "Big town")); p.Status != 303 {
			t.Errorf("%s: another title: %d", c.section, p.Status)
		}
		k.get(path, "editor").has(t, "translations.de."+c.title, "Stadt", "translations.de.outdated", true)
		edited := b.get(page)
		if !edited.shows(`name="translations.de.current"`) || !edited.shows(`name="translations.fr.`+c.title) || edited.shows(`name="translations.en.`) {
			t.Errorf("%s: the form", c.section)
		}
		b.post(page, formed(edited, edit, "translations.de.current", "1", "translations.fr."+c.title, "La ville"))
		k.get(path, "editor").has(t, "translations.de.outdated", false, "translations.fr."+c.title, "La ville", c.title, "Big town")
		wrong := b.post(page, formed(b.get(page), edit, german, letters(1001), "translations.fr.description", "Grande"))
		if wrong.Status != 422 || !wrong.shows("Grande") || !wrong.shows("(Deutsch)") || !wrong.shows("La ville") {
			t.Errorf("%s: what won't do: %d", c.section, wrong.Status)
		}
		clash := b.post(page, formed(before, edit, german, "Kleinstadt"))
		if clash.Status != 409 || !clash.shows("Kleinstadt") || !clash.shows("La ville") {
			t.Fatalf("%s: two people: %d %v", c.section, clash.Status, clash.shows("Kleinstadt"))
		}
		if p := b.post(page, formed(clash, `<form class="conflict"`, "do", "resolve", "choose.translations", "mine", "choose."+c.title, "theirs")); p.Status != 303 {
			t.Errorf("%s: the choice: %d", c.section, p.Status)
		}
		k.get(path, "editor").has(t, "translations.de."+c.title, "Kleinstadt", c.title, "Big town")
	}
	one := newKit(t)
	for _, c := range wordsOf {
		if p := one.person("administrator").get(c.fresh); p.Status != 200 || p.shows("translations.") || p.shows(`name="texts"`) || p.shows("/admin/texts") {
			t.Errorf("a site of one language is asked for others in %s: %d", c.fresh, p.Status)
		}
	}
}

// TestAdminListsMissingTexts: what has no text in a language, or an outdated one, is
// listed and counted for each, and leads to the form.
func TestAdminListsMissingTexts(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	b := k.person("administrator")
	paths := map[string][]string{}
	for _, c := range append(wordsOf, struct{ section, title, fresh string }{"events", "title", ""}) {
		for _, texts := range []object{{c.title: "Current", "translations": object{"de": object{c.title: "Da"}}},
			{c.title: "Old", "translations": object{"de": object{c.title: "Alt"}, "fr": object{c.title: "Vieux"}}},
			{c.title: "Partial", "translations": object{"de": object{"description": "Nur das"}}}, {c.title: "Missing"}} {
			if c.section == "events" {
				texts = times(texts)
			}
			path := item(c.section, k.post("/"+c.section, "editor", texts).want(t, 201, "").id())
			paths[c.section] = append(paths[c.section], path)
		}
		k.patch(paths[c.section][1], "editor", object{"description": "New words"}).want(t, 200, "")
	}
	overview := b.get("/admin/texts")
	for section, list := range paths {
		p := b.get("/admin/" + section + "?texts=de")
		for n, path := range list {
			link := fmt.Sprintf(`href="/admin/%s#f-translations.de.`, strings.TrimPrefix(path, "/"))
			if got := p.shows(link); got != (n > 0) {
				t.Errorf("%s lacks German texts: %v", path, got)
			}
		}
		list, _, _ := strings.Cut(p.Body, `id="new"`) // the form of a new one lacks all texts
		if strings.Count(list, ">missing<") != 2 || strings.Count(list, ">outdated<") != 1 {
			t.Errorf("%s: %d missing, %d outdated", section, strings.Count(list, ">missing<"), strings.Count(list, ">outdated<"))
		}
		for language, count := range map[string]int{"de": 3, "fr": 4} {
			if link := fmt.Sprintf(`<a href="/admin/%s?texts=%s">%d</a>`, section, language, count); !overview.shows(link) {
				t.Errorf("the overview lacks %s", link)
			}
		}
		if p := b.get("/admin/" + section + "?texts=es"); p.Status != 200 || !p.shows("Current") {
			t.Errorf("%s: a language of others: %d", section, p.Status)
		}
	}
	if p := k.person("author").get("/admin/texts"); p.Status != 200 || !p.shows("/admin/categories?texts=de") || p.shows("/admin/tags?texts=de") {
		t.Errorf("an author: %d", p.Status)
	}
	if p := b.get("/admin/events/export?texts=de"); !p.shows("Partial") || p.shows("Current") {
		t.Error("an export of the list has more than the list")
	}
}
