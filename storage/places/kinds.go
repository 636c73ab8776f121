package places

import (
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
)

// Venues is the Kind of venues.
var Venues = newKind(&Kind[calendar.Venue]{
	name:     "venue",
	own:      fieldColumns(calendar.AllVenueFields()),
	words:    func(v *calendar.Venue) words { return words{&v.Name, &v.Description, &v.Excerpt} },
	Link:     linked.Venue,
	post:     func(v *calendar.Venue) *calendar.Post { return &v.Post },
	Document: func(v *calendar.Venue) pg.Document { return document("venue", &v.Post, calendar.AllVenueFields(), v) },
	where:    "p.city, p.zip, p.address, p.geo_lat, p.geo_lng",
})

// Organizers is the Kind of organizers.
var Organizers = newKind(&Kind[calendar.Organizer]{
	name:  "organizer",
	own:   fieldColumns(calendar.AllOrganizerFields()),
	words: func(o *calendar.Organizer) words { return words{&o.Name, &o.Description, &o.Excerpt} },
	Link:  linked.Organizer,
	post:  func(o *calendar.Organizer) *calendar.Post { return &o.Post },
	Document: func(o *calendar.Organizer) pg.Document {
		return document("organizer", &o.Post, calendar.AllOrganizerFields(), o)
	},
	where: "'', '', '', NULL::double precision, NULL::double precision",
})
