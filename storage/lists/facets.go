package lists

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/pg"
)

// mostCountedIn is how many entries of a list are read to count its choices. Counting more for each visitor would
// take too long.
const mostCountedIn = 5000

// Facets implements calendar.EventStore. It reads the entries that the list has without the visitor's choices, from
// memory if these are the upcoming public entries, and counts them in a census.
func (s *Lists) Facets(ctx context.Context, q calendar.EventQuery, days []calendar.Days, chosen *calendar.Days,
) (facets *calendar.Facets, err error) {
	if from, after, all := comingFrom(q); all {
		return s.countComing(ctx, from, after, q, days, chosen)
	}
	err = s.meant(ctx, q, func(n *meanings) (links int64, err error) {
		c, found := &coming{}, &args.Problems{}
		err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
			*c, *found = coming{}, args.Problems{}
			(&eventQuery{EventQuery: q}).known(b, site, n, found)
			wide := newEventQuery(site, withoutChoices(q), n)
			wide.enter(b)
			b.Queue(wide.hits(), wide.args...).Query(func(rows pgx.Rows) (err error) {
				links, c.entries, err = readHits(rows)
				return err
			})
			c.queueLinks(site, b)
		})
		if err == nil {
			err = found.Err()
		}
		if err != nil {
			return links, err
		}
		c.climb()
		facets = newCensus(c, c.inOrder(q.First), q, n, chosen).facets(q.Opener != nil, q.First, days)
		return links, nil
	})
	return facets, err
}

// withoutChoices returns the query of a list before a visitor narrows it.
func withoutChoices(q calendar.EventQuery) calendar.EventQuery {
	wide := q
	wide.Categories, wide.Tags, wide.Venues, wide.Organizers, wide.Cities = nil, nil, nil, nil, nil
	wide.Featured, wide.Free, wide.Taking, wide.First, wide.Opener, wide.Brief, wide.Children = nil, false, "", false, nil, 0, nil
	wide.Accessibility, wide.Audience, wide.Spoken, wide.Fields = nil, nil, nil, nil
	if searches(q) {
		wide.Opener = q.Opener
	}
	return wide
}

// hits returns the statement that reads the first entries of a list, and the version of the site's links.
func (b *eventQuery) hits() string {
	return "WITH " + countable("NULL::timestamptz", b.matches(true)+`
		ORDER BY o.start_local, o.id
		LIMIT `+b.arg(mostCountedIn+1)) + `
	SELECT s.links_version,` + countedColumns + `
	FROM sites s
	LEFT JOIN (found f JOIN costs c ON c.cost = f.cost) ON true
	WHERE s.id = $1`
}

// readHits reads the rows of hits.
func readHits(rows pgx.Rows) (links int64, entries []entry, err error) {
	f := &pg.Fields{}
	for rows.Next() {
		f.Row(rows)
		links = f.Int64()
		if f.Peek() != nil {
			entries = append(entries, readCounted(f))
		}
	}
	if f.Err() != nil {
		return 0, nil, f.Err()
	}
	return links, entries, rows.Err()
}

// inOrder returns all entries. If bySeries is set, the dates of a series follow one another.
func (c *coming) inOrder(bySeries bool) []*entry {
	list := make([]*entry, 0, len(c.entries))
	for i := range c.entries {
		list = append(list, &c.entries[i])
	}
	if bySeries {
		return together(list)
	}
	return list
}

// together sorts entries so that the dates of a series follow one another.
func together(list []*entry) []*entry {
	slices.SortStableFunc(list, func(a, b *entry) int { return cmp.Compare(a.series, b.series) })
	return list
}
