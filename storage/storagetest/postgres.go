package storagetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/kalends/kalends/internal/embedded"
)

// maintenance is the database to connect to while others are created.
const maintenance = "kalends"

// cluster is a running Postgres, started by the tests or not.
type cluster struct {
	url       string        // with a role that may create databases; in a container it is a superuser
	superuser *url.Userinfo // nil: unknown
	what      string
	migrated  string // a database with the newest schema, or "" if there is none yet; everything goes when stop is called
	stop      func() error
}

// startCluster returns the first Postgres available, in the order of the package comment.
func startCluster(ctx context.Context) (cluster, error) {
	if address := cmp.Or(os.Getenv("TEST_CITUS_URL"), os.Getenv("TEST_DATABASE_URL")); address != "" {
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
			return cluster{}, errors.New("TEST_DATABASE_URL is not of the form postgres://user:password@host/database")
		}
		return cluster{url: address, what: "at " + u.Host + " (TEST_DATABASE_URL)", stop: func() error { return nil }}, nil
	}
	if dockerHealthy(ctx) {
		address, stop, err := dockerPostgres(ctx)
		if err == nil {
			return cluster{url: address, what: "container " + postgresImage, stop: stop}, nil
		}
		announce("no container for Postgres: %v", err)
	}
	server, stop, err := startEmbedded(ctx)
	if err != nil {
		return cluster{}, err
	}
	what := "embedded " + server.Binary()
	return cluster{url: server.URL(), superuser: url.User("postgres"), what: what, migrated: migratedName, stop: stop}, nil
}

// startEmbedded starts a fast Postgres without durability, in a directory that is removed when it stops. It is a copy of one that
// has been migrated already.
func startEmbedded(ctx context.Context) (*embedded.Server, func() error, error) {
	dir, err := temporary()
	if err != nil {
		return nil, nil, err
	}
	data := filepath.Join(dir, "data")
	ready, err := takeReady(ctx, data)
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	server, err := embedded.Start(ctx, embedded.Config{Dir: data, Unsafe: true})
	if err != nil {
		return nil, nil, errors.Join(err, ready.release(), os.RemoveAll(dir))
	}
	return server, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), serverTimeout)
		defer cancel()
		return errors.Join(server.Stop(ctx), os.RemoveAll(dir), ready.release())
	}, nil
}

// temporary creates a directory that the user running Postgres can enter. Its name is short, because the length of
// socket paths is limited.
func temporary() (string, error) {
	dir, err := os.MkdirTemp("", "kalends-")
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o711)
}

// withDatabase returns a URL with another database, and with another user if one is given.
func withDatabase(address, database string, user *url.Userinfo) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("database URL: %w", err)
	}
	u.Path = "/" + database
	if user != nil {
		u.User = user
	}
	return u.String(), nil
}
