package storage

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/maypok86/otter/v2"

	"github.com/kalends/kalends/calendar"
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

// siteLinks are the linked records of one site at one version. New events change
// how many events terms have and nothing else, so the counts stand apart and
// versions between which only they changed share their records.
type siteLinks struct {
	version int64
	records *linkRecords
	mu      sync.RWMutex
	counts  map[int64]int // events of each remembered term
}

// linkRecords are records by what they are.
type linkRecords struct {
	mu       sync.RWMutex
	byID     map[linkID][]byte
	bytes    int
	creating sync.Mutex // held while an event is made out of them
}

// linkID names a record within a site.
type linkID struct {
	kind linkKind
	id   int64
}

type linkKind uint8

const (
	linkVenue linkKind = iota
	linkOrganizer
	linkTerm
)

// freshLinks are records just read, with the events of each term.
type freshLinks struct {
	records map[linkID][]byte
	counts  map[int64]int
}

func newFreshLinks() *freshLinks {
	return &freshLinks{records: map[linkID][]byte{}, counts: map[int64]int{}}
}

// add takes a record out of a row, which is not to be kept for its sake.
func (f *freshLinks) add(kind linkKind, id int64, record []byte) {
	f.records[linkID{kind, id}] = bytes.Clone(record)
}

// LinkBytes bounds what is remembered of what events of all sites are linked to,
// unless Options say something else. It does for about a thousand sites.
const LinkBytes = 16 << 20

// recordCost is what a record takes beside its bytes.
const recordCost = 96

func newLinkMemory(most int) *linkMemory {
	return &linkMemory{otter.Must(&otter.Options[int64, *siteLinks]{
		MaximumWeight: uint64(most),
		Weigher:       func(_ int64, s *siteLinks) uint32 { return uint32(s.records.size()) },
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
	s := m.of(site)
	switch {
	case s == nil || s.version < version:
		s = &siteLinks{version: version, records: &linkRecords{byID: map[linkID][]byte{}}, counts: map[int64]int{}}
	case s.version > version:
		return
	}
	if s.put(fresh) {
		m.sites.Set(site, s) // weighed anew
	}
}

// recount takes a site's memory from one version to another between which only
// these counts changed.
func (m *linkMemory) recount(site, from, to int64, counts map[int64]int) {
	s := m.of(site)
	if s == nil || s.version != from {
		m.forget(site)
		return
	}
	s.mu.RLock()
	next := &siteLinks{version: to, records: s.records, counts: maps.Clone(s.counts)}
	s.mu.RUnlock()
	for id, n := range counts {
		if _, known := next.counts[id]; known {
			next.counts[id] = n
		}
	}
	m.sites.Set(site, next)
}

// put adds records and reports whether any was new.
func (s *siteLinks) put(fresh *freshLinks) (added bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.Copy(s.counts, fresh.counts)
	r := s.records
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, record := range fresh.records {
		if _, there := r.byID[id]; !there {
			r.byID[id] = record
			r.bytes += len(record) + recordCost
			added = true
		}
	}
	return added
}

func (r *linkRecords) size() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.bytes + recordCost
}

// get returns a record, nil when it isn't remembered.
func (s *siteLinks) get(kind linkKind, id int64) []byte {
	s.records.mu.RLock()
	defer s.records.mu.RUnlock()
	return s.records.byID[linkID{kind, id}]
}

// count returns how many events a term has, false when it isn't remembered.
func (s *siteLinks) count(term int64) (int, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n, known := s.counts[term]
	return n, known
}

// nested reads what events are linked to: rows name it by id, and the records are
// those remembered, or fresh ones that come with the rows, to be remembered.
type nested struct {
	remembered *siteLinks // nil: fresh records come
	fresh      *freshLinks
	missing    bool // something linked isn't there
}

func newNested(remembered *siteLinks) *nested {
	n := &nested{remembered: remembered}
	if remembered == nil {
		n.fresh = newFreshLinks()
	}
	return n
}

// whole reports whether nothing that was linked is missing, and what was taken from
// memory is of the site's links as they stand, at version.
func (n *nested) whole(version int64) bool {
	return n.remembered == nil || !n.missing && n.remembered.version == version
}

// learn reads linkedColumns where fresh records come: before the events that name
// them, null where they came already.
func (n *nested) learn(f *fields) {
	if n.remembered != nil {
		return
	}
	for _, kind := range []linkKind{linkVenue, linkOrganizer, linkTerm} {
		f.elements(func(b []byte) {
			f.inside(b, func(f *fields) {
				id := bigint(f.raw[0])
				if kind == linkTerm {
					n.fresh.counts[id] = readTerm(f).Count
				}
				n.fresh.add(kind, id, b)
			})
		})
	}
}

// read reads the three columns of ids of an event.
func (n *nested) read(f *fields, e *calendar.Event) {
	n.each(f, linkVenue, func(f *fields) { e.Venues = append(e.Venues, readVenue(f)) })
	n.each(f, linkOrganizer, func(f *fields) { e.Organizers = append(e.Organizers, readOrganizer(f)) })
	n.each(f, linkTerm, func(f *fields) {
		if t := n.term(f); t.Taxonomy == calendar.Tags {
			e.Tags = append(e.Tags, t)
		} else {
			e.Categories = append(e.Categories, t)
		}
	})
	slices.SortFunc(e.Categories, byName)
	slices.SortFunc(e.Tags, byName)
}

// term reads a term, whose count stands beside its record.
func (n *nested) term(f *fields) calendar.Term {
	t := readTerm(f)
	if n.remembered == nil {
		t.Count = n.fresh.counts[t.ID]
		return t
	}
	var known bool
	if t.Count, known = n.remembered.count(t.ID); !known {
		n.missing = true
	}
	return t
}

// each reads the records of one column of ids.
func (n *nested) each(f *fields, kind linkKind, read func(*fields)) {
	f.elements(func(b []byte) {
		record := n.get(kind, bigint(b))
		if record == nil {
			n.missing = true
			return
		}
		f.inside(record, read)
	})
}

func (n *nested) get(kind linkKind, id int64) []byte {
	if n.remembered != nil {
		return n.remembered.get(kind, id)
	}
	return n.fresh.records[linkID{kind, id}]
}

// byName is the order of an event's terms.
func byName(a, b calendar.Term) int {
	return cmp.Or(cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), cmp.Compare(a.ID, b.ID))
}

// bigint reads the binary form of a bigint.
func bigint(b []byte) int64 {
	if len(b) != 8 {
		return 0
	}
	return int64(binary.BigEndian.Uint64(b))
}
