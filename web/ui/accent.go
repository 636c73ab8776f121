// Package ui contains the code that public pages and the administration share: dates and texts, images, the month
// grid, accent colors, and the files of package static.
package ui

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strings"

	"github.com/kalends/kalends/tenancy"
)

// The backgrounds of text in the accent color. They are the same as in static/tokens.css; a test verifies this.
var (
	lightGrounds = []string{"#fdfdfb", "#f4f4f0"}
	darkGrounds  = []string{"#141618", "#1d2023"}
)

// readableContrast is the text contrast required by WCAG 2.2 AA, plus a margin for rounding.
const readableContrast = 4.55

// Shade is an accent in one color scheme.
type Shade struct{ Accent, soft, on RGB }

// shadeOf returns the Shade that is closest to a color and readable: on the backgrounds, on its own soft variant,
// and behind text. It is darker in light mode and lighter in dark mode.
func shadeOf(chosen RGB, grounds []string, towards RGB, softness float64) Shade {
	var s Shade
	for step := range 101 {
		s.Accent = chosen.mix(towards, float64(step)/100)
		paper, _ := ReadColor(grounds[0])
		s.soft = paper.mix(s.Accent, softness)
		s.on = paper
		least := contrast(s.Accent, s.soft)
		for _, text := range grounds {
			ground, _ := ReadColor(text)
			least = math.Min(least, contrast(s.Accent, ground))
		}
		if least >= readableContrast {
			break
		}
	}
	return s
}

// Shades returns an accent in light and dark mode.
func Shades(accent RGB) (light, dark Shade) {
	return shadeOf(accent, lightGrounds, RGB{0, 0, 0}, 0.12), shadeOf(accent, darkGrounds, RGB{1, 1, 1}, 0.2)
}

// accentRules returns the style sheet of an accent.
func accentRules(accent RGB) []byte {
	light, dark := Shades(accent)
	rule := func(name string, a, b RGB) string {
		return "--" + name + ":light-dark(" + a.String() + "," + b.String() + ");"
	}
	return withSchemes([]byte(":root,:host{" + rule("accent", light.Accent, dark.Accent) + rule("accent-soft", light.soft, dark.soft) +
		rule("on-accent", light.on, dark.on) + rule("accent-solid", light.Accent, solid(accent)) + "}\n"))
}

// solid returns an accent as a background in dark mode. It has the same hue and chroma, is dark enough for white
// text, and is at most as bright as brightestSolid.
func solid(accent RGB) RGB {
	white, c := RGB{1, 1, 1}, accent
	for step := 0; step <= 100 && (contrast(white, c) < readableContrast || c.luminance() > brightestSolid); step++ {
		c = accent.mix(RGB{}, float64(step)/100)
	}
	return c
}

// brightestSolid is the luminance of oklch L 0.46. A brighter background dazzles at night.
const brightestSolid = 0.125

// accentFile returns the file name of an accent's style sheet. The name encodes the contents, so browsers may cache the file
// forever and any node can generate it.
func accentFile(accent RGB, rules []byte) string {
	sum := sha256.Sum256(rules)
	return "accent-" + strings.TrimPrefix(accent.String(), "#") + "." + hex.EncodeToString(sum[:6]) + ".css"
}

// AccentAddress returns the address of an accent's style sheet, or "" for the default accent.
func AccentAddress(text string) string {
	accent, ok := ReadColor(text)
	if !ok {
		return ""
	}
	return "/static/" + accentFile(accent, accentRules(accent))
}

// SiteAccent returns the address of a site's accent style sheet, or "".
func SiteAccent(site *tenancy.Site) string {
	if site == nil {
		return ""
	}
	return AccentAddress(site.Settings.Accent)
}

// accentSheet returns the style sheet with a name, or nil.
func accentSheet(name string) []byte {
	digits, _, _ := strings.Cut(strings.TrimPrefix(name, "accent-"), ".")
	accent, ok := ReadColor("#" + digits)
	if !ok {
		return nil
	}
	rules := accentRules(accent)
	if accentFile(accent, rules) != name {
		return nil
	}
	return rules
}
