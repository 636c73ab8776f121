package ui

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/web/static"
)

var (
	cssComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	cssRule    = regexp.MustCompile(`([^{}]+)\{([^{}]*)\}`)
	isControl  = regexp.MustCompile(`(^|[ >+~(])(button|\.button|summary)\b|\.(chip|badge)\b`)
	token      = regexp.MustCompile(`var\(--([a-z0-9-]+)\)`)
)

// looksOf returns the tokens of a theme by day or by night, with an accent for each.
func looksOf(t *testing.T, theme string, night bool, accent string) map[string]string {
	t.Helper()
	of := map[string]string{}
	for _, file := range []string{"tokens.css", "themes.css", "tones.css"} {
		sheet, err := static.Files.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range cssRule.FindAllStringSubmatch(cssComment.ReplaceAllString(string(sheet), ""), -1) {
			if selector := strings.TrimSpace(rule[1]); selector != ":root" && selector != `[data-look="`+theme+`"]` {
				continue
			}
			light, dark := ofScheme(rule[2])
			for one := range strings.SplitSeq(rule[2], ";") {
				if name, value, ok := strings.Cut(strings.TrimSpace(one), ":"); ok && strings.HasPrefix(name, "--") {
					of[name[2:]] = strings.TrimSpace(value)
				}
			}
			if night || theme == "night" {
				light = dark
			}
			for one := range strings.SplitSeq(light, ";") {
				if name, value, ok := strings.Cut(one, ":"); ok {
					of[name[2:]] = value
				}
			}
		}
	}
	if color, ok := ReadColor(accent); ok {
		day, dark := Shades(color)
		if night || theme == "night" {
			day = dark
		}
		of["accent"], of["accent-soft"], of["on-accent"] = day.Accent.String(), day.soft.String(), day.on.String()
	}
	return of
}

// declared returns the value of a property among declarations, "" if it isn't there.
func declared(declarations string, names ...string) (value string) {
	for one := range strings.SplitSeq(declarations, ";") {
		if name, of, ok := strings.Cut(strings.TrimSpace(one), ":"); ok && slices.Contains(names, strings.TrimSpace(name)) {
			value = strings.TrimSpace(of)
		}
	}
	return value
}

// TestControlsSayInkAndGround: a rule that gives a control a ground gives it its ink, too, and the other way round, so that rules of two
// places never make white on white; and each of these pairs can be read, in every theme, by day and by night, with any accent. Where the
// ground is none, it is that of the page.
func TestControlsSayInkAndGround(t *testing.T) {
	t.Parallel()
	type pair struct{ where, ink, ground string }
	pairs := map[pair]bool{}
	for _, bundle := range []string{"public.css"} {
		for _, file := range bundles[bundle] {
			sheet, err := static.Files.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, rule := range cssRule.FindAllStringSubmatch(cssComment.ReplaceAllString(string(sheet), ""), -1) {
				selector := strings.TrimSpace(rule[1])
				if !isControl.MatchString(selector) || strings.Contains(selector, "::") || strings.Contains(selector, "popover]") {
					continue
				}
				ink, ground := declared(rule[2], "color"), declared(rule[2], "background", "background-color")
				switch {
				case ink == "" && ground == "", strings.HasPrefix(ground, "color-mix("), ink == "inherit":
				case ink == "" || ground == "":
					t.Errorf("%s: %s has ink %q and ground %q", file, selector, ink, ground)
				default:
					pairs[pair{file + ": " + selector, ink, ground}] = true
				}
			}
		}
	}
	if len(pairs) < 10 {
		t.Fatalf("only %d pairs found", len(pairs))
	}
	checked := 0
	for _, theme := range []string{"plain", "journal", "poster", "board", "night"} {
		for _, night := range []bool{false, true} {
			for _, accent := range []string{"", "#ffe600", "#d30000", "#004d40", "#ff9ad5", "#0011aa"} {
				of := looksOf(t, theme, night, accent)
				for p := range pairs {
					for _, ground := range groundsOf(p.ground) {
						ink, paper := resolved(of, p.ink), resolved(of, ground)
						a, ok := ReadColor(ink)
						b, also := ReadColor(paper)
						if !ok || !also {
							t.Fatalf("%s: %q on %q is %q on %q", p.where, p.ink, ground, ink, paper)
						}
						checked++
						if c := contrast(a, b); c < 4.5 {
							t.Errorf("%s, %s, night %v, accent %q: %s on %s has %.2f", p.where, theme, night, accent, ink, paper, c)
						}
					}
				}
			}
		}
	}
	t.Logf("%d pairs of %d rules", checked, len(slices.Collect(maps.Keys(pairs))))
}

// groundsOf returns what a control's text stands on.
func groundsOf(ground string) []string {
	if ground == "none" || ground == "transparent" {
		return []string{"var(--paper)", "var(--panel)"}
	}
	return []string{ground}
}

func resolved(of map[string]string, value string) string {
	for range 4 {
		value = token.ReplaceAllStringFunc(value, func(name string) string { return of[token.FindStringSubmatch(name)[1]] })
	}
	return value
}

// TestColorsWithoutLightDark: browsers that don't know light-dark() have every color of a theme, by day and by night, and nothing else
// stands in a sheet than custom properties.
func TestColorsWithoutLightDark(t *testing.T) {
	t.Parallel()
	for name := range bundles {
		if !strings.HasSuffix(name, ".css") {
			continue
		}
		sheet := string(File(name))
		fallbacks := strings.Count(sheet, "@supports not (color: light-dark(")
		rules := 0
		for _, rule := range cssRule.FindAllStringSubmatch(cssComment.ReplaceAllString(sheet, ""), -1) {
			for one := range strings.SplitSeq(rule[2], ";") {
				property, value, _ := strings.Cut(strings.TrimSpace(one), ":")
				if strings.Contains(value, "light-dark(") && !strings.HasPrefix(property, "--") {
					t.Errorf("%s: %s has %s", name, property, value)
				}
			}
			if strings.Contains(rule[2], "light-dark(") {
				rules++
			}
		}
		if fallbacks == 0 || fallbacks != rules {
			t.Errorf("%s: %d rules have colors for day and night, %d have them without light-dark()", name, rules, fallbacks)
		}
	}
	got := string(withSchemes([]byte(":root {\n  --a: light-dark(#111, rgb(0 0 0 / 7%)); --b: #222;\n}\n[data-look=\"x\"] { --a: light-dark(#333, #444); }\n")))
	for _, want := range []string{`:root,[data-theme="light"]{--a:#111;}`, `@media (prefers-color-scheme: dark) { :root:where(:not([data-theme="light"])){--a:rgb(0 0 0 / 7%);} }`,
		`[data-theme="dark"],[data-look="night"]{--a:rgb(0 0 0 / 7%);}`, `[data-look="x"]{--a:#333;}`, `[data-look="x"]:where([data-theme="dark"]){--a:#444;}`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if sheet := fmt.Sprint(string(accentRules(RGB{0.5, 0, 0}))); !strings.Contains(sheet, "@supports not") {
		t.Errorf("an accent has no colors without light-dark(): %s", sheet)
	}
}

// TestPrintComesLast: what is not printed is said behind every other rule of the public pages.
func TestPrintComesLast(t *testing.T) {
	t.Parallel()
	sheet := string(File("public.css"))
	at := strings.Index(sheet, "@media print")
	if at < 0 || strings.LastIndex(sheet, "\n.") > strings.LastIndex(sheet, "@media print") {
		t.Error("rules stand behind those for paper")
	}
	for _, hidden := range []string{".tools", ".filters", ".menu", "button", ".share", ".steps", ".masthead nav"} {
		if !strings.Contains(sheet[strings.LastIndex(sheet, "@media print"):], hidden) {
			t.Errorf("%s is printed", hidden)
		}
	}
	if !strings.Contains(sheet, "prefers-reduced-motion: reduce") {
		t.Error("nothing is still for those who want it so")
	}
}
