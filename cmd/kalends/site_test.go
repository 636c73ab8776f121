package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy/platform"
)

func TestSiteCommands(t *testing.T) {
	t.Parallel()
	s := newTerminal(t, storagetest.Database(t))
	var made, shown map[string]any
	var list []map[string]any
	s.must(&made, "site", "create", "club", "--name=The Club", "--timezone=europe/berlin", "--language=de", "--domain=club.example.org")
	if made["slug"] != "club" || made["timezone"] != "Europe/Berlin" || made["language"] != "de" {
		t.Errorf("made %v", made)
	}
	s.must(&shown, "site", "show", "club")
	if shown["name"] != "The Club" || shown["id"] != made["id"] {
		t.Errorf("shown %v", shown)
	}
	s.must(&made, "site", "create", "other", "--name=Other")
	s.must(&list, "site", "list")
	if len(list) != 2 {
		t.Errorf("list %v", list)
	}
	s.fails("<slug>: ", "site", "create", "club", "--name=Again")
	s.fails("<slug>: ", "site", "create", "No Slug", "--name=X")
	s.fails("--domain: ", "site", "create", "third", "--name=X", "--domain=club.example.org")
	s.fails("timezone", "site", "create", "third", "--name=X", "--timezone=Mars/Olympus")
	s.fails("--language: ", "site", "create", "third", "--name=X", "--language=deutsch")
	s.fails("--name", "site", "create", "third")
	s.fails("--name: ", "site", "create", "third", "--name=")
	s.fails("--name: ", "site", "create", "third", "--name="+strings.Repeat("x", 1001))
	s.fails("site", "site", "show", "nobody")
	s.fails("--yes", "site", "delete", "club")
	for _, c := range [][2]string{{"suspend", "read_only"}, {"close", "closed"}, {"resume", "active"}} {
		if s.must(&shown, "site", c[0], "club"); shown["state"] != c[1] {
			t.Errorf("%s: %v", c[0], shown)
		}
	}
	if s.must(&shown, "site", "delete", "club", "--yes"); shown["state"] != "deleted" {
		t.Errorf("deleted: %v", shown)
	}
	s.fails("state: ", "site", "resume", "club")
	if s.must(&shown, "site", "undelete", "club"); shown["state"] != "active" {
		t.Errorf("undeleted: %v", shown)
	}
	s.fails("--grace: ", "site", "delete", "club", "--yes", "--grace=366")
	s.must(&shown, "site", "delete", "club", "--yes", "--grace=0")
	s.fails("site", "site", "show", "club")
	s.must(&list, "site", "list")
	if len(list) != 1 {
		t.Errorf("list after delete %v", list)
	}
}

// TestSiteUpdate changes sites by the rules of the interface, and lists them by its
// filters.
func TestSiteUpdate(t *testing.T) {
	t.Parallel()
	database := storagetest.Database(t)
	s := newTerminal(t, database)
	var shown map[string]any
	s.must(&shown, "site", "create", "club", "--name=Club", "--domain=club.example.org")
	s.must(&shown, "site", "create", "town", "--name=Town")
	s.must(&shown, "site", "update", "club", "--new-slug=verein", "--name=Der Verein", "--timezone=europe/berlin", "--language=de",
		"--domain=b.example.org", "--domain=a.example.org", "--limit=events=100;users=none", "--no-geo", "--per-page=20", "--currency-code=EUR",
		"--currency-symbol=€", "--currency-position=postfix")
	for name, want := range map[string]string{"slug": "verein", "name": "Der Verein", "timezone": "Europe/Berlin", "language": "de",
		"domains": "[a.example.org b.example.org]", "plan": "map[geo:false name:unlimited]", "state": "active"} {
		if got := fmt.Sprint(shown[name]); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	limits, _ := shown["limits"].(map[string]any)
	if limits["events"] != 100.0 || limits["users"] != nil || limits["geo"] != nil {
		t.Errorf("limits %v", limits)
	}
	before := shown["version"]
	if s.must(&shown, "site", "update", "verein", "--no-domains", "--plan-limits"); fmt.Sprint(shown["domains"]) != "[]" || shown["name"] != "Der Verein" {
		t.Errorf("the rest changed: %v", shown)
	}
	if limits, _ := shown["limits"].(map[string]any); limits["events"] != nil || shown["version"] == before {
		t.Errorf("limits %v at %v", limits, shown["version"])
	}
	s.fails("nothing to change", "site", "update", "verein")
	s.fails("--new-slug: ", "site", "update", "verein", "--new-slug=town")
	s.fails("--name: ", "site", "update", "verein", "--name=")
	s.fails("timezone", "site", "update", "verein", "--timezone=Mars/Olympus")
	s.fails("--plan: ", "site", "update", "verein", "--plan=none")
	s.fails("--limit: ", "site", "update", "verein", "--limit=events=many")
	s.fails("--per-page: ", "site", "update", "verein", "--per-page=0")
	s.fails("no such site", "site", "update", "club", "--name=X")
	s.must(&shown, "site", "suspend", "town")
	for _, c := range []struct {
		filter []string
		want   string
	}{
		{nil, "[town verein]"},
		{[]string{"--search=VEREIN"}, "[verein]"},
		{[]string{"--state=read_only"}, "[town]"},
		{[]string{"--plan=unlimited", "--search=t"}, "[town]"},
		{[]string{"--plan=other"}, "[]"},
		{[]string{"--page=2", "--per-page=1"}, "[verein]"},
		{[]string{"--page=3", "--per-page=1"}, "[]"},
		{[]string{"--per-page=1"}, "[town verein]"},
	} {
		var list []map[string]any
		s.must(&list, append([]string{"site", "list"}, c.filter...)...)
		slugs := []string{}
		for _, site := range list {
			slugs = append(slugs, fmt.Sprint(site["slug"]))
		}
		if got := fmt.Sprint(slugs); got != c.want {
			t.Errorf("list %v: %s, want %s", c.filter, got, c.want)
		}
	}
	s.fails("--state: ", "site", "list", "--state=asleep")
	s.fails("--page: ", "site", "list", "--page=-1")
}

func TestManySites(t *testing.T) {
	t.Parallel()
	s := newTerminal(t, storagetest.Database(t))
	ctx := provider(t.Context())
	p := &program{ctx: ctx, getenv: s.getenv, out: os.Stderr, errs: os.Stderr,
		config: &Config{DatabaseURL: s.env["DATABASE_URL"], DataDir: s.env["KALENDS_DATA_DIR"], PlatformDomain: "localhost", Connections: 2}}
	in, err := p.open(ctx, true)
	if err != nil {
		t.Fatal(err)
	}
	defer in.close()
	zone, err := args.ParseZone("UTC")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 101 {
		_, err := in.platform.Sites.Create(ctx, &platform.SiteFields{Slug: args.Some(fmt.Sprintf("site-%d", i)),
			ProfileFields: platform.ProfileFields{Name: args.Some("S"), Timezone: args.Some(zone), Language: args.Some("en")}})
		if err != nil {
			t.Fatal(err)
		}
	}
	var list []map[string]any
	s.must(&list, "site", "list")
	if len(list) != 101 {
		t.Errorf("%d sites, want 101", len(list))
	}
}
