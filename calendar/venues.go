package calendar

import (
	"context"
	"time"

	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Venues is the service over a site's venues.
type Venues = Places[Venue, *VenueFields]

// Venues returns the service over venues.
func (c *Calendar) Venues() Venues { return Venues{c, venueKind} }

var venueKind = &placeKind[Venue]{
	name:   "venue",
	access: tenancy.WriteVenues,
	store:  Store.Venues,
	fresh:  func() *Venue { return &Venue{ShowMap: true, ShowMapLink: true} },
	post:   func(v *Venue) *Post { return &v.Post },
	speak:  (*Venue).Speak,
	words:  (*Venue).words,
	names:  (*Venue).Names,
	fields: choices(venueFields, "venue", "address", "zip", "city", "state", "province", "stateprovince", "country", "geo", "phone",
		"website", "image", "description", "excerpt"),
	take: takeOfVenue,
}

func (f *VenueFields) picture() args.Opt[args.Image] { return f.Image }

func (f *VenueFields) apply(ctx context.Context, s *tenancy.Scope, now time.Time, v *Venue, image *Image, isNew bool) error {
	own := translations.Write{Title: f.Name, Description: f.Description, Excerpt: f.Excerpt, Slug: f.Slug,
		Address: f.Address, City: f.City, Country: f.Country}
	said, err := translations.ByLanguage(s, f.ContentLanguage, f.Translations, &own, "venue", isNew)
	if err != nil {
		return err
	}
	post := &postWrite{Author: f.Author, Date: f.Date, DateUTC: f.DateUTC, Status: f.Status, Slug: own.Slug, unasked: Pending}
	words := &placeWords{"venue", &v.Post, &v.Name, &v.Description, &v.Excerpt, &v.Address, &v.City, &v.Country}
	was, follows := words.text(), v.StateProvince == v.StateOrProvince()
	fields := *f
	fields.Address, fields.City, fields.Country = own.Address, own.City, own.Country
	writeAll(venueFields, &fields, v)
	found := &args.Problems{}
	v.Fields, err = writeAdded(v.Fields, f.Fields, s.Site, tenancy.FieldOfVenues, now, f.Past)
	if err := found.Add(err, post.worded(s, now, isNew, &own, said, was, words)); err != nil {
		return err
	}
	if err := found.Err(); err != nil {
		return err
	}
	if f.Image.Given() {
		v.Image = image
	}
	if isNew && f.StateProvince.Or("") == "" || follows && !f.StateProvince.Given() {
		v.StateProvince = v.StateOrProvince()
	}
	return nil
}

func (f *VenueFields) matches(existing, wanted *Venue) bool {
	post := &postWrite{Author: f.Author, Date: f.Date, DateUTC: f.DateUTC, Status: f.Status}
	return post.matches(&existing.Post, &wanted.Post) && (!f.Image.Given() || sameImage(existing.Image, wanted.Image)) &&
		existing.Names().Has(wanted.Name) && // the first field, in any language
		(f.Slug.Or("") == "" || existing.Slug == wanted.Slug) && (!f.Translations.Given() || existing.Texts.Contain(wanted.Texts)) &&
		matchesAll(venueFields[1:], f, existing, wanted)
}

func takeOfVenue(to, from *Venue, field string) {
	switch field {
	case "geo":
		to.GeoLat, to.GeoLng = from.GeoLat, from.GeoLng
	case "image":
		to.Image = from.Image
	default:
		takeField(venueFields, to, from, field)
	}
}
