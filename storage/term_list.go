package storage

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

const listTerms = `
	WITH RECURSIVE found AS (
		SELECT t.id,
		       CASE @order
		           WHEN 'id' THEN t.id
		           WHEN 'term_group' THEN t.id
		           WHEN 'count' THEN t.count
		           WHEN 'parent' THEN COALESCE(t.parent_id, 0)
		           WHEN 'include' THEN array_position(@include, t.id)
		           ELSE 0
		       END * @sign::bigint AS number,
		       CASE @order
		           WHEN 'slug' THEN t.slug
		           WHEN 'description' THEN t.description
		           WHEN 'name' THEN split_part(t.search, E'\n', 1)
		           ELSE ''
		       END COLLATE "C" AS text
		FROM terms t
		WHERE t.site_id = @site
		  AND t.taxonomy = @taxonomy
		  AND t.search LIKE @search
		  AND (@include::bigint[] IS NULL OR t.id = ANY (@include))
		  AND (@exclude::bigint[] IS NULL OR t.id <> ALL (@exclude))
		  AND (@slug = '' OR t.slug = @slug)
		  AND (@parent::bigint = 0 OR t.parent_id = @parent)
		  AND (@event::bigint = 0 OR EXISTS (
			SELECT
			FROM event_terms l
			JOIN events e ON e.site_id = @site AND e.id = l.event_id
			WHERE l.site_id = @site
			  AND l.term_id = t.id
			  AND l.event_id = @event
			  AND NOT (` + masked + `)))
		  AND (NOT @counted OR t.count > 0)
	),
	page AS (
		SELECT row_number() OVER (
		           ORDER BY number, CASE WHEN @sign > 0 THEN text END, CASE WHEN @sign < 0 THEN text END DESC, id * @sign
		       ) AS place,
		       id
		FROM found
		ORDER BY place
		LIMIT @limit
		OFFSET @offset
	),
	up AS (
		SELECT t.id,
		       t.parent_id,
		       t.slug AS path
		FROM page
		JOIN terms t ON t.site_id = @site AND t.id = page.id
		UNION ALL
		SELECT up.id,
		       t.parent_id,
		       t.slug || '/' || up.path
		FROM up
		JOIN terms t ON t.site_id = @site AND t.id = up.parent_id
	)
	SELECT all_found.total,
	       COALESCE(t.id, 0),
	       COALESCE(t.version, 0),
	       COALESCE(t.taxonomy, ''),
	       COALESCE(t.name, ''),
	       COALESCE(t.slug, ''),
	       COALESCE(t.description, ''),
	       COALESCE(t.parent_id, 0),
	       COALESCE(up.path, ''),
	       COALESCE(t.count, 0),
	       COALESCE(t.color, '')
	FROM (SELECT count(*) AS total FROM found) all_found
	LEFT JOIN page ON true
	LEFT JOIN terms t ON t.site_id = @site AND t.id = page.id
	LEFT JOIN up ON up.id = page.id AND up.parent_id IS NULL
	ORDER BY page.place`

// List returns one page of terms. Texts are put in order by their bytes, names
// folded, so that every installation lists them alike.
func (s terms) List(ctx context.Context, q calendar.TermQuery) (calendar.Page[calendar.Term], error) {
	var p calendar.Page[calendar.Term]
	err := s.db.public(ctx, func(site int64, b *pgx.Batch) {
		p = calendar.Page[calendar.Term]{}
		queueVersion(b, site, &p.Version)
		queueVisible(b, site, q.Event, q.Viewer)
		s.queueKnown(b, site, "include", "problem.term.id", q.Include)
		s.queueKnown(b, site, "exclude", "problem.term.id", q.Exclude)
		if q.Parent != 0 {
			s.queueKnown(b, site, "parent", "problem.category.unknown", []int64{q.Parent})
		}
		b.Queue(listTerms, s.listArgs(site, q)).Query(func(rows pgx.Rows) (err error) {
			p.Items, err = scan[calendar.Term](termRow).all(rows, &p.Total)
			return err
		})
	})
	if len(p.Items) == 1 && p.Items[0].ID == 0 {
		p.Items = []*calendar.Term{} // a row of the total alone
	}
	return p, err
}

// listArgs names what a list of terms asks for.
func (s terms) listArgs(site int64, q calendar.TermQuery) pgx.NamedArgs {
	order, sign := q.OrderBy, 1
	switch order {
	case "id", "slug", "count", "description", "parent", "term_group", "include":
	default:
		order = "name"
	}
	if q.Descending {
		sign = -1
	}
	return openerArgs(q.Opener, pgx.NamedArgs{
		"site":     site,
		"taxonomy": string(s.taxonomy),
		"search":   containing(q.Search),
		"include":  q.Include,
		"exclude":  q.Exclude,
		"slug":     q.Slug,
		"parent":   q.Parent,
		"event":    q.Event,
		"counted":  q.HideEmpty && q.Event == 0,
		"order":    order,
		"sign":     sign,
		"limit":    q.PerPage,
		"offset":   offset(q.Page, q.PerPage),
	})
}

// queueKnown refuses ids that are not all the taxonomy's.
func (s terms) queueKnown(b *pgx.Batch, site int64, arg, problem string, ids []int64) {
	const known = `
		SELECT NOT EXISTS (
			SELECT
			FROM unnest($3::bigint[]) AS asked (id)
			LEFT JOIN terms t ON t.site_id = $1 AND t.taxonomy = $2 AND t.id = asked.id
			WHERE t.id IS NULL)`
	if len(ids) == 0 {
		return
	}
	b.Queue(known, site, string(s.taxonomy), ids).QueryRow(func(row pgx.Row) error {
		var all bool
		if err := row.Scan(&all); err != nil || all {
			return err
		}
		return args.Invalid(arg, problem, nil)
	})
}
