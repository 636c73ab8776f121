package ui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/web/static"
)

// Whatever color a site chooses, its text and its focus rings can be read on
// every ground and text can be read on it, in light and in dark.
func TestAccentsCanBeRead(t *testing.T) {
	t.Parallel()
	for _, r := range []int{0, 51, 128, 204, 255} {
		for _, g := range []int{0, 51, 128, 204, 255} {
			for _, b := range []int{0, 51, 128, 204, 255} {
				chosen, ok := ReadColor(fmt.Sprintf("#%02x%02x%02x", r, g, b))
				if !ok {
					t.Fatal("no color")
				}
				light, dark := Shades(chosen)
				for grounds, s := range map[string]Shade{strings.Join(lightGrounds, " "): light, strings.Join(darkGrounds, " "): dark} {
					for _, text := range append(strings.Fields(grounds), s.soft.String(), s.on.String()) {
						ground, _ := ReadColor(text)
						shown, _ := ReadColor(s.Accent.String()) // as it is rounded
						if c := contrast(shown, ground); c < 4.5 {
							t.Errorf("%s becomes %s: %.2f on %s", chosen, s.Accent, c, text)
						}
					}
				}
			}
		}
	}
}

// A color that can be read as it is stays as it is.
func TestReadableAccentsStay(t *testing.T) {
	t.Parallel()
	for _, text := range []string{StandardAccent, "#7a1f1f", "#004d40"} {
		chosen, _ := ReadColor(text)
		if light, _ := Shades(chosen); light.Accent.String() != text {
			t.Errorf("%s becomes %s", text, light.Accent)
		}
	}
	if c := contrast(RGB{}, RGB{1, 1, 1}); c < 20.99 || c > 21.01 {
		t.Errorf("black on white has %.2f", c)
	}
}

func TestGroundsAreThoseOfTheTokens(t *testing.T) {
	t.Parallel()
	tokens, err := static.Files.ReadFile("tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{"paper": {lightGrounds[0], darkGrounds[0]}, "panel": {lightGrounds[1], darkGrounds[1]},
		"accent": {StandardAccent, "#\\w+"}} {
		rule := `--` + name + `: light-dark\(` + want[0] + `, ` + want[1] + `\);`
		if !regexp.MustCompile(rule).Match(tokens) {
			t.Errorf("no %s in tokens.css", rule)
		}
	}
}

func TestAccentSheets(t *testing.T) {
	t.Parallel()
	address := AccentAddress("#aa3300")
	name := strings.TrimPrefix(address, "/static/")
	if rules := string(accentSheet(name)); !strings.Contains(rules, "--accent:light-dark(#") || strings.Contains(rules, "<") {
		t.Errorf("%s: %s", address, rules)
	}
	for _, wrong := range []string{"accent-aa3300.css", "accent-aa3301" + name[len("accent-aa3300"):], "accent-zz3300" + name[len("accent-aa3300"):], "accent-", "accent-+a3300.x.css"} {
		if rules := accentSheet(wrong); rules != nil {
			t.Errorf("%s: %s", wrong, rules)
		}
	}
	if AccentAddress("") != "" || AccentAddress("red") != "" {
		t.Error("no color has a style sheet")
	}
}

// TestThemesKeepAccentsReadable: accents are made for the standard grounds. No theme has
// one that is darker by day or lighter by night.
func TestThemesKeepAccentsReadable(t *testing.T) {
	t.Parallel()
	sheet, err := static.Files.ReadFile("themes.css")
	if err != nil {
		t.Fatal(err)
	}
	bound := func(grounds []string, more func(a, b float64) bool) (least float64) {
		for i, text := range grounds {
			if c, _ := ReadColor(text); i == 0 || more(c.luminance(), least) {
				least = c.luminance()
			}
		}
		return least
	}
	darkest := bound(lightGrounds, func(a, b float64) bool { return a < b })
	lightest := bound(darkGrounds, func(a, b float64) bool { return a > b })
	found := 0
	for _, m := range regexp.MustCompile(`--(?:paper|panel): (?:light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)|(#[0-9a-f]{6}));`).FindAllStringSubmatch(string(sheet), -1) {
		found++
		light, day := ReadColor(m[1])
		dark, _ := ReadColor(m[2] + m[3])
		if day && light.luminance() < darkest-0.002 {
			t.Errorf("%s is too dark by day", m[1])
		}
		if dark.luminance() > lightest {
			t.Errorf("%s is too light by night", m[2]+m[3])
		}
	}
	if found < 6 {
		t.Errorf("only %d grounds found", found)
	}
}
