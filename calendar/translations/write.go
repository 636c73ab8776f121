package translations

import (
	"maps"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Write is the content of a write in one language. A nil Write removes that language.
type Write struct {
	Title, Description, Excerpt, Slug args.Opt[string]
	Cost                              args.Opt[any]
	SEOTitle, SEODesc                 args.Opt[string]
	Address, City, Country            args.Opt[string]
}

// sent is a text of a write with the name of its field.
type sent struct {
	name  string
	value *args.Opt[string]
}

// texts are the texts of a write, except the price.
func (s *Write) texts() []sent {
	return []sent{{"title", &s.Title}, {"description", &s.Description}, {"excerpt", &s.Excerpt}, {"slug", &s.Slug},
		{"seo_title", &s.SEOTitle}, {"seo_description", &s.SEODesc}, {"address", &s.Address}, {"city", &s.City},
		{"country", &s.Country}}
}

// over returns a previous write overwritten with the fields of this one.
func (s *Write) over(before *Write) *Write {
	all := *before
	into := all.texts()
	for i, one := range s.texts() {
		if one.value.Given() {
			*into[i].value = *one.value
		}
	}
	if s.Cost.Given() {
		all.Cost = s.Cost
	}
	return &all
}

// unlike divides the fields of a write: alone has those that the other write does not set, both has those that both
// writes set. The title is always in alone.
func (s *Write) unlike(other *Write) (alone, both *Write) {
	alone, both = &Write{}, &Write{}
	mine, lacking, common := s.texts(), alone.texts(), both.texts()
	for i, one := range mine {
		if into := lacking[i].value; other.has(one.name) && one.name != "title" {
			*common[i].value = *one.value
		} else {
			*into = *one.value
		}
	}
	if other.Cost.Given() {
		both.Cost = s.Cost
	} else {
		alone.Cost = s.Cost
	}
	return alone, both
}

// Writes are the content of a write by language, except the site's own.
type Writes map[string]*Write

// Said is the content of a write, separated by language.
type Said struct {
	Others   Writes
	site     string   // the site's own language
	main     string   // that the item's fields were sent in
	spoken   []string // languages of the texts served at the URL, the best first
	currency prices.Currency
	named    *Write // what was sent for the site's language by name
	original string // language of the title of a new item, and so of its other first texts; "": the site's
	first    *Write
}

// ByLanguage separates the content of a write by language. own holds the item's fields. They are in the language
// that the write sets, otherwise in that of the URL, otherwise in the site's. Content in the site's language stays
// in own. A new item without a title in the site's language keeps the sent fields as its own. name is the argument
// of the title.
func ByLanguage[F any, T interface {
	*F
	Write() *Write
}](scope *tenancy.Scope, in args.Opt[string], asked args.Opt[args.Named[F]], own *Write, name string, isNew bool) (*Said, error) {
	site := scope.Site
	found, said := &args.Problems{}, &Said{Others: Writes{}, site: site.Language, main: in.Or(""), spoken: scope.Spoken,
		currency: prices.CurrencyOf(site)}
	if said.main == "" {
		said.main = scope.Writes()
	}
	if err := InLanguage(site, said.main); err != nil {
		return said, err
	}
	others := said.Others
	if said.main != site.Language {
		others[said.main], *own = own.over(&Write{}), Write{}
	}
	texts := asked.Or(nil)
	for _, language := range slices.Sorted(maps.Keys(texts)) {
		text, where := texts[language], "translations."+language
		switch {
		case !site.Speaks(language):
			found.Invalid(where, "problem.content_language", map[string]any{"Allowed": strings.Join(site.Written(), ", ")})
		case language == site.Language && text == nil:
			found.Invalid(where, "problem.content_language.own", nil)
		case language == site.Language:
			said.named = T(text).Write()
			*own = *said.named.over(own)
		case text == nil:
			others[language] = nil
		case others[language] == nil:
			others[language] = T(text).Write()
		default:
			others[language] = T(text).Write().over(others[language])
		}
	}
	if isNew && said.main != site.Language && own.Title.Or("") == "" && len(found.Broken()) == 0 {
		if first := others[said.main]; first == nil || first.Title.Or("") == "" {
			found.Missing("translations." + site.Language + "." + name)
		} else {
			first, others[said.main] = first.unlike(own)
			own.Title = args.Opt[string]{}
			*own = *own.over(first)
			said.original, said.first = said.main, first
		}
	}
	return said, found.Err()
}

// InLanguage returns a problem with content_language if the site is not written in the language.
func InLanguage(site *tenancy.Site, language string) error {
	if site.Speaks(language) {
		return nil
	}
	return args.Invalid("content_language", "problem.content_language", map[string]any{"Allowed": strings.Join(site.Written(), ", ")})
}

// Update changes the translations of an item.
type Update struct {
	*Said
	Name   string // argument of the title
	Clean  func(title string) string
	Inline bool // descriptions have no paragraphs
	Bare   bool // only the title is translatable
	Dated  bool // the item is a date of a series, which gives it its slug
}

// Apply returns the texts of an item after a write that has changed the item's own fields from was to now. It corrects own
// fields that are in other languages, and those where the write only repeats a replacement (rule 15.4). Translations of a
// changed field become outdated.
func (r *Update) Apply(texts Texts, was Text, now *Text) (Texts, error) {
	if r.Said == nil {
		r.Said = &Said{}
	}
	if texts.raw == nil && len(r.Others) == 0 && r.original == "" {
		return texts, nil
	}
	u := &applying{Update: r, found: &args.Problems{}, all: texts.All(), now: now}
	u.was, u.marks = was, marks(u.all)
	u.own()
	for _, language := range slices.Sorted(maps.Keys(r.Others)) {
		if err := u.other(language, r.Others[language]); err != nil {
			return texts, err
		}
	}
	u.outdate()
	after := tidied(u.all)
	if r.original != "" {
		after = after.written(*now, r.original, r.first)
	}
	return after, u.found.Err()
}
