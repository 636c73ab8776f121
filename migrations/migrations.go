// Package migrations contains the database schema and its forward-only history. schema.sql is the current schema,
// which a test keeps up to date.
package migrations

import (
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed 0*.sql
var files embed.FS

// Sum returns a number, in hexadecimal digits, that differs if the migrations do, or what else they depend on.
func Sum(others ...string) string {
	sum := sha256.New()
	fmt.Fprintln(sum, others)
	entries, _ := files.ReadDir(".") // of an embedded file system, which has them
	for _, entry := range entries {
		text, _ := files.ReadFile(entry.Name())
		fmt.Fprintln(sum, entry.Name(), len(text))
		sum.Write(text)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// While a migration waits for the lock of a table, every other statement on this table waits behind it, and one that has already used
// another table of the migration is a deadlock. A migration therefore gives up after patience, which is shorter than the second after
// which Postgres ends a request instead, and starts again after pause.
const (
	patience = "400ms"
	pause    = time.Second
)

// Up migrates the database at url to the newest schema. An advisory lock serializes it, so that any number of nodes
// may start at the same time. It waits until nobody holds a table that a migration changes, and lets others use the table meanwhile.
func Up(ctx context.Context, url string) error {
	return with(url, func(p *goose.Provider) error {
		for {
			_, err := p.Up(ctx)
			if !heldUp(err) {
				return err
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(pause):
			}
		}
	})
}

// heldUp reports whether a migration failed because somebody used one of its tables. It changed nothing then, or, outside of a
// transaction, begins anew.
func heldUp(err error) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && (said.Code == "55P03" || said.Code == "40P01")
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
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	config.RuntimeParams["lock_timeout"] = patience
	db := stdlib.OpenDB(*config)
	db.SetMaxIdleConns(0) // each attempt starts with the settings above
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
