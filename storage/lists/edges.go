package lists

import (
	"fmt"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
)

// edges keeps occurrences that start and end within the window. The index is by start, so each condition on an end
// adds another on the start.
func (b *eventQuery) edges() {
	for _, edge := range b.Edges {
		clock := "local"
		if edge.Instant {
			clock = "utc"
			b.bounds = append(b.bounds, edge)
		}
		switch edge.Compare {
		case calendar.From, calendar.Until, calendar.Before, calendar.After:
			at := b.arg(edge.At.UTC())
			clause := fmt.Sprintf("o.end_%s %s %s", clock, edge.Compare, at)
			if edge.End && edge.On != "" { // an event without duration belongs to the period in which it starts
				clause = fmt.Sprintf("(%s OR o.start_%s = %s)", clause, clock, at)
			}
			if !edge.End {
				clause = b.start("start_"+clock, edge.Compare, at)
			} else if !edge.Instant && upper(edge) { // an occurrence that starts later also ends later
				clause += " AND " + b.start("start_local", calendar.Until, b.arg(edge.At.UTC().Add(farthest)))
			}
			if b.within = append(b.within, clause); b.whole() { // the window is checked for each series
				continue
			}
			if b.and(clause); edge.End && !upper(edge) && b.listed() {
				b.and(b.start("start_local", calendar.From, earliest(b.arg(dayOf(edge).possible.day))))
			}
		}
	}
}

// shown adds the condition for events that are on show: it selects or excludes them, as the query says. Like the
// window, it is checked for each series.
func (b *eventQuery) shown() {
	if b.Shown == calendar.ShownToo {
		return
	}
	clause := fmt.Sprintf("(o.start_local < %s AND o.end_local > o.start_local + make_interval(days => %s))",
		b.arg(b.Whole), b.arg(calendar.OnShowAfter))
	if b.Shown == calendar.ShownNot {
		clause = "NOT " + clause
	}
	b.within = append(b.within, clause)
}

// start returns a condition on when an occurrence starts.
func (b *eventQuery) start(column string, compare calendar.Compare, with string) string {
	clause := fmt.Sprintf("(o.%s %s %s)", column, compare, with)
	b.starts = append(b.starts, clause, fmt.Sprintf("(o.event_id, o.%s) %s (f.id, %s)", column, compare, with))
	return clause
}

// earliest is SQL for the earliest start of the listed occurrences that end on the given day or later. The index is
// by start: without this limit, all past occurrences would be read.
func earliest(day string) string {
	return `(
		SELECT d.start_day::timestamp
		FROM occurrence_days d
		WHERE d.site_id = $1
		  AND d.end_day >= ` + day + `::date
		ORDER BY d.start_day
		LIMIT 1)`
}

// upper reports whether an edge is an upper limit.
func upper(edge calendar.Edge) bool {
	return edge.Compare == calendar.Until || edge.Compare == calendar.Before
}

// farthest exceeds every difference between local time and UTC, and every amount by which clocks were set back
// during an event.
const farthest = 26 * time.Hour

// bounded limits the local times of entries to those possible within a window of instants. Lists are sorted by
// local time: without this limit, the search for a page would start at the site's first event.
func (b *eventQuery) bounded() string {
	var within strings.Builder
	for _, edge := range b.bounds {
		column, compare, when := "start", ">=", edge.At.UTC().Add(-farthest)
		if edge.End {
			column = "end"
		}
		if upper(edge) {
			compare, when = "<=", edge.At.UTC().Add(farthest)
		}
		at := b.arg(when)
		fmt.Fprintf(&within, " AND o.%s_local %s %s", column, compare, at)
		if edge.End && upper(edge) {
			within.WriteString(" AND o.start_local <= " + at)
		}
	}
	return within.String()
}
