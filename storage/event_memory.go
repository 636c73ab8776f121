package storage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/maypok86/otter/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
)

// linkMemory remembers the venues, organizers and terms that events nest, as
// Postgres sent them, by site. An event's row names what it is linked to, so a
// list whose links are remembered reads events alone, and an event that links
// what is remembered is made without looking it up. The statement says at which
// version the site's linked things last changed: what is remembered is used only
// at that version, so it can be useless, never wrong.
type linkMemory struct {
	sites *otter.Cache[int64, *siteLinks]
}

// LinkBytes bounds what is remembered of what events of all sites are linked to,
// unless Options say something else. It does for ten thousand sites.
const LinkBytes = 24 << 20

func newLinkMemory(most int) *linkMemory {
	return &linkMemory{otter.Must(&otter.Options[int64, *siteLinks]{
		MaximumWeight: uint64(most),
		Weigher:       func(_ int64, s *siteLinks) uint32 { return uint32(s.weight()) },
	})}
}

// of returns what is remembered of a site, or nil.
func (m *linkMemory) of(site int64) *siteLinks {
	s, _ := m.sites.GetIfPresent(site)
	return s
}

// forget drops what a write just made useless, so that the next list doesn't
// try it.
func (m *linkMemory) forget(site int64) { m.sites.Invalidate(site) }

// add remembers records read at a version of the site's links.
func (m *linkMemory) add(site, version int64, fresh *freshLinks) {
	m.sites.Compute(site, func(s *siteLinks, _ bool) (*siteLinks, otter.ComputeOp) {
		switch {
		case s == nil || s.version < version:
			return newSiteLinks(version).with(fresh), otter.WriteOp
		case s.version == version:
			if more := s.with(fresh); more != s {
				return more, otter.WriteOp
			}
		}
		return s, otter.CancelOp
	})
}

// recount takes a site's memory from one version to another between which only
// these counts changed.
func (m *linkMemory) recount(site, from, to int64, counts map[int64]int) {
	m.sites.Compute(site, func(s *siteLinks, _ bool) (*siteLinks, otter.ComputeOp) {
		switch {
		case s == nil:
			return nil, otter.CancelOp
		case s.version != from:
			return nil, otter.InvalidateOp
		}
		return s.recounted(to, counts), otter.WriteOp
	})
}

// nested reads what events are linked to: rows name it by id, and the records are
// those remembered, or fresh ones that come with the rows, to be remembered.
type nested struct {
	remembered *openLinks // nil: fresh records come
	fresh      *freshLinks
	missing    bool // something linked isn't there

	language string          // of the text that stands for the translations of events; "": all that are asked for stand there
	texts    *calendar.Texts // those of the next event, if its row is remembered
}

// newNested returns what reads links that are remembered, or fresh ones.
func newNested(remembered *siteLinks) *nested {
	if remembered == nil {
		return &nested{fresh: newFreshLinks()}
	}
	return &nested{remembered: remembered.open()}
}

// whole reports whether nothing that was linked is missing, and what was taken from
// memory is of the site's links as they stand, at version.
func (n *nested) whole(version int64) bool {
	return n.remembered == nil || !n.missing && n.remembered.version == version
}

// learn reads linkedColumns where fresh records come: before the events that name
// them, null where they came already.
func (n *nested) learn(f *pg.Fields) {
	if n.remembered != nil {
		return
	}
	for _, kind := range []linkKind{linkVenue, linkOrganizer, linkTerm} {
		f.Elements(func(b []byte) {
			f.Inside(b, func(f *pg.Fields) {
				id := pg.BigInt(f.Peek())
				events := 0
				if kind == linkTerm {
					events = readTerm(f).Count
				}
				n.fresh.add(kind, id, b, events)
			})
		})
	}
}

// read reads the three columns of ids of an event.
func (n *nested) read(f *pg.Fields, e *calendar.Event) {
	f.Elements(func(b []byte) { n.venue(f, e, pg.BigInt(b)) })
	f.Elements(func(b []byte) { n.organizer(f, e, pg.BigInt(b)) })
	f.Elements(func(b []byte) { n.term(f, e, pg.BigInt(b)) })
	sortTerms(e)
}

// link gives an event what has these ids.
func (n *nested) link(f *pg.Fields, e *calendar.Event, venues, organizers, terms []int64) {
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

func (n *nested) venue(f *pg.Fields, e *calendar.Event, id int64) {
	n.one(f, linkVenue, id, func(f *pg.Fields, _ int) { e.Venues = append(e.Venues, readVenue(f)) })
}

func (n *nested) organizer(f *pg.Fields, e *calendar.Event, id int64) {
	n.one(f, linkOrganizer, id, func(f *pg.Fields, _ int) { e.Organizers = append(e.Organizers, readOrganizer(f)) })
}

func (n *nested) term(f *pg.Fields, e *calendar.Event, id int64) {
	n.one(f, linkTerm, id, func(f *pg.Fields, events int) {
		t := readTerm(f)
		t.Count = events
		if t.Taxonomy == calendar.Tags {
			e.Tags = append(e.Tags, t)
		} else {
			e.Categories = append(e.Categories, t)
		}
	})
}

func sortTerms(e *calendar.Event) {
	slices.SortFunc(e.Categories, byName)
	slices.SortFunc(e.Tags, byName)
}

// one reads the record of an id.
func (n *nested) one(f *pg.Fields, kind linkKind, id int64, read func(f *pg.Fields, events int)) {
	record, events := n.get(kind, id)
	if record == nil {
		n.missing = true
		return
	}
	f.Inside(record, func(f *pg.Fields) { read(f, events) })
}

func (n *nested) get(kind linkKind, id int64) (record []byte, events int) {
	if n.remembered != nil {
		return n.remembered.get(kind, id)
	}
	link := n.fresh.records[keyOf(kind, id)]
	return link.record, link.events
}

// byName is the order of an event's terms.
func byName(a, b calendar.Term) int {
	return cmp.Or(cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), cmp.Compare(a.ID, b.ID))
}
