package lists

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/terms"
	"github.com/kalends/kalends/tenancy"
)

// meanings are the linked items that a query names, at a version of the site's links.
type meanings struct {
	links            int64
	of               map[string]*meaning // by word of the search
	cities           []string            // of the venues that words of the search name
	categories, tags named

	butCategories, butTags named // to be excluded
}

// meaning has the items that one word names: venues by name, address and city, organizers and terms by name.
type meaning struct{ venues, organizers, terms []int64 }

// mostNaming is how many words of a search are looked up as names. Further words are searched only in the texts of
// events.
const mostNaming = 10

// meant looks up the items that the words, categories and tags of a query name, and calls do with them, or with nil if
// the query has none of these. do returns the version of the links that it read. If this differs from the version of
// the items, names may have changed, so meant repeats the look-up and do. A renamed venue is therefore found by its new
// name immediately, without writing its events (ADR 39). Meanings with few items are remembered.
func (s *Lists) meant(ctx context.Context, q calendar.EventQuery, do func(*meanings) (links int64, err error)) error {
	if !searches(q) && len(q.Categories)+len(q.Tags)+len(q.But.Categories)+len(q.But.Tags) == 0 {
		_, err := do(nil)
		return err
	}
	id, err := pg.Site(ctx)
	if err != nil {
		return err
	}
	key := keyOf(fmt.Sprintf("%d %v %q %q %#v %#v %#v", id, q.Viewer, q.Search, q.Texts.In, q.Categories, q.Tags, q.But))
	n := s.found.get(key, nil)
	for {
		if n == nil {
			if n, err = s.meaningsOf(ctx, q); err != nil {
				return err
			}
			if n.few() {
				s.found.set(key, n)
			}
		}
		links, err := do(n)
		if links == n.links || links == 0 || ctx.Err() != nil {
			return err
		}
		n = nil
	}
}

// searches reports whether a query has words to search for.
func searches(q calendar.EventQuery) bool { return len(q.Search.Words)+len(q.Search.Without) > 0 }

// fewMeant is how many items a query may name for its meanings to be remembered.
const fewMeant = 100

// few reports whether a query names few items, and all of them exist.
func (n *meanings) few() bool {
	all := 0
	for _, of := range []*named{&n.categories, &n.tags, &n.butCategories, &n.butTags} {
		if all += len(of.ids); of.unknown {
			return false
		}
	}
	for _, m := range n.of {
		all += len(m.venues) + len(m.organizers) + len(m.terms)
	}
	return all <= fewMeant
}

// namedByWords reads the items of a site s that the patterns $2 may name and the viewer may read. The search text
// of a venue or organizer includes more than its name, so the code that reads the rows also checks the name.
const namedByWords = `
	SELECT s.links_version,
	       COALESCE(l.kind, 0),
	       COALESCE(l.id, 0),
	       COALESCE(l.name, '')
	FROM sites s
	LEFT JOIN (
		SELECT 1 AS kind, v.id, concat_ws(E'\n', v.name, v.address, v.city, (
		           SELECT string_agg(concat_ws(
		               E'\n', v.translations -> l ->> 'title', v.translations -> l ->> 'address', v.translations -> l ->> 'city'), E'\n')
		           FROM unnest($5::text[]) l)) AS name
		FROM venues v
		WHERE v.site_id = $1
		  AND v.search LIKE ANY($2)
		  AND (v.status = 'publish' OR $3 OR v.author = $4)
		UNION ALL
		SELECT 2, g.id, concat_ws(E'\n', g.name, (
		           SELECT string_agg(g.translations -> l ->> 'title', E'\n') FROM unnest($5::text[]) l))
		FROM organizers g
		WHERE g.site_id = $1
		  AND g.search LIKE ANY($2)
		  AND (g.status = 'publish' OR $3 OR g.author = $4)
		UNION ALL
		SELECT 3, c.id, concat_ws(E'\n', c.name, (
		           SELECT string_agg(c.translations -> l ->> 'title', E'\n') FROM unnest($5::text[]) l))
		FROM terms c
		WHERE c.site_id = $1
		  AND c.search LIKE ANY($2)
	) l ON true
	WHERE s.id = $1`

// meaningsOf reads the items that a query names. It reads the version of the links first, so the items have that version or a
// later one.
func (s *Lists) meaningsOf(ctx context.Context, q calendar.EventQuery) (n *meanings, err error) {
	words := append(append([]string{}, q.Search.Words...), q.Search.Without...)
	words = words[:min(len(words), mostNaming)]
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		n = &meanings{of: map[string]*meaning{}}
		defer n.queueTerms(b, site, q)
		if len(words) == 0 {
			b.Queue(versionsOf, site).QueryRow(readVersions(new(int64), &n.links))
			return
		}
		b.Queue(namedByWords, site, content.Patterns(words), q.Viewer.All, q.Viewer.User,
			append([]string{}, q.Texts.In...)).Query(func(rows pgx.Rows) error {
			gone := true
			var kind int
			var id int64
			var name string
			_, err := pgx.ForEachRow(rows, []any{&n.links, &kind, &id, &name}, func() error {
				gone = false
				lines := strings.Split(name, "\n")
				n.note(words, kind, id, content.SearchLines(lines...))
				n.noteCity(kind, lines)
				return nil
			})
			if err == nil && gone {
				err = tenancy.ErrNoSite
			}
			return err
		})
	})
	return n, err
}

// note records which of the words name an item.
func (n *meanings) note(words []string, kind int, id int64, name string) {
	for _, word := range words {
		if !strings.Contains(name, strings.Join(strings.Fields(word), " ")) {
			continue
		}
		if n.of[word] == nil {
			n.of[word] = &meaning{[]int64{}, []int64{}, []int64{}}
		}
		for i, list := range []*[]int64{&n.of[word].venues, &n.of[word].organizers, &n.of[word].terms} {
			if kind == i+1 {
				*list = append(*list, id)
			}
		}
	}
}

// mostCities is how many cities are noted.
const mostCities = 50

// noteCity records the city of a venue that a word names. lines are name, address and city.
func (n *meanings) noteCity(kind int, lines []string) {
	if kind == 1 && len(lines) > 2 && lines[2] != "" && len(n.cities) < mostCities && !slices.Contains(n.cities, lines[2]) {
		n.cities = append(n.cities, lines[2])
	}
}

// named holds the terms that refs name.
type named struct {
	ids     []int64 // including the ids of descendants
	unknown bool    // one of the refs names nothing
}

// unknown adds a problem for each argument that names an unknown term.
func (n *meanings) unknown(found *args.Problems) {
	if n.categories.unknown {
		found.Invalid("categories", "problem.category.named", nil)
	}
	if n.tags.unknown {
		found.Invalid("tags", "problem.tag.named", nil)
	}
	if n.butCategories.unknown {
		found.Invalid("categories_exclude", "problem.category.named", nil)
	}
	if n.butTags.unknown {
		found.Invalid("tags_exclude", "problem.tag.named", nil)
	}
}

// queueTerms reads the terms that a query names.
func (n *meanings) queueTerms(b *pgx.Batch, site int64, q calendar.EventQuery) {
	n.categories.queue(b, site, "category", q.Categories, q.Texts.In)
	n.tags.queue(b, site, "tag", q.Tags, q.Texts.In)
	n.butCategories.queue(b, site, "category", q.But.Categories, q.Texts.In)
	n.butTags.queue(b, site, "tag", q.But.Tags, q.Texts.In)
}

// queue reads the terms that refs name, including by their texts in languages.
func (n *named) queue(b *pgx.Batch, site int64, taxonomy string, refs args.Refs, languages []string) {
	if len(refs) == 0 {
		return
	}
	ids, slugs, names := terms.SplitRefs(refs)
	values := []any{site, taxonomy, ids, slugs, names, append([]string{}, languages...)}
	b.Queue(namedTerms, values...).Query(pg.All(&n.ids, pgx.RowTo[int64]))
	b.Queue(unknownTerms, values...).QueryRow(pg.One(&n.unknown))
}

// namedTerms reads the ids of the terms of taxonomy $2 with one of the ids, slugs or names $3 to $5, or with one of the slugs
// in a language $6, and of all terms below them.
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

// unknownTerms reports whether one of the arguments of namedTerms names no term of the site.
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
