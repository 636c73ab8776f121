package lists

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/singleflight"

	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// selections implements changes.Store.
type selections struct {
	*Lists
	looks singleflight.Group // by site and selection
}

// Selections returns the store of selections for followers.
func (s *Lists) Selections() changes.Store { return &selections{Lists: s} }

// mostSelections is how many selections a site keeps. Beyond that, it removes first the selections that were
// requested only once, then those whose last request is oldest. Their followers must start again.
const mostSelections = 500

const knownSelections = `
	SELECT s.version,
	       COALESCE(x.looked, -1),
	       COALESCE(x.kept, 0)
	FROM sites s
	CROSS JOIN unnest($2::uuid[]) WITH ORDINALITY AS k (key, n)
	LEFT JOIN selections x ON x.site_id = $1 AND x.key = k.key
	WHERE s.id = $1
	ORDER BY k.n`

// Known implements changes.Store.
func (s *selections) Known(ctx context.Context, list []changes.Selection) (version int64, known []changes.Known, err error) {
	keys := make([][16]byte, len(list))
	for i := range list {
		keys[i] = list[i].Key
	}
	err = s.db.Quick(ctx, func(site int64, b *pgx.Batch) {
		known = nil
		b.Queue(knownSelections, site, keys).Query(func(rows pgx.Rows) error {
			var one changes.Known
			_, err := pgx.ForEachRow(rows, []any{&version, &one.Looked, &one.Kept}, func() error {
				known = append(known, one)
				return nil
			})
			if err == nil && len(known) == 0 {
				err = tenancy.ErrNoSite
			}
			return err
		})
	})
	return version, known, err
}

// Look implements changes.Store. Followers that call at the same time share one look.
func (s *selections) Look(ctx context.Context, of *changes.Selection, begin bool) error {
	site, err := pg.Site(ctx)
	if err != nil {
		return err
	}
	key := fmt.Sprintf("%d %x %t", site, of.Key, begin)
	_, err, _ = s.looks.Do(key, func() (any, error) { return nil, s.look(context.WithoutCancel(ctx), of, begin) })
	return err
}

// look checks a selection once. If the names in its filter have come to mean other items, it reads the events of
// the selection again.
func (s *selections) look(ctx context.Context, of *changes.Selection, begin bool) error {
	if of.Type != changes.Event {
		_, err := s.lookAt(ctx, of, nil, begin)
		return err
	}
	return s.meant(ctx, of.Events, func(n *meanings) (int64, error) {
		if begin {
			if err := s.refuseUnknown(ctx, of, n); err != nil {
				return 0, err
			}
		}
		return s.lookAt(ctx, of, n, begin)
	})
}

// refuseUnknown returns the problems of a filter that names items the site does not have.
func (s *selections) refuseUnknown(ctx context.Context, of *changes.Selection, n *meanings) error {
	var wrong *args.Problems
	err := s.db.Quick(ctx, func(site int64, b *pgx.Batch) {
		wrong = &args.Problems{}
		newEventQuery(site, of.Events, n).known(b, site, n, wrong)
		b.Queue("SELECT")
	})
	if err == nil {
		err = wrong.Err()
	}
	return err
}

// lookAt brings the log of a selection up to date in one transaction, which locks the selection, and returns the
// version of the site's links that it saw. It changes nothing if the names in the filter no longer mean the items
// in n.
func (s *selections) lookAt(ctx context.Context, of *changes.Selection, n *meanings, begin bool) (links int64, err error) {
	var version int64
	err = s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		now := s.db.Second()
		if begin {
			b.Queue(makeRoom, site, of.Key, mostSelections)
			b.Queue(beginSelection, site, of.Key, of.Type, now)
		} else {
			b.Queue(askSelection, site, of.Key, now)
		}
		for _, whole := range []bool{false, true} {
			l := newLook(site, of, n, whole)
			l.query.enter(b)
			if whole { // a site that was just filled has no statistics, and Postgres would join its sets row by row as if they were empty
				b.Queue(`SET LOCAL enable_nestloop = off`)
			}
			b.Queue(l.statement(), l.query.args...)
		}
		b.Queue(`SET LOCAL enable_nestloop = on`)
		b.Queue(tidySelections, site, of.Key, now)
		b.Queue(versionsOf, site).QueryRow(readVersions(&version, &links))
	})
	return links, err
}

const makeRoom = `
	DELETE FROM selections x
	USING (
		SELECT o.key
		FROM selections o
		WHERE o.site_id = $1
		  AND NOT EXISTS (
		      SELECT
		      FROM selections k
		      WHERE k.site_id = $1
		        AND k.key = $2)
		ORDER BY o.followed DESC, o.asked_at DESC
		OFFSET $3 - 1) old
	WHERE x.site_id = $1
	  AND x.key = old.key`

const beginSelection = `
	INSERT INTO selections (site_id, key, kind, looked, asked_at)
	VALUES ($1, $2, $3, -1, $4)
	ON CONFLICT ON CONSTRAINT selections_pkey DO UPDATE
	SET asked_at = excluded.asked_at`

const askSelection = `
	UPDATE selections
	SET asked_at = $3,
	    followed = true
	WHERE site_id = $1
	  AND key = $2`

// tidySelections removes, once a day, log entries that no token needs any more. Tokens are valid for 90 days.
const tidySelections = `
	WITH today AS (
		UPDATE selections t
		SET tidied = $3::date
		WHERE t.site_id = $1
		  AND t.key = $2
		  AND t.tidied < $3::date
		RETURNING t.key
	), unused AS (
		DELETE FROM selections u
		USING today
		WHERE u.site_id = $1
		  AND u.asked_at < $3::timestamptz - interval '91 days'
	)
	DELETE FROM selected_objects o
	USING today
	WHERE o.site_id = $1
	  AND o.key = today.key
	  AND o.went IS NOT NULL
	  AND o.at < $3::timestamptz - interval '91 days'`

const selectionLog = `
	SELECT l.id,
	       l.version,
	       l.action,
	       l.at,
	       CASE WHEN l.action = 'deleted' AND $9 THEN COALESCE((
	           SELECT r.id
	           FROM changes c
	           JOIN redirects r ON r.site_id = $1 AND r.kind = c.kind AND r.slug = c.before ->> 'slug'
	           WHERE c.site_id = $1
	             AND c.version = l.version
	             AND c.kind = $8
	             AND c.id = l.id
	             AND c.action = 'delete'
	             AND r.id <> l.id
	           LIMIT 1), 0) ELSE 0 END
	FROM (
		(SELECT o.id,
		        o.changed AS version,
		        CASE WHEN EXISTS (
		            SELECT
		            FROM selected_objects k
		            WHERE k.site_id = $1
		              AND k.key = $2
		              AND k.id = o.id
		              AND k.came <= $3
		              AND (k.went IS NULL OR k.went > $3)) THEN 'updated' ELSE 'created' END AS action,
		        o.at
		FROM selected_objects o
		WHERE o.site_id = $1
		  AND o.key = $2
		  AND o.went IS NULL
		  AND o.changed <= $4
		  AND (o.changed, o.id) > ($5, $6)
		ORDER BY o.changed, o.id
		LIMIT $7)
		UNION ALL
		(SELECT o.id,
		        o.went,
		        'deleted',
		        o.at
		FROM selected_objects o
		WHERE o.site_id = $1
		  AND o.key = $2
		  AND o.went IS NOT NULL
		  AND o.went <= $4
		  AND (o.went, o.id) > ($5, $6)
		  AND EXISTS (
		      SELECT
		      FROM selected_objects k
		      WHERE k.site_id = $1
		        AND k.key = $2
		        AND k.id = o.id
		        AND k.came <= $3
		        AND (k.went IS NULL OR k.went > $3))
		  AND NOT EXISTS (
		      SELECT
		      FROM selected_objects k
		      WHERE k.site_id = $1
		        AND k.key = $2
		        AND k.id = o.id
		        AND k.came >= o.went
		        AND k.came <= $4)
		ORDER BY o.went, o.id
		LIMIT $7)
	) l
	ORDER BY l.version, l.id
	LIMIT $7`

// Log implements changes.Store.
func (s *selections) Log(ctx context.Context, of *changes.Selection, span changes.Span) (list []changes.Change, err error) {
	at := span.After // types later in the order start again among changes of the same version
	switch of := slices.Index(changes.Types(), of.Type); {
	case of > at.Type:
		at.Version, at.ID = at.Version-1, math.MaxInt64
	case of < at.Type:
		at.ID = math.MaxInt64
	}
	merges := of.Type != changes.Event && of.Type != changes.Image
	err = s.db.Quick(ctx, func(site int64, b *pgx.Batch) {
		list = nil
		b.Queue(selectionLog, site, of.Key, span.Since, span.Until, at.Version, at.ID, span.Limit+1, of.Type, merges).
			Query(func(rows pgx.Rows) error {
				c := changes.Change{Type: of.Type}
				_, err := pgx.ForEachRow(rows, []any{&c.ID, &c.Version, &c.Action, (*pg.UTC)(&c.At), &c.MergedInto}, func() error {
					list = append(list, c)
					return nil
				})
				return err
			})
	})
	return list, err
}
