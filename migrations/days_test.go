package migrations_test

import (
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/storagetest"
)

// The migration is reverted, occurrences of two sites are stored, and it is applied again: existing rows are counted,
// and later changes, too.
func TestDaysOfWhatIsThere(t *testing.T) {
	t.Parallel()
	conn := connect(t, storagetest.Database(t))
	migration, err := os.ReadFile("00025_occurrence_days.sql")
	must(t, err)
	do := func(sql string) {
		t.Helper()
		_, err := conn.Exec(t.Context(), sql)
		must(t, err)
	}
	do(`DROP TABLE occurrence_days;
		DROP INDEX occurrences_unlisted_idx;
		DROP FUNCTION count_added_occurrences, count_removed_occurrences, count_changed_occurrences CASCADE;
		INSERT INTO sites (slug, name, timezone, language) VALUES ('one', 'One', 'UTC', 'en'), ('two', 'Two', 'UTC', 'en')`)
	sites := names(t, conn, `SELECT id::text FROM sites ORDER BY slug`)
	within := func(site, sql string) (list []string) {
		t.Helper()
		must(t, pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(t.Context(), `SELECT set_config('kalends.site', $1, true)`, site); err != nil {
				return err
			}
			rows, err := tx.Query(t.Context(), strings.ReplaceAll(sql, "{site}", site))
			if err != nil {
				return err
			}
			list, err = pgx.CollectRows(rows, pgx.RowTo[string])
			return err
		}))
		return list
	}
	for _, site := range sites {
		within(site, `
			WITH one AS (
				INSERT INTO events (site_id, id, version, status, slug, published_at, dated, modified_at, title, description, timezone,
					start_local, end_local, start_utc, end_utc, search, venue_ids, organizer_ids, term_ids)
				VALUES ({site}, 1, 1, 'publish', 'x', now(), true, now(), 'x', '', 'UTC', '2027-03-01 10:00', '2027-03-01 11:00', now(), now(), 'x', '{}', '{}', '{}')
			)
			INSERT INTO occurrences (site_id, event_id, n, start_local, end_local, start_utc, end_utc, listed)
			SELECT {site}, 1, 10 + n, '2027-03-01 22:00'::timestamp + n * interval '6 hours', '2027-03-01 23:30'::timestamp + n * interval '6 hours',
				now(), now(), n <> 1
			FROM generate_series(0, 2) n
			RETURNING ''`)
	}
	do(string(migration))
	const days = `SELECT site_id || ': ' || start_day || ' to ' || end_day || ' ' || occurrences FROM occurrence_days`
	for _, site := range sites {
		equal(t, "counted", within(site, days), []string{site + ": 2027-03-01 to 2027-03-01 1", site + ": 2027-03-02 to 2027-03-02 1"})
	}
	within(sites[0], `UPDATE occurrences SET listed = true WHERE site_id = {site} RETURNING ''`)
	within(sites[1], `DELETE FROM events WHERE site_id = {site} RETURNING ''`)
	equal(t, "changed", within(sites[0], days), []string{sites[0] + ": 2027-03-01 to 2027-03-01 1", sites[0] + ": 2027-03-02 to 2027-03-02 2"})
	equal(t, "gone", within(sites[1], days), nil)
	equal(t, "seen without a site", names(t, conn, days), nil)
}
