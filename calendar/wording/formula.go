package wording

import "regexp"

// formula matches texts that a spreadsheet would interpret as a formula, and those that EscapeFormula may have escaped.
var formula = regexp.MustCompile(`^'*[=+\-@\t\r\n\x{FF1D}\x{FF0B}\x{FF0D}\x{FF20}]`)

// EscapeFormula prevents a spreadsheet from interpreting a text as a formula (CSV injection): it prepends an apostrophe.
// Imported files may contain it.
func EscapeFormula(text string) string {
	if formula.MatchString(text) {
		return "'" + text
	}
	return text
}

// UnescapeFormula removes the apostrophe that EscapeFormula prepends.
func UnescapeFormula(text string) string {
	if text != "" && text[0] == '\'' && formula.MatchString(text) {
		return text[1:]
	}
	return text
}
