package rest

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/kit"
)

// choir is an event with texts in German, and only its title in French.
func choir() kit.Object {
	return kit.Times(kit.Object{"title": "Choir", "description": "Bring a friend.", "excerpt": "Songs", "slug": "choir", "cost": "free",
		"translations": kit.Object{
			"de": kit.Object{"title": "Chor & mehr", "description": "Bringen Sie <b>jemanden</b> mit.<script>x</script>", "cost": "Hut", "slug": "Chöre"},
			"fr": kit.Object{"title": "Chorale"},
		}})
}

const german, french, italian = "//de/calendar/events/v1", "//fr/calendar/events/v1", "//es/calendar/events/v1"

// TestTextsInLanguages writes an event in three languages and reads it in four.
func TestTextsInLanguages(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	made := k.Post("/events", "editor", choir()).Want(t, 201, "").Has(t, "title", "Choir", "content_language", "en")
	id := made.ID()
	path := kit.Item("events", id)
	for _, c := range []struct {
		path, title, description, excerpt, slug, cost, language string
	}{
		{path, "Choir", "<p>Bring a friend.</p>", "<p>Songs</p>", "choir", "free", "en"},
		{path + "?content_language=en", "Choir", "<p>Bring a friend.</p>", "<p>Songs</p>", "choir", "free", "en"},
		{path + "?content_language=de", "Chor &amp; mehr", "<p>Bringen Sie <b>jemanden</b> mit.</p>", "<p>Songs</p>", "chore", "Hut", "de"},
		{german + path, "Chor &amp; mehr", "<p>Bringen Sie <b>jemanden</b> mit.</p>", "<p>Songs</p>", "chore", "Hut", "de"},
		{french + path, "Chorale", "<p>Bring a friend.</p>", "<p>Songs</p>", "chorale", "free", "fr"},
		{italian + path, "Choir", "<p>Bring a friend.</p>", "<p>Songs</p>", "choir", "free", "en"},
		{french + path + "?content_language=de", "Chor &amp; mehr", "<p>Bringen Sie <b>jemanden</b> mit.</p>", "<p>Songs</p>", "chore", "Hut", "de"},
	} {
		a := k.Get(c.path, "").Want(t, 200, "").Has(t, "title", c.title, "excerpt", c.excerpt, "slug", c.slug,
			"content_language", c.language, "cost", c.cost)
		if got := fmt.Sprint(a.At("description")); strings.TrimSpace(got) != strings.TrimSpace(c.description) {
			t.Errorf("%s: description %q, want %q", c.path, got, c.description)
		}
		if got := a.Header.Get("Content-Language"); got != c.language {
			t.Errorf("%s: Content-Language %q, want %q", c.path, got, c.language)
		}
		if got := fmt.Sprint(a.At("translations")); got != "[en de fr]" {
			t.Errorf("%s: translations %s", c.path, got)
		}
		list, _, _ := strings.Cut(strings.Replace(c.path, path, "/events", 1), "?")
		_, query, _ := strings.Cut(c.path, "?")
		k.Get(list+"?"+query, "").Want(t, 200, "").Has(t, "events.0.title", c.title, "events.0.slug", c.slug, "events.0.content_language", c.language)
		k.Get(list+"?"+query, "editor").Want(t, 200, "").Has(t, "events.0.title", c.title)
	}
	whole := k.Get(path+"?translations=full", "").Want(t, 200, "").Has(t, "translations.en.title", "Choir", "translations.de.title", "Chor &amp; mehr",
		"translations.de.slug", "chore", "translations.fr.title", "Chorale", "translations.de.outdated", false)
	k.Get(german+path+"?translations=full", "").Has(t, "translations.en.title", "Choir", "title", "Chor &amp; mehr")
	k.Get("/events?translations=full", "").Has(t, "events.0.translations.en.title", "Choir", "events.0.translations.fr.title", "Chorale")
	if whole.At("translations.de.excerpt") != "-" {
		t.Error("a text that isn't written is there")
	}
}

// TestTranslationsAreWrittenByThemselves: what isn't sent stays, null takes away, and
// what a text was made from is remembered.
func TestTranslationsAreWrittenByThemselves(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	path := kit.Item("events", k.Post("/events", "editor", choir()).Want(t, 201, "").ID())
	full := path + "?translations=full"
	k.Patch(path, "editor", kit.Object{"translations": kit.Object{"de": kit.Object{"excerpt": "Lieder"}}}).Want(t, 200, "").Has(t, "title", "Choir")
	k.Get(full, "").Has(t, "translations.de.title", "Chor &amp; mehr", "translations.de.excerpt", "<p>Lieder</p>", "translations.fr.title", "Chorale")
	k.Patch(path, "editor", kit.Object{"content_language": "de", "title": "Singkreis"}).Want(t, 200, "").
		Has(t, "title", "Singkreis", "content_language", "de", "slug", "chore")
	k.Get(path, "").Has(t, "title", "Choir")
	k.Patch(path, "editor", kit.Object{"website": "https://example.org/"}).Want(t, 200, "")
	k.Get(full, "").Has(t, "translations.de.outdated", false, "translations.fr.outdated", false)
	k.Patch(path, "editor", kit.Object{"title": "Great choir", "translations": kit.Object{"fr": kit.Object{"title": "Grande chorale"}}}).Want(t, 200, "")
	k.Get(full, "").Has(t, "translations.de.outdated", true, "translations.fr.outdated", false, "translations.fr.title", "Grande chorale")
	k.Patch(path, "editor", kit.Object{"translations": kit.Object{"de": kit.Object{"title": "Singkreis"}}}).Want(t, 200, "")
	k.Get(full, "").Has(t, "translations.de.outdated", false)
	k.Patch(path, "editor", kit.Object{"translations": kit.Object{"de": kit.Object{"description": nil, "cost": ""}}}).Want(t, 200, "")
	k.Get(german+path, "").Has(t, "title", "Singkreis", "cost", "free")
	k.Patch(path, "editor", kit.Object{"translations": kit.Object{"de": nil, "en": kit.Object{"title": "Choir"}}}).Want(t, 200, "").Has(t, "title", "Choir")
	a := k.Get(german+path, "").Has(t, "title", "Choir", "content_language", "en", "slug", "choir")
	if got := fmt.Sprint(a.At("translations")); got != "[en fr]" {
		t.Errorf("translations after one was removed: %s", got)
	}
	k.Get("/events?content_language=de&translated=true", "").Has(t, "total", 0)
	k.Get("/events?content_language=fr&translated=true", "").Has(t, "total", 1, "events.0.title", "Grande chorale")
	k.Get("/events?content_language=en&translated=true", "").Has(t, "total", 1)
}

// TestTranslationsThatWontDo names what is wrong by language and field.
func TestTranslationsThatWontDo(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	path := kit.Item("events", k.Post("/events", "editor", choir()).Want(t, 201, "").ID())
	for _, c := range []struct {
		body kit.Object
		arg  string
	}{
		{kit.Object{"translations": kit.Object{"es": kit.Object{"title": "Coro"}}}, "translations.es"},
		{kit.Object{"translations": kit.Object{"xx": nil}}, "translations.xx"},
		{kit.Object{"translations": kit.Object{"en": nil}}, "translations.en"},
		{kit.Object{"translations": kit.Object{"de": "Chor"}}, "translations.de"},
		{kit.Object{"translations": kit.Object{"de": kit.Object{"title": 5}}}, "translations.de.title"},
		{kit.Object{"translations": kit.Object{"de": kit.Object{"title": " \n "}}}, "translations.de.title"},
		{kit.Object{"translations": kit.Object{"de": kit.Object{"title": kit.Letters(1001)}}}, "translations.de.title"},
		{kit.Object{"translations": kit.Object{"de": kit.Object{"cost": kit.Object{"a": kit.Object{}}}}}, "translations.de.cost"},
		{kit.Object{"translations": []any{"de", 1}}, "translations"},
		{kit.Object{"content_language": "es", "title": "Coro"}, "content_language"},
	} {
		a := k.Patch(path, "editor", c.body)
		if a.Status != 400 || !slices.Contains(kit.Keys(a.Params(), nil), c.arg) {
			t.Errorf("%v: %s, want a problem with %s", c.body, a, c.arg)
		}
	}
	if a := k.Patch(german+path, "editor", kit.Object{"translations": kit.Object{"de": kit.Object{"title": kit.Letters(1001)}}}); !strings.Contains(string(a.Raw), "Zeichen") {
		t.Errorf("the problem isn't in German: %s", a)
	}
	k.Post("/events", "editor", kit.Times(kit.Object{"title": "Konzert", "content_language": "de"})).Want(t, 201, "").Has(t, "title", "Konzert", "content_language", "de")
	k.Post("/events", "editor", kit.Times(kit.Object{"title": "Konzert", "content_language": "de", "translations": kit.Object{"en": kit.Object{"title": "Concert"}}})).
		Want(t, 201, "").Has(t, "title", "Konzert", "content_language", "de")
	k.Get("/events?content_language=es", "").Want(t, 400, "rest_invalid_param")
	k.Patch(path, "subscriber", kit.Object{"translations": kit.Object{"de": kit.Object{"title": "x"}}}).Want(t, 403, "rest_forbidden")
	k.Patch(path, "", kit.Object{"translations": kit.Object{"de": kit.Object{"title": "x"}}}).Want(t, 401, "rest_forbidden")
}

// TestPlacesAndTermsInLanguages: what events nest speaks with them.
func TestPlacesAndTermsInLanguages(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	venue := k.Post("/venues", "editor", kit.Object{"venue": "Town hall", "translations": kit.Object{"de": kit.Object{"venue": "Rathaus", "description": "Am <i>Markt</i>"}}}).
		Want(t, 201, "").Has(t, "venue", "Town hall").ID()
	organizer := k.Post("/organizers", "editor", kit.Object{"organizer": "Club", "translations": kit.Object{"de": kit.Object{"organizer": "Verein"}}}).Want(t, 201, "").ID()
	category := k.Post("/categories", "editor", kit.Object{"name": "Music", "translations": kit.Object{"de": kit.Object{"name": "Musik"}}}).Want(t, 201, "").ID()
	tag := k.Post("/tags", "editor", kit.Object{"name": "Loud", "content_language": "de", "translations": kit.Object{"en": kit.Object{"name": "Loud"}, "de": kit.Object{"name": "Laut"}}}).
		Want(t, 201, "").Has(t, "name", "Laut").ID()
	body := choir()
	body["venue"], body["organizer"], body["categories"], body["tags"] = venue, organizer, []any{category}, []any{tag}
	path := kit.Item("events", k.Post("/events", "editor", body).Want(t, 201, "").ID())
	for range 2 { // read, and remembered
		for _, way := range []string{path, "/events"} {
			at := ""
			if way == "/events" {
				at = "events.0."
			}
			k.Get(way, "editor").Has(t, at+"venue.venue", "Town hall", at+"organizer.0.organizer", "Club", at+"categories.0.name", "Music", at+"tags.0.name", "Loud")
			k.Get(german+way, "editor").Has(t, at+"venue.venue", "Rathaus", at+"organizer.0.organizer", "Verein", at+"categories.0.name", "Musik",
				at+"tags.0.name", "Laut", at+"venue.content_language", "de", at+"categories.0.slug", "musik")
			k.Get(french+way, "editor").Has(t, at+"venue.venue", "Town hall", at+"venue.content_language", "en", at+"title", "Chorale")
		}
	}
	k.Get(german+kit.Item("venues", venue), "").Has(t, "venue", "Rathaus", "slug", "rathaus", "content_language", "de")
	k.Get(german+"/venues/by-slug/rathaus", "").Want(t, 200, "").Has(t, "id", venue)
	k.Get("/venues/by-slug/rathaus", "").Want(t, 404, "rest-venue-not-found")
	k.Get(german+"/venues", "").Has(t, "venues.0.venue", "Rathaus")
	k.Get(german+"/venues?search=rathaus", "").Has(t, "total", 1)
	k.Get("/venues?search=rathaus", "").Has(t, "total", 0)
	k.Get(german+"/categories?slug=musik", "").Has(t, "total", 1, "categories.0.name", "Musik")
	k.Get("/categories?slug=musik", "").Has(t, "total", 0)
	k.Get(german+"/events?categories=musik", "").Has(t, "total", 1)
	k.Get("/events?categories=musik", "").Want(t, 400, "rest_invalid_param")
	k.Get(german+"/tags?translated=true", "").Has(t, "total", 1, "tags.0.name", "Laut")
	k.Get(french+"/tags?translated=true", "").Has(t, "total", 0)
	k.Patch(kit.Item("venues", venue), "editor", kit.Object{"venue": "City hall"}).Want(t, 200, "")
	k.Get(kit.Item("venues", venue)+"?translations=full", "").Has(t, "translations.de.outdated", true, "translations.de.venue", "Rathaus")
	k.Get(german+"/events", "editor").Has(t, "events.0.venue.venue", "Rathaus")
	k.Patch(kit.Item("venues", venue), "editor", kit.Object{"translations": kit.Object{"de": nil}}).Want(t, 200, "")
	k.Get(german+"/events", "editor").Has(t, "events.0.venue.venue", "City hall")
}

// TestSearchInLanguages: in the language of the request, and in the site's own.
func TestSearchInLanguages(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	k.Post("/events", "editor", choir()).Want(t, 201, "")
	k.Post("/events", "editor", kit.Times(kit.Object{"title": "Jemanden treffen"})).Want(t, 201, "")
	for _, c := range []struct {
		where, words string
		found        int
	}{
		{"/events", "choir", 1}, {"/events", "chor", 0}, {"/events", "chorale", 0}, {"/events", "jemanden", 1},
		{german + "/events", "chor", 1}, {german + "/events", "choir", 1}, {german + "/events", "chorale", 0}, {german + "/events", "jemanden", 2},
		{german + "/events", "jemanden%20chor", 1}, {german + "/events", "jemanden%20-chor", 1}, {german + "/events", "friend%20chor", 1},
		{french + "/events", "chorale", 1}, {french + "/events", "jemanden", 1}, {german + "/events", "CHÖR", 1},
	} {
		k.Get(c.where+"?search="+c.words, "").Want(t, 200, "").Has(t, "total", c.found)
		k.Get(c.where+"?search="+c.words+"&status=publish", "editor").Want(t, 200, "").Has(t, "total", c.found)
	}
	for where, first := range map[string]string{"/events": "Choir", german + "/events": "Chor &amp; mehr"} {
		k.Get(where+"?orderby=title", "").Has(t, "events.0.title", first)
	}
	k.Post("/events", "editor", kit.Times(kit.Object{"title": "Zebra", "translations": kit.Object{"de": kit.Object{"title": "Aal"}}})).Want(t, 201, "")
	k.Get("/events?orderby=title&order=desc", "").Has(t, "events.0.title", "Zebra")
	k.Get(german+"/events?orderby=title", "").Has(t, "events.0.title", "Aal")
}

// TestSlugsInLanguages: of a kind nothing has the slug that another has in its
// language, or in the site's own.
func TestSlugsInLanguages(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	made := func(title, german string) kit.Answer {
		return k.Post("/events", "editor", kit.Times(kit.Object{"content_language": "de", "title": german, "translations": kit.Object{"en": kit.Object{"title": title}}})).Want(t, 201, "")
	}
	first := made("Concert", "Konzert").Has(t, "slug", "konzert").ID()
	second := made("Other concert", "Konzert").Has(t, "slug", "konzert-2").ID()
	k.Post("/events", "editor", kit.Times(kit.Object{"title": "Konzert"})).Want(t, 201, "").Has(t, "slug", "konzert-3")
	third := made("Konzert 9", "Concert").Has(t, "slug", "concert-2").ID()
	k.Get(german+"/events/by-slug/konzert", "").Want(t, 200, "").Has(t, "id", first)
	k.Get(german+"/events/by-slug/konzert-2", "").Has(t, "id", second)
	k.Get(german+"/events/by-slug/concert", "").Has(t, "id", first)
	k.Get(german+"/events/by-slug/concert-2", "").Has(t, "id", third)
	k.Get("/events/by-slug/konzert", "").Want(t, 404, "rest-event-not-found")
	k.Get(french+"/events/by-slug/konzert", "").Want(t, 404, "rest-event-not-found")
	k.Patch(german+"/events/by-slug/konzert", "editor", kit.Object{"website": "https://example.org/"}).Want(t, 200, "").Has(t, "id", first, "title", "Konzert")
	k.Del(kit.Item("events", first), "editor").Want(t, 200, "")
	k.Get(german+"/events/by-slug/konzert", "").Want(t, 404, "rest-event-not-found")
	made("Third", "Konzert").Has(t, "slug", "konzert")
	k.Patch(kit.Item("events", first), "editor", kit.Object{"status": "publish"}).Want(t, 200, "")
	k.Get(german+kit.Item("events", first), "").Has(t, "slug", "konzert-4")
	k.Del(kit.Item("events", second)+"?force=true", "editor").Want(t, 200, "")
	if n := k.Peek("demo", `SELECT count(*)::text FROM translated_slugs WHERE id = $1`, second); n != "0" {
		t.Errorf("%s slugs of what is gone", n)
	}
}

// TestSeriesInLanguages: texts stand with the series, and an occurrence can have its
// own.
func TestSeriesInLanguages(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	body := choir()
	body["recurrence"] = kit.Object{"every": "day", "count": 3}
	series := k.Post("/events", "editor", body).Want(t, 201, "").ID()
	list := k.Get(german+"/events", "").Has(t, "total", 3, "events.2.title", "Chor &amp; mehr", "events.1.slug", "chore")
	one := int64(list.At("events.1.id").(float64))
	k.Patch(kit.Item("events", one), "editor", kit.Object{"translations": kit.Object{"de": kit.Object{"title": "Sonderprobe"}}}).Want(t, 200, "")
	k.Get(german+"/events", "").Has(t, "events.0.title", "Chor &amp; mehr", "events.1.title", "Sonderprobe", "events.2.title", "Chor &amp; mehr")
	k.Patch(kit.Item("events", series), "editor", kit.Object{"translations": kit.Object{"de": kit.Object{"title": "Chorprobe"}, "fr": nil}}).Want(t, 200, "")
	k.Get(german+"/events", "").Has(t, "events.0.title", "Chorprobe", "events.1.title", "Sonderprobe", "events.2.title", "Chorprobe")
	k.Get(french+"/events", "").Has(t, "events.0.title", "Choir", "events.1.title", "Choir")
	k.Patch(kit.Item("events", series), "editor", kit.Object{"translations": kit.Object{"fr": kit.Object{"title": "Répétition"}}}).Want(t, 200, "")
	k.Get(french+"/events", "").Has(t, "events.0.title", "Répétition", "events.1.title", "Répétition")
	last := int64(list.At("events.2.id").(float64))
	k.Patch(kit.Item("events", last)+"?applies_to=following", "editor", kit.Object{"translations": kit.Object{"de": kit.Object{"title": "Abschied"}}}).Want(t, 200, "")
	k.Get(german+"/events", "").Has(t, "events.0.title", "Chorprobe", "events.1.title", "Sonderprobe", "events.2.title", "Abschied")
}

// What a date of a series has of its own, what it inherits, and what of that is outdated is told apart by language and field.
func TestTextsOfDatesByLanguageAndField(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	series := kit.Item("events", k.Post("/events", "editor", kit.Times(kit.Object{"title": "Choir", "description": "Songs",
		"recurrence": kit.Object{"every": "day", "count": 3}})).Want(t, 201, "").ID())
	list := k.Get("/events", "")
	gala, own := kit.Item("events", int64(list.At("events.0.id").(float64))), kit.Item("events", int64(list.At("events.1.id").(float64)))
	k.Patch(gala, "editor", kit.Object{"title": "Gala"}).Want(t, 200, "")
	k.Patch(own, "editor", kit.Object{"translations": kit.Object{"de": kit.Object{"title": "Eigen"}}}).Want(t, 200, "")
	k.Patch(series, "editor", kit.Object{"translations": kit.Object{"de": kit.Object{"title": "Chor", "description": "Lieder"}, "fr": kit.Object{"title": "Chorale"}}}).
		Want(t, 200, "")
	k.Get(gala+"?translations=full", "").Has(t, "title", "Gala", "translations.de.title", "Chor", "translations.de.outdated", true,
		"translations.de.outdated_fields.0", "title", "translations.de.outdated_fields.1", "-", "translations.fr.outdated", true)
	k.Get(own+"?translations=full", "").Has(t, "translations.de.title", "Eigen", "translations.de.outdated", false, "translations.de.description", "<p>Lieder</p>",
		"translations.fr.title", "Chorale", "translations.fr.outdated", false)
	k.Patch(gala, "editor", kit.Object{"translations": kit.Object{"de": kit.Object{"title": "Galaabend"}}}).Want(t, 200, "")
	k.Patch(series, "editor", kit.Object{"title": "Great choir"}).Want(t, 200, "")
	k.Get(gala+"?translations=full", "").Has(t, "title", "Gala", "translations.de.title", "Galaabend", "translations.de.outdated", false)
	k.Get(own+"?translations=full", "").Has(t, "title", "Great choir", "translations.de.title", "Eigen", "translations.fr.outdated", true)
	k.Patch(series, "editor", kit.Object{"translations": kit.Object{"de": kit.Object{"title": "Großer Chor"}}}).Want(t, 200, "")
	k.Get(german+own, "").Has(t, "title", "Eigen")
	k.Get(german+gala, "").Has(t, "title", "Galaabend")
	k.Patch(own, "editor", kit.Object{"translations": kit.Object{"de": kit.Object{"title": "Großer Chor"}}}).Want(t, 200, "")
	k.Patch(series, "editor", kit.Object{"translations": kit.Object{"de": kit.Object{"title": "Singkreis"}}}).Want(t, 200, "")
	k.Get(german+own, "").Has(t, "title", "Singkreis")
}

// TestOneLanguageSeesNothing: a site that is written in one language answers as ever.
func TestOneLanguageSeesNothing(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	k.Post("/events", "editor", kit.Times(kit.Object{"title": "Choir", "venue": kit.Object{"venue": "Hall"}, "categories": "Music", "content_language": "en"})).Want(t, 201, "")
	k.Post("/events", "editor", kit.Times(kit.Object{"title": "Choir", "translations": kit.Object{"de": kit.Object{"title": "Chor"}}})).Want(t, 400, "rest_invalid_param")
	for _, path := range []string{"/events", "/events?translations=full", german + "/events", "/venues", "/categories"} {
		if a := k.Get(path, "").Want(t, 200, ""); strings.Contains(string(a.Raw), "content_language\"") || strings.Contains(string(a.Raw), `"translations"`) {
			t.Errorf("%s: %s", path, a)
		}
	}
	k.Get("/events?content_language=de", "").Want(t, 400, "rest_invalid_param")
	k.Get("/events?content_language=en", "").Want(t, 200, "")
}

// TestLanguagesStandInForOthers: in the order that the site gives them.
func TestLanguagesStandInForOthers(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	path := kit.Item("events", k.Post("/events", "editor", choir()).Want(t, 201, "").ID())
	k.Write("demo", "de", "en", "fr")
	k.Get(french+path, "").Has(t, "title", "Chorale", "cost", "Hut", "content_language", "fr")
	k.Get(italian+path, "").Has(t, "title", "Chor &amp; mehr", "content_language", "de")
	k.Get(path, "").Has(t, "title", "Choir", "cost", "free", "content_language", "en")
	k.Get(french+"/events", "").Has(t, "events.0.title", "Chorale", "events.0.cost", "Hut")
	k.Write("demo", "en", "fr")
	a := k.Get(german+path, "").Has(t, "title", "Choir")
	if got := fmt.Sprint(a.At("translations")); got != "[en fr]" {
		t.Errorf("translations in a language that the site is not written in any more: %s", got)
	}
}

// TestTextsOfOthers: another site's texts are neither read nor written nor in the way.
func TestTextsOfOthers(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	id := k.Post("/events", "editor", choir()).Want(t, 201, "").ID()
	k.SecondSite()
	k.Write("two", "en", "de")
	for _, path := range []string{german + kit.Item("events", id), german + "/events/by-slug/chore", german + "/events?search=mehr", german + "/events"} {
		a := k.Send(kit.Request{Method: "GET", Path: path, Site: "two", As: "administrator"})
		if strings.Contains(string(a.Raw), "Chor") {
			t.Errorf("%s shows another site's text: %s", path, a)
		}
	}
}

// TestPagesInLanguages: texts, slugs and the way to the same page in another language.
func TestPagesInLanguages(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	body := choir()
	body["cost"] = "members only"
	body["venue"] = kit.Object{"venue": "Town hall", "translations": kit.Object{"de": kit.Object{"venue": "Rathaus"}}}
	body["categories"] = []any{k.Post("/categories", "editor", kit.Object{"name": "Music", "translations": kit.Object{"de": kit.Object{"name": "Musik"}}}).ID()}
	k.Post("/events", "editor", body).Want(t, 201, "")
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
		a := k.Get(c.path, "").Want(t, 200, "")
		for _, text := range c.shows {
			if !strings.Contains(string(a.Raw), text) {
				t.Errorf("%s lacks %s", c.path, text)
			}
		}
		if c.lacks != "" && strings.Contains(string(a.Raw), c.lacks) {
			t.Errorf("%s has %s", c.path, c.lacks)
		}
	}
	accepts := k.With("GET", "//event/choir/", "", nil, "Accept-Language", "de")
	if accepts.Status != 200 || !strings.Contains(string(accepts.Raw), "Chor &amp; mehr") {
		t.Errorf("the address without a language: %d", accepts.Status)
	}
	if a := k.Get("//de/event/choir/", ""); a.Status != 301 || a.Header.Get("Location") != "/de/event/chore/" {
		t.Errorf("the slug of the site's own language under another: %d %s", a.Status, a.Header.Get("Location"))
	}
	var maps strings.Builder
	for part := range 8 {
		maps.Write(k.Get(fmt.Sprint("//sitemap.xml?part=", part), "").Raw)
	}
	maps.Write(k.Get("//sitemap.xml", "").Raw)
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
	k := kit.Bilingual(t)
	path := kit.Item("events", k.Post("/events", "editor", choir()).Want(t, 201, "").ID())
	was := k.Get(path, "")
	version := was.Header.Get("ETag")
	k.Patch(path, "editor", kit.Object{"title": "Other", "translations": kit.Object{"de": kit.Object{"title": "Anders"}, "fr": nil}}).Want(t, 200, "")
	if version == k.Get(path, "").Header.Get("ETag") {
		t.Error("the ETag is that of before")
	}
	before := k.Get(german+"/events", "")
	k.Patch(path, "editor", kit.Object{"translations": kit.Object{"de": kit.Object{"excerpt": "Neu"}}}).Want(t, 200, "")
	if after := k.Get(german+"/events", ""); string(after.Raw) == string(before.Raw) || after.Header.Get("ETag") == before.Header.Get("ETag") {
		t.Error("a list in German is that of before")
	}
	ctx, err := tenancy.Enter(tenancy.AsProvider(t.Context(), tenancy.Provider{}), k.Sites["demo"])
	k.Must(err)
	past, err := k.Editing.Revisions(ctx, "event", was.ID())
	k.Must(err)
	_, err = k.Editing.Restore(ctx, "event", was.ID(), past.Events[len(past.Events)-1].Position.Version, "", nil)
	k.Must(err)
	k.Get(path+"?translations=full", "").Has(t, "title", "Choir", "translations.de.title", "Chor &amp; mehr", "translations.fr.title", "Chorale",
		"translations.de.excerpt", "-", "translations.de.outdated", false)
	k.Del(path, "editor").Want(t, 200, "")
	k.Patch(path, "editor", kit.Object{"status": "publish"}).Want(t, 200, "")
	k.Get(german+"/events/by-slug/chore", "").Want(t, 200, "").Has(t, "title", "Chor &amp; mehr")
}

// TestAdminWritesTexts: the form of an event has the texts of other languages beside its
// own, says how they stand, and keeps what was typed when something is wrong.
func TestAdminWritesTexts(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	b := k.Person("editor")
	fresh := b.Get("/admin/events/new")
	if !fresh.Shows(`name="translations.de.title"`) || !fresh.Shows(`name="translations.fr.description"`) || fresh.Shows(`name="translations.en.title"`) {
		t.Error("the form of a new event has other languages than the site")
	}
	p := b.Post("/admin/events/new", formed(fresh, "title", "Choir", "translations.de.title", "Chor", "translations.de.description", "Komm", "status", "publish"))
	m := kit.AdminEvent.FindStringSubmatch(p.Header.Get("Location"))
	if p.Status != 303 || m == nil {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	path, page := "/events/"+m[1], "/admin/events/"+m[1]
	k.Get(german+path, "editor").Has(t, "title", "Chor", "slug", "chor", "description", "<p>Komm</p>")
	k.Get(path+"?translations=full", "editor").Has(t, "translations.fr", "-")
	p = b.Post(page, formed(b.Get(page), "title", "Great choir"))
	k.Get(path+"?translations=full", "editor").Has(t, "translations.de.outdated", true, "translations.de.title", "Chor")
	edited := b.Get(page)
	if !edited.Shows("outdated") || !edited.Shows(`name="translations.de.current"`) {
		t.Errorf("the form doesn't say what is outdated: %d", p.Status)
	}
	b.Post(page, formed(edited, "translations.de.current", "1"))
	k.Get(path+"?translations=full", "editor").Has(t, "translations.de.outdated", false, "translations.de.title", "Chor", "title", "Great choir")
	p = b.Post(page, formed(b.Get(page), "translations.fr.title", kit.Letters(1001), "translations.de.title", "Singkreis"))
	if p.Status != 422 || !p.Shows("Singkreis") || !p.Shows(`id="p-translations.fr.title"`) || !p.Shows("Title (French)") {
		t.Errorf("a title that is too long: %d %v %v %v", p.Status, p.Shows("Singkreis"), p.Shows(`id="p-translations.fr.title"`), p.Shows("Title (French)"))
	}
	b.Post(page, formed(b.Get(page), "translations.de.title", "", "translations.de.description", "", "translations.de.slug", ""))
	k.Get(path+"?translations=full", "editor").Has(t, "translations.de", "-")
	one := kit.New(t)
	if one.Person("editor").Get("/admin/events/new").Shows("translations.") {
		t.Error("a site of one language is asked for others")
	}
}

// formed is the form of an event with other values in some fields, given in pairs.
func formed(p kit.Page, pairs ...string) url.Values {
	form := kit.FormIn(p)
	form.Set("do", "save")
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return form
}
