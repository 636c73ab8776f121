package wording

import (
	"html"
	"strings"
	"unicode"
)

// Beginning returns the first words of sanitized HTML as plain text, like PlainText, and whether there are more. It
// reads no more than necessary, because it runs for the structured data of every event.
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
		from := 0 // start of the text not written yet
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

// isSpace is unicode.IsSpace with a fast path for most letters.
func isSpace(r rune) bool {
	return (r <= ' ' || r >= 0x85) && unicode.IsSpace(r)
}

// cutTag removes the tag at the start of sanitized HTML and returns its name and the rest.
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
