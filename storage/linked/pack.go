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

// Site holds the linked records of one site at one version. It is immutable. Records are compressed in packs: they
// are similar, and the memory holds those of thousands of sites. The records of a page were read together, so a
// page unpacks few packs. New events change only the terms' numbers of events. These are stored outside the packs,
// so versions that differ only in them share the packs.
type Site struct {
	Version int64   // of the site's links
	index   []entry // by key
	packs   []*pack
}

// entry locates one record.
type entry struct {
	key    linkKey
	events int32  // of a term
	pack   uint16 // index of its pack
	at     uint16 // offset in the pack
}

// linkKey names a record within a site. Keys are ordered by kind, because records of the same kind compress best
// together.
type linkKey uint64

// Kind is the kind of a record.
type Kind uint8

// The kinds, in the order in which they are packed.
const (
	Venue Kind = iota
	Organizer
	Term
)

const kindShift = 62 // ids are below 1 << kindShift

func keyOf(kind Kind, id int64) linkKey { return linkKey(kind)<<kindShift | linkKey(id) }

// Fresh holds records that were just read.
type Fresh struct {
	records map[linkKey]link
}

type link struct {
	record []byte
	events int // of a term
}

// NewFresh returns an empty Fresh.
func NewFresh() *Fresh { return &Fresh{map[linkKey]link{}} }

// Add adds the record of an id, as Postgres sent it. For a term, events is its number of events.
func (f *Fresh) Add(kind Kind, id int64, record []byte, events int) {
	f.records[keyOf(kind, id)] = link{record, events}
}

// Empty reports whether there are no records.
func (f *Fresh) Empty() bool { return len(f.records) == 0 }

// Get returns a record, or nil if there is none, and for a term its number of events.
func (f *Fresh) Get(kind Kind, id int64) (record []byte, events int) {
	link := f.records[keyOf(kind, id)]
	return link.record, link.events
}

// packBytes is the size at which a pack is closed, before compression. Larger packs hardly compress better, and a
// pack can only be unpacked as a whole.
const packBytes = 16 << 10

// The memory that a site takes in addition to its packs, in bytes.
const (
	siteCost  = 256
	packCost  = 48
	entryCost = 16
)

func newSite(version int64) *Site { return &Site{Version: version} }

// Weight returns roughly how many bytes the site takes in memory.
func (s *Site) Weight() int {
	n := siteCost + packCost*len(s.packs) + entryCost*len(s.index)
	for _, pack := range s.packs {
		n += len(pack.packed)
	}
	return n
}

// with returns the site with more records of the same version, or s itself if it has all of them.
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
			break // there is no room; records that are not remembered are read
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

// reopen returns the closed packs, and the records of the last pack if it is still open.
func (s *Site) reopen() (closed []*pack, open []byte) {
	closed = slices.Clone(s.packs)
	if last := len(closed) - 1; last >= 0 {
		if open = closed[last].records(); len(open) < packBytes {
			return closed[:last], slices.Clone(open)
		}
	}
	return closed, nil
}

// recounted returns the site at another version, with these numbers of events by term.
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

// pack holds compressed records.
type pack struct {
	packed   []byte
	unpacked atomic.Pointer[weak.Pointer[[]byte]] // the unpacked records, as long as the garbage collector leaves them
}

func newPack(records []byte) *pack {
	return &pack{packed: bytes.Clone(s2.Encode(nil, records))} // without the spare capacity of s2's result
}

// records returns the unpacked records, for reading only.
func (p *pack) records() []byte {
	if last := p.unpacked.Load(); last != nil {
		if records := last.Value(); records != nil {
			return *records
		}
	}
	records, err := s2.Decode(nil, p.packed)
	if err != nil {
		return nil // newPack never makes such a pack
	}
	last := weak.Make(&records)
	p.unpacked.Store(&last)
	return records
}

// Records reads the records of a site and unpacks each pack at most once.
type Records struct {
	*Site
	unpacked [][]byte
}

// Open returns a reader of the records.
func (s *Site) Open() *Records { return &Records{s, make([][]byte, len(s.packs))} }

// Get returns a record, or nil if it is not remembered, and for a term its number of events.
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
