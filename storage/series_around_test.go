package storage

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/test/eventtest"
)

// TestDatesAreFoundByIndex looks at the plans of the page of an occurrence: of a
// series of 3,650 among others no more is read than is shown.
func TestDatesAreFoundByIndex(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, eventtest.ByValues)
	k := newKit(t)
	k.Fill(k.Site, 300)
	k.In(k.Site, func(tx pgx.Tx) error {
		for _, sql := range []string{
			`SET LOCAL statement_timeout = 0`,
			fmt.Sprintf(`DELETE FROM occurrences WHERE site_id = %d AND event_id <= 20`, k.Site),
			fmt.Sprintf(`UPDATE events SET rules = '{"rrule": ["FREQ=DAILY"]}', slug = 'series-' || id WHERE site_id = %d AND id <= 20`, k.Site),
			fmt.Sprintf(`INSERT INTO occurrences (site_id, event_id, n, start_local, end_local, start_utc, end_utc, listed)
				SELECT %d, e, 100000 + e * 4000 + d, t, t + interval '1 hour', t, t + interval '1 hour', true
				FROM generate_series(1, 20) e, generate_series(1, 3650) d, LATERAL (SELECT timestamp '2026-11-20 10:00' + d * interval '1 day' AS t) x`, k.Site),
		} {
			if _, err := tx.Exec(k.Context(), sql); err != nil {
				return err
			}
		}
		return nil
	})
	k.Vacuum()
	for name, q := range map[string]struct{ sql, types, values string }{
		"on a day": {events.Statements["on a day"], "(bigint, text, timestamp, timestamp)", "'series-7', '2031-05-05', '2031-05-06'"},
		"around":   {events.Statements["around"], "(bigint, bigint, timestamp, bigint)", "7, '2031-05-05 10:00', 129627"},
	} {
		var lines []string
		k.In(k.Site, func(tx pgx.Tx) error {
			if _, err := tx.Exec(k.Context(), "SET LOCAL plan_cache_mode = force_generic_plan"); err != nil {
				return err
			}
			if _, err := tx.Exec(k.Context(), "PREPARE shown"+q.types+" AS "+q.sql); err != nil {
				return err
			}
			explain := fmt.Sprintf("EXPLAIN (ANALYZE, TIMING OFF) EXECUTE shown(%d, %s)", k.Site, q.values)
			rows, err := tx.Query(k.Context(), explain, pgx.QueryExecModeSimpleProtocol)
			if err != nil {
				return err
			}
			lines, err = pgx.CollectRows(rows, pgx.RowTo[string])
			if err == nil {
				_, err = tx.Exec(k.Context(), "DEALLOCATE shown")
			}
			return err
		})
		text := strings.Join(lines, "\n")
		if !strings.Contains(text, "occurrences_series_idx") {
			t.Errorf("%s: not by its index\n%s", name, text)
		}
		for _, m := range regexp.MustCompile(`(?:rows=|Rows Removed by Filter: )(\d+)(?: loops|\n)`).FindAllStringSubmatch(text, -1) {
			if n, err := strconv.Atoi(m[1]); err != nil || n > 5 {
				t.Errorf("%s: %d rows read\n%s", name, n, text)
				break
			}
		}
		if !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, "actual rows=") }) {
			t.Errorf("%s: nothing was run\n%s", name, text)
		}
	}
}
