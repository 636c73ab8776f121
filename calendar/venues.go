package calendar

import (
	"time"

	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// VenueKind is what sets venues apart.
var VenueKind = &PlaceKind[Venue]{
	Name:   "venue",
	Access: tenancy.WriteVenues,
	Store:  Store.Venues,
	Fresh:  func() *Venue { return &Venue{ShowMap: true, ShowMapLink: true} },
	Post:   func(v *Venue) *Post { return &v.Post },
	Speak:  (*Venue).Speak,
	Text:   (*Venue).Text,
	Names:  (*Venue).Names,
	Fields: choices(venueFields, "venue", "address", "zip", "city", "state", "province", "stateprovince", "country", "geo", "phone",
		"website", "image", "description", "excerpt"),
	Take: takeOfVenue,
}

// Picture implements PlaceFields.
func (f *VenueFields) Picture() args.Opt[args.Image] { return f.Image }

// Apply implements PlaceFields.
func (f *VenueFields) Apply(s *tenancy.Scope, now time.Time, v *Venue, image *Image, isNew bool) error {
	own := translations.Write{Title: f.Name, Description: f.Description, Excerpt: f.Excerpt, Slug: f.Slug,
		Address: f.Address, City: f.City, Country: f.Country}
	said, err := translations.ByLanguage(s, f.ContentLanguage, f.Translations, &own, "venue", isNew)
	if err != nil {
		return err
	}
	post := &PostWrite{Author: f.Author, Date: f.Date, DateUTC: f.DateUTC, Status: f.Status, Slug: own.Slug, Unasked: Pending}
	words := &placeWords{"venue", &v.Post, &v.Name, &v.Description, &v.Excerpt, &v.Address, &v.City, &v.Country}
	was, follows := words.text(), v.StateProvince == v.StateOrProvince()
	fields := *f
	fields.Address, fields.City, fields.Country = own.Address, own.City, own.Country
	writeAll(venueFields, &fields, v)
	found := &args.Problems{}
	v.Fields, err = WriteAdded(v.Fields, f.Fields, s.Site, tenancy.FieldOfVenues, now, f.Past)
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

// Matches implements PlaceFields.
func (f *VenueFields) Matches(existing, wanted *Venue) bool {
	post := &PostWrite{Author: f.Author, Date: f.Date, DateUTC: f.DateUTC, Status: f.Status}
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
