package storagetest_test

import (
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/storagetest"
)

func TestMain(m *testing.M) { os.Exit(storagetest.Main(m)) }

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	return conn // the database goes with its connections
}

func ask[T any](t *testing.T, url, query string) T {
	t.Helper()
	conn := connect(t, url)
	var answer T
	must(t, conn.QueryRow(t.Context(), query).Scan(&answer))
	must(t, conn.Close(t.Context()))
	return answer
}

func run(t *testing.T, url, statement string) {
	t.Helper()
	conn := connect(t, url)
	_, err := conn.Exec(t.Context(), statement)
	must(t, err)
	must(t, conn.Close(t.Context()))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const tables = `select count(*) from pg_tables where schemaname = 'public'`

func TestDatabaseIsMigrated(t *testing.T) {
	t.Parallel()
	if n := ask[int](t, storagetest.Database(t), tables); n == 0 {
		t.Error("there is no table")
	}
}

func TestDatabasesAreSeparate(t *testing.T) {
	t.Parallel()
	one, two := storagetest.Database(t), storagetest.Database(t)
	run(t, one, `create table mine ()`)
	run(t, two, `create table mine ()`)
}

func TestEmptyDatabase(t *testing.T) {
	t.Parallel()
	url := storagetest.EmptyDatabase(t)
	if n := ask[int](t, url, tables); n != 0 {
		t.Errorf("there are %d tables", n)
	}
	run(t, url, `create extension pg_trgm`)
}

func TestRoleIsPlain(t *testing.T) {
	t.Parallel()
	if ask[bool](t, storagetest.Database(t), `select rolsuper or rolbypassrls from pg_roles where rolname = current_user`) {
		t.Error("the role passes through row-level security")
	}
}

func TestDatabaseIsDropped(t *testing.T) {
	t.Parallel()
	var name string
	t.Run("test", func(t *testing.T) {
		url := storagetest.EmptyDatabase(t)
		name = ask[string](t, url, `select current_database()::text`)
		connect(t, url) // left open
	})
	if ask[bool](t, storagetest.EmptyDatabase(t), `select exists (select from pg_database where datname = '`+name+`')`) {
		t.Errorf("%s is still there", name)
	}
}

func TestClusterSurvivesKill(t *testing.T) {
	t.Parallel()
	c := storagetest.Cluster(t)
	url := c.URL()
	run(t, url, `create table kept as select 9 as n`)
	c.Kill9()
	if conn, err := pgx.Connect(t.Context(), url); err == nil {
		must(t, conn.Close(t.Context()))
		t.Error("connected to a killed server")
	}
	c.Restart()
	c.Restart() // of a running one
	if n := ask[int](t, url, `select n from kept`); n != 9 || c.URL() != url {
		t.Errorf("found %d at %s", n, c.URL())
	}
}

func BenchmarkDatabase(b *testing.B) {
	storagetest.Database(b)
	for b.Loop() {
		storagetest.Database(b)
	}
}

// TestChangedSchema: what a test does to the schema of its database is not there for the next one, on a cluster either, where databases
// are used again.
func TestChangedSchema(t *testing.T) {
	t.Parallel()
	for range 2 {
		t.Run("", func(t *testing.T) {
			database := storagetest.Database(t)
			if !ask[bool](t, database, `select relrowsecurity from pg_class where oid = 'events'::regclass`) {
				t.Error("a test before has taken the wall of this database away")
			}
			run(t, database, `alter table events disable row level security`)
		})
	}
}

// TestUsedDatabase: a test finds nothing that another one has left in its database.
func TestUsedDatabase(t *testing.T) {
	t.Parallel()
	for range 3 {
		t.Run("", func(t *testing.T) {
			database := storagetest.Database(t)
			if id := ask[int](t, database, `insert into sites (slug, name, timezone, language) values ('demo', 'Demo', 'UTC', 'en') returning id`); id != 1 {
				t.Errorf("the first site is number %d", id)
			}
			if plans := ask[string](t, database, `select string_agg(concat(name, ':', max_events), ' ') from plans`); plans != "unlimited:" {
				t.Errorf("the plans are %s", plans)
			}
			run(t, database, `update plans set max_events = 5`)
			run(t, database, `insert into plans (name, max_events) values ('small', 7)`)
			connection := connect(t, database) // left open in a transaction
			_, err := connection.Exec(t.Context(), `begin; lock table plans`)
			must(t, err)
		})
	}
}
