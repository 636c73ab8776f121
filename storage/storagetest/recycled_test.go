package storagetest_test

import (
	"maps"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kalends/kalends/storage/storagetest"
)

// recycledBy is a test's use of a recycled database, with a kept connection.
type recycledBy struct {
	*testing.T
	name, url string
	pool      *pgxpool.Pool
	super     *pgx.Conn
}

func recycle(t *testing.T) *recycledBy {
	t.Helper()
	r := &recycledBy{T: t, url: storagetest.Recycled(t)}
	config, err := pgxpool.ParseConfig(r.url)
	must(t, err)
	r.name, config.MaxConns = config.ConnConfig.Database, 1
	storagetest.Keep(config)
	r.pool, err = pgxpool.NewWithConfig(t.Context(), config)
	must(t, err)
	t.Cleanup(r.pool.Close)
	r.super = connect(t, storagetest.Superuser(t, r.name))
	t.Cleanup(func() { _ = r.super.Close(t.Context()) })
	return r
}

func (r *recycledBy) ask(query string) (text string) {
	r.Helper()
	must(r.T, r.pool.QueryRow(r.Context(), query).Scan(&text))
	return text
}

// all returns the rows of every table, and the state of every sequence, each as a text.
func (r *recycledBy) all() map[string]string {
	r.Helper()
	const each = `
		SELECT c.relname, CASE c.relkind
			WHEN 'r' THEN query_to_xml(format('SELECT t::text FROM public.%I t ORDER BY 1', c.relname), true, true, '')::text
			ELSE query_to_xml(format('SELECT last_value, is_called FROM public.%I', c.relname), true, true, '')::text
		END
		FROM pg_class c
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'S')`
	rows, err := r.super.Query(r.Context(), each)
	must(r.T, err)
	found := map[string]string{}
	var name, text string
	_, err = pgx.ForEachRow(rows, []any{&name, &text}, func() error { found[name] = text; return nil })
	must(r.T, err)
	return found
}

// fill adds a row to every table, and takes a number from every sequence. Constraints are taken out of the catalogs first, because
// no row satisfies those of all tables.
const fill = `
	SET session_replication_role = replica;
	UPDATE pg_class SET relchecks = 0 WHERE relnamespace = 'public'::regnamespace AND relkind = 'r';
	UPDATE pg_attribute a SET attnotnull = false FROM pg_class c
	WHERE c.oid = attrelid AND c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND attnum > 0 AND attidentity = '';
	DO $$
	DECLARE one record;
	BEGIN
		FOR one IN SELECT oid::regclass AS of, relkind FROM pg_class
			WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S') LOOP
			IF one.relkind = 'S' THEN
				PERFORM nextval(one.of);
			ELSE
				EXECUTE format('INSERT INTO %s DEFAULT VALUES', one.of);
			END IF;
		END LOOP;
	END
	$$`

// TestRecycledIsLikeNew: whatever a test writes, locks or sets is not there for the next one. Not parallel: another test would take the database.
func TestRecycledIsLikeNew(t *testing.T) {
	var fresh map[string]string
	var name, process string
	t.Run("a test", func(t *testing.T) {
		r := recycle(t)
		fresh, name = r.all(), r.name
		process = r.ask(`SELECT pg_backend_pid()::text`)
		_, err := r.super.Exec(t.Context(), fill)
		must(t, err)
		filled := r.all()
		for what, was := range fresh {
			if filled[what] == was {
				t.Errorf("%s isn't changed", what)
			}
		}
		r.ask(`SELECT set_config('kalends.site', '9', false) || pg_advisory_lock(9)`)
	})
	t.Run("the next", func(t *testing.T) {
		r := recycle(t)
		if r.name != name || r.ask(`SELECT pg_backend_pid()::text`) != process {
			t.Fatal("the database, or its connection, isn't given on")
		}
		if now := r.all(); !maps.Equal(now, fresh) {
			for what, was := range fresh {
				if now[what] != was {
					t.Errorf("%s is\n%s\nand was\n%s", what, now[what], was)
				}
			}
		}
		if got := r.ask(`SELECT current_setting('kalends.site', true) || (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory')`); got != "0" {
			t.Errorf("the connection has a setting or a lock: %s", got)
		}
		_, err := r.super.Exec(t.Context(), `INSERT INTO kept.marks VALUES ('constraints are missing')`) // no test shall have it
		must(t, err)
	})
}

// TestNotGivenOn: a database that is not like a new one when its rows are is dropped.
func TestNotGivenOn(t *testing.T) {
	for about, change := range map[string]func(r *recycledBy){
		"a changed schema": func(r *recycledBy) { run(r.T, r.url, `ALTER TABLE events DISABLE ROW LEVEL SECURITY`) },
		"an index":         func(r *recycledBy) { run(r.T, r.url, `CREATE INDEX ON events (title)`) },
		"statistics":       func(r *recycledBy) { run(r.T, r.url, `ANALYZE plans`) },
		"a setting":        func(r *recycledBy) { run(r.T, r.url, `ALTER DATABASE `+r.name+` SET work_mem = '64kB'`) },
		"a connection":     func(r *recycledBy) { connect(r.T, r.url) },
	} {
		t.Run(about, func(t *testing.T) {
			var name string
			t.Run("a test", func(t *testing.T) {
				r := recycle(t)
				name = r.name
				r.ask(`SELECT ''`)
				change(r)
			})
			t.Run("the next", func(t *testing.T) {
				if recycle(t).name == name {
					t.Error("it is given on")
				}
			})
		})
	}
}

// TestKeptConnectionsAreClosed: a pool that a test has closed is of no use to what the test left behind.
func TestKeptConnectionsAreClosed(t *testing.T) {
	r := recycle(t)
	conn, err := r.pool.Acquire(t.Context())
	must(t, err)
	left := conn.Conn()
	conn.Release()
	r.pool.Close()
	if _, err := left.Exec(t.Context(), `SELECT 1`); err == nil {
		t.Error("its connection answers")
	}
	if err := r.pool.Ping(t.Context()); err == nil {
		t.Error("it answers")
	}
}
