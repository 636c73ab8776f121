package terms

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/content"
)

var listTerms = `
	WITH RECURSIVE found AS (
		SELECT t.id,
		       CASE @order
		           WHEN 'id' THEN t.id
		           WHEN 'term_group' THEN t.id
		           WHEN 'count' THEN t.count
		           WHEN 'parent' THEN COALESCE(t.parent_id, 0)
		           WHEN 'include' THEN LEAST(array_position(@include, t.id), array_position(@include_slugs, t.slug))
		           ELSE 0
		       END * @sign::bigint AS number,
		       CASE @order
		           WHEN 'slug' THEN t.slug
		           WHEN 'description' THEN lower(t.description)
		           WHEN 'name' THEN COALESCE((
		               SELECT NULLIF(split_part(split_part(t.search, E'\x02' || l.name || E'\n', 2), E'\n', 1), '')
		               FROM unnest(@languages::text[]) WITH ORDINALITY l (name, place)
		               WHERE t.translations -> l.name ->> 'title' <> ''
		               ORDER BY l.place
		               LIMIT 1), split_part(t.search, E'\n', 1))
		           ELSE ''
		       END COLLATE "C" AS text
		FROM terms t
		WHERE t.site_id = @site
		  AND t.taxonomy = @taxonomy
		  AND CASE WHEN @several THEN texts_in(t.search, @languages) ELSE t.search END LIKE @search
		  AND (@translated::text = '' OR ` + content.TranslatedIn("t.translations", "@translated") + `)
		  AND (@include::bigint[] IS NULL OR t.id = ANY (@include) OR t.slug = ANY (@include_slugs::text[]))
		  AND (@exclude::bigint[] IS NULL OR t.id <> ALL (@exclude) AND t.slug <> ALL (@exclude_slugs::text[]))
		  AND (@slug = '' OR t.slug = @slug OR t.id IN (
			SELECT l.id
			FROM translated_slugs l
			WHERE l.site_id = @site
			  AND l.kind = @taxonomy
			  AND l.slug = @slug
			  AND l.language = ANY (@languages)))
		  AND (@parent::bigint = 0 OR t.parent_id = @parent)
		  AND (@event::bigint = 0 OR EXISTS (
			SELECT
			FROM event_terms l
			JOIN events e ON e.site_id = @site AND e.id = l.event_id
			WHERE l.site_id = @site
			  AND l.term_id = t.id
			  AND l.event_id = ` + content.LinkedAs + `
			  AND NOT (` + content.Masked + `)))
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
		       ` + stepOf("t") + ` || '/' || up.path
		FROM up
		JOIN terms t ON t.site_id = @site AND t.id = up.parent_id
	)
	SELECT all_found.total,
	       CASE WHEN c.id IS NOT NULL THEN ` + termWith("up.path") + ` END
	FROM (SELECT count(*) AS total FROM found) all_found
	LEFT JOIN page ON true
	LEFT JOIN terms c ON c.site_id = @site AND c.id = page.id
	LEFT JOIN up ON up.id = page.id AND up.parent_id IS NULL
	ORDER BY page.place`

// List returns one page of terms. It sorts texts by their bytes and names by their folded form, so that the order
// is the same in every installation.
func (s Store) List(ctx context.Context, q calendar.TermQuery) (calendar.Page[calendar.Term], error) {
	var p calendar.Page[calendar.Term]
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		p = calendar.Page[calendar.Term]{}
		content.QueueVersion(b, site, &p.Version)
		content.QueueVisible(b, site, q.Event, q.Viewer)
		s.queueKnown(b, site, "include", "problem.term.id", q.Include)
		s.queueKnown(b, site, "exclude", "problem.term.id", q.Exclude)
		if q.Parent != 0 {
			s.queueKnown(b, site, "parent", "problem.category.unknown", args.Refs{{ID: q.Parent}})
		}
		s.QueueList(b, site, q, &p)
	})
	return p, err
}

// QueueList reads the terms of a page and the total number of terms.
func (s Store) QueueList(b *pgx.Batch, site int64, q calendar.TermQuery, p *calendar.Page[calendar.Term]) {
	b.Queue(listTerms, s.listArgs(site, q)).Query(func(rows pgx.Rows) error {
		err := content.ReadPage(p, oneTerm)(rows)
		if len(p.Items) == 1 && p.Items[0].ID == 0 {
			p.Items = []*calendar.Term{} // a row with only the total
		}
		return err
	})
}

// listArgs returns the arguments of the list statement.
func (s Store) listArgs(site int64, q calendar.TermQuery) pgx.NamedArgs {
	order, sign := q.OrderBy, 1
	switch order {
	case "id", "slug", "count", "description", "parent", "term_group", "include":
	default:
		order = "name"
	}
	if q.Descending {
		sign = -1
	}
	first := content.Offset(q.Page, q.PerPage)
	if q.Offset > 0 {
		first = int64(q.Offset)
	}
	include, includeSlugs := placesOf(q.Include)
	exclude, excludeSlugs := placesOf(q.Exclude)
	return content.OpenerArgs(q.Opener, pgx.NamedArgs{
		"site":          site,
		"taxonomy":      string(s.taxonomy),
		"search":        content.Pattern(q.Search),
		"include":       include,
		"include_slugs": includeSlugs,
		"exclude":       exclude,
		"exclude_slugs": excludeSlugs,
		"slug":          q.Slug,
		"parent":        q.Parent,
		"event":         q.Event,
		"counted":       q.HideEmpty && q.Event == 0,
		"order":         order,
		"sign":          sign,
		"limit":         q.PerPage,
		"offset":        first,
		"languages":     append([]string{}, q.Texts.In...),
		"several":       q.Texts.Several,
		"translated":    q.Texts.Translated,
	})
}

// placesOf returns the ids and slugs of refs in two lists of equal length. A ref has either an id or a slug; the
// other list has 0 or "" at its index, which no term has. It returns nil for nil.
func placesOf(refs args.Refs) (ids []int64, slugs []string) {
	if refs == nil {
		return nil, nil
	}
	ids, slugs = make([]int64, len(refs)), make([]string, len(refs))
	for i, ref := range refs {
		if ids[i] = ref.ID; ref.ID == 0 {
			slugs[i] = wording.SoughtSlug(ref.Text)
		}
	}
	return ids, slugs
}

// queueKnown makes the batch fail unless the taxonomy has a term for each id and slug of refs.
func (s Store) queueKnown(b *pgx.Batch, site int64, arg, problem string, refs args.Refs) {
	const known = `
		SELECT NOT EXISTS (
			SELECT
			FROM unnest($3::bigint[], $4::text[]) AS asked (id, slug)
			LEFT JOIN terms t ON t.site_id = $1 AND t.taxonomy = $2 AND (t.id = asked.id OR t.slug = asked.slug)
			WHERE t.id IS NULL)`
	if len(refs) == 0 {
		return
	}
	ids, slugs := placesOf(refs)
	b.Queue(known, site, string(s.taxonomy), ids, slugs).QueryRow(func(row pgx.Row) error {
		var all bool
		if err := row.Scan(&all); err != nil || all {
			return err
		}
		return args.Invalid(arg, problem, nil)
	})
}
