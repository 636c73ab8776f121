package storage

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// reached finds the tables a statement reaches and what it calls them.
var reached = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+(` + strings.Join(append(siteTables, "places", "event_places"), "|") + `)\b(?:\s+([a-z_]+)\b)?`)

// unnamed returns the tables of sites that a statement reaches without naming
// their site_id.
func unnamed(sql string) (tables []string) {
	for _, m := range reached.FindAllStringSubmatch(sql, -1) {
		column := m[2] + ".site_id"
		switch strings.ToUpper(m[2]) {
		case "", "WHERE", "SET", "ON", "VALUES", "ORDER", "LIMIT", "GROUP":
			column = "site_id"
		}
		if !strings.Contains(sql, column) {
			tables = append(tables, strings.TrimSpace(m[0]))
		}
	}
	return tables
}

// TestEveryStatementNamesTheSite reads the package's own sources: whatever
// reaches a table of sites names site_id of it.
func TestEveryStatementNamesTheSite(t *testing.T) {
	t.Parallel()
	found := 0
	eachStatement(t, func(file, _, sql string) {
		found += len(reached.FindAllString(sql, -1))
		for _, table := range unnamed(sql) {
			t.Errorf("%s: %q without its site_id in %s", file, table, sql)
		}
	})
	if found < 100 {
		t.Errorf("only %d tables reached: are the statements still found?", found)
	}
}

// eachStatement gives do every text of the package that may be a statement, with
// the name of its constant, or of its function when it is put together there.
func eachStatement(t *testing.T, do func(file, name, sql string)) {
	t.Helper()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			statements(decl, func(name, sql string) { do(file.Name(), name, sql) })
		}
	}
}

// statements gives do the text of each constant; what is left of a function is
// one text, for statements put together there.
func statements(decl ast.Decl, do func(name, sql string)) {
	rest, name := "", ""
	if f, ok := decl.(*ast.FuncDecl); ok {
		name = f.Name.Name
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			text := ""
			for _, value := range n.Values {
				text += literals(value)
			}
			do(n.Names[0].Name, text)
			return false
		case *ast.BasicLit:
			rest += literals(n)
		}
		return true
	})
	do(name, rest)
}

func literals(n ast.Node) (text string) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				s, _ := strconv.Unquote(n.Value)
				text += s
			}
		case *ast.Ident:
			if n.Name == "withPlans" {
				text += withPlans
			}
		}
		return true
	})
	return text
}

// crossing are the statements that ask more than one site, on purpose, and why
// they are cheap. On a cluster of databases each asks every worker.
var crossing = map[string]string{
	"schedule.go sitesDue":   "by due_at, which has an index: what is due now, of 100 sites at most, once a node and turn",
	"version.go first":       "whether there is any site, when an installation starts for the first time",
	"version.go query":       "the sites one node serves, by primary key, three times a second",
	"site.go bySlug":         "one site by a unique key; the resolver remembers it",
	"site_write.go lookUp":   "one site by a unique key, when the provider changes it",
	"site.go found":          "the provider's list of sites, for people",
	"site.go byHost":         "one site by the key of domains; the resolver remembers it",
	"plan.go raise":          "the sites of a plan by an index, when the provider changes it",
	"plan.go planColumns":    "the sites of a plan counted by an index, for the provider",
	"history_purge.go sites": "the ids of all sites, once a run; each is then a transaction of its own",
	"domain.go owner":        "one site by the key of domains, when somebody proves a domain",
	"site_purge.go due":      "by purge_at: the next deleted site whose days are over, once a minute",
	"stats.go siteStates":    "sites by state, counted when Prometheus asks",
	"stats.go longestDue":    "by due_at, which has an index: the first of what is due, when Prometheus asks",
	"lobby.go desk":          "the first site by primary key, when somebody signs in to several sites",
	"lobby.go everywhere":    "the ids and slugs of all sites, when somebody signs in to several; one at a time on a node, and throttled",
	"archive.go list":        "the sites of a backup, once for all of it",
}

// platformTables belong to the platform and say which site they are about.
var platformTables = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|UPDATE|DELETE FROM|USING)\s+(sites|schedule|domains)\b`)

// oneSite is what keeps a statement over those to one site.
var oneSite = regexp.MustCompile(`\b(?:site_id|id|s\.id|d\.site_id) = (?:\$\d|@site)`)

// TestStatementsOverAllSites lists the statements that cross sites.
func TestStatementsOverAllSites(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	eachStatement(t, func(file, name, sql string) {
		if !platformTables.MatchString(sql) || oneSite.MatchString(sql) {
			return
		}
		switch name = file + " " + name; name {
		case "site.go withPlans", "site.go siteColumns": // parts of others
			return
		}
		if crossing[name] == "" {
			t.Errorf("%s asks all sites: %s", name, sql)
		}
		seen[name] = true
	})
	for name := range crossing {
		if !seen[name] {
			t.Errorf("%s crosses no sites any more", name)
		}
	}
}

func TestListsNameTheSite(t *testing.T) {
	t.Parallel()
	n := &meanings{of: map[string]*meaning{}}
	for _, word := range []string{"venue 7", "venue 30", "organizer 7"} {
		n.of[word] = &meaning{}
	}
	for name, q := range variants() {
		for _, lean := range []bool{false, true} {
			if tables := unnamed(newEventQuery(1, q, n).statement(lean)); len(tables) > 0 {
				t.Errorf("%s: %q", name, tables)
			}
		}
	}
	for _, wrong := range []string{"SELECT 1 FROM events", "SELECT 1 FROM events e JOIN venues v ON v.site_id = 1", "UPDATE events SET x = 1"} {
		if len(unnamed(wrong)) == 0 {
			t.Errorf("%s passes", wrong)
		}
	}
}
