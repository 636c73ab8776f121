package migrations_test

import (
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/storagetest"
)

// A series counts once for a term that its dates have, and only the versions of sites with wrong counts rise.
func TestCountsOfWhatIsThere(t *testing.T) {
	t.Parallel()
	conn := connect(t, storagetest.Database(t))
	migration, err := os.ReadFile("00043_term_counts.sql")
	must(t, err)
	_, err = conn.Exec(t.Context(), `
		INSERT INTO sites (slug, name, timezone, language, version)
		VALUES ('right', 'Right', 'UTC', 'en', 7), ('single', 'Single', 'UTC', 'en', 7), ('wrong', 'Wrong', 'UTC', 'en', 7)`)
	must(t, err)
	within := func(site string, do func(pgx.Tx) error) {
		t.Helper()
		must(t, pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(t.Context(), `SELECT set_config('kalends.site', id::text, true) FROM sites WHERE slug = $1`, site); err != nil {
				return err
			}
			return do(tx)
		}))
	}
	for _, site := range []string{"right", "wrong", "single"} {
		within(site, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), countedSite)
			return err
		})
	}
	within("right", func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `UPDATE terms SET count = 1 WHERE id = 1`)
		return err
	})
	within("single", func(tx pgx.Tx) error { // its count is wrong, too, but not for what the migration mends
		_, err := tx.Exec(t.Context(), `DELETE FROM events WHERE series_id IS NOT NULL`)
		return err
	})
	_, err = conn.Exec(t.Context(), string(migration))
	must(t, err)
	for site, want := range map[string][]string{"right": {"1 1", "2 5"}, "wrong": {"1 1", "2 5"}, "single": {"1 0", "2 5"}} {
		within(site, func(tx pgx.Tx) error {
			rows, err := tx.Query(t.Context(), `SELECT id || ' ' || count FROM terms WHERE site_id = current_setting('kalends.site')::bigint ORDER BY id`)
			must(t, err)
			got, err := pgx.CollectRows(rows, pgx.RowTo[string])
			equal(t, site, got, want)
			return err
		})
	}
	equal(t, "versions", names(t, conn, `SELECT slug || ' ' || version || ' ' || links_version FROM sites ORDER BY slug`),
		[]string{"right 7 0", "single 7 0", "wrong 8 8"})
}

// countedSite creates a site with one series, two dates of which have category 1, and a draft with it, all uncounted.
const countedSite = `
	WITH made AS (
		INSERT INTO terms (site_id, id, version, taxonomy, slug, name, name_key, search, count)
		SELECT current_setting('kalends.site')::bigint, n, 1, 'category', n, n, n, n, CASE n WHEN 2 THEN 5 ELSE 0 END
		FROM generate_series(1, 2) n
		RETURNING site_id
	), happening AS (
		INSERT INTO events (site_id, id, version, status, slug, published_at, dated, modified_at, title, description, timezone,
			start_local, end_local, start_utc, end_utc, search, venue_ids, organizer_ids, term_ids, rules, series_id, original_start)
		SELECT DISTINCT site_id, n, 1, CASE n WHEN 4 THEN 'draft' ELSE 'publish' END, 'x' || n, now(), true, now(), 'x', '', 'UTC',
			'2027-03-01 10:00'::timestamp, '2027-03-01 11:00'::timestamp, now(), now(), 'x', '{}'::bigint[], '{}'::bigint[], '{}'::bigint[],
			CASE n WHEN 1 THEN '{"rrule": []}'::jsonb END, CASE WHEN n IN (2, 3) THEN 1 END,
			CASE WHEN n IN (2, 3) THEN '2027-03-01 10:00'::timestamp + n * interval '1 day' END
		FROM made, generate_series(1, 4) n
		RETURNING site_id, id
	)
	INSERT INTO event_terms (site_id, event_id, term_id)
	SELECT site_id, id, 1
	FROM happening
	WHERE id > 1`

// Events with a password leave the counts of their terms, and only the versions of sites that have some rise.
func TestCountsWithoutPasswords(t *testing.T) {
	t.Parallel()
	conn := connect(t, storagetest.Database(t))
	migration, err := os.ReadFile("00157_counted_openly.sql")
	must(t, err)
	_, err = conn.Exec(t.Context(), `
		INSERT INTO sites (slug, name, timezone, language, version)
		VALUES ('open', 'Open', 'UTC', 'en', 7), ('sealed', 'Sealed', 'UTC', 'en', 7)`)
	must(t, err)
	within := func(site string, do func(pgx.Tx) error) {
		t.Helper()
		must(t, pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(t.Context(), `SELECT set_config('kalends.site', id::text, true) FROM sites WHERE slug = $1`, site); err != nil {
				return err
			}
			return do(tx)
		}))
	}
	for _, site := range []string{"open", "sealed"} {
		within(site, func(tx pgx.Tx) error {
			for _, sql := range []string{countedSite, `UPDATE terms SET count = 1 WHERE id = 1`} {
				if _, err := tx.Exec(t.Context(), sql); err != nil {
					return err
				}
			}
			if site == "sealed" {
				_, err = tx.Exec(t.Context(), `UPDATE events SET password = 'sealed'`)
			}
			return err
		})
	}
	_, err = conn.Exec(t.Context(), string(migration))
	must(t, err)
	for site, want := range map[string][]string{"open": {"1 1", "2 5"}, "sealed": {"1 0", "2 5"}} {
		within(site, func(tx pgx.Tx) error {
			rows, err := tx.Query(t.Context(), `SELECT id || ' ' || count FROM terms WHERE site_id = current_setting('kalends.site')::bigint ORDER BY id`)
			must(t, err)
			got, err := pgx.CollectRows(rows, pgx.RowTo[string])
			equal(t, site, got, want)
			return err
		})
	}
	equal(t, "versions", names(t, conn, `SELECT slug || ' ' || version || ' ' || links_version FROM sites ORDER BY slug`),
		[]string{"open 7 0", "sealed 8 8"})
}
