package events

import (
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

// createdTogether and changedTogether are how many events one statement creates or changes.
const (
	createdTogether = 25
	changedTogether = 50
)

var insertEvents = storedColumns.Insert("events", createdTogether)

const upsertOccurrences = `
	INSERT INTO occurrences (site_id, event_id, n, start_local, end_local, start_utc, end_utc, listed)
	SELECT $1, o.id, 0, o.start_local, o.end_local, o.start_utc, o.end_utc, o.listed
	FROM unnest($2::bigint[], $3::timestamp[], $4::timestamp[], $5::timestamptz[], $6::timestamptz[], $7::boolean[])
	     o (id, start_local, end_local, start_utc, end_utc, listed)` + occurrenceThere

// together holds events that happen once and are created or changed together. It writes them with statements for
// many events: those for new ones, one for each set of changed columns, one for their times, and one for the counts of terms.
type together struct {
	t      *content.Tx
	made   []*calendar.Event
	sets   map[string]*changedRows // by the names of their columns
	order  []string
	happen []*calendar.Event
	links  linkChanges
	counts tally
}

// changedRows are changes to the same columns.
type changedRows struct {
	columns pg.Columns[row]
	values  [][]any // each row has the id, then the values
}

func newTogether(t *content.Tx) *together {
	return &together{t: t, sets: map[string]*changedRows{}, counts: tally{}}
}

// write collects the change from was to e. It does for one of many events what storeEvent does for a single one.
func (m *together) write(was, e *calendar.Event) {
	if was.ID == 0 {
		m.made = append(m.made, e)
	} else {
		m.change(was, e)
	}
	if was.ID == 0 || !happensAlike(was, e) {
		m.happen = append(m.happen, e)
	}
	m.links.change(m.t, was, e)
	m.counts.change(was, e)
	writeBeside(m.t, was, e)
}

// change collects the columns in which e differs from was.
func (m *together) change(was, e *calendar.Event) {
	if calendar.Rescheduled(was, e) {
		e.Sequence++
	}
	differing, values := storedColumns[1:].Differing(&row{Event: was}, &row{Event: e, indexed: m.t.TextsIndexed})
	if len(values) == 0 {
		return
	}
	names := differing.Names()
	set := m.sets[names]
	if set == nil {
		set = &changedRows{columns: differing}
		m.sets[names], m.order = set, append(m.order, names)
	}
	set.values = append(set.values, append([]any{e.ID}, values...))
}

// create writes the new events.
func (m *together) create() {
	for some := range slices.Chunk(m.made, createdTogether) {
		rows := make([]any, 0, len(some)*len(storedColumns))
		for _, e := range some {
			rows = append(rows, newRow(m.t, e)...)
		}
		insert, values := insertEvents, len(rows)
		if len(some) < createdTogether { // one by one, so that there are few statements to plan
			insert, values = insertEvent, len(rows)/len(some)
		}
		for part := range slices.Chunk(rows, values) {
			m.t.Queue(insert, append([]any{m.t.Site}, part...)...)
		}
	}
}

// queue writes the noted changes.
func (m *together) queue() {
	m.create()
	for _, names := range m.order {
		set := m.sets[names]
		for some := range slices.Chunk(set.values, changedTogether) {
			m.t.Queue(set.columns.UpdateMany("events", len(some)), slices.Concat([]any{m.t.Site}, slices.Concat(some...))...)
		}
	}
	if n := len(m.happen); n > 0 {
		ids, listedOnes := make([]int64, n), make([]bool, n)
		starts, ends, startsUTC, endsUTC := make([]time.Time, n), make([]time.Time, n), make([]time.Time, n), make([]time.Time, n)
		for i, e := range m.happen {
			ids[i], starts[i], ends[i], startsUTC[i], endsUTC[i], listedOnes[i] = e.ID, e.Start, e.End, e.StartUTC, e.EndUTC, listed(e)
		}
		m.t.Queue(upsertOccurrences, m.t.Site, ids, starts, ends, startsUTC, endsUTC, listedOnes)
	}
	m.links.queue(m.t)
	countIn(m.t, m.counts)
}
