package calendar

import (
	"strings"

	"github.com/kalends/kalends/args"
)

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
