// Package archives exports a site or the installation from Postgres to an archive, and imports it, table by table.
// It also stores the jobs for this.
package archives

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/archive"
)

// store implements archive.Store.
type store struct {
	db        *pg.DB
	onVersion func(site, version int64, content bool)
	readable  Reading
}

// Reading reads all items of a site within a transaction, the way requests will read them. It returns an error for
// the first item that cannot be read.
type Reading func(ctx context.Context, tx Queries, site int64) error

// Queries runs statements within a transaction.
type Queries interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Sites returns the store that sites are exported from and imported into. It calls onVersion for each site that an
// import has created, and calls readable to refuse an import with unreadable items.
func Sites(db *pg.DB, onVersion func(site, version int64, content bool), readable Reading) archive.Store {
	return store{db, onVersion, readable}
}

// archived are the tables of a site that its archive holds, each after the tables it refers to. Their columns are read from
// the catalogue, so that new columns are included without a change here. TestArchiveHoldsEverything requires every table of a
// site to be here or in leftOut.
var archived = []string{
	"sites", "domains", "users", "credentials", "passkeys", "images", "venues", "organizers", "terms",
	"events", "occurrences", "removed_occurrences", "former_dates", "divided_series",
	"event_venues", "event_organizers", "event_terms", "schedule", "redirects", "translated_slugs", "drafts", "submissions", "reports",
	"import_identities", "import_columns", "import_brought", "event_numbers", "site_numbers", "changes",
}

// installed are the tables of the installation that its backup holds.
var installed = []string{"installation", "provider_tokens", "plans"}

// leftOut are the tables and columns that no archive holds, with the reasons.
var leftOut = map[string]string{
	"event_texts":               "the texts of events, seen from the side",
	"occurrence_days":           "sums, which the database makes anew as occurrences are stored",
	"user_addresses":            "digests, which the database makes anew as users are stored",
	"sessions":                  "who is signed in where is signed in there: after a move people sign in again",
	"sign_in_providers":         "as second_factors",
	"sign_in_identities":        "the provider of the site is in no archive",
	"second_factors":            "the key that encrypts them is in no archive: where a site is restored, people set up their apps anew",
	"vouchers":                  "links that are good once, sent to people for the place they were sent from",
	"challenges":                "good for minutes",
	"attempts":                  "good for minutes",
	"forms":                     "good for minutes",
	"unconfirmed_submissions":   "good for days, by letters from the place they were sent to",
	"previews":                  "addresses of the place they were made at, good for days",
	"provider_sessions":         "as sessions",
	"provider_challenges":       "as challenges",
	"provider_traffic":          "as provider_changes",
	"domain_claims":             "a domain that isn't proved yet is asked for anew where the site is",
	"sites.plan":                "the manifest names it: a site gets the plan of that name, or the default one",
	"installation.backed_up_at": "of backups of that installation",
	"nodes":                     "what nodes note of themselves for a minute",
	"installation.pictures":     "it says where the files of one installation are; another one has them elsewhere",
	"sites.id":                  "each installation numbers its sites itself",
	"provider_tokens.id":        "as sites.id",
	"jobs":                      "good for a day, on the nodes that do them",
	"provider_changes":          "it names sites by numbers, which another installation gives to others",
	"selections":                "tokens of followers are good for the place that gave them",
	"selected_objects":          "as selections",
	"imports":                   "reports of what was done here, good for a year; what entries are known by again travels",
	"import_files":              "as imports",
	"import_entries":            "as imports",
	"import_made":               "as imports",
	"sites.imports_due":         "as imports",
	"provider_answers":          "as kept_answers",
	"webhooks":                  "a key signs for them that no archive may hold, and receivers know the place that they were told of",
	"webhook_messages":          "as webhooks",
	"webhook_deliveries":        "as webhooks",
	"webhook_rounds":            "as webhooks",
	"letter_subscriptions":      "nobody takes addresses away, and who has left since would get letters again",
	"letter_months":             "as letter_subscriptions",
	"letter_rounds":             "as letter_subscriptions",
	"attention_rounds":          "as jobs",
	"users.told_at":             "of mail from the place that sent it",
	"sources":                   "what a source is read with is encrypted with a key that no archive may hold",
	"sites.sources":             "as sources",
	"sites.sources_due":         "as sources",
	"events.source_id":          "as sources",
	"events.given":              "as sources",
	"gatherings":                "as sources",
	"sites.texts_indexed":       "searches of the place go by it: an event that is stored anew is indexed",
	"events.texts_indexed":      "as sites.texts_indexed",
	"sites.share":               "it names other sites of the place",
	"sites.share_on":            "as share",
	"sites.listed":              "whether another place lists a site is decided there",
	"kept_answers":              "good for a day, for programs that know the place they asked",
}

// shape is the description of an archived table in the catalogue.
type shape struct {
	archive.Table
	owner string   // column with the site's id, "" in a table of the installation
	key   []string // the primary key without the owner
	self  []string // columns that refer to rows of the same table
}

// shapes reads the shapes of tables. It leaves out generated columns and identities, which the database makes itself.
const shapes = `
	SELECT c.relname::text,
	       array_agg(a.attname::text ORDER BY a.attnum) FILTER (
	           WHERE a.attgenerated = ''
	             AND a.attidentity = ''
	             AND a.attname <> 'site_id'
	             AND c.relname || '.' || a.attname <> ALL (@left::text[])),
	       COALESCE(bool_or(a.attname = 'site_id'), false),
	       COALESCE((SELECT array_agg(k.attname::text ORDER BY p.place)
	           FROM pg_index i
	           CROSS JOIN unnest(i.indkey) WITH ORDINALITY p (number, place)
	           JOIN pg_attribute k ON k.attrelid = c.oid AND k.attnum = p.number
	           WHERE i.indrelid = c.oid
	             AND i.indisprimary
	             AND k.attname <> 'site_id'), '{}'),
	       COALESCE((SELECT array_agg(DISTINCT k.attname::text)
	           FROM pg_constraint f
	           CROSS JOIN unnest(f.conkey) p (number)
	           JOIN pg_attribute k ON k.attrelid = c.oid AND k.attnum = p.number
	           WHERE f.conrelid = c.oid
	             AND f.confrelid = c.oid
	             AND f.contype = 'f'
	             AND k.attname <> 'site_id'), '{}')
	FROM pg_class c
	JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
	WHERE c.relnamespace = 'public'::regnamespace
	  AND c.relkind IN ('r', 'p')
	  AND c.relname = ANY (@tables::text[])
	GROUP BY c.oid, c.relname
	ORDER BY array_position(@tables::text[], c.relname::text)`

func readShapes(ctx context.Context, tx pgx.Tx, tables []string) ([]shape, error) {
	left := make([]string, 0, len(leftOut))
	for name := range leftOut {
		left = append(left, name)
	}
	rows, err := tx.Query(ctx, shapes, pgx.NamedArgs{"tables": tables, "left": left})
	if err != nil {
		return nil, err
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s shape, err error) {
		var ofSite bool
		if err = row.Scan(&s.Name, &s.Columns, &ofSite, &s.key, &s.self); ofSite {
			s.owner = "site_id"
		}
		if s.Name == "sites" {
			s.owner = "id"
		}
		return s, err
	})
	if err == nil && len(list) != len(tables) {
		err = fmt.Errorf("%d of the tables %v are there", len(list), tables)
	}
	return list, err
}

// names returns the columns as SQL, each with a prefix.
func names(prefix string, columns []string) string {
	list := make([]string, len(columns))
	for i, column := range columns {
		list[i] = prefix + pgx.Identifier{column}.Sanitize()
	}
	return strings.Join(list, ", ")
}

// ReadSite implements archive.Store. The transaction lasts as long as show does, and blocks nobody.
func (in store) ReadSite(ctx context.Context, show func(context.Context, archive.Snapshot) error) error {
	const get = `SELECT` + platform.SiteColumns + platform.WithPlans + `
		WHERE s.id = $1`
	id, err := pg.Site(ctx)
	if err != nil {
		return err
	}
	return in.moment(ctx, id, archived, func(ctx context.Context, m *moment) error {
		if err := pg.EnterIn(ctx, m.tx, id); err != nil {
			return err
		}
		if m.site, err = platform.ScanSite(m.tx.QueryRow(ctx, get, id)); err != nil {
			return err
		}
		return show(ctx, m)
	})
}

// Overview implements archive.Store.
func (in store) Overview(ctx context.Context) (*archive.Overview, error) {
	const list = `
		SELECT slug,
		       name,
		       state,
		       version,
		       created_at
		FROM sites
		ORDER BY slug`
	o := &archive.Overview{}
	err := in.moment(ctx, 0, archived, func(ctx context.Context, m *moment) error {
		o.Tables = m.Tables()
		return m.each(ctx, list, nil, func(row pgx.Rows) error {
			var s archive.Origin
			err := row.Scan(&s.Slug, &s.Name, &s.State, &s.Version, (*pg.UTC)(&s.Created))
			o.Sites = append(o.Sites, s)
			return err
		})
	})
	return o, err
}

// ReadInstallation implements archive.Store.
func (in store) ReadInstallation(ctx context.Context, show func(context.Context, archive.Snapshot) error) error {
	return in.moment(ctx, 0, installed, func(ctx context.Context, m *moment) error { return show(ctx, m) })
}

// moment implements archive.Snapshot within one transaction.
type moment struct {
	tx     pgx.Tx
	site   *tenancy.Site
	shapes []shape
}

func (in store) moment(ctx context.Context, site int64, tables []string, do func(context.Context, *moment) error) error {
	all := in.db.At("a moment of a site, or of the installation, is read in one transaction", site)
	err := pgx.BeginTxFunc(ctx, all, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if err := pg.Unhurried(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `SET LOCAL idle_in_transaction_session_timeout = 0`); err != nil {
			return err // it only reads, so nobody waits for its locks
		}
		list, err := readShapes(ctx, tx, tables)
		if err != nil {
			return err
		}
		return do(ctx, &moment{tx: tx, shapes: list})
	})
	return in.archiveFailure(err)
}

// becoming are the constraints on the names that the importer chooses for the site. All other constraints concern
// the contents of the archive, which the importer cannot change.
var becoming = map[string]bool{"sites_slug_key": true, "sites_slug_check": true, "domains_pkey": true}

// archiveFailure is Failure for errors whose cause may be the archive: its format, or rows that no site could have
// written.
func (in store) archiveFailure(err error) error {
	var said *pgconn.PgError
	if errors.As(err, &said) && !becoming[pg.Constraint(said)] && pg.OfRow(said.Code) {
		return fmt.Errorf("%w: %w", archive.ErrDamaged, err)
	}
	if unreadable := (pgx.ScanArgError{}); errors.As(err, &unreadable) {
		return fmt.Errorf("%w: %w", archive.ErrDamaged, err)
	}
	for _, own := range []error{archive.ErrDamaged, archive.ErrTooNew, archive.ErrTooLarge, archive.ErrNoArchive} {
		if errors.Is(err, own) {
			return err
		}
	}
	return in.db.Failure(err)
}

// Site implements archive.Snapshot.
func (m *moment) Site() *tenancy.Site { return m.site }

// Tables implements archive.Snapshot.
func (m *moment) Tables() []archive.Table {
	list := make([]archive.Table, len(m.shapes))
	for i := range m.shapes {
		list[i] = m.shapes[i].Table
	}
	return list
}

// Rows implements archive.Snapshot. It streams the rows.
func (m *moment) Rows(ctx context.Context, table string, yield func([]byte) error) error {
	for i := range m.shapes {
		if s := &m.shapes[i]; s.Name == table {
			var arguments []any
			if s.owner != "" {
				arguments = append(arguments, m.site.ID)
			}
			return m.each(ctx, s.list(), arguments, func(row pgx.Rows) error { return yield(row.RawValues()[0]) })
		}
	}
	return fmt.Errorf("no table %q", table)
}

// list returns the statement that reads a table in the order of its key.
func (s *shape) list() string {
	sql := `SELECT row_to_json(r)::text FROM (SELECT ` + names("", s.Columns) + ` FROM ` + names("", []string{s.Name})
	if s.owner != "" {
		sql += ` WHERE ` + s.owner + ` = $1`
	}
	if len(s.key) > 0 {
		sql += ` ORDER BY ` + names("", s.key)
	}
	return sql + `) r`
}

// Bytes implements archive.Snapshot. Postgres produces the lines a second time, only to count their bytes.
func (m *moment) Bytes(ctx context.Context) (total int64, err error) {
	const files = `
		SELECT COALESCE(sum(f.bytes), 0)::bigint
		FROM images i
		CROSS JOIN LATERAL (
		    SELECT i.file, i.bytes
		    UNION
		    SELECT s ->> 'file', (s ->> 'bytes')::bigint FROM jsonb_array_elements(i.sizes) s
		) f (file, bytes)
		WHERE i.site_id = $1`
	for i := range m.shapes {
		n, err := m.size(ctx, &m.shapes[i])
		if err != nil {
			return 0, err
		}
		total += n
	}
	if m.site == nil {
		return total, nil
	}
	var blobs int64
	err = m.tx.QueryRow(ctx, files, m.site.ID).Scan(&blobs)
	return total + blobs, err
}

// size returns the size of a table's lines in bytes.
func (m *moment) size(ctx context.Context, s *shape) (n int64, err error) {
	sql := `SELECT COALESCE(sum(octet_length(line) + 1), 0)::bigint FROM (` + s.list() + `) l (line)`
	var arguments []any
	if s.owner != "" {
		arguments = append(arguments, m.site.ID)
	}
	return n, m.tx.QueryRow(ctx, sql, arguments...).Scan(&n)
}

func (m *moment) each(ctx context.Context, sql string, arguments []any, do func(pgx.Rows) error) error {
	rows, err := m.tx.Query(ctx, sql, arguments...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Blobs implements archive.Snapshot.
func (m *moment) Blobs(ctx context.Context, yield func(key, file string) error) error {
	const files = `
		SELECT i.key,
		       f.file
		FROM images i
		CROSS JOIN LATERAL (
		    SELECT i.file
		    UNION
		    SELECT s ->> 'file' FROM jsonb_array_elements(i.sizes) s
		) f (file)
		WHERE i.site_id = $1
		ORDER BY i.id, f.file`
	if m.site == nil {
		return nil
	}
	return m.each(ctx, files, []any{m.site.ID}, func(row pgx.Rows) error {
		var key, file string
		if err := row.Scan(&key, &file); err != nil {
			return err
		}
		return yield(key, file)
	})
}
