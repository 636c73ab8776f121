package lists

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
)

// A list of everything public within some dates is counted by day: occurrence_days says how many occurrences start
// on one day and end on another (ADR 56). If an edge falls within a day, the occurrences around it are checked one
// by one. Events that are not public are always counted one by one. Dates are converted to times before they are
// compared with times: a comparison of different types is not leakproof, so the row-level policies would prevent
// the use of indexes.

// listedOnly is the condition that an occurrence is in public lists.
const listedOnly = "o.listed"

// skipFrom is the number of preceding entries from which a page is found by day, without reading those entries.
const skipFrom = 500

// listed reports whether the query asks only for entries of public lists.
func (b *eventQuery) listed() bool { return slices.Contains(b.where, listedOnly) }

// countsByDay records that so far the list is filtered only by viewer and dates.
func (b *eventQuery) countsByDay() {
	b.byDay = !b.whole() && b.GoneSince.IsZero() && (len(b.Statuses) == 0 || slices.Contains(b.Statuses, calendar.Publish))
	b.plain = [2]int{len(b.where), len(b.events)}
}

// counted reports whether the listed entries can be counted by day, because there are no other filters.
func (b *eventQuery) counted() bool {
	return b.byDay && !b.sparse && b.found == "" && b.plain == [2]int{len(b.where), len(b.events)}
}

// daysTell reports whether the days of a site give the total: the list is public, and all edges fall on day
// boundaries.
func (b *eventQuery) daysTell() bool {
	return b.counted() && b.listed() && b.days().whole()
}

// totalOf takes the total from the days of a site, unless a total of the same or a newer version is known.
func (b *eventQuery) totalOf(days *siteDays) {
	if days.read && days.version > b.total.version && b.daysTell() {
		b.total = total{days.version, days.within(b.days())}
	}
}

// count returns an expression for the number of all matching entries.
func (b *eventQuery) count(from string) string {
	const all = "(SELECT count(*)"
	switch {
	case !b.counted():
		return all + from + ")"
	case b.listed():
		return b.countListed()
	}
	return "(" + b.countListed() + " + " + all + from + " AND NOT o.listed))"
}

// countListed returns an expression for the number of listed entries within the edges.
func (b *eventQuery) countListed() string {
	days := b.bound(b.days())
	text := "COALESCE((SELECT sum(d.occurrences)::bigint FROM occurrence_days d WHERE d.site_id = $1" +
		days.sure("d.start_day", "d.end_day") + "), 0)"
	if days.whole() {
		return text
	}
	return "(" + text + ` + (
		SELECT count(*)
		FROM (
			SELECT DISTINCT d.start_day::timestamp AS first,
			       (d.start_day + 1)::timestamp AS next
			FROM occurrence_days d
			WHERE d.site_id = $1` + days.possible("d.start_day", "d.end_day") + `
			  AND NOT (true` + days.sure("d.start_day", "d.end_day") + `)
			OFFSET 0
		) x
		CROSS JOIN LATERAL (
			SELECT
			FROM occurrences o
			WHERE o.site_id = $1
			  AND o.listed
			  AND o.start_local >= x.first
			  AND o.start_local < x.next
			  AND ` + strings.Join(b.within, " AND ") + `
			  AND NOT (true` + days.sure("o.start_local::date", "o.end_local::date") + `)
			OFFSET 0
		) y))`
}

// skip adds to the WITH parts, for a page deep in a public list, the day on which the page begins and how many entries come
// before that day. It returns the condition on the occurrence and the number of entries to skip on that day, or "" if the page
// is found in another way.
func (b *eventQuery) skip(with *[]string) (condition, offset string) {
	entries := (b.Page - 1) * b.PerPage
	if entries < skipFrom || b.After != nil || !b.daysTell() {
		return "", ""
	}
	days := b.bound(b.days())
	direction, condition := "", " AND o.start_local >= (SELECT start_day::timestamp FROM skipped)"
	if b.Descending {
		direction, condition = " DESC", " AND o.start_local < (SELECT (start_day + 1)::timestamp FROM skipped)"
	}
	first := b.arg(entries)
	*with = append(*with, `skipped AS MATERIALIZED (
		SELECT start_day,
		       before
		FROM (
			SELECT d.start_day,
			       (sum(sum(d.occurrences)) OVER (ORDER BY d.start_day`+direction+`) - sum(d.occurrences))::bigint AS before
			FROM occurrence_days d
			WHERE d.site_id = $1`+days.sure("d.start_day", "d.end_day")+`
			GROUP BY d.start_day
		) days
		WHERE before <= `+first+`
		ORDER BY before DESC
		LIMIT 1)`)
	return condition, "(SELECT " + first + " - before FROM skipped)"
}

// dayEdge is what an edge means for the day on which an occurrence starts or ends: a first or last possible day.
type dayEdge struct {
	end, upper     bool
	sure, possible dayBound // the outermost day that certainly satisfies the edge, and the outermost day that may satisfy it
}

// dayBound is a day and, once bound is called, its placeholder in the statement.
type dayBound struct {
	day time.Time
	arg string
}

type dayEdges []dayEdge

// days turns the edges into edges of days.
func (b *eventQuery) days() (list dayEdges) {
	for _, edge := range b.Edges {
		list = append(list, dayOf(edge))
	}
	return list
}

// dayOf turns an edge into an edge of days. Local times are less than a day away from UTC, so an instant is within
// a day of its date, in any time zone.
func dayOf(edge calendar.Edge) dayEdge {
	at := edge.At.UTC()
	date := args.DayOf(at)
	first, last := !at.After(date), !at.Before(date.AddDate(0, 0, 1).Add(-time.Second))
	upper := upper(edge)
	from, to := 0, 0 // days between the edge's day and the sure and possible bounds
	switch {
	case edge.Instant && upper:
		from, to = -2, 1
	case edge.Instant:
		from, to = 2, -1
	case edge.Compare == calendar.From && !first, edge.Compare == calendar.After && !last:
		from = 1
	case edge.Compare == calendar.After:
		from, to = 1, 1
	case edge.Compare == calendar.Until && !last, edge.Compare == calendar.Before && !first:
		from = -1
	case edge.Compare == calendar.Before:
		from, to = -1, -1
	}
	return dayEdge{end: edge.End, upper: upper, sure: dayBound{day: date.AddDate(0, 0, from)},
		possible: dayBound{day: date.AddDate(0, 0, to)}}
}

// bound adds the days to the parameters of the statement. The statement must use all of them, because Postgres
// refuses a parameter whose type it cannot infer.
func (b *eventQuery) bound(days dayEdges) dayEdges {
	for i := range days {
		e := &days[i]
		e.sure.arg = b.arg(e.sure.day) + "::date"
		if e.possible.arg = e.sure.arg; e.possible.day != e.sure.day {
			e.possible.arg = b.arg(e.possible.day) + "::date"
		}
	}
	return days
}

// whole reports whether all edges fall on day boundaries.
func (d dayEdges) whole() bool {
	return !slices.ContainsFunc(d, func(e dayEdge) bool { return e.sure.day != e.possible.day })
}

// sure returns the condition that an occurrence is certainly within all edges, judging by its days.
func (d dayEdges) sure(start, end string) string {
	return d.text(start, end, func(e dayEdge) string { return e.sure.arg })
}

// possible returns the condition that an occurrence may be within all edges, judging by its days.
func (d dayEdges) possible(start, end string) string {
	return d.text(start, end, func(e dayEdge) string { return e.possible.arg })
}

func (d dayEdges) text(start, end string, day func(dayEdge) string) string {
	var text strings.Builder
	for _, e := range d {
		column, compare := start, ">="
		if e.upper {
			compare = "<="
		}
		if e.end {
			column = end
		}
		fmt.Fprintf(&text, " AND %s %s %s", column, compare, day(e))
		if e.end && e.upper { // an occurrence that starts later also ends later, and the index is by start
			fmt.Fprintf(&text, " AND %s <= %s", start, day(e))
		}
	}
	return text.String()
}
