// Package migrations contains the database schema and its forward-only history. schema.sql is the current schema,
// which a test keeps up to date.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"strconv"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver used by goose
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed 0*.sql
var files embed.FS

// Up migrates the database at url to the newest schema. An advisory lock serializes it, so that any number of nodes
// may start at the same time.
func Up(ctx context.Context, url string) error {
	return with(url, func(p *goose.Provider) error {
		_, err := p.Up(ctx)
		return err
	})
}

// Version returns the schema version of the database at url and the newest version.
func Version(ctx context.Context, url string) (have, want int64, err error) {
	err = with(url, func(p *goose.Provider) error {
		have, want, err = p.GetVersions(ctx)
		return err
	})
	return have, want, err
}

// Newest returns the newest version of the schema, without a database.
func Newest() (version int64) {
	list, _ := files.ReadDir(".") // it is part of the program
	for _, file := range list {
		number, _, _ := strings.Cut(file.Name(), "_")
		if n, err := strconv.ParseInt(number, 10, 64); err == nil {
			version = max(version, n)
		}
	}
	return version
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
