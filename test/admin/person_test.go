package admin

import (
	"maps"
	"net/url"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

func TestAdminPerson(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	b.Get("/admin/profile")
	form := url.Values{"do": {"person"}, "name": {"E. Ditor"}, "email": {"editor@example.org"}, "language": {"de"}, "theme": {"dark"}}
	if p := b.Post("/admin/profile", form); p.Status != 303 {
		t.Fatalf("save: %d %s", p.Status, p.Body)
	}
	p := b.Follow()
	if !p.Shows(`<html lang="de" dir="ltr" data-theme="dark">`) || !p.Shows("E. Ditor") || p.Header.Get("Content-Language") != "de" {
		t.Errorf("%s %s", p.Header.Get("Content-Language"), p.Body)
	}
	other := k.Person("editor")
	if p := other.Get("/admin/events"); !p.Shows(`data-theme="dark"`) || !p.Shows(`<html lang="de"`) {
		t.Error("another browser doesn't know")
	}
	b.Post("/admin/logout", url.Values{})
	if p := b.Get("/admin/login"); !p.Shows(`<html lang="de" dir="ltr" data-theme="dark">`) {
		t.Error("before the sign-in")
	}
	other.Post("/admin/language", url.Values{"language": {"fr"}, "to": {"/admin/events"}})
	if p := other.Follow(); !p.Shows(`<html lang="fr"`) {
		t.Error("the language of the footer doesn't count")
	}
	for name, change := range map[string]url.Values{
		"present":  {"email": {"new@example.org"}},
		"email":    {"email": {"author@example.org"}, "present": {kit.AdminPassword}},
		"theme":    {"theme": {"loud"}},
		"language": {"language": {"xx"}},
		"name":     {"name": {""}},
	} {
		wrong := url.Values{"do": {"person"}, "name": {"N"}, "email": {"editor@example.org"}}
		maps.Copy(wrong, change)
		if p := other.Post("/admin/profile", wrong); p.Status != 422 || !p.Shows(`id="p-`+name+`"`) {
			t.Errorf("%s: %d", name, p.Status)
		}
	}
	form = url.Values{"do": {"person"}, "name": {"N"}, "email": {"new@example.org"}, "present": {kit.AdminPassword}, "theme": {""}, "language": {""}}
	if p := other.Post("/admin/profile", form); p.Status != 303 {
		t.Errorf("a new address: %d", p.Status)
	}
	if got := k.Peek("demo", "SELECT email || '|' || theme || '|' || language FROM users WHERE site_id = 1 AND id = 2"); got != "new@example.org||" {
		t.Error(got)
	}
}
