package storage

import "github.com/kalends/kalends/calendar"

var venueKind = newPlaceKind(&placeKind[calendar.Venue]{
	name: "venue",
	columns: []string{"address", "city", "country", "province", "state", "stateprovince", "zip", "phone", "website", "geo_lat", "geo_lng",
		"show_map", "show_map_link"},
	fields: func(v *calendar.Venue) placeFields {
		return placeFields{&v.Name, &v.Description, &v.Excerpt, []any{&v.Address, &v.City, &v.Country, &v.Province, &v.State,
			&v.StateProvince, &v.Zip, &v.Phone, &v.Website, &v.GeoLat, &v.GeoLng, &v.ShowMap, &v.ShowMapLink}}
	},
	record:   venueRecord,
	decode:   readVenue,
	post:     func(v *calendar.Venue) *calendar.Post { return &v.Post },
	document: venueDocument,
	apart:    "lower(p.city)",
})
