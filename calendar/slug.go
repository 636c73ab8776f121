package calendar

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gosimple/slug"
	"golang.org/x/text/unicode/norm"
)

// maxSlug is the length of a slug in bytes (wire §3 Limits).
const maxSlug = 200

// Slug makes the last part of a public address from a title or from a slug a
// client sent (reference §17). Letters become lower case and lose their
// accents; Greek and Cyrillic are written in Latin letters as usual in lang;
// other scripts stay. HTML tags are dropped, apostrophes too, everything else
// between letters and digits is one dash. It has at most 200 bytes, is "" when
// nothing is left, and a slug is its own slug.
func Slug(text, lang string) string {
	s := strings.ToLower(norm.NFKC.String(CleanTerm(text)))
	w := slugWriter{lang: primaryLanguage(lang)}
	for s != "" {
		run, rest := foldedRun(s)
		if run != "" {
			w.fold(run)
			s = rest
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		w.rune(r)
		s = s[size:]
	}
	return cutSlug(norm.NFC.String(w.out.String()), maxSlug)
}

// SlugSuffix returns the nth variant of a slug that is taken: base-n, within
// 200 bytes.
func SlugSuffix(base string, n int) string {
	number := strconv.Itoa(n)
	base = cutSlug(base, maxSlug-len(number)-1)
	if base == "" {
		return number
	}
	return base + "-" + number
}

// cutSlug shortens s to at most limit bytes and trims dashes and underscores.
func cutSlug(s string, limit int) string {
	s = strings.Trim(s, "-_")
	if len(s) <= limit {
		return s
	}
	for !utf8.RuneStart(s[limit]) {
		limit--
	}
	return strings.TrimRight(s[:limit], "-_")
}

type slugWriter struct {
	out    strings.Builder
	lang   string
	dash   bool // something was left out since the last letter
	joined bool // the last rune written is one that marks may follow
}

// rune writes what stays as it is, or notes a dash.
func (w *slugWriter) rune(r rune) {
	switch {
	case 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_':
		w.write(string(r))
	case r < utf8.RuneSelf && r != '\'':
		w.dash = true
	case silent(r):
	case unicode.IsMark(r):
		if w.joined && !w.dash {
			w.out.WriteRune(r)
		}
	case unicode.IsLetter(r) || unicode.IsNumber(r):
		w.write(string(r))
		w.joined = true
	default:
		w.dash = true
	}
}

// fold writes letters of a folded script in ASCII.
func (w *slugWriter) fold(run string) {
	if unicode.Is(unicode.Latin, firstRune(run)) {
		run = withoutAccents(run)
	}
	if !isASCII(run) {
		run = strings.NewReplacer("-", "", "_", "").Replace(slug.MakeLang(run, w.lang))
	}
	w.write(run)
}

func (w *slugWriter) write(s string) {
	if s == "" {
		return
	}
	if w.dash && w.out.Len() > 0 {
		w.out.WriteByte('-')
	}
	w.out.WriteString(s)
	w.dash, w.joined = false, false
}

// silent tells whether r leaves no gap in a word: apostrophes and characters
// that only direct the layout.
func silent(r rune) bool {
	switch r {
	case '\'', '’', '‘', 'ʼ', 'ʻ', 'ʹ':
		return true
	}
	return unicode.Is(unicode.Cf, r)
}

// foldedRun splits off the letters at the start of s that belong to one of the
// scripts written in Latin letters, with their marks.
func foldedRun(s string) (run, rest string) {
	script := foldedScript(firstRune(s))
	if script == nil {
		return "", s
	}
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.Is(script, r) && !unicode.Is(unicode.Mn, r) })
	if end < 0 {
		return s, ""
	}
	return s[:end], s[end:]
}

func foldedScript(r rune) *unicode.RangeTable {
	if !unicode.IsLetter(r) {
		return nil
	}
	for _, script := range []*unicode.RangeTable{unicode.Latin, unicode.Greek, unicode.Cyrillic} {
		if unicode.Is(script, r) {
			return script
		}
	}
	return nil
}

// withoutAccents reduces Latin letters to their base; ß becomes s.
func withoutAccents(s string) string {
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r == 'ß':
			b.WriteByte('s')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// primaryLanguage is the language of a tag such as el-GR.
func primaryLanguage(tag string) string {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	return strings.ToLower(tag)
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
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
