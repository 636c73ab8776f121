package console

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Several sites get a plan after what becomes of each was shown. Nothing changes before that.
func TestConsoleGivesManyAPlan(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Console()
	k.Plan("small", map[string]any{"limits": map[string]any{"users": 1}}).Want(t, 201, "")
	for i := range 3 {
		k.Provider("POST", "/sites", map[string]any{"slug": fmt.Sprintf("town-%d", i), "name": fmt.Sprintf("Town %d", i)}).Want(t, 201, "")
	}
	k.Provider("PATCH", "/sites/town-2", map[string]any{"plan": "small"}).Want(t, 200, "")
	if p := b.Get("/admin/provider?search=t"); !p.Shows(`name="id" value="town-1"`) || !p.Shows(`<option value="plan.small">`) {
		t.Fatalf("the page is another")
	}
	const path = "/admin/provider/change"
	plans := func(want string) {
		t.Helper()
		if got := k.Across("SELECT string_agg(plan, ' ' ORDER BY slug) FROM sites"); got != want {
			t.Fatalf("plans %s, want %s", got, want)
		}
	}
	form := func(do string) url.Values {
		return url.Values{"id": {"demo", "town-0", "town-0", "town-2", "nothing"}, "set": {"plan.small"}, "do": {do}}
	}
	p := sends(b, path, form("look"), 200)
	for _, text := range []string{"Change 2 sites", "<del><bdi>unlimited</bdi></del>", "<ins><bdi>small</bdi></ins>", "Stays the same", "More than this plan allows – Users:"} {
		if !p.Shows(text) {
			t.Errorf("no %q", text)
		}
	}
	if strings.Count(p.Body, `name="id"`) != 3 || p.Shows("town-1") {
		t.Errorf("the page is another")
	}
	plans("unlimited unlimited unlimited small")
	if p := sends(b, path, form("change"), 200); strings.Count(p.Body, ">Changed</p>") != 2 || p.Shows(`name="set"`) {
		t.Errorf("the page is another")
	}
	plans("small small unlimited small")
	if p := sends(b, path, form("change"), 200); strings.Count(p.Body, "Stays the same") != 3 || p.Shows(`value="change"`) { // its answer may have been lost
		t.Errorf("another page once more")
	}
	if p := b.Get("/admin/provider/audit?kind=site&action=update"); !p.Shows("town-0") {
		t.Errorf("the page is another")
	}
}

// All sites that the list finds change together, beyond the page of the list, and no others.
func TestConsoleChangesAllThatAreFound(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Console()
	for i := range 53 {
		k.Provider("POST", "/sites", map[string]any{"slug": fmt.Sprintf("town-%d", i), "name": "Town"}).Want(t, 201, "")
	}
	k.Provider("DELETE", "/sites/town-7?grace=30", nil).Want(t, 200, "")
	if p := b.Get("/admin/provider?search=town"); !p.Shows("All entries on all pages (53)") {
		t.Errorf("the page is another")
	}
	form := url.Values{"all": {"1"}, "to": {"/admin/provider?search=town"}, "set": {"suspend"}, "do": {"change"}}
	if p := sends(b, "/admin/provider/change", form, 200); strings.Count(p.Body, ">Changed</p>") != 52 || strings.Count(p.Body, `class="wrong"`) != 1 {
		t.Errorf("the page is another")
	}
	if got := k.Across("SELECT count(*)::text FROM sites WHERE state = 'read_only'"); got != "52" {
		t.Errorf("%s sites are read-only", got)
	}
	k.Provider("GET", "/sites/demo", nil).Has(t, "state", "active")
}

// What is missing in the form is said, and a form with no sites leads back to the list.
func TestConsoleChangeOfMany(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Console()
	const path = "/admin/provider/change"
	for _, wrong := range []string{"", "explode", "plan.none", "plan."} {
		if p := sends(b, path, url.Values{"id": {"demo"}, "set": {wrong}, "do": {"change"}}, 422); !p.Shows(`href="#f-set"`) || p.Shows(`value="change"`) {
			t.Errorf("%q is not refused", wrong)
		}
	}
	for to, want := range map[string]string{"/admin/provider?state=active": "/admin/provider?state=active", "https://example.org/admin/provider": "/admin/provider",
		"/admin/provider/plans": "/admin/provider", "": "/admin/provider"} {
		if p := sends(b, path, url.Values{"to": {to}, "set": {"close"}, "do": {"change"}}, 303); p.Header.Get("Location") != want {
			t.Errorf("%q leads to %q", to, p.Header.Get("Location"))
		}
	}
	if p := b.Get("/admin/provider"); !p.Shows("Nothing was selected") {
		t.Errorf("the page is another")
	}
	k.Provider("GET", "/sites/demo", nil).Has(t, "state", "active")
}
