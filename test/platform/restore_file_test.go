package platform

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/test/kit"
)

// sent sends an archive to be restored into a site.
func sent(v *kit.Vault, site string, data []byte, more ...func(*http.Request)) kit.Answer {
	v.T.Helper()
	return v.ProviderRequest("POST", "/sites/"+site+"/restore", append([]func(*http.Request){kit.Sending(data)}, more...)...)
}

// A site becomes what an archive of it holds. What was there is a copy, of which nothing else is left behind.
func TestRestoreFile(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	paths := fill(v, "demo")
	before := contents(v, "demo", paths)
	data := v.Export("demo")
	spoil(v, paths)
	spoiled, version := contents(v, "demo", lists), asKept(v, "demo").Version
	changes := v.Peek("demo", "SELECT count(*)::text FROM changes")
	id := sent(v, "demo", data).Want(t, 202, "").Started(t)
	sent(v, "demo", data).Want(t, 409, "restore_under_way")
	ends(v.Kit, id, "done", "")
	if diff := cmp.Diff(before, contents(v, "demo", paths)); diff != "" {
		t.Errorf("answers differ:\n%s", diff)
	}
	if now := asKept(v, "demo").Version; now <= version {
		t.Errorf("version %d after %d", now, version)
	}
	if got := v.Peek("demo", "SELECT (count(*) - 1)::text FROM changes"); got != changes {
		t.Errorf("%s entries in the history, before %s", got, changes)
	}
	if n := shelved(v); n != 1 {
		t.Errorf("%d files are left, not just the copy", n)
	}
	goesForward(v, id, spoiled)
}

// A node that is killed in the middle leaves the site as it is; another one does it once.
func TestRestoreFileKilled(t *testing.T) {
	t.Parallel()
	survivesANode(kit.NewVault(t), func(v *kit.Vault) func() int64 {
		data := v.Export("demo")
		return func() int64 { return sent(v, "demo", data).Started(t) }
	})
}

// A site is restored even if somebody writes to it all the time. The copy has all that was written.
func TestRestoreFileOfABusySite(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	paths := fill(v, "demo")
	before := contents(v, "demo", paths)
	data := v.Export("demo")
	spoil(v, paths)
	spoiled := contents(v, "demo", lists)
	id := sent(v, "demo", data).Want(t, 202, "").Started(t)
	write := fmt.Sprintf(`
		UPDATE sites
		SET version = version + 1
		WHERE id = %[1]d
		  AND id = (SELECT id FROM sites WHERE id = %[1]d FOR UPDATE SKIP LOCKED)`, v.Sites["demo"].ID) // whoever waits writes later
	copies := 0
	v.Node(&kit.Hooks{OnKeep: func() {
		copies++
		_, err := v.Owner().Exec(v.Ctx, write)
		v.Must(err)
	}}).Work()
	ends(v.Kit, id, "done", "")
	if diff := cmp.Diff(before, contents(v, "demo", paths)); diff != "" {
		t.Errorf("answers differ:\n%s", diff)
	}
	if n := shelved(v); n != 1 || copies < 2 {
		t.Errorf("%d files are left, not just the copy, of which %d were made", n, copies)
	}
	goesForward(v, id, spoiled)
}

// The archive of another site moves it here. Address, domains, plan and history stay. Nobody gets the app of somebody else
// who had the same id.
func TestRestoreFileOfAnotherSite(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	v.Site("two")
	fill(v, "two")
	v.Event(map[string]any{"title": "Replaced"})
	v.Plan("small", map[string]any{"limits": map[string]any{"events": 1}}).Want(t, 201, "")
	v.Provider("PATCH", "/sites/demo", map[string]any{"plan": "small", "domains": []string{"club.example.org"}}).Want(t, 200, "")
	v.Provider("PATCH", "/sites/two", map[string]any{"domains": []string{"two.example.org"}}).Want(t, 200, "")
	v.Peek("demo", `WITH a AS (INSERT INTO second_factors (site_id, user_id, secret, last_step, codes, created_at)
		SELECT site_id, id, 'x', 0, '{}', now() FROM users RETURNING 1) SELECT count(*)::text FROM a`)
	data := v.Export("two")
	ends(v.Kit, sent(v, "demo", data).Started(t), "done", "")
	for _, look := range []string{"SELECT string_agg(title, ' ' ORDER BY id) FROM events", "SELECT string_agg(email, ' ' ORDER BY id) FROM users",
		"SELECT uid::text FROM sites"} {
		if want, got := v.Peek("two", look), v.Peek("demo", look); got != want {
			t.Errorf("%s: %s, want %s", look, got, want)
		}
	}
	v.Provider("GET", "/sites/demo", nil).Want(t, 200, "").Has(t, "slug", "demo", "plan.name", "small", "limits.events", 1)
	if got := v.Peek("demo", "SELECT string_agg(domain, ' ') FROM domains WHERE site_id = site_of('demo')"); got != "club.example.org" {
		t.Errorf("domains %s", got)
	}
	if got := v.Peek("demo", "SELECT count(*)::text FROM second_factors"); got != "0" {
		t.Errorf("%s apps of other people", got)
	}
}

// The history of a site that was replaced by another one is not taken for that of what has its ids now.
func TestRestoreFileOfAnotherSiteKeepsHistoriesApart(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	v.Site("two")
	theirs := v.Send(kit.Request{Method: "POST", Path: "/events", Site: "two", As: "editor", JSON: kit.NewEvent("Theirs")}).Want(t, 201, "").ID()
	ours := v.Post("/events", "editor", kit.NewEvent("Ours")).Want(t, 201, "").ID()
	if ours != theirs {
		t.Fatalf("ids %d and %d", ours, theirs)
	}
	v.Patch(kit.Item("events", ours), "editor", map[string]any{"title": "Ours, changed"}).Want(t, 200, "")
	v.Del(kit.Item("events", ours)+"?force=true", "editor").Want(t, 200, "")
	ends(v.Kit, sent(v, "demo", v.Export("two")).Started(t), "done", "")
	for role := range v.Secrets { // users came with the archive
		if name, ok := strings.CutPrefix(role, "two/"); ok {
			v.Secrets["demo/"+name] = v.Secrets[role]
		}
	}
	v.Get(kit.Item("events", ours), "").Want(t, 200, "").Has(t, "title", "Theirs")
	editor, admin := v.Person("editor"), v.Person("administrator")
	if p := editor.Get(fmt.Sprintf("/admin/events/%d/revisions", ours)); p.Status != 200 || p.Shows("Ours") {
		t.Errorf("revisions of another event: %d %.2000s", p.Status, p.Body)
	}
	if p := editor.Get("/admin/audit?kind=event"); p.Status != 200 || strings.Contains(p.Body, `<li id="e-`) {
		t.Errorf("deeds of another editor: %d %.2000s", p.Status, p.Body)
	}
	p := admin.Get("/admin/audit?kind=event")
	if n := strings.Count(p.Body, `<li id="e-`); n != 3 || p.Shows("Theirs") || p.Shows("Undo") {
		t.Errorf("%d entries of what was: %.4000s", n, p.Body)
	}
	entries := v.Provider("GET", "/sites/demo/audit?kind=event", nil).Want(t, 200, "")
	entries.Has(t, "entries.#", 3)
	v.Patch(kit.Item("events", ours), "editor", map[string]any{"title": "Theirs, changed"}).Want(t, 200, "")
	if p := editor.Get(fmt.Sprintf("/admin/events/%d/revisions", ours)); !p.Shows("Theirs, changed") || p.Shows("Ours") {
		t.Errorf("revisions: %.2000s", p.Body)
	}
}

// What is no archive, or a broken one, is refused, at once or by the job, and changes nothing. Nobody but the provider has one read.
func TestRestoreFileRefused(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	fill(v, "demo")
	data := v.Export("demo")
	before, version := contents(v, "demo", lists), asKept(v, "demo").Version
	for about, c := range map[string]struct {
		data   []byte
		status int
		code   string
	}{
		"nothing":           {nil, 400, "archive_unknown"},
		"no zip":            {[]byte(strings.Repeat("no zip ", 1000)), 400, "archive_unknown"},
		"cut off":           {data[:len(data)-1000], 400, "archive_unknown"},
		"another zip":       {otherZip(t), 400, "archive_unknown"},
		"too new":           {remanifest(t, data, `"format": 1`, `"format": 2`), 400, "archive_too_new"},
		"a bomb":            {bomb(t), 400, "archive_too_large"},
		"too large to send": {make([]byte, 8<<20+1), 413, "rest_content_too_large"},
	} {
		if a := sent(v, "demo", c.data); a.Status != c.status || a.Code() != c.code {
			t.Errorf("%s: %s, want %d %s", about, a, c.status, c.code)
		}
	}
	ends(v.Kit, sent(v, "demo", harmed(t, data)).Started(t), "failed", "archive_damaged")
	sent(v, "nobody", data).Want(t, 404, "rest_site_not_found")
	sent(v, "demo", data, header("Authorization", "")).Want(t, 401, "rest_forbidden")
	sent(v, "demo", data, header("Content-Type", "text/plain")).Want(t, 400, "rest_bad_request")
	if diff := cmp.Diff(before, contents(v, "demo", lists)); diff != "" || asKept(v, "demo").Version != version {
		t.Errorf("the site has changed:\n%s", diff)
	}
	if n := shelved(v); n != 0 {
		t.Errorf("%d files are left", n)
	}
	if list := v.ProviderRequest("GET", "/jobs?kind=restore").Body["total"]; fmt.Sprint(list) != "1" {
		t.Errorf("%v jobs, only the damaged one was taken in", list)
	}
}
