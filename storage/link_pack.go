package storage

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"sync/atomic"
	"weak"

	"github.com/klauspost/compress/s2"
)

// siteLinks are the linked records of one site at one version. Nothing in it
// changes. Records are packed together and compressed, for one is like the next
// and thousands of sites have theirs in memory; those of a page came together, so
// a page unpacks few packs. New events change how many events terms have and
// nothing else, so these counts stand beside the packs, which versions between
// which only they changed share.
type siteLinks struct {
	version int64
	index   []linkEntry // by key
	packs   []*linkPack
}

// linkEntry tells of one record.
type linkEntry struct {
	key    linkKey
	events int32  // of a term
	pack   uint16 // the one it is in
	at     uint16 // where in that it begins
}

// linkKey names a record within a site. Keys are ordered by kind, for those of
// a kind pack best side by side.
type linkKey uint64

type linkKind uint8

const (
	linkVenue linkKind = iota
	linkOrganizer
	linkTerm
)

const kindShift = 62 // ids are below it

func keyOf(kind linkKind, id int64) linkKey { return linkKey(kind)<<kindShift | linkKey(id) }

// freshLinks are records just read.
type freshLinks struct {
	records map[linkKey]freshLink
}

type freshLink struct {
	record []byte
	events int // of a term
}

func newFreshLinks() *freshLinks { return &freshLinks{map[linkKey]freshLink{}} }

func (f *freshLinks) add(kind linkKind, id int64, record []byte, events int) {
	f.records[keyOf(kind, id)] = freshLink{record, events}
}

// A pack is closed when it has so many bytes, before they are compressed: larger
// ones hardly get smaller, and each is unpacked whole.
const packBytes = 16 << 10

// What a site takes beside the bytes of its packs.
const (
	siteCost  = 256
	packCost  = 48
	entryCost = 16
)

func newSiteLinks(version int64) *siteLinks { return &siteLinks{version: version} }

// weight is about what it takes in memory.
func (s *siteLinks) weight() int {
	n := siteCost + packCost*len(s.packs) + entryCost*len(s.index)
	for _, pack := range s.packs {
		n += len(pack.packed)
	}
	return n
}

// with returns the links with more of the same version, or the same when they are
// there.
func (s *siteLinks) with(fresh *freshLinks) *siteLinks {
	var more []linkKey
	for _, key := range slices.Sorted(maps.Keys(fresh.records)) {
		if _, there := s.find(key); !there {
			more = append(more, key)
		}
	}
	if len(more) == 0 {
		return s
	}
	next := *s
	next.index = append(make([]linkEntry, 0, len(s.index)+len(more)), s.index...)
	packs, open := s.reopen()
	for _, key := range more {
		if len(open) >= packBytes {
			packs, open = append(packs, newLinkPack(open)), nil
		}
		if len(packs) > math.MaxUint16 {
			break // what isn't remembered is read
		}
		link := fresh.records[key]
		next.index = append(next.index, linkEntry{key, int32(link.events), uint16(len(packs)), uint16(len(open))})
		open = binary.AppendUvarint(open, uint64(len(link.record)))
		open = append(open, link.record...)
	}
	packs = append(packs, newLinkPack(open))
	next.packs = packs
	slices.SortFunc(next.index, func(a, b linkEntry) int { return cmp.Compare(a.key, b.key) })
	return &next
}

// reopen returns the packs that are closed, and what the last has if it is not.
func (s *siteLinks) reopen() (closed []*linkPack, open []byte) {
	closed = slices.Clone(s.packs)
	if last := len(closed) - 1; last >= 0 {
		if open = closed[last].records(); len(open) < packBytes {
			return closed[:last], slices.Clone(open)
		}
	}
	return closed, nil
}

// recounted returns the links at another version, at which terms have these many
// events.
func (s *siteLinks) recounted(version int64, events map[int64]int) *siteLinks {
	next := *s
	next.version, next.index = version, slices.Clone(s.index)
	for term, n := range events {
		if i, there := s.find(keyOf(linkTerm, term)); there {
			next.index[i].events = int32(n)
		}
	}
	return &next
}

func (s *siteLinks) find(key linkKey) (i int, there bool) {
	return slices.BinarySearchFunc(s.index, key, func(e linkEntry, key linkKey) int { return cmp.Compare(e.key, key) })
}

// linkPack is some records, compressed.
type linkPack struct {
	packed   []byte
	unpacked atomic.Pointer[weak.Pointer[[]byte]] // as they were read last
}

func newLinkPack(records []byte) *linkPack {
	return &linkPack{packed: bytes.Clone(s2.Encode(nil, records))} // without what s2 leaves free
}

// records returns what was packed, to be read.
func (p *linkPack) records() []byte {
	if last := p.unpacked.Load(); last != nil {
		if records := last.Value(); records != nil {
			return *records
		}
	}
	records, err := s2.Decode(nil, p.packed)
	if err != nil {
		return nil // which newLinkPack doesn't make
	}
	last := weak.Make(&records)
	p.unpacked.Store(&last)
	return records
}

// openLinks read records of a site, and unpack what they need once.
type openLinks struct {
	*siteLinks
	unpacked [][]byte
}

func (s *siteLinks) open() *openLinks { return &openLinks{s, make([][]byte, len(s.packs))} }

// get returns a record, nil when it isn't remembered, and how many events a term
// has.
func (o *openLinks) get(kind linkKind, id int64) (record []byte, events int) {
	i, there := o.find(keyOf(kind, id))
	if !there || id>>kindShift != 0 {
		return nil, 0
	}
	e := o.index[i]
	if o.unpacked[e.pack] == nil {
		o.unpacked[e.pack] = o.packs[e.pack].records()
	}
	records := o.unpacked[e.pack][e.at:]
	size, n := binary.Uvarint(records)
	return records[n:][:size:size], int(e.events)
}
