package admin

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/tenancy"

	"github.com/kalends/kalends/test/kit"
)

func madeID(t *testing.T, body string) int64 {
	t.Helper()
	var made struct{ ID int64 }
	if err := json.Unmarshal([]byte(body), &made); err != nil || made.ID == 0 {
		t.Fatalf("no id in %s", body)
	}
	return made.ID
}

// TestEveryWriteHasOneEntry calls every writing route of the API and checks the history entry.
func TestEveryWriteHasOneEntry(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	const root = "/calendar/events/v1"
	day := "2027-05-01 20:00:00"
	ids := map[string]int64{}
	for _, c := range []struct {
		method, path, kind, action string
		json                       map[string]any
		before                     string
	}{
		{"POST", "/events", "event", "create", map[string]any{"title": "One", "start_date": day, "end_date": day}, `null`},
		{"POST", "/events/{event}", "event", "update", map[string]any{"title": "Two", "post_password": "open sesame"},
			`{"post_password":null,"title":"One"}`},
		{"POST", "/events/{event}", "event", "update", map[string]any{"post_password": "another word"}, `{"post_password":"set"}`},
		{"DELETE", "/events/{event}", "event", "trash", nil, `{"slug":"one","status":"publish"}`},
		{"DELETE", "/events/{event}?force=true", "event", "delete", nil, ""},
		{"POST", "/venues", "venue", "create", map[string]any{"venue": "Hall"}, `null`},
		{"POST", "/venues/{venue}", "venue", "update", map[string]any{"city": "Berlin"}, `{"city":""}`},
		{"DELETE", "/venues/{venue}?force=true", "venue", "delete", nil, ""},
		{"POST", "/organizers", "organizer", "create", map[string]any{"organizer": "Club"}, `null`},
		{"POST", "/organizers/{organizer}", "organizer", "update", map[string]any{"phone": "1"}, `{"phone":""}`},
		{"DELETE", "/organizers/{organizer}?force=true", "organizer", "delete", nil, ""},
		{"POST", "/categories", "category", "create", map[string]any{"name": "Music"}, `null`},
		{"POST", "/categories/{category}", "category", "update", map[string]any{"name": "Jazz"}, `{"name":"Music"}`},
		{"DELETE", "/categories/{category}", "category", "delete", nil, ""},
		{"POST", "/tags", "tag", "create", map[string]any{"name": "live"}, `null`},
		{"POST", "/tags/{tag}", "tag", "update", map[string]any{"description": "x"}, `{"description":""}`},
		{"DELETE", "/tags/{tag}", "tag", "delete", nil, ""},
	} {
		before, path := k.Version("demo"), c.path
		for kind, id := range ids {
			path = strings.ReplaceAll(path, "{"+kind+"}", fmt.Sprint(id))
		}
		r := kit.Request{Method: c.method, Path: root + path, As: "administrator", Headers: map[string]string{"X-Forwarded-For": "203.0.113.9"}}
		if c.json != nil {
			r.JSON = c.json
		}
		got := k.Ask(r)
		if got.Status/100 != 2 {
			t.Fatalf("%s %s: %d %s", c.method, path, got.Status, got.Body)
		}
		if c.action == "create" {
			ids[c.kind] = madeID(t, got.Body)
		}
		list := k.Entries("demo", 2)
		e := list[0]
		if e.Position.Version != before+1 || list[1].Position.Version > before {
			t.Errorf("%s %s: not one entry: %+v", c.method, path, list)
		}
		if e.Position.Kind != c.kind || e.Action != c.action || e.Position.ID != ids[c.kind] || e.Who != "administrator" || e.UserID != 1 ||
			e.Via != "application_password" || e.Key == "" || e.Address != "0.0.0.0" { // the address of a test; nobody is told by a header
			t.Errorf("%s %s: %+v", c.method, path, e)
		}
		raw, err := json.Marshal(e.Before)
		k.Must(err)
		if c.before != "" && string(raw) != c.before {
			t.Errorf("%s %s: before %s, want %s", c.method, path, raw, c.before)
		}
		if c.action == "delete" && len(e.Before) < 4 {
			t.Errorf("%s %s: not all is kept: %s", c.method, path, raw)
		}
		if strings.Contains(string(raw), "sesame") {
			t.Errorf("a secret: %s", raw)
		}
	}
}

// TestHistoryKeepsNoSecrets searches the whole history for secrets after people, passwords and keys have come and
// gone.
func TestHistoryKeepsNoSecrets(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	editor := k.Person("editor")
	editor.Get("/admin/profile")
	editor.Post("/admin/profile", url.Values{"do": {"password"}, "old": {kit.AdminPassword}, "password": {"a wholly new password"},
		"again": {"a wholly new password"}})
	editor.Get("/admin/access")
	editor.Post("/admin/access", url.Values{"do": {"create"}, "name": {"robot"}, "kind": {"api_key"}})
	ctx, err := tenancy.Enter(tenancy.AsProvider(t.Context(), tenancy.Provider{Name: "console"}), k.Sites["demo"])
	k.Must(err)
	keys, err := k.Platform.Keys.List(ctx, 2)
	k.Must(err)
	for _, key := range keys {
		k.Must(k.Platform.Keys.Revoke(ctx, 2, key.ID))
	}
	_, err = k.Platform.Users.Delete(ctx, 2)
	k.Must(err)
	text := k.Peek("demo", `SELECT string_agg(to_jsonb(c)::text, ' ') FROM changes c`)
	hashes := strings.Fields(k.Peek("demo", `SELECT string_agg(encode(hash, 'hex'), ' ') FROM credentials`))
	for _, secret := range append(hashes, "argon2", kit.AdminPassword, "wholly new", k.Secrets["demo/editor"]) {
		if strings.Contains(text, secret) {
			t.Errorf("%q in the history", secret)
		}
	}
	for _, want := range []string{`"login": "editor"`, `"password": "set"`, "sign_in"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in the history", want)
		}
	}
}

func TestSignInsAreInTheHistory(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Password("author")
	before, b := k.Version("demo"), k.Browser()
	b.SignIn("author", "wrong password")
	b.SignIn("nobody", kit.AdminPassword)
	b.SignIn("author", kit.AdminPassword)
	list := k.Entries("demo", 3)
	want := []struct {
		action, who string
		id, user    int64
	}{{"sign_in", "author", 3, 3}, {"sign_in_failed", "", 0, 0}, {"sign_in_failed", "", 3, 0}}
	for i, w := range want {
		e := list[i]
		if e.Position.Kind != "session" || e.Action != w.action || e.Who != w.who || e.Position.ID != w.id || e.UserID != w.user || e.Address == "" {
			t.Errorf("%d: %+v", i, e)
		}
	}
	if after := k.Version("demo"); after != before {
		t.Errorf("signing in raised the version from %d to %d", before, after)
	}
}

func TestAuditPage(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("other")
	k.Ask(kit.Request{Method: "POST", Path: "/calendar/events/v1/tags", As: "administrator", Site: "other", JSON: map[string]any{"name": "Foreign tag"}})
	admin := k.Person("administrator")
	made := k.Ask(kit.Request{Method: "POST", Path: "/calendar/events/v1/events", As: "editor",
		JSON: map[string]any{"title": "<b>Spring</b> fair", "start_date": "2027-05-01 10:00", "end_date": "2027-05-01 12:00", "description": "one two"}})
	id := madeID(t, made.Body)
	k.Ask(kit.Request{Method: "POST", Path: fmt.Sprintf("/calendar/events/v1/events/%d", id), As: "author", JSON: map[string]any{"title": "No"}})
	k.Ask(kit.Request{Method: "POST", Path: fmt.Sprintf("/calendar/events/v1/events/%d", id), As: "editor",
		JSON: map[string]any{"description": "one three <script>alert(1)</script>", "start_date": "2027-05-01 09:00"}})

	p := admin.Get("/admin/audit?who=Editor&kind=event&action=update")
	if p.Status != 200 || strings.Count(p.Body, `class="deed"`) != 1 || !p.Shows("Changed") || !p.Shows("editor") || !p.Shows("Event "+fmt.Sprint(id)) {
		t.Errorf("%d %s", p.Status, p.Body)
	}
	k.Provider("PATCH", "/sites/demo/users/2", kit.Object{"name": "Grace Hopper"}).Want(t, 200, "")
	if p := admin.Get("/admin/audit?who=grace+hopper&kind=event&action=update"); strings.Count(p.Body, `class="deed"`) != 1 {
		t.Error("a user is not found by their name")
	}
	if p := admin.Get("/admin/audit?who=grace"); strings.Contains(p.Body, `class="deed"`) {
		t.Error("a part of a name finds a user")
	}
	if p := admin.Get("/admin/audit"); strings.Contains(p.Body, ".session.") || !p.Shows("Spring</b> fair") || !p.Shows(`href="/admin/audit?kind=session">Show sign-ins</a>`) {
		t.Error("the history begins with sign-ins")
	}
	for _, address := range []string{"/admin/audit?kind=session", "/admin/audit?action=sign_in", "/admin/audit/export?format=csv"} {
		if p := admin.Get(address); !strings.Contains(p.Body, "session") || p.Shows("Show sign-ins") {
			t.Errorf("%s has no sign-ins", address)
		}
	}
	place := k.Entries("demo", 2)[1].Position.String()
	p = admin.Get("/admin/audit?kind=event&open=" + place)
	for _, text := range []string{"<mark>two</mark>", "<mark>three</mark>", "10:00", "9:00"} {
		if !p.Shows(text) {
			t.Errorf("the entry doesn't show %q: %s", text, p.Body)
		}
	}
	if strings.Contains(p.Body, "<script>alert") {
		t.Error("a script of an event")
	}
	for _, address := range []string{"/admin/audit", "/admin/audit/export?format=csv", "/admin/audit/export?format=jsonl"} {
		if p := admin.Get(address); p.Status != 200 || p.Shows("Foreign tag") {
			t.Errorf("%s: %d, of another site: %v", address, p.Status, p.Shows("Foreign tag"))
		}
	}
	rows, err := csv.NewReader(strings.NewReader(admin.Get("/admin/audit/export?format=csv&kind=event").Body)).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][2] != "update" || rows[2][2] != "create" {
		t.Errorf("%v %v", rows, err)
	}
	lines := strings.Split(strings.TrimSpace(admin.Get("/admin/audit/export?kind=event").Body), "\n")
	if len(lines) != 2 || !json.Valid([]byte(lines[0])) {
		t.Errorf("%q", lines)
	}
	k.Ask(kit.Request{Method: "POST", Path: fmt.Sprintf("/calendar/events/v1/events/%d", id), As: "editor", JSON: map[string]any{"title": "Autumn fair"}})
	for title, want := range map[string]int{"SPRING": 1, "autumn+FAIR": 3, "%25": 0, "g": 1, "winter": 0} {
		if p := admin.Get("/admin/audit?title=" + title); p.Status != 200 || strings.Count(p.Body, `class="deed"`) != want {
			t.Errorf("%s is the title of %d deeds, want %d", title, strings.Count(p.Body, `class="deed"`), want)
		}
	}
	if p := admin.Get("/admin/audit?id=x"); p.Status != 200 || !p.Shows(`href="#f-id"`) {
		t.Errorf("wrong filter: %d", p.Status)
	}
}

// TestAuditPages pages through a history that includes sign-ins.
func TestAuditPages(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Person("author")
	k.Person("author")
	whole := k.Entries("demo", 1000)
	seen := 0
	for path := "/platform/v1/sites/demo/audit?per_page=3"; path != ""; {
		got := k.Ask(kit.Request{Method: "GET", Path: path, As: "Bearer " + kit.ProviderToken})
		var page struct {
			Entries []struct{ Place string }
			Next    string `json:"next_rest_url"`
		}
		if err := json.Unmarshal([]byte(got.Body), &page); err != nil || got.Status != 200 {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		for _, e := range page.Entries {
			if seen >= len(whole) || e.Place != whole[seen].Position.String() {
				t.Fatalf("entry %d is %s", seen, e.Place)
			}
			seen++
		}
		path = strings.TrimPrefix(page.Next, "http://localhost")
	}
	if seen != len(whole) {
		t.Errorf("%d of %d entries", seen, len(whole))
	}
	got := k.Ask(kit.Request{Method: "GET", Path: "/platform/v1/audit?kind=site", As: "Bearer " + kit.ProviderToken})
	if got.Status != 200 || !strings.Contains(got.Body, `"action":"create","kind":"site"`) || !strings.Contains(got.Body, `"who":"test"`) {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if got := k.Ask(kit.Request{Method: "GET", Path: "/platform/v1/audit?after=nonsense", As: "Bearer " + kit.ProviderToken}); got.Status != 400 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if got := k.Ask(kit.Request{Method: "GET", Path: "/platform/v1/audit", As: "administrator"}); got.Status != 401 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

func TestRevisions(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	const root = "/calendar/events/v1"
	venue := madeID(t, k.Ask(kit.Request{Method: "POST", Path: root + "/venues", As: "editor", JSON: map[string]any{"venue": "Old hall"}}).Body)
	id := madeID(t, k.Ask(kit.Request{Method: "POST", Path: root + "/events", As: "editor", JSON: map[string]any{"title": "First title",
		"start_date": "2027-05-01 10:00", "end_date": "2027-05-01 12:00", "venue": venue, "tags": []string{"live"}, "cost": "5"}}).Body)
	made := k.Version("demo")
	event := fmt.Sprintf("%s/events/%d", root, id)
	k.Ask(kit.Request{Method: "POST", Path: event, As: "editor", JSON: map[string]any{"title": "Second title", "start_date": "2027-06-01 10:00",
		"end_date": "2027-06-01 12:00", "timezone": "Asia/Tokyo", "tags": []string{}, "cost": "7", "status": "draft"}})
	k.Ask(kit.Request{Method: "DELETE", Path: fmt.Sprintf("%s/venues/%d?force=true", root, venue), As: "editor"})

	editor := k.Person("editor")
	page := fmt.Sprintf("/admin/events/%d/revisions", id)
	p := editor.Get(fmt.Sprintf("%s?from=%d&to=%d", page, made, made+1))
	for _, text := range []string{"First", "Second", "<mark>", "live", "Restore", "editor"} {
		if p.Status != 200 || !p.Shows(text) {
			t.Errorf("%d: no %q in %s", p.Status, text, p.Body)
		}
	}
	if p := editor.Post(page, url.Values{"version": {fmt.Sprint(made)}, "expected": {"1"}}); p.Status != http.StatusConflict {
		t.Errorf("of another version: %d", p.Status)
	}
	p = editor.Post(page, url.Values{"version": {fmt.Sprint(made)}, "expected": {fmt.Sprint(made + 1)}})
	if p.Status != 200 || !p.Shows("no longer exist") || !p.Shows("Old hall") {
		t.Fatalf("restore: %d %s", p.Status, p.Body)
	}
	var got struct {
		Title, Timezone, Status, Cost string
		Start                         string `json:"start_date"`
		Tags                          []struct{ Name string }
		Venue                         any
	}
	k.Must(json.Unmarshal([]byte(k.Ask(kit.Request{Method: "GET", Path: event, As: "editor"}).Body), &got))
	if got.Title != "First title" || got.Timezone != "Europe/Berlin" || got.Start != "2027-05-01 10:00:00" || got.Status != "draft" ||
		!strings.Contains(got.Cost, "5") || len(got.Tags) != 1 || got.Tags[0].Name != "live" {
		t.Errorf("restored: %+v", got)
	}
	if e := k.Entries("demo", 1)[0]; e.Action != "update" || e.Via != tenancy.ViaSession || e.Who != "editor" || e.Before["title"] != "Second title" {
		t.Errorf("%+v", e)
	}
	if p := k.Person("contributor").Get(page); p.Status != 403 {
		t.Errorf("somebody else's: %d", p.Status)
	}
	if p := editor.Get("/admin/events/999999/revisions"); p.Status != 404 {
		t.Errorf("of nothing: %d", p.Status)
	}
}

// The history of an event does not reveal the names of venues and organizers that the reader may not read.
func TestRevisionsHideNames(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	ids := map[string]int64{}
	for _, name := range []string{"Open hall", "Closed hall", "Gone hall"} {
		ids[name] = k.Post("/venues", "editor", map[string]any{"venue": name}).Want(t, 201, "").ID()
	}
	club := k.Post("/organizers", "editor", map[string]any{"organizer": "Closed club"}).Want(t, 201, "").ID()
	event := fmt.Sprintf("/events/%d", k.Post("/events", "author", map[string]any{"title": "Linked", "start_date": "2027-05-01 10:00",
		"end_date": "2027-05-01 12:00", "venue": []int64{ids["Open hall"], ids["Closed hall"], ids["Gone hall"]}, "organizer": club}).Want(t, 201, "").ID())
	made := k.Version("demo")
	k.Post(event, "author", map[string]any{"venue": []int64{}, "organizer": []int64{}}).Want(t, 200, "")
	k.Patch(fmt.Sprintf("/venues/%d", ids["Closed hall"]), "editor", map[string]any{"status": "private"}).Want(t, 200, "")
	k.Patch(fmt.Sprintf("/organizers/%d", club), "editor", map[string]any{"status": "draft"}).Want(t, 200, "")
	k.Del(fmt.Sprintf("/venues/%d?force=true", ids["Gone hall"]), "editor").Want(t, 200, "")
	address := fmt.Sprintf("/admin%s/revisions", event)
	for role, hidden := range map[string]bool{"author": true, "editor": false} {
		reader := k.Person(role)
		for _, p := range []kit.Page{reader.Get(address), reader.Get(fmt.Sprintf("%s?from=%d&to=%d", address, made, made+1))} {
			if p.Status != 200 || !p.Shows("Open hall") {
				t.Errorf("%s: %d %s", role, p.Status, p.Body)
			}
			for _, name := range []string{"Closed hall", "Gone hall", "Closed club"} {
				if p.Shows(name) == hidden {
					t.Errorf("%s: %s shown: %v", role, name, p.Shows(name))
				}
			}
			if p.Shows("not visible to you") != hidden {
				t.Errorf("%s: says that something is hidden: %v", role, !hidden)
			}
		}
	}
	author := k.Person("author")
	author.Get(address)
	p := author.Post(address, url.Values{"version": {fmt.Sprint(made)}, "expected": {fmt.Sprint(made + 1)}})
	if p.Status != 200 && p.Status != http.StatusUnprocessableEntity || p.Shows("Closed hall") || p.Shows("Gone hall") || p.Shows("Closed club") {
		t.Errorf("restored: %d %s", p.Status, p.Body)
	}
}

func TestDrafts(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	made := k.Ask(kit.Request{Method: "POST", Path: "/calendar/events/v1/events", As: "editor",
		JSON: map[string]any{"title": "Saved title", "start_date": "2027-05-01 10:00", "end_date": "2027-05-01 12:00"}})
	id := madeID(t, made.Body)
	address := fmt.Sprintf("/admin/events/%d", id)
	editor, other := k.Person("editor"), k.Person("administrator")
	editor.Get(address)
	typed := kit.FormIn(editor.Page)
	for name, value := range map[string]string{"event": fmt.Sprint(id), "title": "Typed title", "post_password": "a secret word"} {
		typed.Set(name, value)
	}
	typed.Del("csrf")
	if p := editor.Do("POST", "/admin/drafts", typed, nil); p.Status != http.StatusForbidden {
		t.Errorf("without the token of the session: %d", p.Status)
	}
	before := k.Version("demo")
	p := editor.Post("/admin/drafts", typed)
	if p.Status != 200 || !p.Shows("1:00") {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	if k.Version("demo") != before {
		t.Error("a draft raised the version")
	}
	if p = editor.Get(address); !p.Shows("Saved title") || p.Shows("Typed title") || !p.Shows("Continue editing") {
		t.Errorf("not offered: %s", p.Body)
	}
	if p = editor.Get(address + "?draft=1"); !p.Shows("Typed title") || p.Shows("a secret word") {
		t.Errorf("not taken: %s", p.Body)
	}
	if p = other.Get(address); p.Shows("Continue with") {
		t.Error("somebody else's draft")
	}
	if p = other.Get(address + "?draft=1"); p.Shows("Typed title") {
		t.Error("somebody else's draft")
	}
	form := kit.FormIn(editor.Get(address + "?draft=1"))
	if p = editor.Post(address, form); p.Status != http.StatusSeeOther {
		t.Fatalf("save: %d %s", p.Status, p.Body)
	}
	if p = editor.Get(address); !p.Shows("Typed title") || p.Shows("Continue with") {
		t.Errorf("saved, and still a draft: %s", p.Body)
	}
	editor.Post("/admin/drafts", url.Values{"event": {"0"}, "title": {"Something new"}})
	if p = editor.Get("/admin/events/new?draft=1"); !p.Shows("Something new") {
		t.Errorf("new: %s", p.Body)
	}
	k.Clock = k.Clock.Add(31 * 24 * time.Hour)
	editor = k.Person("editor")
	if p = editor.Get("/admin/events/new"); p.Shows("Continue with") {
		t.Error("a draft of a month ago")
	}
	editor.Post("/admin/drafts", url.Values{"event": {fmt.Sprint(id)}, "title": {"x"}})
	if left := k.Peek("demo", "SELECT count(*)::text FROM drafts"); left != "1" {
		t.Errorf("%s drafts, want the young one", left)
	}
	if p = editor.Post("/admin/drafts", url.Values{"event": {fmt.Sprint(id)}, "do": {"drop"}}); p.Status != http.StatusSeeOther {
		t.Errorf("drop: %d", p.Status)
	}
	long := url.Values{"event": {"0"}, "description": {strings.Repeat("long ", 300_000)}}
	if p = editor.Post("/admin/drafts", long); p.Status/100 == 2 || p.Status == 500 {
		t.Errorf("too long: %d", p.Status)
	}
}
