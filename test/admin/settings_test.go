package admin

import (
	"html"
	"maps"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/i18n"

	"github.com/kalends/kalends/test/kit"
)

var accentHref = regexp.MustCompile(`href="(/static/accent-[0-9a-f]{6}\.[0-9a-f]{12}\.css)"`)

// settingsPages are the pages of the settings of a site of one language without a mail server.
var settingsPages = []string{"/admin/settings", "/admin/settings/design", "/admin/settings/seasons", "/admin/settings/display", "/admin/settings/visitors", "/admin/settings/sharing"}

// settingsForm returns the forms of all pages of the settings as one, as earlier releases had it.
func settingsForm(b *kit.Browser) url.Values {
	form := url.Values{}
	for _, path := range settingsPages {
		maps.Copy(form, kit.FormAt(b.Get(path), kit.SettingsForm))
	}
	return form
}

// Each page of the settings has some of them and saves these; all are reached from each, and by name.
func TestPagesOfSettings(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	for _, path := range settingsPages {
		p := b.Get(path)
		for _, other := range settingsPages {
			if !p.Shows(`<a href="`+other+`"`) || p.Shows("/admin/settings/texts") {
				t.Errorf("%s does not lead to %s, or to what the site does not have", path, other)
			}
		}
		if !p.Shows(`<form class="settings" method="post" action="`+path+`"`) || p.Shows("data-swap=\"#preview\"") != p.Shows(`id="preview"`) {
			t.Errorf("%s has no form of its own, or no preview beside its controls", path)
		}
	}
	for path, set := range map[string][2]string{"/admin/settings": {"tagline", "By the lake"}, "/admin/settings/design": {"theme", "night"},
		"/admin/settings/display": {"per_page", "7"}, "/admin/settings/visitors": {"submission_terms", "Be kind."}, "/admin/settings/sharing": {"listed", "1"}} {
		if p := b.Post(path, b.Fill(path, kit.SettingsForm, url.Values{set[0]: {set[1]}})); p.Status != 303 || p.Header.Get("Location") != path {
			t.Errorf("%s: %d to %s", path, p.Status, p.Header.Get("Location"))
		}
		if got := kit.FormAt(b.Get(path), kit.SettingsForm)[set[0]]; len(got) == 0 || got[len(got)-1] != set[1] {
			t.Errorf("%s is %q", set[0], got)
		}
		if p := b.Post(path, b.Fill(path, kit.SettingsForm, url.Values{set[0]: {kit.Letters(30_000)}})); p.Status != 422 && set[0] != "listed" || !p.Shows(`href="#f-`+set[0]+`"`) {
			t.Errorf("%s that is too long: %d", set[0], p.Status)
		}
	}
	if p := b.Get("/admin/settings/texts"); p.Status != 303 || p.Header.Get("Location") != "/admin/settings" {
		t.Errorf("texts of a site of one language: %d", p.Status)
	}
	for typed, path := range map[string]string{"logo": "/admin/settings/design#f-logo", "ACCENT": "/admin/settings/design#f-accent", "time zone": "/admin/settings#f-timezone",
		"prices and maps": "/admin/settings/display"} {
		if p := part(b, "/admin/search/all?q="+url.QueryEscape(typed)); !p.Shows(`data-to="` + path + `"`) {
			t.Errorf("%q does not lead to %s", typed, path)
		}
	}
	if p := part(k.Person("editor"), "/admin/search/all?q=logo"); p.Shows("/admin/settings") {
		t.Error("an editor is led to settings")
	}
}

// Two administrators on different pages of the settings do not meet.
func TestTwoPagesOfSettings(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	one := b.Fill("/admin/settings/design", kit.SettingsForm, url.Values{"theme": {"night"}})
	two := b.Fill("/admin/settings/display", kit.SettingsForm, url.Values{"per_page": {"7"}})
	for path, form := range map[string]url.Values{"/admin/settings/design": one, "/admin/settings/display": two} {
		if p := b.Post(path, form); p.Status != 303 {
			t.Errorf("%s: %d", path, p.Status)
		}
	}
	if now := settingsForm(b); now.Get("theme") != "night" || now.Get("per_page") != "7" {
		t.Errorf("%v", now)
	}
}

// An administrator changes every setting, and pages and API follow.
func TestAdminSettings(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Event(map[string]any{"title": "Lecture", "slug": "lecture", "cost": "12.50"})
	k.Event(map[string]any{"title": "Second"})
	b := k.Person("administrator")
	p := b.Get("/admin/settings")
	form := settingsForm(b)
	if p.Status != 200 || form.Get("timezone") != "Europe/Berlin" || len(form["languages"]) != len(i18n.Languages())+1 || p.Header.Get("Content-Security-Policy") == "" ||
		strings.Contains(p.Body, "style=") {
		t.Fatalf("%d %v", p.Status, form)
	}
	if p := b.Post("/admin/settings", form); p.Status != 303 || b.Follow().Status != 200 {
		t.Errorf("nothing changed: %d", p.Status)
	}
	changed := url.Values{"name": {"Lake & House"}, "timezone": {"america/new_york"}, "language": {"de"}, "languages": {"", "fr"}, "week_start": {"7"},
		"date_form": {"iso"}, "time_form": {"12"}, "english": {"british"}, "calendar": {"jalali"}, "currency_symbol": {"kr"}, "currency_code": {"SEK"}, "currency_position": {"postfix"},
		"per_page": {"1"}, "accent": {"#ffcc00"}}
	maps.Copy(form, changed)
	form.Set("language_confirmed", "de")
	if p := b.Post("/admin/settings", form); p.Status != 303 || !b.Follow().Shows("Die Einstellungen wurden gespeichert.") {
		t.Fatalf("save: %d %s", p.Status, p.Body)
	}
	changed["timezone"], changed["languages"] = []string{"America/New_York"}, []string{"", "de", "fr"}
	saved := settingsForm(b)
	for name, want := range changed {
		if got := saved[name]; strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	page := kit.Unescape(string(k.Get("//event/lecture/", "").Raw))
	for _, want := range []string{`lang="de"`, "Lake & House", "Fr., 2030-03-01, 10:00", "AM", "12,50\u00a0kr"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if a := k.Get("/events?start_date=2030-01-01&end_date=2031-01-01", ""); a.Body["total_pages"] != 2.0 {
		t.Errorf("per page: %s", a)
	}
	accentIs(k, b, "#ffcc00")
}

// accentIs checks that public pages link the style sheet of an accent, which browsers may keep, and that the administration keeps its
// own colors.
func accentIs(k *kit.Kit, b *kit.Browser, accent string) {
	k.T.Helper()
	m := accentHref.FindStringSubmatch(string(k.Get("//events/", "").Raw))
	if m == nil || !strings.Contains(m[1], accent[1:]) {
		k.T.Fatalf("no style sheet of %s: %v", accent, m)
	}
	a := k.Get("/"+m[1], "")
	if a.Status != 200 || !strings.Contains(a.Header.Get("Cache-Control"), "immutable") || a.Header.Get("Content-Type") != "text/css; charset=utf-8" ||
		!strings.Contains(string(a.Raw), "--accent:light-dark(#") {
		k.T.Errorf("%s: %s", m[1], a)
	}
	if accentHref.MatchString(b.Get("/admin/events").Body) {
		k.T.Error("the administration has the colors of the public pages")
	}
	k.Get("//static/accent-ffcc01.000000000000.css", "").Want(k.T, 404, "rest_no_route")
}

func TestAdminSettingsRefused(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	form := settingsForm(b)
	wrong := url.Values{"timezone": {"Mars/Olympus"}, "language": {"xx"}, "week_start": {"8"}, "date_form": {"roman"}, "time_form": {"25"},
		"currency_symbol": {"12345678901"}, "currency_code": {"euro"}, "currency_position": {"above"}, "per_page": {"51"}, "accent": {"red"}, "name": {" "}}
	for name, value := range wrong {
		one := url.Values{}
		maps.Copy(one, form)
		one[name] = value
		if p := b.Post("/admin/settings", one); p.Status != 422 || !strings.Contains(p.Body, `id="p-`+name+`"`) {
			t.Errorf("%s: %d %s", name, p.Status, p.Body)
		}
	}
	form["languages"] = []string{"", "xx"}
	if p := b.Post("/admin/settings", form); p.Status != 422 || !strings.Contains(p.Body, `id="p-languages"`) {
		t.Errorf("languages: %d", p.Status)
	}
	if after := settingsForm(b); after.Get("name") != "demo" || after.Get("per_page") != "15" {
		t.Errorf("something is written: %v", after)
	}
	editor := k.Person("editor")
	if p := editor.Get("/admin/events"); strings.Contains(p.Body, "/admin/settings") {
		t.Error("an editor is shown the way")
	}
	if p := editor.Get("/admin/settings"); p.Status != 403 {
		t.Errorf("an editor gets %d", p.Status)
	}
	if p := editor.Post("/admin/settings", form); p.Status != 403 {
		t.Errorf("an editor's form: %d", p.Status)
	}
}

// A preview shows what is typed and stores nothing.
func TestAdminSettingsPreview(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	form := settingsForm(b)
	form.Set("currency_symbol", "¤")
	form.Set("currency_position", "postfix")
	form.Set("accent", "#aa3300")
	form.Set("date_form", "iso")
	form.Set("do", "show")
	p := b.Post("/admin/settings/display", form)
	if p.Status != 200 || !p.Shows("12.50\u00a0¤") || strings.Contains(p.Body, "accent-aa3300") || !p.Shows("<option value=\"iso\" selected>") {
		t.Errorf("%d, or the page has a color that is not saved", p.Status)
	}
	if after := b.Get("/admin/settings"); strings.Contains(after.Body, "accent-aa3300") || after.Shows("12.50\u00a0¤") {
		t.Error("the preview is stored")
	}
}

// The second of two administrators sees what the first has changed, and chooses
// field by field.
func TestAdminSettingsConflict(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	first, second := k.Person("administrator"), k.Browser()
	second.SignIn("administrator", kit.AdminPassword)
	a, b := settingsForm(first), settingsForm(second)
	a.Set("name", "First")
	a.Set("week_start", "1")
	if p := first.Post("/admin/settings", a); p.Status != 303 {
		t.Fatalf("first: %d", p.Status)
	}
	if p := first.Post("/admin/settings", a); p.Status != 303 {
		t.Errorf("sent twice: %d", p.Status)
	}
	k.Event(nil) // no setting
	b.Set("name", "Second")
	b.Set("date_form", "iso")
	p := second.Post("/admin/settings", b)
	if p.Status != 409 || !p.Shows("First") || !p.Shows("Second") || strings.Contains(p.Body, `name="choose.date_form"`) || strings.Contains(p.Body, `name="choose.week_start"`) {
		t.Fatalf("second: %d %s", p.Status, p.Body)
	}
	chosen := kit.FormAt(p, `<form class="conflict"`)
	chosen.Set("do", "resolve")
	chosen.Set("choose.name", "theirs")
	if p := second.Post("/admin/settings", chosen); p.Status != 303 {
		t.Fatalf("resolved: %d %s", p.Status, p.Body)
	}
	if now := settingsForm(second); now.Get("name") != "First" || now.Get("week_start") != "1" || now.Get("date_form") != "iso" {
		t.Errorf("%v", now)
	}
}

// Two administrators who change two seasons both keep theirs. If they change the same, the second is asked for that one alone, in words
// and with its color.
func TestAdminSeasonsTogether(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	const at = "/admin/settings/seasons"
	first, second := k.Person("administrator"), k.Browser()
	second.SignIn("administrator", kit.AdminPassword)
	season := func(n, name, month, day, accent string) url.Values {
		s := "season_" + n + "_"
		return url.Values{s + "name": {name}, s + "from_month": {month}, s + "from_day": {day}, s + "until_month": {"12"}, s + "until_day": {"24"}, s + "accent": {accent}}
	}
	a, b := first.Fill(at, kit.SettingsForm, season("1", "Advent", "11", "29", "#8b0000")), second.Fill(at, kit.SettingsForm, season("2", "Herbst", "09", "22", "#aa5500"))
	for who, form := range map[*kit.Browser]url.Values{first: a, second: b} {
		if p := who.Post(at, form); p.Status != 303 {
			t.Fatalf("two seasons: %d %s", p.Status, p.Body)
		}
	}
	a, b = kit.FormAt(first.Get(at), kit.SettingsForm), kit.FormAt(second.Get(at), kit.SettingsForm)
	if a.Get("season_1_name") != "Advent" || a.Get("season_2_name") != "Herbst" || a.Get("season_2_accent") != "#aa5500" {
		t.Fatalf("a season is gone: %v", a)
	}
	maps.Copy(a, season("2", "Erntezeit", "10", "03", "#aa5500"))
	maps.Copy(b, season("2", "Herbst", "09", "23", "#aa5500"))
	b.Set("season_3_lead", "Bald")
	maps.Copy(b, season("3", "Sommer", "06", "21", "#00aa55"))
	if p := first.Post(at, a); p.Status != 303 {
		t.Fatalf("%d", p.Status)
	}
	p := second.Post(at, b, "Accept-Language", "de")
	for _, want := range []string{"Saison 2</legend>", "Herbst\u2069, 23.\u00a0Sept. – 24.\u00a0Dez.", "Erntezeit\u2069, 3.\u00a0Okt. – 24.\u00a0Dez.", "Akzentfarbe: ", `fill="#aa5500"`} {
		if p.Status != 409 || !p.Shows(want) {
			t.Errorf("%d, no %q: %s", p.Status, want, p.Body)
		}
	}
	if n := strings.Count(p.Body, "<legend>"); n != 1 {
		t.Errorf("asked for %d seasons", n)
	}
	chosen := kit.MergeForm(p)
	chosen.Set("do", "resolve")
	chosen.Set("choose.season_2", "theirs")
	if p := second.Post(at, chosen); p.Status != 303 {
		t.Fatalf("resolved: %d %s", p.Status, p.Body)
	}
	now := kit.FormAt(second.Get(at), kit.SettingsForm)
	for name, want := range map[string]string{"season_1_name": "Advent", "season_2_name": "Erntezeit", "season_3_name": "Sommer", "season_3_lead": "Bald"} {
		if now.Get(name) != want {
			t.Errorf("%s is %q", name, now.Get(name))
		}
	}
}

// TestSettingsOfMoreLanguages: administrators type the codes of languages that the interface doesn't have; from then on they tick them.
func TestSettingsOfMoreLanguages(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	form := kit.FormAt(b.Get("/admin/settings"), kit.SettingsForm)
	form["content_languages"] = []string{"", "en", "de", "CA, zh-hant،nb"}
	if p := b.Post("/admin/settings", form); p.Status != 303 {
		t.Fatalf("save: %d %s", p.Status, p.Body)
	}
	page := b.Get("/admin/settings")
	saved := kit.FormAt(page, kit.SettingsForm)
	if got := strings.Join(saved["content_languages"], " "); strings.TrimSpace(got) != "en de ca zh-Hant nb" || !page.Shows("Català") || !page.Shows("Norsk bokmål") {
		t.Errorf("written in %q", got)
	}
	saved["content_languages"] = []string{"", "en", "ca", "klingonish"}
	if p := b.Post("/admin/settings", saved); p.Status != 422 || !p.Shows("“klingonish” is not the code of a language.") || !strings.Contains(p.Body, `value="klingonish"`) {
		t.Errorf("a language that is none: %d", p.Status)
	}
	saved["content_languages"], saved["language"] = []string{"", "en", "ca"}, []string{"ca"}
	if p := b.Post("/admin/settings", saved); p.Status != 303 {
		t.Errorf("another language of the site: %d %s", p.Status, p.Body)
	}
}

// Seasons are chosen by days and months, and the page says which of them visitors see; the front page beside them shows one at any time.
func TestAdminSeasons(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	b := k.Person("administrator")
	const at = "/admin/settings/seasons"
	form := b.Fill(at, kit.SettingsForm, url.Values{"season_2_name": {"Carnival"}, "season_2_from_month": {"02"}, "season_2_from_day": {"01"},
		"season_2_until_month": {"02"}, "season_2_until_day": {"29"}, "season_2_accent": {"#aa0044"}, "season_2_lead": {"Dress up!"},
		"season_4_name": {"Summer"}, "season_4_from_month": {"06"}, "season_4_from_day": {"01"}})
	p := b.Post(at, form)
	if p.Status != 422 || !p.Shows(`href="#f-season_4_until"`) || p.Shows(`href="#f-seasons"`) {
		t.Errorf("a season without its last day: %d", p.Status)
	}
	form.Set("season_4_until_month", "08")
	form.Set("season_4_until_day", "31")
	if p := b.Post(at, form); p.Status != 303 {
		t.Fatalf("%d", p.Status)
	}
	p = b.Get(at)
	before, _, _ := strings.Cut(p.Body, "Shown today")
	if n := strings.Count(p.Body, "Shown today"); n != 1 || !strings.Contains(before, "Carnival") || !p.Shows(`value="#aa0044"`) {
		t.Errorf("%d seasons are shown today", n)
	}
	if p := b.Get("/"); !p.Shows("<p>Dress up!</p>") {
		t.Error("the front page has no season")
	}
	sent := kit.FormAt(p, kit.SettingsForm)
	sent.Set("season_4_lead", "Swim!")
	sent.Set("do", "show")
	shown := b.Post(at, sent)
	_, rest, _ := strings.Cut(shown.Body, `src="/admin/settings/look?`)
	query, _, _ := strings.Cut(rest, `"`)
	if look := b.Get("/admin/settings/look?" + html.UnescapeString(query)); look.Status != 200 || !look.Shows("<p>Swim!</p>") || look.Shows("Dress up!") {
		t.Errorf("the preview shows another season than the one that is written: %d", look.Status)
	}
	_, rest, _ = strings.Cut(b.Get("/admin/audit").Body, `href="/admin/audit?open=`)
	entry, _, _ := strings.Cut(rest, "#")
	if p := b.Get("/admin/audit?open=" + entry); !p.Shows("Seasons") || !p.Shows("Carnival · Feb\u00a01 · Feb\u00a029") {
		t.Error("the history does not tell of seasons")
	}
}
