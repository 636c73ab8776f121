package calendar

import (
	"time"

	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// OrganizerKind is what sets organizers apart.
var OrganizerKind = &PlaceKind[Organizer]{
	Name:   "organizer",
	Access: tenancy.WriteOrganizers,
	Store:  Store.Organizers,
	Fresh:  func() *Organizer { return &Organizer{} },
	Post:   func(o *Organizer) *Post { return &o.Post },
	Speak:  (*Organizer).Speak,
	Text:   (*Organizer).Text,
	Names:  (*Organizer).Names,
	Fields: choices(organizerFields, "organizer", "phone", "email", "website", "image", "description", "excerpt"),
	Take:   takeOfOrganizer,
}

// Picture implements PlaceFields.
func (f *OrganizerFields) Picture() args.Opt[args.Image] { return f.Image }

// Apply implements PlaceFields.
func (f *OrganizerFields) Apply(s *tenancy.Scope, now time.Time, o *Organizer, image *Image, isNew bool) error {
	own := translations.Write{Title: f.Name, Description: f.Description, Excerpt: f.Excerpt, Slug: f.Slug}
	said, err := translations.ByLanguage(s, f.ContentLanguage, f.Translations, &own, "organizer", isNew)
	if err != nil {
		return err
	}
	post := &PostWrite{Author: f.Author, Date: f.Date, DateUTC: f.DateUTC, Status: f.Status, Slug: own.Slug, Unasked: Pending}
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

// Matches implements PlaceFields.
func (f *OrganizerFields) Matches(existing, wanted *Organizer) bool {
	post := &PostWrite{Author: f.Author, Date: f.Date, DateUTC: f.DateUTC, Status: f.Status}
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
