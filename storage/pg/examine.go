package pg

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// Examination is what Examine finds out about a database, without changing anything.
type Examination struct {
	Version    int             // version of Postgres, such as 160004
	Extensions map[string]bool // the extensions that the schema needs, and whether they are available
	Role       string          // the role in the URL
	Bypasses   bool            // the role is a superuser or may bypass row-level security
	Member     bool            // the role may switch to the service's role
	Service    *bool           // whether the service's role may bypass row-level security; nil: there is no such role
	Unreadable []string        // tables that the service's role may not read
	ReadOnly   bool            // the database is a standby or was set to read-only
	Clock      time.Time       // the database's
	Most, Used int             // connections that Postgres allows this role, and connections in use
	Limit      string          // the lowest limit on connections: "max_connections", "role" or "database"
	Settings                   // of the session
	Walls                      // row-level security of each site's rows
	Cluster    *Cluster        // nil: the database is on a single server
}

// Settings are the settings of a session and its database that can break the service.
type Settings struct {
	Encoding, Ctype string            // of the database
	Recorded        string            // version of the collation when the database was created, "" if it has none
	Actual          string            // the present one
	Set             map[string]string // settings with an unwanted value, by name: see unwanted
	Expires         *time.Time        // when the role's password expires; nil: never
}

// Walls lists what is wrong with row-level security on one server.
type Walls struct {
	Unforced []string // tables of sites without forced row-level security
	Open     []string // tables of sites whose policies do not compare the site as the schema's policies do
}

// extensions are the extensions that the schema needs.
var extensions = []string{"pg_trgm", "btree_gin"}

const examine = `
	SELECT current_setting('server_version_num')::int,
	       ARRAY(SELECT extname::text FROM pg_extension WHERE extname = ANY($1)),
	       r.rolname::text,
	       r.rolsuper OR r.rolbypassrls,
	       COALESCE((SELECT pg_has_role(current_user, s.oid, 'MEMBER') FROM pg_roles s WHERE s.rolname = $2), false),
	       (SELECT s.rolsuper OR s.rolbypassrls FROM pg_roles s WHERE s.rolname = $2),
	       clock_timestamp(),
	       current_setting('transaction_read_only')::bool,
	       pg_encoding_to_char(d.encoding)::text,
	       d.datctype::text,
	       COALESCE(d.datcollversion, '')::text,
	       COALESCE(pg_database_collation_actual_version(d.oid), '')::text,
	       NULLIF(r.rolvaliduntil, 'infinity')
	FROM pg_roles r,
	     pg_database d
	WHERE r.rolname = current_user
	  AND d.datname = current_database()`

// connected reads how many connections the server, the role and the database allow, and how many each has.
const connected = `
	SELECT limits.name,
	       limits.most,
	       count(a.pid)::int
	FROM pg_roles r
	JOIN pg_database d ON d.datname = current_database()
	CROSS JOIN LATERAL (VALUES
		('max_connections', current_setting('max_connections')::int - CASE WHEN r.rolsuper THEN 0 ELSE
			current_setting('superuser_reserved_connections')::int + COALESCE(current_setting('reserved_connections', true)::int, 0) END),
		('role', CASE WHEN r.rolconnlimit < 0 OR r.rolsuper THEN 1000000 ELSE r.rolconnlimit END),
		('database', CASE WHEN d.datconnlimit < 0 OR r.rolsuper THEN 1000000 ELSE d.datconnlimit END)) limits (name, most)
	LEFT JOIN pg_stat_activity a ON a.backend_type = 'client backend'
	  AND a.pid <> pg_backend_pid()
	  AND (limits.name = 'max_connections' OR limits.name = 'role' AND a.usesysid = r.oid OR limits.name = 'database' AND a.datid = d.oid)
	WHERE r.rolname = current_user
	GROUP BY limits.name, limits.most
	ORDER BY limits.most - count(a.pid)
	LIMIT 1`

// unwanted are settings of Postgres that can break the service, with the values it needs.
var unwanted = map[string]string{
	"fsync":                       "on",
	"full_page_writes":            "on",
	"synchronous_commit":          "on",
	"row_security":                "on",
	"session_replication_role":    "origin",
	"track_counts":                "on",
	"autovacuum":                  "on",
	"standard_conforming_strings": "on",
}

// settings reads the current values of the unwanted settings, and the search path if it does not find the tables.
const settings = `
	SELECT s.name,
	       current_setting(s.name, true)
	FROM unnest($1::text[]) s (name)
	UNION ALL
	SELECT 'search_path', current_setting('search_path')
	WHERE to_regclass('public.sites') IS NOT NULL
	  AND to_regclass('sites') IS DISTINCT FROM to_regclass('public.sites')`

// unforced finds the tables with rows of sites, and their shards, that have no forced row-level security. It leaves
// out the tables $1, which the service reads across sites.
const unforced = `
	SELECT c.relname::text
	FROM pg_class c
	JOIN pg_attribute a ON a.attrelid = c.oid
	WHERE c.relnamespace = 'public'::regnamespace
	  AND c.relkind IN ('r', 'p')
	  AND a.attname = 'site_id'
	  AND NOT a.attisdropped
	  AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
	  AND regexp_replace(c.relname, '_[0-9]+$', '') <> ALL($1)
	ORDER BY c.relname`

// opened finds the tables with rows of sites where no policy compares the site, or where a policy that lets rows through does
// not. On a cluster the policy for searches compares words, too (citus.sql).
const opened = `
	SELECT c.relname::text
	FROM pg_class c
	JOIN pg_attribute a ON a.attrelid = c.oid
	WHERE c.relnamespace = 'public'::regnamespace
	  AND c.relkind IN ('r', 'p')
	  AND a.attname = 'site_id'
	  AND NOT a.attisdropped
	  AND regexp_replace(c.relname, '_[0-9]+$', '') <> ALL($1)
	  AND (
		SELECT count(*) FILTER (WHERE compares) = 0 OR bool_or(NOT compares)
		FROM (
			SELECT COALESCE((pg_get_expr(p.polqual, p.polrelid) LIKE '(site_id = (%kalends.site%'
			               AND pg_get_expr(p.polqual, p.polrelid) NOT LIKE '% OR %'
			               OR pg_get_expr(p.polqual, p.polrelid)
			                   LIKE '((site_id = (%kalends.site%) AND (search ~~ searched\_word(1)) AND (%'
			               AND p.polroles = ARRAY(SELECT oid FROM pg_roles WHERE rolname = 'kalends_search'))
			           AND COALESCE(pg_get_expr(p.polwithcheck, p.polrelid) = pg_get_expr(p.polqual, p.polrelid), true), false) AS compares
			FROM pg_policy p
			WHERE p.polrelid = c.oid
			  AND p.polpermissive
		) policies
	  )
	ORDER BY c.relname`

// unreadable names the tables that a role may not read.
const unreadable = `
	SELECT c.relname::text
	FROM pg_class c
	WHERE c.relnamespace = 'public'::regnamespace
	  AND c.relkind IN ('r', 'p')
	  AND c.relname <> 'goose_db_version'
	  AND NOT has_table_privilege($1, c.oid, 'SELECT')
	ORDER BY c.relname`

// acrossSites are tables with site_id that the service reads before it knows the site, or for all sites at once.
// site_slugs exists only on a cluster.
var acrossSites = []string{"attention_rounds", "domains", "gatherings", "letter_rounds", "schedule", "site_slugs",
	"user_addresses", "webhook_rounds"}

// CheckAddress checks the syntax of a database URL. It returns an error that says what is wrong.
func CheckAddress(url string) error {
	_, err := pgx.ParseConfig(url)
	return err
}

// Examine examines the database behind url, as the role in that URL. It returns an error if it cannot connect to
// the database or read from it.
func Examine(ctx context.Context, url string) (*Examination, error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	e := &Examination{Extensions: map[string]bool{}}
	var there []string
	err = conn.QueryRow(ctx, examine, extensions, ServiceRole).Scan(&e.Version, &there, &e.Role, &e.Bypasses, &e.Member, &e.Service,
		&e.Clock, &e.ReadOnly, &e.Encoding, &e.Ctype, &e.Recorded, &e.Actual, &e.Expires)
	if err == nil {
		err = conn.QueryRow(ctx, connected).Scan(&e.Limit, &e.Most, &e.Used)
	}
	if err == nil {
		e.Set, err = set(ctx, conn)
	}
	if err != nil {
		return nil, err
	}
	for _, name := range extensions {
		e.Extensions[name] = false
	}
	for _, name := range there {
		e.Extensions[name] = true
	}
	service := e.Role
	if e.Member {
		service = ServiceRole
	}
	if e.Walls, err = examineWalls(ctx, conn); err != nil {
		return nil, err
	}
	if e.Unreadable, err = names(ctx, conn, unreadable, service); err != nil {
		return nil, err
	}
	e.Cluster, err = examineCluster(ctx, conn)
	return e, err
}

// set returns the settings that can break the service, with their values.
func set(ctx context.Context, conn *pgx.Conn) (map[string]string, error) {
	rows, err := conn.Query(ctx, settings, slices.Sorted(maps.Keys(unwanted)))
	if err != nil {
		return nil, err
	}
	spoiled := map[string]string{}
	var name string
	var value *string
	_, err = pgx.ForEachRow(rows, []any{&name, &value}, func() error {
		if wanted, checked := unwanted[name]; !checked || value != nil && *value != wanted {
			spoiled[name] = *value
		}
		return nil
	})
	return spoiled, err
}

// Commit measures how long a writing transaction takes: it returns the median of times transactions on one
// connection. It writes to no table. It returns an error for a standby or a read-only database.
func Commit(ctx context.Context, url string, times int) (time.Duration, error) {
	const write = `SELECT pg_logical_emit_message(true, 'kalends', 'kalends doctor measures a commit')`
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	all := make([]time.Duration, 0, times)
	for range times {
		begun := time.Now()
		if _, err := conn.Exec(ctx, write); err != nil {
			return 0, err
		}
		all = append(all, time.Since(begun))
	}
	slices.Sort(all)
	return all[len(all)/2], nil
}

func examineWalls(ctx context.Context, conn *pgx.Conn) (w Walls, err error) {
	if w.Unforced, err = names(ctx, conn, unforced, acrossSites); err != nil {
		return w, err
	}
	w.Open, err = names(ctx, conn, opened, acrossSites)
	return w, err
}

func names(ctx context.Context, conn *pgx.Conn, query string, arguments ...any) ([]string, error) {
	rows, err := conn.Query(ctx, query, arguments...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
