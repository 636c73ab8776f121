package admin

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// written are the kinds of entries that have revisions and a trash, each with texts in
// three languages.
var written = []struct {
	section, title, page string
	own, german          kit.Object
}{
	{"events", "title", "//de/event/chor/", kit.Times(kit.Object{"description": "Sing", "excerpt": "Songs", "cost": "free",
		"seo_title": "Choir in Bonn", "seo_description": "Come and sing."}),
		kit.Object{"description": "Singt", "excerpt": "Lieder", "slug": "chor", "cost": "Hut", "seo_title": "Chor in Bonn", "seo_description": "Kommt und singt."}},
	{"venues", "venue", "//de/venue/chor/", kit.Object{"description": "Sing", "excerpt": "Songs"},
		kit.Object{"description": "Singt", "excerpt": "Lieder", "slug": "chor"}},
	{"organizers", "organizer", "//de/organizer/chor/", kit.Object{"description": "Sing", "excerpt": "Songs"},
		kit.Object{"description": "Singt", "excerpt": "Lieder", "slug": "chor"}},
}

// textsOf are all texts of an entry in all languages, without when they were written.
func textsOf(k *kit.Kit, path string) string {
	k.T.Helper()
	all := k.Get(path+"?translations=full", "administrator").Want(k.T, 200, "").At("translations").(map[string]any)
	for _, texts := range all {
		delete(texts.(map[string]any), "made_from")
	}
	return fmt.Sprint(all)
}

// TestTextsOfAllLanguagesAreKept: revisions show and bring back what was written in each
// language, and so do the trash, Undo and a copy.
func TestTextsOfAllLanguagesAreKept(t *testing.T) {
	t.Parallel()
	for _, c := range written {
		t.Run(c.section, func(t *testing.T) {
			t.Parallel()
			k := kit.Bilingual(t)
			b := k.Person("administrator")
			c.own[c.title], c.german[c.title] = "Choir", "Chor"
			c.own["translations"] = kit.Object{"de": c.german, "fr": kit.Object{c.title: "Chorale"}}
			id := k.Post("/"+c.section, "administrator", c.own).Want(t, 201, "").ID()
			made, path, page := k.Version("demo"), kit.Item(c.section, id), fmt.Sprintf("/admin/%s/%d", c.section, id)
			was := textsOf(k, path)
			for _, said := range c.german {
				if !strings.Contains(was, fmt.Sprint(said)) {
					t.Fatalf("%v isn't there: %s", said, was)
				}
			}
			kept := func(what string) {
				t.Helper()
				if is := textsOf(k, path); is != was {
					t.Errorf("%s: %s\nwant %s", what, is, was)
				}
				if a := k.Get(c.page, ""); a.Status != 200 || !strings.Contains(string(a.Raw), "Singt") {
					t.Errorf("%s: %s is %d", what, c.page, a.Status)
				}
			}
			other := kit.Object{"de": kit.Object{c.title: "Anders"}, "fr": nil}
			k.Patch(path, "administrator", kit.Object{"translations": other}).Want(t, 200, "")
			if p := b.Get(fmt.Sprintf("%s/revisions?from=%d&to=%d", page, made, made+1)); !p.Shows("Anders") || !p.Shows("Chorale") || !p.Shows("Lieder") {
				t.Errorf("revisions don't compare the texts: %d", p.Status)
			}
			if p := b.Post(page+"/revisions", url.Values{"version": {fmt.Sprint(made)}, "expected": {fmt.Sprint(made + 1)}}); p.Status != 303 {
				t.Fatalf("restore: %d %.2000s", p.Status, p.Body)
			}
			kept("an earlier version")
			if p := b.Get(page + "/revisions"); strings.Count(p.Body, "<b>Restored</b>") != 1 || !p.Shows("Restore everything as of ") {
				t.Errorf("the versions don't say which one was restored: %s", p.Body)
			}
			for _, do := range []string{"trash", "restore"} {
				if p := b.Post("/admin/"+c.section, url.Values{"do": {do}, "seen": {kit.AllSeen}, "id": {fmt.Sprint(id)}, "to": {"/admin/trash"}}); p.Status != 303 {
					t.Fatalf("%s: %d", do, p.Status)
				}
			}
			kept("the trash")
			if c.section == "events" {
				undoneTexts(t, b, page, func() { kept("undone") })
				copiedTexts(t, b, page, was)
			}
		})
	}
}

// undoneTexts changes texts by the form of an event, and takes that back.
func undoneTexts(t *testing.T, b *kit.Browser, page string, kept func()) {
	t.Helper()
	form := b.Fill(page, kit.EveryEditor, url.Values{"translations.de.title": {"Anders"}, "translations.de.seo_title": {""},
		"translations.fr.title": {""}, "translations.fr.slug": {""}, "do": {"save"}})
	if p := b.Post(page, form); p.Status != 303 {
		t.Fatalf("save: %d %.2000s", p.Status, p.Body)
	}
	saved := b.Follow()
	if !b.Get(page).Shows(`value="Anders"`) {
		t.Error("nothing was changed")
	}
	b.Page = saved
	if p := b.Post(kit.Undoing(b)); p.Status != 303 {
		t.Fatalf("undo: %d %.2000s", p.Status, p.Body)
	}
	kept()
}

// copiedTexts makes a copy of an event, which says the same.
func copiedTexts(t *testing.T, b *kit.Browser, page, was string) {
	t.Helper()
	copied := b.Post(page+"/copy", b.Fill(page+"/copy", `action="`+page+`/copy"`, url.Values{"start_date": {"2030-05-08T10:00"}, "do": {"draft"}}))
	m := kit.AdminEvent.FindStringSubmatch(copied.Header.Get("Location"))
	if copied.Status != 303 || m == nil {
		t.Fatalf("copy: %d %.2000s", copied.Status, copied.Body)
	}
	is := textsOf(b.K, "/events/"+m[1])
	slugs := regexp.MustCompile(` ?slug:\S+`) // which are its own
	is, was = slugs.ReplaceAllString(is, ""), slugs.ReplaceAllString(was, "")
	if is != was {
		t.Errorf("a copy says %s\nwant %s", is, was)
	}
	if p := b.Get("/admin/events/new?copy=" + m[1]); !p.Shows(`value="Chor in Bonn"`) || !p.Shows(`value="Chorale"`) || !p.Shows("Kommt und singt.") {
		t.Errorf("the form of a copy: %d", p.Status)
	}
}
