package server_test

import (
	"maps"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/i18n"
)

const settingsForm = `<form class="settings"`

var accentHref = regexp.MustCompile(`href="(/static/accent-[0-9a-f]{6}\.[0-9a-f]{12}\.css)"`)

// An administrator changes every setting, and pages and API follow.
func TestAdminSettings(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.event(map[string]any{"title": "Lecture", "slug": "lecture", "cost": "12.50"})
	k.event(map[string]any{"title": "Second"})
	b := k.person("administrator")
	p := b.get("/admin/settings")
	form := formAt(p, settingsForm)
	if p.Status != 200 || form.Get("timezone") != "Europe/Berlin" || len(form["languages"]) != len(i18n.Languages())+1 || p.Header.Get("Content-Security-Policy") == "" ||
		strings.Contains(p.Body, "style=") {
		t.Fatalf("%d %v", p.Status, form)
	}
	if p := b.post("/admin/settings", form); p.Status != 303 || b.follow().Status != 200 {
		t.Errorf("nothing changed: %d", p.Status)
	}
	changed := url.Values{"name": {"Lake & House"}, "timezone": {"america/new_york"}, "language": {"de"}, "languages": {"", "fr"}, "week_start": {"7"},
		"date_form": {"iso"}, "time_form": {"12"}, "english": {"british"}, "calendar": {"jalali"}, "currency_symbol": {"kr"}, "currency_code": {"SEK"}, "currency_position": {"postfix"},
		"per_page": {"1"}, "accent": {"#ffcc00"}}
	maps.Copy(form, changed)
	if p := b.post("/admin/settings", form); p.Status != 303 || !b.follow().shows("Die Einstellungen wurden gespeichert.") {
		t.Fatalf("save: %d %s", p.Status, p.Body)
	}
	changed["timezone"], changed["languages"] = []string{"America/New_York"}, []string{"", "de", "fr"}
	saved := formAt(b.get("/admin/settings"), settingsForm)
	for name, want := range changed {
		if got := saved[name]; strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	page := unescape(string(k.get("//event/lecture/", "").Raw))
	for _, want := range []string{`lang="de"`, "Lake & House", "Fr., 2030-03-01, 10:00", "AM", "12.50kr"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if a := k.get("/events?start_date=2030-01-01&end_date=2031-01-01", ""); a.Body["total_pages"] != 2.0 {
		t.Errorf("per page: %s", a)
	}
	k.accentIs(b, "#ffcc00")
}

// accentIs checks that public pages and the administration link the style sheet
// of an accent, which browsers may keep.
func (k *kit) accentIs(b *browser, accent string) {
	k.t.Helper()
	for _, body := range []string{string(k.get("//events/", "").Raw), b.get("/admin/events").Body} {
		m := accentHref.FindStringSubmatch(body)
		if m == nil || !strings.Contains(m[1], accent[1:]) {
			k.t.Fatalf("no style sheet of %s: %v", accent, m)
		}
		a := k.get("/"+m[1], "")
		if a.Status != 200 || !strings.Contains(a.Header.Get("Cache-Control"), "immutable") || a.Header.Get("Content-Type") != "text/css; charset=utf-8" ||
			!strings.Contains(string(a.Raw), "--accent:light-dark(#") {
			k.t.Errorf("%s: %s", m[1], a)
		}
	}
	k.get("//static/accent-ffcc01.000000000000.css", "").want(k.t, 404, "rest_no_route")
}

func TestAdminSettingsRefused(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b := k.person("administrator")
	form := formAt(b.get("/admin/settings"), settingsForm)
	wrong := url.Values{"timezone": {"Mars/Olympus"}, "language": {"xx"}, "week_start": {"8"}, "date_form": {"roman"}, "time_form": {"25"},
		"currency_symbol": {"12345678901"}, "currency_code": {"euro"}, "currency_position": {"above"}, "per_page": {"51"}, "accent": {"red"}, "name": {" "}}
	for name, value := range wrong {
		one := url.Values{}
		maps.Copy(one, form)
		one[name] = value
		if p := b.post("/admin/settings", one); p.Status != 422 || !strings.Contains(p.Body, `id="p-`+name+`"`) {
			t.Errorf("%s: %d %s", name, p.Status, p.Body)
		}
	}
	form["languages"] = []string{"", "xx"}
	if p := b.post("/admin/settings", form); p.Status != 422 || !strings.Contains(p.Body, `id="p-languages"`) {
		t.Errorf("languages: %d", p.Status)
	}
	if after := formAt(b.get("/admin/settings"), settingsForm); after.Get("name") != "demo" || after.Get("per_page") != "15" {
		t.Errorf("something is written: %v", after)
	}
	editor := k.person("editor")
	if p := editor.get("/admin/events"); strings.Contains(p.Body, "/admin/settings") {
		t.Error("an editor is shown the way")
	}
	if p := editor.get("/admin/settings"); p.Status != 403 {
		t.Errorf("an editor gets %d", p.Status)
	}
	if p := editor.post("/admin/settings", form); p.Status != 403 {
		t.Errorf("an editor's form: %d", p.Status)
	}
}

// A preview shows what is typed and stores nothing.
func TestAdminSettingsPreview(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b := k.person("administrator")
	form := formAt(b.get("/admin/settings"), settingsForm)
	form.Set("currency_symbol", "¤")
	form.Set("currency_position", "postfix")
	form.Set("accent", "#aa3300")
	form.Set("date_form", "iso")
	form.Set("do", "show")
	p := b.post("/admin/settings", form)
	if p.Status != 200 || !p.shows("12.50¤") || !strings.Contains(p.Body, "accent-aa3300") || !p.shows("<option value=\"iso\" selected>") {
		t.Errorf("%d %s", p.Status, p.Body)
	}
	if after := b.get("/admin/settings"); strings.Contains(after.Body, "accent-aa3300") || after.shows("12.50¤") {
		t.Error("the preview is stored")
	}
}

// The second of two administrators sees what the first has changed, and chooses
// field by field.
func TestAdminSettingsConflict(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	first, second := k.person("administrator"), k.browser()
	second.signIn("administrator", adminPassword)
	a, b := formAt(first.get("/admin/settings"), settingsForm), formAt(second.get("/admin/settings"), settingsForm)
	a.Set("name", "First")
	a.Set("week_start", "1")
	if p := first.post("/admin/settings", a); p.Status != 303 {
		t.Fatalf("first: %d", p.Status)
	}
	if p := first.post("/admin/settings", a); p.Status != 303 {
		t.Errorf("sent twice: %d", p.Status)
	}
	k.event(nil) // no setting
	b.Set("name", "Second")
	b.Set("date_form", "iso")
	p := second.post("/admin/settings", b)
	if p.Status != 409 || !p.shows("First") || !p.shows("Second") || !p.shows("Monday") || !strings.Contains(p.Body, `name="choose.date_form"`) {
		t.Fatalf("second: %d %s", p.Status, p.Body)
	}
	chosen := formAt(p, `<form class="conflict"`)
	chosen.Set("do", "resolve")
	chosen.Set("choose.name", "theirs")
	chosen.Set("choose.week_start", "theirs")
	chosen.Set("choose.date_form", "mine")
	if p := second.post("/admin/settings", chosen); p.Status != 303 {
		t.Fatalf("resolved: %d %s", p.Status, p.Body)
	}
	if now := formAt(second.get("/admin/settings"), settingsForm); now.Get("name") != "First" || now.Get("week_start") != "1" || now.Get("date_form") != "iso" {
		t.Errorf("%v", now)
	}
}
