package i18n

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/kalends/kalends/tenancy"
)

// Texts of a site can be in any language, while the interface is in those with a catalog. A tag without one has its name and
// direction from CLDR, and the texts of the interface in the language nearest to it (ADR 150).

// mostTags is the maximum number of tags for which what CLDR says is cached.
const mostTags = 1024

// known is what CLDR says of a tag.
type known struct {
	nearest     string // catalog, or "" if CLDR names none
	name        string // the language's own name
	rightToLeft bool
}

var tags = struct {
	sync.RWMutex
	of map[string]known
}{of: map[string]known{}}

// related are languages whose readers mostly read another one as well, where CLDR names none.
var related = map[string]string{
	"ca": "es", "ast": "es", "an": "es", "sk": "cs", "li": "nl", "nds": "de", "scn": "it", "sc": "it", "vec": "it",
	"lmo": "it", "nap": "it", "fur": "it", "yue": "zh-Hans", "ps": "fa",
}

// knownOf returns what CLDR says of a tag.
func (s *set) knownOf(tag string) known {
	tags.RLock()
	k, there := tags.of[tag]
	tags.RUnlock()
	if there {
		return k
	}
	parsed := language.Make(tag)
	k = known{name: capital(display.Self.Name(parsed)), rightToLeft: rightToLeft(parsed)}
	base, _ := parsed.Base()
	if _, at, sure := s.matcher.Match(parsed); sure > language.No {
		k.nearest = s.tags[at]
	} else {
		k.nearest = related[base.String()]
	}
	tags.Lock()
	defer tags.Unlock()
	if len(tags.of) >= mostTags {
		clear(tags.of)
	}
	tags.of[strings.Clone(tag)] = k
	return k
}

// named is a language and the language of the interface in which it is named.
type named struct{ in, tag string }

// languageNames remembers what NameWithin returns for languages without a region or a script: forms name sixty of them, and there are a
// few hundred.
var languageNames sync.Map

// NameOf returns the name of a language in a language of the interface, such as German or Allemand, as a heading or an option has it;
// the tag if CLDR has none.
func NameOf(in, tag string) string { return capital(NameWithin(in, tag)) }

// NameWithin is NameOf as a sentence has it, such as German or allemand.
func NameWithin(in, tag string) string {
	key := named{Interface(in), tag}
	if name, known := languageNames.Load(key); known {
		return name.(string)
	}
	names := display.Languages(language.Make(key.in))
	if names == nil {
		return tag
	}
	name := names.Name(language.Make(tag))
	if name == "" {
		return tag
	}
	if !strings.Contains(tag, "-") {
		key.tag = strings.Clone(tag)
		languageNames.Store(key, name)
	}
	return name
}

// CountryName returns the name of a country in a language of the interface; the code if CLDR has none.
func CountryName(in, code string) string {
	names := display.Regions(language.Make(Interface(in)))
	region, err := language.ParseRegion(code)
	if names == nil || err != nil {
		return code
	}
	return capital(cmp.Or(names.Name(region), code))
}

// CountryOf returns the code of the country in which most people speak a language, or of the one that the tag names.
func CountryOf(tag string) string {
	region, _ := language.Make(tag).Region()
	return region.String()
}

// capital capitalizes a name, as the names in the catalogs are.
func capital(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	if size == 0 {
		return ""
	}
	return string(unicode.ToTitle(first)) + name[size:]
}

// Interface returns the language of the interface for readers of a language: itself or its general language if there is a
// catalog, or else the nearest by CLDR, such as Spanish for Catalan, or else English.
func Interface(lang string) string {
	if c := loaded().find(lang); c != nil {
		return c.tag
	}
	return source
}

// Offers reports whether the public pages of a site are available in a language. Without a choice of languages, these are those of the
// interface and those in which the site is written.
func Offers(site *tenancy.Site, lang string) bool {
	return site.Offers(lang) && (len(site.Settings.Languages) > 0 || Supported(lang) || site.Speaks(lang))
}

// Offered returns the languages of a site's public pages, those of the interface first; without a site, all of these.
func Offered(site *tenancy.Site) []string {
	list := Languages()
	if site == nil {
		return list
	}
	for _, more := range [][]string{{site.Language}, site.Settings.Languages, site.Settings.ContentLanguages} {
		for _, tag := range more {
			if !slices.Contains(list, tag) {
				list = append(list, tag)
			}
		}
	}
	return slices.DeleteFunc(list, func(tag string) bool { return !Offers(site, tag) })
}

// Beyond reports whether a site has texts or pages in a language without a catalog.
func Beyond(site *tenancy.Site) bool {
	more := func(tag string) bool { return !Supported(tag) }
	return more(site.Language) || slices.ContainsFunc(site.Settings.Languages, more) ||
		slices.ContainsFunc(site.Settings.ContentLanguages, more)
}

// NoLanguage is the tag for an event that people can attend without knowing a language.
const NoLanguage = "zxx"

// Fact returns the name of a value of an event's field, such as wheelchair of accessibility. Languages have their names in lang.
func Fact(lang, field, word string) string {
	if field == "event_language" && word != NoLanguage {
		return NameOf(lang, word)
	}
	return Text(lang, "public.fact."+field+"."+word, nil)
}
