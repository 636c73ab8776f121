package args

import (
	"strings"
	"unicode"
)

// Visible returns a text without white space at its ends, or "" if nothing in it can be seen: white space, joiners, direction
// marks, variation selectors and the letters that only fill a place, such as U+3164.
func Visible(s string) string {
	s = strings.TrimSpace(s)
	if !strings.ContainsFunc(s, seen) {
		return ""
	}
	return s
}

// seen reports whether a letter or sign shows something.
func seen(r rune) bool {
	switch {
	case r < 0x7f:
		return r > ' '
	case r == 0x2800, unicode.IsSpace(r), unicode.IsControl(r): // the first is Braille without a dot
		return false
	case unicode.Is(unicode.Cf, r):
		return unicode.Is(unicode.Prepended_Concatenation_Mark, r)
	}
	return !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
