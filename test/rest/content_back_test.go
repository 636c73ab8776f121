package rest

import (
	"fmt"
	"maps"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// written are what a client sends back of an event or venue that it has read.
var written = []string{"title", "description", "excerpt", "slug", "cost", "seo_title", "seo_description", "content_language", "venue", "organizer",
	"name", "address", "city", "country", "website", "status"}

// sentBack returns a body that a client has read, with other values for some fields.
func sentBack(read kit.Answer, but kit.Object) kit.Object {
	body := kit.Object{}
	for _, field := range written {
		if value, is := read.At(field).(string); is && value != "-" && value != "" {
			body[field] = value
		}
	}
	maps.Copy(body, but)
	return body
}

// Rule 15.4: who reads German, changes one field and sends all of it back to the same address changes the German text.
// The English original stays as it is, and what was read in English for want of a German text stays English.
func TestSentBackInItsLanguage(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	for _, way := range []string{german, "?content_language=de"} {
		for _, named := range []bool{true, false} {
			path := kit.Item("events", k.Post("/events", "editor", choir()).Want(t, 201, "").ID())
			full := path + "?translations=full"
			before := k.Get(full, "editor").Want(t, 200, "")
			there := german + path
			if way != german {
				there = path + way
			}
			read := k.Get(there, "editor").Want(t, 200, "").Has(t, "title", "Chor &amp; mehr", "excerpt", "<p>Songs</p>")
			body := sentBack(read, kit.Object{"title": "Singkreis"})
			if !named {
				delete(body, "content_language")
			}
			put(k, there, body).Want(t, 200, "").Has(t, "title", "Singkreis", "content_language", "de", "excerpt", "<p>Songs</p>", "slug", read.At("slug"))
			after := k.Get(full, "editor").Has(t, "title", "Choir", "slug", before.At("slug"), "translations.de.title", "Singkreis", "translations.de.outdated", false)
			for _, at := range []string{"translations.en", "translations.fr", "translations.de.excerpt", "translations.de.description", "translations.de.cost"} {
				if got, want := fmt.Sprint(after.At(at)), fmt.Sprint(before.At(at)); got != want {
					t.Errorf("%s, named %t: %s was %s, is %s", way, named, at, want, got)
				}
			}
		}
	}
}

// The language of the address is that of what is written there, on a site that is written in it.
func TestWrittenInTheLanguageOfTheAddress(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	path := kit.Item("events", k.Post("/events", "editor", kit.Times(kit.Object{"title": "Choir"})).Want(t, 201, "").ID())
	k.Patch(german+path, "editor", kit.Object{"title": "Chor"}).Want(t, 200, "").Has(t, "title", "Chor", "content_language", "de")
	k.Get(path, "").Has(t, "title", "Choir", "slug", "choir")
	k.Patch(german+path, "editor", kit.Object{"title": "Great choir", "content_language": "en"}).Want(t, 200, "").Has(t, "title", "Great choir", "content_language", "en")
	k.Patch(italian+path, "editor", kit.Object{"title": "Choirs"}).Want(t, 200, "").Has(t, "title", "Choirs", "content_language", "en")
	k.Get(path+"?translations=full", "").Has(t, "title", "Choirs", "translations.de.title", "Chor", "translations.es", "-")
}

// What is new may be in any language of the site. It is never said to be in another.
func TestNewInAnotherLanguage(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	made := k.Post(german+"/events", "editor", kit.Times(kit.Object{"title": "Ernte", "description": "Äpfel", "cost": "12 €", "venue": kit.Object{"venue": "Rathaus"}})).
		Want(t, 201, "").Has(t, "title", "Ernte", "content_language", "de", "slug", "ernte", "venue.content_language", "de")
	path := kit.Item("events", made.ID())
	for _, at := range []string{path, french + path, german + path} {
		a := k.Get(at, "").Has(t, "title", "Ernte", "content_language", "de")
		if got := fmt.Sprint(a.At("translations")); got != "[de]" {
			t.Errorf("%s: translations %s", at, got)
		}
	}
	k.Get("/events", "").Has(t, "events.0.title", "Ernte", "events.0.content_language", "de", "events.0.venue.content_language", "de")
	k.Get("/events?translated=true", "").Has(t, "total", 0)
	k.Get(german+"/events?translated=true", "").Has(t, "total", 1)
	k.Get(path+"?translations=full", "").Has(t, "translations.de.title", "Ernte", "translations.en", "-", "translations.de.outdated", "-")
	k.Get(german+"/events/by-slug/ernte", "").Want(t, 200, "")
	k.Patch(german+path, "editor", kit.Object{"title": "Erntedank"}).Want(t, 200, "").Has(t, "title", "Erntedank", "content_language", "de", "slug", "ernte")
	k.Patch(path, "editor", kit.Object{"translations": kit.Object{"de": nil}}).Want(t, 400, "rest_invalid_param")
	k.Patch(path, "editor", kit.Object{"translations": kit.Object{"de": kit.Object{"title": ""}}}).Want(t, 400, "rest_invalid_param")
	// Sending back what is German leaves it German, also to the address of the site's own language.
	put(k, path, sentBack(k.Get(path, "editor"), kit.Object{"website": "https://example.org/"})).Want(t, 200, "").Has(t, "content_language", "de")
	k.Patch(path, "editor", kit.Object{"title": "Harvest"}).Want(t, 200, "").Has(t, "title", "Harvest", "content_language", "en", "slug", "harvest", "description", "<p>Äpfel</p>")
	k.Get(path+"?translations=full", "").Has(t, "translations.en.title", "Harvest", "translations.en.description", "-", "translations.de.title", "Erntedank",
		"translations.de.slug", "ernte", "translations.de.description", "<p>Äpfel</p>")
	k.Get(german+path, "").Has(t, "title", "Erntedank", "slug", "ernte", "cost", "12€")
	k.Get("/events?translated=true", "").Has(t, "total", 1)
	if a := k.Get("//event/ernte/", ""); a.Status != 301 || a.Header.Get("Location") != "/event/harvest/" {
		t.Errorf("the former address: %d %s", a.Status, a.Header.Get("Location"))
	}
	// A text that is the same in both languages is said to be in the site's by name.
	jazz := kit.Item("tags", k.Post(german+"/tags", "editor", kit.Object{"name": "Jazz"}).Want(t, 201, "").Has(t, "content_language", "de").ID())
	k.Patch(jazz, "editor", kit.Object{"name": "Jazz"}).Want(t, 200, "").Has(t, "content_language", "de")
	k.Patch(jazz, "editor", kit.Object{"translations": kit.Object{"en": kit.Object{"name": "Jazz"}}}).Want(t, 200, "").Has(t, "content_language", "en")
	k.Get(german+jazz, "").Has(t, "name", "Jazz", "content_language", "de")
	for kind, name := range map[string]string{"venues": "venue", "organizers": "organizer", "categories": "name"} {
		k.Post(german+"/"+kind, "editor", kit.Object{name: "Neu"}).Want(t, 201, "").Has(t, name, "Neu", "content_language", "de")
	}
}

func put(k *kit.Kit, path string, body kit.Object) kit.Answer {
	return k.Send(kit.Request{Method: "PUT", Path: path, As: "editor", JSON: body})
}
