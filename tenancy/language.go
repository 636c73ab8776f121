package tenancy

import (
	"strings"

	"golang.org/x/text/language"
)

// longestTag is the length of language tags that BCP 47 recommends programs to support.
const longestTag = 35

// LanguageTag returns the canonical form of a language tag (BCP 47), such as pt-PT for PT_pt. It returns "" for
// anything else. The language must be registered; private subtags and extensions are not accepted.
func LanguageTag(text string) string {
	if len(text) < 2 || len(text) > longestTag {
		return ""
	}
	tag, err := language.Parse(text)
	if err != nil || len(tag.Extensions()) > 0 {
		return ""
	}
	switch base, sure := tag.Base(); {
	case sure != language.Exact, base.String() == "und", base.String() == "mul", base.String() == "zxx", base.String() == "mis":
		return ""
	}
	return tag.String()
}

// notLanguages are first segments of paths that are also language tags: of Tagoi, Apiaká, Biliau, the Austronesian
// and the Land Dayak languages. As paths, these tags do not name a language.
var notLanguages = map[string]bool{"tag": true, "api": true, "map": true, "day": true}

// PathLanguage returns the canonical tag of the language that the first segment of a path names, or "".
func PathLanguage(segment string) string {
	first, _, _ := strings.Cut(segment, "-")
	if len(first) < 2 || len(first) > 3 || notLanguages[strings.ToLower(segment)] {
		return ""
	}
	for i := range len(first) {
		if c := first[i] | 0x20; c < 'a' || c > 'z' {
			return ""
		}
	}
	return LanguageTag(segment)
}
