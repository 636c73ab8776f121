package ui

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/web/static"
)

var (
	cssRule = regexp.MustCompile(`([^{}]+)\{([^{}]*)\}`)
	token   = regexp.MustCompile(`var\(--([a-z0-9-]+)\)`)
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
			if selector := strings.TrimSpace(rule[1]); selector != ":root, :host" && selector != `[data-look="`+theme+`"]` {
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
		of["accent"], of["accent-soft"], of["on-accent"], of["accent-solid"] = day.Accent.String(), day.soft.String(), day.on.String(), day.Accent.String()
		if night || theme == "night" {
			of["accent-solid"] = solid(color).String()
		}
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

// accentsTried are accents of sites, among them ones that can't be read as they are.
var accentsTried = []string{"", "#ffe600", "#d30000", "#004d40", "#ff9ad5", "#0011aa"}

// TestSurfacesCanBeRead: on each surface each ink that may stand there can be read, in every theme, by day and by night, with any accent and
// on every tone.
func TestSurfacesCanBeRead(t *testing.T) {
	t.Parallel()
	sheet, err := static.Files.ReadFile("surfaces.css")
	if err != nil {
		t.Fatal(err)
	}
	checked, surfaces := 0, 0
	for _, rule := range cssRule.FindAllStringSubmatch(cssComment.ReplaceAllString(string(sheet), ""), -1) {
		face := declared(rule[2], "--face")
		if face == "" {
			continue
		}
		surfaces++
		for _, name := range []string{"--ink", "--ink-soft", "--link", "--line"} {
			if declared(rule[2], name) == "" {
				t.Errorf("%s doesn't say %s, and has that of the surface around it", strings.TrimSpace(rule[1]), name)
			}
		}
		if declared(rule[2], "background") == "" {
			t.Errorf("%s says a ground and doesn't draw it", rule[1])
		}
		for _, theme := range []string{"plain", "journal", "poster", "board", "night"} {
			for _, night := range []bool{false, true} {
				for _, accent := range accentsTried {
					of := looksOf(t, theme, night, accent)
					of["own-ink"], of["own-ink-soft"], of["own-line"] = of["ink"], of["ink-soft"], of["line"]
					for tone := range tonesOf(rule[2]) {
						of["tone"], of["ground"], of["deep"] = of["tone-"+strconv.Itoa(tone)], of["ground-"+strconv.Itoa(tone)], Deep(tone).String()
						for _, ink := range []string{"ink", "ink-soft", "link"} {
							value := declared(rule[2], "--"+ink)
							if value == "" {
								value = "var(--" + ink + ")"
							}
							a, ok := ReadColor(resolved(of, strings.ReplaceAll(value, "#fff", "#ffffff")))
							b, also := ReadColor(resolved(of, strings.ReplaceAll(face, "var(--ground, var(--panel))", "var(--ground)")))
							if !ok || !also {
								t.Fatalf("%s: %s on %s is no color", rule[1], value, face)
							}
							checked++
							if c := contrast(a, b); c < 4.5 {
								t.Errorf("%s, %s, night %v, accent %q, tone %d: %s %s on %s has %.2f", strings.TrimSpace(rule[1]), theme, night, accent, tone, ink, a, b, c)
							}
						}
					}
				}
			}
		}
	}
	if surfaces < 10 {
		t.Fatalf("only %d surfaces", surfaces)
	}
	t.Logf("%d pairs of %d surfaces", checked, surfaces)
}

// tonesOf returns the number of tones that matter for a rule.
func tonesOf(declarations string) int {
	if strings.Contains(declarations, "--ground") || strings.Contains(declarations, "--deep") || strings.Contains(declarations, "--tone") {
		return len(tones) + 1
	}
	return 1
}

// sheetOf returns a bundle as it is written.
func sheetOf(t *testing.T, name string) string {
	t.Helper()
	sheet, err := bundled(name, written)
	if err != nil {
		t.Fatal(err)
	}
	return string(sheet)
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
	for name, parts := range bundles {
		if !slices.Contains(parts, "tokens.css") {
			continue
		}
		sheet := sheetOf(t, name)
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
	if !strings.HasSuffix(layerOrder, ", print;\n") || layers["print.css"] != "print" {
		t.Error("the layer for paper is not the last")
	}
	sheet := sheetOf(t, "public-poster.css")
	at := strings.LastIndex(sheet, "@layer ")
	if !strings.HasPrefix(sheet[at:], "@layer print {") || !strings.Contains(sheet[at:], "@media print") {
		t.Error("rules stand behind those for paper")
	}
	for _, hidden := range []string{".tools", ".filters", ".menu", "button", ".share", ".steps", ".masthead nav"} {
		if !strings.Contains(sheet[at:], hidden) {
			t.Errorf("%s is printed", hidden)
		}
	}
	if !strings.Contains(sheet, "prefers-reduced-motion: reduce") {
		t.Error("nothing is still for those who want it so")
	}
}
