package prices

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/i18n"
)

// vocabulary is the words of costs in all languages of the interface.
type vocabulary struct {
	free map[string]bool // folded
	and  *regexp.Regexp
}

var words = sync.OnceValue(func() vocabulary {
	v := vocabulary{free: map[string]bool{}}
	var apart, joined []string // words between spaces, and those of scripts that need none
	for _, language := range i18n.Languages() {
		free := i18n.Text(language, "public.free", nil) + "|" + i18n.Text(language, "public.free.typed", nil)
		for word := range strings.SplitSeq(free, "|") {
			v.free[wording.Fold(word)] = true
		}
		for word := range strings.SplitSeq(i18n.Text(language, "public.cost.and", nil), "|") {
			if strings.ContainsFunc(word, spaceless) {
				joined = append(joined, regexp.QuoteMeta(word))
			} else {
				apart = append(apart, regexp.QuoteMeta(word))
			}
		}
	}
	for _, list := range [][]string{apart, joined} {
		slices.SortFunc(list, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // the longest first
	}
	v.and = regexp.MustCompile(`^(?i: (?:` + strings.Join(apart, "|") + `) | ?(?:` + strings.Join(joined, "|") + `)[- ]?)`)
	return v
})

// spaceless reports whether the script of a letter has no spaces, or attaches "and" to the following word.
func spaceless(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Han, unicode.Hiragana, unicode.Hangul)
}

// freeOrAsWritten returns "0" for a text that only means "free", so that filters find the price and every page
// shows it in its own language. It keeps the word Free, which is understood everywhere.
func freeOrAsWritten(text string) string {
	bare := strings.TrimRight(text, ".!")
	if !strings.EqualFold(bare, Free) && words().free[wording.Fold(bare)] {
		return "0"
	}
	return text
}
