package storage

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
)

var termsNamed = `
	SELECT found.record
	FROM (` + termsMeant("$2", "$3", "$4", "$5") + `) m
	CROSS JOIN LATERAL (
		SELECT ` + termRecord + ` AS record
		FROM terms c
		WHERE c.site_id = $1
		  AND c.id = m.id
		OFFSET 0
	) found
	ORDER BY m.id`

// termsMeant returns the query of the terms of a site, $1, with one of these ids,
// slugs or names in small letters. It asks for each by its index: left to choose,
// Postgres reads every term of the site, for most sites have few (ADR 28).
func termsMeant(taxonomy, ids, slugs, names string) string {
	by := func(list, column string) string {
		return `
		SELECT m.id
		FROM unnest(` + list + `) w (meant)
		CROSS JOIN LATERAL (
			SELECT t.id
			FROM terms t
			WHERE t.site_id = $1
			  AND t.taxonomy = ` + taxonomy + `
			  AND t.` + column + ` = w.meant
			OFFSET 0
		) m`
	}
	return by(ids+"::bigint[]", "id") + " UNION" + by(slugs+"::text[]", "slug") + " UNION" + by(names+"::text[]", "name_key")
}

// queueTerms reads the terms that the refs of links may mean.
func (t *tx) queueTerms(b *pgx.Batch, taxonomy calendar.Taxonomy, links *calendar.TermLinks, into *[]calendar.Term) {
	if len(links.Refs) == 0 {
		return
	}
	ids, slugs, names := splitRefs(links.Refs)
	b.Queue(termsNamed, t.Site, string(taxonomy), ids, slugs, names).Query(t.eachLink(linked.Term, func(f *pg.Fields) (int64, int) {
		term := readTerm(f)
		*into = append(*into, term)
		return term.ID, term.Count
	}))
}

// settleTerms returns the terms that links name, in the order of their names.
// Unknown ids are skipped; unknown names are made when links say so.
func (t *tx) settleTerms(ctx context.Context, taxonomy calendar.Taxonomy, links *calendar.TermLinks, known []calendar.Term,
) ([]calendar.Term, error) {
	var list []calendar.Term
	for _, ref := range links.Refs {
		i := slices.IndexFunc(known, meant(ref, calendar.Slug(ref.Text)))
		if i < 0 && ref.ID == 0 {
			i = slices.IndexFunc(known, func(c calendar.Term) bool { return strings.EqualFold(c.Name, ref.Text) })
		}
		switch {
		case i >= 0:
		case ref.ID != 0:
			continue
		default:
			made, err := t.namedTerm(ctx, taxonomy, links, ref.Text)
			if err != nil {
				return nil, err
			}
			i, known = len(known), append(known, *made)
		}
		if !slices.ContainsFunc(list, func(c calendar.Term) bool { return c.ID == known[i].ID }) {
			list = append(list, known[i])
		}
	}
	slices.SortFunc(list, byName)
	return list, nil
}

// meant tells the term of a ref by id or slug.
func meant(ref args.Ref, slug string) func(calendar.Term) bool {
	return func(c calendar.Term) bool {
		if ref.ID != 0 {
			return c.ID == ref.ID
		}
		return slug != "" && c.Slug == slug
	}
}

// namedTerm makes the term of a name that no term has.
func (t *tx) namedTerm(ctx context.Context, taxonomy calendar.Taxonomy, links *calendar.TermLinks, text string) (*calendar.Term, error) {
	arg := "categories"
	if taxonomy == calendar.Tags {
		arg = "tags"
	}
	term := &calendar.Term{Taxonomy: taxonomy, Name: calendar.CleanTerm(text), Slug: calendar.Slug(text)}
	switch {
	case !links.Create:
		return nil, args.Invalid(arg, "problem.term.unknown", map[string]any{"Name": text})
	case term.Name == "":
		return nil, args.Invalid(arg, "problem.blank", nil)
	}
	return term, t.insertTerm(ctx, term)
}
