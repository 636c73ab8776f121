package server_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// within is a context in which everything may be done on the demo site.
func (k *kit) within() context.Context {
	k.t.Helper()
	ctx, err := tenancy.Enter(tenancy.AsProvider(k.t.Context(), tenancy.Provider{}), k.sites["demo"])
	k.must(err)
	return ctx
}

// TestMergedTexts: what stays takes over the texts of what goes in the languages it has
// none in, with their slugs; other slugs of what goes lead to it.
func TestMergedTexts(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	for _, c := range []struct{ path, name, page string }{{"/venues", "venue", "//%s/venue/"}, {"/organizers", "organizer", "//%s/organizer/"},
		{"/categories", "name", "//%s/events/category/"}, {"/tags", "name", "//%s/tag/"}} {
		keep := k.post(c.path, "editor", object{c.name: "Town hall", "description": "Big", "translations": object{
			"de": object{c.name: "Rathaus"}}}).want(t, 201, "").id()
		same := k.post(c.path, "editor", object{c.name: "Town hall", "slug": "hall", "description": "Big", "translations": object{
			"de": object{c.name: "Stadthaus"}, "fr": object{c.name: "Mairie"}}}).want(t, 201, "").id()
		other := k.post(c.path, "editor", object{c.name: "City hall", "translations": object{
			"fr": object{c.name: "Hôtel de ville"}, "es": object{c.name: "Ayuntamiento"}}})
		other.want(t, 400, "rest_invalid_param")
		k.write("demo", "en", "de", "fr", "es")
		k.post(c.path, "editor", object{c.name: "City hall", "translations": object{
			"fr": object{c.name: "Hôtel de ville"}, "es": object{c.name: "Ayuntamiento"}}}).want(t, 201, "")
		last := k.get(c.path+"?hide_empty=false&search=city", "editor").want(t, 200, "").at(strings.Trim(c.path, "/") + ".0.id").(float64)
		m := calendar.Merging{Keep: keep, Others: []int64{same, int64(last)}}
		var err error
		switch c.path {
		case "/venues":
			_, _, err = k.calendar.Venues().Merge(k.within(), m)
		case "/organizers":
			_, _, err = k.calendar.Organizers().Merge(k.within(), m)
		case "/categories":
			_, _, err = k.calendar.Terms(calendar.Categories).Merge(k.within(), m)
		default:
			_, _, err = k.calendar.Terms(calendar.Tags).Merge(k.within(), m)
		}
		k.must(err)
		k.get(item(strings.Trim(c.path, "/"), keep)+"?translations=full", "editor").want(t, 200, "").has(t, "slug", "town-hall",
			"translations.de."+c.name, "Rathaus", "translations.de.outdated", false,
			"translations.fr."+c.name, "Mairie", "translations.fr.slug", "mairie", "translations.fr.outdated", false,
			"translations.es."+c.name, "Ayuntamiento", "translations.es.slug", "ayuntamiento", "translations.es.outdated", true)
		for from, to := range map[string]string{"fr/mairie/": "", "es/ayuntamiento/": "", "de/stadthaus/": "de/rathaus/", "fr/hotel-de-ville/": "fr/mairie/",
			"de/hall/": "de/rathaus/"} {
			language, slug, _ := strings.Cut(from, "/")
			a := k.get(strings.ReplaceAll(c.page, "%s", language)+slug, "")
			if to == "" {
				a.want(t, 200, "")
				continue
			}
			language, slug, _ = strings.Cut(to, "/")
			if want := strings.TrimPrefix(strings.ReplaceAll(c.page, "%s", language)+slug, "/"); a.Status != 301 || a.Header.Get("Location") != want {
				t.Errorf("%s: %d %s, want %s", c.page+from, a.Status, a.Header.Get("Location"), want)
			}
		}
		k.write("demo", "en", "de", "fr")
	}
}

// TestCategoryPathsInLanguages: every part of a category's path is in the language of
// its address, and other paths lead there.
func TestCategoryPathsInLanguages(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	arts := k.post("/categories", "editor", object{"name": "Arts", "translations": object{"de": object{"name": "Kunst"}, "fr": object{"name": "Les arts"}}}).want(t, 201, "").id()
	music := k.post("/categories", "editor", object{"name": "Music", "parent": arts}).want(t, 201, "").id()
	jazz := k.post("/categories", "editor", object{"name": "Jazz", "parent": music, "translations": object{"de": object{"name": "Dschäss"}}}).want(t, 201, "").id()
	k.post("/events", "editor", times(object{"title": "Session", "categories": []any{jazz}})).want(t, 201, "")
	for _, c := range []struct{ path, want string }{
		{"//events/category/arts/music/jazz/", ""},
		{"//de/events/category/kunst/music/dschass/", ""},
		{"//fr/events/category/les-arts/music/jazz/", ""},
		{"//es/events/category/arts/music/jazz/", ""},
		{"//de/events/category/arts/music/jazz/", "/de/events/category/kunst/music/dschass/"},
		{"//de/events/category/dschass/", "/de/events/category/kunst/music/dschass/"},
		{"//de/events/category/les-arts/music/dschass/", "/de/events/category/kunst/music/dschass/"},
		{"//fr/events/category/arts/music/jazz/", "/fr/events/category/les-arts/music/jazz/"},
		{"//events/category/music/", "/events/category/arts/music/"},
		{"//de/events/category/music/", "/de/events/category/kunst/music/"},
	} {
		a := k.get(c.path, "")
		if c.want == "" {
			a.want(t, 200, "")
			for _, link := range []string{`href="http://localhost/en/events/category/arts/music/jazz/"`,
				`href="http://localhost/de/events/category/kunst/music/dschass/"`, `href="http://localhost/fr/events/category/les-arts/music/jazz/"`,
				`rel="canonical" href="http://localhost` + c.path[1:] + `"`} {
				if !strings.Contains(string(a.Raw), link) {
					t.Errorf("%s lacks %s", c.path, link)
				}
			}
		} else if a.Status != 301 || a.Header.Get("Location") != c.want {
			t.Errorf("%s: %d %s, want %s", c.path, a.Status, a.Header.Get("Location"), c.want)
		}
	}
	for _, path := range []string{"//de/event/session/", "//de/categories/"} {
		if a := k.get(path, ""); !strings.Contains(string(a.Raw), "/de/events/category/kunst/music/dschass/") {
			t.Errorf("%s doesn't lead to the category in German", path)
		}
	}
	a := k.get(german+item("categories", jazz), "").want(t, 200, "")
	if !strings.Contains(string(a.Raw), "/de/events/category/kunst/music/dschass/") {
		t.Errorf("the address of a category: %s", a)
	}
	for part := range 8 {
		if a := k.get("//sitemap.xml?part="+string(rune('0'+part)), ""); strings.Contains(string(a.Raw), "/category/") {
			for _, link := range []string{"<loc>http://localhost/events/category/arts/music/jazz/</loc>", `href="http://localhost/de/events/category/kunst/music/dschass/"`} {
				if !strings.Contains(string(a.Raw), link) {
					t.Errorf("the site map lacks %s", link)
				}
			}
		}
	}
	k.patch(item("categories", arts), "editor", object{"translations": object{"de": object{"slug": "Künste"}}}).want(t, 200, "")
	if a := k.get("//de/events/category/kunst/music/dschass/", ""); a.Status != 301 || a.Header.Get("Location") != "/de/events/category/kunste/music/dschass/" {
		t.Errorf("a path of before: %d %s", a.Status, a.Header.Get("Location"))
	}
	if a := k.get("//de/events/category/kunst/", ""); a.Status != 301 || a.Header.Get("Location") != "/de/events/category/kunste/" {
		t.Errorf("a slug of before: %d %s", a.Status, a.Header.Get("Location"))
	}
	k.get("//de/events/category/kunste/music/dschass/", "").want(t, 200, "")
}
