package ui

import (
	"regexp"
	"strings"
)

// colorRules matches a rule outside of others, with its selectors and its declarations.
var colorRules = regexp.MustCompile(`(?m)^([^\s{}@/][^{}]*?)\s*\{([^{}]*light-dark\([^{}]*)\}`)

// withSchemes adds to each rule with colors for day and night the same for browsers that don't know light-dark() (Safari before 17.5).
// It has the specificity of the rule, so that what comes later counts more.
func withSchemes(sheet []byte) []byte {
	return colorRules.ReplaceAllFunc(sheet, func(rule []byte) []byte {
		parts := colorRules.FindSubmatch(rule)
		light, dark := ofScheme(string(parts[2]))
		var selectors, notLight, night []string
		for selector := range strings.SplitSeq(string(parts[1]), ",") {
			selector = strings.TrimSpace(selector)
			selectors = append(selectors, selector)
			notLight = append(notLight, selector+`:where(:not([data-theme="light"]))`)
			if selector == ":root" {
				selectors = append(selectors, `[data-theme="light"]`)
				night = append(night, `[data-theme="dark"]`, `[data-look="night"]`)
			} else {
				night = append(night, selector+`:where([data-theme="dark"])`)
			}
		}
		text := func(selectors []string, declarations string) string {
			return strings.Join(selectors, ",") + "{" + declarations + "}"
		}
		return []byte(string(rule) + "\n@supports not (color: light-dark(#000, #fff)) { " + text(selectors, light) +
			" @media (prefers-color-scheme: dark) { " + text(notLight, dark) + " } " + text(night, dark) + " }")
	})
}

// ofScheme returns those of some declarations that depend on the scheme, as they are in each.
func ofScheme(declarations string) (light, dark string) {
	for one := range strings.SplitSeq(declarations, ";") {
		name, value, ok := strings.Cut(one, ":")
		if !ok || !strings.Contains(value, "light-dark(") {
			continue
		}
		if at := strings.LastIndex(name, "*/"); at >= 0 {
			name = name[at+2:]
		}
		day, night := value, value
		for {
			before, rest, found := strings.Cut(day, "light-dark(")
			if !found {
				break
			}
			first, second, after := twoColors(rest)
			day = before + first + after
			before, rest, _ = strings.Cut(night, "light-dark(")
			_, _, after = twoColors(rest)
			night = before + second + after
		}
		light += strings.TrimSpace(name) + ":" + strings.TrimSpace(day) + ";"
		dark += strings.TrimSpace(name) + ":" + strings.TrimSpace(night) + ";"
	}
	return light, dark
}

// twoColors splits what follows "light-dark(": two colors, of which each may have parentheses, and what comes after them.
func twoColors(text string) (first, second, after string) {
	depth, comma := 0, -1
	for i, letter := range text {
		switch {
		case letter == '(':
			depth++
		case letter == ')' && depth == 0:
			return strings.TrimSpace(text[:max(comma, 0)]), strings.TrimSpace(text[comma+1 : i]), text[i+1:]
		case letter == ')':
			depth--
		case letter == ',' && depth == 0 && comma < 0:
			comma = i
		}
	}
	return text, text, ""
}
