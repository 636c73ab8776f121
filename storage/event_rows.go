package storage

import (
	"encoding/binary"
	"strings"
	"sync"

	"github.com/kalends/kalends/calendar"
)

// rowMemory remembers rows of events as Postgres sent them to lists. The rows of a site are all of one version of the
// site, and whatever changes an event gives its site a new version. A list therefore needs only the IDs of its page
// if its statement says that the site still has that version. What is remembered can be useless, never wrong.
type rowMemory struct {
	most  int // bytes; negative: nothing is remembered
	mu    sync.Mutex
	sites map[rowKey]*siteRows
	bytes int
}

// rowKey is a site with the languages of the texts in the rows.
type rowKey struct {
	site  int64
	texts string
}

// siteRows are rows of a site at one version.
type siteRows struct {
	version int64
	rows    map[int64]rememberedRow // by event
	bytes   int
	known   int // how many lists in a row had only remembered rows
}

// rememberedRow is a row with the texts that were read of it, which are parsed once.
type rememberedRow struct {
	packed []byte
	texts  calendar.Texts
}

// size is about what it takes in memory.
func (r rememberedRow) size() int { return len(r.packed) + 2*len(r.texts.Raw()) }

// RowBytes bounds what is remembered of the rows of all sites, unless Options say something else. Beyond it everything
// is forgotten.
const RowBytes = 8 << 20

const (
	siteRowBytes = 1 << 20  // remembered of one site; beyond it nothing is added
	longestRow   = 32 << 10 // bytes of a row that is remembered
	knownBefore  = 2        // lists with only remembered rows before one is read by IDs alone
)

// rowsOf returns the key of the rows that a list reads.
func rowsOf(site int64, t calendar.TextQuery) rowKey {
	key := rowKey{site, strings.Join(t.In, ",")}
	if t.Whole {
		key.texts = "*"
	}
	return key
}

// sure reports whether the next list will probably have only remembered rows.
func (m *rowMemory) sure(key rowKey) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.sites[key]
	return s != nil && s.known >= knownBefore
}

// get returns the row of an event at a version of its site, if it is remembered.
func (m *rowMemory) get(key rowKey, version, event int64) (row rememberedRow, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.sites[key]; s != nil && s.version == version {
		row, known = s.rows[event]
	}
	return row, known
}

// rowsRead are the rows of one list.
type rowsRead struct {
	memory  *rowMemory
	key     rowKey
	fresh   map[int64]rememberedRow // not remembered yet
	missing bool                    // one that was asked for by its ID isn't remembered
}

// find puts the remembered row of the event whose ID comes next before the fields that follow.
func (r *rowsRead) find(f *fields, version int64) bool {
	row, known := r.memory.get(r.key, version, f.int64())
	if !known {
		r.missing = true
		return false
	}
	f.unpack(row)
	return true
}

// note keeps a row for learn, unless it is remembered.
func (r *rowsRead) note(version int64, e *calendar.Event, fields [][]byte) {
	if _, known := r.memory.get(r.key, version, e.ID); known {
		return
	}
	if r.fresh == nil {
		r.fresh = map[int64]rememberedRow{}
	}
	r.fresh[e.ID] = rememberedRow{packed(fields), e.Texts}
}

// learn remembers the rows of a list that counts.
func (r *rowsRead) learn(version int64) {
	if r.missing {
		r.memory.missed(r.key)
		return
	}
	r.memory.add(r.key, version, r.fresh)
}

// add remembers rows that a list had at a version, apart from those it knew.
func (m *rowMemory) add(key rowKey, version int64, fresh map[int64]rememberedRow) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.sites[key]
	switch {
	case m.most < 0 || s != nil && s.version > version:
		return
	case s == nil || s.version < version:
		m.drop(key)
		s = &siteRows{version: version, rows: map[int64]rememberedRow{}}
	}
	for event, row := range fresh {
		_, known := s.rows[event]
		if size := row.size(); !known && size <= longestRow && s.bytes+size <= siteRowBytes {
			s.rows[event] = row
			s.bytes += size
			m.bytes += size
		}
	}
	if s.known++; len(fresh) > 0 {
		s.known = 0
	}
	if m.bytes > m.most || m.sites == nil {
		m.sites, m.bytes = map[rowKey]*siteRows{}, s.bytes
	}
	m.sites[key] = s
}

// missed notes that a list read by IDs alone had other rows than those remembered.
func (m *rowMemory) missed(key rowKey) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.sites[key]; s != nil {
		s.known = 0
	}
}

func (m *rowMemory) drop(key rowKey) {
	if s := m.sites[key]; s != nil {
		m.bytes -= s.bytes
		delete(m.sites, key)
	}
}

// packed returns fields as one value, each with its length before it, -1 for null.
func packed(fields [][]byte) []byte {
	size := 0
	for _, b := range fields {
		size += 4 + len(b)
	}
	row := make([]byte, 0, size)
	for _, b := range fields {
		if b == nil {
			row = binary.BigEndian.AppendUint32(row, 1<<32-1)
			continue
		}
		row = append(binary.BigEndian.AppendUint32(row, uint32(len(b))), b...)
	}
	return row
}

// unpack puts the fields of a remembered row before those that are still to be read.
func (f *fields) unpack(row rememberedRow) {
	var rest [8][]byte
	n := copy(rest[:], f.raw[f.at:])
	f.raw, f.at = f.raw[:0], 0
	for r := (reader{row.packed}); len(r.b) > 0; {
		f.raw = append(f.raw, r.value())
	}
	f.raw = append(f.raw, rest[:n]...)
	f.known = &row.texts
}
