package public

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Pages and structured data say what is in public fields, and nothing of the others.
func TestAddedFieldsOnPages(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	both := []string{"event", "venue"}
	for _, body := range []kit.Object{
		{"label": "Stage", "kind": "choice", "of": both, "options": []kit.Object{{"key": "open_air", "label": "Open air"}}},
		{"label": "Dogs allowed", "kind": "yes_no", "of": both}, {"label": "Minimum age", "kind": "number", "unit": "years", "of": both},
		{"label": "Playlist", "kind": "link", "of": both}, {"label": "Sold from", "key": "presale", "kind": "date", "of": both},
		{"label": "Secret notes", "key": "notes", "kind": "text", "public": false, "of": both},
	} {
		k.Post("/fields", "administrator", body).Want(t, 201, "")
	}
	all := kit.Object{"stage": "open_air", "dogs_allowed": true, "minimum_age": 12.5, "playlist": "https://music.example/x", "presale": "2027-03-01", "notes": "Call <Ann>"}
	k.Made("/venues", kit.Object{"venue": "Hall", "slug": "hall", "fields": all})
	k.Event(kit.Object{"slug": "fair", "fields": all})
	for path, structured := range map[string]bool{"//event/fair/": true, "//venue/hall/": false} {
		page := string(k.Get(path, "").Want(t, 200, "").Raw)
		for _, want := range []string{"Stage", "Open air", "Dogs allowed", "Yes", "12.5\u00a0years", `href="https://music.example/x"`, "March\u00a01,\u00a02027"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %s", path, want)
			}
		}
		if strings.Contains(page, "Secret notes") || strings.Contains(page, "Call ") {
			t.Errorf("%s says what only editors see", path)
		}
		if structured != strings.Contains(page, `"PropertyValue"`) {
			t.Errorf("%s: structured data", path)
		}
	}
	poster := string(k.Get("//event/fair/poster/", "").Want(t, 200, "").Raw)
	if !strings.Contains(poster, "Open air") || strings.Contains(poster, "music.example") || strings.Contains(poster, "Call ") || strings.Contains(poster, "March\u00a01,\u00a02027") {
		t.Error("the poster has other fields than the first three that are public and no links")
	}
	signed := string(k.Get("//event/fair/", "administrator").Raw)
	if strings.Contains(signed, "Secret notes") {
		t.Error("the page says what only editors see to who is signed in")
	}
}
