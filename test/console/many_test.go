package console

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// A list creates nothing before it was checked and confirmed, and nothing while a line of it has a problem.
func TestConsoleCreatesSitesFromAList(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Console()
	const path = "/admin/provider/many"
	if p := b.Get(path); !p.Shows("Create several sites") || p.Shows(`id="f-token"`) {
		t.Errorf("%s", p.Body)
	}
	form := func(do, list string) url.Values {
		return url.Values{"list": {list}, "timezone": {"Europe/Berlin"}, "language": {"de"}, "plan": {"unlimited"}, "do": {do}, "token": {kit.ProviderToken}}
	}
	count := func(want string) {
		t.Helper()
		if n := k.Across("SELECT count(*)::text FROM sites WHERE slug <> 'demo'"); n != want {
			t.Fatalf("%s sites, want %s", n, want)
		}
	}
	const list = "Müllers Hof; ; ada@example.org\r\n\r\n\"Harbour; North\"\tharbour\tlin@example.org\nClub, club\nمركز؛ center؛ omar@example.org"
	p := sends(b, path, form("check", list), 200)
	for _, text := range []string{"Create 4 sites", "muellers-hof", "ada@example.org", "Harbour; North", "harbour", "lin@example.org", "club", "center", "omar@example.org",
		`id="f-token"`, "Will be created"} {
		if !p.Shows(text) {
			t.Errorf("the list was read without %q: %s", text, p.Body)
		}
	}
	count("0")

	for bad, says := range map[string]string{
		"":                               "Sites, one on each line",
		"Club; A B":                      "Club",
		"Club; demo":                     "Another site already uses this slug.",
		"Club; club; no@address@at":      "Club",
		"Club; club\nOther; club":        "Another site already uses this slug.",
		"; slug-only":                    "slug-only",
		strings.Repeat("Club\n", 201):    "At most 200 sites at a time.",
		"Fine\n" + kit.Letters(1001):     "Fine",
		"Fine\nClub; club; @example.org": "@example.org",
	} {
		if p := sends(b, path, form("create", bad), 422); !p.Shows(says) {
			t.Errorf("%.40q is refused without %q: %s", bad, says, p.Body)
		}
	}
	wrong := form("create", list)
	wrong.Set("token", "kalp_not_it")
	if p := sends(b, path, wrong, 422); !p.Shows(`href="#f-token"`) || !p.Shows("Create 4 sites") {
		t.Errorf("%s", p.Body)
	}
	wrong = form("create", list)
	wrong.Set("plan", "none")
	if p := sends(b, path, wrong, 422); !p.Shows(`href="#f-plan"`) {
		t.Errorf("%s", p.Body)
	}
	count("0")

	p = sends(b, path, form("create", list), 200)
	if links := strings.Count(p.Body, "/admin/welcome?code="); links != 3 || strings.Count(p.Body, "<p>Created</p>") != 4 {
		t.Errorf("%d invitations: %s", links, p.Body)
	}
	count("4")
	k.Provider("GET", "/sites/muellers-hof", nil).Has(t, "timezone", "Europe/Berlin", "language", "de", "usage.users", 1)
	k.Provider("GET", "/sites/club", nil).Has(t, "name", "Club", "usage.users", 0)
	if p = sends(b, path, form("create", list), 200); strings.Count(p.Body, "Already exists") != 4 || p.Shows("Create 0") { // its answer may have been lost
		t.Errorf("once more: %s", p.Body)
	}
	count("4")
	if p = sends(b, path, form("create", list+"\nFifth"), 200); strings.Count(p.Body, "Already exists") != 4 || strings.Count(p.Body, "<p>Created</p>") != 1 {
		t.Errorf("one more: %s", p.Body)
	}
	count("5")
}

// As many sites as a list may name are created at once.
func TestConsoleCreatesManySites(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	var list strings.Builder
	for i := range 200 {
		fmt.Fprintf(&list, "Town %d\ttown-%d\tada%d@example.org\n", i, i, i)
	}
	p := sends(k.Console(), "/admin/provider/many", url.Values{"list": {list.String()}, "timezone": {"UTC"}, "language": {"en"}, "plan": {"unlimited"}, "do": {"create"},
		"token": {kit.ProviderToken}}, 200)
	if n := strings.Count(p.Body, "<p>Created</p>"); n != 200 {
		t.Errorf("%d sites are created", n)
	}
}
