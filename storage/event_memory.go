package storage

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"sync"

	"github.com/maypok86/otter/v2"

	"github.com/kalends/kalends/calendar"
)

// linkMemory remembers the venues, organizers and terms that lists nest, as
// Postgres sent them, by site. An event's row names what it is linked to, so a
// list whose links are remembered reads events alone. The statement says at
// which version the site's linked things last changed: what is remembered is
// used only at that version, so it can be useless, never wrong.
type linkMemory struct {
	sites *otter.Cache[int64, *siteLinks]
}

// siteLinks are the records of one site at one version.
type siteLinks struct {
	version int64
	mu      sync.RWMutex
	records map[linkID][]byte
	bytes   int
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

// mostLinkBytes bounds the memory of all sites; recordCost is what a record
// takes beside its bytes.
const (
	mostLinkBytes = 24 << 20
	recordCost    = 96
)

func newLinkMemory() *linkMemory {
	return &linkMemory{otter.Must(&otter.Options[int64, *siteLinks]{
		MaximumWeight: mostLinkBytes,
		Weigher:       func(_ int64, s *siteLinks) uint32 { return uint32(s.size()) },
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
func (m *linkMemory) add(site, version int64, fresh map[linkID][]byte) {
	s := m.of(site)
	switch {
	case s == nil || s.version < version:
		s = &siteLinks{version: version, records: map[linkID][]byte{}}
	case s.version > version:
		return
	}
	if s.put(fresh) {
		m.sites.Set(site, s) // weighed anew
	}
}

// put adds records and reports whether any was new.
func (s *siteLinks) put(fresh map[linkID][]byte) (added bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, record := range fresh {
		if _, there := s.records[id]; !there {
			s.records[id] = record
			s.bytes += len(record) + recordCost
			added = true
		}
	}
	return added
}

func (s *siteLinks) size() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.bytes + recordCost
}

// get returns a record, nil when it isn't remembered.
func (s *siteLinks) get(kind linkKind, id int64) []byte {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.records[linkID{kind, id}]
}

// nested reads what events are linked to: whole records, which it collects to
// be remembered, or ids, for which it takes what is remembered.
type nested struct {
	remembered *siteLinks // nil: whole records are read
	fresh      map[linkID][]byte
	missing    bool // something linked isn't remembered
}

func newNested(remembered *siteLinks) *nested {
	n := &nested{remembered: remembered}
	if remembered == nil {
		n.fresh = map[linkID][]byte{}
	}
	return n
}

// read reads the three link columns of an event.
func (n *nested) read(f *fields, e *calendar.Event) {
	n.each(f, linkVenue, func(f *fields) int64 {
		e.Venues = append(e.Venues, readVenue(f))
		return e.Venues[len(e.Venues)-1].ID
	})
	n.each(f, linkOrganizer, func(f *fields) int64 {
		e.Organizers = append(e.Organizers, readOrganizer(f))
		return e.Organizers[len(e.Organizers)-1].ID
	})
	n.each(f, linkTerm, func(f *fields) int64 {
		t := readTerm(f)
		if t.Taxonomy == calendar.Tags {
			e.Tags = append(e.Tags, t)
		} else {
			e.Categories = append(e.Categories, t)
		}
		return t.ID
	})
	slices.SortFunc(e.Categories, byName)
	slices.SortFunc(e.Tags, byName)
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

// each reads one link column.
func (n *nested) each(f *fields, kind linkKind, read func(*fields) int64) {
	inner := &fields{}
	f.elements(func(b []byte) {
		if n.remembered != nil {
			if b = n.remembered.get(kind, bigint(b)); b == nil {
				n.missing = true
				return
			}
		}
		f.inside(b, inner, func(f *fields) {
			if id := read(f); n.fresh != nil {
				n.fresh[linkID{kind, id}] = bytes.Clone(b) // the connection reuses its own
			}
		})
	})
}
