package wording

import (
	"html"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Folding is the version of the rules of Fold, and of the selection of texts that searches look through. It must be
// incremented whenever either changes, so that stored texts are folded again.
const Folding = 3

// Fold normalizes a text for search: lowercase without accents, compatibility forms and letter variants unified,
// ligatures split, ASCII digits, no invisible characters. Stored texts and search words are folded alike, and folding
// is idempotent. It does not depend on the language, because the language of a name is unknown.
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

// FoldName returns a name in the form in which names are compared: folded, without HTML entities and extra white space.
func FoldName(name string) string {
	return strings.Join(strings.Fields(Fold(html.UnescapeString(name))), " ")
}

// SpelledOut returns the folded words of a text in which people whose keyboard lacks a letter type two letters instead:
// "mueller" for Müller, "aalborg" for Ålborg. Fold produces the form with one letter, and searches find both.
func SpelledOut(text string) []string {
	if isASCII(text) || !strings.ContainsAny(norm.NFC.String(text), "äöüøåÄÖÜØÅ") {
		return nil
	}
	var words []string
	for _, word := range strings.FieldsFunc(strings.ToLower(norm.NFC.String(text)), func(r rune) bool { return !InWord(r) }) {
		if strings.ContainsAny(word, "äöüøå") {
			words = append(words, Fold(twoLetters.Replace(word)))
		}
	}
	return words
}

// twoLetters are the letters that can be typed as two, as in German, Danish and Norwegian.
var twoLetters = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ø", "oe", "å", "aa")

// alike returns the canonical variant of a letter, or -1 if the rune is ignored in comparisons.
func alike(r rune) rune {
	switch {
	case r < 0x300:
		return r
	case unicode.Is(unicode.Cf, r), r == 0x640, r >= 0xfe00 && r <= 0xfe0f, r == 0x34f:
		return -1 // joiners, direction marks, the Arabic tatweel, variation selectors
	case unicode.Is(unicode.Mn, r):
		if accent(r) {
			return -1
		}
	case unicode.Is(unicode.Nd, r):
		return '0' + digit(r)
	}
	return r
}

// accent reports whether a mark only modifies the sound of a letter: the accents of Europe, the vowels of Arabic and
// Hebrew, the nukta of Hindi. Other marks count as letters: the vowels of Indian scripts and of Thai, and the signs
// that turn か into が. The Unicode combining class tells them apart.
func accent(r rune) bool {
	switch class := norm.NFKD.PropertiesString(string(r)).CCC(); {
	case class == 0, class == 8, class == 9, class >= 84 && class <= 132:
		return false
	}
	return true
}

// digit returns the value of a decimal digit. The ten digits of a script are consecutive.
func digit(r rune) rune {
	first := r
	for unicode.Is(unicode.Nd, first-1) && r-first < 9 {
		first--
	}
	return r - first
}

// takenApart are letters that Unicode does not decompose although people type others for them if their keyboard lacks them.
var takenApart = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ħ': "h", 'ŧ': "t",
	'ŋ': "n", 'ı': "i", 'ĸ': "q", 'ƀ': "b", 'ɨ': "i", 'ς': "σ",
	// as on Arabic, Persian and Urdu keyboards
	'ی': "ي", 'ى': "ي", 'ے': "ي", 'ک': "ك", 'ة': "ه", 'ە': "ه", 'ہ': "ه", 'ھ': "ه", 'ٱ': "ا",
	'\u0901': "\u0902", '’': "'", '‘': "'", 'ʼ': "'", 'ʻ': "'", '׳': "'", '״': `"`,
}

// nasals can be written as a letter or as a dot in Hindi: हिन्दी is हिंदी.
var nasals = strings.NewReplacer("ङ्", "\u0902", "ञ्", "\u0902", "ण्", "\u0902", "न्", "\u0902", "म्", "\u0902")

// ASCIIDigits returns a text with Arabic, Persian and Devanagari digits as ASCII.
func ASCIIDigits(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= '٠' && c <= '٩':
			return c - '٠' + '0'
		case c >= '۰' && c <= '۹':
			return c - '۰' + '0'
		case c >= '०' && c <= '९':
			return c - '०' + '0'
		}
		return c
	}, text)
}
