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

// Venues is the service over a site's venues.
type Venues = Places[Venue, *VenueFields]

// Venues returns the service over venues.
func (c *Calendar) Venues() Venues { return Venues{c, venueKind} }

var venueKind = &placeKind[Venue]{
	name:  "venue",
	store: Store.Venues,
	fresh: func() *Venue { return &Venue{ShowMap: true, ShowMapLink: true} },
	post:  func(v *Venue) *Post { return &v.Post },
	speak: (*Venue).Speak,
	words: (*Venue).words,
	title: func(v *Venue) string { return v.Name },
	twin:  func(v *Venue) string { return plainKey(v.Name) + "\n" + plainKey(v.City) },
	fields: []string{"venue", "address", "zip", "city", "state", "province", "stateprovince", "country", "geo", "phone", "website",
		"image", "description", "excerpt"},
	take: takeOfVenue,
}

func (f *VenueFields) picture() args.Opt[args.Image] { return f.Image }

func (f *VenueFields) apply(ctx context.Context, s *tenancy.Scope, now time.Time, v *Venue, image *Image, isNew bool) error {
	own := translations.Write{Title: f.Name, Description: f.Description, Excerpt: f.Excerpt, Slug: f.Slug}
	texts, err := translations.ByLanguage(s.Site, f.ContentLanguage, f.Translations, &own, "venue", isNew)
	if err != nil {
		return err
	}
	post := &postWrite{Author: f.Author, Date: f.Date, DateUTC: f.DateUTC, Status: f.Status, Slug: own.Slug, unasked: Pending}
	err = post.worded(ctx, s, now, isNew, &own, texts, placeWords{"venue", &v.Post, &v.Name, &v.Description, &v.Excerpt})
	if err != nil {
		return err
	}
	if f.Image.Given() {
		v.Image = image
	}
	follows := v.StateProvince == v.StateOrProvince()
	for _, t := range f.texts(v) {
		if t.arg.Given() {
			*t.field = wording.CleanLine(t.arg.Or(""))
		}
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

// StateOrProvince returns the default of stateprovince: the state in the United States or without a country, and the
// province elsewhere (rule 8.2).
func (v *Venue) StateOrProvince() string {
	switch v.Country {
	case "", "United States", "US", "USA":
		if v.State != "" {
			return v.State
		}
	}
	return v.Province
}

// Region returns the state or province for an address, or "".
func (v *Venue) Region() string {
	for _, name := range []string{v.StateProvince, v.StateOrProvince(), v.State} {
		if name != "" {
			return name
		}
	}
	return ""
}

// venueText pairs an argument with the field it sets.
type venueText struct {
	arg   args.Opt[string]
	field *string
}

func (f *VenueFields) texts(v *Venue) []venueText {
	return []venueText{
		{f.Address, &v.Address}, {f.City, &v.City}, {f.Country, &v.Country}, {f.Province, &v.Province},
		{f.State, &v.State}, {f.StateProvince, &v.StateProvince}, {f.Zip, &v.Zip}, {f.Phone, &v.Phone},
	}
}

func (f *VenueFields) matches(existing, wanted *Venue) bool {
	changed := *existing
	post := &postWrite{Author: f.Author, Date: f.Date, DateUTC: f.DateUTC, Status: f.Status}
	if !post.matches(&existing.Post, &wanted.Post) || f.Image.Given() && !sameImage(existing.Image, wanted.Image) {
		return false
	}
	equal := strings.EqualFold(existing.Name, wanted.Name) &&
		(!f.Description.Given() || strings.EqualFold(existing.Description, wanted.Description)) &&
		(!f.Excerpt.Given() || strings.EqualFold(existing.Excerpt, wanted.Excerpt)) &&
		(!f.Website.Given() || strings.EqualFold(existing.Website, wanted.Website)) &&
		(f.Slug.Or("") == "" || existing.Slug == wanted.Slug) && (!f.Translations.Given() || existing.Texts.Contain(wanted.Texts)) &&
		(!f.ShowMap.Given() || existing.ShowMap == wanted.ShowMap) &&
		(!f.ShowMapLink.Given() || existing.ShowMapLink == wanted.ShowMapLink) &&
		(!f.GeoLat.Given() || sameNumber(existing.GeoLat, wanted.GeoLat)) &&
		(!f.GeoLng.Given() || sameNumber(existing.GeoLng, wanted.GeoLng))
	have, want := f.texts(&changed), f.texts(wanted)
	for i, t := range have {
		equal = equal && (!t.arg.Given() || strings.EqualFold(*t.field, *want[i].field))
	}
	return equal
}

func takeOfVenue(to, from *Venue, field string) {
	switch field {
	case "venue":
		to.Name = from.Name
	case "geo":
		to.GeoLat, to.GeoLng = from.GeoLat, from.GeoLng
	case "image":
		to.Image = from.Image
	case "description":
		to.Description = from.Description
	case "excerpt":
		to.Excerpt = from.Excerpt
	default:
		into, of := to.named(field), from.named(field)
		*into = *of
	}
}

// named returns the field that an argument sets.
func (v *Venue) named(field string) *string {
	return map[string]*string{"address": &v.Address, "zip": &v.Zip, "city": &v.City, "state": &v.State, "province": &v.Province,
		"stateprovince": &v.StateProvince, "country": &v.Country, "phone": &v.Phone, "website": &v.Website}[field]
}
