package storage

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

// insertTerm stores a new term; it fills in id, version and a unique slug.
func (t *tx) insertTerm(ctx context.Context, term *calendar.Term) error {
	const insert = `
		INSERT INTO terms (
			site_id,
			id,
			version,
			taxonomy,
			name,
			name_key,
			slug,
			description,
			parent_id,
			color,
			search
		) VALUES (
			@site,
			@id,
			@version,
			@taxonomy,
			@name,
			@name_key,
			@slug,
			@description,
			@parent_id,
			@color,
			@search
		)`
	if term.ID == 0 {
		term.ID = t.nextTerm()
	}
	t.last.term = max(t.last.term, term.ID)
	term.Version = t.version
	kind := string(term.Taxonomy)
	slug, err := t.freeSlug(ctx, kind, term.ID, term.Slug)
	if err != nil {
		return err
	}
	term.Slug, term.Path = slug, slug
	if _, err := t.conn.Exec(ctx, insert, termArgs(t.site, term)); err != nil {
		return err
	}
	t.created(kind, term.ID)
	return nil
}

// termArgs names a term's columns.
func termArgs(site int64, term *calendar.Term) pgx.NamedArgs {
	return pgx.NamedArgs{
		"site":        site,
		"id":          term.ID,
		"version":     term.Version,
		"taxonomy":    string(term.Taxonomy),
		"name":        term.Name,
		"name_key":    strings.ToLower(term.Name),
		"slug":        term.Slug,
		"description": term.Description,
		"parent_id":   nullable(term.Parent),
		"color":       nullableText(term.Color),
		"search":      lines(term.Name, term.Slug),
	}
}

// rivals returns the first other term of that name beside a term, or 0, and
// whether another term has its slug.
func (s terms) rivals(ctx context.Context, t *tx, term *calendar.Term) (namesake int64, taken bool, err error) {
	const rivals = `
		SELECT COALESCE((
			SELECT min(t.id)
			FROM terms t
			WHERE t.site_id = @site
			  AND t.taxonomy = @taxonomy
			  AND t.name_key = @name_key
			  AND t.parent_id IS NOT DISTINCT FROM @parent_id::bigint
			  AND t.id <> @id), 0),
		       EXISTS (
			SELECT
			FROM terms t
			WHERE t.site_id = @site
			  AND t.taxonomy = @taxonomy
			  AND t.slug = @slug
			  AND t.id <> @id)`
	err = t.conn.QueryRow(ctx, rivals, termArgs(t.site, term)).Scan(&namesake, &taken)
	return namesake, taken, err
}

// refuseLoop refuses a category below itself.
func (t *tx) refuseLoop(ctx context.Context, term *calendar.Term) error {
	const loops = `
		WITH RECURSIVE up AS (
			SELECT $2::bigint AS id
			UNION
			SELECT t.parent_id
			FROM up
			JOIN terms t ON t.site_id = $1 AND t.id = up.id
			WHERE t.parent_id IS NOT NULL
		)
		SELECT EXISTS (SELECT FROM up WHERE id = $3)`
	var loop bool
	if err := t.conn.QueryRow(ctx, loops, t.site, term.Parent, term.ID).Scan(&loop); err != nil {
		return err
	}
	if loop {
		return args.Invalid("parent", "problem.parent.loop", nil)
	}
	return nil
}

// updateTerm stores a change of a term.
func (t *tx) updateTerm(was, term *calendar.Term) {
	const update = `
		UPDATE terms
		SET version = @version,
		    name = @name,
		    name_key = @name_key,
		    slug = @slug,
		    description = @description,
		    parent_id = @parent_id,
		    color = @color,
		    search = @search
		WHERE site_id = @site
		  AND id = @id`
	t.queue(update, termArgs(t.site, term))
	t.logFrom(string(term.Taxonomy), term.ID, "update", termDocument(was).unlike(termDocument(term)))
}

// deleteTerm removes a term when its children have moved up to its parent.
func (t *tx) deleteTerm(ctx context.Context, term *calendar.Term) error {
	const moveUp = `
		UPDATE terms
		SET parent_id = $3,
		    version = $4
		WHERE site_id = $1
		  AND parent_id = $2
		RETURNING id`
	const unlink = `
		UPDATE events
		SET term_ids = array_remove(term_ids, $2)
		WHERE site_id = $1
		  AND id IN (SELECT x.event_id FROM event_terms x WHERE x.site_id = $1 AND x.term_id = $2)`
	const remove = `
		DELETE FROM terms
		WHERE site_id = $1
		  AND id = $2`
	rows, err := t.conn.Query(ctx, moveUp, t.site, term.ID, nullable(term.Parent), t.version)
	if err != nil {
		return err
	}
	moved, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return err
	}
	for _, child := range moved {
		t.logFrom(string(term.Taxonomy), child, "update", document{"parent": idOrNil(term.ID)})
	}
	t.queueUnlinked(noteNoTerm, term.ID, termField(term.Taxonomy))
	t.queue(unlink, t.site, term.ID)
	t.queue(remove, t.site, term.ID)
	t.forgetSlugs(string(term.Taxonomy), term.ID)
	t.logFrom(string(term.Taxonomy), term.ID, "delete", termDocument(term))
	return nil
}
