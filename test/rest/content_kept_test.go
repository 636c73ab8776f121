package rest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy/archive"
	"github.com/kalends/kalends/tenancy/platform"
)

// TestArchiveKeepsTexts: a site that went through its archive into another installation
// says the same in all languages, finds it under the same slugs, and lists what is outdated.
func TestArchiveKeepsTexts(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	v.Write("demo", "de", "en", "fr")
	wordy(v.Kit)
	arts := v.Post("/categories", "editor", kit.Object{"name": "Arts", "translations": kit.Object{"de": kit.Object{"name": "Kunst", "slug": "kuenste"}}}).Want(t, 201, "").ID()
	v.Post("/categories", "editor", kit.Object{"name": "Music", "parent": arts, "translations": kit.Object{"de": kit.Object{"name": "Musik"}, "fr": kit.Object{"name": "Musique"}}}).Want(t, 201, "")
	v.Patch(kit.Item("categories", arts), "editor", kit.Object{"description": "All of them", "translations": kit.Object{"de": kit.Object{"slug": "kunst"}}}).Want(t, 200, "")
	v.Patch(kit.Item("categories", arts), "editor", kit.Object{"name": "The arts"}).Want(t, 200, "")
	paths := []string{"/categories?translations=full&hide_empty=false", german + "/events?starts_after=2029-01-01", french + "/events?starts_after=2029-01-01&translations=full",
		german + "/events/by-slug/singen", german + "/events/by-slug/singen-2", german + "/events?starts_after=2029-01-01&translated=true&search=zwei",
		"//de/event/singen/", "//de/organizer/freunde/", "//de/events/category/kunst/musik/", "//de/events.ics", "//sitemap.xml",
		"/events?starts_after=2029-01-01&translations=full&per_page=50"}
	before := v.View("demo", paths)
	if text := fmt.Sprint(before); !strings.Contains(text, `"outdated":true`) || !strings.Contains(text, "Sonderprobe") || !strings.Contains(text, "Komm, sing") {
		t.Fatalf("the site says too little: %s", text)
	}
	data := v.Export("demo")
	w := kit.NewVaultOn(t, storagetest.Database(t))
	w.Secrets = v.Secrets
	made, err := w.Import(data, &platform.SiteFields{})
	w.Must(err)
	w.Sites["demo"] = made
	if diff := cmp.Diff(before, w.View("demo", paths)); diff != "" {
		t.Errorf("answers differ:\n%s", diff)
	}
	dir := filepath.Join(t.TempDir(), "backup")
	_, err = v.Archives.Backup(v.Ctx, dir, func(*archive.Saved) {})
	v.Must(err)
	restored := kit.NewVaultOn(t, storagetest.Database(t))
	restored.Secrets = v.Secrets
	_, err = restored.Archives.Restore(restored.Ctx, dir, func(*archive.Saved) {})
	restored.Must(err)
	if diff := cmp.Diff(before, restored.View("demo", paths)); diff != "" {
		t.Errorf("answers differ after a restore:\n%s", diff)
	}
	if a := w.Get("//de/events/category/kuenste/", ""); a.Status != 301 || a.Header.Get("Location") != "/de/events/category/kunst/" {
		t.Errorf("a slug of before: %d %s", a.Status, a.Header.Get("Location"))
	}
	if got := w.Peek("demo", `SELECT count(*)::text FROM translated_slugs`); got == "0" || got != v.Peek("demo", `SELECT count(*)::text FROM translated_slugs`) {
		t.Errorf("%s slugs of texts", got)
	}
}

// TestTextsKeepSecrets: what is behind a password, or isn't published, is neither read
// nor found in any language.
func TestTextsKeepSecrets(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	texts := func(word string) kit.Object {
		return kit.Times(kit.Object{"title": "Event", "description": "English " + word, "translations": kit.Object{"de": kit.Object{"title": "Termin", "slug": "der-" + word,
			"description": "Das " + word + "wort", "excerpt": word + "kurz", "cost": "99 " + word,
			"seo_title": "99 " + word, "seo_description": word + "kurz"}}, "seo_title": "English " + word})
	}
	closed, draft := texts("geheim"), texts("entwurf")
	closed["post_password"], draft["status"] = "pw", "draft"
	ids := map[string]int64{"geheim": k.Post("/events", "administrator", closed).Want(t, 201, "").ID(),
		"entwurf": k.Post("/events", "administrator", draft).Want(t, 201, "").ID()}
	for word, id := range ids {
		for _, path := range []string{german + kit.Item("events", id), german + kit.Item("events", id) + "?translations=full", kit.Item("events", id) + "?translations=full",
			german + "/events", german + "/events?translations=full", "/events?translations=full", german + "/events?search=" + word + "wort",
			german + "/events?search=" + word + "kurz", german + "/events/by-slug/der-" + word + "?translations=full", "//de/event/der-" + word + "/",
			"//de/events/", "//de/events/?search=" + word + "wort", "//de/events.ics", "//de/events.rss", "//de/events.json", "//de/event/der-" + word + ".ics", "//de/embed"} {
			a := k.Get(path, "")
			for _, part := range []string{word + "wort", word + "kurz", "99 " + word, "English " + word} {
				if strings.Contains(strings.ReplaceAll(string(a.Raw), "search="+part, ""), part) && !strings.Contains(path, "search="+part) {
					t.Errorf("%s shows %s (%d)", path, part, a.Status)
				}
			}
			if word == "entwurf" && (strings.Contains(string(a.Raw), "Termin<") && path[:2] != german[:2] || a.Status == 200 && strings.Contains(path, "der-")) {
				t.Errorf("%s shows a draft: %d", path, a.Status)
			}
			if strings.Contains(path, "/events?search=") && a.At("total") != float64(0) {
				t.Errorf("%s finds %v", path, a.At("total"))
			}
		}
		for part := range 8 {
			if a := k.Get(fmt.Sprint("//sitemap.xml?part=", part), ""); strings.Contains(string(a.Raw), "der-"+word) && word == "entwurf" {
				t.Error("the site map has a draft")
			}
		}
	}
	k.Get(german+kit.Item("events", ids["geheim"])+"?password=pw", "").Want(t, 200, "").Has(t, "title", "Termin")
}

// TestTextsNeedRights: who may not change an entry may not write it in another
// language, and nothing of it is stored.
func TestTextsNeedRights(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	said := kit.Object{"translations": kit.Object{"de": kit.Object{"title": "Fremd", "venue": "Fremd", "organizer": "Fremd", "name": "Fremd"}}}
	for _, c := range []struct{ section, title string }{{"events", "title"}, {"venues", "venue"}, {"organizers", "organizer"}, {"categories", "name"}, {"tags", "name"}} {
		body := kit.Object{c.title: "Own"}
		if c.section == "events" {
			body = kit.Times(body)
		}
		path := kit.Item(c.section, k.Post("/"+c.section, "editor", body).Want(t, 201, "").ID())
		for as, status := range map[string]int{"author": 403, "subscriber": 403, "": 401} {
			if c.section == "categories" && as == "author" {
				continue // authors make categories, and change them
			}
			for _, body := range []kit.Object{said, {"content_language": "de", c.title: "Fremd"}, {"translations": kit.Object{"de": nil}}} {
				k.Patch(path, as, body).Want(t, status, "rest_forbidden")
			}
		}
		k.Get(path+"?translations=full", "editor").Has(t, "translations.de", "-")
	}
}
