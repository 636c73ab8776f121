package linked

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

// Site are the linked records of one site at one version. Nothing in it
// changes. Records are packed together and compressed, for one is like the next
// and thousands of sites have theirs in memory; those of a page came together, so
// a page unpacks few packs. New events change how many events terms have and
// nothing else, so these counts stand beside the packs, which versions between
// which only they changed share.
type Site struct {
	Version int64   // of the site's links
	index   []entry // by key
	packs   []*pack
}

// entry tells of one record.
type entry struct {
	key    linkKey
	events int32  // of a term
	pack   uint16 // the one it is in
	at     uint16 // where in that it begins
}

// linkKey names a record within a site. Keys are ordered by kind, for those of
// a kind pack best side by side.
type linkKey uint64

// Kind is what a record is of.
type Kind uint8

// The kinds, in the order in which they are packed.
const (
	Venue Kind = iota
	Organizer
	Term
)

const kindShift = 62 // ids are below it

func keyOf(kind Kind, id int64) linkKey { return linkKey(kind)<<kindShift | linkKey(id) }

// Fresh are records just read.
type Fresh struct {
	records map[linkKey]link
}

type link struct {
	record []byte
	events int // of a term
}

// NewFresh returns none.
func NewFresh() *Fresh { return &Fresh{map[linkKey]link{}} }

// Add adds the record of an id, as Postgres sent it. A term is in a number of events.
func (f *Fresh) Add(kind Kind, id int64, record []byte, events int) {
	f.records[keyOf(kind, id)] = link{record, events}
}

// Empty reports whether there are none.
func (f *Fresh) Empty() bool { return len(f.records) == 0 }

// Get returns a record, nil when it isn't among them, and how many events a term has.
func (f *Fresh) Get(kind Kind, id int64) (record []byte, events int) {
	link := f.records[keyOf(kind, id)]
	return link.record, link.events
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

func newSite(version int64) *Site { return &Site{Version: version} }

// Weight is about what it takes in memory.
func (s *Site) Weight() int {
	n := siteCost + packCost*len(s.packs) + entryCost*len(s.index)
	for _, pack := range s.packs {
		n += len(pack.packed)
	}
	return n
}

// with returns the links with more of the same version, or the same when they are
// there.
func (s *Site) with(fresh *Fresh) *Site {
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
	next.index = append(make([]entry, 0, len(s.index)+len(more)), s.index...)
	packs, open := s.reopen()
	for _, key := range more {
		if len(open) >= packBytes {
			packs, open = append(packs, newPack(open)), nil
		}
		if len(packs) > math.MaxUint16 {
			break // what isn't remembered is read
		}
		link := fresh.records[key]
		next.index = append(next.index, entry{key, int32(link.events), uint16(len(packs)), uint16(len(open))})
		open = binary.AppendUvarint(open, uint64(len(link.record)))
		open = append(open, link.record...)
	}
	packs = append(packs, newPack(open))
	next.packs = packs
	slices.SortFunc(next.index, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	return &next
}

// reopen returns the packs that are closed, and what the last has if it is not.
func (s *Site) reopen() (closed []*pack, open []byte) {
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
func (s *Site) recounted(version int64, events map[int64]int) *Site {
	next := *s
	next.Version, next.index = version, slices.Clone(s.index)
	for term, n := range events {
		if i, there := s.find(keyOf(Term, term)); there {
			next.index[i].events = int32(n)
		}
	}
	return &next
}

func (s *Site) find(key linkKey) (i int, there bool) {
	return slices.BinarySearchFunc(s.index, key, func(e entry, key linkKey) int { return cmp.Compare(e.key, key) })
}

// pack is some records, compressed.
type pack struct {
	packed   []byte
	unpacked atomic.Pointer[weak.Pointer[[]byte]] // as they were read last
}

func newPack(records []byte) *pack {
	return &pack{packed: bytes.Clone(s2.Encode(nil, records))} // without what s2 leaves free
}

// records returns what was packed, to be read.
func (p *pack) records() []byte {
	if last := p.unpacked.Load(); last != nil {
		if records := last.Value(); records != nil {
			return *records
		}
	}
	records, err := s2.Decode(nil, p.packed)
	if err != nil {
		return nil // which newPack doesn't make
	}
	last := weak.Make(&records)
	p.unpacked.Store(&last)
	return records
}

// Records read records of a site, and unpack what they need once.
type Records struct {
	*Site
	unpacked [][]byte
}

// Open returns a reader of the records.
func (s *Site) Open() *Records { return &Records{s, make([][]byte, len(s.packs))} }

// Get returns a record, nil when it isn't remembered, and how many events a term
// has.
func (o *Records) Get(kind Kind, id int64) (record []byte, events int) {
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
