package translations

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/tenancy"
)

// Write is the content of a write in one language. Nil removes that language.
type Write struct {
	Title, Description, Excerpt, Slug args.Opt[string]
	Cost                              args.Opt[any]
	SEOTitle, SEODesc                 args.Opt[string]
}

// over merges a write over a previous one.
func (s *Write) over(before *Write) *Write {
	all := *before
	for _, one := range []struct {
		value args.Opt[string]
		into  *args.Opt[string]
	}{{s.Title, &all.Title}, {s.Description, &all.Description}, {s.Excerpt, &all.Excerpt}, {s.Slug, &all.Slug},
		{s.SEOTitle, &all.SEOTitle}, {s.SEODesc, &all.SEODesc}} {
		if one.value.Given() {
			*one.into = one.value
		}
	}
	if s.Cost.Given() {
		all.Cost = s.Cost
	}
	return &all
}

// Writes are the content of a write by language, except the site's own.
type Writes map[string]*Write

// ByLanguage separates the content of a write by language. own are its own fields, in the language it names or else
// the site's; content in the site's language is left there. name is the argument of the title.
func ByLanguage[F any, T interface {
	*F
	Write() *Write
}](site *tenancy.Site, in args.Opt[string], asked args.Opt[args.Named[F]], own *Write, name string, isNew bool) (Writes, error) {
	found, others := &args.Problems{}, Writes{}
	language := in.Or("")
	if language == "" {
		language = site.Language
	}
	if err := InLanguage(site, language); err != nil {
		return nil, err
	}
	if language != site.Language {
		others[language], *own = own.over(&Write{}), Write{}
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
			*own = *T(text).Write().over(own)
		case text == nil:
			others[language] = nil
		case others[language] == nil:
			others[language] = T(text).Write()
		default:
			others[language] = T(text).Write().over(others[language])
		}
	}
	if isNew && language != site.Language && own.Title.Or("") == "" && len(found.Broken()) == 0 {
		found.Missing("translations." + site.Language + "." + name)
	}
	return others, found.Err()
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
	Writes Writes
	Name   string // argument of the title
	Clean  func(title string) string
	Inline bool // descriptions have no paragraphs
	Bare   bool // only the title is translatable
}

// Apply returns the translations after a write. If changed is set, the source text has changed, and translations that
// the write does not contain become outdated.
func (r *Update) Apply(ctx context.Context, texts Texts, changed bool) (Texts, error) {
	if len(r.Writes) == 0 {
		if changed && texts.raw != nil {
			texts = texts.Outdated(func(string) bool { return false })
		}
		return texts, nil
	}
	found, all := &args.Problems{}, texts.All()
	for _, language := range slices.Sorted(maps.Keys(r.Writes)) {
		write := r.Writes[language]
		if write == nil {
			delete(all, language)
			continue
		}
		was := all[language]
		now := was
		if err := found.Add(r.set(ctx, "translations."+language+".", write, &now)); err != nil {
			return texts, err
		}
		if now.Version, now.Outdated = was.Version, false; !now.SameAs(was) {
			now.Version = 0
		}
		if all[language] = now; now.empty() {
			delete(all, language)
		}
	}
	if texts = Of(all); changed {
		texts = texts.Outdated(func(language string) bool { return r.Writes[language] != nil })
	}
	return texts, found.Err()
}

// set sets the texts in one language.
func (r *Update) set(ctx context.Context, where string, write *Write, t *Text) error {
	found := &args.Problems{}
	if write.Title.Given() {
		if t.Title = r.Clean(write.Title.Or("")); t.Title == "" && write.Title.Or("") != "" {
			found.Invalid(where+r.Name, "problem.blank", nil)
		}
	}
	if r.Bare {
		return found.Err()
	}
	switch {
	case r.Inline && write.Description.Given():
		t.Description = wording.CleanInline(write.Description.Or(""))
	case !r.Inline:
		err := found.Add(under(where, Descriptions(ctx, write.Description, write.Excerpt, &t.Description, &t.Excerpt)))
		if err != nil {
			return err
		}
	}
	SEO(write.SEOTitle, write.SEODesc, &t.SEOTitle, &t.SEODesc)
	if write.Slug.Given() {
		t.Slug = wording.Slug(write.Slug.Or(""))
	}
	if t.Slug == "" && t.Title != "" {
		t.Slug = wording.Slug(t.Title)
	}
	if t.Title == "" && !write.Slug.Given() {
		t.Slug = ""
	}
	if write.Cost.Given() {
		cost, err := prices.Parse(write.Cost.Or(nil))
		if t.Cost = cost; err != nil {
			found.Invalid(where+"cost", "problem.cost", nil)
		}
	}
	return found.Err()
}

// under attributes problems to arguments prefixed with the one they came in.
func under(where string, err error) error {
	for _, name := range []string{"description", "excerpt"} {
		err = args.Renamed(name, where+name, err)
	}
	return err
}
