package server_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
)

// TestArchiveKeepsTexts: a site that went through its archive into another installation
// says the same in all languages, finds it under the same slugs, and lists what is outdated.
func TestArchiveKeepsTexts(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.write("demo", "de", "en", "fr")
	wordy(v.kit)
	arts := v.post("/categories", "editor", object{"name": "Arts", "translations": object{"de": object{"name": "Kunst", "slug": "kuenste"}}}).want(t, 201, "").id()
	v.post("/categories", "editor", object{"name": "Music", "parent": arts, "translations": object{"de": object{"name": "Musik"}, "fr": object{"name": "Musique"}}}).want(t, 201, "")
	v.patch(item("categories", arts), "editor", object{"description": "All of them", "translations": object{"de": object{"slug": "kunst"}}}).want(t, 200, "")
	v.patch(item("categories", arts), "editor", object{"name": "The arts"}).want(t, 200, "")
	paths := []string{"/categories?translations=full&hide_empty=false", german + "/events?starts_after=2029-01-01", french + "/events?starts_after=2029-01-01&translations=full",
		german + "/events/by-slug/singen", german + "/events/by-slug/singen-2", german + "/events?starts_after=2029-01-01&translated=true&search=zwei",
		"//de/event/singen/", "//de/organizer/freunde/", "//de/events/category/kunst/musik/", "//de/events.ics", "//sitemap.xml",
		"/events?starts_after=2029-01-01&translations=full&per_page=50"}
	before := v.view("demo", paths)
	if text := fmt.Sprint(before); !strings.Contains(text, `"outdated":true`) || !strings.Contains(text, "Sonderprobe") {
		t.Fatalf("the site says too little: %s", text)
	}
	data := v.export("demo")
	w := newVaultOn(t, storagetest.Database(t))
	w.secrets = v.secrets
	made, err := w.bring(data, &tenancy.SiteFields{})
	w.must(err)
	w.sites["demo"] = made
	if diff := cmp.Diff(before, w.view("demo", paths)); diff != "" {
		t.Errorf("answers differ:\n%s", diff)
	}
	if a := w.get("//de/events/category/kuenste/", ""); a.Status != 301 || a.Header.Get("Location") != "/de/events/category/kunst/" {
		t.Errorf("a slug of before: %d %s", a.Status, a.Header.Get("Location"))
	}
	if got := w.peek("demo", `SELECT count(*)::text FROM translated_slugs`); got == "0" || got != v.peek("demo", `SELECT count(*)::text FROM translated_slugs`) {
		t.Errorf("%s slugs of texts", got)
	}
}

// TestTextsKeepSecrets: what is behind a password, or isn't published, is neither read
// nor found in any language.
func TestTextsKeepSecrets(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	texts := func(word string) object {
		return times(object{"title": "Event", "description": "English " + word, "translations": object{"de": object{"title": "Termin", "slug": "der-" + word,
			"description": "Das " + word + "wort", "excerpt": word + "kurz", "cost": "99 " + word}}})
	}
	closed, draft := texts("geheim"), texts("entwurf")
	closed["post_password"], draft["status"] = "pw", "draft"
	ids := map[string]int64{"geheim": k.post("/events", "administrator", closed).want(t, 201, "").id(),
		"entwurf": k.post("/events", "administrator", draft).want(t, 201, "").id()}
	for word, id := range ids {
		for _, path := range []string{german + item("events", id), german + item("events", id) + "?translations=full", item("events", id) + "?translations=full",
			german + "/events", german + "/events?translations=full", "/events?translations=full", german + "/events?search=" + word + "wort",
			german + "/events?search=" + word + "kurz", german + "/events/by-slug/der-" + word + "?translations=full", "//de/event/der-" + word + "/",
			"//de/events/", "//de/events/?search=" + word + "wort", "//de/events.ics", "//de/events.rss", "//de/events.json", "//de/event/der-" + word + ".ics", "//de/embed"} {
			a := k.get(path, "")
			for _, part := range []string{word + "wort", word + "kurz", "99 " + word, "English " + word} {
				if strings.Contains(strings.ReplaceAll(string(a.Raw), "search="+part, ""), part) && !strings.Contains(path, "search="+part) {
					t.Errorf("%s shows %s (%d)", path, part, a.Status)
				}
			}
			if word == "entwurf" && (strings.Contains(string(a.Raw), "Termin<") && path[:2] != german[:2] || a.Status == 200 && strings.Contains(path, "der-")) {
				t.Errorf("%s shows a draft: %d", path, a.Status)
			}
			if strings.Contains(path, "/events?search=") && a.at("total") != float64(0) {
				t.Errorf("%s finds %v", path, a.at("total"))
			}
		}
		for part := range 8 {
			if a := k.get(fmt.Sprint("//sitemap.xml?part=", part), ""); strings.Contains(string(a.Raw), "der-"+word) && word == "entwurf" {
				t.Error("the site map has a draft")
			}
		}
	}
	k.get(german+item("events", ids["geheim"])+"?password=pw", "").want(t, 200, "").has(t, "title", "Termin")
}

// TestTextsNeedRights: who may not change an entry may not write it in another
// language, and nothing of it is stored.
func TestTextsNeedRights(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	said := object{"translations": object{"de": object{"title": "Fremd", "venue": "Fremd", "organizer": "Fremd", "name": "Fremd"}}}
	for _, c := range []struct{ section, title string }{{"events", "title"}, {"venues", "venue"}, {"organizers", "organizer"}, {"categories", "name"}, {"tags", "name"}} {
		body := object{c.title: "Own"}
		if c.section == "events" {
			body = times(body)
		}
		path := item(c.section, k.post("/"+c.section, "editor", body).want(t, 201, "").id())
		for as, status := range map[string]int{"author": 403, "subscriber": 403, "": 401} {
			if c.section == "categories" && as == "author" {
				continue // authors make categories, and change them
			}
			for _, body := range []object{said, {"content_language": "de", c.title: "Fremd"}, {"translations": object{"de": nil}}} {
				k.patch(path, as, body).want(t, status, "rest_forbidden")
			}
		}
		k.get(path+"?translations=full", "editor").has(t, "translations.de", "-")
	}
}
