package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestConcurrentTestsAreNamed looks at the packages of which `make test` runs only the concurrent tests with the race detector. Every
// test there that starts goroutines, itself or by functions of its package, is called TestConcurrent….
func TestConcurrentTestsAreNamed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^partly = (.+)$`).FindSubmatch(text)
	if line == nil {
		t.Fatal("the Makefile names no packages that are tested partly with the race detector")
	}
	for folder := range strings.FieldsSeq(string(line[1])) {
		concurrent := concurrentIn(t, filepath.Join(root, folder))
		if !slices.ContainsFunc(concurrent, func(name string) bool { return strings.HasPrefix(name, "TestConcurrent") }) {
			t.Errorf("%s has no concurrent test", folder)
		}
		for _, name := range concurrent {
			if strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "TestConcurrent") {
				t.Errorf("%s: %s starts goroutines", folder, name)
			}
		}
	}
}

// concurrentIn returns the functions of the tests in a folder that start goroutines, and those that call them.
func concurrentIn(t *testing.T, folder string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string][]string{} // by function
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range parsed.Decls {
			if f, ok := declared.(*ast.FuncDecl); ok {
				calls[f.Name.Name] = called(f)
			}
		}
	}
	for found := true; found; {
		found = false
		for name, all := range calls {
			starts := func(one string) bool { return one == "go" || slices.Contains(names, one) }
			if !slices.Contains(names, name) && slices.ContainsFunc(all, starts) {
				names, found = append(names, name), true
			}
		}
	}
	return names
}

// called returns the names of the functions and methods that f calls, and "go" if it starts a goroutine.
func called(f *ast.FuncDecl) (names []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			names = append(names, "go")
		case *ast.CallExpr:
			switch function := n.Fun.(type) {
			case *ast.Ident:
				names = append(names, function.Name)
			case *ast.SelectorExpr:
				name := function.Sel.Name
				if name == "Go" { // of a sync.WaitGroup
					name = "go"
				}
				names = append(names, name)
			}
		}
		return true
	})
	return names
}
