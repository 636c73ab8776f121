package lists

import (
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
)

const (
	comingTerms = `
		SELECT t.id,
		       t.taxonomy,
		       COALESCE(t.parent_id, 0),
		       t.name,
		       t.slug,
		       COALESCE(t.color, '')
		FROM terms t
		WHERE t.site_id = $1
		ORDER BY t.name`
	comingOrganizers = `
		SELECT g.id,
		       'organizer',
		       0::bigint,
		       g.name,
		       g.slug,
		       ''
		FROM organizers g
		WHERE g.site_id = $1
		  AND g.status = 'publish'
		ORDER BY g.name`
	comingCities = `
		SELECT v.id,
		       'city',
		       0::bigint,
		       v.city,
		       '',
		       ''
		FROM venues v
		WHERE v.site_id = $1
		  AND v.status = 'publish'
		  AND v.city <> ''
		ORDER BY v.city`
)

// queueLinks reads the links of entries. The links are read after the entries. Both are read again whenever a link
// changes.
func (c *coming) queueLinks(site int64, b *pgx.Batch) {
	c.terms, c.organizers, c.cities = map[int64]*term{}, map[int64]*term{}, map[int64]*term{}
	queueFacets(b, site, comingTerms, c.terms)
	queueFacets(b, site, comingOrganizers, c.organizers)
	queueFacets(b, site, comingCities, c.cities)
	c.queueAccess(site, b)
}

// queueFacets reads terms by their ids, in the order of their names as Postgres has it.
// Venues of one city are one term.
func queueFacets(b *pgx.Batch, site int64, sql string, into map[int64]*term) {
	b.Queue(sql, site).Query(func(rows pgx.Rows) error {
		var last *term
		f := &pg.Fields{}
		for rank := 0; rows.Next(); rank++ {
			f.Row(rows)
			id, one := f.Int64(), &term{rank: rank}
			one.kind, one.parent = f.Text(), f.Int64()
			one.Name, one.Slug, one.Color = f.Text(), f.Text(), f.Text()
			if one.ID = id; one.kind == "city" {
				one.ID = 0
				if last != nil && last.Name == one.Name {
					one = last
				}
			}
			into[id], last = one, one
		}
		if f.Err() != nil {
			return f.Err()
		}
		return rows.Err()
	})
}

// climb sets above of each term: the term itself and its ancestors.
func (c *coming) climb() {
	for _, t := range c.terms {
		for up := t; up != nil && len(t.above) < len(c.terms); up = c.terms[up.parent] {
			t.above = append(t.above, up)
		}
	}
}

// below reports for each term whether it is top or a descendant of top.
func (c *coming) below(top int64) map[int64]bool {
	all := map[int64]bool{}
	for id, t := range c.terms {
		all[id] = slices.ContainsFunc(t.above, func(up *term) bool { return up.ID == top })
	}
	return all
}
