package rest

import (
	"context"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/tenancy"
)

// within is a context in which everything may be done on the demo site.
func within(k *kit.Kit) context.Context {
	k.T.Helper()
	ctx, err := tenancy.Enter(tenancy.AsProvider(k.T.Context(), tenancy.Provider{}), k.Sites["demo"])
	k.Must(err)
	return ctx
}

// TestMergedTexts: what stays takes over the texts of what goes in the languages it has
// none in, with their slugs; other slugs of what goes lead to it.
func TestMergedTexts(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	for _, c := range []struct{ path, name, page string }{{"/venues", "venue", "//%s/venue/"}, {"/organizers", "organizer", "//%s/organizer/"},
		{"/categories", "name", "//%s/events/category/"}, {"/tags", "name", "//%s/tag/"}} {
		keep := k.Post(c.path, "editor", kit.Object{c.name: "Town hall", "description": "Big", "translations": kit.Object{
			"de": kit.Object{c.name: "Rathaus"}}}).Want(t, 201, "").ID()
		same := k.Post(c.path, "editor", kit.Object{c.name: "Town hall", "slug": "hall", "description": "Big", "translations": kit.Object{
			"de": kit.Object{c.name: "Stadthaus"}, "fr": kit.Object{c.name: "Mairie"}}}).Want(t, 201, "").ID()
		other := k.Post(c.path, "editor", kit.Object{c.name: "City hall", "translations": kit.Object{
			"fr": kit.Object{c.name: "Hôtel de ville"}, "es": kit.Object{c.name: "Ayuntamiento"}}})
		other.Want(t, 400, "rest_invalid_param")
		k.Write("demo", "en", "de", "fr", "es")
		k.Post(c.path, "editor", kit.Object{c.name: "City hall", "translations": kit.Object{
			"fr": kit.Object{c.name: "Hôtel de ville"}, "es": kit.Object{c.name: "Ayuntamiento"}}}).Want(t, 201, "")
		last := k.Get(c.path+"?hide_empty=false&search=city", "editor").Want(t, 200, "").At(strings.Trim(c.path, "/") + ".0.id").(float64)
		m := services.Merging{Keep: keep, Others: []int64{same, int64(last)}}
		var err error
		switch c.path {
		case "/venues":
			_, _, err = k.Calendar.Venues().Merge(within(k), m)
		case "/organizers":
			_, _, err = k.Calendar.Organizers().Merge(within(k), m)
		case "/categories":
			_, _, err = k.Calendar.Terms(calendar.Categories).Merge(within(k), m)
		default:
			_, _, err = k.Calendar.Terms(calendar.Tags).Merge(within(k), m)
		}
		k.Must(err)
		k.Get(kit.Item(strings.Trim(c.path, "/"), keep)+"?translations=full", "editor").Want(t, 200, "").Has(t, "slug", "town-hall",
			"translations.de."+c.name, "Rathaus", "translations.de.outdated", false,
			"translations.fr."+c.name, "Mairie", "translations.fr.slug", "mairie", "translations.fr.outdated", false,
			"translations.es."+c.name, "Ayuntamiento", "translations.es.slug", "ayuntamiento", "translations.es.outdated", true)
		for from, to := range map[string]string{"fr/mairie/": "", "es/ayuntamiento/": "", "de/stadthaus/": "de/rathaus/", "fr/hotel-de-ville/": "fr/mairie/",
			"de/hall/": "de/rathaus/"} {
			language, slug, _ := strings.Cut(from, "/")
			a := k.Get(strings.ReplaceAll(c.page, "%s", language)+slug, "")
			if to == "" {
				a.Want(t, 200, "")
				continue
			}
			language, slug, _ = strings.Cut(to, "/")
			if want := strings.TrimPrefix(strings.ReplaceAll(c.page, "%s", language)+slug, "/"); a.Status != 301 || a.Header.Get("Location") != want {
				t.Errorf("%s: %d %s, want %s", c.page+from, a.Status, a.Header.Get("Location"), want)
			}
		}
		k.Write("demo", "en", "de", "fr")
	}
}

// TestCategoryPathsInLanguages: every part of a category's path is in the language of
// its address, and other paths lead there.
func TestCategoryPathsInLanguages(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	arts := k.Post("/categories", "editor", kit.Object{"name": "Arts", "translations": kit.Object{"de": kit.Object{"name": "Kunst"}, "fr": kit.Object{"name": "Les arts"}}}).Want(t, 201, "").ID()
	music := k.Post("/categories", "editor", kit.Object{"name": "Music", "parent": arts}).Want(t, 201, "").ID()
	jazz := k.Post("/categories", "editor", kit.Object{"name": "Jazz", "parent": music, "translations": kit.Object{"de": kit.Object{"name": "Dschäss"}}}).Want(t, 201, "").ID()
	k.Post("/events", "editor", kit.Times(kit.Object{"title": "Session", "categories": []any{jazz}})).Want(t, 201, "")
	for _, c := range []struct{ path, want string }{
		{"//events/category/arts/music/jazz/", ""},
		{"//de/events/category/kunst/music/dschaess/", ""},
		{"//fr/events/category/les-arts/music/jazz/", ""},
		{"//es/events/category/arts/music/jazz/", ""},
		{"//de/events/category/arts/music/jazz/", "/de/events/category/kunst/music/dschaess/"},
		{"//de/events/category/dschaess/", "/de/events/category/kunst/music/dschaess/"},
		{"//de/events/category/les-arts/music/dschaess/", "/de/events/category/kunst/music/dschaess/"},
		{"//fr/events/category/arts/music/jazz/", "/fr/events/category/les-arts/music/jazz/"},
		{"//events/category/music/", "/events/category/arts/music/"},
		{"//de/events/category/music/", "/de/events/category/kunst/music/"},
	} {
		a := k.Get(c.path, "")
		if c.want == "" {
			a.Want(t, 200, "")
			for _, link := range []string{`href="http://localhost/en/events/category/arts/music/jazz/"`,
				`href="http://localhost/de/events/category/kunst/music/dschaess/"`, `href="http://localhost/fr/events/category/les-arts/music/jazz/"`,
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
		if a := k.Get(path, ""); !strings.Contains(string(a.Raw), "/de/events/category/kunst/music/dschaess/") {
			t.Errorf("%s doesn't lead to the category in German", path)
		}
	}
	a := k.Get(german+kit.Item("categories", jazz), "").Want(t, 200, "")
	if !strings.Contains(string(a.Raw), "/de/events/category/kunst/music/dschaess/") {
		t.Errorf("the address of a category: %s", a)
	}
	for part := range 8 {
		if a := k.Get("//sitemap.xml?part="+string(rune('0'+part)), ""); strings.Contains(string(a.Raw), "/category/") {
			for _, link := range []string{"<loc>http://localhost/events/category/arts/music/jazz/</loc>", `href="http://localhost/de/events/category/kunst/music/dschaess/"`} {
				if !strings.Contains(string(a.Raw), link) {
					t.Errorf("the site map lacks %s", link)
				}
			}
		}
	}
	k.Patch(kit.Item("categories", arts), "editor", kit.Object{"translations": kit.Object{"de": kit.Object{"slug": "Künste"}}}).Want(t, 200, "")
	if a := k.Get("//de/events/category/kunst/music/dschaess/", ""); a.Status != 301 || a.Header.Get("Location") != "/de/events/category/kunste/music/dschaess/" {
		t.Errorf("a path of before: %d %s", a.Status, a.Header.Get("Location"))
	}
	if a := k.Get("//de/events/category/kunst/", ""); a.Status != 301 || a.Header.Get("Location") != "/de/events/category/kunste/" {
		t.Errorf("a slug of before: %d %s", a.Status, a.Header.Get("Location"))
	}
	k.Get("//de/events/category/kunste/music/dschaess/", "").Want(t, 200, "")
}

// TestSearchesFindTranslatedAddresses: events and venues are found by the city and the street that a venue has in the language that is
// read, in that language alone, and pages say which line is in another language.
func TestSearchesFindTranslatedAddresses(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	hall := k.Post("/venues", "editor", kit.Object{"venue": "Sala", "slug": "sala", "address": "Piazza 1", "city": "Milano", "country": "Italy",
		"translations": kit.Object{"de": kit.Object{"city": "Mailand", "address": "Domplatz 1"}}}).Want(t, 201, "").ID()
	k.Event(kit.Object{"title": "Concert", "slug": "concert", "start_date": "2030-03-02 10:00:00", "end_date": "2030-03-02 11:00:00", "venue": hall})
	events := "calendar/events/v1/events?start_date=2030-01-01&search="
	for path, total := range map[string]float64{"//de/" + events + "Mailand": 1, "//de/" + events + "Domplatz": 1, "//de/" + events + "Milano": 1,
		"//" + events + "Mailand": 0, "//fr/" + events + "Mailand": 0, "//de/calendar/events/v1/venues?search=mailand": 1,
		"//calendar/events/v1/venues?search=domplatz": 0} {
		k.Get(path, "").Want(t, 200, "").Has(t, "total", total)
	}
	if page := k.Look("/de/events/?search=Mialand").String(); !strings.Contains(page, "Mailand") || !strings.Contains(page, "Concert") {
		t.Errorf("a misspelled city finds nothing: %.2000s", page)
	}
	for path, want := range map[string]string{"/de/venue/sala/": `<span><bdi>Domplatz 1</bdi></span><span><bdi>Mailand</bdi></span><span><bdi lang="en">Italy</bdi></span>`,
		"/fr/venue/sala/": `<span><bdi lang="en">Piazza 1</bdi></span>`, "/de/venues/": `<bdi>Mailand</bdi>`, "/fr/venues/": `<bdi lang="en">Milano</bdi>`} {
		if page := k.Look(path).Want(t, 200, "").String(); !strings.Contains(page, want) {
			t.Errorf("%s lacks %s", path, want)
		}
	}
}
