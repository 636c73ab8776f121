package args

import (
	"strconv"
	"strings"
)

// dateToken is a number, a lowercase word or a single sign.
type dateToken struct {
	kind  byte // 'n', 'w', the sign itself, or 0 at the end
	text  string
	n     int
	glued bool // no space before it
}

// number reports whether the token is a number of at most the given number of digits.
func (t dateToken) number(digits int) bool { return t.kind == 'n' && len(t.text) <= digits }

func (t dateToken) isWord(text string) bool { return t.kind == 'w' && t.text == text }

// dateTokens splits a text into tokens. It drops a trailing RFC 2822 comment in parentheses and fails on characters
// that no date contains.
func dateTokens(s string) ([]dateToken, bool) {
	if open := strings.IndexByte(s, '('); open > 0 && s[len(s)-1] == ')' {
		s = s[:open]
	}
	s = strings.ToLower(s)
	tokens := make([]dateToken, 0, 16)
	glued := false
	for i := 0; i < len(s); {
		if isBlank(s[i]) {
			i, glued = i+1, false
			continue
		}
		token, ok := nextToken(s[i:])
		if !ok {
			return nil, false
		}
		token.glued = glued
		tokens = append(tokens, token)
		i, glued = i+len(token.text), true
	}
	return tokens, true
}

func nextToken(s string) (dateToken, bool) {
	switch c := s[0]; {
	case isDigit(c):
		text := s[:len(s)-len(skipDigits(s))]
		n, err := strconv.Atoi(text)
		return dateToken{kind: 'n', text: text, n: n}, err == nil
	case isLetter(c):
		end := 1
		for end < len(s) && isLetter(s[end]) {
			end++
		}
		return dateToken{kind: 'w', text: s[:end]}, true
	default:
		return dateToken{kind: c, text: s[:1]}, strings.IndexByte("+-:/.,", c) >= 0
	}
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' }
