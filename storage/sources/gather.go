package sources

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"

	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
)

const whyGiver = "one site that gives events to another one, by a key"

// Giver implements sources.Store.
func (s Store) Giver(ctx context.Context, slug string, id int64) (*tenancy.Site, error) {
	if id == 0 {
		return platform.Sites(s.db).BySlug(ctx, slug)
	}
	return platform.SiteAt(ctx, s.db, s.db.At(whyGiver, id), id)
}

// Given implements sources.Store.
func (s Store) Given(ctx context.Context, id int64, uids []string) (map[string]int64, error) {
	const given = `
		SELECT e.uid,
		       e.id
		FROM events e
		WHERE e.site_id = $1
		  AND e.source_id = $2
		  AND e.series_id IS NULL
		  AND e.given IS NOT NULL
		  AND ($3::text[] IS NULL OR e.uid = ANY($3))`
	have := map[string]int64{}
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		var uid string
		var event int64
		b.Queue(given, site, id, uids).Query(pg.Each([]any{&uid, &event}, func() error {
			have[uid] = event
			return nil
		}))
	})
	return have, err
}

// Since implements sources.Store. The history has every change of a site by its version. If a version is missing,
// the changes are incomplete. It skips new items, and changes that events do not show, because these do not affect
// existing events.
func (s Store) Since(ctx context.Context, version int64, most int) (list []sources.Moved, known bool, err error) {
	const now = `SELECT version FROM sites WHERE id = $1`
	const since = `
		SELECT c.version,
		       c.kind = 'event',
		       c.kind IN ('key', 'passkey', 'report', 'source', 'user', 'webhook')
		           OR c.action = 'create' AND c.kind IN ('venue', 'organizer', 'image', 'category', 'tag'),
		       COALESCE(e.id, 0),
		       COALESCE(e.series_id, e.id, 0),
		       COALESCE(w.uid, e.uid, '')
		FROM changes c
		LEFT JOIN events e ON c.kind = 'event' AND e.site_id = $1 AND e.id = c.id
		LEFT JOIN events w ON w.site_id = $1 AND w.id = e.series_id
		WHERE c.site_id = $1
		  AND c.version > $2
		ORDER BY c.version
		LIMIT $3`
	var last int64
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		list, known = nil, true
		b.Queue(now, site).QueryRow(pg.One(&last))
		b.Queue(since, site, version, most+1).Query(func(rows pgx.Rows) error {
			at, n := version, 0
			var of int64
			var event, apart bool
			var m sources.Moved
			_, err := pgx.ForEachRow(rows, []any{&of, &event, &apart, &m.ID, &m.Whole, &m.UID}, func() error {
				if n++; of > last {
					return nil
				}
				known = known && of <= at+1 && (apart || event && m.ID != 0)
				if at = of; event {
					list = append(list, m)
				}
				return nil
			})
			known = known && n <= most && at >= last
			return err
		})
	})
	return list, known, err
}

// queueGathering stores from which site a source gathers.
func queueGathering(queue func(sql string, arguments ...any) *pgx.QueuedQuery, site int64, w *sources.Source) {
	const gathers = `
		INSERT INTO gatherings (site_id, source_id, giver_id)
		VALUES ($1, $2, $3)
		ON CONFLICT ON CONSTRAINT gatherings_pkey DO UPDATE
		SET giver_id = excluded.giver_id,
		    seen = 0`
	if w.Kind == sources.Site {
		queue(gathers, site, w.ID, w.Giver)
	}
}

const forgetGathering = `
	DELETE FROM gatherings
	WHERE site_id = $1
	  AND source_id = $2`

// queueSeen stores up to which version a source's site was read.
func queueSeen(b *pgx.Batch, site, id, version int64) {
	const seen = `
		UPDATE gatherings
		SET seen = $3
		WHERE site_id = $1
		  AND source_id = $2`
	if version != 0 {
		b.Queue(seen, site, id, version)
	}
}

// gathering is a row of gatherings: who gathers from whom, and up to which version.
type gathering struct{ site, source, giver, seen int64 }

// Ring implements sources.Store. It compares the versions that were read with the present versions of the giving
// sites, so writes to those sites need no extra work. A site that no longer exists counts as changed until its
// events are withdrawn.
func (s Store) Ring(ctx context.Context) error {
	const all = `
		SELECT site_id,
		       source_id,
		       giver_id,
		       seen
		FROM gatherings`
	const why = "who gathers from which site, once a node and second"
	var list []gathering
	err := s.db.Everywhere(ctx, why, all, nil, pg.More(&list, func(row pgx.CollectableRow) (g gathering, err error) {
		return g, row.Scan(&g.site, &g.source, &g.giver, &g.seen)
	}))
	if err != nil || len(list) == 0 {
		return err
	}
	asked := map[int64]bool{}
	var givers []int64
	for _, g := range list {
		if !asked[g.giver] {
			asked[g.giver] = true
			givers = append(givers, g.giver)
		}
	}
	versions, err := s.db.Versions(ctx, givers)
	if err != nil {
		return err
	}
	due := map[int64][]int64{} // sources by site
	for _, g := range list {
		if version, there := versions[g.giver]; version > g.seen || !there && g.seen != gone {
			due[g.site] = append(due[g.site], g.source)
		}
	}
	for site, list := range due {
		err = errors.Join(err, s.ring(ctx, site, list))
	}
	return err
}

// gone stands for the version of a site that no longer exists.
const gone = -1

// ring makes sources of a site due immediately.
func (s Store) ring(ctx context.Context, site int64, list []int64) error {
	const ring = `
		UPDATE sources
		SET next_at = $3
		WHERE site_id = $1
		  AND id = ANY($2)
		  AND (next_at IS NULL OR next_at > $3)`
	now := s.db.Now().UTC()
	return s.db.In(ctx, whyAsked, site, func(site int64, b *pgx.Batch) {
		b.Queue(heed, site)
		b.Queue(ring, site, list, now)
		b.Queue(settle, site, now)
	})
}
