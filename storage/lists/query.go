package lists

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/tenancy"
)

// eventQuery builds the statement of one list of events. Clauses are literals and values are parameters, so the
// same filters result in the same statement, which is prepared once per connection.
type eventQuery struct {
	calendar.EventQuery
	args   []any
	where  []string        // conditions on the occurrence o
	within []string        // the conditions of edges; where contains them too
	starts []string        // conditions of edges on its start, each followed by the condition for a single event
	plain  [2]int          // number of conditions that are not filters, on the occurrence and on its event
	byDay  bool            // without further filters, entries can be counted by day
	events []string        // conditions on its event e
	ids    string          // placeholder of the requested IDs, "" for all
	chosen bool            // conditions on the occurrence match few occurrences in the window
	sparse bool            // few entries in the window match: find all of them, then count
	bounds []calendar.Edge // edges at instants, which also limit local times
	found  string          // statement for the events that a search found by index, "" for all events
	words  []string        // patterns to look for in event_texts
	total  total           // the known total, if there is one
	named  *meanings       // the items that the query names
	rows   rowsRead        // of the events of a page
	byIDs  bool            // rows are in memory, so the statement reads only ids
	page   *foundPage      // nil: the dates of the page are not known yet
}

// newEventQuery builds the statement of a list. n has the items that the query names.
func newEventQuery(site int64, q calendar.EventQuery, n *meanings) *eventQuery {
	q.Page = max(q.Page, 1)
	if q.PerPage < 1 {
		q.PerPage = 15
	}
	b := &eventQuery{EventQuery: q, total: total{version: tenancy.NoVersion}, named: n}
	b.arg(site) // $1; every part of the statement refers to it
	b.visible()
	b.edges()
	b.countsByDay()
	b.shown()
	b.included()
	b.recurring()
	b.linked(n)
	b.chosenBy()
	b.flags()
	b.lacking()
	b.translated()
	b.located()
	b.unmasked()
	b.search(n)
	b.sparse = b.sparse || b.First // after search, which uses an index if nothing else is sparse
	return b
}

// arg adds a value and returns its placeholder.
func (b *eventQuery) arg(v any) string {
	b.args = append(b.args, v)
	return fmt.Sprintf("$%d", len(b.args))
}

// and adds a condition on the occurrence o.
func (b *eventQuery) and(clause string) { b.where = append(b.where, clause) }

// andEvent adds a condition on the event e of the occurrence.
func (b *eventQuery) andEvent(clause string) { b.events = append(b.events, clause) }

// choose adds a condition on the occurrence that few occurrences in the window meet.
func (b *eventQuery) choose(clause string) {
	b.chosen, b.sparse = true, true
	b.and(clause)
}

// matches returns FROM and WHERE for all matching entries; AND may be added. The event e is joined if the caller or
// a condition needs it. If the occurrence's own conditions leave few entries, those are found before any event is
// read: Postgres plans for a site of average size, and in a large site it would first read all texts in the window.
// Events found by a search are looked up one by one, by ID; otherwise Postgres would read the whole window for a
// few events.
func (b *eventQuery) matches(joined bool) string {
	conditions := strings.Join(append([]string{""}, b.where...), " AND ")
	if b.found != "" {
		conditions = strings.NewReplacer(b.starts...).Replace(conditions) + " AND o.event_id = f.id"
	}
	where := " WHERE o.site_id = $1" + conditions
	of := strings.Join(append([]string{""}, b.events...), " AND ")
	// Postgres must never read all events of the site first.
	each := " JOIN LATERAL (SELECT * FROM events e WHERE e.site_id = $1 AND e.id = o.event_id" + of + " OFFSET 0) e ON true"
	columns := "(SELECT" + events.OccurrenceColumns + " FROM "
	switch {
	case b.found != "":
		dates := columns + "occurrences o" + where
		if b.First {
			dates = columns + b.firstOf(conditions)
		}
		return " FROM (" + b.found + " OFFSET 0) f (id) CROSS JOIN LATERAL " + dates + " OFFSET 0) o" + each
	case !joined && len(b.events) == 0:
		return " FROM " + b.dates() + where
	case b.chosen:
		return " FROM " + columns + b.dates() + where + " OFFSET 0) o" + each
	}
	return " FROM occurrences o JOIN events e ON e.site_id = $1 AND e.id = o.event_id" + of + where
}

// visible keeps the events that the viewer may see and asks for.
func (b *eventQuery) visible() {
	if !b.GoneSince.IsZero() {
		b.gone()
		return
	}
	public := b.Viewer == (calendar.Viewer{})
	only := len(b.Statuses) == 1 && b.Statuses[0] == calendar.Publish
	if (only || public && len(b.Statuses) == 0) && !b.WithHidden {
		b.and(listedOnly)
		return
	}
	if !b.WithHidden {
		b.andEvent("NOT e.hidden")
	}
	if len(b.Statuses) > 0 {
		b.andEvent("e.status = ANY(" + b.arg(texts(b.Statuses)) + ")")
		if !slices.Contains(b.Statuses, calendar.Publish) { // written to match events_status_idx, so that few rows are read for few events
			b.andEvent("e.status <> 'publish'")
		}
	} else {
		b.andEvent("e.status <> 'trash'")
	}
	if !b.Viewer.All {
		b.andEvent(b.readable("e"))
	}
}

// readable is the condition that the viewer may read an event, venue or
// organizer.
func (b *eventQuery) readable(table string) string {
	switch {
	case b.Viewer.All:
		return "true"
	case b.Viewer.User > 0:
		return fmt.Sprintf("(%s.status = 'publish' OR %[1]s.author = %[2]s)", table, b.arg(b.Viewer.User))
	}
	return table + ".status = 'publish'"
}

func (b *eventQuery) included() {
	if b.Include != nil {
		b.ids = b.arg(slices.Compact(slices.Sorted(slices.Values(b.Include))))
		b.choose("(o.event_id = ANY(" + b.ids + ") OR o.n <> 0 AND o.n = ANY(" + b.ids + "))")
	}
}

// dates is the FROM item for occurrences. Occurrences requested by ID are looked up one by one: otherwise Postgres
// would compare every occurrence of a large site with every ID.
func (b *eventQuery) dates() string {
	if b.ids == "" {
		return "occurrences o"
	}
	return `(
		SELECT x.*
		FROM unnest(` + b.ids + `::bigint[]) AS i (id)
		CROSS JOIN LATERAL (
			SELECT *
			FROM occurrences o
			WHERE o.site_id = $1
			  AND o.event_id = i.id
			UNION ALL
			SELECT *
			FROM occurrences o
			WHERE o.site_id = $1
			  AND o.n <> 0
			  AND o.n = i.id
			  AND o.event_id <> ALL(` + b.ids + `)
			OFFSET 0) x
		OFFSET 0) o`
}

// flags adds the conditions on events' own fields.
func (b *eventQuery) flags() {
	if b.Featured != nil {
		b.andEvent("e.featured = " + b.arg(*b.Featured))
	}
	if b.Origin != 0 {
		b.sparse = true
		b.andEvent("e.source_id = " + b.arg(b.Origin))
	}
	if b.Ticketed != nil {
		b.andEvent("(COALESCE(jsonb_array_length(e.tickets), 0) > 0) = " + b.arg(*b.Ticketed))
	}
	if b.LongerThan != nil {
		b.and("o.end_local > o.start_local + make_interval(days => " + b.arg(*b.LongerThan) + ")")
	}
	if len(b.Spoken) > 0 {
		b.andEvent("e.event_language && " + b.arg(b.Spoken) + "::text[]")
	}
	if len(b.Audience) > 0 {
		b.andEvent("e.audience && " + b.arg(b.Audience) + "::text[]")
	}
	if b.Children != nil {
		b.andEvent("(e.audience && " + b.arg(calendar.ForChildren) + "::text[] OR e.term_ids && " + b.arg(b.Children) + "::bigint[])")
	}
	for _, one := range b.Fields {
		b.andEvent("e.fields ->> " + b.arg(one.Key) + "::text = ANY (" + b.arg(one.Values) + "::text[])")
	}
	if len(b.Accessibility) > 0 {
		words := b.arg(b.Accessibility) + "::text[]"
		b.andEvent(`(e.accessibility @> ` + words + ` OR e.accessibility = '{}' AND EXISTS (
			SELECT
			FROM venues v
			WHERE v.site_id = $1
			  AND v.id = ANY(e.venue_ids)
			  AND v.status = 'publish'
			  AND v.accessibility @> ` + words + `))`)
	}
	if b.Brief > 0 {
		b.and("o.end_local <= o.start_local + make_interval(days => " + b.arg(b.Brief) + ")")
	}
	if b.Parent != 0 {
		b.sparse = true
		b.andEvent("e.parent_id = " + b.arg(b.Parent))
	}
}

// lacking adds the conditions for events without a picture, a place or another part that the query names.
func (b *eventQuery) lacking() {
	if b.Lacks.Image {
		b.andEvent("e.image_id IS NULL")
	}
	if b.Lacks.Place {
		b.andEvent("e.venue_ids = '{}' AND e.attendance <> 'online'")
	}
	if check := b.Lacks.Check; check.Asked() {
		b.andEvent(events.Unchecked + " AND e.modified_at < " + b.arg(check.Changed))
		if check.Author != 0 {
			b.andEvent("e.author = " + b.arg(check.Author))
		}
	}
}

// orders are the columns to order by, each with whether it is a column of the event.
var orders = map[string]struct {
	column string
	event  bool
}{
	"start_date": {"o.start_local", false},
	"end_date":   {"o.end_local", false},
	"title":      {`split_part(e.search, E'\n', 1) COLLATE "C"`, true},
	"date":       {"e.published_at", true},
	"modified":   {"e.modified_at", true},
}

// statement returns the only statement of the list: the versions of the site and of its links, the total and the page, all at
// one moment.
func (b *eventQuery) statement(lean bool) string {
	if b.page != nil {
		return b.foundStatement(lean)
	}
	order, ok := orders[b.OrderBy]
	if !ok {
		order = orders["start_date"]
	}
	if b.OrderBy == "title" && len(b.Texts.In) > 0 {
		order.column = b.byTitle()
	}
	if b.OrderBy == calendar.ByRelevance && len(b.Search.Words) > 0 {
		order.column, order.event = b.relevance(), true
	}
	direction := ""
	if b.Descending {
		direction = " DESC"
	}
	if b.byIDs {
		with, total := b.find(order.column, direction, order.event)
		return selected(with, total, " p.event_id", "page p", direction)
	}
	find := b.find
	if b.whole() {
		find = b.findWhole
	}
	with, total := find(order.column, direction, order.event)
	return b.selectedEvents(with, total, direction, lean)
}

// selectedEvents returns a statement with these parts that reads the events of a page, and also their links unless it is lean.
func (b *eventQuery) selectedEvents(with []string, total, direction string, lean bool) string {
	columns := events.Columns(b.textsIn())
	if b.whole() {
		columns += events.Recurs
	}
	if !lean {
		with = append(with, `linked AS MATERIALIZED (
			SELECT e.venue_ids,
			       e.organizer_ids,
			       e.term_ids
			FROM page p
			JOIN events e ON e.site_id = $1 AND e.id = p.event_id
		)`)
		columns = linkedOnce("p.place"+direction+", p.id") + "," + columns
	}
	return selected(with, total, columns,
		`(page p CROSS JOIN LATERAL (SELECT * FROM events e WHERE e.site_id = $1 AND e.id = p.event_id OFFSET 0) e)`, direction)
}

// selected returns a statement with these parts that reads columns from a page.
func selected(with []string, total, columns, page, direction string) string {
	return "WITH " + strings.Join(with, ", ") + `
		SELECT s.version,
		       s.links_version,
		       ` + total + `,` + columns + events.Happens + `
		FROM sites s
		LEFT JOIN ` + page + ` ON true
		WHERE s.id = $1
		ORDER BY p.place` + direction + `, p.id`
}

// find returns the parts of the statement up to the one named page, and the total. The page is sorted by column; event says
// whether that is a column of the event.
func (b *eventQuery) find(column, direction string, event bool) (with []string, total string) {
	from := b.matches(event || b.First)
	var later, offset string
	if column == "o.start_local" {
		later, offset = b.skip(&with)
	}
	if offset == "" {
		offset = b.arg((b.Page - 1) * b.PerPage)
	}
	limit := fmt.Sprintf(" LIMIT %s OFFSET %s", b.arg(b.PerPage), offset)
	find := "SELECT" + events.OccurrenceColumns + ", " + column + " AS place" + from
	sorted := " ORDER BY place" + direction + ", id"
	if b.First {
		find = b.firsts(column, from)
	}
	if b.sparse || column != "o.start_local" {
		behind := strings.Replace(b.behind("place", "id"), " AND", " WHERE", 1)
		with = append(with, "hits AS MATERIALIZED ("+find+")", "page AS MATERIALIZED (SELECT * FROM hits"+behind+sorted+limit+")")
		total = "(SELECT count(*) FROM hits)"
	} else {
		with = append(with, "page AS MATERIALIZED ("+find+b.bounded()+later+b.behind("o.start_local", "o.id")+sorted+limit+")")
		total = fmt.Sprintf("CASE WHEN s.version = %s THEN %s::bigint ELSE %s END",
			b.arg(b.total.version), b.arg(b.total.events), b.count(from))
	}
	return with, total
}

// behind keeps the entries after a position. Entries with the same start are in the order of their ids in both
// directions.
func (b *eventQuery) behind(start, id string) string {
	switch {
	case b.After == nil || *b.After == (calendar.Place{}):
		return ""
	case b.Descending:
		at := b.arg(b.After.Start)
		return " AND " + start + " <= " + at + " AND (" + start + " < " + at + " OR " + id + " > " + b.arg(b.After.ID) + ")"
	}
	return " AND (" + start + ", " + id + ") > (" + b.arg(b.After.Start) + ", " + b.arg(b.After.ID) + ")"
}

func texts[T ~string](list []T) []string {
	out := make([]string, 0, len(list))
	for _, v := range list {
		out = append(out, string(v))
	}
	return out
}
