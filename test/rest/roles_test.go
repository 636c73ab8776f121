package rest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/tenancy"
)

// Who may do what (rules 2.3 to 2.5). Statuses are in the order of callers: anonymous, subscriber, contributor,
// author, editor, administrator, a read-only key of the administrator.

type statuses [7]int

var (
	everybody    = statuses{200, 200, 200, 200, 200, 200, 200}
	readOthers   = statuses{403, 403, 403, 403, 200, 200, 200}
	ownReaders   = statuses{403, 200, 200, 200, 200, 200, 200}
	editors      = statuses{401, 403, 403, 403, 200, 200, 403}
	ownPublished = statuses{401, 403, 403, 200, 200, 200, 403}
	ownDrafts    = statuses{401, 403, 200, 200, 200, 200, 403}
	creators     = statuses{401, 403, 201, 201, 201, 201, 403}
	categorisers = statuses{401, 403, 403, 200, 200, 200, 403}
	taggers      = editors
)

func TestRolesTable(t *testing.T) {
	t.Parallel()
	covered := map[string]bool{}
	for _, r := range api.New(nil).Routes() {
		switch r.Resource {
		case "event", "venue", "organizer", "category", "tag", "image", "submission", "webhook", "import", "source", "field", "":
			covered[r.Resource] = true
		default:
			t.Errorf("%s: nobody checks the roles of a %s", r.Path, r.Resource)
		}
	}
	if len(covered) != 12 {
		t.Errorf("resources: %v", covered)
	}
}

// Webhooks belong to administrators.
func TestRolesOnWebhooks(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id, _ := k.Webhook("https://example.org/hook", nil)
	administrators, makers, readers := statuses{401, 403, 403, 403, 403, 200, 403}, statuses{401, 403, 403, 403, 403, 201, 403}, statuses{401, 403, 403, 403, 403, 200, 200}
	sending, none := statuses{401, 403, 403, 403, 403, 202, 403}, statuses{401, 403, 403, 403, 403, 404, 403}
	for _, c := range []struct {
		method, path string
		want         statuses
	}{
		{"GET", "/webhooks", readers}, {"GET", path("webhooks", id), readers}, {"GET", path("webhooks", id) + "/deliveries", readers},
		{"POST", "/webhooks", makers}, {"PATCH", path("webhooks", id), administrators}, {"POST", path("webhooks", id) + "/secret", administrators},
		{"POST", path("webhooks", id) + "/test", sending}, {"POST", path("webhooks", id) + "/deliveries/7/redeliver", none},
		{"DELETE", "/webhooks/999", none},
	} {
		for i, caller := range kit.Callers() {
			a := k.Send(kit.Request{Method: c.method, Path: c.path, As: k.As("demo", caller), JSON: kit.Valid("webhook")})
			if a.Status != c.want[i] {
				t.Errorf("%s %s as %q: %s", c.method, c.path, caller, a)
			}
		}
	}
}

// Sources belong to administrators.
func TestRolesOnSources(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Source(kit.Object{"url": "https://example.org/a.ics", "active": false})
	administrators, makers, readers := statuses{401, 403, 403, 403, 403, 200, 403}, statuses{401, 403, 403, 403, 403, 201, 403}, statuses{401, 403, 403, 403, 403, 200, 200}
	asking, none := statuses{401, 403, 403, 403, 403, 202, 403}, statuses{401, 403, 403, 403, 403, 404, 403}
	for _, c := range []struct {
		method, path string
		want         statuses
	}{
		{"GET", "/sources", readers}, {"GET", path("sources", id), readers}, {"POST", "/sources", makers}, {"PATCH", path("sources", id), administrators},
		{"POST", path("sources", id) + "/read", asking}, {"DELETE", "/sources/999?events=keep", none},
	} {
		for i, caller := range kit.Callers() {
			a := k.Send(kit.Request{Method: c.method, Path: c.path, As: k.As("demo", caller), JSON: kit.Valid("source")})
			if a.Status != c.want[i] {
				t.Errorf("%s %s as %q: %s", c.method, c.path, caller, a)
			}
		}
	}
}

// Everybody sees which fields a site adds; administrators add them.
func TestRolesOnFields(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Post("/fields", "administrator", kit.Object{"label": "Dogs", "kind": "yes_no"}).Want(t, 201, "")
	k.Post("/fields", "administrator", kit.Object{"label": "Notes", "kind": "text", "public": false}).Want(t, 201, "")
	k.Post("/fields", "administrator", kit.Object{"label": "Old", "kind": "text", "archived": true}).Want(t, 201, "")
	administrators, makers := statuses{401, 403, 403, 403, 403, 200, 403}, statuses{401, 403, 403, 403, 403, 201, 403}
	none, writers := statuses{401, 403, 403, 403, 403, 404, 403}, statuses{404, 404, 200, 200, 200, 200, 200}
	for _, c := range []struct {
		method, path string
		want         statuses
	}{
		{"GET", "/fields", everybody}, {"GET", "/fields/dogs", everybody}, {"GET", "/fields/notes", writers}, {"GET", "/fields/old", writers},
		{"POST", "/fields", makers}, {"PATCH", "/fields/dogs", administrators}, {"DELETE", "/fields/none", none},
	} {
		for i, caller := range kit.Callers() {
			body := kit.Valid("field")
			if c.method == "PATCH" {
				delete(body, "kind")
			}
			a := k.Send(kit.Request{Method: c.method, Path: c.path, As: k.As("demo", caller), JSON: body})
			if a.Status != c.want[i] {
				t.Errorf("%s %s as %q: %s", c.method, c.path, caller, a)
			}
			if shown := fieldCount(a); c.path == "/fields" && c.method == "GET" && shown != map[bool]int{true: 1, false: 3}[i < 2] {
				t.Errorf("%q sees %d fields", caller, shown)
			}
		}
	}
}

// Imports are the editors', and contributors may import drafts of their own.
func TestRolesOnImports(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	starters, readers := statuses{401, 403, 202, 202, 202, 202, 403}, statuses{401, 403, 200, 200, 200, 200, 200}
	unread, none := statuses{401, 403, 404, 404, 404, 404, 404}, statuses{401, 403, 404, 404, 404, 404, 403}
	for _, c := range []struct {
		method, path string
		want         statuses
	}{
		{"GET", "/imports", readers}, {"GET", "/imports/999", unread}, {"GET", "/imports/999/entries", unread}, {"POST", "/imports", starters},
		{"POST", "/imports/999/run", none}, {"POST", "/imports/999/undo", none}, {"DELETE", "/imports/999", none},
	} {
		for i, caller := range kit.Callers() {
			a := k.Send(kit.Request{Method: c.method, Path: c.path, As: k.As("demo", caller), JSON: kit.Object{"url": "https://calendar.invalid/club.ics"}})
			if a.Status != c.want[i] {
				t.Errorf("%s %s as %q: %s", c.method, c.path, caller, a)
			}
		}
	}
}

// userOf are the ids of the kit's users by caller.
func userOf(caller string) int {
	if caller == "reader" {
		caller = string(tenancy.Administrator)
	}
	return slices.Index(tenancy.Roles(), tenancy.Role(caller)) + 1
}

// posts are the resources with authors.
var posts = []struct{ resource, path string }{{"event", "/events"}, {"venue", "/venues"}, {"organizer", "/organizers"}}

// TestRolesOnItems tries reading, changing and removing, by id and by slug, own
// items and others', in every status.
func TestRolesOnItems(t *testing.T) {
	t.Parallel()
	type expected struct{ read, write statuses }
	others := map[string]expected{"publish": {everybody, editors}, "draft": {readOthers, editors}, "pending": {readOthers, editors},
		"private": {readOthers, editors}, "future": {readOthers, editors}}
	own := map[string]expected{"publish": {everybody, ownPublished}, "draft": {ownReaders, ownDrafts}, "pending": {ownReaders, ownDrafts},
		"private": {ownReaders, ownPublished}, "future": {ownReaders, ownPublished}}
	for _, p := range posts {
		t.Run(p.resource, func(t *testing.T) {
			t.Parallel()
			k := kit.New(t)
			rows := [][]string{append([]string{"status", p.path}, kit.Callers()...)}
			for whose, table := range map[string]map[string]expected{"other's": others, "own": own} {
				for status, want := range table {
					for _, method := range []string{"GET", "PATCH", "POST", "PUT", "DELETE", "DELETE force"} {
						expect := want.write
						if method == "GET" {
							expect = want.read
						}
						row := []string{status, method + " " + whose}
						for i, caller := range kit.Callers() {
							row = append(row, tryItem(k, p.resource, p.path, method, status, caller, whose == "own", expect[i]))
						}
						rows = append(rows, row)
					}
				}
			}
			slices.SortFunc(rows[1:], func(a, b []string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) })
			t.Log("by id and by slug alike:\n" + kit.Table(rows))
		})
	}
}

// tryItem makes an item in a status and lets a caller at it, by id and by slug.
func tryItem(k *kit.Kit, resource, path, method, status, caller string, own bool, want int) string {
	k.T.Helper()
	author := userOf(string(tenancy.Administrator))
	switch {
	case own && caller != "":
		author = userOf(caller)
	case caller == string(tenancy.Administrator) || caller == "reader":
		author = userOf(string(tenancy.Editor))
	}
	body := with(kit.Valid(resource), "status", status, "author", author, "slug", "item", "description", k.T.Name()+status+method+caller+strconv.FormatBool(own))
	if status == "future" {
		body["date"] = "+1 year"
	}
	for _, bySlug := range []bool{false, true} {
		made := k.Post(path, "administrator", body).Want(k.T, 201, "")
		if made.Text("status") != status {
			k.T.Fatalf("made as %s: %s", status, made)
		}
		item := path + "/" + strconv.FormatInt(made.ID(), 10)
		if bySlug {
			item = path + "/by-slug/" + made.Text("slug")
		}
		verb, force, _ := strings.Cut(method, " ")
		req := kit.Request{Method: verb, Path: item, As: k.As("demo", caller)}
		if force != "" {
			req.Path += "?force=true"
		}
		if verb != http.MethodGet && verb != http.MethodDelete {
			req.JSON = map[string]any{"description": "changed"}
		}
		a := k.Send(req)
		if a.Status != want {
			k.T.Errorf("%s %s (%s, own %v) as %q: %.200s, want %d", method, item, status, own, caller, a, want)
		}
		code := map[string]string{"GET": resource + "-not-accessible"}[verb]
		if code == "" {
			code = "rest_forbidden"
		}
		if a.Status >= 400 && a.Code() != code {
			k.T.Errorf("%s %s as %q: code %s, want %s", method, item, caller, a.Code(), code)
		}
		k.Del(path+"/"+strconv.FormatInt(made.ID(), 10)+"?force=true", "administrator")
	}
	return strconv.Itoa(want)
}

// TestRolesOnCreate asks for each status as each role.
func TestRolesOnCreate(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for _, p := range posts {
		unasked := "pending"
		if p.resource == "event" {
			unasked = "draft"
		}
		for i, caller := range kit.Callers() {
			for asked, as := range map[string]struct{ contributor, publisher string }{"": {unasked, "publish"}, "publish": {"pending", "publish"},
				"private": {"pending", "private"}, "draft": {"draft", "draft"}, "pending": {"pending", "pending"}} {
				body := with(kit.Valid(p.resource), "description", "as "+caller+" "+asked)
				if asked != "" {
					body["status"] = asked
				}
				a := k.Post(p.path, k.As("demo", caller), body)
				want := as.publisher
				if caller == string(tenancy.Contributor) {
					want = as.contributor
				}
				switch {
				case a.Status != creators[i]:
					t.Errorf("create %s as %q: %s, want %d", p.resource, caller, a, creators[i])
				case a.Status == 201 && (a.Text("status") != want || a.Text("author") != strconv.Itoa(userOf(caller))):
					t.Errorf("create %s as %q asking %q: %s of %s, want %s", p.resource, caller, asked, a.Text("status"), a.Text("author"), want)
				}
			}
			body := with(kit.Valid(p.resource), "author", userOf("editor"), "description", "given away by "+caller)
			want := [7]int{401, 403, 403, 403, 201, 201, 403}[i]
			if a := k.Post(p.path, k.As("demo", caller), body); a.Status != want {
				t.Errorf("create %s for another as %q: %s, want %d", p.resource, caller, a, want)
			}
		}
	}
}

// TestRolesOnTerms makes, changes and removes terms, and names new ones in an
// event.
func TestRolesOnTerms(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for path, want := range map[string]statuses{"/categories": categorisers, "/tags": taggers} {
		for i, caller := range kit.Callers() {
			as := k.As("demo", caller)
			k.Get(path, as).Want(t, 200, "")
			made := k.Post(path, as, map[string]any{"name": "of " + caller + "x"})
			if made.Status != want[i] && (want[i] != 200 || made.Status != 201) {
				t.Errorf("create %s as %q: %s", path, caller, made)
			}
			other := k.Post(path, "administrator", map[string]any{"name": "for " + caller + "x"}).Want(t, 201, "")
			item := path + "/" + strconv.FormatInt(other.ID(), 10)
			for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
				k.Get(item, as).Want(t, 200, "")
				req := kit.Request{Method: method, Path: item, As: as}
				if method != "DELETE" {
					req.JSON = map[string]any{"description": method}
				}
				if a := k.Send(req); a.Status != want[i] || a.Status > 400 && a.Code() != "rest_forbidden" {
					t.Errorf("%s %s as %q: %s, want %d", method, item, caller, a, want[i])
				}
			}
		}
	}
	for i, caller := range kit.Callers() {
		for argument, want := range map[string]statuses{"categories": {401, 403, 400, 201, 201, 201, 403}, "tags": {401, 403, 400, 400, 201, 201, 403}} {
			name := "new of " + caller
			a := k.Post("/events", k.As("demo", caller), with(kit.Valid("event"), argument, []string{name}))
			if a.Status != want[i] || a.Status == 400 && a.Params()[argument] == nil {
				t.Errorf("name %s as %q: %s, want %d", argument, caller, a, want[i])
			}
		}
	}
}

// TestRolesInLists counts what each caller sees of everybody's items.
func TestRolesInLists(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for _, p := range posts {
		for _, owner := range tenancy.Roles() {
			for _, status := range []string{"publish", "draft", "pending", "private", "future"} {
				body := with(kit.Valid(p.resource), "status", status, "author", userOf(string(owner)), "description", string(owner)+status)
				if status == "future" {
					body["date"] = "+1 year"
				}
				k.Post(p.path, "administrator", body).Want(t, 201, "")
			}
		}
		base := p.path + "?per_page=50"
		if p.resource == "event" {
			base += "&start_date=2029-01-01&end_date=2031-01-01"
		}
		for i, caller := range kit.Callers() {
			as := k.As("demo", caller)
			for query, want := range map[string][7]int{"": {5, 5, 9, 9, 25, 25, 25}, "&status=draft": {-1, -1, 1, 1, 5, 5, 5},
				"&status=private": {-1, -1, 1, 1, 5, 5, 5}, "&status=publish": {5, 5, 5, 5, 5, 5, 5},
				"&status=draft,publish": {-1, -1, 6, 6, 10, 10, 10}} {
				a := k.Get(base+query, as)
				if want[i] < 0 {
					if a.Want(t, 400, "rest_invalid_param"); a.Params()["status"] == nil {
						t.Errorf("%s%s as %q: %s", p.path, query, caller, a)
					}
					continue
				}
				if a.Text("total") != strconv.Itoa(want[i]) {
					t.Errorf("%s%s as %q: %s items, want %d", p.path, query, caller, a.Text("total"), want[i])
				}
			}
		}
	}
}

// TestRolesOnLinked shows unpublished venues and organizers of a public event
// only to those who may read them.
func TestRolesOnLinked(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for _, status := range []string{"draft", "pending", "private", "future", "trash"} {
		venue := with(kit.Valid("venue"), "status", "draft", "description", status, "venue", "Hidden hall")
		organizer := with(kit.Valid("organizer"), "status", "draft", "description", status, "organizer", "Hidden club")
		v, o := k.Post("/venues", "administrator", venue).Want(t, 201, ""), k.Post("/organizers", "administrator", organizer).Want(t, 201, "")
		id := k.Event(map[string]any{"venue": v.ID(), "organizer": o.ID()})
		for path, item := range map[string]kit.Answer{"/venues/": v, "/organizers/": o} {
			change := map[string]any{"status": status}
			if status == "future" {
				change["date"] = "+1 year"
			}
			k.Patch(path+strconv.FormatInt(item.ID(), 10), "administrator", change).Want(t, 200, "")
		}
		for i, caller := range kit.Callers() {
			for _, path := range []string{"/events/" + strconv.FormatInt(id, 10), "/events?start_date=2029-01-01&end_date=2031-01-01"} {
				a := k.Get(path, k.As("demo", caller)).Want(t, 200, "")
				shown := strings.Contains(string(a.Raw), "Hidden")
				if may := readOthers[i] == 200; shown != may && status != "trash" {
					t.Errorf("%s venue in %s as %q: shown %v", status, path, caller, shown)
				} else if shown && !may {
					t.Errorf("%s venue in %s as %q: shown", status, path, caller)
				}
			}
		}
		k.Del("/events/"+strconv.FormatInt(id, 10)+"?force=true", "administrator").Want(t, 200, "")
	}
}

// TestContributorInline makes a venue and an organizer within an event: pending,
// and only the contributor's own business until somebody publishes them.
func TestContributorInline(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	a := k.Post("/events", "contributor", with(kit.Valid("event"), "venue", map[string]any{"venue": "Cellar", "status": "private"},
		"organizer", map[string]any{"organizer": "Band"})).Want(t, 201, "")
	if a.Text("status") != "draft" || a.Text("venue", "status") != "pending" {
		t.Errorf("made: %s", a)
	}
	k.Get("/venues/"+a.Text("venue", "id"), "").Want(t, 403, "venue-not-accessible")
	k.Get("/venues/"+a.Text("venue", "id"), "contributor").Want(t, 200, "")
	k.Get("/venues/"+a.Text("venue", "id"), "author").Want(t, 403, "venue-not-accessible")
}
