// Package house holds the program to its plan: docs/architecture.md says which package may import which.
package house

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// root is the folder of the repository, and module the path of its packages.
const (
	root   = "../.."
	module = "github.com/kalends/kalends/"
)

// plan is what the table of packages says: for each package, those of ours that it may import.
type plan map[string]allowed

// allowed are packages of ours. The name of one with "/…" stands for it and all packages below it.
type allowed struct {
	row      int // of the table; several packages may share one
	names    []string
	anything bool
}

var quoted = regexp.MustCompile("`([^`]+)`")

// free reports whether a package may import what it likes: it is no part of the program, but of tests, or makes files.
func free(name string) bool {
	return strings.HasPrefix(name, "test/") || strings.HasSuffix(name, "test") || strings.HasSuffix(name, "gen")
}

// readPlan reads the table of packages.
func readPlan(t *testing.T) plan {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs/architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| Package | Responsible for | May import (of ours) |\n|---|---|---|\n")
	p := plan{}
	for i, line := range strings.Split(table, "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) < 3 {
			break
		}
		may := allowed{row: i, anything: cells[2] == "everything"}
		for _, m := range quoted.FindAllStringSubmatch(cells[2], -1) {
			may.names = append(may.names, m[1])
		}
		for _, m := range quoted.FindAllStringSubmatch(cells[0], -1) {
			if _, twice := p[m[1]]; twice {
				t.Errorf("docs/architecture.md has two rows for %s", m[1])
			}
			p[m[1]] = may
		}
	}
	if len(p) < 30 {
		t.Fatalf("the table of packages has %d rows", len(p))
	}
	return p
}

// may reports whether a package may import another one, and notes the permission as used.
func (p plan) may(from, to string, used map[string]bool) bool {
	a := p[from]
	if a.anything {
		return true
	}
	for _, name := range a.names {
		below, whole := strings.CutSuffix(name, "/…")
		if name == to || whole && (to == below || strings.HasPrefix(to, below+"/")) {
			used[fmt.Sprint(a.row, name)] = true
			return true
		}
	}
	return false
}

// imports returns the packages of ours that each package imports, apart from its tests.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string]map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, root+"/"))
		if d.IsDir() {
			if name == "tools" || name == "bench" || name == "node_modules" || name == "data" || strings.HasPrefix(d.Name(), ".") && path != root {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		from := filepath.ToSlash(filepath.Dir(name))
		if found[from] == nil {
			found[from] = map[string]bool{}
		}
		for _, spec := range file.Imports {
			to, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if ours, ok := strings.CutPrefix(to, module); ok {
				found[from][ours] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for from, to := range found {
		all[from] = slices.Sorted(maps.Keys(to))
	}
	return all
}

// TestImports: every package is in the table, imports only what the table allows, and the table allows nothing that is not needed.
func TestImports(t *testing.T) {
	t.Parallel()
	p, used := readPlan(t), map[string]bool{}
	all := imports(t)
	for from, list := range all {
		if free(from) {
			continue
		}
		if _, ok := p[from]; !ok {
			t.Errorf("docs/architecture.md has no row for %s, which imports %s", from, strings.Join(list, ", "))
			continue
		}
		for _, to := range list {
			if !p.may(from, to, used) {
				t.Errorf("%s imports %s, which docs/architecture.md does not allow", from, to)
			}
		}
	}
	for from, may := range p {
		if free(from) {
			continue
		}
		if _, ok := all[from]; !ok {
			t.Errorf("docs/architecture.md has a row for %s, which is no package", from)
		}
		for _, name := range may.names {
			if !used[fmt.Sprint(may.row, name)] {
				t.Errorf("docs/architecture.md allows %s to import %s, which it does not", from, name)
			}
		}
	}
}

// walls are pairs of folders of which the first imports nothing of the second, whatever the table says: the skins know neither each
// other nor what stores, and what rules are about knows none of them.
var walls = [][2]string{
	{"api", "web"}, {"web", "api"}, {"api", "storage"}, {"web", "storage"}, {"server", "storage"}, {"api", "server"}, {"web", "server"},
	{"calendar", "storage"}, {"calendar", "api"}, {"calendar", "web"}, {"calendar", "server"}, {"calendar", "feeds"},
	{"tenancy", "calendar"}, {"tenancy", "storage"}, {"tenancy", "api"}, {"tenancy", "web"}, {"tenancy", "server"},
	{"storage", "api"}, {"storage", "web"}, {"storage", "server"}, {"storage", "feeds"},
}

// TestWalls: no arrow goes up, and none from one skin to the other.
func TestWalls(t *testing.T) {
	t.Parallel()
	within := func(name, folder string) bool { return name == folder || strings.HasPrefix(name, folder+"/") }
	for from, list := range imports(t) {
		for _, to := range list {
			for _, wall := range walls {
				if within(from, wall[0]) && within(to, wall[1]) && !free(from) {
					t.Errorf("%s imports %s: nothing in %s knows %s", from, to, wall[0], wall[1])
				}
			}
		}
	}
}
