package migrations

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// state finds what is there and does not work: triggers that are switched off, indexes that were not completed, sequences behind the
// numbers of their rows.
func (c *comparison) state(ctx context.Context, db *sql.DB) error {
	const off = `
		SELECT g.tgname || ' ' || t.relname
		FROM pg_trigger g
		JOIN pg_class t ON t.oid = g.tgrelid AND t.relnamespace = 'public'::regnamespace
		WHERE g.tgenabled IN ('D', 'R')
		ORDER BY 1`
	const broken = `
		SELECT i.indexrelid::regclass::text || ' ' || t.relname
		FROM pg_index i
		JOIN pg_class t ON t.oid = i.indrelid AND t.relnamespace = 'public'::regnamespace
		WHERE NOT i.indisvalid
		   OR NOT i.indisready
		ORDER BY 1`
	const behind = `
		SELECT 'sites_id_seq ' || (SELECT max(id) FROM sites)
		FROM sites_id_seq q
		WHERE COALESCE((SELECT max(id) FROM sites), 0) > q.last_value`
	list, err := texts(ctx, db, off)
	if err != nil {
		return err
	}
	for _, one := range list {
		name, table, _ := strings.Cut(one, " ")
		if strings.HasPrefix(name, "RI_") { // of a foreign key
			c.add(part{"trigger", table, name}, "switched off", "ALTER TABLE "+table+" ENABLE TRIGGER ALL: it holds a foreign key", true)
			continue
		}
		c.add(part{"trigger", table, name}, "switched off", "ALTER TABLE "+table+" ENABLE TRIGGER "+name, true)
	}
	if list, err = texts(ctx, db, broken); err != nil {
		return err
	}
	for _, one := range list {
		name, table, _ := strings.Cut(one, " ")
		c.add(part{"index", table, name}, "not complete, so it is not used", "REINDEX INDEX "+name, true)
	}
	if c.spread {
		return nil // workers number in ranges of their own
	}
	if c.missing("sites") {
		return nil
	}
	list, err = texts(ctx, db, behind)
	if err != nil && !strings.Contains(err.Error(), "42P01") && !strings.Contains(err.Error(), "42501") {
		return err
	}
	for _, one := range list {
		_, to, _ := strings.Cut(one, " ")
		c.found = append(c.found, Difference{"the sequence sites_id_seq", "behind the numbers of the sites",
			"SELECT setval('sites_id_seq', " + to + "): new sites get numbers that are taken", true})
	}
	return nil
}

// missing reports whether a table was found missing.
func (c *comparison) missing(table string) bool {
	for _, d := range c.found {
		if d.What == (part{"table", "", table}).String() && d.Is == "missing" {
			return true
		}
	}
	return false
}

// rights finds what the role of the service may not do and has to.
func (c *comparison) rights(ctx context.Context, db *sql.DB, role string) error {
	const may = `
		SELECT has_schema_privilege($1, 'public', 'USAGE'),
		       COALESCE(has_sequence_privilege($1, to_regclass('public.sites_id_seq')::oid, 'USAGE'), true)`
	const lacks = `
		SELECT w.privilege
		FROM unnest(string_to_array($3, ', ')) w (privilege)
		WHERE NOT has_table_privilege($1, to_regclass('public.' || $2)::oid, w.privilege)
		ORDER BY 1`
	const functions = `
		SELECT p.oid::regprocedure::text
		FROM pg_proc p
		WHERE p.pronamespace = 'public'::regnamespace
		  AND p.prorettype <> 'trigger'::regtype
		  AND p.proname = ANY(string_to_array($2, ' '))
		  AND NOT has_function_privilege($1, p.oid, 'EXECUTE')
		ORDER BY 1`
	var schema, sequence bool
	if err := db.QueryRowContext(ctx, may, role).Scan(&schema, &sequence); err != nil {
		return err
	}
	lack := func(what, statement string) {
		c.found = append(c.found, Difference{what, "missing", statement + " TO " + role, true})
	}
	if !schema {
		lack("the right to use the schema public", "GRANT USAGE ON SCHEMA public")
	}
	if !sequence {
		lack("the right to number sites", "GRANT USAGE ON SEQUENCE sites_id_seq")
	}
	var names []string
	for p := range partsOf(newest) {
		if p.kind == "function" {
			names = append(names, p.name)
		}
		if p.kind != "grant" || c.missing(p.of) || c.apart(p) {
			continue
		}
		list, err := texts(ctx, db, lacks, role, p.of, p.name)
		if err != nil {
			return err
		}
		if privileges := strings.Join(list, ", "); privileges != "" {
			lack(fmt.Sprintf("the right to %s in %s", privileges, p.of), "GRANT "+privileges+" ON "+p.of)
		}
	}
	list, err := texts(ctx, db, functions, role, strings.Join(names, " "))
	for _, name := range list {
		lack("the right to call "+name, "GRANT EXECUTE ON FUNCTION "+name)
	}
	return err
}
