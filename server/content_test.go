package server_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/tenancy"
)

// bilingual is a kit whose demo site is written in English, German and French, in
// which English stands in for both others.
func bilingual(t *testing.T) *kit {
	t.Helper()
	k := standing(t)
	k.write("demo", "en", "de", "fr")
	return k
}

// write has a site be written in languages, in the order in which they stand in for
// one another.
func (k *kit) write(site string, languages ...string) {
	k.t.Helper()
	k.exec("UPDATE sites SET content_languages = $2, version = version + 1 WHERE slug = $1", site, languages)
	k.platform.Forget(k.sites[site].ID)
	k.sites[site].Settings.ContentLanguages = languages
}

// choir is an event with texts in German, and only its title in French.
func choir() object {
	return times(object{"title": "Choir", "description": "Bring a friend.", "excerpt": "Songs", "slug": "choir", "cost": "free",
		"translations": object{
			"de": object{"title": "Chor & mehr", "description": "Bringen Sie <b>jemanden</b> mit.<script>x</script>", "cost": "frei", "slug": "Chöre"},
			"fr": object{"title": "Chorale"},
		}})
}

const german, french, italian = "//de/calendar/events/v1", "//fr/calendar/events/v1", "//es/calendar/events/v1"

// TestTextsInLanguages writes an event in three languages and reads it in four.
func TestTextsInLanguages(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	made := k.post("/events", "editor", choir()).want(t, 201, "").has(t, "title", "Choir", "content_language", "en")
	id := made.id()
	path := item("events", id)
	for _, c := range []struct {
		path, title, description, excerpt, slug, cost, language string
	}{
		{path, "Choir", "<p>Bring a friend.</p>", "<p>Songs</p>", "choir", "free", "en"},
		{path + "?content_language=en", "Choir", "<p>Bring a friend.</p>", "<p>Songs</p>", "choir", "free", "en"},
		{path + "?content_language=de", "Chor &amp; mehr", "<p>Bringen Sie <b>jemanden</b> mit.</p>", "<p>Songs</p>", "chore", "frei", "de"},
		{german + path, "Chor &amp; mehr", "<p>Bringen Sie <b>jemanden</b> mit.</p>", "<p>Songs</p>", "chore", "frei", "de"},
		{french + path, "Chorale", "<p>Bring a friend.</p>", "<p>Songs</p>", "chorale", "free", "fr"},
		{italian + path, "Choir", "<p>Bring a friend.</p>", "<p>Songs</p>", "choir", "free", "en"},
		{french + path + "?content_language=de", "Chor &amp; mehr", "<p>Bringen Sie <b>jemanden</b> mit.</p>", "<p>Songs</p>", "chore", "frei", "de"},
	} {
		a := k.get(c.path, "").want(t, 200, "").has(t, "title", c.title, "excerpt", c.excerpt, "slug", c.slug,
			"content_language", c.language, "cost", c.cost)
		if got := fmt.Sprint(a.at("description")); strings.TrimSpace(got) != strings.TrimSpace(c.description) {
			t.Errorf("%s: description %q, want %q", c.path, got, c.description)
		}
		if got := a.Header.Get("Content-Language"); got != c.language {
			t.Errorf("%s: Content-Language %q, want %q", c.path, got, c.language)
		}
		if got := fmt.Sprint(a.at("translations")); got != "[en de fr]" {
			t.Errorf("%s: translations %s", c.path, got)
		}
		list, _, _ := strings.Cut(strings.Replace(c.path, path, "/events", 1), "?")
		_, query, _ := strings.Cut(c.path, "?")
		k.get(list+"?"+query, "").want(t, 200, "").has(t, "events.0.title", c.title, "events.0.slug", c.slug, "events.0.content_language", c.language)
		k.get(list+"?"+query, "editor").want(t, 200, "").has(t, "events.0.title", c.title)
	}
	whole := k.get(path+"?translations=full", "").want(t, 200, "").has(t, "translations.en.title", "Choir", "translations.de.title", "Chor &amp; mehr",
		"translations.de.slug", "chore", "translations.fr.title", "Chorale", "translations.de.outdated", false)
	k.get(german+path+"?translations=full", "").has(t, "translations.en.title", "Choir", "title", "Chor &amp; mehr")
	k.get("/events?translations=full", "").has(t, "events.0.translations.en.title", "Choir", "events.0.translations.fr.title", "Chorale")
	if whole.at("translations.de.excerpt") != "-" {
		t.Error("a text that isn't written is there")
	}
}

// TestTranslationsAreWrittenByThemselves: what isn't sent stays, null takes away, and
// what a text was made from is remembered.
func TestTranslationsAreWrittenByThemselves(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	path := item("events", k.post("/events", "editor", choir()).want(t, 201, "").id())
	full := path + "?translations=full"
	k.patch(path, "editor", object{"translations": object{"de": object{"excerpt": "Lieder"}}}).want(t, 200, "").has(t, "title", "Choir")
	k.get(full, "").has(t, "translations.de.title", "Chor &amp; mehr", "translations.de.excerpt", "<p>Lieder</p>", "translations.fr.title", "Chorale")
	k.patch(path, "editor", object{"content_language": "de", "title": "Singkreis"}).want(t, 200, "").
		has(t, "title", "Singkreis", "content_language", "de", "slug", "chore")
	k.get(path, "").has(t, "title", "Choir")
	k.patch(path, "editor", object{"website": "https://example.org/"}).want(t, 200, "")
	k.get(full, "").has(t, "translations.de.outdated", false, "translations.fr.outdated", false)
	k.patch(path, "editor", object{"title": "Great choir", "translations": object{"fr": object{"title": "Grande chorale"}}}).want(t, 200, "")
	k.get(full, "").has(t, "translations.de.outdated", true, "translations.fr.outdated", false, "translations.fr.title", "Grande chorale")
	k.patch(path, "editor", object{"translations": object{"de": object{"title": "Singkreis"}}}).want(t, 200, "")
	k.get(full, "").has(t, "translations.de.outdated", false)
	k.patch(path, "editor", object{"translations": object{"de": object{"description": nil, "cost": ""}}}).want(t, 200, "")
	k.get(german+path, "").has(t, "title", "Singkreis", "cost", "free")
	k.patch(path, "editor", object{"translations": object{"de": nil, "en": object{"title": "Choir"}}}).want(t, 200, "").has(t, "title", "Choir")
	a := k.get(german+path, "").has(t, "title", "Choir", "content_language", "en", "slug", "choir")
	if got := fmt.Sprint(a.at("translations")); got != "[en fr]" {
		t.Errorf("translations after one was removed: %s", got)
	}
	k.get("/events?content_language=de&translated=true", "").has(t, "total", 0)
	k.get("/events?content_language=fr&translated=true", "").has(t, "total", 1, "events.0.title", "Grande chorale")
	k.get("/events?content_language=en&translated=true", "").has(t, "total", 1)
}

// TestTranslationsThatWontDo names what is wrong by language and field.
func TestTranslationsThatWontDo(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	path := item("events", k.post("/events", "editor", choir()).want(t, 201, "").id())
	for _, c := range []struct {
		body object
		arg  string
	}{
		{object{"translations": object{"es": object{"title": "Coro"}}}, "translations.es"},
		{object{"translations": object{"xx": nil}}, "translations.xx"},
		{object{"translations": object{"en": nil}}, "translations.en"},
		{object{"translations": object{"de": "Chor"}}, "translations.de"},
		{object{"translations": object{"de": object{"title": 5}}}, "translations.de.title"},
		{object{"translations": object{"de": object{"title": " \n "}}}, "translations.de.title"},
		{object{"translations": object{"de": object{"title": letters(1001)}}}, "translations.de.title"},
		{object{"translations": object{"de": object{"cost": object{"a": object{}}}}}, "translations.de.cost"},
		{object{"translations": []any{"de"}}, "translations"},
		{object{"content_language": "es", "title": "Coro"}, "content_language"},
	} {
		a := k.patch(path, "editor", c.body)
		if a.Status != 400 || !slices.Contains(keys(a.params(), nil), c.arg) {
			t.Errorf("%v: %s, want a problem with %s", c.body, a, c.arg)
		}
	}
	if a := k.patch(german+path, "editor", object{"translations": object{"de": object{"title": letters(1001)}}}); !strings.Contains(string(a.Raw), "Zeichen") {
		t.Errorf("the problem isn't in German: %s", a)
	}
	k.post("/events", "editor", times(object{"title": "Konzert", "content_language": "de"})).want(t, 400, "rest_missing_callback_param")
	k.post("/events", "editor", times(object{"title": "Konzert", "content_language": "de", "translations": object{"en": object{"title": "Concert"}}})).
		want(t, 201, "").has(t, "title", "Konzert", "content_language", "de")
	k.get("/events?content_language=es", "").want(t, 400, "rest_invalid_param")
	k.patch(path, "subscriber", object{"translations": object{"de": object{"title": "x"}}}).want(t, 403, "rest_forbidden")
	k.patch(path, "", object{"translations": object{"de": object{"title": "x"}}}).want(t, 401, "rest_forbidden")
}

// TestPlacesAndTermsInLanguages: what events nest speaks with them.
func TestPlacesAndTermsInLanguages(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	venue := k.post("/venues", "editor", object{"venue": "Town hall", "translations": object{"de": object{"venue": "Rathaus", "description": "Am <i>Markt</i>"}}}).
		want(t, 201, "").has(t, "venue", "Town hall").id()
	organizer := k.post("/organizers", "editor", object{"organizer": "Club", "translations": object{"de": object{"organizer": "Verein"}}}).want(t, 201, "").id()
	category := k.post("/categories", "editor", object{"name": "Music", "translations": object{"de": object{"name": "Musik"}}}).want(t, 201, "").id()
	tag := k.post("/tags", "editor", object{"name": "Loud", "content_language": "de", "translations": object{"en": object{"name": "Loud"}, "de": object{"name": "Laut"}}}).
		want(t, 201, "").has(t, "name", "Laut").id()
	body := choir()
	body["venue"], body["organizer"], body["categories"], body["tags"] = venue, organizer, []any{category}, []any{tag}
	path := item("events", k.post("/events", "editor", body).want(t, 201, "").id())
	for range 2 { // read, and remembered
		for _, way := range []string{path, "/events"} {
			at := ""
			if way == "/events" {
				at = "events.0."
			}
			k.get(way, "editor").has(t, at+"venue.venue", "Town hall", at+"organizer.0.organizer", "Club", at+"categories.0.name", "Music", at+"tags.0.name", "Loud")
			k.get(german+way, "editor").has(t, at+"venue.venue", "Rathaus", at+"organizer.0.organizer", "Verein", at+"categories.0.name", "Musik",
				at+"tags.0.name", "Laut", at+"venue.content_language", "de", at+"categories.0.slug", "musik")
			k.get(french+way, "editor").has(t, at+"venue.venue", "Town hall", at+"venue.content_language", "en", at+"title", "Chorale")
		}
	}
	k.get(german+item("venues", venue), "").has(t, "venue", "Rathaus", "slug", "rathaus", "content_language", "de")
	k.get(german+"/venues/by-slug/rathaus", "").want(t, 200, "").has(t, "id", venue)
	k.get("/venues/by-slug/rathaus", "").want(t, 404, "rest-venue-not-found")
	k.get(german+"/venues", "").has(t, "venues.0.venue", "Rathaus")
	k.get(german+"/venues?search=rathaus", "").has(t, "total", 1)
	k.get("/venues?search=rathaus", "").has(t, "total", 0)
	k.get(german+"/categories?slug=musik", "").has(t, "total", 1, "categories.0.name", "Musik")
	k.get("/categories?slug=musik", "").has(t, "total", 0)
	k.get(german+"/events?categories=musik", "").has(t, "total", 1)
	k.get("/events?categories=musik", "").want(t, 400, "rest_invalid_param")
	k.get(german+"/tags?translated=true", "").has(t, "total", 1, "tags.0.name", "Laut")
	k.get(french+"/tags?translated=true", "").has(t, "total", 0)
	k.patch(item("venues", venue), "editor", object{"venue": "City hall"}).want(t, 200, "")
	k.get(item("venues", venue)+"?translations=full", "").has(t, "translations.de.outdated", true, "translations.de.venue", "Rathaus")
	k.get(german+"/events", "editor").has(t, "events.0.venue.venue", "Rathaus")
	k.patch(item("venues", venue), "editor", object{"translations": object{"de": nil}}).want(t, 200, "")
	k.get(german+"/events", "editor").has(t, "events.0.venue.venue", "City hall")
}

// TestSearchInLanguages: in the language of the request, and in the site's own.
func TestSearchInLanguages(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	k.post("/events", "editor", choir()).want(t, 201, "")
	k.post("/events", "editor", times(object{"title": "Jemanden treffen"})).want(t, 201, "")
	for _, c := range []struct {
		where, words string
		found        int
	}{
		{"/events", "choir", 1}, {"/events", "chor", 0}, {"/events", "chorale", 0}, {"/events", "jemanden", 1},
		{german + "/events", "chor", 1}, {german + "/events", "choir", 1}, {german + "/events", "chorale", 0}, {german + "/events", "jemanden", 2},
		{german + "/events", "jemanden%20chor", 1}, {german + "/events", "jemanden%20-chor", 1}, {german + "/events", "friend%20chor", 1},
		{french + "/events", "chorale", 1}, {french + "/events", "jemanden", 1}, {german + "/events", "CHÖR", 1},
	} {
		k.get(c.where+"?search="+c.words, "").want(t, 200, "").has(t, "total", c.found)
		k.get(c.where+"?search="+c.words+"&status=publish", "editor").want(t, 200, "").has(t, "total", c.found)
	}
	for where, first := range map[string]string{"/events": "Choir", german + "/events": "Chor &amp; mehr"} {
		k.get(where+"?orderby=title", "").has(t, "events.0.title", first)
	}
	k.post("/events", "editor", times(object{"title": "Zebra", "translations": object{"de": object{"title": "Aal"}}})).want(t, 201, "")
	k.get("/events?orderby=title&order=desc", "").has(t, "events.0.title", "Zebra")
	k.get(german+"/events?orderby=title", "").has(t, "events.0.title", "Aal")
}

// TestSlugsInLanguages: of a kind nothing has the slug that another has in its
// language, or in the site's own.
func TestSlugsInLanguages(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	made := func(title, german string) answer {
		return k.post("/events", "editor", times(object{"content_language": "de", "title": german, "translations": object{"en": object{"title": title}}})).want(t, 201, "")
	}
	first := made("Concert", "Konzert").has(t, "slug", "konzert").id()
	second := made("Other concert", "Konzert").has(t, "slug", "konzert-2").id()
	k.post("/events", "editor", times(object{"title": "Konzert"})).want(t, 201, "").has(t, "slug", "konzert-3")
	third := made("Konzert 9", "Concert").has(t, "slug", "concert-2").id()
	k.get(german+"/events/by-slug/konzert", "").want(t, 200, "").has(t, "id", first)
	k.get(german+"/events/by-slug/konzert-2", "").has(t, "id", second)
	k.get(german+"/events/by-slug/concert", "").has(t, "id", first)
	k.get(german+"/events/by-slug/concert-2", "").has(t, "id", third)
	k.get("/events/by-slug/konzert", "").want(t, 404, "rest-event-not-found")
	k.get(french+"/events/by-slug/konzert", "").want(t, 404, "rest-event-not-found")
	k.patch(german+"/events/by-slug/konzert", "editor", object{"website": "https://example.org/"}).want(t, 200, "").has(t, "id", first, "title", "Konzert")
	k.del(item("events", first), "editor").want(t, 200, "")
	k.get(german+"/events/by-slug/konzert", "").want(t, 404, "rest-event-not-found")
	made("Third", "Konzert").has(t, "slug", "konzert")
	k.patch(item("events", first), "editor", object{"status": "publish"}).want(t, 200, "")
	k.get(german+item("events", first), "").has(t, "slug", "konzert-4")
	k.del(item("events", second)+"?force=true", "editor").want(t, 200, "")
	if n := k.peek("demo", `SELECT count(*)::text FROM translated_slugs WHERE id = $1`, second); n != "0" {
		t.Errorf("%s slugs of what is gone", n)
	}
}

// TestSeriesInLanguages: texts stand with the series, and an occurrence can have its
// own.
func TestSeriesInLanguages(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	body := choir()
	body["recurrence"] = object{"every": "day", "count": 3}
	series := k.post("/events", "editor", body).want(t, 201, "").id()
	list := k.get(german+"/events", "").has(t, "total", 3, "events.2.title", "Chor &amp; mehr", "events.1.slug", "chore")
	one := int64(list.at("events.1.id").(float64))
	k.patch(item("events", one), "editor", object{"translations": object{"de": object{"title": "Sonderprobe"}}}).want(t, 200, "")
	k.get(german+"/events", "").has(t, "events.0.title", "Chor &amp; mehr", "events.1.title", "Sonderprobe", "events.2.title", "Chor &amp; mehr")
	k.patch(item("events", series), "editor", object{"translations": object{"de": object{"title": "Chorprobe"}, "fr": nil}}).want(t, 200, "")
	k.get(german+"/events", "").has(t, "events.0.title", "Chorprobe", "events.1.title", "Sonderprobe", "events.2.title", "Chorprobe")
	k.get(french+"/events", "").has(t, "events.0.title", "Choir", "events.1.title", "Chorale")
	last := int64(list.at("events.2.id").(float64))
	k.patch(item("events", last)+"?applies_to=following", "editor", object{"translations": object{"de": object{"title": "Abschied"}}}).want(t, 200, "")
	k.get(german+"/events", "").has(t, "events.0.title", "Chorprobe", "events.1.title", "Sonderprobe", "events.2.title", "Abschied")
}

// TestOneLanguageSeesNothing: a site that is written in one language answers as ever.
func TestOneLanguageSeesNothing(t *testing.T) {
	t.Parallel()
	k := standing(t)
	k.post("/events", "editor", times(object{"title": "Choir", "venue": object{"venue": "Hall"}, "categories": "Music", "content_language": "en"})).want(t, 201, "")
	k.post("/events", "editor", times(object{"title": "Choir", "translations": object{"de": object{"title": "Chor"}}})).want(t, 400, "rest_invalid_param")
	for _, path := range []string{"/events", "/events?translations=full", german + "/events", "/venues", "/categories"} {
		if a := k.get(path, "").want(t, 200, ""); strings.Contains(string(a.Raw), "content_language\"") || strings.Contains(string(a.Raw), `"translations"`) {
			t.Errorf("%s: %s", path, a)
		}
	}
	k.get("/events?content_language=de", "").want(t, 400, "rest_invalid_param")
	k.get("/events?content_language=en", "").want(t, 200, "")
}

// TestLanguagesStandInForOthers: in the order that the site gives them.
func TestLanguagesStandInForOthers(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	path := item("events", k.post("/events", "editor", choir()).want(t, 201, "").id())
	k.write("demo", "de", "en", "fr")
	k.get(french+path, "").has(t, "title", "Chorale", "cost", "frei", "content_language", "fr")
	k.get(italian+path, "").has(t, "title", "Chor &amp; mehr", "content_language", "de")
	k.get(path, "").has(t, "title", "Choir", "cost", "free", "content_language", "en")
	k.get(french+"/events", "").has(t, "events.0.title", "Chorale", "events.0.cost", "frei")
	k.write("demo", "en", "fr")
	a := k.get(german+path, "").has(t, "title", "Choir")
	if got := fmt.Sprint(a.at("translations")); got != "[en fr]" {
		t.Errorf("translations in a language that the site is not written in any more: %s", got)
	}
}

// TestTextsOfOthers: another site's texts are neither read nor written nor in the way.
func TestTextsOfOthers(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	id := k.post("/events", "editor", choir()).want(t, 201, "").id()
	k.twins()
	k.write("two", "en", "de")
	for _, path := range []string{german + item("events", id), german + "/events/by-slug/chore", german + "/events?search=mehr", german + "/events"} {
		a := k.send(request{Method: "GET", Path: path, Site: "two", As: "administrator"})
		if strings.Contains(string(a.Raw), "Chor") {
			t.Errorf("%s shows another site's text: %s", path, a)
		}
	}
}

// TestPagesInLanguages: texts, slugs and the way to the same page in another language.
func TestPagesInLanguages(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	body := choir()
	body["cost"] = "members only"
	body["venue"] = object{"venue": "Town hall", "translations": object{"de": object{"venue": "Rathaus"}}}
	body["categories"] = []any{k.post("/categories", "editor", object{"name": "Music", "translations": object{"de": object{"name": "Musik"}}}).id()}
	k.post("/events", "editor", body).want(t, 201, "")
	for _, c := range []struct {
		path  string
		shows []string
		lacks string
	}{
		{"//de/event/chore/", []string{"Chor &amp; mehr", "Bringen Sie", "Rathaus", `href="http://localhost/en/event/choir/"`, `href="http://localhost/fr/event/chorale/"`,
			`hreflang="x-default" href="http://localhost/event/choir/"`, `rel="canonical" href="http://localhost/de/event/chore/"`,
			`href="/language/fr/event/chorale/"`, "/de/venue/rathaus/", "/de/events/category/musik/"}, `lang="en">Chor`},
		{"//fr/event/chorale/", []string{`lang="en">Town hall`, `<bdi lang="en">members only</bdi>`, "Chorale", `dir="auto" lang="en"`, `href="/language/de/event/chore/"`}, "Rathaus"},
		{"//event/choir/", []string{"Choir", `rel="canonical" href="http://localhost/event/choir/"`, `href="/language/de/event/chore/"`}, "Chor &amp;"},
		{"//de/events/", []string{"Chor &amp; mehr", "/de/event/chore/"}, "Choir"},
		{"//de/venue/rathaus/", []string{"Rathaus", `href="/language/fr/venue/town-hall/"`, "Chor &amp; mehr"}, ""},
		{"//de/events/category/musik/", []string{"Musik", `href="/language/en/events/category/music/"`, "Chor &amp; mehr"}, ""},
	} {
		a := k.get(c.path, "").want(t, 200, "")
		for _, text := range c.shows {
			if !strings.Contains(string(a.Raw), text) {
				t.Errorf("%s lacks %s", c.path, text)
			}
		}
		if c.lacks != "" && strings.Contains(string(a.Raw), c.lacks) {
			t.Errorf("%s has %s", c.path, c.lacks)
		}
	}
	accepts := k.with("GET", "//event/choir/", "", nil, "Accept-Language", "de")
	if accepts.Status != 200 || !strings.Contains(string(accepts.Raw), "Chor &amp; mehr") {
		t.Errorf("the address without a language: %d", accepts.Status)
	}
	if a := k.get("//de/event/choir/", ""); a.Status != 301 || a.Header.Get("Location") != "/de/event/chore/" {
		t.Errorf("the slug of the site's own language under another: %d %s", a.Status, a.Header.Get("Location"))
	}
	var maps strings.Builder
	for part := range 8 {
		maps.Write(k.get(fmt.Sprint("//sitemap.xml?part=", part), "").Raw)
	}
	maps.Write(k.get("//sitemap.xml", "").Raw)
	for _, text := range []string{"<loc>http://localhost/event/choir/</loc>", `hreflang="de" href="http://localhost/de/event/chore/"`,
		`hreflang="fr" href="http://localhost/fr/event/chorale/"`, `hreflang="de" href="http://localhost/de/venue/rathaus/"`} {
		if !strings.Contains(maps.String(), text) {
			t.Errorf("the site map lacks %s", text)
		}
	}
}

// TestTextsComeBack: revisions, the trash and archives keep texts.
func TestTextsComeBack(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	path := item("events", k.post("/events", "editor", choir()).want(t, 201, "").id())
	was := k.get(path, "")
	version := was.Header.Get("ETag")
	k.patch(path, "editor", object{"title": "Other", "translations": object{"de": object{"title": "Anders"}, "fr": nil}}).want(t, 200, "")
	if version == k.get(path, "").Header.Get("ETag") {
		t.Error("the ETag is that of before")
	}
	before := k.get(german+"/events", "")
	k.patch(path, "editor", object{"translations": object{"de": object{"excerpt": "Neu"}}}).want(t, 200, "")
	if after := k.get(german+"/events", ""); string(after.Raw) == string(before.Raw) || after.Header.Get("ETag") == before.Header.Get("ETag") {
		t.Error("a list in German is that of before")
	}
	ctx, err := tenancy.Enter(tenancy.AsProvider(t.Context(), tenancy.Provider{}), k.sites["demo"])
	k.must(err)
	past, err := k.calendar.Revisions(ctx, "event", was.id())
	k.must(err)
	_, err = k.calendar.Restore(ctx, "event", was.id(), past.Events[len(past.Events)-1].Place.Version, nil)
	k.must(err)
	k.get(path+"?translations=full", "").has(t, "title", "Choir", "translations.de.title", "Chor &amp; mehr", "translations.fr.title", "Chorale",
		"translations.de.excerpt", "-", "translations.de.outdated", false)
	k.del(path, "editor").want(t, 200, "")
	k.patch(path, "editor", object{"status": "publish"}).want(t, 200, "")
	k.get(german+"/events/by-slug/chore", "").want(t, 200, "").has(t, "title", "Chor &amp; mehr")
}

// TestAdminWritesTexts: the form of an event has the texts of other languages beside its
// own, says how they stand, and keeps what was typed when something is wrong.
func TestAdminWritesTexts(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	b := k.person("editor")
	fresh := b.get("/admin/events/new")
	if !fresh.shows(`name="translations.de.title"`) || !fresh.shows(`name="translations.fr.description"`) || fresh.shows(`name="translations.en.title"`) {
		t.Error("the form of a new event has other languages than the site")
	}
	p := b.post("/admin/events/new", formed(fresh, "title", "Choir", "translations.de.title", "Chor", "translations.de.description", "Komm", "status", "publish"))
	m := adminEvent.FindStringSubmatch(p.Header.Get("Location"))
	if p.Status != 303 || m == nil {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	path, page := "/events/"+m[1], "/admin/events/"+m[1]
	k.get(german+path, "editor").has(t, "title", "Chor", "slug", "chor", "description", "<p>Komm</p>")
	k.get(path+"?translations=full", "editor").has(t, "translations.fr", "-")
	p = b.post(page, formed(b.get(page), "title", "Great choir"))
	k.get(path+"?translations=full", "editor").has(t, "translations.de.outdated", true, "translations.de.title", "Chor")
	edited := b.get(page)
	if !edited.shows("outdated") || !edited.shows(`name="translations.de.current"`) {
		t.Errorf("the form doesn't say what is outdated: %d", p.Status)
	}
	b.post(page, formed(edited, "translations.de.current", "1"))
	k.get(path+"?translations=full", "editor").has(t, "translations.de.outdated", false, "translations.de.title", "Chor", "title", "Great choir")
	p = b.post(page, formed(b.get(page), "translations.fr.title", letters(1001), "translations.de.title", "Singkreis"))
	if p.Status != 422 || !p.shows("Singkreis") || !p.shows(`id="p-translations.fr.title"`) || !p.shows("Title (Français)") {
		t.Errorf("a title that is too long: %d %v %v %v", p.Status, p.shows("Singkreis"), p.shows(`id="p-translations.fr.title"`), p.shows("Title (Français)"))
	}
	b.post(page, formed(b.get(page), "translations.de.title", "", "translations.de.description", "", "translations.de.slug", ""))
	k.get(path+"?translations=full", "editor").has(t, "translations.de", "-")
	one := newKit(t)
	if one.person("editor").get("/admin/events/new").shows("translations.") {
		t.Error("a site of one language is asked for others")
	}
}

// formed is the form of an event with other values in some fields, given in pairs.
func formed(p page, pairs ...string) url.Values {
	form := formIn(p)
	form.Set("do", "save")
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return form
}
