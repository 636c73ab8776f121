package storage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/test/eventtest"
)

// tenThousands gives a site series of 10,000 dates; those of the last are events of their own.
func (k *kit) tenThousands(series int) {
	k.Helper()
	for _, sql := range []string{
		`UPDATE events SET rules = '{"rrule": ["FREQ=DAILY"]}' WHERE site_id = $1 AND id <= $2`,
		`DELETE FROM occurrences WHERE site_id = $1 AND event_id <= $2`,
		`INSERT INTO occurrences (site_id, event_id, n, start_local, end_local, start_utc, end_utc, listed)
		SELECT $1, e, 100000 + e * 10000 + d, t, t + interval '1 hour', t, t + interval '1 hour', true
		FROM generate_series(1, $2::int - 1) e, generate_series(1, 10000) d, LATERAL (SELECT timestamp '2026-11-20 10:00' + d * interval '1 day' AS t) x`,
		`INSERT INTO events (site_id, id, version, author, status, slug, published_at, dated, modified_at, title, description, timezone,
			start_local, end_local, start_utc, end_utc, search, venue_ids, organizer_ids, term_ids, series_id, original_start)
		SELECT $1, 500000 + d, 1, 1, 'publish', '', now(), true, now(), 'Date', '', 'UTC', t, t + interval '1 hour', t, t + interval '1 hour',
			'date', '{}', '{}', '{}', $2::int, t
		FROM generate_series(1, 10000) d, LATERAL (SELECT timestamp '2026-11-20 10:00' + d * interval '1 day' AS t) x`,
		`INSERT INTO occurrences (site_id, event_id, start_local, end_local, start_utc, end_utc, listed)
		SELECT site_id, id, start_local, end_local, start_utc, end_utc, true FROM events WHERE site_id = $1 AND series_id = $2::int`,
		`UPDATE events SET parent_id = 500000 + id WHERE site_id = $1 AND id > $2::int AND id < 200`,
	} {
		k.In(k.Site, func(tx pgx.Tx) error {
			if _, err := tx.Exec(k.Context(), `SET LOCAL statement_timeout = 0`); err != nil {
				return err
			}
			sql, err := storagetest.Placed(k.Context(), tx, k.Site, sql)
			if err != nil {
				return err
			}
			if !strings.Contains(sql, "$2") {
				return fmt.Errorf("%s: not about the series", sql)
			}
			_, err = tx.Exec(k.Context(), sql, k.Site, series)
			return err
		})
	}
}

// read is how many rows of a table the transactions of a database have read that are over.
const read = `SELECT (seq_tup_read + COALESCE(idx_tup_fetch, 0))::text FROM pg_stat_xact_user_tables WHERE relname = 'events'
	UNION ALL SELECT (seq_tup_read + COALESCE(idx_tup_fetch, 0))::text FROM pg_stat_xact_user_tables WHERE relname = 'occurrences'
	UNION ALL SELECT (seq_tup_read + COALESCE(idx_tup_fetch, 0))::text FROM pg_stat_xact_user_tables WHERE relname = 'occurrence_days'`

// TestLargeSeriesGo deletes series of 10,000 dates, once with statistics from before there were any and once with those of
// a site that has little else. What is read is a few times what goes.
func TestLargeSeriesGo(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, eventtest.ByValues)
	for name, when := range map[string]func(k *kit, fill func()){
		"statistics from before": func(k *kit, fill func()) { k.Vacuum(); fill() },
		"statistics of series":   func(k *kit, fill func()) { fill(); k.Vacuum() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit(t)
			owner := k.Owner()
			for _, table := range []string{"events", "occurrences", "occurrence_days"} {
				_, err := owner.Exec(k.Context(), `ALTER TABLE `+table+` SET (autovacuum_enabled = false)`)
				k.Must(err)
			}
			when(k, func() { k.Fill(k.Site, 200); k.tenThousands(3) })
			for _, id := range []int64{1, 3} {
				k.In(k.Site, func(tx pgx.Tx) error {
					if _, err := tx.Exec(k.Context(), `SET LOCAL plan_cache_mode = force_generic_plan`); err != nil {
						return err
					}
					for _, name := range []string{"orphans", "orphans of dates", "delete"} {
						if _, err := tx.Exec(k.Context(), events.Statements[name], k.Site, id); err != nil {
							return err
						}
					}
					rows, err := tx.Query(k.Context(), read)
					if err != nil {
						return err
					}
					list, err := pgx.CollectRows(rows, pgx.RowTo[string])
					if err != nil {
						return err
					}
					for i, text := range list {
						var n int
						if _, err := fmt.Sscan(text, &n); err != nil || n > 200_000 {
							k.Errorf("series %d, %s: %s rows read", id, []string{"events", "occurrences", "days"}[i], text)
						}
					}
					return nil
				})
			}
			k.Equal("left", k.Column(`
				SELECT count(*) || ' ' || count(parent_id)
				FROM events
				WHERE site_id = $1
				UNION ALL
				SELECT count(*)::text
				FROM occurrences
				WHERE site_id = $1
				  AND event_id <= 3`, k.Site), []string{"198 0", "10000"})
			k.Equal("wrong days", k.Column(eventtest.WrongDays, k.Site), []string(nil))
		})
	}
}

// TestDaysAreCountedByKey: what counts occurrences finds a day by its key, which statistics can't lead astray. A function keeps
// its plan, made for as few rows as went at first.
func TestDaysAreCountedByKey(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, eventtest.ByValues)
	k := newKit(t)
	bodies := k.Column(`SELECT p.prosrc FROM pg_proc p WHERE p.proname LIKE 'count\_%\_occurrences' AND $1::bigint > 0`, k.Site)
	k.Equal("functions", len(bodies), 3)
	k.In(k.Site, func(tx pgx.Tx) error {
		for _, sql := range []string{`CREATE TEMPORARY TABLE added AS SELECT * FROM occurrences`, `CREATE TEMPORARY TABLE removed AS SELECT * FROM occurrences`} {
			if _, err := tx.Exec(k.Context(), sql); err != nil {
				return err
			}
		}
		for _, body := range bodies {
			_, sql, _ := strings.Cut(body, "BEGIN")
			sql, _, _ = strings.Cut(sql, "RETURN NULL")
			rows, err := tx.Query(k.Context(), "EXPLAIN (COSTS OFF) "+strings.TrimSuffix(strings.TrimSpace(sql), ";"), pgx.QueryExecModeSimpleProtocol)
			if err != nil {
				return err
			}
			lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if err != nil {
				return err
			}
			plan := strings.Join(lines, "\n")
			if !strings.Contains(plan, "Conflict Arbiter Indexes: occurrence_days_pkey") || strings.Contains(plan, "Nested Loop") || strings.Contains(plan, "Join") {
				k.Errorf("days are not found by their key\n%s", plan)
			}
		}
		return nil
	})
}
