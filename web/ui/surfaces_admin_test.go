package ui

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestAdminSurfacesCanBeRead: with any accent, by day and by night, what the administration writes on a ground can be read there, also
// where another style sheet has the ink.
func TestAdminSurfacesCanBeRead(t *testing.T) {
	t.Parallel()
	type painted struct{ selector, ground string }
	grounds := map[string][]painted{} // by the last class of the selector
	type pair struct{ selector, ink, ground string }
	var pairs []pair
	for _, rule := range rulesOf(t, "surfaces_admin.css") {
		ink, ground := declared(rule.declarations, "color"), declared(rule.declarations, "background")
		if !strings.HasPrefix(ground, "var(--") || ground == "var(--ground)" {
			continue
		}
		for _, one := range rule.selectors {
			if ink != "" {
				pairs = append(pairs, pair{one, ink, ground})
			}
			if class := lastClass(one); class != "" && !strings.Contains(one, ":hover") {
				grounds[class] = append(grounds[class], painted{one, ground})
			}
		}
	}
	for _, file := range []string{"admin.css", "board.css", "editor.css", "editor_repeat.css"} {
		for _, rule := range rulesOf(t, file) {
			ink := declared(rule.declarations, "color")
			if !strings.HasPrefix(ink, "var(--") {
				continue
			}
			for _, one := range rule.selectors {
				for _, p := range grounds[lastClass(one)] {
					if !apart(one, p.selector) {
						pairs = append(pairs, pair{one, ink, p.ground})
					}
				}
			}
		}
	}
	for _, night := range []bool{false, true} {
		for _, accent := range accentsTried {
			of := looksOf(t, "plain", night, accent)
			for _, p := range pairs {
				a, ok := ReadColor(resolved(of, p.ink))
				b, also := ReadColor(resolved(of, p.ground))
				if !ok || !also {
					t.Fatalf("%s: %s on %s is no color", p.selector, p.ink, p.ground)
				}
				if c := contrast(a, b); c < 4.5 {
					t.Errorf("%s, night %v, accent %q: %s on %s has %.2f", p.selector, night, accent, p.ink, p.ground, c)
				}
			}
			if of["good-soft"] != looksOf(t, "plain", night, "")["good-soft"] {
				t.Errorf("messages depend on the accent %q", accent)
			}
		}
	}
	said := slices.ContainsFunc(pairs, func(p pair) bool { return p.selector == ".said" && p.ground == "var(--good-soft)" })
	if !said || len(pairs) < 20 {
		t.Errorf("%d pairs, among them messages: %v", len(pairs), said)
	}
}

var classes = regexp.MustCompile(`\.([\w-]+)`)

// lastClass returns the class of the element that a selector is about.
func lastClass(selector string) string {
	last := selector[strings.LastIndexAny(selector, " >+~")+1:]
	if m := classes.FindStringSubmatch(last); m != nil {
		return m[1]
	}
	return ""
}

// demanded matches what a selector may demand and another exclude.
var demanded = regexp.MustCompile(`\.[\w-]+|\[[^\]]+\]`)

// apart reports whether a selector excludes a class or an attribute that another one demands.
func apart(a, b string) bool {
	return slices.ContainsFunc(demanded.FindAllString(b, -1), func(one string) bool { return strings.Contains(a, ":not("+one+")") })
}
