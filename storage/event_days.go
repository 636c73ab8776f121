package storage

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
)

// A list of all that is public within some dates is counted by day: occurrence_days
// says how many occurrences start on one day and end on another (ADR 56). Where an
// edge lies within a day, the occurrences of the days about it are looked at one by
// one. What only people with rights see is always counted one by one. Dates are compared
// with times as times: other comparisons aren't leakproof, and policies keep them from
// indexes.

// listedOnly is the condition that an occurrence is in public lists.
const listedOnly = "o.listed"

// skipFrom is how many entries a page comes after for it to be looked for by day, so
// that what comes before isn't read.
const skipFrom = 500

// listed reports whether only what is in public lists is asked for.
func (b *eventQuery) listed() bool { return slices.Contains(b.where, listedOnly) }

// countsByDay notes that so far nothing is filtered but by who looks and by dates.
func (b *eventQuery) countsByDay() {
	b.byDay = !b.whole() && b.GoneSince.IsZero() && (len(b.Statuses) == 0 || slices.Contains(b.Statuses, calendar.Publish))
	b.plain = [2]int{len(b.where), len(b.events)}
}

// counted reports whether days tell how many of what is listed match: nothing else is
// filtered.
func (b *eventQuery) counted() bool {
	return b.byDay && !b.sparse && b.found == "" && b.plain == [2]int{len(b.where), len(b.events)}
}

// daysTell reports whether the days of a site tell the total: it is that of what is in
// public lists, and all edges are those of days.
func (b *eventQuery) daysTell() bool {
	return b.counted() && b.listed() && b.days().whole()
}

// totalOf takes the total from the days of a site unless it is known of a version as new.
func (b *eventQuery) totalOf(days *siteDays) {
	if days.read && days.version > b.total.version && b.daysTell() {
		b.total = total{days.version, days.within(b.days())}
	}
}

// count returns an expression for the number of all that match.
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

// countListed returns an expression for the number of what is listed within the edges.
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

// skip adds to the WITH parts of a page deep in a public list the day on which it
// begins, and how many entries come before that day. It returns the condition on the
// occurrence and the number to skip on that day; "" where the page is found otherwise.
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

// dayEdge is what an edge says of the day something starts or ends on: that it is not
// before a day, or not after it.
type dayEdge struct {
	end, upper     bool
	sure, possible dayBound // the day from which on it is so in any case, and from which on it may be
}

// dayBound is a day and, once it is bound, the argument that a statement has for it.
type dayBound struct {
	day time.Time
	arg string
}

type dayEdges []dayEdge

// days turns the edges into days.
func (b *eventQuery) days() (list dayEdges) {
	for _, edge := range b.Edges {
		list = append(list, dayOf(edge))
	}
	return list
}

// dayOf turns an edge into days. Wall clocks are less than a day away from UTC, so a
// moment is within a day of its date, whatever the zone.
func dayOf(edge calendar.Edge) dayEdge {
	at := edge.At.UTC()
	date := args.DayOf(at)
	first, last := !at.After(date), !at.Before(date.AddDate(0, 0, 1).Add(-time.Second))
	upper := upper(edge)
	from, to := 0, 0 // days behind that of the edge: that from which on it is so in any case, and that from which on it may be
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

// bound adds the days to the arguments of the statement, which has to use them: Postgres
// refuses arguments that nothing tells the type of.
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

// whole reports whether all edges are those of days.
func (d dayEdges) whole() bool {
	return !slices.ContainsFunc(d, func(e dayEdge) bool { return e.sure.day != e.possible.day })
}

// sure returns the condition that something is within all edges, by its days.
func (d dayEdges) sure(start, end string) string {
	return d.text(start, end, func(e dayEdge) string { return e.sure.arg })
}

// possible returns the condition that something may be within all edges.
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
		if e.end && e.upper { // what starts later ends later: the index is by start
			fmt.Fprintf(&text, " AND %s <= %s", start, day(e))
		}
	}
	return text.String()
}
