package translations

import (
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// applying is the state of an Update in progress.
type applying struct {
	*Update
	found *args.Problems
	all   map[string]Text
	was   Text // the own fields before
	now   *Text
	marks map[string]string // languages of own fields before, as far as they are not in the site's
}

// own updates the item's own fields. If the write only repeats the translation that the URL's language served in
// place of a field, the field stays unchanged. If a field was in another language and is now written in the site's,
// its old value becomes a text in that other language.
func (u *applying) own() {
	for _, f := range fields {
		old, sent, label := f.get(&u.was), f.get(u.now), u.marks[f.name]
		named := u.named != nil && u.named.has(f.name)
		if sent != old && !named && u.main == u.site && u.alike(f, sent, u.served(f)) && (label != "" || len(u.spoken) > 0) {
			f.set(u.now, old)
			continue
		}
		if label == "" || sent == old && !named || f.name == "slug" {
			continue
		}
		mark(u.all, f.name, "")
		text := u.all[label]
		f.set(&text, old)
		u.all[label] = text
		if f.name == "title" {
			u.readdress(label)
		}
	}
}

// readdress gives the item a slug made from its new title. The old slug was made from the title in language, and becomes the
// slug of that language.
func (u *applying) readdress(language string) {
	if u.Dated || u.marks["slug"] != language || u.was.Slug == "" || u.Bare {
		return
	}
	mark(u.all, "slug", "")
	text := u.all[language]
	text.Slug = u.was.Slug
	u.all[language] = text
	if u.now.Slug == u.was.Slug {
		u.now.Slug = wording.SlugOf(u.now.Title, u.Said.site)
	}
}

// alike reports whether a sent text is the same as the text served at the URL. Costs are compared as formatted.
func (u *applying) alike(f field, sent, given string) bool {
	if sent == "" || sent == given || f.name != "cost" || given == "" {
		return sent != "" && sent == given
	}
	text := func(cost string) string { return prices.Format(strings.Split(cost, costEnd), u.currency).Text }
	return text(sent) == text(given)
}

// served returns the value of a field that is served at the URL, in stored form.
func (u *applying) served(f field) string {
	for _, language := range u.spoken {
		if u.marks[f.name] == language {
			return f.get(&u.was)
		}
		if text := u.all[language]; f.get(&text) != "" {
			return f.get(&text)
		}
	}
	return f.get(&u.was)
}

// other updates the texts in a language other than the site's. A nil write removes them.
func (u *applying) other(language string, write *Write) error {
	was := u.all[language]
	if write == nil {
		if slices.Contains(was.Original, "title") {
			u.found.Invalid("translations."+language, "problem.content_language.own", nil)
			return nil
		}
		for _, name := range was.Original {
			u.now.Set(name, "")
		}
		delete(u.all, language)
		return nil
	}
	originals := was.Original
	for _, name := range originals { // they are changed where they are
		was.Set(name, u.now.Get(name))
	}
	now := was
	now.Blank = slices.Clone(was.Blank)
	if err := u.found.Add(u.set("translations."+language+".", write, &now)); err != nil {
		return err
	}
	said := false
	for _, f := range fields {
		if !write.has(f.name) {
			continue
		}
		if said = true; u.repeats(f, language, &was, &now) {
			f.set(&now, f.get(&was))
		}
		now.fresh(f.name)
		if f.get(&now) != "" {
			now.Blank = without(now.Blank, f.name)
		}
	}
	switch {
	case u.Bare:
	case now.Title == "" && !write.has("slug"):
		now.Slug = ""
	case now.Title != "" && now.Slug == "":
		now.Slug = wording.SlugOf(now.Title, language)
	}
	for _, name := range was.Stale { // the author of this text has seen which fields it lacks
		if now.Get(name) == "" {
			now.fresh(name)
		}
	}
	if !said || len(was.Stale) == 0 { // it is confirmed as it is
		now.Outdated, now.Stale = false, nil
	}
	if now.Title == "" && slices.Contains(originals, "title") {
		u.found.Invalid("translations."+language+"."+u.Name, "problem.blank", nil)
		return nil
	}
	if now.Version = was.Version; !now.SameAs(was) {
		now.Version = 0
	}
	for _, name := range originals {
		value := now.Get(name)
		u.now.Set(name, value)
		if now.Set(name, ""); value == "" {
			now.Original = without(now.Original, name)
		}
	}
	u.all[language] = now
	return nil
}

// repeats reports whether a field only repeats the replacement that the address gave for a missing text. It applies to the
// language in which the item's fields were sent.
func (u *applying) repeats(f field, language string, was, now *Text) bool {
	return language == u.main && f.get(was) == "" && u.alike(f, f.get(now), u.served(f))
}

// outdate marks translations of changed fields as outdated, unless they were written as well.
func (u *applying) outdate() {
	for language, text := range u.all {
		for _, f := range fields {
			if f.name == "slug" || f.get(&u.was) == f.get(u.now) || u.said(language, f.name) ||
				f.get(&text) == "" && u.Others[language] != nil {
				continue // the author of this text has seen which fields it lacks
			}
			text.stale(f.name)
		}
		u.all[language] = text
	}
}

// said reports whether the write sets a field in a language, or confirms all texts in that language.
func (u *applying) said(language, name string) bool {
	write := u.Others[language]
	return write != nil && (write.has(name) || *write == Write{})
}

// has reports whether a field was sent.
func (s *Write) has(name string) bool {
	if name == "cost" {
		return s.Cost.Given()
	}
	for _, one := range s.texts() {
		if one.name == name {
			return one.value.Given()
		}
	}
	return false
}

// set sets the texts in one language.
func (r *Update) set(where string, write *Write, t *Text) error {
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
		err := found.Add(under(where, Descriptions(write.Description, write.Excerpt, &t.Description, &t.Excerpt)))
		if err != nil {
			return err
		}
	}
	SEO(write.SEOTitle, write.SEODesc, &t.SEOTitle, &t.SEODesc)
	for _, one := range []struct {
		arg  args.Opt[string]
		into *string
	}{{write.Address, &t.Address}, {write.City, &t.City}, {write.Country, &t.Country}} {
		if one.arg.Given() {
			*one.into = wording.CleanLine(one.arg.Or(""))
		}
	}
	if write.Slug.Given() {
		t.Slug = wording.Slug(write.Slug.Or(""))
	}
	if write.Cost.Given() {
		cost, err := prices.Parse(write.Cost.Or(nil))
		if t.Cost = cost; err != nil {
			found.Invalid(where+"cost", "problem.cost", nil)
		}
	}
	return found.Err()
}

// under prefixes the arguments of problems with the argument that contained them.
func under(where string, err error) error {
	for _, name := range []string{"description", "excerpt"} {
		err = args.Renamed(name, where+name, err)
	}
	return err
}
