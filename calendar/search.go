package calendar

import (
	"strings"
	"unicode"
)

// ParseSearch splits a search text into words, phrases in quotes and words with
// a dash in front that must not occur (rule 5.6), each folded as the stored
// texts are.
func ParseSearch(text string) Search {
	s := Search{Text: text}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimLeftFunc(text, unicode.IsSpace) {
		without := len(text) > 1 && text[0] == '-'
		if without {
			text = text[1:]
		}
		var word string
		word, text = nextWord(text)
		switch folded := Fold(word); {
		case folded == "":
		case without:
			s.Without = append(s.Without, folded)
		default:
			s.Words = append(s.Words, folded)
		}
	}
	return s
}

// nextWord cuts the first word or quoted phrase off text.
func nextWord(text string) (word, rest string) {
	if text[0] == '"' {
		if end := strings.IndexByte(text[1:], '"'); end >= 0 {
			return text[1 : end+1], text[end+2:]
		}
		text = text[1:]
	}
	if end := strings.IndexFunc(text, unicode.IsSpace); end >= 0 {
		return text[:end], text[end:]
	}
	return text, ""
}
