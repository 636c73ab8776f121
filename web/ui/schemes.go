package ui

import (
	"regexp"
	"strings"
)

// colorRules matches a top-level rule whose declarations contain light-dark(), with its selectors and its declarations.
var colorRules = regexp.MustCompile(`(?m)^([^\s{}@/][^{}]*?)\s*\{([^{}]*light-dark\([^{}]*)\}`)

// withSchemes adds to each rule with light-dark() an equivalent for browsers that don't know this function (Safari
// before 17.5). The equivalent has the same specificity, so that later rules still override it.
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

// ofScheme returns the declarations that contain light-dark(), once with the colors of light mode and once with those of dark
// mode.
func ofScheme(declarations string) (light, dark string) {
	var ofDay, ofNight strings.Builder
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
		ofDay.WriteString(strings.TrimSpace(name) + ":" + strings.TrimSpace(day) + ";")
		ofNight.WriteString(strings.TrimSpace(name) + ":" + strings.TrimSpace(night) + ";")
	}
	return ofDay.String(), ofNight.String()
}

// twoColors splits the text after "light-dark(" into the two colors, which may contain parentheses, and the rest.
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
