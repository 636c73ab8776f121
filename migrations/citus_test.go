package migrations_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/migrations"
	"github.com/kalends/kalends/storage/storagetest"
)

// The requirements of a cluster distributed by site, checked in the Postgres catalog. Each rule lists the violations;
// the text next to it says what is allowed.
var rules = []struct{ name, query, may string }{
	{
		// sites is the tenant itself. The rest belongs to the provider or to all sites.
		name: "tables without site_id",
		query: `
			SELECT c.relname
			FROM pg_class c
			WHERE c.relnamespace = 'public'::regnamespace
			  AND c.relkind IN ('r', 'p')
			  AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'site_id' AND NOT a.attisdropped)`,
		may: "goose_db_version installation jobs nodes plans provider_answers provider_challenges provider_changes provider_sessions provider_tokens provider_traffic sites",
	},
	{
		// domains finds the site by the name: it is on every node.
		name: "tables of sites without a primary key that begins with the site",
		query: `
			SELECT c.relname
			FROM pg_class c
			JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'site_id'
			WHERE c.relnamespace = 'public'::regnamespace
			  AND c.relkind IN ('r', 'p')
			  AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND i.indkey[0] = a.attnum)`,
		may: "domains",
	},
	{
		name: "unique indexes of sites that don't begin with the site",
		query: `
			SELECT i.indexrelid::regclass::text
			FROM pg_index i
			JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attname = 'site_id'
			WHERE i.indrelid::regclass::text NOT LIKE 'pg_%'
			  AND i.indisunique
			  AND i.indkey[0] <> a.attnum`,
		may: "domains_pkey",
	},
	{
		name: "foreign keys of sites that don't begin with the site on both sides",
		query: `
			SELECT k.conname
			FROM pg_constraint k
			JOIN pg_attribute mine ON mine.attrelid = k.conrelid AND mine.attname = 'site_id'
			LEFT JOIN pg_attribute theirs ON theirs.attrelid = k.confrelid
			  AND theirs.attname = CASE WHEN k.confrelid = 'sites'::regclass THEN 'id' ELSE 'site_id' END
			WHERE k.contype = 'f'
			  AND (k.conkey[1] <> mine.attnum OR theirs.attnum IS NULL OR k.confkey[1] <> theirs.attnum)`,
	},
	{
		name: "numbers that one table counts for all sites",
		query: `
			SELECT a.attrelid::regclass::text
			FROM pg_attribute a
			JOIN pg_class c ON c.oid = a.attrelid AND c.relnamespace = 'public'::regnamespace
			WHERE (a.attidentity <> '' OR EXISTS (
				SELECT FROM pg_attrdef d WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum AND pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval%'))
			  AND NOT a.attisdropped`,
		may: "goose_db_version jobs provider_changes provider_tokens sites",
	},
	{
		// citus.sql has these write the shard beside theirs; that of sites writes nothing.
		name: "triggers",
		query: `
			SELECT g.tgname
			FROM pg_trigger g
			JOIN pg_class c ON c.oid = g.tgrelid AND c.relnamespace = 'public'::regnamespace
			WHERE NOT g.tgisinternal`,
		may: "occurrences_added occurrences_changed occurrences_removed sites_checked users_added users_changed",
	},
	{
		// event_search and purge_changes name the site of the connection; site_of and name_site are citus.sql's to replace.
		name: "functions of ours",
		query: `
			SELECT p.proname
			FROM pg_proc p
			WHERE p.pronamespace = 'public'::regnamespace
			  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')`,
		may: "check_site count_added_occurrences count_changed_occurrences count_removed_occurrences erase_given erase_person event_search name_site note_user_addresses purge_changes site_of texts_in",
	},
	{
		// The triggers take the site from the rows they count. site_of finds one.
		name: "functions that don't name the site of the connection",
		query: `
			SELECT p.proname
			FROM pg_proc p
			WHERE p.pronamespace = 'public'::regnamespace
			  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
			  AND NOT (p.prosrc LIKE '%current_setting(''kalends.site''%' AND p.prosrc ~ '\msite_id = ')`,
		may: "check_site count_added_occurrences count_changed_occurrences count_removed_occurrences name_site note_user_addresses site_of texts_in",
	},
}

func TestSchemaCanBeDistributed(t *testing.T) {
	t.Parallel()
	conn := connect(t, storagetest.Database(t))
	for _, r := range rules {
		if diff := cmp.Diff(strings.Fields(r.may), names(t, conn, r.query), sorted); diff != "" {
			t.Errorf("%s (-may +are):\n%s", r.name, diff)
		}
	}
	// The rules see what breaks them.
	for sql, rule := range map[string]int{
		`CREATE TABLE wrong ()`: 0,
		`CREATE TABLE wrong (id bigint PRIMARY KEY, site_id bigint)`:                                                                      1,
		`CREATE UNIQUE INDEX wrong ON events (slug, site_id)`:                                                                             2,
		`ALTER TABLE drafts ADD other bigint, ADD CONSTRAINT wrong FOREIGN KEY (other, site_id) REFERENCES users (id, site_id) NOT VALID`: 3,
		`CREATE TABLE wrong (site_id bigint, id bigserial)`:                                                                               4,
		`CREATE FUNCTION wrong() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM events'`:                                            7,
	} {
		tx, err := conn.Begin(t.Context())
		must(t, err)
		if rule == 3 {
			_, err = tx.Exec(t.Context(), `ALTER TABLE users ADD UNIQUE (id, site_id)`)
			must(t, err)
		}
		_, err = tx.Exec(t.Context(), sql)
		must(t, err)
		r := rules[rule]
		if got := names(t, conn, r.query); len(got) != len(strings.Fields(r.may))+1 {
			t.Errorf("%s: %s finds %q", sql, r.name, got)
		}
		must(t, tx.Rollback(t.Context()))
	}
}

// standIn implements what citus.sql uses of Citus and rejects what Citus is known to reject: unique indexes and
// foreign keys without the distribution column, keys to tables distributed differently or not yet, SET NULL in keys,
// and policies with subqueries. It shows that the file satisfies these rules, not that a cluster accepts it.
const standIn = `
	CREATE TABLE pg_dist_partition (logicalrelid regclass PRIMARY KEY, by text, pairs text);
	CREATE FUNCTION citus_add_local_table_to_metadata(name regclass) RETURNS void LANGUAGE sql AS $$
		INSERT INTO pg_dist_partition VALUES (name, 'nothing') $$;
	CREATE FUNCTION create_reference_table(name regclass) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		IF EXISTS (SELECT FROM pg_constraint k WHERE k.contype = 'f' AND (k.conrelid = name
			AND k.confrelid NOT IN (SELECT logicalrelid FROM pg_dist_partition WHERE by IS NULL) OR k.confrelid = name)) THEN
			RAISE EXCEPTION '% has keys', name;
		END IF;
		INSERT INTO pg_dist_partition VALUES (name);
	END $$;
	CREATE FUNCTION create_distributed_table(name regclass, by text, colocate_with text) RETURNS void LANGUAGE plpgsql AS $$
	DECLARE
		place smallint = (SELECT attnum FROM pg_attribute WHERE attrelid = name AND attname = by);
	BEGIN
		IF EXISTS (SELECT FROM pg_index i WHERE i.indrelid = name AND i.indisunique AND NOT place = ANY (i.indkey)) THEN
			RAISE EXCEPTION '%: unique without %', name, by;
		END IF;
		IF EXISTS (SELECT FROM pg_constraint k WHERE k.contype = 'f' AND (k.conrelid = name OR k.confrelid = name)) THEN
			RAISE EXCEPTION '% has keys', name;
		END IF;
		IF EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = name AND pg_get_expr(p.polqual, p.polrelid) LIKE '%SELECT%') THEN
			RAISE EXCEPTION '%: policy with a subquery', name;
		END IF;
		IF colocate_with <> 'none' AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = colocate_with::regclass) THEN
			RAISE EXCEPTION '%: % is not there', name, colocate_with;
		END IF;
		INSERT INTO pg_dist_partition VALUES (name, by, colocate_with);
	END $$`

// refusedKeys are the keys that Citus would not accept again.
const refusedKeys = `
	SELECT k.conname
	FROM pg_constraint k
	JOIN pg_dist_partition p ON p.logicalrelid = k.conrelid
	LEFT JOIN pg_dist_partition o ON o.logicalrelid = k.confrelid
	WHERE k.contype = 'f'
	  AND (k.confdeltype = 'n' OR o.logicalrelid IS NULL OR p.by IS NULL AND o.by IS NOT NULL)`

func TestCitusFile(t *testing.T) {
	t.Parallel()
	conn := connect(t, storagetest.Database(t))
	file, err := os.ReadFile("citus.sql")
	must(t, err)
	_, err = conn.Exec(t.Context(), standIn)
	must(t, err)
	keys := names(t, conn, `SELECT conname FROM pg_constraint WHERE contype = 'f'`)
	spread := func() {
		t.Helper()
		must(t, pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), string(file))
			return err
		}))
	}
	spread()
	const ofSites = `
		SELECT a.attrelid::regclass::text
		FROM pg_attribute a
		JOIN pg_class c ON c.oid = a.attrelid AND c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
		WHERE a.attname = 'site_id' AND c.relname NOT IN ('domains', 'site_slugs')`
	equal(t, "by site", names(t, conn, `SELECT logicalrelid::text FROM pg_dist_partition WHERE by = 'site_id' AND pairs = 'sites'`),
		names(t, conn, ofSites))
	equal(t, "other", names(t, conn, `SELECT logicalrelid::text || COALESCE(' by ' || by, '') FROM pg_dist_partition WHERE by IS DISTINCT FROM 'site_id'`),
		[]string{"domains", "jobs by nothing", "plans", "provider_answers by nothing", "provider_changes by nothing", "site_slugs by nothing", "sites by id"})
	equal(t, "keys gone", append(names(t, conn, `SELECT conname FROM pg_constraint WHERE contype = 'f'`), "domains_site_fkey", "event_texts_site_fkey"), keys)
	equal(t, "keys that can't be", names(t, conn, refusedKeys), nil)

	_, err = conn.Exec(t.Context(), `CREATE TABLE later (site_id bigint REFERENCES sites (id) ON DELETE CASCADE, id bigint, PRIMARY KEY (site_id, id))`)
	must(t, err)
	spread()
	equal(t, "later", names(t, conn, `SELECT by FROM pg_dist_partition WHERE logicalrelid = 'later'::regclass`), []string{"site_id"})
}

func TestSpreadWithoutCitus(t *testing.T) {
	t.Parallel()
	if err := migrations.Spread(t.Context(), storagetest.Database(t)); !errors.Is(err, migrations.ErrNoCitus) {
		t.Errorf("%v, want it refused", err)
	}
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func names(t *testing.T, conn *pgx.Conn, query string) []string {
	t.Helper()
	rows, err := conn.Query(t.Context(), query)
	must(t, err)
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	return list
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sorted compares lists ignoring order.
var sorted = cmp.Transformer("sorted", func(list []string) map[string]int {
	m := map[string]int{}
	for _, s := range list {
		m[s]++
	}
	return m
})

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if diff := cmp.Diff(want, got, sorted); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
