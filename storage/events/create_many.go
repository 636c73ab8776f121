package events

import (
	"context"
	"slices"
	"strconv"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// newColumns are the columns that createMany takes for each new event.
var newColumns = slices.Concat(columns[2:], pg.Columns[row]{
	{Name: "listed", Type: "boolean", Value: func(r *row) any { return listed(r.Event) }},
	{Name: "counts", Type: "boolean", Value: func(r *row) any { return counts(r.Event) }},
	{Name: "user_id", Type: "bigint", Value: func(r *row) any { return r.from.UserID }},
	{Name: "who", Type: "text", Value: func(r *row) any { return r.from.Who }},
	{Name: "via", Type: "text", Value: func(r *row) any { return string(r.from.Via) }},
	{Name: "via_name", Type: "text", Value: func(r *row) any { return r.from.Name }},
	{Name: "address", Type: "text", Value: func(r *row) any { return r.from.Address }},
})

// writeNew are the parts of createMany that write the events of new with their links.
var writeNew = `made AS (
		INSERT INTO events (site_id, id, version, texts_indexed, ` + columns[2:].Names() + `)
		SELECT $1, id, version, texts_indexed, ` + columns[2:].Names() + `
		FROM new
	), happens AS (
		INSERT INTO occurrences (site_id, event_id, n, start_local, end_local, start_utc, end_utc, listed)
		SELECT $1, id, 0, start_local, end_local, start_utc, end_utc, listed
		FROM new
	), at_venues AS (
		INSERT INTO event_venues (site_id, event_id, venue_id, position)
		SELECT $1, new.id, v.id, v.position
		FROM new, unnest(new.venue_ids) WITH ORDINALITY v (id, position)
	), by_organizers AS (
		INSERT INTO event_organizers (site_id, event_id, organizer_id, position)
		SELECT $1, new.id, o.id, o.position
		FROM new, unnest(new.organizer_ids) WITH ORDINALITY o (id, position)
	), under_terms AS (
		INSERT INTO event_terms (site_id, event_id, term_id)
		SELECT $1, new.id, c.id
		FROM new, unnest(new.term_ids) c (id)
	), added AS MATERIALIZED (
		SELECT c.id, count(*)::integer AS events
		FROM new, unnest(new.term_ids) c (id)
		WHERE new.counts
		GROUP BY c.id
	), counted AS (
		UPDATE terms
		SET count = count + added.events
		FROM added
		WHERE site_id = $1
		  AND terms.id = added.id
		  AND added.id ` + pg.ByKey + `
		RETURNING terms.id, count
	), logged AS (
		INSERT INTO changes (site_id, version, kind, id, action, user_id, at, who, via, via_name, address)
		SELECT $1, version, 'event', id, 'create', user_id, $3, who, via, via_name, address
		FROM new
	)`

// createMany returns the statement that creates up to n events. It leaves out events whose slug is taken, and rows
// without a slug. It writes nothing unless the site accepts writes, has room for all events, does not reach the
// size at which its texts are indexed, and still has version $2 of its links.
func createMany(n int) string {
	return `
	WITH free AS (
		SELECT row_number() OVER () AS nth,
		       asked.*
		FROM ` + newColumns.Values(n, 4) + ` asked (` + newColumns.Names() + `)
		WHERE asked.slug <> ''
		  AND NOT EXISTS (
		      SELECT
		      FROM events e
		      WHERE e.site_id = $1
		        AND e.slug = asked.slug
		        AND e.slug <> ''
		      OFFSET 0)
		  AND ((SELECT s.content_languages = '{}' FROM sites s WHERE s.id = $1) OR NOT EXISTS (
		      SELECT
		      FROM translated_slugs l
		      WHERE l.site_id = $1
		        AND l.kind = 'event'
		        AND l.slug = asked.slug
		      OFFSET 0))
	), together AS (
		SELECT count(*) AS events,
		       bool_or(counts AND term_ids <> '{}') AS counts
		FROM free
	), site AS (
		UPDATE sites s
		SET version = version + events,
		    changed_at = GREATEST(changed_at, statement_timestamp()),
		    last_post_id = last_post_id + events,
		    links_version = CASE WHEN counts THEN version + events ELSE links_version END,
		    used_events = used_events + events
		FROM together
		WHERE s.id = $1
		  AND events > 0
		  AND state = 'active'
		  AND links_version = $2
		  AND (texts_indexed OR last_post_id + events <= ` + strconv.Itoa(pg.MostScanned) + `)
		  AND COALESCE(used_events + events <= (SELECT ` + pg.MostEvents + ` FROM plans p WHERE p.name = s.plan), true)
		RETURNING version - events AS version,
		          last_post_id - events AS id,
		          texts_indexed
	), new AS (
		SELECT site.id + free.nth AS id,
		       site.version + free.nth AS version,
		       site.texts_indexed,
		       free.*
		FROM site, free
	), ` + writeNew + `
	SELECT slug,
	       id,
	       version,
	       ARRAY(SELECT id FROM counted),
	       ARRAY(SELECT count FROM counted)
	FROM new`
}

// createSizes are the numbers of events that the statements of createMany take. Unused rows stay empty. With these
// few sizes, Postgres has few statements to plan.
var createSizes = [...]int{1, 2, 4, 8, pg.MostTogether}

var createStatements = func() map[int]string {
	all := map[int]string{}
	for _, n := range createSizes {
		all[n] = createMany(n)
	}
	return all
}()

// createAll creates events with one statement. If it returns an error, it has created none.
func (s Store) createAll(ctx context.Context, site int64, all []*pg.Member[*creation]) error {
	remembered := s.db.Links.Of(site)
	t := s.db.Alone(site)
	asked := map[string]*creation{} // by slug
	var rows []any
	for _, member := range all {
		one := member.Of
		if asked[one.e.Slug] != nil {
			continue // the second of two events with the same slug needs a look-up
		}
		if one.prepare(t, remembered) {
			rows = append(rows, newColumns.Row(&row{Event: &one.made, from: tenancy.SourceOf(one.ctx)})...)
			asked[one.e.Slug] = one
		}
	}
	if len(asked) == 0 {
		return nil
	}
	size := createSizes[slices.IndexFunc(createSizes[:], func(n int) bool { return n >= len(asked) })]
	empty := make([]any, len(rows)/len(asked)*(size-len(asked)))
	arguments := slices.Concat([]any{site, remembered.Version, t.Now}, rows, empty)
	return s.make(ctx, site, remembered.Version, createStatements[size], arguments, asked)
}
