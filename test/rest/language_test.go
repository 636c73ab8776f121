package rest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestLanguage: the segment, else Accept-Language, else the site's (rule 1.3).
// Texts follow it; codes, names and values don't.
func TestLanguage(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	texts := map[string]bool{}
	for _, c := range []struct{ segment, accept, want string }{
		{"", "", "en"}, {"", "de", "de"}, {"", "de-AT, en;q=0.5", "de"}, {"", "xx, fr;q=0.4", "fr"}, {"", "*", "en"}, {"", "xx", "en"}, {"", ";;;", "en"},
		{"/de", "", "de"}, {"/fr", "de", "fr"}, {"/es", "en", "es"}, {"/en", "de", "en"}, {"/DE", "", "de"},
	} {
		for path, status := range map[string]int{"/events/999": 404, "/events": 200} {
			a := k.With("GET", "/"+c.segment+"/calendar/events/v1"+path, "", nil, "Accept-Language", c.accept)
			if a.Status != status || a.Header.Get("Content-Language") != c.want {
				t.Errorf("%s %q: %d, Content-Language %s, want %s", c.segment, c.accept, a.Status, a.Header.Get("Content-Language"), c.want)
			}
			if varies := strings.Contains(a.Header.Get("Vary"), "Accept-Language"); varies != (c.segment == "") {
				t.Errorf("%s: Vary %q", c.segment, a.Header.Get("Vary"))
			}
			if status == 404 {
				a.Want(t, 404, "rest-event-not-found")
				texts[c.want+fmt.Sprint(a.At("message"))] = true
			}
		}
	}
	if len(texts) != 4 {
		t.Errorf("texts: %v", texts)
	}
	k.Exec("UPDATE sites SET language = 'fr' WHERE slug = 'demo'")
	k.Platform.Forget(k.Sites["demo"].ID)
	if got := k.Get("/events", "").Header.Get("Content-Language"); got != "fr" {
		t.Errorf("the site's language: %s", got)
	}
	english, german := k.Get("//en/calendar/events/v1/", ""), k.Get("//de/calendar/events/v1/", "")
	title := []string{"routes", "/calendar/events/v1/events"}
	a, _ := english.At(title[0]).(map[string]any)
	b, _ := german.At(title[0]).(map[string]any)
	if fmt.Sprint(kit.Keys(a, nil)) != fmt.Sprint(kit.Keys(b, nil)) || fmt.Sprint(a[title[1]]) == fmt.Sprint(b[title[1]]) {
		t.Error("the descriptions don't follow the language, or the routes do")
	}
}

// TestDataHasNoLanguage reads one event in every language: the same bytes but
// for the addresses.
func TestDataHasNoLanguage(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(kit.Object{"cost": "0", "venue": kit.Object{"venue": "Straße", "country": "Germany"}})
	want := ""
	for _, language := range []string{"en", "de", "es", "fr"} {
		a := k.Get("//"+language+"/calendar/events/v1"+kit.Item("events", id), "").Want(t, 200, "")
		got := strings.ReplaceAll(string(a.Raw), "/"+language+"/", "/")
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%s:\n%s\n%s", language, got, want)
		}
	}
}
