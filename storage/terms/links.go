package terms

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
)

// Named selects the Records of the terms of site $1 and taxonomy $2 that Meant finds by ids $3, slugs $4 and names
// $5, in the order of their ids.
var Named = `
	SELECT found.record
	FROM (` + Meant("$2", "$3", "$4", "$5") + `) m
	CROSS JOIN LATERAL (
		SELECT ` + Record + ` AS record
		FROM terms c
		WHERE c.site_id = $1
		  AND c.id = m.id
		OFFSET 0
	) found
	ORDER BY m.id`

// Meant returns the query for the terms of site $1 with one of these ids, slugs or lower-case names. It looks each
// of them up by an index. By itself, Postgres would read every term of the site, because most sites have few (ADR
// 28).
func Meant(taxonomy, ids, slugs, names string) string {
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

// LookUp reads the terms that the refs of links may mean.
func LookUp(t *content.Tx, b *pgx.Batch, taxonomy calendar.Taxonomy, links *calendar.TermLinks, into *[]calendar.Term) {
	if len(links.Refs) == 0 {
		return
	}
	ids, slugs, names := SplitRefs(links.Refs)
	b.Queue(Named, t.Site, string(taxonomy), ids, slugs, names).Query(t.EachLinked(linked.Term, func(f *pg.Fields) (int64, int) {
		term := Read(f)
		*into = append(*into, term)
		return term.ID, term.Count
	}))
}

// Settle returns the terms that links name, in the order of their names. It skips unknown ids, and creates terms for unknown
// names if links.Create is set.
func Settle(ctx context.Context, t *content.Tx, taxonomy calendar.Taxonomy, links *calendar.TermLinks, known []calendar.Term,
) ([]calendar.Term, error) {
	var list []calendar.Term
	for _, ref := range links.Refs {
		i := slices.IndexFunc(known, meant(ref, wording.Slug(ref.Text)))
		if i < 0 && ref.ID == 0 {
			i = slices.IndexFunc(known, func(c calendar.Term) bool { return strings.EqualFold(c.Name, ref.Text) })
		}
		switch {
		case i >= 0:
		case ref.ID != 0:
			continue
		default:
			there, err := called(ctx, t, taxonomy, ref.Text)
			if err != nil {
				return nil, err
			}
			if there != nil {
				i, known = len(known), append(known, *there)
				break
			}
			made, err := MakeNamed(ctx, t, taxonomy, links, ref.Text)
			if err != nil {
				return nil, err
			}
			i, known = len(known), append(known, *made)
		}
		if !slices.ContainsFunc(list, func(c calendar.Term) bool { return c.ID == known[i].ID }) {
			list = append(list, known[i])
		}
	}
	slices.SortFunc(list, ByName)
	return list, nil
}

// meant returns a function that reports whether a term has the id of ref or, if ref has none, the slug.
func meant(ref args.Ref, slug string) func(calendar.Term) bool {
	return func(c calendar.Term) bool {
		if ref.ID != 0 {
			return c.ID == ref.ID
		}
		return slug != "" && c.Slug == slug
	}
}

// termsCalled reads the terms with translations of which one may contain a name.
var termsCalled = `
	SELECT ` + Record + `
	FROM terms c
	WHERE c.site_id = $1
	  AND c.taxonomy = $2
	  AND c.translations IS NOT NULL
	  AND c.search LIKE $3
	ORDER BY c.id
	LIMIT 50`

// called returns the term that has a name in another language, or nil. It returns a problem if there are several.
// It reads all translated terms, and is called only for a name that no term has in its own fields.
func called(ctx context.Context, t *content.Tx, taxonomy calendar.Taxonomy, name string) (*calendar.Term, error) {
	other := content.Other[calendar.Term]{Field: termField(taxonomy), SQL: termsCalled, Read: oneTerm,
		Fits: func(*calendar.Term) bool { return true }, Names: (*calendar.Term).Names}
	return other.Called(ctx, t, name, t.Site, string(taxonomy))
}

// MakeNamed creates a term for a name that no term has. It returns an error unless links.Create is set.
func MakeNamed(ctx context.Context, t *content.Tx, taxonomy calendar.Taxonomy, links *calendar.TermLinks, text string,
) (*calendar.Term, error) {
	arg := termField(taxonomy)
	term := &calendar.Term{Taxonomy: taxonomy, Name: wording.CleanTerm(text), Slug: wording.SlugOf(text, links.Language)}
	switch {
	case !links.Create:
		return nil, args.Invalid(arg, "problem.term.unknown", map[string]any{"Name": text})
	case term.Name == "":
		return nil, args.Invalid(arg, "problem.blank", nil)
	}
	return term, insertTerm(ctx, t, term)
}

// SplitRefs returns the ids of refs, and for refs without an id the slugs and the lower-case names of their texts.
func SplitRefs(refs args.Refs) (ids []int64, slugs, names []string) {
	ids, slugs, names = []int64{}, []string{}, []string{}
	for _, ref := range refs {
		if ref.ID != 0 {
			ids = append(ids, ref.ID)
		} else {
			slugs = append(slugs, wording.SoughtSlug(ref.Text))
			names = append(names, strings.ToLower(ref.Text))
		}
	}
	return ids, slugs, names
}

// ByName compares an event's terms for sorting: by name, then by id.
func ByName(a, b calendar.Term) int {
	return cmp.Or(cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), cmp.Compare(a.ID, b.ID))
}

// Read reads a Record.
func Read(f *pg.Fields) (term calendar.Term) {
	columns.Read(f, &term)
	term.Stand(f.Text())
	return term
}

// Record is SQL for a term c; Read reads it. The path is read only for terms with a parent.
var Record = termWith(`CASE WHEN c.parent_id IS NULL THEN c.slug ELSE (
		WITH RECURSIVE up (parent_id, path, steps) AS (
			SELECT c.parent_id, c.slug, 1
			UNION ALL
			SELECT above.parent_id, ` + stepOf("above") + ` || '/' || up.path, up.steps + 1
			FROM up
			JOIN terms above ON above.site_id = $1 AND above.id = up.parent_id
			WHERE up.steps < 100
		)
		SELECT up.path
		FROM up
		ORDER BY up.steps DESC
		LIMIT 1
	) END`)

// stepOf is SQL for the slug of an ancestor term and the slugs of its texts, as Term.Stand reads them.
func stepOf(term string) string {
	return `CASE WHEN ` + term + `.translations IS NULL THEN ` + term + `.slug ELSE ` + term + `.slug || COALESCE((
		SELECT string_agg(E'\x02' || l.key || '=' || (l.value ->> 'slug'), '' ORDER BY l.key COLLATE "C")
		FROM jsonb_each(` + term + `.translations) l
		WHERE l.value ->> 'slug' <> ''), '') END`
}

// termWith is SQL for a term c with the given path; Read reads it.
func termWith(path string) string {
	return `ROW(` + columns.Select("c", nil) + `, ` + path + `)`
}

// oneTerm reads a row that consists of a Record.
func oneTerm(f *pg.Fields) *calendar.Term {
	var term calendar.Term
	f.Record(func(f *pg.Fields) { term = Read(f) })
	return &term
}

// Document has the fields of a term, as the history keeps them.
func Document(t *calendar.Term) pg.Document {
	return pg.Document{"name": t.Name, "slug": t.Slug, "description": t.Description, "parent": content.IDOrNil(t.Parent),
		"color": t.Color, "translations": content.TextsDocument(t.Texts, "name")}
}

// termField is the field of an event that holds terms of a taxonomy.
func termField(t calendar.Taxonomy) string {
	if t == calendar.Categories {
		return "categories"
	}
	return "tags"
}

// noteNoTerm records in the history of events which terms they had before one of these is deleted.
const noteNoTerm = content.NoteUnlinked + `
			SELECT jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) ORDER BY c.id)
			FROM events e
			CROSS JOIN LATERAL unnest(e.term_ids) o (id)
			JOIN terms c ON c.site_id = $1 AND c.id = o.id
			WHERE e.site_id = $1
			  AND e.id = x.event_id
			  AND c.taxonomy = (SELECT gone.taxonomy FROM terms gone WHERE gone.site_id = $1 AND gone.id = $2)))
		FROM event_terms x
		WHERE x.site_id = $1
		  AND x.term_id = $2` + content.NoteUnlinkedEnd
