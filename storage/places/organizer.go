package places

import (
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
)

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
