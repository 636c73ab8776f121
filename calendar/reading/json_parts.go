package reading

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"
)

// parts ranges over the elements of an array, or over the members of an object with their names. Each part is a slice of text,
// so that long texts are not copied. text must be valid JSON. Values other than arrays and objects have no parts.
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

// nextPart returns the beginning of the next part after blanks, commas and colons.
func nextPart(text []byte, at int) int {
	for at < len(text) && strings.IndexByte(" \t\r\n,:", text[at]) >= 0 {
		at++
	}
	return at
}

// partEnd returns the end of the part that begins at a position.
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
