package events

import (
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

// linking has the statements that remove and add an event's links to one kind of item.
type linking struct{ unlink, link string }

// Links to venues and organizers have an order: if one differs, all are written again. Links to terms are written
// one by one.
var (
	toVenues = linking{`
	DELETE FROM event_venues
	WHERE site_id = $1
	  AND event_id = $2`, `
	INSERT INTO event_venues (site_id, event_id, venue_id, position)
	SELECT $1, l.event, l.id, l.position
	FROM unnest($2::bigint[], $3::bigint[], $4::integer[]) l (event, id, position)`}

	toOrganizers = linking{`
	DELETE FROM event_organizers
	WHERE site_id = $1
	  AND event_id = $2`, `
	INSERT INTO event_organizers (site_id, event_id, organizer_id, position)
	SELECT $1, l.event, l.id, l.position
	FROM unnest($2::bigint[], $3::bigint[], $4::integer[]) l (event, id, position)`}

	toTerms = linking{`
	DELETE FROM event_terms
	WHERE site_id = $1
	  AND event_id = $2
	  AND term_id = ANY($3)`, `
	INSERT INTO event_terms (site_id, event_id, term_id)
	SELECT $1, l.event, l.id
	FROM unnest($2::bigint[], $3::bigint[]) l (event, id)`}
)

// newLinks are links of one kind that are about to be written.
type newLinks struct {
	events, ids []int64
	positions   []int32
}

func (l *newLinks) add(event int64, ids []int64) {
	for i, id := range ids {
		l.events, l.ids = append(l.events, event), append(l.ids, id)
		l.positions = append(l.positions, int32(i+1))
	}
}

// linkChanges are links to add to events, with one statement for each kind. Statements that remove links are queued
// immediately.
type linkChanges struct{ venues, organizers, terms newLinks }

// change notes the links of an event that differ from those of was.
func (c *linkChanges) change(t *content.Tx, was, e *calendar.Event) {
	replace(t, toVenues, &c.venues, e.ID, venueIDs(was), venueIDs(e))
	replace(t, toOrganizers, &c.organizers, e.ID, organizerIDs(was), organizerIDs(e))
	before, after := termIDs(was), termIDs(e)
	if gone := without(before, after); len(gone) > 0 {
		t.Queue(toTerms.unlink, t.Site, e.ID, gone)
	}
	c.terms.add(e.ID, without(after, before))
}

// replace notes an event's links to venues or organizers if they differ.
func replace(t *content.Tx, of linking, to *newLinks, event int64, before, after []int64) {
	if slices.Equal(before, after) {
		return
	}
	if len(before) > 0 {
		t.Queue(of.unlink, t.Site, event)
	}
	to.add(event, after)
}

// queue writes the noted links.
func (c *linkChanges) queue(t *content.Tx) {
	if l := c.venues; len(l.ids) > 0 {
		t.Queue(toVenues.link, t.Site, l.events, l.ids, l.positions)
	}
	if l := c.organizers; len(l.ids) > 0 {
		t.Queue(toOrganizers.link, t.Site, l.events, l.ids, l.positions)
	}
	if l := c.terms; len(l.ids) > 0 {
		t.Queue(toTerms.link, t.Site, l.events, l.ids)
	}
}

// queueEventLinks writes the links of an event that differ from those of was.
func queueEventLinks(t *content.Tx, was, e *calendar.Event) {
	var c linkChanges
	c.change(t, was, e)
	c.queue(t)
}

const addToCount = `
	UPDATE terms
	SET count = count + c.n
	FROM unnest($2::bigint[], $3::integer[]) c (id, n)
	WHERE site_id = $1
	  AND terms.id = c.id
	  AND c.id ` + pg.ByKey + `
	RETURNING terms.id,
	          count`

// countTerms keeps the number of published events without a password exact in each term. Series are counted with all of their
// occurrences (tally).
func countTerms(t *content.Tx, was, e *calendar.Event) {
	more := tally{}
	more.change(was, e)
	countIn(t, more)
}

// countIn adds more to the numbers of events in terms; its values may be negative.
func countIn(t *content.Tx, more tally) {
	maps.DeleteFunc(more, func(_ int64, by int) bool { return by == 0 })
	if len(more) == 0 {
		return
	}
	ids := slices.Sorted(maps.Keys(more))
	by := make([]int, len(ids))
	for i, id := range ids {
		by[i] = more[id]
	}
	t.Queue(addToCount, t.Site, ids, by).Query(recounted(t))
	t.Counted = true
}

// recounted reads terms and their new numbers of events.
func recounted(t *content.Tx) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var id int64
		var count int
		_, err := pgx.ForEachRow(rows, []any{&id, &count}, func() error {
			t.Counts[id] = count
			return nil
		})
		return err
	}
}

// setCounts updates the numbers of events in an event's terms from counts, the numbers that the transaction
// changed.
func setCounts(e *calendar.Event, counts map[int64]int) {
	for _, terms := range [][]calendar.Term{e.Categories, e.Tags} {
		for i := range terms {
			if n, counted := counts[terms[i].ID]; counted {
				terms[i].Count = n
			}
		}
	}
}

func venueIDs(e *calendar.Event) []int64 {
	return idsOf(e.Venues, func(v *calendar.Venue) int64 { return v.ID })
}

func organizerIDs(e *calendar.Event) []int64 {
	return idsOf(e.Organizers, func(o *calendar.Organizer) int64 { return o.ID })
}

func termIDs(e *calendar.Event) []int64 {
	term := func(c *calendar.Term) int64 { return c.ID }
	return append(idsOf(e.Categories, term), idsOf(e.Tags, term)...)
}

func idsOf[T any](list []T, id func(*T) int64) []int64 {
	ids := make([]int64, 0, len(list))
	for i := range list {
		ids = append(ids, id(&list[i]))
	}
	return ids
}

// without returns the entries of list that others lacks.
func without(list, others []int64) []int64 {
	var left []int64
	for _, id := range list {
		if !slices.Contains(others, id) {
			left = append(left, id)
		}
	}
	return left
}
