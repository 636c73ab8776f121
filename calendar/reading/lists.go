package reading

import "strings"

// listEntry is one entry of a list in a cell.
type listEntry struct {
	text   string
	quoted bool
}

// listEntries splits a text at commas. A quoted entry may contain commas; a doubled quotation mark in it stands for one.
func listEntries(text string) []listEntry {
	var list []listEntry
	for quotes := true; text != ""; {
		text = strings.TrimSpace(text)
		entry, rest, quoted := "", "", false
		if quotes && strings.HasPrefix(text, `"`) {
			entry, rest, quoted = quotedEntry(text[1:])
			quotes = quoted // after an unclosed quotation mark, the rest is read without quoting
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

// quotedEntry returns the text before the closing quotation mark and the text after the comma that follows it.
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

// InList formats texts for listEntries. Numbers are quoted, because they would be read as ids.
func InList(texts []string) string {
	list := make([]string, 0, len(texts))
	for _, text := range texts {
		if strings.ContainsAny(text, `,"`) || digits.MatchString(text) {
			text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}
