package pg

import (
	"context"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kalends/kalends/tenancy"
)

// Tx is one writing transaction on one site. The site's row is locked from
// start to commit, so writes to a site follow one another and versions become
// visible in order.
type Tx struct {
	Site    int64
	Source  tenancy.Source // source of the next change
	Now     time.Time
	Version int64 // version of the site, once committed
	Last    Counters
	Links   int64 // version of the linked items before the transaction
	Linked  bool  // an item that events are linked to has changed
	Counted bool  // a term's number of events has changed, or an item that events can be linked to was created
	Raised  bool  // lists change although no item has
	// TextsIndexed is true if searches find the texts of all events of the site by index (ADR 185).
	TextsIndexed bool

	Together bool // the transaction is shared with other changes
	Own      any  // data that callers keep with the transaction

	conn    *pgxpool.Conn
	at      home
	kinds   map[string]Kind
	failure func(error) error
	use     use
	changes []Change
	sources []tenancy.Source // of the changes
	beyond  bool             // something besides content changed
	later   *pgx.Batch       // statements sent together with the commit
}

// Counters are the last ids that a site has assigned.
type Counters struct{ Post, Term, User int64 }

// Change is one row of the history.
type Change struct {
	Kind   string
	ID     int64
	Action string
	before *string // the replaced values as JSON; nil if there are none
	kept   *string // the part of them that the history never shows
	source int     // number of its source in the transaction, from 1
}

// Replaced returns the values that a change replaced, as the history stores them, or nil if there are none.
func (c *Change) Replaced() []byte {
	if c.before == nil {
		return nil
	}
	return []byte(*c.before)
}

// NextPost returns a new id for an event, venue, organizer or image.
func (t *Tx) NextPost() int64 { t.Last.Post++; return t.Last.Post }

// NextTerm returns a new id for a category or tag.
func (t *Tx) NextTerm() int64 { t.Last.Term++; return t.Last.Term }

// NextUser returns a new id for a user.
func (t *Tx) NextUser() int64 { t.Last.User++; return t.Last.User }

// Log records a change; before has the replaced values, or is nil. A transaction that logs no change does not raise
// the version.
func (t *Tx) Log(kind string, id int64, action string, before Document) {
	t.LogKeeping(kind, id, action, before, nil)
}

// LogKeeping is Log for a change that also replaced values that the history stores but never shows.
func (t *Tx) LogKeeping(kind string, id int64, action string, before Document, kept *string) {
	if n := len(t.sources); n == 0 || t.sources[n-1] != t.Source {
		t.sources = append(t.sources, t.Source)
	}
	t.changes = append(t.changes, Change{kind, id, action, before.Text(), kept, len(t.sources)})
	of := t.kinds[kind]
	t.Linked = t.Linked || of.Linked && action != "create"
	t.Counted = t.Counted || of.Linked && action == "create" // no event is linked to it yet, but a search may name it
	t.beyond = t.beyond || !of.Content
	switch action {
	case "create":
		t.use.add(of.Use, 1)
	case "delete":
		t.use.add(of.Use, -1)
	}
}

// Failure is DB.Failure.
func (t *Tx) Failure(err error) error { return t.failure(err) }

// Changes returns what was logged.
func (t *Tx) Changes() []Change { return t.changes }

// ContentOnly reports whether the site itself is unchanged, apart from its counts.
func (t *Tx) ContentOnly() bool { return !t.beyond }

// Use adds to the usage of the site, in addition to the usage that Log counts.
func (t *Tx) Use(more tenancy.Usage) { t.use.add(more, 1) }

// More returns what the transaction adds to the usage of the site.
func (t *Tx) More() tenancy.Usage { return t.use.more }

// Room returns how many more dates of series the transaction may store.
func (t *Tx) Room() int {
	used := t.use.Has
	used.Occurrences += t.use.more.Occurrences
	return int(min(t.use.Limits.Room(used), math.MaxInt32))
}

// Allow returns a *tenancy.LimitError if the transaction exceeds the limits of the site. The commit calls it as
// well.
func (t *Tx) Allow() error { return t.use.check() }

// Queue sends a statement together with the commit. No later statement of the transaction may depend on it.
func (t *Tx) Queue(sql string, arguments ...any) *pgx.QueuedQuery {
	return t.later.Queue(sql, arguments...)
}

// Queued returns how many statements are queued.
func (t *Tx) Queued() int { return len(t.later.QueuedQueries) }

// Flush sends the queued statements immediately.
func (t *Tx) Flush(ctx context.Context) error {
	queued := t.later
	t.later = &pgx.Batch{}
	return t.Send(ctx, queued)
}

// Send runs a batch now.
func (t *Tx) Send(ctx context.Context, b *pgx.Batch) error {
	t.at.nameFrom(b, 0)
	return t.conn.SendBatch(ctx, b).Close()
}

// Query runs a statement immediately and returns its rows.
func (t *Tx) Query(ctx context.Context, sql string, arguments ...any) (pgx.Rows, error) {
	return t.conn.Query(ctx, t.at.withShardNames(sql), arguments...)
}

// QueryRow runs a statement immediately and returns its row.
func (t *Tx) QueryRow(ctx context.Context, sql string, arguments ...any) pgx.Row {
	return t.conn.QueryRow(ctx, t.at.withShardNames(sql), arguments...)
}

// Exec runs a statement now.
func (t *Tx) Exec(ctx context.Context, sql string, arguments ...any) (pgconn.CommandTag, error) {
	return t.conn.Exec(ctx, t.at.withShardNames(sql), arguments...)
}

// hold sends the queued statements, enters and locks the site, and makes the look-ups. Only the provider may write
// to a read-only site.
func (t *Tx) hold(ctx context.Context, b *pgx.Batch, look func(*Tx, *pgx.Batch)) error {
	const lockSite = `
		SELECT set_config('kalends.site', $2, true),
		       s.version + 1,
		       s.links_version,
		       s.last_post_id,
		       s.last_term_id,
		       s.last_user_id,
		       s.state,
		       s.texts_indexed,` + HoldingColumns + `
		FROM sites s
		JOIN plans p ON p.name = s.plan
		WHERE s.id = $1
		FOR NO KEY UPDATE OF s`
	var state tenancy.State
	b.Queue(lockSite, t.Site, strconv.FormatInt(t.Site, 10)).QueryRow(func(row pgx.Row) error {
		own := []any{nil, &t.Version, &t.Links, &t.Last.Post, &t.Last.Term, &t.Last.User, &state, &t.TextsIndexed}
		return row.Scan(append(own, t.use.Columns()...)...)
	})
	look(t, b)
	err := t.Send(ctx, b)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return tenancy.ErrNoSite
	case err != nil || tenancy.ByProvider(ctx):
		return err
	case state == tenancy.ReadOnly:
		return tenancy.ErrReadOnly
	case state == tenancy.Closed:
		return tenancy.ErrClosed
	}
	return nil
}

// Hold locks the site that the transaction created.
func (t *Tx) Hold(ctx context.Context) error { return t.hold(ctx, &pgx.Batch{}, lookAtNothing) }

func (t *Tx) commit(ctx context.Context) error {
	if err := t.use.check(); err != nil {
		return err
	}
	if len(t.changes) > 0 || t.Raised {
		t.queueRaise()
	}
	t.Queue("COMMIT")
	return uncertain(t.Flush(ctx))
}

// queueRaise queues the statements that raise the site's version and store the changes.
func (t *Tx) queueRaise() {
	const raise = `
		WITH logged AS (
		    INSERT INTO changes (site_id, version, kind, id, action, before, kept, user_id, at, who, via, via_name, address, import_id)
		    SELECT $1, $2, c.kind, c.id, c.action, c.before::jsonb, c.kept::jsonb, ($7::bigint[])[c.source], $8, ($13::text[])[c.source],
		           ($14::text[])[c.source], ($15::text[])[c.source], ($16::text[])[c.source], NULLIF(($23::bigint[])[c.source], 0)
		    FROM unnest($9::text[], $10::bigint[], $11::text[], $12::text[], $22::text[], $20::integer[])
		         c (kind, id, action, before, kept, source)
		    ON CONFLICT ON CONSTRAINT changes_pkey DO NOTHING
		)
		UPDATE sites
		SET version = $2,
		    changed_at = GREATEST(changed_at, statement_timestamp()),
		    last_post_id = $3,
		    last_term_id = $4,
		    last_user_id = $5,
		    links_version = CASE WHEN $6 THEN $2 ELSE links_version END,
		    used_events = used_events + $17,
		    used_users = used_users + $18,
		    used_media_bytes = used_media_bytes + $19,
		    used_occurrences = used_occurrences + $21
		WHERE id = $1`
	n := len(t.changes)
	kinds, ids, actions, befores, kepts := make([]string, n), make([]int64, n), make([]string, n), make([]*string, n), make([]*string, n)
	from := make([]int, n)
	for i, c := range t.changes {
		kinds[i], ids[i], actions[i], befores[i], kepts[i], from[i] = c.Kind, c.ID, c.Action, c.before, c.kept, c.source
	}
	n = len(t.sources)
	users, who, via, names, addresses := make([]int64, n), make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	imports := make([]int64, n)
	for i, s := range t.sources {
		imports[i] = s.Import
		users[i], who[i], via[i], names[i], addresses[i] = s.UserID, s.Who, string(s.Via), s.Name, s.Address
	}
	t.Queue(raise, t.Site, t.Version, t.Last.Post, t.Last.Term, t.Last.User, t.Linked || t.Counted, users, t.Now,
		kinds, ids, actions, befores, who, via, names, addresses,
		t.use.more.Events, t.use.more.Users, t.use.more.MediaBytes, from, t.use.more.Occurrences, kepts, imports)
}

// rollback ends the transaction, even if the request's context has ended.
func (t *Tx) rollback() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if _, err := t.conn.Exec(ctx, "ROLLBACK"); err != nil {
		_ = t.conn.Conn().Close(ctx)
	}
}
