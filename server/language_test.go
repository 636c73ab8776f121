package server_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestLanguage: the segment, else Accept-Language, else the site's (rule 1.3).
// Texts follow it; codes, names and values don't.
func TestLanguage(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	texts := map[string]bool{}
	for _, c := range []struct{ segment, accept, want string }{
		{"", "", "en"}, {"", "de", "de"}, {"", "de-AT, en;q=0.5", "de"}, {"", "xx, fr;q=0.4", "fr"}, {"", "*", "en"}, {"", "xx", "en"}, {"", ";;;", "en"},
		{"/de", "", "de"}, {"/fr", "de", "fr"}, {"/es", "en", "es"}, {"/en", "de", "en"}, {"/DE", "", "de"},
	} {
		for path, status := range map[string]int{"/events/999": 404, "/events": 200} {
			a := k.with("GET", "/"+c.segment+"/calendar/events/v1"+path, "", nil, "Accept-Language", c.accept)
			if a.Status != status || a.Header.Get("Content-Language") != c.want {
				t.Errorf("%s %q: %d, Content-Language %s, want %s", c.segment, c.accept, a.Status, a.Header.Get("Content-Language"), c.want)
			}
			if varies := strings.Contains(a.Header.Get("Vary"), "Accept-Language"); varies != (c.segment == "") {
				t.Errorf("%s: Vary %q", c.segment, a.Header.Get("Vary"))
			}
			if status == 404 {
				a.want(t, 404, "rest-event-not-found")
				texts[c.want+fmt.Sprint(a.at("message"))] = true
			}
		}
	}
	if len(texts) != 4 {
		t.Errorf("texts: %v", texts)
	}
	k.exec("UPDATE sites SET language = 'fr' WHERE slug = 'demo'")
	k.platform.Forget(k.sites["demo"].ID)
	if got := k.get("/events", "").Header.Get("Content-Language"); got != "fr" {
		t.Errorf("the site's language: %s", got)
	}
	english, german := k.get("//en/calendar/events/v1/", ""), k.get("//de/calendar/events/v1/", "")
	title := []string{"routes", "/calendar/events/v1/events"}
	a, _ := english.at(title[0]).(map[string]any)
	b, _ := german.at(title[0]).(map[string]any)
	if fmt.Sprint(keys(a, nil)) != fmt.Sprint(keys(b, nil)) || fmt.Sprint(a[title[1]]) == fmt.Sprint(b[title[1]]) {
		t.Error("the descriptions don't follow the language, or the routes do")
	}
}

// TestDataHasNoLanguage reads one event in every language: the same bytes but
// for the addresses.
func TestDataHasNoLanguage(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	id := k.event(object{"cost": "0", "venue": object{"venue": "Straße", "country": "Germany"}})
	want := ""
	for _, language := range []string{"en", "de", "es", "fr"} {
		a := k.get("//"+language+"/calendar/events/v1"+item("events", id), "").want(t, 200, "")
		got := strings.ReplaceAll(string(a.Raw), "/"+language+"/", "/")
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%s:\n%s\n%s", language, got, want)
		}
	}
}
