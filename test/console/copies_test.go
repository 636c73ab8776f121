package console

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

var copyNumber = regexp.MustCompile(`name="copy" value="(\d+)"`)

// shownTime is a moment as a page shows it.
var shownTime = regexp.MustCompile(`<time [^>]*>[^<]+</time>`)

// A copy of a site is made, listed and downloaded, and the site goes back to it, after what happens was said.
func TestConsoleCopies(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Console()
	const path = "/admin/provider/sites/demo/copies"
	if p := b.Get("/admin/provider/sites/demo"); !p.Shows(path) {
		t.Error("the page of the site doesn't lead to its copies")
	}
	if p := b.Get(path); !p.Shows("There are no copies yet.") {
		t.Error("an empty list doesn't say so")
	}
	k.Event(map[string]any{"title": "Concert"})
	sends(b, path, url.Values{"do": {"copy"}}, 303)
	if p := b.Get(path); !p.Shows("In progress") || p.Header.Get("Refresh") == "" && !p.Shows(`http-equiv="refresh"`) {
		t.Error("the copy isn't under way")
	}
	sends(b, path, url.Values{"do": {"copy"}}, 303) // its answer may have been lost
	sends(b, path, url.Values{"do": {"archive"}, "sure": {"1"}}, 409)
	k.Provider("PATCH", "/sites/demo", map[string]any{"state": "active"}).Want(t, 200, "")
	k.Work()
	p := b.Get(path)
	number := copyNumber.FindStringSubmatch(p.Body)
	if number == nil || !p.Shows("Kept until") || !p.Shows("Go back to this copy") {
		t.Fatal("the copy isn't listed")
	}
	file := b.Get("/admin/provider/copies/" + number[1])
	if file.Status != 200 || !strings.HasPrefix(file.Body, "PK") || !strings.Contains(file.Header.Get("Content-Disposition"), ".kalends.zip") {
		t.Errorf("%d, %v", file.Status, file.Header)
	}
	k.Event(map[string]any{"title": "Spam"})
	events := func() string { return k.Peek("demo", "SELECT string_agg(title, ' ' ORDER BY id) FROM events") }
	if p := sends(b, path, url.Values{"do": {"back"}, "copy": {number[1]}}, 200); !p.Shows("becomes again what it was") || events() != "Concert Spam" {
		t.Error("nobody is asked")
	}
	sends(b, path, url.Values{"do": {"back"}, "copy": {number[1]}, "sure": {"1"}}, 303)
	k.Work()
	if got := events(); got != "Concert" {
		t.Errorf("%q", got)
	}
	if p := b.Get(path); strings.Count(p.Body, "Go back to this copy") != 2 || !p.Shows("Made before going back") {
		t.Error("what was there before isn't a copy")
	}
	sends(b, path, url.Values{"do": {"drop"}, "copy": {number[1]}}, 303)
	if p := b.Get("/admin/provider/copies/" + number[1]); p.Status != 404 {
		t.Errorf("a copy that was deleted: %d", p.Status)
	}
	sends(b, path, url.Values{"do": {"back"}, "copy": {number[1]}, "sure": {"1"}}, 404)
	sends(b, path, url.Values{"do": {"back"}, "copy": {"x"}, "sure": {"1"}}, 400)
	sends(b, path, url.Values{"do": {"explode"}}, 400)
}

// A site that is archived is closed, and its copy is kept for a year. Another site can neither see nor use it.
func TestConsoleArchives(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Console()
	k.Site("two")
	const path = "/admin/provider/sites/demo/copies"
	b.Get(path)
	if p := sends(b, path, url.Values{"do": {"archive"}}, 200); !p.Shows("kept for 365 days") {
		t.Error("nobody is asked")
	}
	k.Provider("GET", "/sites/demo", nil).Has(t, "state", "active")
	sends(b, path, url.Values{"do": {"archive"}, "sure": {"1"}}, 303)
	k.Work()
	k.Provider("GET", "/sites/demo", nil).Has(t, "state", "closed")
	if days := k.Peek("demo", "SELECT extract(day FROM purge_at - finished_at)::text FROM jobs"); days != "365" {
		t.Errorf("kept for %s days", days)
	}
	number := copyNumber.FindStringSubmatch(b.Get(path).Body)
	if number == nil {
		t.Fatal("no copy")
	}
	const other = "/admin/provider/sites/two/copies"
	if p := b.Get(other); p.Shows(`name="copy" value="` + number[1]) {
		t.Error("another site lists it")
	}
	for _, do := range []string{"back", "drop"} {
		sends(b, other, url.Values{"do": {do}, "copy": {number[1]}, "sure": {"1"}}, 404)
	}
}
