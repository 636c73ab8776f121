package places

import (
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
)

// Organizers is the kind of organizers.
var Organizers = newKind(&Kind[calendar.Organizer]{
	name: "organizer",
	own: pg.Columns[calendar.Organizer]{
		pg.TextColumn("phone", func(o *calendar.Organizer) *string { return &o.Phone }),
		pg.TextColumn("website", func(o *calendar.Organizer) *string { return &o.Website }),
		pg.TextColumn("email", func(o *calendar.Organizer) *string { return &o.Email }),
	},
	words:    func(o *calendar.Organizer) words { return words{&o.Name, &o.Description, &o.Excerpt} },
	Link:     linked.Organizer,
	post:     func(o *calendar.Organizer) *calendar.Post { return &o.Post },
	Document: organizerDocument,
	apart:    "''",
})
