package lists

import (
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/events"
)

// linked keeps events with at least one of the requested items of each kind.
func (b *eventQuery) linked(n *meanings) {
	if len(b.Categories) > 0 {
		b.among("event_terms", "term_id", b.arg(n.categories.ids))
	}
	if len(b.Tags) > 0 {
		b.among("event_terms", "term_id", b.arg(n.tags.ids))
	}
	if len(b.Venues) > 0 {
		b.among("event_venues", "venue_id", b.arg(b.Venues))
	}
	if len(b.Organizers) > 0 {
		b.among("event_organizers", "organizer_id", b.arg(b.Organizers))
	}
	if len(b.But.Categories)+len(b.But.Tags) > 0 {
		b.butOf("event_terms", "term_id", b.arg(slices.Concat(n.butCategories.ids, n.butTags.ids)))
	}
	if len(b.But.Venues) > 0 {
		b.butOf("event_venues", "venue_id", b.arg(b.But.Venues))
	}
}

// butOf leaves out events that the table links to one of ids.
func (b *eventQuery) butOf(table, column, ids string) {
	b.and(`o.event_id NOT IN (
		SELECT l.event_id
		FROM ` + table + ` l
		WHERE l.site_id = $1
		  AND l.` + column + ` = ANY(` + ids + `::bigint[]))`)
}

// among keeps events that the table links to one of ids. By itself, Postgres would assume that every site is small:
// it would check each occurrence separately, or read all links of the site. The OFFSET makes it find the linked
// events first, by their index, and look up their occurrences (ADR 28).
func (b *eventQuery) among(table, column, ids string) {
	b.choose(`o.event_id IN (
		SELECT l.event_id
		FROM ` + table + ` l
		WHERE l.site_id = $1
		  AND l.` + column + ` = ANY(` + ids + `::bigint[])
		OFFSET 0)`)
}

// known adds a problem for each argument that names an item that the site does not have or the viewer may not see.
// n has the terms that the query names; posts are looked up.
func (b *eventQuery) known(batch *pgx.Batch, site int64, n *meanings, found *args.Problems) {
	if n != nil {
		n.unknown(found)
	}
	b.knownPosts(batch, site, found)
}

// knownPosts is known for posts.
func (b *eventQuery) knownPosts(batch *pgx.Batch, site int64, found *args.Problems) {
	b.knownAs(batch, site, "venue", "venue", b.Venues, found)
	b.knownAs(batch, site, "venue_exclude", "venue", b.But.Venues, found)
	b.knownAs(batch, site, "organizer", "organizer", b.Organizers, found)
	if b.Parent != 0 {
		b.knownAs(batch, site, "post_parent", "event", []int64{b.Parent}, found)
	}
}

const unknownPosts = `
	SELECT EXISTS (
		SELECT FROM unnest($3::bigint[]) w (id)
		WHERE NOT CASE $2
			WHEN 'venue' THEN EXISTS (
				SELECT FROM venues v
				WHERE v.site_id = $1
				  AND v.id = w.id
				  AND ($4 OR v.status = 'publish' OR v.author = $5))
			WHEN 'organizer' THEN EXISTS (
				SELECT FROM organizers g
				WHERE g.site_id = $1
				  AND g.id = w.id
				  AND ($4 OR g.status = 'publish' OR g.author = $5))
			ELSE EXISTS (
				SELECT FROM events e
				WHERE e.site_id = $1
				  AND e.id = w.id
				  AND ($4 OR e.status = 'publish' OR e.author = $5))
			END
	)`

func (b *eventQuery) knownAs(batch *pgx.Batch, site int64, arg, kind string, ids []int64, found *args.Problems) {
	if len(ids) == 0 {
		return
	}
	batch.Queue(unknownPosts, site, kind, ids, b.Viewer.All, b.Viewer.User).
		QueryRow(func(row pgx.Row) error {
			var unknown bool
			err := row.Scan(&unknown)
			if unknown {
				found.Invalid(arg, "problem."+kind+".unknown", nil)
			}
			return err
		})
}

// LinkedOnce returns SQL for the events.LinkedColumns of all rows in linked. They are on the first row of an order,
// and null on all others.
func linkedOnce(order string) string {
	venues, organizers, terms := events.LinkedColumns("ARRAY(SELECT unnest(l.venue_ids) FROM linked l)",
		"ARRAY(SELECT unnest(l.organizer_ids) FROM linked l)", "ARRAY(SELECT unnest(l.term_ids) FROM linked l)")
	first := "CASE WHEN row_number() OVER (ORDER BY " + order + ") = 1 THEN "
	return first + venues + " END, " + first + organizers + " END, " + first + terms + " END"
}
