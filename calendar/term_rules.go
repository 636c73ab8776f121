package calendar

import (
	"regexp"
	"strings"

	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Right returns the permission needed to create, change and delete terms.
func (t Taxonomy) Right() tenancy.Permission {
	if t == Tags {
		return tenancy.EditOwn | tenancy.ManageTags
	}
	return tenancy.EditOwn | tenancy.ManageCategories
}

// Apply applies the write to t and returns all problems with it.
func (f *CategoryFields) Apply(s *tenancy.Scope, t *Term, isNew bool) error {
	found, was := &args.Problems{}, t.Text()
	own := translations.Write{Title: f.Name, Description: f.Description, Slug: f.Slug}
	said, err := translations.ByLanguage(s, f.ContentLanguage, f.Translations, &own, "name", isNew)
	if err := found.Add(err); err != nil {
		return err
	}
	if name, ok := own.Title.Get(); ok {
		if t.Name = wording.CleanTerm(name); t.Name == "" {
			found.Invalid("name", "problem.blank", nil)
		}
	}
	if own.Description.Given() {
		t.Description = wording.CleanInline(own.Description.Or(""))
	}
	if slug, ok := own.Slug.Get(); ok && slug != "" {
		t.Slug = wording.Slug(slug)
	}
	if t.Slug == "" {
		t.Slug = wording.SlugOf(t.Name, s.Site.Language)
	}
	f.Parent.Patch(&t.Parent, 0)
	r, now := &translations.Update{Said: said, Name: "name", Clean: wording.CleanTerm, Inline: true}, t.Text()
	t.Texts, err = r.Apply(t.Texts, was, &now)
	t.Name, t.Description, t.Slug = now.Title, now.Description, now.Slug
	if err := found.Add(err, f.paint(t)); err != nil {
		return err
	}
	return found.Err()
}

// paint sets or removes the color of a category.
func (f *CategoryFields) paint(t *Term) error {
	if !f.Color.Given() {
		return nil
	}
	color := strings.ToLower(strings.TrimSpace(f.Color.Or("")))
	if color != "" && (t.Taxonomy != Categories || !colorPattern.MatchString(color)) {
		return args.Invalid("color", "problem.color", nil)
	}
	t.Color = color
	return nil
}

var colorPattern = regexp.MustCompile(`^#[0-9a-f]{6}$`)
