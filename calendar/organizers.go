package calendar

import (
	"context"
	"strings"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/calendar/wording"
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
	title:  func(o *Organizer) string { return o.Name },
	twin:   func(o *Organizer) string { return plainKey(o.Name) },
	fields: []string{"organizer", "phone", "email", "website", "image", "description", "excerpt"},
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
	err = post.worded(ctx, s, now, isNew, &own, said, words.text(), words)
	if err != nil {
		return err
	}
	if f.Image.Given() {
		o.Image = image
	}
	if f.Phone.Given() {
		o.Phone = wording.CleanLine(f.Phone.Or(""))
	}
	if f.Website.Given() {
		o.Website = string(f.Website.Or(""))
	}
	if f.Email.Given() {
		o.Email = string(f.Email.Or(""))
	}
	return nil
}

func (f *OrganizerFields) matches(existing, wanted *Organizer) bool {
	post := &postWrite{Author: f.Author, Date: f.Date, DateUTC: f.DateUTC, Status: f.Status}
	return post.matches(&existing.Post, &wanted.Post) &&
		(!f.Image.Given() || sameImage(existing.Image, wanted.Image)) &&
		strings.EqualFold(existing.Name, wanted.Name) &&
		(f.Slug.Or("") == "" || existing.Slug == wanted.Slug) && (!f.Translations.Given() || existing.Texts.Contain(wanted.Texts)) &&
		(!f.Description.Given() || strings.EqualFold(existing.Description, wanted.Description)) &&
		(!f.Excerpt.Given() || strings.EqualFold(existing.Excerpt, wanted.Excerpt)) &&
		(!f.Phone.Given() || strings.EqualFold(existing.Phone, wanted.Phone)) &&
		(!f.Website.Given() || strings.EqualFold(existing.Website, wanted.Website)) &&
		(!f.Email.Given() || strings.EqualFold(existing.Email, wanted.Email))
}

func takeOfOrganizer(to, from *Organizer, field string) {
	switch field {
	case "organizer":
		to.Name = from.Name
	case "image":
		to.Image = from.Image
	case "description":
		to.Description = from.Description
	case "excerpt":
		to.Excerpt = from.Excerpt
	case "phone":
		to.Phone = from.Phone
	case "email":
		to.Email = from.Email
	case "website":
		to.Website = from.Website
	}
}
