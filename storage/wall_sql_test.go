package storage

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/storage/storagetest"
)

// TestEveryStatementNamesTheSite reads the sources, for the compiler doesn't know SQL:
// whatever reaches a table of sites names site_id of it.
func TestEveryStatementNamesTheSite(t *testing.T) {
	t.Parallel()
	found := 0
	eachStatement(t, func(file, _, sql string) {
		found += len(storagetest.Reached.FindAllString(sql, -1))
		for _, table := range storagetest.Unnamed(sql) {
			t.Errorf("%s: %q without its site_id in %s", file, table, sql)
		}
	})
	if found < 100 {
		t.Errorf("only %d tables reached: are the statements still found?", found)
	}
}

// eachStatement gives do every text of the store that may be a statement, with
// the name of its constant, or of its function when it is put together there.
func eachStatement(t *testing.T, do func(file, name, sql string)) {
	t.Helper()
	eachDeclaration(t, func(file string, decl ast.Decl) {
		statements(decl, func(name, sql string) { do(file, name, sql) })
	})
}

// eachDeclaration gives do what the sources of the store declare, those of its rooms and the engine
// with them, but not the programs beside it.
func eachDeclaration(t *testing.T, do func(file string, decl ast.Decl)) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	rooms, errRooms := filepath.Glob("*/*.go")
	if err = errors.Join(err, errRooms); err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, rooms...) {
		if room := filepath.Dir(file); strings.HasSuffix(file, "_test.go") || room == "embedded" || room == "storagetest" {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			do(file, decl)
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
			if n.Name == "WithPlans" {
				text += platform.WithPlans
			}
		}
		return true
	})
	return text
}

// platformTables belong to the platform and say which site they are about.
var platformTables = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|UPDATE|DELETE FROM|USING)\s+(sites|gatherings|schedule|domains|user_addresses|webhook_rounds|letter_rounds|attention_rounds)\b`)

// oneSite is what keeps a statement over those to one site.
var oneSite = regexp.MustCompile(`\b(?:site_id|id|s\.id|d\.site_id) = (?:\$\d|@site)`)

// crossing are the statements that reach beyond their site from within it, and why.
var crossing = map[string]string{
	"owner": "one site by the key of domains, when somebody proves a domain",
}

// TestStatementsOverAllSites: what row-level security doesn't guard is asked of all sites
// only where Across says why, or in a transaction that it began.
func TestStatementsOverAllSites(t *testing.T) {
	t.Parallel()
	across, within := map[string]bool{}, map[string]bool{} // names in functions that say why, and in those that don't
	eachDeclaration(t, func(_ string, decl ast.Decl) {
		if f, ok := decl.(*ast.FuncDecl); ok {
			into := within
			if saysWhy(f) {
				into = across
			}
			for name := range namesIn(f) {
				into[name] = true
			}
		}
	})
	seen := 0
	eachDeclaration(t, func(file string, decl ast.Decl) {
		statements(decl, func(name, sql string) {
			if !platformTables.MatchString(sql) || oneSite.MatchString(sql) || crossing[name] != "" {
				return
			}
			seen++
			said := across[name] && !within[name]
			if f, ok := decl.(*ast.FuncDecl); ok {
				said = saysWhy(f)
			}
			if name == "WithPlans" || name == "SiteColumns" || name == "entryColumns" { // parts of others
				said = true
			}
			if !said {
				t.Errorf("%s asks all sites and doesn't say why: %s %s", file, name, sql)
			}
		})
	})
	if seen < 15 {
		t.Errorf("only %d statements ask all sites: are they still found?", seen)
	}
}

// saysWhy reports whether a function asks across sites, or is given what does.
func saysWhy(f *ast.FuncDecl) bool {
	names := namesIn(f)
	return names["Across"] || names["At"] || names["Everywhere"] || names["Available"] || names["platform"] || names["moment"] || names["pgxpool"] || names["pgx"] && names["Tx"]
}

// namesIn returns the names that a function uses.
func namesIn(f *ast.FuncDecl) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok {
			names[name.Name] = true
		}
		return true
	})
	return names
}

// unreadable finds what storage/shards can't read: a table of sites after a comma, or a WITH of its name.
var unreadable = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|USING)\s+[a-z_]+(?:\s+[a-z_]+)?,\s+(?:` + strings.Join(append(storagetest.SiteTables, "sites", "schedule"), "|") + `)\b|\b(?:` +
	strings.Join(append(storagetest.SiteTables, "sites", "schedule"), "|") + `) (?:\([a-z_, ]+\) )?AS (?:MATERIALIZED )?\(`)

// TestStatementsAreReadable: a cluster has its own names for the tables of each shard, which are put where tables stand.
func TestStatementsAreReadable(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]bool{"SELECT 1 FROM venues v, events e": true, "WITH events AS (SELECT 1) SELECT 1": true,
		"SELECT 1 FROM venues v JOIN events e ON true": false} {
		if got := unreadable.MatchString(sql); got != want {
			t.Errorf("%s: %v", sql, got)
		}
	}
	eachStatement(t, func(file, _, sql string) {
		if found := unreadable.FindString(sql); found != "" {
			t.Errorf("%s: %q in %s", file, found, sql)
		}
	})
}
