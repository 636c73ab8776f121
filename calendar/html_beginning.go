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
	b.Grow(min(len(clean), 512))
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
		from := 0 // of what is not written
		for i, r := range run {
			if isSpace(r) {
				if inWord {
					b.WriteString(run[from:i])
				}
				inWord = false
				continue
			}
			if inWord {
				continue
			}
			if words == 0 {
				return b.String(), true
			}
			words--
			inWord, from = true, i
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
		}
		if inWord {
			b.WriteString(run[from:])
		}
		clean = clean[end:]
	}
	return b.String(), false
}

// isSpace is unicode.IsSpace, at once for most letters.
func isSpace(r rune) bool {
	return (r <= ' ' || r >= 0x85) && unicode.IsSpace(r)
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
