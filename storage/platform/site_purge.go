package platform

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// Due finds the next site to purge. It skips sites whose row someone else has locked.
func (s sites) Due(ctx context.Context, now time.Time, tried []int64) (int64, error) {
	const due = `
		SELECT id
		FROM sites
		WHERE purge_at <= $1
		  AND id <> ALL ($2::bigint[])
		ORDER BY purge_at, id
		LIMIT 1
		FOR UPDATE SKIP LOCKED`
	var found []int64
	err := s.db.Everywhere(ctx, "the next deleted site whose days are over, by an index, once a minute", due,
		[]any{now, append([]int64{}, tried...)}, pg.More(&found, pgx.RowTo[int64]))
	if len(found) == 0 {
		return 0, err
	}
	return found[0], nil
}

// Purge removes a site. It locks the site's row, and removes first the files and then the rows, table by table. If
// it fails, it can be repeated: files can be removed twice. Leaving the rows to foreign keys would remove them one
// by one, which takes far longer.
func (s sites) Purge(ctx context.Context, id int64, now time.Time, files func(context.Context) error) (string, error) {
	const lock = `SELECT` + SiteColumns + WithPlans + `
		WHERE s.id = $1
		  AND s.purge_at <= $2
		FOR UPDATE OF s`
	const remove = `DELETE FROM sites WHERE id = $1`
	contents := []string{
		`DELETE FROM event_venues WHERE site_id = $1`,
		`DELETE FROM event_organizers WHERE site_id = $1`,
		`DELETE FROM event_terms WHERE site_id = $1`,
		`DELETE FROM occurrences WHERE site_id = $1`,
		`DELETE FROM occurrence_days WHERE site_id = $1`, // triggers leave rows that count 0
		`DELETE FROM removed_occurrences WHERE site_id = $1`,
		`DELETE FROM former_dates WHERE site_id = $1`,
		`DELETE FROM divided_series WHERE site_id = $1`,
		`DELETE FROM schedule WHERE site_id = $1`,
		`DELETE FROM redirects WHERE site_id = $1`,
		`DELETE FROM translated_slugs WHERE site_id = $1`,
		`DELETE FROM reports WHERE site_id = $1`,
		`DELETE FROM submissions WHERE site_id = $1`,
		`DELETE FROM unconfirmed_submissions WHERE site_id = $1`,
		`DELETE FROM events WHERE site_id = $1`,
		`DELETE FROM venues WHERE site_id = $1`,
		`DELETE FROM organizers WHERE site_id = $1`,
		`DELETE FROM terms WHERE site_id = $1`,
		`DELETE FROM images WHERE site_id = $1`,
		`DELETE FROM credentials WHERE site_id = $1`,
		`DELETE FROM users WHERE site_id = $1`,
		`DELETE FROM domains WHERE site_id = $1`,
	}
	slug := ""
	err := pgx.BeginFunc(ctx, s.db.At("a site ends with everything in it, its row as well", id), func(t pgx.Tx) error {
		if err := pg.Unhurried(ctx, t); err != nil {
			return err
		}
		if err := pg.EnterIn(ctx, t, id); err != nil {
			return err
		}
		site, err := ScanSite(t.QueryRow(ctx, lock, id, now))
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
		b.Queue(NameSite, id, nil)
		for _, sql := range append(contents, remove) {
			b.Queue(sql, id)
		}
		if err := t.SendBatch(ctx, b).Close(); err != nil {
			return err
		}
		slug = site.Slug
		return Note(ctx, s.db, t, Change{"site", "purge", id, site.Slug, SiteDocument(site), nil})
	})
	return slug, s.db.Failure(err)
}
