package calendar

import (
	"context"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/calendar/wording"
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
	title:  func(v *Venue) string { return v.Name },
	twin:   func(v *Venue) string { return plainKey(v.Name) + "\n" + plainKey(v.City) },
	fields: []string{"venue", "address", "zip", "city", "state", "province", "stateprovince", "country", "geo", "phone", "website",
		"image", "description", "excerpt"},
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
	for _, t := range fields.texts(v) {
		if t.arg.Given() {
			*t.field = wording.CleanLine(t.arg.Or(""))
		}
	}
	err = post.worded(ctx, s, now, isNew, &own, said, was, words)
	if err != nil {
		return err
	}
	if f.Image.Given() {
		v.Image = image
	}
	if f.Website.Given() {
		v.Website = string(f.Website.Or(""))
	}
	if isNew && f.StateProvince.Or("") == "" || follows && !f.StateProvince.Given() {
		v.StateProvince = v.StateOrProvince()
	}
	if f.ShowMap.Given() {
		v.ShowMap = bool(f.ShowMap.Or(true))
	}
	if f.ShowMapLink.Given() {
		v.ShowMapLink = bool(f.ShowMapLink.Or(true))
	}
	place(&v.GeoLat, f.GeoLat)
	place(&v.GeoLng, f.GeoLng)
	return nil
}

func place(target **float64, arg args.Opt[float64]) {
	if arg.Given() {
		*target = nil
		if degrees, ok := arg.Get(); ok {
			*target = &degrees
		}
	}
}
