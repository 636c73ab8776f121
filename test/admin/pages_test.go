package admin

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

func TestAdminRoles(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	own := map[string]int64{}
	for _, role := range tenancy.Roles() {
		if a := k.Post("/events", string(role), map[string]any{"title": "Of " + role, "start_date": "2030-01-01", "end_date": "2030-01-01"}); a.Status == 201 {
			own[string(role)] = a.ID()
		}
	}
	venue := k.Post("/venues", "administrator", map[string]any{"venue": "Hall"}).ID()
	sections := []string{"events", "venues", "organizers", "categories", "tags", "trash", "profile", "access"}
	for role, open := range map[string]string{
		"administrator": "events venues organizers categories tags trash profile access",
		"editor":        "events venues organizers categories tags trash profile access",
		"author":        "events venues organizers categories trash profile access",
		"contributor":   "events venues organizers trash profile access",
		"subscriber":    "profile access",
	} {
		b := k.Person(role)
		nav := b.Get("/admin/profile").Body
		for _, section := range sections {
			want, offered := 403, strings.Contains(nav, `href="/admin/`+section+`"`)
			if strings.Contains(open, section) {
				want = 200
			}
			if p := b.Get("/admin/" + section); p.Status != want || offered != (want == 200) {
				t.Errorf("%s at %s: %d, offered %t", role, section, p.Status, offered)
			}
		}
		for owner, id := range own {
			want := 403
			if owner == role || role == "administrator" || role == "editor" {
				want = 200
			}
			path := fmt.Sprintf("/admin/events/%d", id)
			if p := b.Get(path); p.Status != want {
				t.Errorf("%s opens the event of %s: %d", role, owner, p.Status)
			}
			if p := b.Post(path, url.Values{"title": {"Taken over"}, "do": {"save"}}); want == 403 && p.Status != 403 {
				t.Errorf("%s saves the event of %s: %d", role, owner, p.Status)
			}
		}
		edits := map[string]int{"administrator": 200, "editor": 200, "author": 403, "contributor": 403, "subscriber": 403}
		if p := b.Get(fmt.Sprintf("/admin/venues/%d", venue)); p.Status != edits[role] {
			t.Errorf("%s opens a venue: %d", role, p.Status)
		}
	}
}

func TestAdminContributorsWait(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("contributor")
	p := b.Get("/admin/events/new")
	for _, not := range []string{`value="publish"`, `value="private"`, `name="author"`} {
		if strings.Contains(p.Body, not) {
			t.Errorf("a contributor is offered %s", not)
		}
	}
	form := kit.FormIn(p)
	form.Set("title", "By a contributor")
	form.Set("status", "publish")
	b.Post("/admin/events/new", form)
	m := kit.AdminEvent.FindStringSubmatch(b.Page.Header.Get("Location"))
	if got := k.Get("/events/"+m[1], "administrator"); got.Body["status"] != "pending" {
		t.Errorf("a contributor publishes: %v", got.Body["status"])
	}
}

func TestAdminManyEvents(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	category := k.Post("/categories", "administrator", map[string]any{"name": "Music"}).ID()
	var ids []string
	for i := range 3 {
		ids = append(ids, fmt.Sprint(k.Event(map[string]any{"title": fmt.Sprint("Event ", i), "status": "draft"})))
	}
	b := k.Person("editor")
	b.Get("/admin/events?status=draft")
	do := func(name string, more ...string) kit.Page {
		form := url.Values{"do": {name}, "id": ids, "to": {"/admin/events"}}
		for i := 0; i+1 < len(more); i += 2 {
			form.Set(more[i], more[i+1])
		}
		b.Post("/admin/events", form)
		return b.Follow()
	}
	statusOf := func() string { return fmt.Sprint(k.Get("/events/"+ids[0], "administrator").Body["status"]) }
	if p := do("publish"); !p.Shows("3 entries published.") || statusOf() != "publish" {
		t.Error("publish", statusOf())
	}
	if p := do("draft", "sure", "1"); !p.Shows("3 entries changed to drafts.") || statusOf() != "draft" {
		t.Error("draft", statusOf())
	}
	if p := do("category", "category", fmt.Sprint(category)); !p.Shows("Category added to 3 events.") || !strings.Contains(fmt.Sprint(k.Get("/events/"+ids[0], "administrator").Body["categories"]), "Music") {
		t.Error("category")
	}
	if p := b.Get("/admin/trash"); !p.Shows("The trash is empty.") {
		t.Error("the trash isn't said to be empty")
	}
	if p := do("trash"); !p.Shows("3 entries moved to the trash.") || b.Get("/admin/trash").Shows("Event 2") != true {
		t.Error("trash")
	}
	if p := b.Get("/admin/trash"); p.Shows("The trash is empty.") || strings.Contains(p.Body, "trash-venues") {
		t.Error("a trash that holds events is said to be empty")
	}
	if p := do("restore"); !p.Shows("3 entries restored.") || statusOf() != "draft" {
		t.Error("restore", statusOf())
	}
	p := b.Post("/admin/events", url.Values{"do": {"delete"}, "id": ids, "to": {"/admin/events"}})
	if p.Status != 200 || !p.Shows("Delete permanently?") || !p.Shows("Event 1") || statusOf() != "draft" {
		t.Error("delete doesn't ask first")
	}
	if p := do("delete", "sure", "1"); !p.Shows("3 entries permanently deleted.") || k.Get("/events/"+ids[0], "administrator").Status != 404 {
		t.Error("delete")
	}
	foreign := k.Event(nil)
	author := k.Person("author")
	author.Get("/admin/events")
	author.Post("/admin/events", url.Values{"do": {"trash"}, "id": {fmt.Sprint(foreign)}, "to": {"/admin/events"}})
	if p := author.Follow(); !p.Shows("Nothing was changed: 1 entry could not be changed.") {
		t.Error("an author trashes what isn't theirs")
	}
}

func TestAdminEventsList(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for i := range 25 {
		k.Event(map[string]any{"title": fmt.Sprintf("Talk %02d", i), "start_date": fmt.Sprintf("2030-01-%02d 10:00", i+1), "end_date": fmt.Sprintf("2030-01-%02d 11:00", i+1), "featured": i == 3})
	}
	k.Event(map[string]any{"title": "Long ago", "start_date": "2001-01-01", "end_date": "2001-01-01"})
	k.Event(map[string]any{"title": "Unlisted", "hide_from_listings": true, "status": "draft"})
	b := k.Person("editor")
	rows := regexp.MustCompile(`type="checkbox" form="many" name="id"`)
	for query, want := range map[string]struct {
		rows  int
		first string
	}{
		"": {20, "Talk 00"}, "?page=2": {6, "Talk 20"}, "?length=50": {26, "Talk 00"}, "?view=all&length=50": {27, "Long ago"}, "?view=past": {1, "Long ago"}, "?view=draft": {1, "Unlisted"}, "?view=pending": {0, "There are no"}, "?view=none": {20, "Talk 00"}, "?search=unlisted": {1, "Unlisted"},
		"?status=draft": {1, "Unlisted"}, "?featured=1": {1, "Talk 03"}, "?from=2030-01-20&to=2030-01-22": {3, "Talk 19"},
		"?sort=title&order=desc": {20, "Unlisted"}, "?search=nothing": {0, "No matching events"}, "?page=9": {-1, ""},
		"?from=never": {0, "Please correct"}, "?venue=99999": {0, "This venue no longer exists"},
	} {
		p := b.Get("/admin/events" + query)
		if want.rows < 0 {
			if p.Status != 303 {
				t.Errorf("%s: %d", query, p.Status)
			}
			continue
		}
		if n := len(rows.FindAllString(p.Body, -1)); p.Status != 200 || n != want.rows || !p.Shows(want.first) {
			t.Errorf("%s: %d, %d rows", query, p.Status, n)
		}
	}
	if p := b.Get("/admin/events"); !p.Shows(`All <span class="count">27</span>`) || !p.Shows(`Drafts <span class="count">1</span>`) || !p.Shows(`Past <span class="count">1</span>`) {
		t.Error("counts")
	}
	if p := b.Get("/admin/events/new?copy=1"); p.Status != 200 || !p.Shows(`value="Talk 00"`) || !p.Shows("It is not saved yet") {
		t.Errorf("copy: %d", p.Status)
	}
}

func TestAdminPlaces(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	for kind, c := range map[string]struct {
		section string
		form    url.Values
	}{
		"venue": {"venues", url.Values{"venue": {"Hall & Co"}, "address": {"1 Street"}, "zip": {"12345"}, "city": {"Town"}, "country": {"Land"}, "state": {"ST"},
			"province": {"PR"}, "stateprovince": {"SP"}, "phone": {"+1 2"}, "website": {"https://example.org"}, "geo_lat": {"1.5"}, "geo_lng": {"-2.5"},
			"show_map": {"0", "1"}, "show_map_link": {"0"}, "description": {"<p>About</p>"}, "excerpt": {"Brief"}, "slug": {"hall"}}},
		"organizer": {"organizers", url.Values{"organizer": {"Choir & Co"}, "phone": {"+3 4"}, "email": {"c@example.org"}, "website": {"https://example.net"},
			"description": {"<p>About</p>"}, "excerpt": {"Brief"}, "slug": {"choir"}}},
	} {
		b.Get("/admin/" + c.section + "/new")
		c.form.Set("do", "save")
		c.form.Set("status", "publish")
		if p := b.Post("/admin/"+c.section+"/new", c.form); p.Status != 303 {
			t.Fatalf("%s: %d %s", kind, p.Status, p.Body)
		}
		address := b.Page.Header.Get("Location")
		p := b.Follow()
		saved := kit.FormIn(p)
		for name, want := range c.form {
			if got := saved.Get(name); name != "csrf" && name != "show_map" && got != want[0] && !strings.Contains(got, want[0]) {
				t.Errorf("%s: %s is %q", kind, name, got)
			}
		}
		saved.Set(kind, "Renamed")
		if p := b.Post(address, saved); p.Status != 303 || !b.Follow().Shows("Renamed") {
			t.Errorf("%s: rename %d", kind, p.Status)
		}
		if p := b.Post(address, saved); p.Status != 303 {
			t.Errorf("%s: sent twice %d", kind, p.Status)
		}
		saved = kit.FormIn(b.Get(address)) // with the version of the rename
		saved.Set("website", "nonsense")
		saved.Set(kind, "")
		if p := b.Post(address, saved); p.Status != 422 || !strings.Contains(p.Body, `id="p-website"`) || !strings.Contains(p.Body, `id="p-`+kind+`"`) {
			t.Errorf("%s: wrong %d", kind, p.Status)
		}
		id := address[strings.LastIndexByte(address, '/')+1:]
		b.Post("/admin/"+c.section, url.Values{"seen": {kit.AllSeen}, "do": {"trash"}, "id": {id}, "to": {"/admin/trash"}})
		if p := b.Follow(); !p.Shows("Renamed") || b.Get(address).Status != 303 {
			t.Errorf("%s: trash", kind)
		}
		b.Post("/admin/"+c.section, url.Values{"do": {"delete"}, "id": {id}, "to": {"/admin/trash"}, "sure": {"1"}})
		if p := b.Follow(); p.Shows("Renamed") || b.Get(address).Status != 404 {
			t.Errorf("%s: delete", kind)
		}
	}
}

func TestAdminTerms(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	for _, section := range []string{"categories", "tags"} {
		b.Get("/admin/" + section)
		form := url.Values{"name": {"First"}, "description": {"Words"}, "do": {"save"}}
		if p := b.Post("/admin/"+section, form); p.Status != 303 {
			t.Fatalf("%s: %d %s", section, p.Status, p.Body)
		}
		if p := b.Post("/admin/"+section, form); p.Status != 422 || !p.Shows("name is already in use") {
			t.Errorf("%s twice: %d", section, p.Status)
		}
		if p := b.Post("/admin/"+section, url.Values{"name": {""}, "do": {"save"}}); p.Status != 422 {
			t.Errorf("%s without a name: %d", section, p.Status)
		}
		link := regexp.MustCompile(`href="(/admin/` + section + `/\d+)"`).FindStringSubmatch(b.Get("/admin/" + section).Body)
		if link == nil {
			t.Fatalf("%s: no link", section)
		}
		b.Get(link[1])
		if p := b.Post(link[1], url.Values{"name": {"Second"}, "version": {versionIn(b.Page)}, "do": {"save"}}); p.Status != 303 || !b.Follow().Shows("Second") {
			t.Errorf("%s: rename %d", section, p.Status)
		}
		if p := b.Post(link[1], url.Values{"do": {"delete"}}); p.Status != 200 || !p.Shows("Delete permanently?") {
			t.Errorf("%s: no question %d", section, p.Status)
		}
		if p := b.Post(link[1], url.Values{"do": {"delete"}, "sure": {"1"}}); p.Status != 303 || b.Get(link[1]).Status != 404 {
			t.Errorf("%s: delete %d", section, p.Status)
		}
	}
}

func versionIn(p kit.Page) string {
	m := regexp.MustCompile(`name="version" value="(\d+)"`).FindStringSubmatch(p.Body)
	if m == nil {
		return ""
	}
	return m[1]
}

func TestAdminAccount(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b, other := k.Person("author"), k.Browser()
	other.SignIn("author", kit.AdminPassword)
	b.Get("/admin/access")
	p := b.Post("/admin/access", url.Values{"name": {"Phone"}, "kind": {"api_key"}, "read_only": {"1"}, "do": {"save"}, "once": {"x"}, "present": {kit.AdminPassword}})
	secret := regexp.MustCompile(`kal_[A-Za-z0-9]{40}`).FindString(p.Body)
	if p.Status != 200 || secret == "" || k.Get("/events", "Bearer "+secret).Status != 200 {
		t.Fatalf("key: %d %s", p.Status, p.Body)
	}
	if p := b.Post("/admin/access", url.Values{"name": {"Phone"}, "do": {"save"}, "once": {"x"}, "present": {kit.AdminPassword}}); p.Status != 303 {
		t.Errorf("the same form makes two: %d", p.Status)
	}
	if p := b.Get("/admin/access"); strings.Contains(p.Body, secret) || !p.Shows("Phone") || !p.Shows("Bearer YOUR_KEY' http://localhost/calendar/events/v1/events") || !p.Shows(`href="/api-reference/"`) {
		t.Error("the secret is shown again")
	}
	id := regexp.MustCompile(`name="id" value="(\d+)"`).FindStringSubmatch(b.Page.Body)[1]
	b.Post("/admin/access", url.Values{"id": {id}, "do": {"revoke"}})
	if k.Get("/events", "Bearer "+secret).Status != 401 {
		t.Error("a revoked key works")
	}
	for _, wrong := range []string{"", "not it at all"} {
		if p := b.Post("/admin/access", url.Values{"name": {"Thief"}, "do": {"save"}, "once": {"y"}, "present": {wrong}}); p.Status != 422 || !p.Shows("f-present") {
			t.Errorf("a key for the password %q: %d", wrong, p.Status)
		}
	}
	if p := b.Post("/admin/access", url.Values{"name": {""}, "do": {"save"}}); p.Status != 422 {
		t.Errorf("nameless: %d", p.Status)
	}
	b.Get("/admin/profile")
	for _, wrong := range []url.Values{{"old": {"no"}, "password": {"a new long password"}, "again": {"a new long password"}},
		{"old": {kit.AdminPassword}, "password": {"short"}, "again": {"short"}}, {"old": {kit.AdminPassword}, "password": {"a new long password"}, "again": {"another"}}} {
		wrong.Set("do", "password")
		if p := b.Post("/admin/profile", wrong); p.Status != 422 {
			t.Errorf("%v: %d", wrong, p.Status)
		}
	}
	p = b.Post("/admin/profile", url.Values{"old": {kit.AdminPassword}, "password": {"a new long password"}, "again": {"a new long password"}, "do": {"password"}})
	if p.Status != 303 || b.Follow().Status != 200 || other.Get("/admin/profile").Status != 303 {
		t.Errorf("new password: %d", p.Status)
	}
	other.SignIn("author", "a new long password")
	b.Get("/admin/profile")
	session := ""
	for _, m := range regexp.MustCompile(`name="session" value="([0-9a-f]+)"`).FindAllStringSubmatch(b.Page.Body, -1) {
		session = m[1]
	}
	if n := strings.Count(b.Page.Body, `name="session"`); n != 2 {
		t.Errorf("%d sessions", n)
	}
	b.Post("/admin/profile", url.Values{"do": {"others"}})
	if other.Get("/admin/profile").Status != 303 || b.Get("/admin/profile").Status != 200 || session == "" {
		t.Error("signed out elsewhere")
	}
}

func TestAdminSpeaksEveryLanguage(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(nil)
	b := k.Person("administrator")
	raw := regexp.MustCompile(`\b(admin|problem|public|date|arg)\.[a-z]+[a-z._]*\b`)
	for _, language := range i18n.Languages() {
		b.Get("/admin/profile")
		b.Post("/admin/language", url.Values{"language": {language}, "to": {"/admin/profile"}})
		paths := []string{"/events", fmt.Sprintf("/events/%d", id), "/profile"}
		if slices.Contains(kit.Walked, language) {
			paths = append(paths, "/events/new", "/venues", "/venues/new", "/organizers", "/organizers/new",
				"/categories", "/tags", "/trash", "/access", "/nothing")
		}
		for _, path := range paths {
			p := b.Get("/admin" + path)
			if !strings.Contains(p.Body, `<html lang="`+language+`"`) || p.Header.Get("Content-Language") != language {
				t.Errorf("%s in %s: %.200s", path, language, p.Body)
			}
			if found := raw.FindString(p.Body); found != "" {
				t.Errorf("%s in %s: a key instead of a text: %s", path, language, found)
			}
		}
	}
}
