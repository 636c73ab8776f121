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
	ownTexts(v, calendar.AllVenueFields(), p)
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
	ownTexts(v, calendar.AllOrganizerFields(), o)
	if ld {
		v.Key("json_ld")
		v.personLD(o)
	}
	v.globalID(o.ID)
	v.translated(&o.Translated, "organizer", o.Text)
	v.Close('}')
}

// ownTexts writes the texts that only venues or only organizers have, unless they are empty.
func ownTexts[T, F any](v *View, fields []calendar.PlaceField[T, F], of *T) {
	for i := range fields {
		if f := &fields[i]; f.OwnText() {
			v.Some(f.Name, *f.Text(of))
		}
	}
}

func (v *View) placeImage(i *calendar.Image) {
	if i != nil {
		v.Open("image", '{')
		v.image(i)
		v.Close('}')
	}
}
