package events

import (
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// tally holds, by term, the change that a write makes to the number of series. A series counts once in each term
// that it or one of its occurrences has.
type tally map[int64]int

// less subtracts a series as it was, with the occurrences that differed from it.
func (m tally) less(was *calendar.Event, had *timetable) {
	m.add(-1, append(slices.Clone(had.exceptions), was))
}

// more adds a series as it is written.
func (m tally) more(plan *timetablePlan) {
	all := []*calendar.Event{plan.e}
	for _, c := range plan.changed {
		all = append(all, c.e)
	}
	m.add(1, all)
}

// add counts a series in the terms of all these events, once per term.
func (m tally) add(by int, all []*calendar.Event) {
	seen := map[int64]bool{}
	for _, e := range all {
		if !countable(e) {
			continue
		}
		for _, id := range termIDs(e) {
			if !seen[id] {
				seen[id] = true
				m[id] += by
			}
		}
	}
}

// change counts an event that happens once, before and after a change.
func (m tally) change(was, e *calendar.Event) {
	if !alone(was) || !alone(e) {
		return
	}
	if counts(was) {
		m.addTo(termIDs(was), -1)
	}
	if counts(e) {
		m.addTo(termIDs(e), 1)
	}
}

func (m tally) addTo(terms []int64, by int) {
	for _, id := range terms {
		m[id] += by
	}
}

// termsBeside are the terms of a series and of the occurrences that differ from it, except one.
const termsBeside = `
	SELECT DISTINCT x.term_id
	FROM events e
	JOIN event_terms x ON x.site_id = $1 AND x.event_id = e.id
	WHERE e.site_id = $1
	  AND (e.id = $2 OR e.series_id = $2)
	  AND e.id <> $3`

// queueOthers reads the terms that a series has apart from one of its occurrences.
func queueOthers(t *content.Tx, b *pgx.Batch, series, occurrence int64, others *[]int64) {
	b.Queue(termsBeside, t.Site, series, occurrence).Query(pg.All(others, pgx.RowTo[int64]))
}

// countOccurrence counts the terms that a series gains or loses with one occurrence. others are the terms that the
// series has apart from this occurrence; it neither gains nor loses those.
func countOccurrence(t *content.Tx, was, e *calendar.Event, others []int64) {
	if !countable(e) {
		return
	}
	more := tally{}
	more.addTo(without(termIDs(was), others), -1)
	more.addTo(without(termIDs(e), others), 1)
	countIn(t, more)
}

// uncountSeries subtracts a deleted series from its terms.
const uncountSeries = `
	UPDATE terms
	SET count = count - 1
	WHERE site_id = $1
	  AND id IN (
		SELECT x.term_id
		FROM events e
		JOIN event_terms x ON x.site_id = $1 AND x.event_id = e.id
		WHERE e.site_id = $1
		  AND (e.id = $2 OR e.series_id = $2)
		  AND e.status = 'publish'
		  AND e.password IS NULL)
	RETURNING id,
	          count`

// uncountOccurrences subtracts the dates of a deleted series from the usage of the site.
const uncountOccurrences = `
	UPDATE sites
	SET used_occurrences = used_occurrences
	    - (SELECT count(*) FROM occurrences o WHERE o.site_id = $1 AND o.event_id = $2 AND o.n <> 0)
	    - (SELECT count(*) FROM events e WHERE e.site_id = $1 AND e.series_id = $2)
	WHERE id = $1`

// uncount subtracts a deleted event from its terms, and its occurrences from the usage of the site.
func uncount(t *content.Tx, e *calendar.Event) {
	if !e.Recurring() {
		countTerms(t, e, &calendar.Event{})
		return
	}
	t.Queue(uncountSeries, t.Site, e.ID).Query(recounted(t))
	t.Queue(uncountOccurrences, t.Site, e.ID)
	t.Counted = true
}

// usesDates counts n stored dates of series. n is negative for removed dates.
func usesDates(t *content.Tx, n int) { t.Use(tenancy.Usage{Occurrences: int64(n)}) }
