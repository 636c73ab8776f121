package console

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/htmltest"
	"github.com/kalends/kalends/web/forms/frame"
)

func inLanguage(t *testing.T, language string) context.Context {
	t.Helper()
	return tenancy.With(t.Context(), tenancy.Scope{Language: language})
}

func typed(pairs ...string) *frame.Form {
	f := &frame.Form{Kind: "limit", Values: url.Values{}}
	for i := 0; i+1 < len(pairs); i += 2 {
		f.Values.Add(pairs[i], pairs[i+1])
	}
	return f
}

// club is a site with limits of its own.
func club() *tenancy.Site {
	s := &tenancy.Site{Slug: "club", Name: "Club & Co", Language: "en", State: tenancy.Active, Changed: time.Date(2030, 2, 4, 23, 30, 0, 0, time.UTC)}
	s.SetTimezone("Europe/Berlin")
	s.Plan = tenancy.Plan{Name: "small", RequestsPerMinute: 60, Limits: tenancy.Limits{Events: new(int64(10)), MediaBytes: new(int64(1_100_000))}}
	s.Overrides = map[string]*int64{"events": new(int64(500)), "users": nil, "media_bytes": new(int64(2_500_000)), "geo": new(int64(0))}
	s.Usage.Events, s.Usage.MediaBytes = 9, 1_000_001
	return s
}

// A page of the console is found by its method and path. A name in it is one part of the path, and never empty.
func TestPagesOfTheConsole(t *testing.T) {
	t.Parallel()
	var went string
	w := &Pages{}
	for _, r := range w.consoleTable() {
		r.handle = func(_ *frame.Visit, name string) (*frame.Reply, error) {
			went = r.method + " " + r.path + " " + name
			return &frame.Reply{}, nil
		}
		w.table = append(w.table, r)
	}
	for path, want := range map[string]string{
		"": "GET  ", "new": "GET /new ", "sites/club": "GET /sites/* club", "sites/club/edit": "GET /sites/*/edit club", "sites/edit": "GET /sites/* edit",
		"sites/club/audit": "GET /sites/*/audit club", "sites/club/audit/export": "GET /sites/*/audit/export club", "plans": "GET /plans ", "plans/small": "GET /plans/* small",
		"audit": "GET /audit ", "audit/export": "GET /audit/export ", "sites": "", "sites/": "", "sites//edit": "", "sites/a/b": "", "plans/a/b": "", "nothing": "", "logout": "",
		"language": "", "newx": "",
	} {
		went = ""
		v := &frame.Visit{Ctx: inLanguage(t, "en"), Path: "/admin/provider/" + path}
		r, err := w.page(v, &accounts.ProviderSession{}, path)
		switch {
		case went != want:
			t.Errorf("%q is %q, want %q", path, went, want)
		case want == "" && (r != nil || !errors.Is(err, fiber.ErrNotFound)):
			t.Errorf("%q: %v, %v", path, r, err)
		}
	}
	for path, want := range map[string]string{"": "/admin/provider/login", "plans": "/admin/provider/login", "nothing": "/admin/provider/login"} {
		r, err := w.page(&frame.Visit{Ctx: inLanguage(t, "en")}, nil, path)
		if err != nil || r.Redirect != want {
			t.Errorf("%q without a session: %+v, %v", path, r, err)
		}
	}
	if r, err := w.page(&frame.Visit{Ctx: inLanguage(t, "en")}, &accounts.ProviderSession{}, "login"); err != nil || r.Redirect != "/admin/provider" {
		t.Errorf("signed in already: %+v, %v", r, err)
	}
	v := &frame.Visit{Ctx: inLanguage(t, "en"), Post: true, Foreign: true, Form: typed()}
	if _, err := w.page(v, &accounts.ProviderSession{}, "plans"); !errors.Is(err, tenancy.ErrForbidden) {
		t.Errorf("a form of another site: %v", err)
	}
	v.Foreign, v.Session = false, &accounts.Session{CSRF: "token"}
	if _, err := w.page(v, &accounts.ProviderSession{}, "plans"); !errors.Is(err, tenancy.ErrForbidden) {
		t.Errorf("a form of another session: %v", err)
	}
	for _, page := range w.Pages() {
		if !strings.HasPrefix(page.Path, "/admin/provider") || strings.Contains(page.Path, "*") {
			t.Errorf("%s %s", page.Method, page.Path)
		}
	}
}

// Another language keeps the provider on the page, and never leads out of the console.
func TestLanguageOfTheConsole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ to, language, leads, becomes string }{
		{"/admin/provider/plans?x=1", "de", "/admin/provider/plans?x=1", "de"},
		{"/admin/events", "de", "/admin/provider", "de"},
		{"//evil.example", "fr", "/admin/provider", "fr"},
		{"", "xx", "/admin/provider", ""},
		{"/admin/provider", "", "/admin/provider", ""},
	} {
		r := language(&frame.Visit{Form: typed("to", c.to, "language", c.language)})
		if r.Redirect != c.leads || r.Language != c.becomes {
			t.Errorf("%+v: %s, %q", c, r.Redirect, r.Language)
		}
	}
}

// A limit is typed as a number, megabytes with places; nothing means that there is none.
func TestLimitsAsTyped(t *testing.T) {
	t.Parallel()
	ctx := inLanguage(t, "en")
	for _, c := range []struct {
		name, text string
		want       any
		wrong      bool
	}{
		{"events", "500", "500", false}, {"events", " 500 ", "500", false}, {"events", "", nil, false}, {"events", "  ", nil, false}, {"events", "many", "many", false},
		{"media_bytes", "1.1", "1100000", false}, {"media_bytes", "0.29", "290000", false}, {"media_bytes", "2000", "2000000000", false}, {"media_bytes", "", nil, false},
		{"media_bytes", "0", "0", false}, {"media_bytes", "-5", "-5000000", false}, {"media_bytes", "1,5", "0", true}, {"media_bytes", "NaN", "0", true},
		{"media_bytes", "Inf", "0", true}, {"media_bytes", "1e99", "0", true}, {"media_bytes", "0.0000001", "0", false},
	} {
		f, values := typed(c.name, c.text), args.Values{}
		readLimit(ctx, f, c.name, c.name, values)
		if values[c.name] != c.want || (f.Problem(c.name) != "") != c.wrong {
			t.Errorf("%s %q: %v, %q", c.name, c.text, values[c.name], f.Problem(c.name))
		}
	}
}

// What the form of a plan says is what the plan becomes, and a form that nobody touched says what is stored.
func TestPlansSurviveTheirForm(t *testing.T) {
	t.Parallel()
	for _, plan := range []*tenancy.Plan{
		{Name: "none", Geo: true},
		{Name: "all", RequestsPerMinute: 60, Limits: tenancy.Limits{Events: new(int64(0)), Occurrences: new(int64(1000)), Users: new(int64(3)), MediaBytes: new(int64(1_234_567))}},
		{Name: "bytes", Geo: true, Limits: tenancy.Limits{MediaBytes: new(int64(1))}},
	} {
		f := planForm(plan)
		fields, err := readPlan(&frame.Visit{Ctx: inLanguage(t, "en"), Form: f})
		if err != nil {
			t.Errorf("%s: %v, %v", plan.Name, err, f.Problems)
			continue
		}
		limits := fields.Limits.Or(args.Object[platform.LimitFields]{}).Fields
		for name, has := range map[string]struct {
			want *int64
			got  args.Opt[int64]
		}{"events": {plan.Events, limits.Events}, "users": {plan.Users, limits.Users}, "media": {plan.MediaBytes, limits.MediaBytes}} {
			if n, ok := has.got.Get(); ok != (has.want != nil) || ok && n != *has.want {
				t.Errorf("%s: %s is %d, %v", plan.Name, name, n, ok)
			}
		}
		if fields.Geo.Or(!plan.Geo) != plan.Geo {
			t.Errorf("%s: places", plan.Name)
		}
	}
	f := typed("events", "many", "media_bytes", "x", "requests_per_minute", "0", "users", "-1")
	if _, err := readPlan(&frame.Visit{Ctx: inLanguage(t, "en"), Form: f}); !errors.Is(err, frame.ErrWrong) {
		t.Errorf("%v", err)
	}
	for _, name := range []string{"events", "media_bytes", "requests_per_minute", "users"} {
		if f.Problem(name) == "" {
			t.Errorf("nothing is wrong with %s: %v", name, f.Problems)
		}
	}
}

// A site has a limit as its plan, none, or one of its own; only that is filled in.
func TestLimitsOfASite(t *testing.T) {
	t.Parallel()
	want := url.Values{"plan": {"small"}, "geo": {"0"}, "own_events": {"own"}, "events": {"500"}, "own_occurrences": {"plan"}, "own_users": {"none"}, "own_webhooks": {"plan"}, "own_letters": {"plan"},
		"own_media_bytes": {"own"}, "media_bytes": {"2.5"}, "own_requests_per_minute": {"plan"}}
	if d := cmp.Diff(want, grantForm(club()).Values); d != "" {
		t.Error(d)
	}
	site := club()
	site.Overrides["geo"] = new(int64(1))
	if grantForm(site).Get("geo") != "1" {
		t.Error("places of its own")
	}
	if delete(site.Overrides, "geo"); grantForm(site).Get("geo") != "plan" {
		t.Error("places as its plan")
	}
}

// How much is used is told with the digits of the language, never as less than it is, and a limit that is nearly reached stands out.
func TestUseOfASite(t *testing.T) {
	t.Parallel()
	ctx := inLanguage(t, "en")
	list := bars(ctx, club())
	events, pictures := list[0], list[len(list)-1]
	if got := events.text(ctx); got != "9 of 10" || events.full() != 9 {
		t.Errorf("events: %s, full from %d", got, events.full())
	}
	if got := pictures.text(ctx); got != "1.01 of 1.1" {
		t.Errorf("pictures: %s", got)
	}
	if got := list[1].text(ctx); strings.Contains(got, "of") || list[1].limited {
		t.Errorf("without a limit: %s", got)
	}
	for used, want := range map[int64]string{0: "0", 1: "0.01", 10_000: "0.01", 10_001: "0.02", 1_100_000: "1.1", 2_200_000: "2.2", 70_000: "0.07", 570_000: "0.57", 999_999_999_999: "1,000,000"} {
		if got := (useBar{used: used, bytes: true}).text(ctx); got != frame.TellWith(ctx, "console.use.free", "Used", want) {
			t.Errorf("%d bytes: %s, want %s", used, got, want)
		}
	}
	if got := pictures.text(inLanguage(t, "de")); !strings.Contains(got, "1,01") {
		t.Errorf("in German: %s", got)
	}
	if (useBar{max: 0}).full() != 1 || (useBar{max: 1}).full() != 1 || (useBar{max: 1000}).full() != 900 || (useBar{max: 1<<63 - 1}).full() < 1<<62 {
		t.Error("a limit of nothing is full from the first")
	}
	if got := htmltest.Of(ctx, t, useMeter(useBar{limited: true, used: 3})); !strings.Contains(got, `max="1"`) {
		t.Errorf("a meter of nothing: %s", got)
	}
	if got := listed(ctx, club()); len(got) != 2 || !got[1].bytes || got[0].name != events.name {
		t.Errorf("in the list: %v", got)
	}
}

// A plan is told on one line, with what it limits.
func TestPlanOnALine(t *testing.T) {
	t.Parallel()
	ctx := inLanguage(t, "en")
	if got := limitSummary(ctx, &tenancy.Plan{Geo: true}); got != frame.Tell(ctx, "console.limit.none") {
		t.Errorf("no limits: %s", got)
	}
	got := limitSummary(ctx, &tenancy.Plan{RequestsPerMinute: 60, Limits: tenancy.Limits{Events: new(int64(0)), MediaBytes: new(int64(1_500_000))}})
	if !strings.Contains(got, ": 0 · ") || !strings.Contains(got, "1.5") || !strings.Contains(got, "60") || !strings.Contains(got, frame.Tell(ctx, "console.geo.off")) ||
		strings.Contains(got, "admin.") {
		t.Error(got)
	}
}

// A new administrator is read from fields that browsers don't fill in with the provider's own; what is wrong stands beside them.
func TestNewAdministrator(t *testing.T) {
	t.Parallel()
	ctx := inLanguage(t, "en")
	none := func(*accounts.UserFields) error { return nil }
	fields, err := readAdmin(ctx, typed("handle", " ada ", "person", " Ada ", "email", " ada@example.org ", "name", "The club", "role", "subscriber"), "person", none)
	if err != nil || fields.Login.Or("") != "ada" || fields.Name.Or("") != "Ada" || fields.Email.Or("") != "ada@example.org" || fields.Role.Or("") != "administrator" {
		t.Errorf("%+v, %v", fields, err)
	}
	f := typed("name", "The club")
	if _, err := readAdmin(ctx, f, "person", none); !errors.Is(err, frame.ErrWrong) || f.Problem("handle") == "" || f.Problem("email") == "" || f.Problem("login") != "" || f.Problem("name") != "" {
		t.Errorf("%v: %v", err, f.Problems)
	}
	taken := func(*accounts.UserFields) error {
		return args.Invalid("login", "problem.login.taken", nil)
	}
	f = typed("handle", "ada", "email", "ada@example.org")
	if _, err := readAdmin(ctx, f, "name", taken); !errors.Is(err, frame.ErrWrong) || f.Problem("handle") == "" || len(f.Problems) != 1 {
		t.Errorf("%v: %v", err, f.Problems)
	}
	broken := errors.New("no database")
	if _, err := readAdmin(ctx, typed("handle", "ada", "email", "ada@example.org"), "name", func(*accounts.UserFields) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// The history leads to sites and plans that are still there.
func TestHistoryOfTheProvider(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ kind, action, object, want string }{
		{"site", "update", "club", "/admin/provider/sites/club"}, {"site", "delete", "club", "/admin/provider/sites/club"}, {"site", "purge", "club", ""},
		{"plan", "update", "a b", "/admin/provider/plans/a%20b"}, {"plan", "delete", "small", ""}, {"token", "create", "x", ""}, {"session", "sign_in", "x", ""},
	} {
		if got := entryLink(&tenancy.Entry{Position: tenancy.Position{Kind: c.kind}, Action: c.action, Object: c.object}); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// The list of sites keeps filter and order from page to page, and says that it is filtered; an order filters nothing.
func TestListOfSites(t *testing.T) {
	t.Parallel()
	l := &consoleList{form: typed("search", "a&b", "state", "closed", "sort", "events", "page", "7", "other", "x"), total: 101, page: 2}
	if l.pages() != 3 || l.address(1) != "/admin/provider?search=a%26b&sort=events&state=closed" || l.address(2) != "/admin/provider?page=2&search=a%26b&sort=events&state=closed" {
		t.Errorf("%d pages, %s, %s", l.pages(), l.address(1), l.address(2))
	}
	for name, want := range map[string]bool{"search": true, "state": true, "plan": true, "sort": false, "page": false} {
		if (&consoleList{form: typed(name, "x")}).filtered() != want {
			t.Errorf("filtered by %s", name)
		}
	}
	if (&consoleList{form: typed()}).address(1) != "/admin/provider" {
		t.Error("the list as it opens")
	}
	ctx := inLanguage(t, "en")
	l.items = []*tenancy.Site{club()}
	page := htmltest.Of(ctx, t, consoleSitesPage(l))
	for _, text := range []string{"Club &amp; Co", `href="/admin/provider/sites/club"`, "9 of 10", `value="closed" selected`, `value="events" selected`, `rel="next"`, `value="a&amp;b"`} {
		if !strings.Contains(page, text) {
			t.Errorf("without %s", text)
		}
	}
	for _, by := range sorts(ctx) {
		if strings.Contains(by.Value, ".") || by.Value == "" {
			t.Errorf("an order without a name: %+v", by)
		}
	}
}

// What was asked for is asked again on the page of a site, with the names in it; only a site that is not deleted can change its state.
func TestPageOfASite(t *testing.T) {
	t.Parallel()
	site := club()
	ctx := tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: "en"})
	view := func(form *frame.Form, sure string) *siteView {
		return &siteView{site: site, home: "https://club.example.org", form: form, grant: grantForm(site), invite: &frame.Form{Kind: "user"}, sure: sure,
			plans: []frame.Pair{{Name: "small", Value: "small"}}, admins: []*tenancy.User{{ID: 3, Name: "Ada <L>", Login: "ada"}, {ID: 4, Name: "Bob", PasswordHash: "x"}}}
	}
	page := htmltest.Of(ctx, t, consoleSitePage(view(typed(), "")))
	for _, text := range []string{"Club &amp; Co", `value="suspend"`, `value="close"`, `value="delete"`, "Ada &lt;L&gt;", `name="id" value="3"`, `value="invite"`, `value="2.5"`} {
		if !strings.Contains(page, text) {
			t.Errorf("without %s", text)
		}
	}
	if strings.Contains(page, `value="resume"`) || strings.Contains(page, `name="sure"`) || strings.Contains(page, `name="id" value="4"`) || strings.Contains(page, `value="undelete"`) {
		t.Errorf("an active site: %s", page)
	}
	for sure, has := range map[string]string{"close": frame.Tell(ctx, "console.sure.close"), "delete": `name="grace"`, "remove": "a.example.org"} {
		page = htmltest.Of(ctx, t, consoleSitePage(view(typed("do", sure, "domain", "a.example.org"), sure)))
		if !strings.Contains(page, `name="sure" value="1"`) || !strings.Contains(page, templ.EscapeString(has)) && !strings.Contains(page, has) {
			t.Errorf("to %s: %s", sure, page)
		}
	}
	site.Deletion = tenancy.Deletion{At: time.Date(2030, 2, 1, 12, 0, 0, 0, time.UTC), Purge: time.Date(2030, 3, 1, 12, 0, 0, 0, time.UTC)}
	if page = htmltest.Of(ctx, t, consoleSitePage(view(typed(), ""))); !strings.Contains(page, `value="undelete"`) || strings.Contains(page, `value="suspend"`) {
		t.Errorf("a deleted site: %s", page)
	}
	for state, do := range map[tenancy.State]string{tenancy.Active: "resume", tenancy.ReadOnly: "suspend", tenancy.Closed: "close", "x": ""} {
		if deedOf(state) != do {
			t.Errorf("%s by %q", state, deedOf(state))
		}
	}
}

// A domain that could not be claimed stays in the field in which it was typed; one that could not be removed doesn't get there.
func TestDomainThatWasTyped(t *testing.T) {
	t.Parallel()
	f := typed("do", "add", "domain", "no domain")
	f.Wrong("domain", "Wrong.")
	if ed := (&siteView{form: f}); ed.typedDomain() != "no domain" || ed.adding().Problem("domain") == "" {
		t.Error("it is gone")
	}
	f.Set("do", "remove")
	if ed := (&siteView{form: f}); ed.typedDomain() != "" || ed.adding().Problem("domain") != "" {
		t.Error("it stands in the field for another")
	}
}
