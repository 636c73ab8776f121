package calendar

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

// textWrite is the content of a write in one language. Nil removes that language.
type textWrite struct {
	title, description, excerpt, slug args.Opt[string]
	cost                              args.Opt[any]
	seoTitle, seoDesc                 args.Opt[string]
}

func (t *EventTexts) textWrite() *textWrite {
	return &textWrite{t.Title, t.Description, t.Excerpt, t.Slug, t.Cost, t.SEOTitle, t.SEODesc}
}

func (t *VenueTexts) textWrite() *textWrite {
	return &textWrite{title: t.Name, description: t.Description, excerpt: t.Excerpt, slug: t.Slug}
}

func (t *OrganizerTexts) textWrite() *textWrite {
	return &textWrite{title: t.Name, description: t.Description, excerpt: t.Excerpt, slug: t.Slug}
}

func (t *TermTexts) textWrite() *textWrite {
	return &textWrite{title: t.Name, description: t.Description, slug: t.Slug}
}

// over merges a textWrite over a previous one.
func (s *textWrite) over(before *textWrite) *textWrite {
	all := *before
	for _, one := range []struct {
		value args.Opt[string]
		into  *args.Opt[string]
	}{{s.title, &all.title}, {s.description, &all.description}, {s.excerpt, &all.excerpt}, {s.slug, &all.slug},
		{s.seoTitle, &all.seoTitle}, {s.seoDesc, &all.seoDesc}} {
		if one.value.Given() {
			*one.into = one.value
		}
	}
	if s.cost.Given() {
		all.cost = s.cost
	}
	return &all
}

// textWrites are the content of a write by language, except the site's own.
type textWrites map[string]*textWrite

// byLanguage separates the content of a write by language. own are its own fields, in the language it names or else
// the site's; content in the site's language is left there. name is the argument of the title.
func byLanguage[F any, T interface {
	*F
	textWrite() *textWrite
}](site *tenancy.Site, in WrittenIn, asked args.Opt[args.Named[F]], own *textWrite, name string, isNew bool) (textWrites, error) {
	found, others := &args.Problems{}, textWrites{}
	language := in.ContentLanguage.Or("")
	if language == "" {
		language = site.Language
	}
	if err := InLanguage(site, language); err != nil {
		return nil, err
	}
	if language != site.Language {
		others[language], *own = own.over(&textWrite{}), textWrite{}
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
			*own = *T(text).textWrite().over(own)
		case text == nil:
			others[language] = nil
		case others[language] == nil:
			others[language] = T(text).textWrite()
		default:
			others[language] = T(text).textWrite().over(others[language])
		}
	}
	if isNew && language != site.Language && own.title.Or("") == "" && len(found.Broken()) == 0 {
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

// textUpdate changes the translations of an item.
type textUpdate struct {
	writes textWrites
	name   string // argument of the title
	clean  func(title string) string
	inline bool // descriptions have no paragraphs
	bare   bool // only the title is translatable
}

// apply returns the translations after a write. If changed is set, the source text has changed, and translations that
// the write does not contain become outdated.
func (r *textUpdate) apply(ctx context.Context, texts Texts, changed bool) (Texts, error) {
	if len(r.writes) == 0 {
		if changed && texts.raw != nil {
			texts = texts.Outdated(func(string) bool { return false })
		}
		return texts, nil
	}
	found, all := &args.Problems{}, texts.All()
	for _, language := range slices.Sorted(maps.Keys(r.writes)) {
		write := r.writes[language]
		if write == nil {
			delete(all, language)
			continue
		}
		was := all[language]
		now := was
		if err := found.Add(r.set(ctx, "translations."+language+".", write, &now)); err != nil {
			return texts, err
		}
		if now.Version, now.Outdated = was.Version, false; !now.sameAs(was) {
			now.Version = 0
		}
		if all[language] = now; now.empty() {
			delete(all, language)
		}
	}
	if texts = TextsOf(all); changed {
		texts = texts.Outdated(func(language string) bool { return r.writes[language] != nil })
	}
	return texts, found.Err()
}

// set sets the texts in one language.
func (r *textUpdate) set(ctx context.Context, where string, write *textWrite, t *Text) error {
	found := &args.Problems{}
	if write.title.Given() {
		if t.Title = r.clean(write.title.Or("")); t.Title == "" && write.title.Or("") != "" {
			found.Invalid(where+r.name, "problem.blank", nil)
		}
	}
	if r.bare {
		return found.Err()
	}
	switch {
	case r.inline && write.description.Given():
		t.Description = wording.CleanInline(write.description.Or(""))
	case !r.inline:
		err := found.Add(under(where, descriptions(ctx, write.description, write.excerpt, &t.Description, &t.Excerpt)))
		if err != nil {
			return err
		}
	}
	seoTexts(write.seoTitle, write.seoDesc, &t.SEOTitle, &t.SEODesc)
	if write.slug.Given() {
		t.Slug = wording.Slug(write.slug.Or(""))
	}
	if t.Slug == "" && t.Title != "" {
		t.Slug = wording.Slug(t.Title)
	}
	if t.Title == "" && !write.slug.Given() {
		t.Slug = ""
	}
	if write.cost.Given() {
		cost, err := prices.Parse(write.cost.Or(nil))
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
