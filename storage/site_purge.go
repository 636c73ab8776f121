package storage

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// Due finds the next site to purge. Whoever is busy with a site holds its row.
func (s sites) Due(ctx context.Context, now time.Time, tried []int64) (int64, error) {
	const due = `
		SELECT id
		FROM sites
		WHERE purge_at <= $1
		  AND id <> ALL ($2::bigint[])
		ORDER BY purge_at, id
		LIMIT 1
		FOR UPDATE SKIP LOCKED`
	var id int64
	all := s.db.Across("the next deleted site whose days are over, by an index, once a minute")
	err := all.QueryRow(ctx, due, now, append([]int64{}, tried...)).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return id, failure(err)
}

// Purge removes a site: under the lock of its row first the files, which can be
// removed twice, then the rows, table by table. Row by row, as the foreign keys
// would do it, takes far longer.
func (s sites) Purge(ctx context.Context, id int64, now time.Time, files func(context.Context) error) (string, error) {
	const lock = `SELECT` + siteColumns + withPlans + `
		WHERE s.id = $1
		  AND s.purge_at <= $2
		FOR UPDATE OF s`
	const remove = `DELETE FROM sites WHERE id = $1`
	contents := []string{
		`DELETE FROM event_venues WHERE site_id = $1`,
		`DELETE FROM event_organizers WHERE site_id = $1`,
		`DELETE FROM event_terms WHERE site_id = $1`,
		`DELETE FROM occurrences WHERE site_id = $1`,
		`DELETE FROM removed_occurrences WHERE site_id = $1`,
		`DELETE FROM former_dates WHERE site_id = $1`,
		`DELETE FROM schedule WHERE site_id = $1`,
		`DELETE FROM redirects WHERE site_id = $1`,
		`DELETE FROM translated_slugs WHERE site_id = $1`,
		`DELETE FROM events WHERE site_id = $1`,
		`DELETE FROM venues WHERE site_id = $1`,
		`DELETE FROM organizers WHERE site_id = $1`,
		`DELETE FROM terms WHERE site_id = $1`,
		`DELETE FROM images WHERE site_id = $1`,
		`DELETE FROM credentials WHERE site_id = $1`,
		`DELETE FROM users WHERE site_id = $1`,
	}
	slug := ""
	err := pgx.BeginFunc(ctx, s.db.Across("a site ends with everything in it, its row as well"), func(t pgx.Tx) error {
		if err := unhurried(ctx, t); err != nil {
			return err
		}
		if err := pg.EnterIn(ctx, t, id); err != nil {
			return err
		}
		site, err := scanSite(t.QueryRow(ctx, lock, id, now))
		if errors.Is(err, tenancy.ErrNoSite) {
			return nil
		}
		if err != nil {
			return err
		}
		held := &pg.Awake{Tx: t}
		if err := held.During(ctx, pg.Stirring, func() error { return files(ctx) }); err != nil {
			return err
		}
		b := &pgx.Batch{}
		for _, sql := range append(contents, remove) {
			b.Queue(sql, id)
		}
		if err := t.SendBatch(ctx, b).Close(); err != nil {
			return err
		}
		slug = site.Slug
		return s.db.noteProvider(ctx, t, providerChange{"site", "purge", id, site.Slug, siteDocument(site), nil})
	})
	return slug, failure(err)
}
