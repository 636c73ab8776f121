package pg

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Examination is what can be seen of a database without changing anything.
type Examination struct {
	Version    int             // of Postgres, such as 160004
	Extensions map[string]bool // wanted ones: whether they are there
	Role       string          // the one the address names
	Bypasses   bool            // it is a superuser or may bypass row-level security
	Member     bool            // it may become the service's role
	Service    *bool           // whether the service's role bypasses; nil: there is none
	Unreadable []string        // tables that the role the service works as may not read
	ReadOnly   bool            // the database is read-only: it is a standby, or was set so
	Clock      time.Time       // the database's
	Most, Used int             // connections
	Walls                      // around the rows of each site
	Cluster    *Cluster        // nil: the database is on a single server
}

// Walls is what is wrong with row-level security on one server.
type Walls struct {
	Unforced []string // tables of sites that no forced row-level security holds
	Open     []string // tables of sites whose policies are not the schema's: of all sites, or of none
}

// extensions are those the schema needs.
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
	       current_setting('max_connections')::int,
	       (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend')
	FROM pg_roles r
	WHERE r.rolname = current_user`

// unforced names the tables with rows of sites that are not walled, and the shards of
// such tables. What the service reads across sites, to find one, is meant to be so.
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

// opened names the tables with rows of sites where no policy compares the site, or
// one that lets rows through does not. That of searches on a cluster compares words, too (citus.sql).
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

// acrossSites are tables that carry site_id and are read before the site is known,
// or for all sites at once; site_slugs is a cluster's.
var acrossSites = []string{"domains", "schedule", "site_slugs", "user_addresses"}

// ExamineReplica looks at the replica of the database behind url as the service
// does. It returns how far it is behind, or why it would not be read from.
func ExamineReplica(ctx context.Context, url, replica string) (lag time.Duration, why string, err error) {
	db, err := Open(ctx, url, Options{MaxConns: 1, Replica: replica})
	if err != nil {
		return 0, "", err
	}
	defer db.Close()
	var s ReplicaStats
	for range 3 { // it may be slow to connect to
		db.LookAtReplica(ctx)
		if s, why, _ = db.Replica(); why != silent {
			break
		}
	}
	return s.Lag, why, nil
}

// CheckAddress returns what is wrong with the address of a database, by its form.
func CheckAddress(url string) error {
	_, err := pgx.ParseConfig(url)
	return err
}

// Examine looks at the database behind url as the role of the address. It
// returns why that can't be done.
func Examine(ctx context.Context, url string) (*Examination, error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	e := &Examination{Extensions: map[string]bool{}}
	var there []string
	err = conn.QueryRow(ctx, examine, extensions, ServiceRole).Scan(&e.Version, &there, &e.Role, &e.Bypasses, &e.Member, &e.Service,
		&e.Clock, &e.ReadOnly, &e.Most, &e.Used)
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
