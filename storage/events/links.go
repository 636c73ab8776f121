package events

import (
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

const unlinkVenues = `
	DELETE FROM event_venues
	WHERE site_id = $1
	  AND event_id = $2`

const linkVenues = `
	INSERT INTO event_venues (site_id, event_id, venue_id, position)
	SELECT $1, $2, v.id, v.position
	FROM unnest($3::bigint[]) WITH ORDINALITY v (id, position)`

const unlinkOrganizers = `
	DELETE FROM event_organizers
	WHERE site_id = $1
	  AND event_id = $2`

const linkOrganizers = `
	INSERT INTO event_organizers (site_id, event_id, organizer_id, position)
	SELECT $1, $2, o.id, o.position
	FROM unnest($3::bigint[]) WITH ORDINALITY o (id, position)`

const unlinkTerms = `
	DELETE FROM event_terms
	WHERE site_id = $1
	  AND event_id = $2
	  AND term_id = ANY($3)`

const linkTerms = `
	INSERT INTO event_terms (site_id, event_id, term_id)
	SELECT $1, $2, c.id
	FROM unnest($3::bigint[]) c (id)`

// queueEventLinks writes the links that differ from what was.
func queueEventLinks(t *content.Tx, was, e *calendar.Event) {
	replace(t, unlinkVenues, linkVenues, e.ID, venueIDs(was), venueIDs(e))
	replace(t, unlinkOrganizers, linkOrganizers, e.ID, organizerIDs(was), organizerIDs(e))
	before, after := termIDs(was), termIDs(e)
	if gone := without(before, after); len(gone) > 0 {
		t.Queue(unlinkTerms, t.Site, e.ID, gone)
	}
	if added := without(after, before); len(added) > 0 {
		t.Queue(linkTerms, t.Site, e.ID, added)
	}
}

// replace writes links whose order counts.
func replace(t *content.Tx, unlink, link string, event int64, before, after []int64) {
	if slices.Equal(before, after) {
		return
	}
	if len(before) > 0 {
		t.Queue(unlink, t.Site, event)
	}
	if len(after) > 0 {
		t.Queue(link, t.Site, event, after)
	}
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

// countTerms keeps the number of published events without a password exact in each term. Series are
// counted with all that they have (tally).
func countTerms(t *content.Tx, was, e *calendar.Event) {
	more := tally{}
	more.change(was, e)
	countIn(t, more)
}

// countIn counts so many events more in terms, or fewer.
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

// recounted reads terms and the number of their events from now on.
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

// setCounts gives the terms nested in an event the number of their events where it
// was counted, as it is once that is committed.
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
