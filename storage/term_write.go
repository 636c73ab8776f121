package storage

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

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
	t.log(kind, term.ID, "create")
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
		"search":      lines(term.Name, term.Slug),
	}
}
