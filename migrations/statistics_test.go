package migrations_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/migrations"
	"github.com/kalends/kalends/storage/storagetest"
)

// Postgres analyzes the tables that lists read after a fixed number of changes rather than a fraction of tables
// filled by others.
func TestStatisticsKeepUp(t *testing.T) {
	t.Parallel()
	url := storagetest.Database(t)
	if err := migrations.Up(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	for _, table := range []string{"events", "occurrences", "event_venues", "event_organizers", "event_terms", "venues", "organizers"} {
		var options []string
		if err := conn.QueryRow(t.Context(), "SELECT COALESCE(reloptions, '{}') FROM pg_class WHERE oid = $1::regclass", table).Scan(&options); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(options, "autovacuum_analyze_scale_factor=0") {
			t.Errorf("%s is analyzed after a part of it has changed: %v", table, options)
		}
	}
}

// Postgres finds an event by its key although the table is empty, as it is behind a dry run: an index that served any event of a
// site would have each of the next thousands of events look through all before it.
func TestEventsAreFoundByKey(t *testing.T) {
	t.Parallel()
	url := storagetest.Database(t)
	if err := migrations.Up(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	for _, sql := range []string{"VACUUM events", "SET enable_seqscan = off"} {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := conn.Query(t.Context(), "EXPLAIN SELECT FROM events WHERE site_id = 1 AND id = 2 FOR KEY SHARE")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(plan, "\n"), "events_pkey") {
		t.Errorf("%s", strings.Join(plan, "\n"))
	}
}
