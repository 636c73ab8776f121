package embedded

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
)

// Config configures the private Postgres: where it stores its data, and how it runs.
type Config struct {
	// Dir is the data directory. It is created when it is missing.
	Dir string
	// Logger receives what Postgres prints. If it is nil, nothing is logged.
	Logger *slog.Logger
	// Unsafe gives up durability and passwords for speed. For tests only: after a crash the data is lost, and only the folder of
	// the socket keeps others out.
	Unsafe bool
	// Getenv reads KALENDS_PG_BIN and PATH; nil means os.Getenv.
	Getenv func(string) string
}

func (c Config) withDefaults() (Config, error) {
	if c.Dir == "" {
		return c, errors.New("no data directory given")
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Getenv == nil {
		c.Getenv = os.Getenv
	}
	dir, err := filepath.Abs(c.Dir)
	c.Dir = dir
	return c, err
}

func (c Config) path(name string) string { return filepath.Join(c.Dir, name) }

func (c Config) pgdata() string { return c.path("pgdata") }
