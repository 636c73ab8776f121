package calendar

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Folding is the number of the rules by which Fold folds. Whoever changes them makes it
// one more: stored texts are then folded again.
const Folding = 1

// Fold reduces a text to what searches compare: small letters without accents,
// compatible forms and those of one letter made one, ligatures taken apart, digits those of
// ASCII, and nothing that isn't seen. Stored texts and searched words are folded alike, and
// a folded text stays as it is. It is the same in all languages, for nobody knows in which
// one a name is written.
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range norm.NFKD.String(s) {
		r = unicode.ToLower(r)
		if letters, ok := takenApart[r]; ok {
			b.WriteString(letters)
		} else if letter := alike(r); letter >= 0 {
			b.WriteRune(letter)
		}
	}
	return norm.NFC.String(nasals.Replace(b.String()))
}

// alike returns the letter that stands for one, -1 for what isn't compared.
func alike(r rune) rune {
	switch {
	case r < 0x300:
		return r
	case unicode.Is(unicode.Cf, r), r == 0x640, r >= 0xfe00 && r <= 0xfe0f, r == 0x34f:
		return -1 // joiners and marks of direction, the stroke that makes Arabic words longer, how a sign is drawn
	case unicode.Is(unicode.Mn, r):
		if accent(r) {
			return -1
		}
	case unicode.Is(unicode.Nd, r):
		return '0' + digit(r)
	}
	return r
}

// accent reports whether a mark says how a letter sounds: the accents of Europe, the vowels
// of Arabic and Hebrew, the nukta of Hindi. Other marks are letters like any: the vowels of
// Indian scripts and of Thai, and the signs that make が of か. Unicode numbers them by class.
func accent(r rune) bool {
	switch class := norm.NFKD.PropertiesString(string(r)).CCC(); {
	case class == 0, class == 8, class == 9, class >= 84 && class <= 132:
		return false
	}
	return true
}

// digit is what a decimal digit stands for: those of a script are ten in a row.
func digit(r rune) rune {
	first := r
	for unicode.Is(unicode.Nd, first-1) && r-first < 9 {
		first--
	}
	return r - first
}

// takenApart are the letters that Unicode doesn't decompose though people who
// lack the key write them otherwise.
var takenApart = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ħ': "h", 'ŧ': "t",
	'ŋ': "n", 'ı': "i", 'ĸ': "q", 'ƀ': "b", 'ɨ': "i", 'ς': "σ",
	// As keyboards of Arabic, Persian and Urdu have them.
	'ی': "ي", 'ى': "ي", 'ے': "ي", 'ک': "ك", 'ة': "ه", 'ە': "ه", 'ہ': "ه", 'ھ': "ه", 'ٱ': "ا",
	'\u0901': "\u0902", '’': "'", '‘': "'", 'ʼ': "'", 'ʻ': "'", '׳': "'", '״': `"`,
}

// nasals are written as letters or as a dot in Hindi: हिन्दी is हिंदी.
var nasals = strings.NewReplacer("ङ्", "\u0902", "ञ्", "\u0902", "ण्", "\u0902", "न्", "\u0902", "म्", "\u0902")
