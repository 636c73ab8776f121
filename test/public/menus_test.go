package public

import (
	"bytes"
	"fmt"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestFiltersOfferAll: every city and every organizer can be chosen, however many there are, counted from memory and by Postgres; many of
// them can be searched.
func TestFiltersOfferAll(t *testing.T) {
	k := kit.PublicKit(t)
	const all = 90
	for i := range all {
		k.Event(map[string]any{"title": fmt.Sprint("Fest ", i), "start_date": "2026-12-01 10:00", "end_date": "2026-12-01 11:00",
			"venue": map[string]any{"venue": fmt.Sprint("Hall ", i), "city": fmt.Sprint("Town ", i)}, "organizer": map[string]any{"organizer": fmt.Sprint("Club ", i)}})
	}
	for _, path := range []string{"/en/events/", "/en/events/?search=fest"} {
		page := k.Look(path).Want(t, 200, "").String()
		for _, name := range []string{"city", "organizer"} {
			if n := strings.Count(page, `type="checkbox" name="`+name+`"`); n < all {
				t.Errorf("%s: %d of %s", path, n, name)
			}
			_, menu, _ := strings.Cut(page, `id="pick-`+name+`"`)
			if menu, _, _ = strings.Cut(menu, "<fieldset>"); !strings.Contains(menu, `type="search"`) {
				t.Errorf("%s: %s can't be searched", path, name)
			}
		}
		if strings.Contains(page, "<details") {
			t.Errorf("%s: a menu stays open when one clicks beside it", path)
		}
	}
}

// TestIcons: what browsers ask for without being told is there.
func TestIcons(t *testing.T) {
	k := kit.PublicKit(t)
	for path, kind := range map[string]string{"/favicon.ico": "image/vnd.microsoft.icon", "/apple-touch-icon.png": "image/png", "/icon-192.png": "image/png", "/icon-512.png": "image/png",
		"/manifest.webmanifest": "application/manifest+json", "/de/manifest.webmanifest": "application/manifest+json"} {
		a := k.Look(path)
		if a.Status != http.StatusOK || a.Header.Get("Content-Type") != kind {
			t.Errorf("%s: %d, %s", path, a.Status, a.Header.Get("Content-Type"))
			continue
		}
		file := a.Raw
		if kind == "image/vnd.microsoft.icon" {
			file = file[22:]
		}
		if strings.HasPrefix(kind, "image/") {
			picture, err := png.Decode(bytes.NewReader(file))
			if err != nil {
				t.Errorf("%s: %v", path, err)
			} else if r, g, b, _ := picture.At(0, 0).RGBA(); r == g && g == b {
				t.Errorf("%s has no color", path)
			}
		}
	}
	if m := k.Look("/de/manifest.webmanifest").Body; m["name"] != "demo" || m["lang"] != "de" || m["start_url"] != "/de/" {
		t.Errorf("the manifest is %v", m)
	}
}

// TestFirstPicturesAreEager: browsers load the first picture at once, and the others when one comes near them, so that the style sheet shares a slow line with one picture.
// The first one is painted with the text, not a frame later.
func TestFirstPicturesAreEager(t *testing.T) {
	k := kit.PublicKit(t)
	picture := k.Picture().Want(t, 201, "").ID()
	for i := range 5 {
		k.Event(map[string]any{"title": fmt.Sprint("Fest ", i), "start_date": "2026-12-01 10:00", "end_date": "2026-12-01 11:00", "image": fmt.Sprint(picture)})
	}
	for path, later := range map[string]int{"/en/": 7, "/en/events/": 4, "/en/events/photo/": 4, "/en/events/day/2026-12-01/": 4, "/en/embed/list/": 4} { // three stand twice on the first
		page := k.Look(path).Want(t, 200, "").String()
		eager, lazy := strings.Count(page, `decoding="sync" fetchpriority="high"`), strings.Count(page, `decoding="async" loading="lazy"`)
		if eager != 1 || lazy != later || strings.Index(page, `loading="lazy"`) < strings.LastIndex(page, `fetchpriority="high"`) {
			t.Errorf("%s: %d pictures are loaded at once, %d later", path, eager, lazy)
		}
	}
}

// TestDividedSeriesGoesOn: where one date and all that follow became a series of their own, the first part leads there and says only of
// dates that it has.
func TestDividedSeriesGoesOn(t *testing.T) {
	k, id := choirKit(t)
	k.Patch(occurrence(k, id, "2030-03-28"), "editor", kit.Object{"applies_to": "following", "title": "Singers"}).Want(t, 200, "")
	page := k.Look("/event/choir/").Want(t, 200, "")
	if !strings.Contains(page.String(), `<a rel="next" href="/event/choir-2/">`) {
		t.Error("the first part doesn't lead to the second")
	}
	schedule := kit.Structured(t, page.Raw)["eventSchedule"].([]any)[0].(map[string]any)
	if schedule["endDate"] != "2030-03-14" {
		t.Errorf("its last date is %v", schedule["endDate"])
	}
	if second := k.Look("/event/choir-2/").Want(t, 200, "").String(); strings.Contains(second, `rel="next" href="/event/choir`) {
		t.Error("the second part leads on")
	}
}
