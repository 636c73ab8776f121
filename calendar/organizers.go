package calendar

import (
	"context"
	"time"

	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Organizers is the service over a site's organizers.
type Organizers = Places[Organizer, *OrganizerFields]

// Organizers returns the service over organizers.
func (c *Calendar) Organizers() Organizers { return Organizers{c, organizerKind} }

var organizerKind = &placeKind[Organizer]{
	name:   "organizer",
	access: tenancy.WriteOrganizers,
	store:  Store.Organizers,
	fresh:  func() *Organizer { return &Organizer{} },
	post:   func(o *Organizer) *Post { return &o.Post },
	speak:  (*Organizer).Speak,
	words:  (*Organizer).words,
	names:  (*Organizer).Names,
	fields: choices(organizerFields, "organizer", "phone", "email", "website", "image", "description", "excerpt"),
	take:   takeOfOrganizer,
}

func (f *OrganizerFields) picture() args.Opt[args.Image] { return f.Image }

func (f *OrganizerFields) apply(ctx context.Context, s *tenancy.Scope, now time.Time, o *Organizer, image *Image, isNew bool) error {
	own := translations.Write{Title: f.Name, Description: f.Description, Excerpt: f.Excerpt, Slug: f.Slug}
	said, err := translations.ByLanguage(s, f.ContentLanguage, f.Translations, &own, "organizer", isNew)
	if err != nil {
		return err
	}
	post := &postWrite{Author: f.Author, Date: f.Date, DateUTC: f.DateUTC, Status: f.Status, Slug: own.Slug, unasked: Pending}
	words := &placeWords{arg: "organizer", post: &o.Post, name: &o.Name, description: &o.Description, excerpt: &o.Excerpt}
	err = post.worded(s, now, isNew, &own, said, words.text(), words)
	if err != nil {
		return err
	}
	if f.Image.Given() {
		o.Image = image
	}
	writeAll(organizerFields, f, o)
	return nil
}

func (f *OrganizerFields) matches(existing, wanted *Organizer) bool {
	post := &postWrite{Author: f.Author, Date: f.Date, DateUTC: f.DateUTC, Status: f.Status}
	return post.matches(&existing.Post, &wanted.Post) &&
		(!f.Image.Given() || sameImage(existing.Image, wanted.Image)) &&
		existing.Names().Has(wanted.Name) && // the first field, in any language
		(f.Slug.Or("") == "" || existing.Slug == wanted.Slug) && (!f.Translations.Given() || existing.Texts.Contain(wanted.Texts)) &&
		matchesAll(organizerFields[1:], f, existing, wanted)
}

func takeOfOrganizer(to, from *Organizer, field string) {
	if field == "image" {
		to.Image = from.Image
		return
	}
	takeField(organizerFields, to, from, field)
}
