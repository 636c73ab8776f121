package storage

import (
	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/terms"
)

// linked keeps events by what they are linked to: any of each kind, all kinds.
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
}

// among keeps the events that a table links to one of ids. Left to choose, Postgres takes
// every site for a small one: it asks for each occurrence apart, or reads all links of the
// site. The OFFSET has it find the events of what is wanted first, by their index, and
// look occurrences up among them (ADR 28).
func (b *eventQuery) among(table, column, ids string) {
	b.choose(`o.event_id IN (
		SELECT l.event_id
		FROM ` + table + ` l
		WHERE l.site_id = $1
		  AND l.` + column + ` = ANY(` + ids + `::bigint[])
		OFFSET 0)`)
}

// known notes each filter that names something which the site doesn't have, or the viewer
// may not read: it is a problem of that argument. n is what the query names; posts are
// asked for.
func (b *eventQuery) known(batch *pgx.Batch, site int64, n *meanings, found *args.Problems) {
	if n != nil {
		n.unknown(found)
	}
	b.knownPosts(batch, site, found)
}

// knownPosts is known for posts.
func (b *eventQuery) knownPosts(batch *pgx.Batch, site int64, found *args.Problems) {
	b.knownAs(batch, site, "venue", b.Venues, found)
	b.knownAs(batch, site, "organizer", b.Organizers, found)
	if b.Parent != 0 {
		b.knownAs(batch, site, "event", []int64{b.Parent}, found)
	}
}

// named are the terms that refs name.
type named struct {
	ids     []int64 // theirs, and of those below them
	unknown bool    // whether one of the refs names nothing
}

// unknown notes a problem of each argument that names something unknown.
func (n *meanings) unknown(found *args.Problems) {
	if n.categories.unknown {
		found.Invalid("categories", "problem.category.named", nil)
	}
	if n.tags.unknown {
		found.Invalid("tags", "problem.tag.named", nil)
	}
}

// queueTerms reads the terms that a query names.
func (n *meanings) queueTerms(b *pgx.Batch, site int64, q calendar.EventQuery) {
	n.categories.queue(b, site, "category", q.Categories, q.Texts.In)
	n.tags.queue(b, site, "tag", q.Tags, q.Texts.In)
}

// queue reads the terms that refs name, by their texts in languages, too.
func (n *named) queue(b *pgx.Batch, site int64, taxonomy string, refs args.Refs, languages []string) {
	if len(refs) == 0 {
		return
	}
	ids, slugs, names := terms.SplitRefs(refs)
	args := []any{site, taxonomy, ids, slugs, names, append([]string{}, languages...)}
	b.Queue(namedTerms, args...).Query(func(rows pgx.Rows) (err error) {
		n.ids, err = pgx.CollectRows(rows, pgx.RowTo[int64])
		return err
	})
	b.Queue(unknownTerms, args...).QueryRow(func(row pgx.Row) error { return row.Scan(&n.unknown) })
}

// namedTerms reads the ids of the terms of a taxonomy $2 with one of the ids, slugs or names $3
// to $5, or with one of the slugs in a language $6, and of all below them.
var namedTerms = `
	WITH RECURSIVE named AS (
		(` + terms.Meant("$2", "$3", "$4", "$5") + ` UNION
		SELECT x.id
		FROM unnest($4::text[]) w (slug)
		CROSS JOIN LATERAL (
			SELECT l.id
			FROM translated_slugs l
			WHERE l.site_id = $1
			  AND l.kind = $2
			  AND l.slug = w.slug
			  AND l.language = ANY($6::text[])
			OFFSET 0
		) x)
		UNION
		SELECT c.id
		FROM named n
		JOIN terms c ON c.site_id = $1 AND c.parent_id = n.id
	)
	SELECT id
	FROM named`

// unknownTerms tells whether a site has nothing for one of the arguments of namedTerms.
const unknownTerms = `
	SELECT EXISTS (
		SELECT FROM unnest($3::bigint[]) w (id)
		WHERE NOT EXISTS (
			SELECT FROM terms c WHERE c.site_id = $1 AND c.taxonomy = $2 AND c.id = w.id)
	) OR EXISTS (
		SELECT FROM unnest($4::text[], $5::text[]) w (slug, name)
		WHERE NOT EXISTS (
			SELECT FROM terms c WHERE c.site_id = $1 AND c.taxonomy = $2 AND c.slug = w.slug)
		  AND NOT EXISTS (
			SELECT FROM terms c WHERE c.site_id = $1 AND c.taxonomy = $2 AND c.name_key = w.name)
		  AND NOT EXISTS (
			SELECT
			FROM translated_slugs l
			WHERE l.site_id = $1 AND l.kind = $2 AND l.slug = w.slug AND l.language = ANY($6::text[])
			OFFSET 0)
	)`

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

func (b *eventQuery) knownAs(batch *pgx.Batch, site int64, kind string, ids []int64, found *args.Problems) {
	if len(ids) == 0 {
		return
	}
	arg := kind
	if kind == "event" {
		arg = "post_parent"
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
