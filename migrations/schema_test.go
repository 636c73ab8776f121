package migrations_test

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/migrations"
	"github.com/kalends/kalends/storage/storagetest"
)

func TestMain(m *testing.M) { os.Exit(storagetest.Main(m)) }

var update = flag.Bool("update", false, "write schema.sql anew")

// schema describes every table of the service as Postgres reports it: columns, constraints, indexes, policies and the
// privileges of the service's role.
const schema = `
	WITH tables AS (
	    SELECT c.oid, c.relname, c.relrowsecurity AND c.relforcerowsecurity AS walled
	    FROM pg_class c
	    WHERE c.relnamespace = 'public'::regnamespace
	      AND c.relkind = 'r'
	      AND c.relname <> 'goose_db_version'
	), lines AS (
	    SELECT '' AS relname, 0 AS part, row_number() OVER (ORDER BY p.proname) AS place, pg_get_functiondef(p.oid) || E';\n' AS line
	    FROM pg_proc p
	    JOIN pg_language l ON l.oid = p.prolang
	    WHERE p.pronamespace = 'public'::regnamespace
	      AND l.lanname IN ('sql', 'plpgsql')
	      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
	    UNION ALL
	    SELECT relname, 1, 0, 'CREATE TABLE ' || relname || ' (' FROM tables
	    UNION ALL
	    SELECT t.relname, 2, a.attnum, '    ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
	        || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
	        || CASE WHEN a.attidentity <> '' THEN ' GENERATED ALWAYS AS IDENTITY' ELSE '' END
	        || COALESCE(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '') || ','
	    FROM tables t
	    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
	    LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
	    UNION ALL
	    SELECT t.relname, 3, row_number() OVER (ORDER BY c.contype DESC, c.conname), '    CONSTRAINT ' || c.conname || ' ' || pg_get_constraintdef(c.oid) || ','
	    FROM tables t
	    JOIN pg_constraint c ON c.conrelid = t.oid AND c.contype IN ('p', 'u', 'f', 'c')
	    UNION ALL
	    SELECT relname, 4, 0, ');' FROM tables
	    UNION ALL
	    SELECT t.relname, 5, row_number() OVER (ORDER BY i.indexrelid::regclass::text), pg_get_indexdef(i.indexrelid) || ';'
	    FROM tables t
	    JOIN pg_index i ON i.indrelid = t.oid
	    WHERE NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.conrelid = t.oid)
	    UNION ALL
	    SELECT t.relname, 5, 1000 + row_number() OVER (ORDER BY g.tgname), pg_get_triggerdef(g.oid) || ';'
	    FROM tables t
	    JOIN pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal
	    UNION ALL
	    SELECT relname, 6, 0, 'ALTER TABLE ' || relname || ' FORCE ROW LEVEL SECURITY;' FROM tables WHERE walled
	    UNION ALL
	    SELECT t.relname, 7, row_number() OVER (ORDER BY p.polname), 'CREATE POLICY ' || p.polname || ' ON ' || t.relname
	        || ' USING ' || pg_get_expr(p.polqual, p.polrelid) || ';'
	    FROM tables t
	    JOIN pg_policy p ON p.polrelid = t.oid
	    UNION ALL
	    SELECT t.relname, 8, 0, 'GRANT ' || string_agg(g.privilege_type, ', ' ORDER BY g.privilege_type) || ' ON ' || t.relname || ' TO kalends_service;'
	    FROM tables t
	    JOIN information_schema.role_table_grants g ON g.table_name = t.relname AND g.grantee = 'kalends_service'
	    GROUP BY t.relname
	    UNION ALL
	    SELECT relname, 9, 0, '' FROM tables
	)
	SELECT line
	FROM lines
	ORDER BY relname, part, place`

// TestSchema compares the migrated database with schema.sql, so that the schema can be read in one place. Use -update
// after a migration.
func TestSchema(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), storagetest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	rows, err := conn.Query(t.Context(), schema)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	got := "-- The schema as the migrations leave it, to be read; TestSchema keeps it true.\n\n" + strings.Join(lines, "\n") + "\n"
	if *update {
		if err := os.WriteFile("schema.sql", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("schema.sql is not the schema (-schema.sql +migrated):\n%s", diff)
	}
}

// A second run does nothing, also when several nodes start at once.
func TestUpTwice(t *testing.T) {
	t.Parallel()
	url := storagetest.EmptyDatabase(t)
	done := make(chan error)
	for range 3 {
		go func() { done <- migrations.Up(t.Context(), url) }()
	}
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	have, want, err := migrations.Version(t.Context(), url)
	if err != nil || have != want || have == 0 {
		t.Errorf("version %d of %d: %v", have, want, err)
	}
}
