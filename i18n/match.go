package i18n

import (
	"slices"
	"sort"
	"strings"
	"sync"

	"golang.org/x/text/language"
)

// How much of an Accept-Language header is parsed, and how many are cached.
const (
	longestHeader = 256
	mostWishes    = 16
	mostHeaders   = 1024
)

// answers caches which language a header selects; "" means none.
var answers = struct {
	sync.RWMutex
	byHeader map[string]string
}{byHeader: map[string]string{}}

// Match returns the language that matches an Accept-Language header best, or fallback if none does; without one, English. Invalid
// entries of the header are skipped.
func Match(acceptLanguage, fallback string) string {
	if fallback == "" {
		fallback = source
	}
	header := bounded(acceptLanguage)
	if header == "" {
		return fallback
	}
	tag := remembered(header, func() string { return best(header, loaded().matcher, loaded().tags) })
	if tag == "" {
		return fallback
	}
	return tag
}

// MatchAmong is Match for some of the languages. fallback must be one of them.
func MatchAmong(acceptLanguage, fallback string, tags []string) string {
	header := bounded(acceptLanguage)
	if header == "" {
		return fallback
	}
	tag := remembered(strings.Join(tags, " ")+"\n"+header, func() string { return best(header, matcherOf(tags), tags) })
	if tag == "" {
		return fallback
	}
	return tag
}

// matcherOf returns a matcher for tags.
func matcherOf(tags []string) language.Matcher {
	list := make([]language.Tag, len(tags))
	for i, tag := range tags {
		list[i] = language.Make(tag)
	}
	return language.NewMatcher(list)
}

// remembered returns the cached choice for a header, or calls choose.
func remembered(header string, choose func() string) string {
	answers.RLock()
	tag, known := answers.byHeader[header]
	answers.RUnlock()
	if known {
		return tag
	}
	tag = choose()
	answers.Lock()
	defer answers.Unlock()
	if len(answers.byHeader) >= mostHeaders {
		clear(answers.byHeader)
	}
	answers.byHeader[strings.Clone(header)] = tag // the caller may reuse its bytes
	return tag
}

// bounded truncates a long header after the last complete entry.
func bounded(header string) string {
	if len(header) <= longestHeader {
		return header
	}
	header = header[:longestHeader]
	return header[:max(strings.LastIndexByte(header, ','), 0)]
}

// norwegian reports whether a tag is Norwegian. Without a Norwegian catalog CLDR would select Danish, but Norwegian
// readers prefer a fallback that they name.
func norwegian(tag string) bool {
	base, _ := language.Make(tag).Base()
	return slices.Contains([]string{"no", "nb", "nn"}, base.String())
}

// best returns the tag that a header asks for, or "".
func best(header string, among language.Matcher, tags []string) string {
	type wish struct {
		tag    language.Tag
		weight float32
	}
	var wishes []wish
	for _, entry := range strings.SplitN(header, ",", mostWishes+1) {
		tags, weights, err := language.ParseAcceptLanguage(entry)
		if err == nil && len(tags) == 1 && len(wishes) < mostWishes {
			wishes = append(wishes, wish{tags[0], weights[0]})
		}
	}
	sort.SliceStable(wishes, func(i, j int) bool { return wishes[i].weight > wishes[j].weight })
	wanted, known := make([]language.Tag, 0, len(wishes)), slices.ContainsFunc(tags, norwegian)
	for _, w := range wishes {
		if known || !norwegian(w.tag.String()) {
			wanted = append(wanted, w.tag)
		}
	}
	if _, at, sure := among.Match(wanted...); sure > language.No {
		return tags[at]
	}
	return ""
}
