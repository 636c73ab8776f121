package places

import (
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/linked"
)

// Organizers is the kind of organizers.
var Organizers = newKind(&Kind[calendar.Organizer]{
	name:    "organizer",
	columns: []string{"phone", "website", "email"},
	fields: func(o *calendar.Organizer) fields {
		return fields{&o.Name, &o.Description, &o.Excerpt, []any{&o.Phone, &o.Website, &o.Email}}
	},
	Link:     linked.Organizer,
	record:   organizerRecord,
	Decode:   readOrganizer,
	post:     func(o *calendar.Organizer) *calendar.Post { return &o.Post },
	Document: organizerDocument,
	apart:    "''",
})
