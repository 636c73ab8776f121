package calendar

import (
	"html"
	"strings"
	"unicode"
)

// Beginning returns the first words of sanitised HTML as plain text, as
// PlainText would, and whether there are more. It reads no further than it must:
// structured data of every event is made of it.
func Beginning(clean string, words int) (text string, more bool) {
	var b strings.Builder
	inWord := false
	for clean != "" {
		if clean[0] == '<' {
			name, rest := cutTag(clean)
			inWord = inWord && name != "br" && !blockTags[name]
			clean = rest
			continue
		}
		end := strings.IndexByte(clean, '<')
		if end < 0 {
			end = len(clean)
		}
		run := clean[:end]
		if strings.IndexByte(run, '&') >= 0 {
			run = html.UnescapeString(run)
		}
		for _, r := range run {
			switch {
			case unicode.IsSpace(r):
				inWord = false
				continue
			case !inWord && words == 0:
				return b.String(), true
			case !inWord:
				words--
				inWord = true
				if b.Len() > 0 {
					b.WriteByte(' ')
				}
			}
			b.WriteRune(r)
		}
		clean = clean[end:]
	}
	return b.String(), false
}

// cutTag cuts a tag off the beginning of sanitised HTML and returns its name.
func cutTag(clean string) (name, rest string) {
	end := strings.IndexByte(clean, '>')
	if end < 0 {
		return "", ""
	}
	name = strings.TrimPrefix(clean[1:end], "/")
	if i := strings.IndexAny(name, " /\n"); i >= 0 {
		name = name[:i]
	}
	return name, clean[end+1:]
}
