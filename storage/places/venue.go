package places

import (
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
)

// Venues is the kind of venues.
var Venues = newKind(&Kind[calendar.Venue]{
	name: "venue",
	own: pg.Columns[calendar.Venue]{
		pg.TextColumn("address", func(v *calendar.Venue) *string { return &v.Address }),
		pg.TextColumn("city", func(v *calendar.Venue) *string { return &v.City }),
		pg.TextColumn("country", func(v *calendar.Venue) *string { return &v.Country }),
		pg.TextColumn("province", func(v *calendar.Venue) *string { return &v.Province }),
		pg.TextColumn("state", func(v *calendar.Venue) *string { return &v.State }),
		pg.TextColumn("stateprovince", func(v *calendar.Venue) *string { return &v.StateProvince }),
		pg.TextColumn("zip", func(v *calendar.Venue) *string { return &v.Zip }),
		pg.TextColumn("phone", func(v *calendar.Venue) *string { return &v.Phone }),
		pg.TextColumn("website", func(v *calendar.Venue) *string { return &v.Website }),
		pg.DegreesColumn("geo_lat", func(v *calendar.Venue) **float64 { return &v.GeoLat }),
		pg.DegreesColumn("geo_lng", func(v *calendar.Venue) **float64 { return &v.GeoLng }),
		pg.BoolColumn("show_map", func(v *calendar.Venue) *bool { return &v.ShowMap }),
		pg.BoolColumn("show_map_link", func(v *calendar.Venue) *bool { return &v.ShowMapLink }),
	},
	words:    func(v *calendar.Venue) words { return words{&v.Name, &v.Description, &v.Excerpt} },
	Link:     linked.Venue,
	post:     func(v *calendar.Venue) *calendar.Post { return &v.Post },
	Document: venueDocument,
	apart:    "lower(p.city)",
})
