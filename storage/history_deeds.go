package storage

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/tenancy"
)

// deedNames is how many entries of each part of a deed are read. deedJudged is how many of them are checked for a
// change that has not been replaced since.
const (
	deedNames  = 3
	deedJudged = 20
)

// deedQuery finds writes one after the other, so it reads only the part of the history that a page shows. For each
// part of a write it then reads the first entries, their number and the fields that changed. Dates of a series that
// only followed the series are left out.
const deedQuery = `
	WITH RECURSIVE heads AS (
	    (SELECT c.version,
	            c.n
	     FROM changes c
	     WHERE c.site_id = @site
	       AND ` + entryConditions + `
	       AND c.version > @floor
	       AND (c.version, c.n) < (@version, @n)
	     ORDER BY c.version DESC, c.n DESC
	     LIMIT 1)
	    UNION ALL
	    (SELECT next.version,
	            next.n
	     FROM heads h
	     CROSS JOIN LATERAL (
	         SELECT c.version,
	                c.n
	         FROM changes c
	         WHERE c.site_id = @site
	           AND ` + entryConditions + `
	           AND c.version > @floor
	           AND (c.version, c.n) < (h.version, h.n)
	         ORDER BY c.version DESC, c.n DESC
	         LIMIT 1
	     ) next)
	), writes AS MATERIALIZED (
	    SELECT h.version,
	           h.n
	    FROM heads h
	    LIMIT @limit
	), placed AS (
	    SELECT c.*,
	           count(*) OVER part AS among,
	           row_number() OVER (PARTITION BY c.version, c.n, c.user_id, c.kind, c.action ORDER BY c.id) AS place
	    FROM writes w
	    JOIN changes c ON c.site_id = @site AND c.version = w.version AND c.n = w.n
	    WHERE (@user::bigint = 0 OR c.user_id = @user AND c.version > (` + replacedAt + `))
	      AND (c.before -> 'series' IS NULL OR c.kind <> 'event' OR NOT EXISTS (
	          SELECT
	          FROM changes s
	          WHERE s.site_id = @site
	            AND s.version = c.version
	            AND s.kind = 'event'
	            AND s.id = (c.before -> 'series' ->> 'id')::bigint
	            AND s.id <> c.id))
	    WINDOW part AS (PARTITION BY c.version, c.n, c.user_id, c.kind, c.action)
	), judged AS (
	    SELECT p.*,
	           CASE WHEN p.place > @judged OR p.version <= (` + replacedAt + `) THEN NULL
	                WHEN p.kind = 'event' AND p.action = 'create' THEN NOT EXISTS (
	                    SELECT
	                    FROM changes l
	                    WHERE l.site_id = @site
	                      AND l.kind = p.kind
	                      AND l.id = p.id
	                      AND l.version > p.version
	                      AND l.action <> 'create')
	                WHEN p.kind = 'event' AND p.action <> 'delete' THEN EXISTS (
	                    SELECT
	                    FROM jsonb_object_keys(p.before) k (name)
	                    WHERE NOT EXISTS (
	                        SELECT
	                        FROM changes l
	                        WHERE l.site_id = @site
	                          AND l.kind = p.kind
	                          AND l.id = p.id
	                          AND l.version > p.version
	                          AND l.action <> 'create'
	                          AND l.before ? k.name))
	                WHEN p.kind = 'venue' AND p.action = 'delete' THEN NOT EXISTS (
	                    SELECT FROM venues o WHERE o.site_id = @site AND o.id = p.id)
	                WHEN p.kind = 'organizer' AND p.action = 'delete' THEN NOT EXISTS (
	                    SELECT FROM organizers o WHERE o.site_id = @site AND o.id = p.id)
	           END AS stands
	    FROM placed p
	), c AS (
	    SELECT j.*,
	           COALESCE(bool_or(j.stands) OVER (PARTITION BY j.version, j.n, j.user_id, j.kind, j.action), false) AS standing
	    FROM judged j
	)
	SELECT` + entryColumns + `,` + calledNow + `,
	       c.among,
	       c.standing,
	       CASE WHEN c.place = 1 AND c.action = 'update' THEN ARRAY(
	           SELECT DISTINCT jsonb_object_keys(f.before)
	           FROM changes f
	           WHERE f.site_id = @site
	             AND f.version = c.version
	             AND f.n = c.n
	             AND f.user_id = c.user_id
	             AND f.kind = c.kind
	             AND f.action = c.action) END,
	       CASE WHEN c.place = 1 AND c.version > (` + replacedAt + `) THEN COALESCE((
	           SELECT i.id
	           FROM imports i
	           WHERE i.site_id = @site
	             AND i.id = c.import_id), 0) ELSE 0 END
	FROM c
	WHERE c.place <= @names
	ORDER BY c.version DESC, c.n DESC, c.user_id, c.kind, c.action, c.place`

// Deeds implements tenancy.HistoryStore.
func (s history) Deeds(ctx context.Context, q tenancy.HistoryQuery) (list []tenancy.Deed, err error) {
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		a := historyArgs(q)
		a["site"], a["names"], a["judged"] = site, deedNames, deedJudged
		b.Queue(deedQuery, a).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				e, p := tenancy.Entry{}, tenancy.DeedPart{}
				var gathered int64
				if err := rows.Scan(append(entryRow(&e), &e.Called, &p.Count, &p.Stands, &p.Fields, &gathered)...); err != nil {
					return err
				}
				list = withEntry(list, e, p, gathered)
			}
			return rows.Err()
		})
	})
	return list, err
}

// withEntry adds an entry to its part of the last deed, or begins a new part or deed.
func withEntry(list []tenancy.Deed, e tenancy.Entry, p tenancy.DeedPart, gathered int64) []tenancy.Deed {
	at := tenancy.Position{Version: e.Position.Version, N: e.Position.N, ID: e.UserID}
	n := len(list)
	if n == 0 || list[n-1].Position != at {
		shared := n > 0 && list[n-1].Position.Version == at.Version && list[n-1].Position.N == at.N
		if shared {
			list[n-1].Shared = true
		}
		list, n = append(list, tenancy.Deed{Position: at, Shared: shared}), n+1
	}
	d := &list[n-1]
	d.Import = max(d.Import, gathered)
	if m := len(d.Parts); m > 0 {
		last := &d.Parts[m-1]
		if before := &last.Entries[0]; before.Position.Kind == e.Position.Kind && before.Action == e.Action {
			last.Entries = append(last.Entries, e)
			return list
		}
	}
	p.Entries = []tenancy.Entry{e}
	d.Parts = append(d.Parts, p)
	return list
}
