package api

import (
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// venue writes a venue object (rule 8.2). It omits empty keys except the last four.
func (v *View) venue(p *calendar.Venue, ld bool) {
	if v.again(v.written, p.ID) {
		return
	}
	defer v.note(v.written, p.ID, len(v.Bytes))
	v.Item()
	v.Int("id", p.ID)
	v.post(&p.Post)
	v.Text("url", v.Page("venue", "tribe_venue", &p.Post))
	v.HTML("venue", p.Name)
	v.Some("description", p.Description)
	v.Some("excerpt", p.Excerpt)
	v.Slug(p.Slug)
	v.placeImage(p.Image)
	v.Some("address", p.Address)
	v.Some("city", p.City)
	v.Some("country", p.Country)
	v.Some("province", p.Province)
	v.Some("state", p.State)
	v.Some("zip", p.Zip)
	v.Some("phone", p.Phone)
	v.Some("website", p.Website)
	v.Some("stateprovince", p.StateProvince)
	if p.GeoLat != nil && p.GeoLng != nil {
		v.Float("geo_lat", *p.GeoLat)
		v.Float("geo_lng", *p.GeoLng)
	}
	if ld {
		v.Key("json_ld")
		v.placeLD(p)
	}
	v.Bool("show_map", p.ShowMap)
	v.Bool("show_map_link", p.ShowMapLink)
	v.words("accessibility", p.Accessibility)
	v.added(p.Fields, tenancy.FieldOfVenues)
	v.globalID(p.ID)
	v.translated(&p.Translated, "venue", p.Text)
	v.Close('}')
}

// organizer writes an organizer object (rule 8.2) without empty keys.
func (v *View) organizer(o *calendar.Organizer, ld bool) {
	if v.again(v.written, o.ID) {
		return
	}
	defer v.note(v.written, o.ID, len(v.Bytes))
	v.Item()
	v.Int("id", o.ID)
	v.post(&o.Post)
	v.Text("url", v.Page("organizer", "tribe_organizer", &o.Post))
	v.HTML("organizer", o.Name)
	v.Some("description", o.Description)
	v.Some("excerpt", o.Excerpt)
	v.Slug(o.Slug)
	v.placeImage(o.Image)
	v.Some("phone", o.Phone)
	v.Some("website", o.Website)
	v.Some("email", o.Email)
	if ld {
		v.Key("json_ld")
		v.personLD(o)
	}
	v.globalID(o.ID)
	v.translated(&o.Translated, "organizer", o.Text)
	v.Close('}')
}

func (v *View) placeImage(i *calendar.Image) {
	if i != nil {
		v.Open("image", '{')
		v.image(i)
		v.Close('}')
	}
}
