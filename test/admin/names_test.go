package admin

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// The names of venues, organizers, categories and tags in other languages are known wherever people write a name.
func TestNamesInOtherLanguages(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Provider("PATCH", "/sites/demo", kit.Object{"settings": kit.Object{"content_languages": []string{"en", "de"}}}).Want(t, http.StatusOK, "")
	german := func(member, name string) kit.Object { return kit.Object{"de": kit.Object{member: name}} }
	hall := k.Made("/venues", kit.Object{"venue": "Town Hall", "city": "Lindau", "translations": german("venue", "Rathaus")})
	k.Made("/venues", kit.Object{"venue": "Lake museum", "translations": german("venue", "Seemuseum")})
	k.Made("/venues", kit.Object{"venue": "Museum of the lake", "translations": german("venue", "Seemuseum")})
	club := k.Made("/organizers", kit.Object{"organizer": "City choir", "translations": german("organizer", "Stadtchor")})
	k.Made("/categories", kit.Object{"name": "Concerts", "translations": german("name", "Konzerte")})
	b := k.Person("editor")
	english := b.Get("/admin/events/new")
	if !english.Shows(`value="Town Hall"`) {
		t.Error("the English form offers no Town Hall")
	}
	for _, path := range []string{"/admin/search/venues?q=rathaus", "/admin/search/all?q=rath"} {
		if p := part(b, path); !p.Shows("Town Hall") || strings.Contains(p.Body, "data-new") {
			t.Errorf("%s: %s", path, p.Body)
		}
	}
	if p := part(b, "/admin/search/organizers?q=stadtchor"); !p.Shows(fmt.Sprintf("(#%d)", club)) || strings.Contains(p.Body, "data-new") {
		t.Errorf("organizers: %s", p.Body)
	}
	if p := b.Get("/admin/venues?search=rathaus"); !p.Shows(fmt.Sprintf("/admin/venues/%d", hall)) {
		t.Error("the list does not find the venue")
	}
	if p := b.Get("/admin/events/quick?" + url.Values{"text": {"Choir tomorrow 19:30 Rathaus"}}.Encode()); !p.Shows("Town Hall") || !p.Shows(`name="once"`) {
		t.Error("a line does not find the venue")
	}
	if p := b.Get("/admin/events/quick?" + url.Values{"text": {"Choir tomorrow 19:30 Seemuseum"}}.Encode()); !p.Shows("Several entries are called “Seemuseum”.") {
		t.Error("an ambiguous name is no question")
	}
	form := func(venue string) url.Values {
		return b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"title": {"Choir at " + venue}, "start_date": {"2030-02-01T10:00"}, "end_date": {"2030-02-01T11:00"},
			"venue": {venue}, "do": {"draft"}})
	}
	if p := b.Post("/admin/events/new", form("rathaus")); p.Status != http.StatusSeeOther {
		t.Errorf("a form with the German name: %d", p.Status)
	}
	if p := b.Post("/admin/events/new", form("Seemuseum")); p.Status != http.StatusUnprocessableEntity || !p.Shows("Several entries are called “Seemuseum”. Choose one from the list.") {
		t.Errorf("a form with an ambiguous name: %d", p.Status)
	}
	k.StartImport(kit.Sent{Name: "a.csv", File: "Titel;Datum;Beginn;Ende;Ort;Veranstalter;Kategorie\nTanz;1.2.2030;19:30;21:00;RATHAUS;Stadtchor;konzerte\nBall;2.2.2030;19:30;21:00;Seemuseum;;\n",
		Fields: map[string]string{"status": "publish"}})
	k.RunImports()
	if got := k.Peek("demo", `SELECT (SELECT count(*) FROM venues WHERE site_id = $1) || ' ' || (SELECT count(*) FROM organizers WHERE site_id = $1) || ' ' ||
		(SELECT count(*) FROM terms WHERE site_id = $1 AND taxonomy = 'category')`, k.Sites["demo"].ID); got != "3 1 1" {
		t.Errorf("venues, organizers and categories: %s", got)
	}
	if got := k.Peek("demo", `SELECT count(*)::text FROM events WHERE site_id = $1 AND venue_ids = ARRAY[$2::bigint]`, k.Sites["demo"].ID, hall); got != "2" {
		t.Errorf("%s events at the town hall", got)
	}
}

// On a site with several languages, the field for the name of an entry says which language it is for.
func TestLanguageOfTitles(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	label := func(path string, want bool) {
		t.Helper()
		p := b.Get(path)
		if said := p.Shows(`<bdi class="price-unit">(English)</bdi>`); p.Status != http.StatusOK || said != want {
			t.Errorf("%s names the language: %v", path, said)
		}
	}
	paths := []string{"/admin/events/new", "/admin/venues/new", "/admin/organizers/new", "/admin/settings"}
	for _, path := range paths {
		label(path, false)
	}
	k.Provider("PATCH", "/sites/demo", kit.Object{"settings": kit.Object{"content_languages": []string{"en", "de"}}}).Want(t, http.StatusOK, "")
	for _, path := range append(paths, fmt.Sprintf("/admin/categories/%d", k.Made("/categories", kit.Object{"name": "Music"}))) {
		label(path, true)
	}
}
