package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// speak has the provider change the language of the site.
func speak(k *kit.Kit, language string) kit.Answer {
	k.T.Helper()
	raw, err := json.Marshal(kit.Object{"language": language})
	k.Must(err)
	a := k.ProviderRequest("PATCH", "/sites/demo", kit.Sending(raw), func(r *http.Request) { r.Header.Set("Content-Type", "application/json") })
	return a.Want(k.T, 200, "")
}

// snapshot is what a client reads of items in all languages, without what every change alters.
func snapshot(k *kit.Kit, paths ...string) string {
	k.T.Helper()
	var b strings.Builder
	for _, path := range paths {
		for _, language := range []string{"en", "de", "fr"} {
			a := k.Get("//"+language+"/calendar/events/v1"+path+"?translations=full", "editor").Want(k.T, 200, "")
			for _, at := range []string{"title", "venue", "organizer", "name", "description", "excerpt", "slug", "cost", "url", "address", "city", "country",
				"content_language", "translations"} {
				fmt.Fprintln(&b, path, language, at, a.At(at))
			}
		}
	}
	return b.String()
}

// Rule 15.5: a site that changes its language exchanges the texts. What has none in the new language stays in the old one,
// and is never said to be in the new. Addresses go on, and changing back restores everything.
func TestSiteChangesItsLanguage(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	harvest := kit.Item("events", k.Post("/events", "editor", kit.Times(kit.Object{"title": "Harvest", "description": "Apples", "cost": "12 €",
		"translations": kit.Object{"de": kit.Object{"title": "Ernte", "excerpt": "Kurz"}, "fr": kit.Object{"title": "Récolte"}}})).Want(t, 201, "").ID())
	k.Patch(harvest, "editor", kit.Object{"translations": kit.Object{"de": kit.Object{"description": "Äpfel"}}}).Want(t, 200, "")
	plain := kit.Item("events", k.Post("/events", "editor", kit.Times(kit.Object{"title": "Plain", "description": "Only English", "cost": "free"})).Want(t, 201, "").ID())
	body := choir()
	body["recurrence"] = kit.Object{"every": "day", "count": 3}
	series := kit.Item("events", k.Post("/events", "editor", body).Want(t, 201, "").ID())
	date := int64(k.Get(german+"/events?search=chor", "").At("events.1.id").(float64))
	gala := kit.Item("events", date)
	k.Patch(gala, "editor", kit.Object{"title": "Gala"}).Want(t, 200, "")
	hall := kit.Item("venues", k.Post("/venues", "editor", kit.Object{"venue": "Town hall", "address": "Market 1", "city": "Cologne", "country": "Germany",
		"translations": kit.Object{"de": kit.Object{"venue": "Rathaus", "city": "Köln", "country": "Deutschland"}}}).Want(t, 201, "").ID())
	club := kit.Item("organizers", k.Post("/organizers", "editor", kit.Object{"organizer": "Club"}).Want(t, 201, "").ID())
	music := kit.Item("categories", k.Post("/categories", "editor", kit.Object{"name": "Music", "translations": kit.Object{"de": kit.Object{"name": "Musik"}}}).Want(t, 201, "").ID())
	outdated := kit.Item("tags", k.Post("/tags", "editor", kit.Object{"name": "Loud", "translations": kit.Object{"de": kit.Object{"name": "Laut"}}}).Want(t, 201, "").ID())
	k.Patch(outdated, "editor", kit.Object{"name": "Very loud"}).Want(t, 200, "")
	all := []string{harvest, plain, series, gala, hall, club, music, outdated}
	before := snapshot(k, all...)

	speak(k, "de").Has(t, "language", "de", "language_change.from", "en", "language_change.to", "de", "language_change.exchanged", 5, "language_change.kept", 2)
	k.Get(harvest, "").Has(t, "title", "Ernte", "slug", "ernte", "content_language", "de", "description", "<p>Äpfel</p>", "cost", "12€")
	k.Get("//en/calendar/events/v1"+harvest, "").Has(t, "title", "Harvest", "slug", "harvest", "content_language", "en", "description", "<p>Apples</p>", "cost", "12€")
	k.Get(harvest+"?translations=full", "").Has(t, "translations.de.title", "Ernte", "translations.de.outdated", "-", "translations.en.title", "Harvest",
		"translations.en.outdated", false, "translations.fr.title", "Récolte")
	for _, path := range []string{plain, german + plain, french + plain, "//en/calendar/events/v1" + plain} {
		a := k.Get(path, "").Has(t, "title", "Plain", "content_language", "en", "cost", "free")
		if got := fmt.Sprint(a.At("translations")); got != "[en]" {
			t.Errorf("%s: translations %s", path, got)
		}
	}
	k.Get("/events?search=plain", "").Has(t, "events.0.content_language", "en")
	k.Get("/events?translated=true&search=plain", "").Has(t, "total", 0)
	k.Get("//en/calendar/events/v1/events?translated=true&search=plain", "").Has(t, "total", 1)
	k.Get("/events?search=ernte", "").Has(t, "total", 1)
	k.Get("/events?search=harvest", "").Has(t, "total", 0)
	k.Get("//en/calendar/events/v1/events?search=harvest", "").Has(t, "total", 1)
	k.Get(hall, "").Has(t, "venue", "Rathaus", "city", "Köln", "country", "Deutschland", "address", "Market 1")
	k.Get(gala, "").Has(t, "title", "Chor &amp; mehr")
	k.Get("//en/calendar/events/v1"+gala, "").Has(t, "title", "Gala")
	for from, to := range map[string]string{"//event/harvest/": "/event/ernte/", "//de/event/ernte/": "", "//en/event/harvest/": "", "//fr/event/recolte/": "",
		"//event/plain/": "", "//de/event/plain/": "", "//en/event/plain/": "", "//venue/town-hall/": "/venue/rathaus/", "//events/category/music/": "/events/category/musik/"} {
		a := k.Get(from, "")
		if to == "" && a.Status != 200 || to != "" && (a.Status/100 != 3 || !strings.HasSuffix(a.Header.Get("Location"), to)) {
			t.Errorf("%s: %d %s, want %s", from, a.Status, a.Header.Get("Location"), to)
		}
	}
	if page := k.Get("//event/plain/", ""); !strings.Contains(string(page.Raw), `<html lang="de"`) || !strings.Contains(string(page.Raw), `lang="en">Plain`) {
		t.Error("the page doesn't say which language its title is in")
	}

	speak(k, "en").Has(t, "language_change.exchanged", 5, "language_change.kept", 0)
	if after := snapshot(k, all...); after != before {
		for i, line := range strings.Split(after, "\n") {
			if was := strings.Split(before, "\n")[i]; was != line {
				t.Errorf("was %s\nis  %s", was, line)
			}
		}
	}
	k.Get("//event/harvest/", "").Want(t, 200, "")
	k.Get("//de/event/ernte/", "").Want(t, 200, "")

	speak(k, "de")
	k.Patch(series, "editor", kit.Object{"title": "Singkreis"}).Want(t, 200, "")
	k.Get(gala, "").Has(t, "title", "Singkreis")
	k.Get("//en/calendar/events/v1"+gala, "").Has(t, "title", "Gala")
	k.Patch(plain, "editor", kit.Object{"title": "Schlicht"}).Want(t, 200, "").Has(t, "content_language", "de")
	k.Get("//en/calendar/events/v1"+plain, "").Has(t, "title", "Plain", "slug", "plain")
}
