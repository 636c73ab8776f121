package i18n

import (
	"slices"
	"sort"
	"strings"
	"sync"

	"golang.org/x/text/language"
)

// How much of an Accept-Language header is read, and how many are remembered.
const (
	longestHeader = 256
	mostWishes    = 16
	mostHeaders   = 1024
)

// answers remembers which language a header chose, "" for none.
var answers = struct {
	sync.RWMutex
	byHeader map[string]string
}{byHeader: map[string]string{}}

// Match returns the language that suits an Accept-Language header best, or
// fallback when none does. A fallback without a catalogue becomes English.
// Headers may be anything; entries that make no sense are passed over.
func Match(acceptLanguage, fallback string) string {
	if !Supported(fallback) {
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

// MatchAmong is Match for less than all languages; fallback is one of them.
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

// matcherOf returns what chooses among tags.
func matcherOf(tags []string) language.Matcher {
	list := make([]language.Tag, len(tags))
	for i, tag := range tags {
		list[i] = language.Make(tag)
	}
	return language.NewMatcher(list)
}

// remembered returns what was chosen for a header before, or chooses.
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

// bounded cuts a long header after its last whole entry.
func bounded(header string) string {
	if len(header) <= longestHeader {
		return header
	}
	header = header[:longestHeader]
	return header[:max(strings.LastIndexByte(header, ','), 0)]
}

// norwegian reports whether a tag is one of Norwegian. Where there is no catalogue of it,
// CLDR would answer in Danish; who reads Norwegian rather names a language to fall back to.
func norwegian(tag string) bool {
	base, _ := language.Make(tag).Base()
	return slices.Contains([]string{"no", "nb", "nn"}, base.String())
}

// best returns the one of tags that a header asks for, or "".
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
