package reading

import (
	"bytes"
	"encoding/json"
	"iter"
)

// parts ranges over the elements of an array, or over the members of an object with their names. Each is a piece of the text itself, so a
// long text is never in memory twice. The text is valid JSON, and a text that is neither an array nor an object has no parts.
func parts(text []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		text = bytes.TrimSpace(text)
		if len(text) == 0 || text[0] != '[' && text[0] != '{' {
			return
		}
		named := text[0] == '{'
		for at := nextPart(text, 1); at < len(text)-1; {
			name := ""
			if named {
				end := partEnd(text, at)
				if json.Unmarshal(text[at:end], &name) != nil {
					return
				}
				at = nextPart(text, end)
			}
			end := partEnd(text, at)
			if !yield(name, text[at:end]) {
				return
			}
			at = nextPart(text, end)
		}
	}
}

// nextPart returns where the part behind blanks, commas and colons begins.
func nextPart(text []byte, at int) int {
	for at < len(text) && bytes.IndexByte([]byte(" \t\r\n,:"), text[at]) >= 0 {
		at++
	}
	return at
}

// partEnd returns where the part that begins at a place ends.
func partEnd(text []byte, at int) int {
	for depth := 0; at < len(text); at++ {
		switch text[at] {
		case '"':
			for at++; at < len(text) && text[at] != '"'; at++ {
				if text[at] == '\\' {
					at++
				}
			}
		case '[', '{':
			depth++
			continue
		case ']', '}':
			if depth--; depth < 0 {
				return at
			}
		case ' ', '\t', '\r', '\n', ',', ':':
			if depth == 0 {
				return at
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return min(at+1, len(text))
		}
	}
	return len(text)
}
