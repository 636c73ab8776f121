package ui

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/web/static"
)

// Rules of the style sheets, and how many places in each file don't follow them yet. The numbers only fall: who adds a place is told, and
// who mends one lowers the number.
var (
	// strongSelectors are those with more weight than a class and an attribute. :where() takes the weight of what it contains.
	strongSelectors = map[string]int{}
	// windowQueries are questions after the size of the window. Components ask for the size of their container.
	windowQueries = map[string]int{"admin.css": 1}
	// coloredRules say ink or ground, which only surfaces should, so that both come from one rule.
	coloredRules = map[string]int{"poster.css": 1}
)

// sheetRule is a rule of a style sheet.
type sheetRule struct {
	selectors    []string // with those around it
	around       []string // @media, @container and the like around it
	declarations string
}

// rulesOf returns the rules of a style sheet.
func rulesOf(t *testing.T, file string) (rules []sheetRule) {
	t.Helper()
	text, err := static.Files.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	type level struct {
		prelude   string
		selectors []string
	}
	var open []level
	rest := quoted.ReplaceAllString(cssComment.ReplaceAllString(string(text), ""), `""`)
	for {
		at := strings.IndexAny(rest, "{};")
		if at < 0 {
			return rules
		}
		before, sign := strings.TrimSpace(rest[:at]), rest[at]
		rest = rest[at+1:]
		var outer []string
		if len(open) > 0 {
			outer = open[len(open)-1].selectors
		}
		switch {
		case sign == '{' && strings.HasPrefix(before, "@"):
			open = append(open, level{before, outer})
		case sign == '{':
			rule := sheetRule{}
			for _, one := range splitSelectors(before) {
				if len(outer) == 0 {
					rule.selectors = append(rule.selectors, one)
				}
				for _, parent := range outer {
					rule.selectors = append(rule.selectors, parent+" "+one)
				}
			}
			inKeyframes := false
			for _, of := range open {
				if strings.HasPrefix(of.prelude, "@") {
					rule.around = append(rule.around, of.prelude)
				}
				inKeyframes = inKeyframes || strings.HasPrefix(of.prelude, "@keyframes")
			}
			open = append(open, level{before, rule.selectors})
			if !inKeyframes {
				rules = append(rules, rule)
			}
		default:
			if len(rules) > 0 && before != "" {
				rules[len(rules)-1].declarations += before + ";"
			}
			if sign == '}' && len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
	}
}

var quoted = regexp.MustCompile(`"[^"]*"`)

// splitSelectors splits a list of selectors at the commas outside parentheses.
func splitSelectors(list string) (selectors []string) {
	depth, from := 0, 0
	for i, letter := range list {
		switch letter {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				selectors = append(selectors, strings.TrimSpace(list[from:i]))
				from = i + 1
			}
		}
	}
	return append(selectors, strings.TrimSpace(list[from:]))
}

// simple matches an identifier, a class or an attribute, and the beginning of a pseudo-class or pseudo-element.
var simple = regexp.MustCompile(`^(?:#[\w-]+|\.[\w-]+|\[[^\]]*\]|::?[\w-]+\(?)`)

// weight returns how many ids, and how many classes, attributes and pseudo-classes count in a selector.
func weight(selector string) (ids, classes int) {
	for selector != "" {
		found := simple.FindString(selector)
		if found == "" {
			selector = selector[1:]
			continue
		}
		selector = selector[len(found):]
		switch {
		case found[0] == '#':
			ids++
		case strings.HasPrefix(found, "::"):
		case found[0] != ':' || !strings.HasSuffix(found, "("):
			classes++
		default:
			depth, end := 1, 0
			for end < len(selector) && depth > 0 {
				depth += map[byte]int{'(': 1, ')': -1}[selector[end]]
				end++
			}
			inside := selector[:max(end-1, 0)]
			selector = selector[end:]
			most, mostIDs := 0, 0
			if found == ":is(" || found == ":not(" || found == ":has(" {
				for _, one := range splitSelectors(inside) {
					i, c := weight(one)
					mostIDs, most = max(mostIDs, i), max(most, c)
				}
			} else if found != ":where(" {
				most = 1
			}
			ids, classes = ids+mostIDs, classes+most
		}
	}
	return ids, classes
}

func TestWeight(t *testing.T) {
	t.Parallel()
	for selector, want := range map[string][2]int{
		"a": {0, 0}, "#x .a": {1, 1}, ".a.b > c[d]": {0, 3}, ":where(.a .b) c": {0, 0}, ".a:is(.b, .c .d):hover::before": {0, 4},
		"a:not(:is(#x, .y))": {1, 1}, "li:nth-child(2n + 1):lang(ar)": {0, 2}, `[dir=""] .a`: {0, 2},
	} {
		if ids, classes := weight(selector); ids != want[0] || classes != want[1] {
			t.Errorf("%s: %d and %d, want %v", selector, ids, classes, want)
		}
	}
}

// compare tells which files have more places than they may, and which less.
func compare(t *testing.T, what string, found map[string][]string, known map[string]int) {
	t.Helper()
	files, err := fs.Glob(static.Files, "*.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		switch places := found[file]; {
		case len(places) > known[file]:
			t.Errorf("%s has %d %s, %d are known:\n%s", file, len(places), what, known[file], strings.Join(places, "\n"))
		case len(places) < known[file]:
			t.Errorf("%s has only %d %s: lower the number %d", file, len(places), what, known[file])
		}
	}
}

// TestStyleSheetsFollowTheirRules: selectors are weak, components ask for the size of their container, and surfaces alone have colors.
func TestStyleSheetsFollowTheirRules(t *testing.T) {
	t.Parallel()
	strong, windows, colored := map[string][]string{}, map[string][]string{}, map[string][]string{}
	grounds := []string{"", "inherit", "transparent", "currentcolor", "none"}
	inks := slices.Concat(grounds, []string{"var(--ink)", "var(--ink-soft)", "var(--link)", "var(--tone)"}) // those of the surface around
	for file, layer := range layers {
		if file == rowsFile || layer == "tokens" || layer == "print" {
			continue
		}
		asked := map[string]bool{}
		for _, rule := range rulesOf(t, file) {
			for _, one := range rule.selectors {
				if ids, classes := weight(one); ids > 0 || classes > 2 {
					strong[file] = append(strong[file], one)
				}
			}
			for _, at := range rule.around {
				if sized.MatchString(at) && !asked[at] {
					asked[at] = true
					windows[file] = append(windows[file], at)
				}
			}
			ink, ground := declared(rule.declarations, "color"), declared(rule.declarations, "background", "background-color")
			if layer != "surfaces" && (!slices.Contains(inks, ink) || !slices.Contains(grounds, ground)) {
				colored[file] = append(colored[file], strings.Join(rule.selectors, ", "))
			}
		}
	}
	compare(t, "selectors with more weight than a class and an attribute", strong, strongSelectors)
	compare(t, "questions after the size of the window", windows, windowQueries)
	compare(t, "rules outside surfaces.css with a color or a ground", colored, coloredRules)
}

// sized matches a question after the size of the window.
var sized = regexp.MustCompile(`^@media .*(width|height)`)

// TestClassesAreUsed: every class that a style sheet names is in a template, a script or the code that makes pages.
func TestClassesAreUsed(t *testing.T) {
	t.Parallel()
	made := regexp.MustCompile(`^(at|for|lane|lines|tone|from|over|mark|is|depth|method|sign|status|unit|rich|fx|fy|leaflet|ProseMirror)-|^selectedCell$`) // with what follows from data
	texts, word, class := regexp.MustCompile("\"[^\"\n]*\"|`[^`]*`|'[^'\n]*'"), regexp.MustCompile(`[\w-]+`), regexp.MustCompile(`\.([A-Za-z][\w-]*)`)
	used := map[string]bool{}
	err := filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{"built", "vendored", "node_modules", "browsertest"}, name):
			return filepath.SkipDir
		case entry.IsDir() || strings.HasSuffix(name, "_templ.go") || strings.HasSuffix(name, "_test.go") || !slices.Contains([]string{".go", ".templ", ".js"}, filepath.Ext(name)):
			return nil
		}
		text, err := os.ReadFile(file)
		for _, one := range texts.FindAllString(string(text), -1) {
			for _, name := range word.FindAllString(one, -1) {
				used[name] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for file := range layers {
		if file == rowsFile {
			continue
		}
		for _, rule := range rulesOf(t, file) {
			for _, found := range class.FindAllStringSubmatch(strings.Join(rule.selectors, ","), -1) {
				if name := found[1]; !used[name] && !made.MatchString(name) {
					t.Errorf("%s: no page has the class %s", file, name)
				}
			}
		}
	}
}

// TestLongListsShowThatTheyGoOn: lists to tick in, with rows of 2rem, are cut in the middle of a row, and only where they are long. At the end of a row
// nothing shows that there is more.
func TestLongListsShowThatTheyGoOn(t *testing.T) {
	t.Parallel()
	cut := 0
	for _, rule := range rulesOf(t, "admin.css") {
		for _, one := range rule.selectors {
			height, limited := strings.CutSuffix(declared(rule.declarations, "max-block-size"), "rem")
			if !limited || !strings.Contains(one, ".tree") {
				continue
			}
			cut++
			if rows, err := strconv.Atoi(height); err != nil || rows%2 == 0 || one == ".tree" {
				t.Errorf("%s ends after %s rem", one, height)
			}
		}
	}
	if cut < 2 {
		t.Errorf("%d lists are cut", cut)
	}
}

// TestCornersFollowTheDesign: what is neither a dot nor against an edge takes its corners from the design and from what the site has
// chosen, and a design with square buttons has square cards as well.
func TestCornersFollowTheDesign(t *testing.T) {
	t.Parallel()
	own := regexp.MustCompile(`border-radius: [1-9.][^;]*`)
	for _, file := range []string{"base.css", "public.css", "public_event.css", "public_list.css", "public_month.css", "theme_poster.css"} {
		for _, rule := range rulesOf(t, file) {
			dot := strings.Contains(rule.declarations, "block-size: 0.")
			if found := own.FindString(rule.declarations); found != "" && found != "border-radius: 2px" && !dot {
				t.Errorf("%s: %v: %s", file, rule.selectors, found)
			}
		}
	}
	for _, rule := range rulesOf(t, "themes.css") {
		n := 0
		for _, name := range []string{"--radius:", "--radius-large:", "--pill:"} {
			n += strings.Count(rule.declarations, name)
		}
		if n != 0 && n != 3 {
			t.Errorf("themes.css: %v says %d of the three kinds of corners", rule.selectors, n)
		}
	}
}

// TestLabelsLeaveRoom: in lists of pairs, a long label breaks rather than what it is about, letter by letter.
func TestLabelsLeaveRoom(t *testing.T) {
	t.Parallel()
	found := false
	for _, rule := range rulesOf(t, "admin.css") {
		columns := declared(rule.declarations, "grid-template-columns")
		if !slices.Contains(rule.selectors, "dl.pairs") || columns == "" {
			continue
		}
		found = true
		if strings.Contains(columns, "max-content") {
			t.Errorf("labels take %s", columns)
		}
	}
	if !found {
		t.Error("there are no lists of pairs")
	}
}
