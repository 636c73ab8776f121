package places

import (
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/linked"
)

// Venues is the kind of venues.
var Venues = newKind(&Kind[calendar.Venue]{
	name: "venue",
	columns: []string{"address", "city", "country", "province", "state", "stateprovince", "zip", "phone", "website", "geo_lat", "geo_lng",
		"show_map", "show_map_link"},
	fields: func(v *calendar.Venue) fields {
		return fields{&v.Name, &v.Description, &v.Excerpt, []any{&v.Address, &v.City, &v.Country, &v.Province, &v.State,
			&v.StateProvince, &v.Zip, &v.Phone, &v.Website, &v.GeoLat, &v.GeoLng, &v.ShowMap, &v.ShowMapLink}}
	},
	Link:     linked.Venue,
	record:   venueRecord,
	Decode:   readVenue,
	post:     func(v *calendar.Venue) *calendar.Post { return &v.Post },
	Document: venueDocument,
	apart:    "lower(p.city)",
})
