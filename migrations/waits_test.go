package migrations_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pressly/goose/v3"

	"github.com/kalends/kalends/migrations"
	"github.com/kalends/kalends/storage/storagetest"
)

// A writer holds the sites and then wants the history; the migration has the history and wants the sites. The writer is served, and the
// migration is done afterwards.
func TestUpGivesWay(t *testing.T) {
	t.Parallel()
	url, ctx := storagetest.EmptyDatabase(t), t.Context()
	db, err := sql.Open("pgx", url)
	must(t, err)
	defer func() { _ = db.Close() }()
	before, err := goose.NewProvider(goose.DialectPostgres, db, os.DirFS("."))
	must(t, err)
	_, err = before.UpTo(ctx, 321) // the next one changes both tables
	must(t, err)
	conn, err := pgx.Connect(ctx, url)
	must(t, err)
	defer func() { _ = conn.Close(ctx) }()
	writer, err := conn.Begin(ctx)
	must(t, err)
	_, err = writer.Exec(ctx, "LOCK TABLE sites IN ROW EXCLUSIVE MODE")
	must(t, err)
	done := make(chan error, 1)
	go func() { done <- migrations.Up(ctx, url) }()
	for waits := false; !waits; time.Sleep(time.Millisecond) {
		must(t, db.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM pg_locks
			WHERE relation = 'sites'::regclass AND NOT granted
			  AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`).Scan(&waits))
	}
	_, err = writer.Exec(ctx, "LOCK TABLE changes IN ROW EXCLUSIVE MODE")
	must(t, err)
	must(t, writer.Commit(ctx))
	must(t, <-done)
	have, want, err := migrations.Version(ctx, url)
	if err != nil || have != want {
		t.Errorf("version %d of %d: %v", have, want, err)
	}
}

// Only what is made outside of a transaction, while nobody waits for it, may itself wait without a limit. Whoever gave up there would
// begin anew after minutes.
func TestOnlyConcurrentMigrationsWait(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("0*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		apart := strings.Contains(string(text), "+goose NO TRANSACTION")
		if waits := strings.Contains(string(text), "\nSET lock_timeout = 0;\n") && strings.HasSuffix(string(text), "\nRESET lock_timeout;\n"); waits != apart {
			t.Errorf("%s is outside of a transaction: %t; first sets lock_timeout to 0 and resets it in the end: %t", file, apart, waits)
		}
	}
}
