package lists

import (
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/pg"
)

// foundPage is a page of a list at a version of its site: its dates, and the total. If rows are missing in memory,
// they are read by these dates, because finding the dates again may take long.
type foundPage struct {
	version int64
	total   int
	events  []int64 // of the dates, in order
	numbers []int64 // number of each date within its event, 0 for a single event
}

// add adds the date of an event. f begins with the fields of events.Happens.
func (p *foundPage) add(event int64, f pg.Fields) {
	p.events, p.numbers = append(p.events, event), append(p.numbers, f.Int64())
}

// newFoundQuery builds the statement for a page whose dates are known. Its total is not shared with other lists, as
// in a sparse list.
func newFoundQuery(site int64, q calendar.EventQuery, p *foundPage) *eventQuery {
	b := &eventQuery{EventQuery: q, page: p, sparse: true}
	b.arg(site)
	return b
}

// foundStatement returns the statement for a page whose dates are known. It reads all of its dates, and the
// versions of the site and of its links, which tell whether the page is still valid.
func (b *eventQuery) foundStatement(lean bool) string {
	page := "page AS MATERIALIZED (SELECT" + events.OccurrenceColumns + `,
		k.place
		FROM unnest(` + b.arg(b.page.events) + "::bigint[], " + b.arg(b.page.numbers) + `::bigint[]) WITH ORDINALITY k (event_id, n, place)
		JOIN occurrences o ON o.site_id = $1 AND o.event_id = k.event_id AND o.n = k.n)`
	return b.selectedEvents([]string{page}, b.arg(b.page.total)+"::bigint", "", lean)
}
