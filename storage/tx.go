package storage

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

const enterSite = `SELECT set_config('kalends.site', $1, true)`

// read runs queued queries on the scope's site in one round trip. The pipeline
// is one transaction.
func (db *DB) read(ctx context.Context, queue queueReads) error {
	id, err := site(ctx)
	if err != nil {
		return err
	}
	return failure(db.trips.read(ctx, id, queue))
}

// tx is one writing transaction on one site. The site's row is locked from
// start to commit, so writes to a site follow one another and versions become
// visible in order.
type tx struct {
	conn     *pgxpool.Conn
	site     int64
	source   tenancy.Source // of the next change
	now      time.Time
	version  int64 // the site's, once committed
	last     counters
	use      use
	changes  []change
	sources  []tenancy.Source // of the changes
	links    int64            // version of what events are linked to, before the transaction
	linked   bool             // something that events are linked to changed
	counted  bool             // the number of a term's events changed
	beyond   bool             // more than content changed
	counts   map[int64]int    // of such terms, known once committed
	seen     *freshLinks      // what look-ups read at the version links
	later    *pgx.Batch       // statements that go out together with the commit
	together bool             // the transaction is shared with other changes
	raised   bool             // what lists show changed, though nobody did it
	slugs    *slugs           // of an import, which asks for many at once; else nil
}

type counters struct{ post, term, user int64 }

// change is one row of the history.
type change struct {
	kind   string
	id     int64
	action string
	before *string // what it replaced, JSON; nil for nothing
	source int     // which of the transaction's, from 1
}

// nextPost returns a new id for an event, venue, organizer or image.
func (t *tx) nextPost() int64 { t.last.post++; return t.last.post }

// nextTerm returns a new id for a category or tag.
func (t *tx) nextTerm() int64 { t.last.term++; return t.last.term }

// nextUser returns a new id for a user.
func (t *tx) nextUser() int64 { t.last.user++; return t.last.user }

// contents are the kinds that the site's own row knows nothing of but numbers.
var contents = map[string]bool{"event": true, "venue": true, "organizer": true, "category": true, "tag": true, "image": true}

// linkable are the kinds that events nest, and users, whose end leaves what they
// made without an author.
var linkable = map[string]bool{"venue": true, "organizer": true, "category": true, "tag": true, "image": true, "user": true}

// created notes that something was made.
func (t *tx) created(kind string, id int64) { t.logFrom(kind, id, "create", nil) }

// logFrom notes a change with what it replaced; without any the transaction
// leaves the version alone.
func (t *tx) logFrom(kind string, id int64, action string, before document) {
	if n := len(t.sources); n == 0 || t.sources[n-1] != t.source {
		t.sources = append(t.sources, t.source)
	}
	t.changes = append(t.changes, change{kind, id, action, before.text(), len(t.sources)})
	t.linked = t.linked || linkable[kind] && action != "create" // nothing links what is new
	t.beyond = t.beyond || !contents[kind]
	t.use.note(kind, action)
}

// queue sends a statement together with the commit. Nothing may depend on it
// within the transaction.
func (t *tx) queue(sql string, arguments ...any) { t.later.Queue(sql, arguments...) }

// send runs a batch now.
func (t *tx) send(ctx context.Context, b *pgx.Batch) error {
	return t.conn.SendBatch(ctx, b).Close()
}

// write runs do in one transaction on the scope's site and raises the site's
// version when do logged a change. It tries again when Postgres asks for it.
func (db *DB) write(ctx context.Context, do func(ctx context.Context, t *tx) error) error {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return err
	}
	return db.writeAs(ctx, scope.Site.ID, tenancy.SourceOf(ctx), do)
}

// writeAfter is write with look-ups that go out together with the beginning,
// for they need nothing but the lock.
func (db *DB) writeAfter(ctx context.Context, look func(*tx, *pgx.Batch), do func(ctx context.Context, t *tx) error) error {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return err
	}
	return db.repeat(ctx, scope.Site.ID, tenancy.SourceOf(ctx), look, do)
}

func (db *DB) writeAs(ctx context.Context, site int64, source tenancy.Source, do func(ctx context.Context, t *tx) error) error {
	return db.repeat(ctx, site, source, func(*tx, *pgx.Batch) {}, do)
}

func (db *DB) repeat(ctx context.Context, site int64, source tenancy.Source, look func(*tx, *pgx.Batch),
	do func(ctx context.Context, t *tx) error,
) error {
	var err error
	for range 4 {
		err = db.try(ctx, site, source, look, do)
		var pg *pgconn.PgError
		if !errors.As(err, &pg) || pg.Code != "40001" && pg.Code != "40P01" {
			break
		}
	}
	return failure(err)
}

func (db *DB) try(ctx context.Context, site int64, source tenancy.Source, look func(*tx, *pgx.Batch),
	do func(ctx context.Context, t *tx) error,
) error {
	return db.trips.alone(ctx, site, func() error {
		return db.transact(ctx, source, func(ctx context.Context, t *tx) error {
			t.site = site
			b := &pgx.Batch{}
			b.Queue("BEGIN")
			return t.hold(ctx, b, look)
		}, do)
	})
}

// transact runs do in a transaction that begin has begun.
func (db *DB) transact(ctx context.Context, source tenancy.Source, begin, do func(ctx context.Context, t *tx) error) error {
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	t := &tx{conn: conn, source: source, now: db.now(), later: &pgx.Batch{}, seen: newFreshLinks(),
		counts: map[int64]int{}}
	if err = begin(ctx, t); err == nil {
		if err = do(ctx, t); err == nil {
			err = t.commit(ctx)
		}
	}
	if err != nil {
		t.rollback()
		return err
	}
	if len(t.changes) > 0 || t.raised {
		db.onVersion(t.site, t.version, !t.beyond)
		db.remember(t)
	}
	return nil
}

// remember keeps what a committed transaction learned about links.
func (db *DB) remember(t *tx) {
	if t.linked {
		db.links.forget(t.site)
		return
	}
	if len(t.seen.records) > 0 {
		db.links.add(t.site, t.links, t.seen)
	}
	if t.counted {
		db.links.recount(t.site, t.links, t.version, t.counts)
	}
}

// hold names and locks the site behind what is queued, and then looks. A site
// that takes no writes takes those of the provider.
func (t *tx) hold(ctx context.Context, b *pgx.Batch, look func(*tx, *pgx.Batch)) error {
	const lockSite = `
		SELECT set_config('kalends.site', $2, true),
		       s.version + 1,
		       s.links_version,
		       s.last_post_id,
		       s.last_term_id,
		       s.last_user_id,
		       s.state,` + useColumns + `,` + limitColumns + `
		FROM sites s
		JOIN plans p ON p.name = s.plan
		WHERE s.id = $1
		FOR NO KEY UPDATE OF s`
	var state tenancy.State
	b.Queue(lockSite, t.site, strconv.FormatInt(t.site, 10)).QueryRow(func(row pgx.Row) error {
		return row.Scan(append([]any{nil, &t.version, &t.links, &t.last.post, &t.last.term, &t.last.user, &state}, t.use.columns()...)...)
	})
	look(t, b)
	err := t.send(ctx, b)
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

func (t *tx) commit(ctx context.Context) error {
	if err := t.use.check(); err != nil {
		return err
	}
	if len(t.changes) > 0 || t.raised {
		t.queueRaise()
	}
	t.noteForm(ctx)
	t.queue("COMMIT")
	return uncertain(t.send(ctx, t.later))
}

// uncertain adds errUncertain to the error of a batch that commits, unless Postgres
// itself refused it. An error that ends the connection, too, refuses nothing: it may
// come just after the commit.
func uncertain(err error) error {
	if err == nil {
		return nil
	}
	if said, ok := errors.AsType[*pgconn.PgError](err); ok && said.SeverityUnlocalized == "ERROR" {
		return err
	}
	return fmt.Errorf("%w: %w", errUncertain, err)
}

// queueRaise raises the site's version and logs the changes.
func (t *tx) queueRaise() {
	const raise = `
		WITH logged AS (
		    INSERT INTO changes (site_id, version, kind, id, action, before, user_id, at, who, via, via_name, address)
		    SELECT $1, $2, c.kind, c.id, c.action, c.before::jsonb, ($7::bigint[])[c.source], $8, ($13::text[])[c.source],
		           ($14::text[])[c.source], ($15::text[])[c.source], ($16::text[])[c.source]
		    FROM unnest($9::text[], $10::bigint[], $11::text[], $12::text[], $20::integer[]) c (kind, id, action, before, source)
		    ON CONFLICT ON CONSTRAINT changes_pkey DO NOTHING
		)
		UPDATE sites
		SET version = $2,
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
	kinds, ids, actions, befores := make([]string, n), make([]int64, n), make([]string, n), make([]*string, n)
	from := make([]int, n)
	for i, c := range t.changes {
		kinds[i], ids[i], actions[i], befores[i], from[i] = c.kind, c.id, c.action, c.before, c.source
	}
	n = len(t.sources)
	users, who, via, names, addresses := make([]int64, n), make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	for i, s := range t.sources {
		users[i], who[i], via[i], names[i], addresses[i] = s.UserID, s.Who, string(s.Via), s.Name, s.Address
	}
	t.queue(raise, t.site, t.version, t.last.post, t.last.term, t.last.user, t.linked || t.counted, users, t.now,
		kinds, ids, actions, befores, who, via, names, addresses,
		t.use.more.Events, t.use.more.Users, t.use.more.MediaBytes, from, t.use.more.Occurrences)
}

// rollback ends the transaction whatever became of the request's context.
func (t *tx) rollback() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if _, err := t.conn.Exec(ctx, "ROLLBACK"); err != nil {
		_ = t.conn.Conn().Close(ctx)
	}
}

// failure turns what Postgres says into what the calendar knows.
func failure(err error) error {
	var pg *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrNoRows):
		return calendar.ErrNotFound
	case errors.As(err, &pg):
		return refused(pg)
	}
	var connect *pgconn.ConnectError
	if errors.As(err, &connect) || pgconn.Timeout(err) || lost(err) {
		return fmt.Errorf("%w: %w", calendar.ErrUnavailable, err)
	}
	return err
}
