package i18n

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// used matches text keys in code: whole keys, or prefixes that end with a dot.
var used = regexp.MustCompile(`^(problem|error)\.[A-Za-z0-9_.-]*$`)

// keysInCode returns the keys in the module's code with their locations.
func keysInCode(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	module := os.DirFS("..")
	places := token.NewFileSet()
	err := fs.WalkDir(module, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (path == "i18n" || strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		content, err := fs.ReadFile(module, path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(places, path, content, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil && used.MatchString(s) {
					found[s] = places.Position(lit.Pos()).String()
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestKeysOfTheCodeHaveTexts(t *testing.T) {
	t.Parallel()
	english := entries(t, source)
	inCode := keysInCode(t)
	if len(inCode) < 20 {
		t.Fatalf("only %d keys found in the code", len(inCode))
	}
	begins := func(key, start string) bool { return strings.HasSuffix(start, ".") && strings.HasPrefix(key, start) }
	for key, where := range inCode {
		_, there := english[key]
		for known := range english {
			there = there || begins(known, key)
		}
		if !there {
			t.Errorf("%s: no text for %q", where, key)
		}
	}
	for key := range english {
		if !used.MatchString(key) || inCode[key] != "" {
			continue
		}
		reached := false
		for start := range inCode {
			reached = reached || begins(key, start)
		}
		if !reached {
			t.Logf("no code names %s", key)
		}
	}
}
