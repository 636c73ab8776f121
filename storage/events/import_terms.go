package events

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/terms"
)

// named holds the categories or tags that an import names: those of the site, and those it has created. Files refer
// to terms by name, so "C" does not mean "C#" although both have the same slug.
type named struct {
	taxonomy calendar.Taxonomy
	terms    []calendar.Term
	wanted   struct {
		ids   []int64
		names []string
	}
}

// termKey normalizes a name for comparison.
func termKey(name string) string { return strings.ToLower(wording.CleanTerm(name)) }

// resolve returns the terms that links name, in the order of their names. It skips unknown ids, and creates terms for unknown
// names if links.Create is set.
func (n *named) resolve(ctx context.Context, t *content.Tx, links *calendar.TermLinks) ([]calendar.Term, error) {
	var list []calendar.Term
	for _, ref := range links.Refs {
		i := slices.IndexFunc(n.terms, means(ref))
		switch {
		case i >= 0:
		case ref.ID != 0:
			continue
		default:
			made, err := terms.MakeNamed(ctx, t, n.taxonomy, links, ref.Text)
			if err != nil {
				return nil, err
			}
			i, n.terms = len(n.terms), append(n.terms, *made)
		}
		if !slices.ContainsFunc(list, func(c calendar.Term) bool { return c.ID == n.terms[i].ID }) {
			list = append(list, n.terms[i])
		}
	}
	slices.SortFunc(list, terms.ByName)
	return list, nil
}

// means returns a function that recognizes the term of a ref by id or name.
func means(ref args.Ref) func(calendar.Term) bool {
	key := termKey(ref.Text)
	return func(c calendar.Term) bool {
		if ref.ID != 0 {
			return c.ID == ref.ID
		}
		return strings.ToLower(c.Name) == key
	}
}

// expect collects the ids and names of links for queue.
func (n *named) expect(links *calendar.TermLinks) {
	if links == nil {
		return
	}
	for _, ref := range links.Refs {
		if ref.ID != 0 {
			n.wanted.ids = append(n.wanted.ids, ref.ID)
			continue
		}
		if key := termKey(ref.Text); !slices.Contains(n.wanted.names, key) {
			n.wanted.names = append(n.wanted.names, key)
		}
	}
}

// queue looks up the collected ids and names.
func (n *named) queue(b *pgx.Batch, site int64) {
	if len(n.wanted.names)+len(n.wanted.ids) == 0 {
		return
	}
	b.Queue(terms.Named, site, string(n.taxonomy), n.wanted.ids, []string{}, n.wanted.names).
		Query(content.ReadRecords(func(f *pg.Fields) { n.terms = append(n.terms, terms.Read(f)) }))
}
