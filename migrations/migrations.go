// Package migrations holds the schema of the database and its history, forward
// only. schema.sql is the schema as it stands, kept true by a test.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"fmt"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver goose speaks through
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed 0*.sql
var files embed.FS

// Up brings the database behind url to the newest schema. An advisory lock lets
// one process do it at a time, so any number of nodes may start together.
func Up(ctx context.Context, url string) error {
	return with(url, func(p *goose.Provider) error {
		_, err := p.Up(ctx)
		return err
	})
}

// Version returns the schema's version in the database behind url and the
// newest there is.
func Version(ctx context.Context, url string) (have, want int64, err error) {
	err = with(url, func(p *goose.Provider) error {
		have, want, err = p.GetVersions(ctx)
		return err
	})
	return have, want, err
}

func with(url string, do func(*goose.Provider) error) error {
	db, err := sql.Open("pgx", url)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	defer func() { _ = db.Close() }()
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithSessionLocker(locker))
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if err := do(provider); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}
