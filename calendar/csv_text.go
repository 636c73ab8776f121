package calendar

import (
	"regexp"
	"strings"
)

// formula are the texts that a spreadsheet takes for a formula, and those that look
// like one which was kept from being taken so.
var formula = regexp.MustCompile(`^'*[=+\-@\t\r\n\x{FF1D}\x{FF0B}\x{FF0D}\x{FF20}]`)

// Tame keeps a spreadsheet from taking a text for a formula: it puts an apostrophe
// before it. A file that is imported may have it.
func Tame(text string) string {
	if formula.MatchString(text) {
		return "'" + text
	}
	return text
}

// untame takes away what Tame puts before a text.
func untame(text string) string {
	if text[0] == '\'' && formula.MatchString(text) {
		return text[1:]
	}
	return text
}

// listEntry is an entry of a list in a cell.
type listEntry struct {
	text   string
	quoted bool
}

// listEntries parts a text at its commas. An entry in quotation marks may have commas
// of its own; two marks in it are one.
func listEntries(text string) []listEntry {
	var list []listEntry
	for quotes := true; text != ""; {
		text = strings.TrimSpace(text)
		entry, rest, quoted := "", "", false
		if quotes && strings.HasPrefix(text, `"`) {
			entry, rest, quoted = quotedEntry(text[1:])
			quotes = quoted // what isn't closed is read once
		}
		if !quoted {
			entry, rest, _ = strings.Cut(text, ",")
		}
		if entry = strings.TrimSpace(entry); entry != "" {
			list = append(list, listEntry{entry, quoted})
		}
		text = rest
	}
	return list
}

// quotedEntry returns what stands before the closing mark, and what behind the comma
// after it.
func quotedEntry(text string) (entry, rest string, ok bool) {
	var b strings.Builder
	for {
		part, behind, closed := strings.Cut(text, `"`)
		b.WriteString(part)
		behind, again := strings.CutPrefix(behind, `"`)
		switch {
		case !closed:
			return "", "", false
		case again:
			b.WriteByte('"')
			text = behind
			continue
		}
		behind = strings.TrimSpace(behind)
		rest, comma := strings.CutPrefix(behind, ",")
		return b.String(), rest, comma || behind == ""
	}
}

// commaList returns the texts of listEntries.
func commaList(text string) []any {
	list := []any{}
	for _, entry := range listEntries(text) {
		list = append(list, entry.text)
	}
	return list
}

// inList writes texts as listEntries reads them. A number is in quotation marks, for
// it would be an id.
func inList(texts []string) string {
	list := make([]string, 0, len(texts))
	for _, text := range texts {
		if strings.ContainsAny(text, `,"`) || digits.MatchString(text) {
			text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}
