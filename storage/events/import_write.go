package events

import (
	"github.com/kalends/kalends/calendar"
)

// ImportedTogether is how many events of an import one statement stores.
const ImportedTogether = 50

var insertManyEvents = storedColumns.Insert("events", ImportedTogether)

// imported are events with these IDs, each looked up by its key whatever Postgres takes the site to have.
const imported = `unnest($2::bigint[]) i (id), LATERAL (SELECT * FROM events WHERE site_id = $1 AND events.id = i.id OFFSET 0) e`

// What writeEvent writes beside the rows of events, for many at once: read from the
// rows themselves.
const (
	eventsHappen = `
		INSERT INTO occurrences (site_id, event_id, n, start_local, end_local, start_utc, end_utc, listed)
		SELECT e.site_id, e.id, 0, e.start_local, e.end_local, e.start_utc, e.end_utc, e.status = 'publish' AND NOT e.hidden
		FROM ` + imported
	eventsAtVenues = `
		INSERT INTO event_venues (site_id, event_id, venue_id, position)
		SELECT e.site_id, e.id, v.id, v.position
		FROM ` + imported + `, unnest(e.venue_ids) WITH ORDINALITY v (id, position)`
	eventsByOrganizers = `
		INSERT INTO event_organizers (site_id, event_id, organizer_id, position)
		SELECT e.site_id, e.id, o.id, o.position
		FROM ` + imported + `, unnest(e.organizer_ids) WITH ORDINALITY o (id, position)`
	eventsUnderTerms = `
		INSERT INTO event_terms (site_id, event_id, term_id)
		SELECT e.site_id, e.id, c.id
		FROM ` + imported + `, unnest(e.term_ids) c (id)`
)

// store keeps a new event for queueEvents and notes it, as writeEvent does.
func (b *intake) store(e *calendar.Event) {
	b.rows, b.made = append(b.rows, newRow(b.Tx, e)), append(b.made, e.ID)
	b.counted.change(&calendar.Event{}, e)
	planEvent(b.Tx, &calendar.Event{}, e)
	b.Log("event", e.ID, "create", nil)
	useGiven(b.Tx, e, -1)
}

// queueEvents writes all new events, with what hangs on them, in statements over many.
func (b *intake) queueEvents() {
	if len(b.rows) == 0 {
		return
	}
	for len(b.rows) > 0 {
		n, insert := 1, insertEvent
		if len(b.rows) >= ImportedTogether {
			n, insert = ImportedTogether, insertManyEvents
		}
		values := []any{b.Site}
		for _, row := range b.rows[:n] {
			values = append(values, row...)
		}
		b.Queue(insert, values...)
		b.rows = b.rows[n:]
	}
	for _, sql := range []string{eventsHappen, eventsAtVenues, eventsByOrganizers, eventsUnderTerms} {
		b.Queue(sql, b.Site, b.made)
	}
	countIn(b.Tx, b.counted)
}
