package migrations_test

import (
	"database/sql"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/migrations"
	"github.com/kalends/kalends/storage/storagetest"
)

func TestMain(m *testing.M) { os.Exit(storagetest.Main(m)) }

var update = flag.Bool("update", false, "write schema.sql anew")

// TestSchema compares the migrated database with schema.sql, so that the schema can be read in one place. Use -update
// after a migration.
func TestSchema(t *testing.T) {
	t.Parallel()
	db, err := sql.Open("pgx", storagetest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	got, err := migrations.Describe(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("schema.sql", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("schema.sql is not the schema (-schema.sql +migrated):\n%s", diff)
	}
}

// A second run does nothing, also when several nodes start at once.
func TestUpTwice(t *testing.T) {
	t.Parallel()
	url := storagetest.EmptyDatabase(t)
	done := make(chan error)
	for range 3 {
		go func() { done <- migrations.Up(t.Context(), url) }()
	}
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	have, want, err := migrations.Version(t.Context(), url)
	if err != nil || have != want || have == 0 {
		t.Errorf("version %d of %d: %v", have, want, err)
	}
}
