package lists

import (
	"maps"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/internal/bounded"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// rowMemory keeps rows of events in memory, as Postgres sent them to lists. All rows of a site belong to one
// version of the site, and every change of an event raises that version. If the statement of a list says that the
// site still has this version, the list needs to read only the IDs of its page. Remembered rows can be outdated but
// never wrong.
type rowMemory struct {
	sites bounded.Cache[rowKey, *siteRows] // nil: nothing is remembered
}

// rowKey is a site with the languages of the texts in the rows.
type rowKey struct {
	site  int64
	texts string
}

// siteRows are rows of a site at one version. They never change.
type siteRows struct {
	version int64
	rows    map[int64]rememberedRow // by event
	bytes   int
	known   int // number of consecutive lists with only remembered rows, up to knownBefore
}

// rememberedRow is a row with its translations, which are parsed once.
type rememberedRow struct {
	packed []byte
	texts  translations.Texts
}

// size returns roughly how many bytes the row takes in memory.
func (r rememberedRow) size() int { return 150 + len(r.packed) + r.texts.Size() }

// RowBytes is the usual limit of the memory for rows of all sites, in bytes.
const RowBytes = 8 << 20

const (
	siteRowBytes = 1 << 20  // memory per site in bytes; a site that has reached it gets no further rows
	longestRow   = 32 << 10 // longest row that is remembered, in bytes
	longestPage  = 100      // longest list whose rows are remembered
	knownBefore  = 2        // lists with only remembered rows before a list is read by IDs alone
)

// newRowMemory returns a memory with a limit in bytes. If the limit is negative, it remembers nothing.
func newRowMemory(most int) *rowMemory {
	if most < 0 {
		return &rowMemory{}
	}
	return &rowMemory{bounded.New(bounded.Options[rowKey, *siteRows]{
		Bytes: most,
		Weigh: func(_ rowKey, s *siteRows) uint32 { return uint32(200 + s.bytes) },
	})}
}

// of returns the rows for a list of a site. If none are remembered, their version is -1.
func (m *rowMemory) of(site int64, q *calendar.EventQuery) rowsRead {
	r := rowsRead{memory: m, key: rowKey{site, strings.Join(q.Texts.In, ",")}, remembered: &siteRows{version: tenancy.NoVersion}}
	if q.Texts.Whole {
		r.key.texts = "*"
	}
	if m.sites == nil || q.PerPage > longestPage {
		r.memory = nil
	} else if s, ok := m.sites.Get(r.key); ok {
		r.remembered = s
	}
	return r
}

// rowsRead are the rows of one list.
type rowsRead struct {
	memory     *rowMemory // nil: the rows are not remembered after reading
	key        rowKey
	remembered *siteRows
	fresh      map[int64]rememberedRow // not remembered yet
	others     bool                    // a row is not remembered, and there is no room for it
	missing    bool                    // a row requested by its ID is not remembered
}

// sure reports whether the list will probably have only remembered rows.
func (r *rowsRead) sure() bool { return r.remembered.known >= knownBefore }

// row returns the row of an event at a version of its site, if it is remembered.
func (r *rowsRead) row(version, event int64) (row rememberedRow, known bool) {
	if r.remembered.version == version {
		row, known = r.remembered.rows[event]
	}
	return row, known
}

// find puts the remembered row of an event before the fields that follow.
func (r *rowsRead) find(f *pg.Fields, links *events.Linked, version, event int64) bool {
	row, known := r.row(version, event)
	if !known {
		r.missing = true
		return false
	}
	f.Unpack(row.packed)
	links.Texts = &row.texts
	return true
}

// note keeps a row, which is the fields from start on, for learn. It does nothing if the row is remembered or was
// noted for another date of the event.
func (r *rowsRead) note(version int64, e *calendar.Event, f *pg.Fields, start int) {
	_, known := r.row(version, e.ID)
	if _, noted := r.fresh[e.ID]; known || noted || r.memory == nil {
		return
	}
	if r.remembered.version == version && r.remembered.bytes > siteRowBytes-longestRow {
		r.others = true
		return
	}
	if r.fresh == nil {
		r.fresh = map[int64]rememberedRow{}
	}
	r.fresh[e.ID] = rememberedRow{f.Pack(start), e.Texts.Own()} // the texts that were read are slices of the whole row
}

// learn remembers the rows of a valid list, at a version of the site.
func (r *rowsRead) learn(version int64) {
	unknown := r.missing || r.others || len(r.fresh) > 0
	if r.memory == nil || !unknown && r.sure() && r.remembered.version == version {
		return
	}
	r.memory.sites.Change(r.key, func(s *siteRows, _ bool) (*siteRows, bounded.Outcome) {
		if s == nil || s.version < version {
			s = &siteRows{version: version}
		}
		known := min(s.known+1, knownBefore)
		if unknown {
			known = 0
		}
		if s.version > version || len(r.fresh) == 0 && s.known == known {
			return s, bounded.Leave
		}
		return s.with(r.fresh, known), bounded.Keep
	})
}

// with returns the rows and the fresh ones, as long as there is room.
func (s *siteRows) with(fresh map[int64]rememberedRow, known int) *siteRows {
	more := &siteRows{version: s.version, rows: s.rows, bytes: s.bytes, known: known}
	if len(fresh) > 0 {
		more.rows = make(map[int64]rememberedRow, len(s.rows)+len(fresh))
		maps.Copy(more.rows, s.rows)
	}
	for event, row := range fresh {
		if _, there := more.rows[event]; !there && len(row.packed) <= longestRow && more.bytes+row.size() <= siteRowBytes {
			more.rows[event] = row
			more.bytes += row.size()
		}
	}
	return more
}
