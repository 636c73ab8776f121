package server_test

import (
	"maps"
	"net/url"
	"testing"
)

func TestAdminPerson(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b := k.person("editor")
	b.get("/admin/profile")
	form := url.Values{"do": {"person"}, "name": {"E. Ditor"}, "email": {"editor@example.org"}, "language": {"de"}, "theme": {"dark"}}
	if p := b.post("/admin/profile", form); p.Status != 303 {
		t.Fatalf("save: %d %s", p.Status, p.Body)
	}
	p := b.follow()
	if !p.shows(`<html lang="de" dir="ltr" data-theme="dark">`) || !p.shows("E. Ditor") || p.Header.Get("Content-Language") != "de" {
		t.Errorf("%s %s", p.Header.Get("Content-Language"), p.Body)
	}
	other := k.person("editor")
	if p := other.get("/admin/events"); !p.shows(`data-theme="dark"`) || !p.shows(`<html lang="de"`) {
		t.Error("another browser doesn't know")
	}
	b.post("/admin/logout", url.Values{})
	if p := b.get("/admin/login"); !p.shows(`<html lang="de" dir="ltr" data-theme="dark">`) {
		t.Error("before the sign-in")
	}
	other.post("/admin/language", url.Values{"language": {"fr"}, "to": {"/admin/events"}})
	if p := other.follow(); !p.shows(`<html lang="fr"`) {
		t.Error("the language of the footer doesn't count")
	}
	for name, change := range map[string]url.Values{
		"present":  {"email": {"new@example.org"}},
		"email":    {"email": {"author@example.org"}, "present": {adminPassword}},
		"theme":    {"theme": {"loud"}},
		"language": {"language": {"xx"}},
		"name":     {"name": {""}},
	} {
		wrong := url.Values{"do": {"person"}, "name": {"N"}, "email": {"editor@example.org"}}
		maps.Copy(wrong, change)
		if p := other.post("/admin/profile", wrong); p.Status != 422 || !p.shows(`id="p-`+name+`"`) {
			t.Errorf("%s: %d", name, p.Status)
		}
	}
	form = url.Values{"do": {"person"}, "name": {"N"}, "email": {"new@example.org"}, "present": {adminPassword}, "theme": {""}, "language": {""}}
	if p := other.post("/admin/profile", form); p.Status != 303 {
		t.Errorf("a new address: %d", p.Status)
	}
	if got := k.peek("demo", "SELECT email || '|' || theme || '|' || language FROM users WHERE site_id = 1 AND id = 2"); got != "new@example.org||" {
		t.Error(got)
	}
}
