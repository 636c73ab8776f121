package api

import "github.com/kalends/kalends/calendar"

// venue writes a venue object (rule 8.2). It omits empty keys except the last four.
func (v *view) venue(p *calendar.Venue, ld bool) {
	if v.again(v.written, p.ID) {
		return
	}
	defer v.note(v.written, p.ID, len(v.b))
	v.item()
	v.int("id", p.ID)
	v.post(&p.Post)
	v.text("url", v.page("venue", "tribe_venue", &p.Post))
	v.html("venue", p.Name)
	v.some("description", p.Description)
	v.some("excerpt", p.Excerpt)
	v.slug(p.Slug)
	v.placeImage(p.Image)
	v.some("address", p.Address)
	v.some("city", p.City)
	v.some("country", p.Country)
	v.some("province", p.Province)
	v.some("state", p.State)
	v.some("zip", p.Zip)
	v.some("phone", p.Phone)
	v.some("website", p.Website)
	v.some("stateprovince", p.StateProvince)
	if p.GeoLat != nil && p.GeoLng != nil {
		v.float("geo_lat", *p.GeoLat)
		v.float("geo_lng", *p.GeoLng)
	}
	if ld {
		v.key("json_ld")
		v.placeLD(p)
	}
	v.bool("show_map", p.ShowMap)
	v.bool("show_map_link", p.ShowMapLink)
	v.globalID(p.ID)
	v.translated(&p.Translated, "venue", func() calendar.Text {
		return calendar.Text{Title: p.Name, Description: p.Description, Excerpt: p.Excerpt, Slug: p.Slug}
	})
	v.close('}')
}

// organizer writes an organizer object (rule 8.2) without empty keys.
func (v *view) organizer(o *calendar.Organizer, ld bool) {
	if v.again(v.written, o.ID) {
		return
	}
	defer v.note(v.written, o.ID, len(v.b))
	v.item()
	v.int("id", o.ID)
	v.post(&o.Post)
	v.text("url", v.page("organizer", "tribe_organizer", &o.Post))
	v.html("organizer", o.Name)
	v.some("description", o.Description)
	v.some("excerpt", o.Excerpt)
	v.slug(o.Slug)
	v.placeImage(o.Image)
	v.some("phone", o.Phone)
	v.some("website", o.Website)
	v.some("email", o.Email)
	if ld {
		v.key("json_ld")
		v.personLD(o)
	}
	v.globalID(o.ID)
	v.translated(&o.Translated, "organizer", func() calendar.Text {
		return calendar.Text{Title: o.Name, Description: o.Description, Excerpt: o.Excerpt, Slug: o.Slug}
	})
	v.close('}')
}

func (v *view) placeImage(i *calendar.Image) {
	if i != nil {
		v.open("image", '{')
		v.image(i)
		v.close('}')
	}
}
