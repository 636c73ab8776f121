package storage

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

// mostCountedIn is how many entries of a list are looked at for what it can be narrowed
// by: a site that has more is too large to be counted for each visitor.
const mostCountedIn = 5000

// Facets implements calendar.EventStore: of all that comes from memory, else by one
// statement over what the list has without its choices.
func (s *lists) Facets(ctx context.Context, q calendar.EventQuery, days []calendar.Days, chosen *calendar.Days,
) (facets *calendar.Facets, err error) {
	if from, after, all := comingFrom(q); all {
		return s.countComing(ctx, from, after, q, days, chosen)
	}
	err = s.meant(ctx, q, func(n *meanings) (links int64, err error) {
		found := &args.Problems{}
		err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
			facets = &calendar.Facets{Days: make([]int, len(days))}
			f := newFacetQuery(site, q, n)
			(&eventQuery{EventQuery: q}).known(b, site, n, found)
			f.enter(b)
			statement := f.counting(days, chosen)
			b.Queue(statement, f.args...).Query(func(rows pgx.Rows) error { return readFacets(rows, facets, &links) })
		})
		if err == nil {
			err = found.Err()
		}
		return links, err
	})
	return facets, err
}

// facetQuery is the query of a list without its choices, which stand beside it.
type facetQuery struct {
	*eventQuery
	of    calendar.EventQuery
	named *meanings
}

func newFacetQuery(site int64, q calendar.EventQuery, n *meanings) *facetQuery {
	wide := q
	wide.Categories, wide.Tags, wide.Venues, wide.Organizers, wide.Cities = nil, nil, nil, nil, nil
	wide.Featured, wide.Free, wide.Taking, wide.First, wide.Opener = nil, false, "", false, nil
	if searches(q) {
		wide.Opener = q.Opener
	}
	return &facetQuery{newEventQuery(site, wide, n), q, n}
}

// counting is the one statement: kind, id, name, slug, color, and how many there are; the
// id of all is the version of the links.
func (f *facetQuery) counting(days []calendar.Days, chosen *calendar.Days) string {
	conditions := f.conditions(chosen)
	with := append(f.hits(conditions), up)
	parts := termFacets("category", "category", conditions.but("category")) +
		" UNION ALL " + termFacets("tag", "tag", conditions.but("tag")) +
		" UNION ALL " + f.cities(conditions.but("city")) +
		" UNION ALL " + organizerFacets(conditions.but("organizer")) +
		" UNION ALL " + flagFacet("free", "h.is_free", conditions.but("free")) +
		" UNION ALL " + flagFacet("online", "h.attendance <> 'offline'", conditions.but("taking")) +
		" UNION ALL " + flagFacet("here", "h.attendance <> 'online'", conditions.but("taking")) +
		" UNION ALL " + flagFacet("featured", "h.featured", conditions.but("featured")) +
		" UNION ALL " + f.periods(days, conditions) +
		" UNION ALL SELECT 'all', s.links_version, '', '', '', (SELECT count(*) FROM hits)::bigint FROM sites s WHERE s.id = $1"
	return "WITH RECURSIVE " + strings.Join(with, ", ") + " " + parts
}

// up are all terms with those above them, and themselves.
const up = `up AS (
	SELECT t.id, t.id AS top, t.parent_id
	FROM terms t
	WHERE t.site_id = $1
	UNION
	SELECT u.id, t.id, t.parent_id
	FROM up u
	JOIN terms t ON t.site_id = $1 AND t.id = u.parent_id
)`

// choices are the conditions of a list by their kinds, on the row h of a hit.
type choices []choice

type choice struct{ kind, column, condition string }

// but is the condition that a hit shows what it is selected by and meets all choices but
// those of a kind.
func (c choices) but(kind string) string {
	var text strings.Builder
	text.WriteString("NOT h.masked")
	for _, one := range c {
		if one.kind != kind && one.kind == "days" { // where not all is counted, the first are of other days
			text.WriteString(" AND (h.by_days OR (SELECT count(*) FROM hits) > 5000)")
		} else if one.kind != kind {
			text.WriteString(" AND h." + one.column)
		}
	}
	return text.String()
}

// conditions are the choices made, each as a column of hits. It adds what they speak of.
func (f *facetQuery) conditions(chosen *calendar.Days) (list choices) {
	add := func(kind, condition string) { list = append(list, choice{kind, "by_" + kind, condition}) }
	if len(f.of.Categories) > 0 {
		add("category", "e.term_ids && "+f.arg(f.named.categories.ids)+"::bigint[]")
	}
	if len(f.of.Tags) > 0 {
		add("tag", "e.term_ids && "+f.arg(f.named.tags.ids)+"::bigint[]")
	}
	if len(f.of.Cities) > 0 {
		add("city", "e.venue_ids && "+inCities(f.arg(f.of.Cities)))
	}
	if len(f.of.Organizers) > 0 {
		add("organizer", "e.organizer_ids && "+f.arg(f.of.Organizers)+"::bigint[]")
	}
	if f.of.Free {
		add("free", isFree)
	}
	if condition := takings[f.of.Taking]; condition != "" {
		add("taking", condition)
	}
	if f.of.Featured != nil {
		add("featured", "e.featured = "+f.arg(*f.of.Featured))
	}
	if chosen != nil {
		add("days", happensWithin(f.arg(edgeOf(chosen.First)), f.arg(edgeOf(chosen.Last)), "b"))
	}
	return list
}

// edgeOf is a day as an argument, nil for an open end.
func edgeOf(day time.Time) *time.Time {
	if day.IsZero() {
		return nil
	}
	return &day
}

// happensWithin is the condition that a row happens on days, of which either end may be null.
func happensWithin(first, last, row string) string {
	return "(" + first + "::timestamp IS NULL OR " + row + ".end_local >= " + first + "::timestamp) AND (" +
		last + "::timestamp IS NULL OR " + row + ".start_local < " + last + "::timestamp + interval '1 day')"
}

// hits are the entries looked at, with what they are counted by. A search counts each
// series once.
func (f *facetQuery) hits(conditions choices) []string {
	key := "b.id"
	if f.of.First {
		key = "COALESCE(e.series_id, e.id)"
	}
	var columns strings.Builder
	for _, one := range conditions {
		columns.WriteString(", (" + one.condition + ") AS " + one.column)
	}
	return []string{`base AS MATERIALIZED (
		SELECT o.id, o.event_id, o.start_local, o.end_local` + f.matches(false) + `
		ORDER BY o.start_local
		LIMIT ` + f.arg(mostCountedIn+1) + `
	)`, `hits AS MATERIALIZED (
		SELECT ` + key + ` AS k,
		       b.start_local,
		       b.end_local,
		       e.password IS NOT NULL AS masked,
		       e.term_ids,
		       e.venue_ids,
		       e.organizer_ids,
		       e.featured,
		       e.attendance,
		       ` + isFree + ` AS is_free` + columns.String() + `
		FROM base b
		JOIN events e ON e.site_id = $1 AND e.id = b.event_id
	)`}
}

// termFacets counts the hits of each term and of those below it.
func termFacets(kind, taxonomy, condition string) string {
	return `(SELECT '` + kind + `', t.id, t.name, t.slug, COALESCE(t.color, ''), c.n
		FROM (
			SELECT u.top AS id,
			       count(DISTINCT h.k) AS n
			FROM hits h
			CROSS JOIN LATERAL unnest(h.term_ids) x (id)
			JOIN up u ON u.id = x.id
			WHERE ` + condition + `
			GROUP BY u.top
		) c
		JOIN terms t ON t.site_id = $1 AND t.id = c.id AND t.taxonomy = '` + taxonomy + `'
		ORDER BY c.n DESC, t.name
		LIMIT ` + strconv.Itoa(mostFacets) + `)`
}

// cities counts the hits of each city that has a published venue.
func (f *facetQuery) cities(condition string) string {
	return `(SELECT 'city', 0, v.city, '', '', count(DISTINCT h.k)
		FROM hits h
		CROSS JOIN LATERAL unnest(h.venue_ids) x (id)
		JOIN venues v ON v.site_id = $1 AND v.id = x.id AND v.status = 'publish' AND v.city <> ''
		WHERE ` + condition + `
		GROUP BY v.city
		ORDER BY count(DISTINCT h.k) DESC, v.city
		LIMIT ` + strconv.Itoa(mostFacets) + `)`
}

// organizerFacets counts the hits of each organizer that is published.
func organizerFacets(condition string) string {
	return `(SELECT 'organizer', g.id, g.name, g.slug, '', c.n
		FROM (
			SELECT x.id,
			       count(DISTINCT h.k) AS n
			FROM hits h
			CROSS JOIN LATERAL unnest(h.organizer_ids) x (id)
			WHERE ` + condition + `
			GROUP BY x.id
		) c
		JOIN organizers g ON g.site_id = $1 AND g.id = c.id AND g.status = 'publish'
		ORDER BY c.n DESC, g.name
		LIMIT ` + strconv.Itoa(mostFacets) + `)`
}

// flagFacet counts the hits of which something is so.
func flagFacet(kind, is, condition string) string {
	return `SELECT '` + kind + `', 0, '', '', '', (SELECT count(DISTINCT h.k) FROM hits h WHERE ` + is + ` AND ` + condition + `)`
}

// periods counts the hits of each period. Where nothing is chosen that a mask hides, what
// is masked is in the list, and counts.
func (f *facetQuery) periods(days []calendar.Days, conditions choices) string {
	firsts, lasts := make([]*time.Time, len(days)), make([]*time.Time, len(days))
	for i, d := range days {
		firsts[i], lasts[i] = edgeOf(d.First), edgeOf(d.Last)
	}
	condition := conditions.but("days")
	if f.of.Opener == nil {
		condition = "true"
	}
	return `SELECT 'days', w.i, '', '', '', (
			SELECT count(DISTINCT h.k)
			FROM hits h
			WHERE ` + condition + `
			  AND ` + happensWithin("w.first", "w.last", "h") + `
		)
		FROM unnest(` + f.arg(firsts) + `::timestamp[], ` + f.arg(lasts) + `::timestamp[]) WITH ORDINALITY w (first, last, i)`
}

// readFacets reads the rows of counting.
func readFacets(rows pgx.Rows, into *calendar.Facets, links *int64) error {
	var kind string
	var one calendar.Facet
	_, err := pgx.ForEachRow(rows, []any{&kind, &one.ID, &one.Name, &one.Slug, &one.Color, &one.Count}, func() error {
		switch kind {
		case "category":
			into.Categories = append(into.Categories, one)
		case "tag":
			into.Tags = append(into.Tags, one)
		case "city":
			into.Cities = append(into.Cities, one)
		case "organizer":
			into.Organizers = append(into.Organizers, one)
		case "free":
			into.Free = one.Count
		case "online":
			into.Online = one.Count
		case "here":
			into.Here = one.Count
		case "featured":
			into.Featured = one.Count
		case "days":
			into.Days[one.ID-1] = one.Count
		case "all":
			into.Uncounted, *links = one.Count > mostCountedIn, one.ID
		}
		return nil
	})
	return err
}
