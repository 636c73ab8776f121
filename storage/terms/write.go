package terms

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

// columns are the columns of a term.
var columns = pg.Columns[calendar.Term]{
	pg.NumberColumn("id", func(t *calendar.Term) *int64 { return &t.ID }),
	pg.NumberColumn("version", func(t *calendar.Term) *int64 { return &t.Version }),
	content.TextsColumn(func(t *calendar.Term) *calendar.Translated { return &t.Translated }),
	{Name: "taxonomy", Type: "text", Value: func(t *calendar.Term) any { return string(t.Taxonomy) },
		Read: func(f *pg.Fields, t *calendar.Term) { t.Taxonomy = calendar.Taxonomy(f.Text()) }},
	pg.TextColumn("name", func(t *calendar.Term) *string { return &t.Name }),
	pg.TextColumn("slug", func(t *calendar.Term) *string { return &t.Slug }),
	pg.TextColumn("description", func(t *calendar.Term) *string { return &t.Description }),
	pg.IDColumn("parent_id", func(t *calendar.Term) *int64 { return &t.Parent }),
	{Name: "count", Read: func(f *pg.Fields, t *calendar.Term) { t.Count = f.Int() }},
	{Name: "color", Type: "text", Value: func(t *calendar.Term) any { return content.NullText(t.Color) },
		Read: func(f *pg.Fields, t *calendar.Term) { t.Color = f.Text() }},
	{Name: "name_key", Type: "text", Value: func(t *calendar.Term) any { return strings.ToLower(t.Name) }},
	{Name: "search", Type: "text", Value: func(t *calendar.Term) any { return Searched(t) }},
}

var insert = columns.Insert("terms", 1)

// insertTerm stores a new term; it fills in id, version and a unique slug.
func insertTerm(ctx context.Context, t *content.Tx, term *calendar.Term) error {
	if term.ID == 0 {
		term.ID = t.NextTerm()
	}
	t.Last.Term = max(t.Last.Term, term.ID)
	term.Version = t.Version
	kind := string(term.Taxonomy)
	slug, err := t.FreeSlug(ctx, kind, term.ID, term.Slug)
	if err != nil {
		return err
	}
	term.Slug, term.Path = slug, slug
	if err := t.SettleTexts(ctx, kind, term.ID, content.Worded{}, content.Worded{Texts: &term.Texts, Own: term.Slug}); err != nil {
		return err
	}
	if _, err := t.Exec(ctx, insert, append([]any{t.Site}, columns.Row(term)...)...); err != nil {
		return err
	}
	t.Log(kind, term.ID, "create", nil)
	return nil
}

// StoreCopied stores a term copied from another site, with its id if it has one. If its slug is taken, it gets a number.
func StoreCopied(ctx context.Context, t *content.Tx, term *calendar.Term) error {
	return insertTerm(ctx, t, term)
}

// Searched returns the text of a term that searches look through.
func Searched(term *calendar.Term) string {
	return content.WithTexts(content.SearchLines(term.Name, term.Slug), term.Texts)
}

// Rivals finds the terms that conflict with a term; see calendar.TermStore.
func (s Store) Rivals(ctx context.Context, term *calendar.Term) (calendar.TermRivals, error) {
	var found calendar.TermRivals
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) { queueRivals(b, site, s.taxonomy, term, &found) })
	return found, err
}

// rivals is Rivals within a transaction.
func rivals(ctx context.Context, t *content.Tx, taxonomy calendar.Taxonomy, term *calendar.Term) (calendar.TermRivals, error) {
	var found calendar.TermRivals
	b := &pgx.Batch{}
	queueRivals(b, t.Site, taxonomy, term, &found)
	return found, t.Send(ctx, b)
}

func queueRivals(b *pgx.Batch, site int64, taxonomy calendar.Taxonomy, term *calendar.Term, found *calendar.TermRivals) {
	const rivals = `
		WITH RECURSIVE up AS (
			SELECT @parent_id::bigint AS id
			UNION
			SELECT t.parent_id
			FROM up
			JOIN terms t ON t.site_id = @site AND t.id = up.id
			WHERE t.parent_id IS NOT NULL
		)
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
			  AND t.id <> @id),
		       EXISTS (SELECT FROM up WHERE id = @id)`
	values := pgx.NamedArgs{"site": site, "id": term.ID, "taxonomy": string(taxonomy), "name_key": strings.ToLower(term.Name),
		"slug": term.Slug, "parent_id": content.NullID(term.Parent)}
	b.Queue(rivals, values).QueryRow(pg.One(&found.Namesake, &found.Slug, &found.Loop))
}

// updateTerm stores a change of a term.
func updateTerm(t *content.Tx, was, term *calendar.Term) {
	if sql, parameters := columns.Update("terms", t.Site, was, term); sql != "" {
		t.Queue(sql, parameters...)
	}
	t.Log(string(term.Taxonomy), term.ID, "update", Document(was).Unlike(Document(term)))
}

// deleteTerm moves the children of a term up to its parent and removes the term.
func deleteTerm(ctx context.Context, t *content.Tx, term *calendar.Term) error {
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
	rows, err := t.Query(ctx, moveUp, t.Site, term.ID, content.NullID(term.Parent), t.Version)
	if err != nil {
		return err
	}
	moved, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return err
	}
	for _, child := range moved {
		t.Log(string(term.Taxonomy), child, "update", pg.Document{"parent": content.IDOrNil(term.ID)})
	}
	t.LogUnlinked(noteNoTerm, term.ID, termField(term.Taxonomy))
	t.Queue(unlink, t.Site, term.ID)
	t.Queue(remove, t.Site, term.ID)
	t.ForgetSlugs(string(term.Taxonomy), term.ID)
	t.Log(string(term.Taxonomy), term.ID, "delete", Document(term))
	return nil
}
