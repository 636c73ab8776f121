package wording

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxSlug is the maximum length of a slug in an address, where each non-ASCII byte takes three (rule 10.1).
const maxSlug = 200

// Slug derives a slug from a title, or from a slug sent by a client, plain or percent-encoded (rule 10.1). It
// lowercases letters, removes accents from Latin ones, keeps other scripts, and drops HTML tags. Spaces, dots and
// slashes become a single dash; other ASCII punctuation is removed. The result may be "". Slug is idempotent.
func Slug(text string) string { return slugWithin(text, maxSlug) }

// SlugOf derives a slug from a title or name in a language. If the language spells a letter with two letters, it
// uses that spelling, as in WordPress: "strassenfest-am-muellerplatz" in German, "aalborg" in Danish. Otherwise it
// is Slug.
func SlugOf(title, language string) string {
	general, _, _ := strings.Cut(language, "-")
	if letters := slugLetters[general]; letters != nil && !isASCII(title) {
		title = letters.Replace(norm.NFC.String(title))
	}
	return Slug(title)
}

// slugLetters maps letters to their two-letter spellings in slugs, for the languages for which WordPress has them. Norwegian
// uses those of Danish.
var slugLetters = map[string]*strings.Replacer{
	"de": strings.NewReplacer("Ä", "Ae", "ä", "ae", "Ö", "Oe", "ö", "oe", "Ü", "Ue", "ü", "ue", "ß", "ss", "ẞ", "SS"),
	"da": danish, "nb": danish, "nn": danish, "no": danish,
	"ca": strings.NewReplacer("l·l", "ll", "L·L", "LL"),
	"sr": southSlavic, "bs": southSlavic,
}

var (
	danish      = strings.NewReplacer("Æ", "Ae", "æ", "ae", "Ø", "Oe", "ø", "oe", "Å", "Aa", "å", "aa")
	southSlavic = strings.NewReplacer("Đ", "DJ", "đ", "dj")
)

// SoughtSlug is Slug for lookups. It does not truncate, so that slugs from before the current length limit are found.
func SoughtSlug(text string) string { return slugWithin(text, len(text)*9) }

func slugWithin(text string, limit int) string {
	// only the tags of scripts are removed, as in TEC (rule 10.1)
	s := cutEncoded(unaccented(strings.ToLower(norm.NFC.String(CleanTitle(stripTags(decodedOctets(text), false, true))))), limit)
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
	return unaccented(norm.NFC.String(b.String())) // removed characters may have separated a letter from its accent
}

// SlugSuffix returns the nth variant of a taken slug, base-n, within the maximum length.
func SlugSuffix(base string, n int) string {
	number := strconv.Itoa(n)
	base = strings.TrimRight(cutEncoded(base, maxSlug-len(number)-1), "-")
	if base == "" {
		return number
	}
	return base + "-" + number
}

// EncodedSlug percent-encodes a slug, or slugs separated by slashes, as addresses need it and TEC's clients expect it.
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

// cutEncoded truncates s so that it takes at most limit bytes in an address.
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

// decodedOctets decodes percent-encoding where the result is valid.
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

// gap reports whether a character separates words.
func gap(r rune) bool {
	switch r {
	case '-', '.', '/', '\u00a0', '–', '—', '\u2028', '\u2029', '\u202f':
		return true
	}
	return r < utf8.RuneSelf && unicode.IsSpace(r) || '\u2000' <= r && r <= '\u200a'
}

// silent reports whether a character is removed without separating words: ASCII punctuation, quotation marks and
// invisible characters.
func silent(r rune) bool {
	if r < utf8.RuneSelf {
		return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}
	return strings.ContainsRune("¡¿«»‹›‘’‚‛“”„‟•©®°…™´ˊ\u0300\u0301\u0304\u030c\u0341\ufffc\ufffd", r) ||
		unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

// plainLetters are the base forms of letters and signs that Unicode does not decompose.
var plainLetters = map[rune]string{'ß': "s", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'þ': "th", 'ł': "l", 'ħ': "h",
	'ı': "i", 'ĸ': "k", 'ŋ': "n", 'ŉ': "n", 'ŧ': "t", 'ŀ': "l", 'ſ': "s", 'ĳ': "ij", 'ə': "e", 'ǝ': "e", 'ɑ': "a", 'ª': "a", 'º': "o",
	'€': "e", '£': "", '×': "x"}

// unaccented reduces lowercase Latin letters to their base letters.
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
