package calendar

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold reduces a text to what searches compare: small letters without accents,
// compatible forms made one, ligatures taken apart. Stored texts and searched
// words are folded alike, and a folded text stays as it is.
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range norm.NFKD.String(s) {
		if r = unicode.ToLower(r); unicode.Is(unicode.Mn, r) {
			continue
		}
		if letters, ok := takenApart[r]; ok {
			b.WriteString(letters)
		} else {
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

// takenApart are the letters that Unicode doesn't decompose though people who
// lack the key write them otherwise.
var takenApart = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ħ': "h", 'ŧ': "t",
	'ŋ': "n", 'ı': "i", 'ĸ': "q", 'ƀ': "b", 'ɨ': "i", 'ς': "σ",
}
