package lists

import "github.com/kalends/kalends/storage/events"

// firstOf finds the rows of one event that firsts may select: the event itself if it happens once, or its first
// occurrence. It is written so that Postgres can use occurrences_series_idx. conditions are all conditions except
// the one on the site.
func (b *eventQuery) firstOf(conditions string) string {
	return "(SELECT * FROM occurrences o WHERE o.site_id = $1" + conditions + " AND o.n = 0" +
		" UNION ALL (SELECT * FROM occurrences o WHERE o.site_id = $1" + conditions +
		" AND o.n <> 0 ORDER BY o.start_local" + b.lastFirst() + " LIMIT 1)) o"
}

// firsts finds the first or last matching occurrence of each series, and all events that happen once.
func (b *eventQuery) firsts(place, from string) string {
	return "SELECT DISTINCT ON (COALESCE(e.series_id, o.event_id))" + events.OccurrenceColumns + ", " + place + " AS place" + from +
		" ORDER BY COALESCE(e.series_id, o.event_id), o.start_local" + b.lastFirst() + ", o.id" + b.lastFirst()
}

// recurring keeps occurrences by whether they belong to a series, and to which.
func (b *eventQuery) recurring() {
	if b.Series != 0 {
		series := b.arg(b.Series)
		b.choose(`o.event_id = ANY(ARRAY(
			SELECT ` + series + `::bigint
			UNION ALL
			SELECT x.id
			FROM events x
			WHERE x.site_id = $1
			  AND x.series_id = ` + series + `))
		  AND (o.n <> 0 OR o.event_id <> ` + series + `)`)
	}
	if b.Recurring != nil {
		if !*b.Recurring { // excludes the dates of series without looking up their events
			b.and("o.n = 0")
		}
		b.andEvent("(e.series_id IS NOT NULL OR e.rules IS NOT NULL) = " + b.arg(*b.Recurring))
	}
	if len(b.Happening) > 0 {
		b.andEvent("e.event_status = ANY(" + b.arg(b.Happening) + ")")
	}
	if b.Attendance != "" {
		b.andEvent("e.attendance = " + b.arg(b.Attendance))
	}
}

// lastFirst returns the sort direction in which the first or the last occurrence comes first.
func (b *eventQuery) lastFirst() string {
	if b.Last {
		return " DESC"
	}
	return ""
}
