package migrations

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

//go:embed schema.sql
var newest string

// catalog describes every table of the service as Postgres reports it: columns, constraints, indexes, policies and the
// privileges of the service's role.
const catalog = `
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
	    SELECT t.relname, 3, row_number() OVER (ORDER BY c.contype DESC, c.conname),
	        '    CONSTRAINT ' || c.conname || ' ' || pg_get_constraintdef(c.oid) || ','
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
	    SELECT t.relname, 8, 0, 'GRANT ' || string_agg(g.privilege_type, ', ' ORDER BY g.privilege_type) || ' ON ' || t.relname
	        || ' TO kalends_service;'
	    FROM tables t
	    JOIN information_schema.role_table_grants g ON g.table_name = t.relname AND g.grantee = 'kalends_service'
	    GROUP BY t.relname
	    UNION ALL
	    SELECT relname, 9, 0, '' FROM tables
	)
	SELECT line
	FROM lines
	ORDER BY relname, part, place`

// Difference is something of the database that is not as the migrations make it.
type Difference struct {
	What   string // in words, such as "the index events_image_idx of events"
	Is     string // "missing", "different", "switched off" or "not Kalends' own"
	Remedy string // what to do, most often a statement
	Harm   bool   // something fails, is wrong, or is not refused that should be; otherwise it is only slower or odd
}

// part is one thing of the schema.
type part struct{ kind, of, name string }

// String returns the part in words.
func (p part) String() string {
	switch p.kind {
	case "table", "function":
		return "the " + p.kind + " " + p.name
	case "row security":
		return "row-level security of " + p.of
	}
	return "the " + p.kind + " " + p.name + " of " + p.of
}

var (
	functionLine = regexp.MustCompile(`^CREATE OR REPLACE FUNCTION public\.(\w+)`)
	tableLine    = regexp.MustCompile(`^CREATE TABLE (\w+) \($`)
	keyLine      = regexp.MustCompile(`^    CONSTRAINT (\w+) `)
	columnLine   = regexp.MustCompile(`^    (\w+) `)
	indexLine    = regexp.MustCompile(`^CREATE (?:UNIQUE )?INDEX (\w+) `)
	triggerLine  = regexp.MustCompile(`^CREATE TRIGGER (\w+) `)
	policyLine   = regexp.MustCompile(`^CREATE POLICY (\w+) ON (\w+) `)
	wallLine     = regexp.MustCompile(`^ALTER TABLE (\w+) FORCE ROW LEVEL SECURITY;`)
	grantLine    = regexp.MustCompile(`^GRANT ([A-Z, ]+) ON (\w+) TO `)
)

// partsOf reads a text in the form of schema.sql.
func partsOf(text string) map[part]string {
	parts, table := map[part]string{}, ""
	var last part
	for line := range strings.SplitSeq(text, "\n") {
		at := part{}
		if m := functionLine.FindStringSubmatch(line); m != nil {
			at = part{"function", "", m[1]}
		} else if m := tableLine.FindStringSubmatch(line); m != nil {
			table = m[1]
			at = part{"table", "", table}
		} else if m := keyLine.FindStringSubmatch(line); m != nil && last.kind != "function" {
			at = part{"constraint", table, m[1]}
		} else if m := columnLine.FindStringSubmatch(line); m != nil && (last.kind == "table" || last.kind == "column") {
			at = part{"column", table, m[1]}
		} else if m := indexLine.FindStringSubmatch(line); m != nil {
			at = part{"index", table, m[1]}
		} else if m := triggerLine.FindStringSubmatch(line); m != nil {
			at = part{"trigger", table, m[1]}
		} else if m := policyLine.FindStringSubmatch(line); m != nil {
			at = part{"policy", m[2], m[1]}
		} else if m := wallLine.FindStringSubmatch(line); m != nil {
			at = part{"row security", m[1], ""}
		} else if m := grantLine.FindStringSubmatch(line); m != nil {
			at = part{"grant", m[2], m[1]}
		}
		if at != (part{}) {
			last = at
		}
		if last != (part{}) && line != ");" {
			parts[last] += line + "\n"
		}
	}
	for p, text := range parts {
		parts[p] = strings.TrimRight(strings.TrimSpace(text), ",")
	}
	return parts
}

// Describe returns the schema of a database in the form of schema.sql.
func Describe(ctx context.Context, db *sql.DB) (string, error) {
	lines, err := texts(ctx, db, catalog)
	return "-- The schema as the migrations leave it, to be read; TestSchema keeps it true.\n\n" + strings.Join(lines, "\n") + "\n", err
}

func texts(ctx context.Context, db *sql.DB, query string, arguments ...any) (list []string, err error) {
	rows, err := db.QueryContext(ctx, query, arguments...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, rows.Err()
}

// writtenBy is the version of Postgres that wrote schema.sql. Others write expressions in their own way.
const writtenBy = 15

// Compare returns what of the database at url is not as the migrations make it, for a service that works as a role. Policies are left out:
// storage/pg compares them for what they do. On a cluster, what citus.sql changes is left out, too.
func Compare(ctx context.Context, url, role string) ([]Difference, error) {
	db, err := sql.Open("pgx", url)
	if err != nil {
		return nil, fmt.Errorf("compare the schema: %w", err)
	}
	defer func() { _ = db.Close() }()
	const about = `
		SELECT current_setting('server_version_num')::int / 10000,
		       to_regprocedure('public.enter_site(bigint, bigint)') IS NOT NULL`
	c := comparison{}
	if err := db.QueryRowContext(ctx, about).Scan(&c.version, &c.spread); err != nil {
		return nil, fmt.Errorf("compare the schema: %w", err)
	}
	is, err := Describe(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("compare the schema: %w", err)
	}
	c.parts(partsOf(newest), partsOf(is))
	if err := c.state(ctx, db); err != nil {
		return nil, fmt.Errorf("compare the schema: %w", err)
	}
	if err := c.rights(ctx, db, role); err != nil {
		return nil, fmt.Errorf("compare the schema: %w", err)
	}
	slices.SortStableFunc(c.found, func(a, b Difference) int { return cmp.Compare(a.What, b.What) })
	return c.found, nil
}

// comparison is what is found while two schemas are compared.
type comparison struct {
	version int
	spread  bool
	found   []Difference
}

func (c *comparison) add(p part, is, remedy string, harm bool) {
	c.found = append(c.found, Difference{p.String(), is, remedy, harm})
}

// apart reports whether something is different on a cluster.
func (c *comparison) apart(p part) bool {
	return c.spread && (p.kind == "function" || p.of == "event_texts" || p.name == "event_texts" || p.of == "site_slugs" ||
		p.name == "sites_slug_key" || p.name == "sites_slug_idx" || p.kind == "constraint" && p.of == "domains" ||
		p.of == "sites" && p.name == "texts_indexed" || p.name == "provider_changes_numbered")
}

// parts compares the definitions of what there is.
func (c *comparison) parts(want, have map[part]string) {
	tables := map[string]bool{}
	for p := range have {
		tables[p.name] = tables[p.name] || p.kind == "table"
	}
	for p, text := range want {
		have, there := have[p]
		switch {
		case p.kind == "policy" || p.kind == "row security" || p.kind == "grant" || c.apart(p):
		case p.kind != "table" && p.of != "" && !tables[p.of]: // the table is missing
		case !there:
			c.add(p, "missing", p.making(text), p.kind != "index" || strings.HasPrefix(text, "CREATE UNIQUE"))
		case have != text && p.kind != "table":
			if c.version != writtenBy && p.kind != "column" || c.spread && p.kind == "constraint" {
				continue // the same in other words, perhaps
			}
			c.add(p, "different", "it reads "+oneLine(have)+" instead of "+oneLine(text)+": change it back", p.kind != "index")
		}
	}
	for p, text := range have {
		known := want[part{"table", "", p.of}] != ""
		if _, ours := want[p]; ours || !known || c.apart(p) {
			continue
		}
		switch p.kind {
		case "index":
			c.add(p, "not Kalends' own", "DROP INDEX "+p.name+", unless you made it on purpose", strings.HasPrefix(text, "CREATE UNIQUE"))
		case "trigger":
			c.add(p, "not Kalends' own", "DROP TRIGGER "+p.name+" ON "+p.of+", and find out who made it", true)
		case "constraint":
			c.add(p, "not Kalends' own", "ALTER TABLE "+p.of+" DROP CONSTRAINT "+p.name+": it refuses what the service stores", true)
		case "column":
			c.add(p, "not Kalends' own", "ALTER TABLE "+p.of+" DROP COLUMN "+p.name+", unless you made it on purpose",
				strings.Contains(text, "NOT NULL") && !strings.Contains(text, "DEFAULT"))
		}
	}
}

// making returns the statement that makes a missing part.
func (p part) making(text string) string {
	switch text = oneLine(text); p.kind {
	case "table":
		return "restore it from a backup: a table is made by its migration only"
	case "column":
		return "ALTER TABLE " + p.of + " ADD COLUMN " + text + ", and restore its values from a backup"
	case "constraint":
		return "ALTER TABLE " + p.of + " ADD " + text
	case "function":
		return "create it as in migrations/schema.sql"
	}
	return strings.TrimSuffix(text, ";")
}

// oneLine returns a definition in one line that is not too long to read.
func oneLine(text string) string {
	const most = 300
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + " …"
	}
	return text
}
