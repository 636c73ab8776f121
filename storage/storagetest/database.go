package storagetest

import (
	"os"
	"testing"
)

// Database returns the URL of a database with the newest schema and nothing in it, for a plain role that owns it and is subject to
// row-level security. At the end of the test it is emptied for the next one, or dropped if the test has changed more than rows. If
// there is no Postgres, the test fails.
func Database(t testing.TB) string {
	t.Helper()
	d := sharedDatabases(t)
	template, err := d.migrated()
	if err != nil {
		t.Fatalf("storagetest: migrate: %v", err)
	}
	return fresh(t, d, template)
}

// EmptyDatabase is like Database, but without a schema.
func EmptyDatabase(t testing.TB) string {
	t.Helper()
	return fresh(t, sharedDatabases(t), "")
}

func sharedDatabases(t testing.TB) *databases {
	t.Helper()
	needMain(t)
	d, err := shared.postgres.get(startDatabases)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func fresh(t testing.TB, d *databases, template string) string {
	t.Helper()
	name, err := d.take(t.Context(), template)
	if err != nil {
		t.Fatalf("storagetest: create database: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := cleanup(t)
		defer cancel()
		if err := d.giveBack(ctx, name, template); err != nil {
			t.Errorf("storagetest: drop database %s: %v", name, err)
		}
	})
	address, err := d.url(name)
	if err != nil {
		t.Fatalf("storagetest: %v", err)
	}
	return address
}

// OnCluster reports whether the databases are spread over a cluster.
func OnCluster() bool { return os.Getenv("TEST_CITUS_URL") != "" }

// Unspread skips a test on a cluster, because it needs something that only plain Postgres has.
func Unspread(t testing.TB, why string) {
	t.Helper()
	if OnCluster() {
		t.Skip("not on a cluster: " + why)
	}
}
