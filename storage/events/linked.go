package events

import (
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/places"
	"github.com/kalends/kalends/storage/terms"
)

// Linked reads the links of events. Rows refer to linked items by id. The records of the items are either
// remembered, or read with the rows and then remembered.
type Linked struct {
	remembered *linked.Records // nil: the records are read with the rows
	Fresh      *linked.Fresh
	missing    bool // a linked record is missing

	Language string              // the language of the text, if rows have one text instead of translations
	Texts    *translations.Texts // the translations of the next event, if its row is remembered
}

// NewLinked returns a Linked that reads remembered records, or reads the records with the rows if remembered is
// nil.
func NewLinked(remembered *linked.Site) *Linked {
	if remembered == nil {
		return &Linked{Fresh: linked.NewFresh()}
	}
	return &Linked{remembered: remembered.Open()}
}

// Whole reports whether no link was missing and the remembered records are those of the site's links at version.
func (n *Linked) Whole(version int64) bool {
	return n.remembered == nil || !n.missing && n.remembered.Version == version
}

// Learn reads LinkedColumns if the records are read with the rows. A record comes before the events that name it, and only
// once: after that, it is null.
func (n *Linked) Learn(f *pg.Fields) {
	if n.remembered != nil {
		return
	}
	for _, kind := range []linked.Kind{linked.Venue, linked.Organizer, linked.Term} {
		f.Elements(func(b []byte) {
			f.Inside(b, func(f *pg.Fields) {
				id := pg.BigInt(f.Peek())
				events := 0
				if kind == linked.Term {
					events = terms.Read(f).Count
				}
				n.Fresh.Add(kind, id, b, events)
			})
		})
	}
}

// link adds the items with these ids to an event.
func (n *Linked) link(f *pg.Fields, e *calendar.Event, venues, organizers, terms []int64) {
	for _, id := range venues {
		n.venue(f, e, id)
	}
	for _, id := range organizers {
		n.organizer(f, e, id)
	}
	for _, id := range terms {
		n.term(f, e, id)
	}
	sortTerms(e)
}

func (n *Linked) venue(f *pg.Fields, e *calendar.Event, id int64) {
	n.one(f, linked.Venue, id, func(f *pg.Fields, _ int) { e.Venues = append(e.Venues, places.Venues.Decode(f)) })
}

func (n *Linked) organizer(f *pg.Fields, e *calendar.Event, id int64) {
	n.one(f, linked.Organizer, id, func(f *pg.Fields, _ int) { e.Organizers = append(e.Organizers, places.Organizers.Decode(f)) })
}

func (n *Linked) term(f *pg.Fields, e *calendar.Event, id int64) {
	n.one(f, linked.Term, id, func(f *pg.Fields, events int) {
		t := terms.Read(f)
		t.Count = events
		if t.Taxonomy == calendar.Tags {
			e.Tags = append(e.Tags, t)
		} else {
			e.Categories = append(e.Categories, t)
		}
	})
}

func sortTerms(e *calendar.Event) {
	slices.SortFunc(e.Categories, terms.ByName)
	slices.SortFunc(e.Tags, terms.ByName)
}

// one reads the record of an id.
func (n *Linked) one(f *pg.Fields, kind linked.Kind, id int64, read func(f *pg.Fields, events int)) {
	record, events := n.get(kind, id)
	if record == nil {
		n.missing = true
		return
	}
	f.Inside(record, func(f *pg.Fields) { read(f, events) })
}

func (n *Linked) get(kind linked.Kind, id int64) (record []byte, events int) {
	if n.remembered != nil {
		return n.remembered.Get(kind, id)
	}
	return n.Fresh.Get(kind, id)
}
