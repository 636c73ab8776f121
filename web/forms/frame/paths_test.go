package frame

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// An id in a path is a positive number in digits; anything else is another page. A trailing slash makes no difference, HEAD is
// like GET, and a path that has other methods names them.
func TestRoutes(t *testing.T) {
	t.Parallel()
	table := Table{GetPage("", 0, nil), GetPage("/events", 0, nil), PostPage("/events", 0, nil), GetPage("/events/#", 0, nil),
		PostPage("/events/#/move", 0, nil), GetOpen("/login", nil), GetPage("/events/new", 0, nil)}
	for _, c := range []struct {
		method, path, route string
		id                  int64
		allow               []string
	}{
		{"GET", "", "", 0, nil},
		{"GET", "/", "", 0, nil},
		{"GET", "/events", "/events", 0, nil},
		{"HEAD", "/events/", "/events", 0, nil},
		{"GET", "/events/7", "/events/#", 7, nil},
		{"GET", "/events/7/", "/events/#", 7, nil},
		{"GET", "/events/new", "/events/new", 0, nil},
		{"POST", "/events/7/move", "/events/#/move", 7, nil},
		{"GET", "/events/7/move", "", 0, []string{"POST"}},
		{"DELETE", "/events", "", 0, []string{"GET", "POST"}},
		{"POST", "/login", "", 0, []string{"GET"}},
		{"GET", "/events/0", "", 0, nil},
		{"GET", "/events/-7", "", 0, nil},
		{"GET", "/events/+7", "", 0, nil},
		{"GET", "/events/7x", "", 0, nil},
		{"GET", "/events/", "/events", 0, nil},
		{"GET", "/events/7/8", "", 0, nil},
		{"GET", "/events/99999999999999999999", "", 0, nil},
		{"GET", "/nothing", "", 0, nil},
	} {
		found, id, allow := table.Find(c.method, c.path)
		route := ""
		if found != nil {
			route = found.Path
		}
		if route != c.route || id != c.id || !slices.Equal(allow, c.allow) || found == nil && c.route != "" {
			t.Errorf("%s %s: %q with %d, allows %q", c.method, c.path, route, id, allow)
		}
	}
}

// A form that is only to be shown again reaches a handler that shows it. All others lead back to where they came from, and nothing
// happens.
func TestFormsShownAgainDoNothing(t *testing.T) {
	t.Parallel()
	handle := func(*Visit) (*Reply, error) { return &Reply{Say: "handled"}, nil }
	table := Table{GetPage("", 0, handle), GetPage("/events", 0, handle), PostPage("/events", 0, handle), GetPage("/events/#", 0, handle),
		FormPage("/events/#", 0, handle), PostPage("/events/#/preview", 0, handle), PostPage("/drafts", 0, handle), PostOpen("/login", handle)}
	for _, c := range []struct{ path, do, to, redirect string }{
		{"/events", "show", "", "/admin/events"},
		{"/events", "show", "/admin/events?view=all", "/admin/events?view=all"},
		{"/events", "show", "https://evil.example/", "/admin"},
		{"/events/", "show", "", "/admin/events/"},
		{"/events/7/preview", "show", "", "/admin/events/7"},
		{"/events/7/preview", "row_date", "", "/admin/events/7"},
		{"/drafts", "show", "", "/admin"},
		{"/events", "trash", "/admin/events?view=all", ""},
		{"/events/7", "show", "", ""},
		{"/events/7/preview", "make", "", ""},
		{"/login", "show", "", ""},
	} {
		route, _, _ := table.Find("POST", c.path)
		v := &Visit{Post: true, Path: AdminRoot + c.path, Form: &Form{Values: url.Values{"do": {c.do}, "to": {c.to}}}}
		r, err := table.Answer(v, route)
		if err != nil || r.Redirect != c.redirect || (r.Say == "handled") != (c.redirect == "") {
			t.Errorf("%s with %s: %+v, %v", c.path, c.do, r, err)
		}
	}
	route, _, _ := table.Find("GET", "/events")
	if r, err := table.Answer(&Visit{Path: "/admin/events"}, route); err != nil || r.Say != "handled" {
		t.Errorf("%+v, %v", r, err)
	}
}

// An address to return to leads within the administration: not to another site, however it is written, and not to signing in or
// out again.
func TestWaysBackStayInside(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]string{
		"/admin": "/admin", "/admin/events?status=draft": "/admin/events?status=draft", "/admin/events/7#preview": "/admin/events/7#preview",
		"/admin?view=month&day=2030-01-01": "/admin?view=month&day=2030-01-01",
		"":                                 "/admin", "/": "/admin", "events": "/admin", "/administrator": "/admin", "/admins": "/admin",
		"https://evil.example/admin": "/admin", "//evil.example/admin": "/admin", "/admin//evil.example": "/admin", `/admin/\evil`: "/admin",
		"/admin/\tx": "/admin", "/admin/x\r\nSet-Cookie: a": "/admin", "/admin/login": "/admin", "/admin/login?to=/admin/events": "/admin",
		"/admin/logout": "/admin", "/admin/logout?x": "/admin", "/events/": "/admin", "?to=/admin": "/admin",
	} {
		if got := Inside(to); got != want {
			t.Errorf("%q leads to %q, want %q", to, got, want)
		}
	}
	if LoginPath("/admin") != "/admin/login" || LoginPath("/admin/events?a=1&b=2") != "/admin/login?to=%2Fadmin%2Fevents%3Fa%3D1%26b%3D2" {
		t.Errorf("%s, %s", LoginPath("/admin"), LoginPath("/admin/events?a=1&b=2"))
	}
	if PathOf("/admin/keys?user=7") != "/admin/keys" || PathOf("/admin") != "/admin" {
		t.Error("the path of an address")
	}
	for path, want := range map[string]string{"/admin": "admin", "/admin/x": "admin", "/admin/provider": "admin console", "/admin/provider/x": "admin console",
		"/admin/providers": "admin", "/admin/sites": "admin lobby", "/admin/sites/go": "admin lobby", "/admin/sitesx": "admin", "/adminx": "", "/": ""} {
		var is []string
		for name, at := range map[string]func(string) bool{"admin": Admin, "console": Console, "lobby": Lobby} {
			if at(path) {
				is = append(is, name)
			}
		}
		if slices.Sort(is); strings.Join(is, " ") != want {
			t.Errorf("%s is of %q", path, is)
		}
	}
}

// The address of a visit keeps its query, which belongs to a page and not to a form.
func TestAddressOfAVisit(t *testing.T) {
	t.Parallel()
	v := &Visit{Path: "/admin/events", Query: url.Values{"search": {"a&b"}, "page": {"2"}}}
	if got := v.Address(); got != "/admin/events?page=2&search=a%26b" {
		t.Error(got)
	}
	v.Post = true
	if got := v.Address(); got != "/admin/events" {
		t.Error(got)
	}
	if got := (&Visit{Path: "/admin"}).Address(); got != "/admin" {
		t.Error(got)
	}
}

// What can be taken back survives a cookie; anything else in it is nothing.
func TestUndoOfACookie(t *testing.T) {
	t.Parallel()
	writes := []editing.Write{{ID: 7, Version: 12}, {ID: 8, Version: 0}}
	if got := UndoOf(writes...); got != "undo~7.12~8.0" || !slices.Equal(WritesIn(got), writes) {
		t.Errorf("%s is %v", got, WritesIn(got))
	}
	for _, value := range []string{"", "undo", "undo~", "undo~7", "undo~x.1", "undo~7.x", "undo~0.1", "undo~-1.1", "do~7.12", "7~12~a~b~c", "undo~7.12~", "undo~7.12.1"} {
		if got := WritesIn(value); got != nil {
			t.Errorf("%q is %v", value, got)
		}
	}
	most := slices.Repeat([]editing.Write{{ID: 1, Version: 1}}, MostUndone)
	if len(WritesIn(UndoOf(most...))) != MostUndone || WritesIn(UndoOf(append(most, most[0])...)) != nil {
		t.Error("as many as can be undone at once, and no more")
	}
}

// What the page before did is said in the language of the next; a cookie that was made up says nothing.
func TestSaidByThePageBefore(t *testing.T) {
	t.Parallel()
	ctx := in(t, "en")
	for value, want := range map[string]string{
		saidValue("saved", 0, "", ""): "Saved.", saidValue("undone", 3, "", ""): "Change undone.", saidValue("together.by", 0, "Ann~ & <b>", ""): "Saved, together with what Ann~ & <b> changed in the meantime.", "": "", "saved": "", "saved~x": "", "saved~-1": "", "nothing~1": "",
		"~1": "", "<b>~1": "", saidValue("copies", 2, "2031-03-31/2031-04-02", ""): "2 events copied: Mar\u00a031 – Apr\u00a02,\u00a02031.",
	} {
		if got := saidText(ctx, value); got != want {
			t.Errorf("%q says %q, want %q", value, got, want)
		}
	}
	if got := saidAddress(saidValue("saved", 0, "Ann~", "/event/a~b/?x=1&y=%2F")); got != "/event/a~b/?x=1&y=%2F" {
		t.Errorf("the address became %q", got)
	}
	wrong := saidAddress("saved~0~%2Fevent") + saidAddress("~~~%zz") + saidAddress("~~~https%3A%2F%2Fe.org") + saidAddress("~~~%2F%2Fe.org") +
		saidAddress("~~~%2F%5Ce.org") + saidAddress("~~~/a~b")
	if got := wrong + saidAddress(saidValue("together.by", 0, "Ann/Ben", "")); got != "" {
		t.Errorf("a name leads to %q", got)
	}
	one, two := saidText(ctx, saidValue("trash", 1, "", "")), saidText(ctx, saidValue("trash", 2, "", ""))
	if one == two || !strings.Contains(two, "2") {
		t.Errorf("%q, %q", one, two)
	}
	if whole := saidText(ctx, saidValue("trash"+OfSeries, 1, "", "")); !strings.HasPrefix(whole, one+" ") || whole == one+" " {
		t.Errorf("of a series: %q", whole)
	}
	mailed := saidText(ctx, saidValue("saved.publish"+WithVenue+WithMail, 1, "", ""))
	if mailed != "Published. Everyone can see it now. The new venue is published too. The sender gets an e-mail in a minute." {
		t.Errorf("with other sentences: %q", mailed)
	}
	if got := saidText(ctx, saidValue("saved+nothing", 1, "", "")); got != "" {
		t.Errorf("with a sentence that there is not: %q", got)
	}
	for _, language := range []string{"ar", "fa"} {
		if text := saidText(in(t, language), saidValue("trash", 12, "", "")); strings.Contains(text, "12") {
			t.Errorf("%s has other digits: %q", language, text)
		}
	}
}

// The navigation has what somebody may open and what the site has.
func TestNavigationByRights(t *testing.T) {
	t.Parallel()
	names := func(role tenancy.Role, change func(*tenancy.Site), desk bool) string {
		site := &tenancy.Site{Language: "en"}
		site.SetTimezone("UTC")
		if change != nil {
			change(site)
		}
		user := &tenancy.User{ID: 1, Role: role}
		ctx := tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: "en", Principal: user.Principal()})
		var list []string
		for _, g := range (&shell{desk: desk}).open(ctx) {
			for _, s := range g.sections {
				list = append(list, s.name+s.path[:min(1, len(s.path))])
			}
		}
		return strings.Join(list, " ")
	}
	const own, book = "calendar desk/ events/ media/ import/ trash/", " venues/ organizers/"
	for _, c := range []struct{ role, want string }{
		{"subscriber", "access/"},
		{"contributor", own + book + " embed/ audit/ access/"},
		{"author", own + book + " categories/ embed/ audit/ access/"},
		{"editor", own + book + " categories/ tags/ embed/ audit/ access/"},
		{"administrator", strings.Replace(own, "import/", "import/ sources/", 1) + book + " categories/ tags/ embed/ users/ audit/ webhooks/ access/ fields/ settings/"},
	} {
		if got := names(tenancy.Role(c.role), nil, false); got != c.want {
			t.Errorf("%s: %s, want %s", c.role, got, c.want)
		}
	}
	languages := func(s *tenancy.Site) { s.Settings.ContentLanguages = []string{"en", "de"} }
	if got := names("author", languages, false); !strings.Contains(got, " texts/ ") {
		t.Errorf("a site in two languages: %s", got)
	}
	taking := func(s *tenancy.Site) { s.Settings.Submissions.On = true }
	if got := names("editor", taking, false); !strings.Contains(got, " submissions/ ") {
		t.Errorf("a site that takes submissions: %s", got)
	}
	if got := names("author", taking, false); strings.Contains(got, "submissions") {
		t.Errorf("submissions are not for authors: %s", got)
	}
	if got := names("author", nil, true); !strings.HasPrefix(got, "calendar? ") {
		t.Errorf("where the overview comes first, the calendar has an address of its own: %s", got)
	}
}

// The page belongs to the site, the console or the lobby; it leads to what its address is of, and shows what can be undone only to
// somebody who is signed in.
func TestFrameOfAPage(t *testing.T) {
	t.Parallel()
	ctx := in(t, "en")
	user := &tenancy.User{Name: "Ada", Theme: tenancy.DarkTheme}
	session := &accounts.Session{CSRF: "token"}
	v := &Visit{Ctx: ctx, Path: "/admin/events", Query: url.Values{"page": {"2"}}, Session: session, User: user, Undo: "undo~7.12", Theme: tenancy.LightTheme}
	s := newShell(v, &Reply{Title: "Events"})
	if s.heading() != "Events – Demo" || s.to != "/admin/events?page=2" || s.undo != "undo~7.12" || s.bare || s.theme != tenancy.DarkTheme || s.root != "/admin" {
		t.Errorf("%+v", s)
	}
	if s = newShell(v, &Reply{Here: "/admin/welcome?code=x"}); s.to != "/admin/welcome?code=x" {
		t.Errorf("a page with an address of its own: %s", s.to)
	}
	if s = newShell(v, &Reply{Here: "//evil.example"}); s.to != "/admin" {
		t.Errorf("a page elsewhere: %s", s.to)
	}
	if v.Undo = "7~12~2030~2031~"; newShell(v, &Reply{}).undo != "" {
		t.Error("the calendar takes its moves back itself")
	}
	v.Session, v.User, v.Undo = nil, nil, "undo~7.12"
	if s = newShell(v, &Reply{}); !s.bare || s.undo != "" || s.csrf != "" || s.theme != tenancy.LightTheme {
		t.Errorf("nobody is signed in: %+v", s)
	}
	for path, root := range map[string]string{"/admin/provider/plans": ConsoleRoot, "/admin/sites": LobbyRoot, "/admin/x": AdminRoot} {
		v := &Visit{Ctx: t.Context(), Path: path}
		if s := newShell(v, &Reply{Title: "Sites"}); s.root != root || v.home() != root || s.heading() != "Sites" {
			t.Errorf("%s is of %s, and starts at %s", path, s.root, v.home())
		}
		if v := (&Visit{Ctx: ctx, Path: path}); newShell(v, &Reply{}).root != AdminRoot || v.home() != AdminRoot {
			t.Errorf("%s of a site is its own", path)
		}
	}
}

// A form is genuine only with the token of its own session, in any of the ways in which that is written.
func TestGenuineForms(t *testing.T) {
	t.Parallel()
	v := &Visit{Session: &accounts.Session{CSRF: "0123456789abcdef"}, Form: typed("csrf", masked("0123456789abcdef"))}
	if !v.Genuine() {
		t.Error("its own form")
	}
	for _, token := range []string{"", "0123456789abcdef", masked("0123456789abcdeF"), masked("0123456789abcdef")[1:], "AA"} {
		if v.Form = typed("csrf", token); v.Genuine() {
			t.Errorf("%q", token)
		}
	}
	if v.Form = typed(); v.Genuine() {
		t.Error("without a token")
	}
}

// A theme that isn't one is the system's.
func TestThemes(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]tenancy.Theme{"light": tenancy.LightTheme, "dark": tenancy.DarkTheme, "": tenancy.SystemTheme, "DARK": tenancy.SystemTheme, "x": tenancy.SystemTheme} {
		if got := themeOf(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}

// How long to wait is told in whole seconds, and never as less than it is.
func TestSecondsToWait(t *testing.T) {
	t.Parallel()
	for wait, want := range map[time.Duration]string{0: "0", 1: "1", time.Second: "1", time.Second + 1: "2", 90*time.Second - 1: "90", time.Hour: "3600"} {
		if got := Seconds(wait); got != want {
			t.Errorf("%s: %s", wait, got)
		}
	}
}

// An event that was changed since may not be written over.
func TestStill(t *testing.T) {
	t.Parallel()
	if err := Still(7)(7); err != nil {
		t.Error(err)
	}
	for _, now := range []int64{0, 6, 8} {
		if err := Still(7)(now); err != calendar.ErrPrecondition {
			t.Errorf("%d: %v", now, err)
		}
	}
}
