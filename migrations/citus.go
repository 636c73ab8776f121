package migrations

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
)

//go:embed citus.sql
var citus string

// ErrNoCitus is returned for a database without the Citus extension.
var ErrNoCitus = errors.New("this database has no extension citus: CREATE EXTENSION citus on the coordinator first, " +
	"with its library in shared_preload_libraries, and add the workers")

// Spread distributes the migrated schema over the Citus cluster whose coordinator is at url, with every table of a
// site distributed by site. Tables already distributed are unchanged. It is one transaction. Without the extension it
// returns ErrNoCitus and changes nothing.
func Spread(ctx context.Context, url string) error {
	const installed = `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')`
	db, err := sql.Open("pgx", url)
	if err != nil {
		return fmt.Errorf("distribute tables: %w", err)
	}
	defer func() { _ = db.Close() }()
	var there bool
	if err := db.QueryRowContext(ctx, installed).Scan(&there); err != nil {
		return fmt.Errorf("distribute tables: %w", err)
	}
	if !there {
		return ErrNoCitus
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("distribute tables: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // no-op after Commit
	if _, err := tx.ExecContext(ctx, citus); err != nil {
		return fmt.Errorf("distribute tables: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("distribute tables: %w", err)
	}
	return nil
}
