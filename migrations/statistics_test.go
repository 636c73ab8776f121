package migrations_test

import (
	"slices"
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
