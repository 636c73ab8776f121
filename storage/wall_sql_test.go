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
var reached = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+(` + strings.Join(siteTables, "|") + `)\b(?:\s+([a-z_]+)\b)?`)

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
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			for _, sql := range statements(decl) {
				found += len(reached.FindAllString(sql, -1))
				for _, table := range unnamed(sql) {
					t.Errorf("%s: %q without its site_id in %s", file.Name(), table, sql)
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d tables reached: are the statements still found?", found)
	}
}

// statements returns the texts of each constant; what is left of a function is
// one text, for statements put together there.
func statements(decl ast.Decl) (list []string) {
	rest := ""
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			list = append(list, literals(n))
			return false
		case *ast.BasicLit:
			rest += literals(n)
		}
		return true
	})
	return append(list, rest)
}

func literals(n ast.Node) (text string) {
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			s, _ := strconv.Unquote(lit.Value)
			text += s
		}
		return true
	})
	return text
}

func TestListsNameTheSite(t *testing.T) {
	t.Parallel()
	for name, q := range variants() {
		for _, lean := range []bool{false, true} {
			if tables := unnamed(newEventQuery(1, q).statement(lean)); len(tables) > 0 {
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
