package storage

import (
	"testing"

	"github.com/kalends/kalends/storage/events"
)

// TestFormerDatesAreBounded: a series that is moved again and again keeps the latest of its former dates, another one all.
func TestFormerDatesAreBounded(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.Fill(k.Site, 2)
	for series, dates := range map[int]int{1: 20_007, 2: 5} {
		k.Exec(k.Site, `
			INSERT INTO former_dates (site_id, series_id, original_start, id)
			SELECT $1, $2, timestamp '2026-11-20 10:00' + n * interval '1 hour', n
			FROM generate_series(1, $3::int) n`, k.Site, series, dates)
		for range 2 { // once more changes nothing
			k.Exec(k.Site, events.Statements["forget former dates"], k.Site, series, 20_000)
		}
	}
	k.Equal("kept", k.Column(`
		SELECT series_id || ': ' || min(id) || ' to ' || max(id)
		FROM former_dates
		WHERE site_id = $1
		GROUP BY series_id
		ORDER BY series_id`, k.Site), []string{"1: 8 to 20007", "2: 1 to 5"})
}
