package calendar

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxSlug is the length of a slug in bytes, as addresses write it: three for each
// byte that isn't ASCII (rule 10.1).
const maxSlug = 200

// Slug makes the last part of a public address from a title, or from a slug a
// client sent, plain or percent-encoded (rule 10.1). Letters become lower
// case; Latin ones lose their accents; other scripts stay. HTML tags are dropped.
// Blanks, dots and slashes are one dash, and all other punctuation of ASCII leaves
// no gap. It is "" when nothing is left, and a slug is its own slug.
func Slug(text string) string { return slugWithin(text, maxSlug) }

// SoughtSlug is Slug for a slug that is looked for: one from before slugs had
// today's length is found, too.
func SoughtSlug(text string) string { return slugWithin(text, len(text)*9) }

func slugWithin(text string, limit int) string {
	s := cutEncoded(unaccented(strings.ToLower(norm.NFC.String(CleanTerm(decodedOctets(text))))), limit)
	var b strings.Builder
	dash := false
	for _, r := range s {
		switch {
		case gap(r):
			dash = true
		case !silent(r):
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		}
	}
	return unaccented(norm.NFC.String(b.String())) // what was left out may have parted a letter from its accent
}

// SlugSuffix returns the nth variant of a slug that is taken: base-n, within the
// length of slugs.
func SlugSuffix(base string, n int) string {
	number := strconv.Itoa(n)
	base = strings.TrimRight(cutEncoded(base, maxSlug-len(number)-1), "-")
	if base == "" {
		return number
	}
	return base + "-" + number
}

// EncodedSlug returns a slug, or slugs with slashes between, as it stands in
// addresses, and as the reference's clients know it.
func EncodedSlug(slug string) string {
	const hex = "0123456789abcdef"
	b := make([]byte, 0, 3*len(slug))
	for i := range len(slug) {
		switch c := slug[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '_', c == '/':
			b = append(b, c)
		default:
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(b)
}

// cutEncoded shortens s to what is at most limit bytes in an address.
func cutEncoded(s string, limit int) string {
	length := 0
	for i, r := range s {
		size := 1
		if r >= utf8.RuneSelf {
			size = 3 * utf8.RuneLen(r)
		}
		if length += size; length > limit {
			return s[:i]
		}
	}
	return s
}

var octets = regexp.MustCompile(`(%[0-9A-Fa-f]{2})+`)

// decodedOctets replaces what is percent-encoded by what it means; what means
// nothing stays.
func decodedOctets(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	return octets.ReplaceAllStringFunc(s, func(run string) string {
		if plain, err := url.PathUnescape(run); err == nil && utf8.ValidString(plain) {
			return plain
		}
		return run
	})
}

// gap reports whether a character parts words.
func gap(r rune) bool {
	switch r {
	case '-', '.', '/', '\u00a0', '–', '—', '\u2028', '\u2029', '\u202f':
		return true
	}
	return r < utf8.RuneSelf && unicode.IsSpace(r) || '\u2000' <= r && r <= '\u200a'
}

// silent reports whether a character leaves neither itself nor a gap: punctuation
// of ASCII, quotation marks and the like, and what can't be seen.
func silent(r rune) bool {
	if r < utf8.RuneSelf {
		return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}
	return strings.ContainsRune("¡¿«»‹›‘’‚‛“”„‟•©®°…™´ˊ\u0300\u0301\u0304\u030c\u0341\ufffc\ufffd", r) ||
		unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

// plainLetters are letters, and a few signs, that are written otherwise without
// their accents, beside those that Unicode takes apart.
var plainLetters = map[rune]string{'ß': "s", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'þ': "th", 'ł': "l", 'ħ': "h",
	'ı': "i", 'ĸ': "k", 'ŋ': "n", 'ŉ': "n", 'ŧ': "t", 'ŀ': "l", 'ſ': "s", 'ĳ': "ij", 'ə': "e", 'ǝ': "e", 'ɑ': "a", 'ª': "a", 'º': "o",
	'€': "e", '£': "", '×': "x"}

// unaccented reduces Latin letters of lower case to their base.
func unaccented(s string) string {
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		plain, known := plainLetters[r]
		switch {
		case known:
			b.WriteString(plain)
		case unicode.Is(unicode.Latin, r) && r >= utf8.RuneSelf:
			b.WriteString(strings.Map(unmarked, norm.NFD.String(string(r))))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func unmarked(r rune) rune {
	if unicode.Is(unicode.Mn, r) {
		return -1
	}
	return r
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
