package archives

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/storagetest"
)

// carried are columns whose names sound like secrets and that travel with a site
// all the same, and why.
var carried = map[string]string{
	"users.password_hash":  "so that people can sign in after a move",
	"credentials.hash":     "so that programs can sign in after a move; nobody can make the key of it",
	"events.password":      "of an event that is shown to those who know it",
	"provider_tokens.hash": "as credentials.hash",
	"installation.secret":  "what the installation sealed is sealed with it",
	"images.key":           "the folder of a picture's blobs, part of public addresses",
	"users.login_key":      "the login, folded",
	"users.email_key":      "the address, folded",
	"reports.email_key":    "the address, folded",
	"venues.name_key":      "the name, folded",
	"organizers.name_key":  "the name, folded",
	"terms.name_key":       "the name, folded",
}

// TestArchiveHoldsEverything: a table of a site is archived, or it says in leftOut
// why it isn't. Columns travel by themselves, so one that sounds like a secret
// has to be in leftOut, or in carried with a reason.
func TestArchiveHoldsEverything(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, "it reads the catalogue of the schema, to which a cluster adds what is made anew")
	k := newCatalogue(t)
	tables := k.column(`
		SELECT c.relname::text
		FROM pg_class c
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'site_id' AND NOT a.attisdropped
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
		ORDER BY 1`)
	for _, table := range tables {
		if slices.Contains(archived, table) == (leftOut[table] != "") {
			t.Errorf("%s: put it into archived, after the tables it refers to, or into leftOut with the reason", table)
		}
	}
	for _, table := range k.column(`
		SELECT c.relname::text
		FROM pg_class c
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'goose_db_version'
		  AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'site_id' AND NOT a.attisdropped)`) {
		if table != "sites" && slices.Contains(installed, table) == (leftOut[table] != "") {
			t.Errorf("%s belongs to no site: put it into installed, or into leftOut with the reason", table)
		}
	}
	secret := regexp.MustCompile(`pass|secret|token|hash|seal|csrf|key|code_|private`)
	if err := pgx.BeginFunc(t.Context(), k.conn, func(tx pgx.Tx) error {
		list, err := readShapes(t.Context(), tx, slices.Concat(archived, installed))
		for _, s := range list {
			for _, column := range s.Columns {
				name := s.Name + "." + column
				if secret.MatchString(column) && carried[name] == "" {
					t.Errorf("%s sounds like a secret: put it into leftOut, or into carried, with the reason", name)
				}
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for name := range leftOut {
		table, column, _ := strings.Cut(name, ".")
		if got := k.column(`SELECT count(*)::text FROM pg_attribute WHERE attrelid = to_regclass($1) AND ($2 = '' OR attname = $2)`, table, column); got[0] == "0" {
			t.Errorf("%s is left out but isn't there", name)
		}
	}
}

// TestArchiveOrder: each table comes after those that its keys refer to.
func TestArchiveOrder(t *testing.T) {
	t.Parallel()
	k := newCatalogue(t)
	for i, table := range archived {
		for _, other := range k.column(`
			SELECT DISTINCT confrelid::regclass::text
			FROM pg_constraint
			WHERE contype = 'f' AND conrelid = $1::regclass AND confrelid <> conrelid`, table) {
			if at := slices.Index(archived, other); at < 0 && !slices.Contains(installed, other) || at > i {
				t.Errorf("%s comes before %s, to which it refers", table, other)
			}
		}
	}
}

// TestTermsAreRecounted: the events of a site that was just written, of which Postgres knows nothing, are looked up by their keys.
func TestTermsAreRecounted(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, "the rows are written without their shard")
	k := newCatalogue(t)
	site := k.column(`INSERT INTO sites (slug, name, timezone, language) VALUES ('new', 'New', 'UTC', 'en') RETURNING id::text`)[0]
	var plan string
	err := pgx.BeginFunc(t.Context(), k.conn, func(tx pgx.Tx) error {
		for _, sql := range []string{
			`SELECT set_config('kalends.site', '{site}', true)`,
			`INSERT INTO terms (site_id, id, version, taxonomy, name, name_key, slug, search)
			SELECT {site}, n, 1, 'tag', n::text, n::text, n::text, '' FROM generate_series(1, 20) n`,
			`INSERT INTO events (site_id, id, version, status, slug, published_at, dated, modified_at, title, timezone, start_local, end_local,
				start_utc, end_utc, search, venue_ids, organizer_ids, term_ids)
			SELECT {site}, n, 1, CASE WHEN n % 3 = 0 THEN 'draft' ELSE 'publish' END, 'e' || n, now(), true, now(), '', 'UTC', now(), now(),
				now(), now(), '', '{}', '{}', ARRAY[1 + n % 20]
			FROM generate_series(1, 3000) n`,
			`INSERT INTO event_terms (site_id, event_id, term_id) SELECT {site}, n, 1 + n % 20 FROM generate_series(1, 3000) n`,
			`SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`, // as in the service
			`PREPARE recount AS ` + recountTerms,
		} {
			if _, err := tx.Exec(t.Context(), strings.ReplaceAll(sql, "{site}", site)); err != nil {
				return err
			}
		}
		rows, err := tx.Query(t.Context(), "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE recount("+site+")", pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			return err
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		plan = strings.Join(lines, "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if regexp.MustCompile(`Removed by (Join )?Filter: \d{3,}`).MatchString(plan) {
		t.Errorf("all events are read for one:\n%s", plan)
	}
	err = pgx.BeginFunc(t.Context(), k.conn, func(tx pgx.Tx) (err error) {
		if _, err = tx.Exec(t.Context(), `SELECT set_config('kalends.site', $1, true)`, site); err != nil {
			return err
		}
		var counts string
		err = tx.QueryRow(t.Context(), `SELECT string_agg(DISTINCT count::text, ' ') FROM terms`).Scan(&counts)
		if counts != "100" {
			t.Errorf("published events of the terms: %q", counts)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// catalogue is a fresh database, of which the schema is read.
type catalogue struct {
	testing.TB
	conn *pgx.Conn
}

func newCatalogue(t *testing.T) *catalogue {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), storagetest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return &catalogue{t, conn}
}

// column reads one column of text.
func (k *catalogue) column(sql string, arguments ...any) []string {
	k.Helper()
	rows, err := k.conn.Query(k.Context(), sql, arguments...)
	if err != nil {
		k.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		k.Fatal(err)
	}
	return list
}
