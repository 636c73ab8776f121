package storage

import (
	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/storage/terms"
)

// linked keeps events by what they are linked to: any of each kind, all kinds.
func (b *eventQuery) linked() {
	b.terms(b.Categories, "category", "wanted_categories")
	b.terms(b.Tags, "tag", "wanted_tags")
	if len(b.Venues) > 0 {
		b.among("unnest("+b.arg(b.Venues)+"::bigint[])", "event_venues", "venue_id")
	}
	if len(b.Organizers) > 0 {
		b.among("unnest("+b.arg(b.Organizers)+"::bigint[])", "event_organizers", "organizer_id")
	}
}

// terms keeps events that carry one of the terms or of the terms below them.
func (b *eventQuery) terms(refs args.Refs, taxonomy, name string) {
	if len(refs) == 0 {
		return
	}
	ids, slugs, names := terms.SplitRefs(refs)
	b.with = append(b.with, name+` AS (
		(`+terms.Meant("'"+taxonomy+"'", b.arg(ids), b.arg(slugs), b.arg(names))+b.termsSpoken(taxonomy, slugs)+`)
		UNION
		SELECT c.id
		FROM `+name+` w
		JOIN terms c ON c.site_id = $1 AND c.parent_id = w.id
	)`)
	b.among(name, "event_terms", "term_id")
}

// termsSpoken adds the terms whose texts have one of the slugs in a language asked for.
func (b *eventQuery) termsSpoken(taxonomy string, slugs []string) string {
	if len(b.Texts.In) == 0 || len(slugs) == 0 {
		return ""
	}
	return ` UNION
		SELECT x.id
		FROM unnest(` + b.arg(slugs) + `::text[]) w (slug)
		CROSS JOIN LATERAL (
			SELECT l.id
			FROM translated_slugs l
			WHERE l.site_id = $1
			  AND l.kind = '` + taxonomy + `'
			  AND l.slug = w.slug
			  AND l.language = ANY(` + b.arg(b.Texts.In) + `)
			OFFSET 0
		) x`
}

// among keeps the events that a table links to what is wanted. Left to choose,
// Postgres takes every site for a small one: it asks for each occurrence apart, or
// reads all links of the site. The OFFSETs have it find the events of what is wanted
// first, by their index, and look occurrences up among them (ADR 28).
func (b *eventQuery) among(wanted, table, column string) {
	b.choose(`o.event_id IN (
		SELECT x.event_id
		FROM ` + wanted + ` w (id)
		CROSS JOIN LATERAL (
			SELECT l.event_id
			FROM ` + table + ` l
			WHERE l.site_id = $1
			  AND l.` + column + ` = w.id
			OFFSET 0
		) x
		OFFSET 0)`)
}

// known queues a check of each filter that names things: what the site doesn't
// have, or the viewer may not read, is a problem of that argument.
func (b *eventQuery) known(batch *pgx.Batch, site int64, found *args.Problems) {
	b.knownTerms(batch, site, "category", "categories", b.Categories, found)
	b.knownTerms(batch, site, "tag", "tags", b.Tags, found)
	b.knownPosts(batch, site, "venue", b.Venues, found)
	b.knownPosts(batch, site, "organizer", b.Organizers, found)
	if b.Parent != 0 {
		b.knownPosts(batch, site, "event", []int64{b.Parent}, found)
	}
}

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

func (b *eventQuery) knownTerms(batch *pgx.Batch, site int64, taxonomy, arg string, refs args.Refs, found *args.Problems) {
	if len(refs) == 0 {
		return
	}
	ids, slugs, names := terms.SplitRefs(refs)
	batch.Queue(unknownTerms, site, taxonomy, ids, slugs, names, append([]string{}, b.Texts.In...)).
		QueryRow(note(found, arg, "problem."+taxonomy+".named"))
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

func (b *eventQuery) knownPosts(batch *pgx.Batch, site int64, kind string, ids []int64, found *args.Problems) {
	if len(ids) == 0 {
		return
	}
	arg := kind
	if kind == "event" {
		arg = "post_parent"
	}
	batch.Queue(unknownPosts, site, kind, ids, b.Viewer.All, b.Viewer.User).
		QueryRow(note(found, arg, "problem."+kind+".unknown"))
}

// note reads whether something is unknown.
func note(found *args.Problems, arg, key string) func(pgx.Row) error {
	return func(row pgx.Row) error {
		var unknown bool
		if err := row.Scan(&unknown); err != nil {
			return err
		}
		if unknown {
			found.Invalid(arg, key, nil)
		}
		return nil
	}
}
