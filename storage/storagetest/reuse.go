package storagetest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
)

// mostUses limits how many tests use one database, and mostRows the number of rows that a test may leave in it. The files of the
// tables keep what was deleted, so a database that had many rows is slower than a new one.
const (
	mostUses = 40
	mostRows = 3000
)

// errUsedUp is the error of a database that no other test may use.
var errUsedUp = errors.New("used up")

// used is a database that tests use one after another. Creating a database and warming up its connections takes longer than most
// tests.
type used struct {
	conn   *pgx.Conn // as superuser, for whom triggers and foreign keys do nothing
	schema string    // as migrated
	uses   int
}

// asMigrated describes the schema and the statistics of a database by the number of rows in each catalog and the last transaction
// that wrote one.
const asMigrated = `
	SELECT concat_ws(' ',
	    (SELECT concat(count(*), ':', max(xmin::text::bigint)) FROM pg_class WHERE relnamespace = 'public'::regnamespace),
	    (SELECT concat(count(*), ':', max(a.xmin::text::bigint))
	     FROM pg_attribute a
	     JOIN pg_class c ON c.oid = attrelid
	     WHERE relnamespace = 'public'::regnamespace),
	    (SELECT concat(count(*), ':', max(xmin::text::bigint)) FROM pg_constraint WHERE connamespace = 'public'::regnamespace),
	    (SELECT concat(count(*), ':', max(xmin::text::bigint)) FROM pg_proc WHERE pronamespace = 'public'::regnamespace),
	    (SELECT concat(count(*), ':', max(xmin::text::bigint)) FROM pg_trigger),
	    (SELECT concat(count(*), ':', max(xmin::text::bigint)) FROM pg_policy),
	    (SELECT concat(count(*), ':', max(xmin::text::bigint)) FROM pg_sequence),
	    (SELECT count(*) FROM pg_namespace WHERE nspname NOT LIKE 'pg\_%'),
	    (SELECT count(*) FROM pg_statistic WHERE starelid >= 16384),
	    (SELECT sum(reltuples) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'), -- vacuuming changes it
	    (SELECT count(*) FROM pg_db_role_setting JOIN pg_database d ON d.oid = setdatabase WHERE datname = current_database()),
	    (SELECT count(*) FROM goose_db_version))`

// endOthers ends what a test has left going on in its database.
const endOthers = `
	SELECT pg_terminate_backend(pid, 20000)
	FROM pg_stat_activity
	WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND state <> 'idle'`

// prepareUse makes a database ready to be emptied after each test.
func prepareUse(ctx context.Context, address string, superuser *url.Userinfo) (*used, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	u.User = superuser
	config, err := pgx.ParseConfig(u.String())
	if err != nil {
		return nil, err
	}
	config.RuntimeParams["session_replication_role"] = "replica"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	one := &used{conn: conn}
	if err := one.prepare(ctx); err != nil {
		return nil, errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
	}
	return one, nil
}

func (u *used) prepare(ctx context.Context) error {
	rows, err := u.conn.Query(ctx, `
		SELECT relname::text
		FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'goose_db_version'
		ORDER BY 1`)
	if err != nil {
		return err
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	var body strings.Builder
	for _, table := range tables {
		name := pgx.Identifier{"public", table}.Sanitize()
		fmt.Fprintf(&body, "DELETE FROM %s; GET DIAGNOSTICS n = ROW_COUNT; total := total + n;\n", name)
		var filled bool
		if err := u.conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM "+name+")").Scan(&filled); err != nil {
			return err
		}
		if filled {
			kept := pgx.Identifier{"kept_" + table}.Sanitize()
			if _, err := u.conn.Exec(ctx, "CREATE TEMP TABLE "+kept+" AS TABLE "+name); err != nil {
				return err
			}
			fmt.Fprintf(&body, "INSERT INTO %s SELECT * FROM pg_temp.%s;\n", name, kept)
		}
	}
	_, err = u.conn.Exec(ctx, `
		CREATE FUNCTION pg_temp.empty_tables() RETURNS bigint LANGUAGE plpgsql AS $body$
		DECLARE
		    n bigint;
		    total bigint := 0;
		BEGIN
		    `+body.String()+`
		    PERFORM setval(seqrelid, seqstart, false) FROM pg_sequence;
		    RETURN total;
		END
		$body$`)
	if err != nil {
		return err
	}
	return u.conn.QueryRow(ctx, asMigrated).Scan(&u.schema)
}

// empty removes what a test has put into the database. It returns errUsedUp if the test has changed more than rows, or has
// left too many of them.
func (u *used) empty(ctx context.Context) error {
	var schema string
	if err := u.conn.QueryRow(ctx, asMigrated).Scan(&schema); err != nil {
		return err
	}
	if u.uses++; schema != u.schema || u.uses >= mostUses {
		return errUsedUp
	}
	if _, err := u.conn.Exec(ctx, endOthers); err != nil {
		return err
	}
	var rows int64
	if err := u.conn.QueryRow(ctx, "SELECT pg_temp.empty_tables()").Scan(&rows); err != nil {
		return err
	}
	if rows > mostRows {
		return errUsedUp
	}
	return nil
}
