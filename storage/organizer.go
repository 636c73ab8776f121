package storage

import "github.com/kalends/kalends/calendar"

var organizerKind = newPlaceKind(&placeKind[calendar.Organizer]{
	name:    "organizer",
	columns: []string{"phone", "website", "email"},
	fields: func(o *calendar.Organizer) placeFields {
		return placeFields{&o.Name, &o.Description, &o.Excerpt, []any{&o.Phone, &o.Website, &o.Email}}
	},
	record:   organizerRecord,
	decode:   readOrganizer,
	post:     func(o *calendar.Organizer) *calendar.Post { return &o.Post },
	document: organizerDocument,
	apart:    "''",
})
