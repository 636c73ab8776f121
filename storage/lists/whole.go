package lists

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/pg"
)

// whole reports whether the list has one entry for each series.
func (b *eventQuery) whole() bool { return !b.Whole.IsZero() }

// findWhole is find for a list of whole series. Of the events that happen once, it reads by index only as many as
// fit on the page.
func (b *eventQuery) findWhole(column, direction string, _ bool) (with []string, total string) {
	singles := b.singles()
	limit := fmt.Sprintf(" LIMIT %s OFFSET %s", b.arg(b.PerPage), b.arg((b.Page-1)*b.PerPage))
	find := "SELECT" + events.OccurrenceColumns + ", " + column + " AS place" + singles
	sorted := " ORDER BY place" + direction + ", id"
	all := b.sparse || column != "o.start_local"
	if !all {
		find = "(" + find + sorted + " LIMIT " + b.arg(b.Page*b.PerPage) + ")"
	}
	with = append(b.wholes(column),
		"hits AS MATERIALIZED ("+find+" UNION ALL SELECT * FROM wholes)", "page AS MATERIALIZED (SELECT * FROM hits"+sorted+limit+")")
	if all {
		return with, "(SELECT count(*) FROM hits)"
	}
	return with, fmt.Sprintf("CASE WHEN s.version = %s THEN %s::bigint ELSE (SELECT count(*)%s) + (SELECT count(*) FROM wholes) END",
		b.arg(b.total.version), b.arg(b.total.events), singles)
}

// countingWhole is counting for a list with one entry per series.
func (b *eventQuery) countingWhole(version int64) string {
	fresh := " AND (SELECT s.version FROM sites s WHERE s.id = $1) <> " + b.arg(version)
	return countsOf(append(b.wholes("o.start_local"), `counts AS (
		SELECT h.status,
		       count(*) AS n
		FROM (
			SELECT e.status`+b.singles()+fresh+`
			UNION ALL
			SELECT e.status
			FROM wholes
			JOIN events e ON e.site_id = $1 AND e.id = wholes.id`+fresh+`
		) h
		GROUP BY h.status)`))
}

// singles is matches for events that happen once.
func (b *eventQuery) singles() string {
	one := *b
	one.where = slices.Concat(b.where, b.within, []string{"o.n = 0"})
	one.events = append(slices.Clone(b.events), "e.series_id IS NULL")
	return one.matches(true)
}

// wholes returns the parts of a statement that find the series of a list. series has the series that match by
// themselves or through an occurrence that differs. wholes adds to each its first matching time from Whole on,
// otherwise its last matching time before Whole. Cancelled occurrences are used only if there are no others. A
// series without a date in the window is not in the list. The conditions are written to match events_series_idx and
// occurrences_series_idx.
func (b *eventQuery) wholes(order string) []string {
	from := " FROM events e"
	if b.found != "" {
		from = " FROM (" + b.found + " OFFSET 0) f (id) JOIN events e ON e.site_id = $1 AND e.id = f.id"
	}
	conditions := slices.Concat([]string{" WHERE e.site_id = $1", "(e.rules IS NOT NULL OR e.series_id IS NOT NULL)"}, b.where, b.events)
	window, join := "", "LEFT JOIN"
	if len(b.within) > 0 {
		window, join = " AND "+strings.Join(b.within, " AND "), "JOIN"
	}
	now := b.arg(b.Whole)
	places := map[string]string{"o.start_local": "COALESCE(x.start_local, e.start_local)",
		"o.end_local": "COALESCE(x.end_local, e.end_local)"}
	return []string{`series AS MATERIALIZED (
			SELECT COALESCE(e.series_id, e.id) AS id,
			       bool_or(e.rules IS NOT NULL) AS itself,
			       array_agg(e.id) AS ids` + from + `
			CROSS JOIN LATERAL (SELECT e.id AS event_id, 0 AS n, e.status = 'publish' AND NOT e.hidden AS listed) o
			` + strings.Join(conditions, " AND ") + `
			GROUP BY 1
		)`, `wholes AS MATERIALIZED (
			SELECT e.id AS event_id,
			       e.id,
			       x.n,
			       x.start_local,
			       x.end_local,
			       NULL::timestamp AS original_start,
			       ` + cmp.Or(places[order], order) + ` AS place
			FROM series
			JOIN events e ON e.site_id = $1 AND e.id = series.id
			` + join + ` LATERAL (
				SELECT t.*
				FROM (
					(SELECT o.n::bigint AS n, o.start_local, o.end_local, false AS cancelled
					FROM occurrences o
					WHERE series.itself AND o.site_id = $1 AND o.event_id = series.id AND o.n <> 0 AND o.start_local >= ` + now + window + `
					ORDER BY o.start_local
					LIMIT 1)
					UNION ALL
					(SELECT o.n, o.start_local, o.end_local, false
					FROM occurrences o
					WHERE series.itself AND o.site_id = $1 AND o.event_id = series.id AND o.n <> 0 AND o.start_local < ` + now + window + `
					ORDER BY o.start_local DESC
					LIMIT 1)
					UNION ALL
					SELECT o.id, o.start_local, o.end_local, o.event_status = 'cancelled'
					FROM events o
					WHERE o.site_id = $1 AND o.series_id = series.id AND o.id = ANY(series.ids)` + window + `
				) t
				ORDER BY t.cancelled,
				         t.start_local < ` + now + `,
				         CASE WHEN t.start_local >= ` + now + ` THEN t.start_local END,
				         t.start_local DESC
				LIMIT 1
			) x ON true
		)`}
}

// readWhole reads a row of a list with one entry per series.
func readWhole(f *pg.Fields, e *calendar.Event) {
	events.ReadSeries(f, e)
	id := f.Int64()
	start, end, _ := f.Moment(), f.Moment(), f.Moment()
	if e.Recurring() && id != 0 {
		e.Coming = &calendar.Coming{ID: id, Start: start, End: end}
	}
}
