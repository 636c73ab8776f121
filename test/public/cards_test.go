package public

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// cardOf returns the address of the card that a page names, without its host.
func cardOf(k *kit.Kit, path string) string {
	h := headOf(k, path)
	return strings.TrimPrefix(h.meta["og:image"], localhost)
}

// size returns the kind and the size of a picture.
func size(t *testing.T, file []byte) string {
	t.Helper()
	c, kind, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(kind, " ", c.Width, " ", c.Height)
}

// Every event, series and date has a card in each language, whose address changes with what it shows, and which can be kept.
func TestCards(t *testing.T) {
	k := kit.PublicKit(t)
	k.Event(map[string]any{"title": "Choir", "slug": "choir", "start_date": "2026-12-01 19:00", "end_date": "2026-12-01 21:00", "recurrence": map[string]any{"rrule": "FREQ=WEEKLY;COUNT=5"}})
	seen := map[string]string{}
	for _, path := range []string{"/event/lake/", "/event/choir/", "/event/choir/2026-12-08/"} {
		for _, language := range []string{"de", "ar", "ja"} {
			at := "/" + language + path
			_, rest, _ := strings.Cut(string(k.Look(at).Raw), `<meta property="og:image" content="`+localhost)
			address, _, _ := strings.Cut(rest, `"`)
			if !strings.HasPrefix(address, at+"card.png?v=") {
				t.Fatalf("%s has the card %s", at, address)
			}
			card := k.Look(address).Want(t, http.StatusOK, "")
			if got := size(t, card.Raw); got != "png 1200 630" || len(card.Raw) > 300_000 || card.Header.Get("Content-Type") != "image/png" {
				t.Errorf("%s: %s, %d bytes, %s", address, got, len(card.Raw), card.Header.Get("Content-Type"))
			}
			if got := card.Header.Get("Cache-Control"); got != "public, max-age=604800" {
				t.Errorf("%s: %s", address, got)
			}
			if other := seen[string(card.Raw)]; other != "" {
				t.Errorf("%s and %s look the same", at, other)
			}
			seen[string(card.Raw)] = at
		}
	}
	if got := k.Look("/de/event/lake/card.png?v=other").Header.Get("Cache-Control"); got != "public, max-age=0, must-revalidate" {
		t.Errorf("a card at another address: %s", got)
	}
	before := cardOf(k, "/event/lake/")
	k.Patch("/events/by-slug/lake", "editor", map[string]any{"website": "https://example.org/"}).Want(t, 200, "")
	if cardOf(k, "/event/lake/") != before {
		t.Error("the card of an event changes with what it does not show")
	}
	k.Patch("/events/by-slug/lake", "editor", map[string]any{"title": "Lake Concert II"}).Want(t, 200, "")
	if cardOf(k, "/event/lake/") == before {
		t.Error("the card of an event with another title has the same address")
	}
	data := kit.Structured(t, k.Look("/event/lake/").Raw)
	if list, _ := data["image"].([]any); len(list) != 1 || list[0] != localhost+cardOf(k, "/event/lake/") {
		t.Errorf("search engines see the picture %v", data["image"])
	}
}

// A card with a picture is a JPEG, whose name follows when the picture comes or goes.
func TestCardsWithPictures(t *testing.T) {
	k := kit.PublicKit(t)
	id := fmt.Sprint(upload(k, 1700, 900))
	k.Patch("/events/by-slug/lake", "editor", map[string]any{"image": id}).Want(t, 200, "")
	address := cardOf(k, "/event/lake/")
	card := k.Look(address).Want(t, http.StatusOK, "")
	if got := size(t, card.Raw); !strings.Contains(address, "/card.jpg?v=") || got != "jpeg 1200 630" || len(card.Raw) > 300_000 || card.Header.Get("Content-Type") != "image/jpeg" {
		t.Errorf("%s: %s, %d bytes", address, got, len(card.Raw))
	}
	if a := k.Look("/de/event/lake/card.png"); a.Status != http.StatusFound || a.Header.Get("Location") != "/de/event/lake/card.jpg" {
		t.Errorf("the former address: %d to %s", a.Status, a.Header.Get("Location"))
	}
}

// What a password hides, drafts and dates that don't exist have no card.
func TestNoCards(t *testing.T) {
	k := kit.PublicKit(t)
	k.Event(map[string]any{"title": "Secret", "slug": "secret", "post_password": "sesame", "start_date": "2026-12-01 19:00", "end_date": "2026-12-01 21:00"})
	k.Event(map[string]any{"title": "Draft", "slug": "draft", "status": "draft", "start_date": "2026-12-01 19:00", "end_date": "2026-12-01 21:00"})
	for _, path := range []string{"/de/event/secret/", "/de/event/draft/", "/de/event/nowhere/", "/de/event/lake/2026-12-01/"} {
		if a := k.Look(path + "card.png"); a.Status != http.StatusNotFound {
			t.Errorf("%s: %d", path, a.Status)
		}
		if page := string(k.Look(path).Raw); strings.Contains(page, "card.png") {
			t.Errorf("%s names a card", path)
		}
	}
}

// The same card is drawn once, whatever is asked for behind its address, and a change elsewhere on the site does not draw it again.
func TestCardsAreKept(t *testing.T) {
	k := kit.PublicKit(t)
	first := k.Look("/de/event/lake/card.png").Raw
	k.Event(map[string]any{"title": "Another", "start_date": "2026-12-01 19:00", "end_date": "2026-12-01 21:00"})
	for n := range 200 {
		a := k.Look(fmt.Sprintf("/de/event/lake/card.png?n=%d", n)).Want(t, http.StatusOK, "")
		if !bytes.Equal(a.Raw, first) {
			t.Fatal("another card: " + base64.StdEncoding.EncodeToString(a.Raw[:40]))
		}
	}
}

// Venues and organizers with a picture have a card, which shows what the focal point of the picture is on; without one they have none.
func TestCardsOfPlaces(t *testing.T) {
	k := kit.PublicKit(t)
	image := k.Upload("demo", "editor", "pier.png", kit.Picture(640, 640)).Want(t, http.StatusCreated, "").ID()
	for path, kind := range map[string]string{"/venue/pier/": "venues", "/organizer/society/": "organizers"} {
		if page := string(k.Look("/en" + path).Raw); strings.Contains(page, "og:image") {
			t.Errorf("%s has a card without a picture", path)
		}
		k.Look("/en"+path+"card.jpg").Want(t, http.StatusNotFound, "")
		slug := strings.Split(path, "/")[2]
		id := k.Peek("demo", "SELECT id FROM "+kind+" WHERE slug = '"+slug+"'")
		k.Patch("/"+kind+"/"+id, "editor", map[string]any{"image": image}).Want(t, http.StatusOK, "")
		address := cardOf(k, "/en"+path)
		card := k.Look(address).Want(t, http.StatusOK, "")
		if got := size(t, card.Raw); !strings.HasPrefix(address, "/en"+path+"card.jpg?v=") || got != "jpeg 1200 630" || len(card.Raw) > 300_000 || card.Header.Get("Content-Type") != "image/jpeg" {
			t.Errorf("%s: %s, %d bytes", address, got, len(card.Raw))
		}
		k.Change("demo", "UPDATE images SET focus_x = 10, focus_y = 90 WHERE site_id = $1 AND id = $2", k.Sites["demo"].ID, image)
		k.Patch("/"+kind+"/"+id, "editor", map[string]any{"excerpt": "New"}).Want(t, http.StatusOK, "")
		if cardOf(k, "/en"+path) == address {
			t.Errorf("%s: the card does not follow the focal point", path)
		}
		k.Change("demo", "UPDATE images SET focus_x = 50, focus_y = 50 WHERE site_id = $1 AND id = $2", k.Sites["demo"].ID, image)
	}
}
