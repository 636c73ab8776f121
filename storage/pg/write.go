package pg

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/tenancy"
)

// Look queues look-ups that depend only on the site's lock, so that they are sent together with the beginning of a
// transaction. It must first clear the variables that they read into.
type Look func(t *Tx, b *pgx.Batch)

// Do is the work of a transaction. It is called again when Postgres asks for a retry.
type Do func(ctx context.Context, t *Tx) error

func lookAtNothing(*Tx, *pgx.Batch) {}

// Write runs do in one transaction on the scope's site and raises the site's version if do logged a change. It runs
// do again when Postgres asks for a retry.
func (db *DB) Write(ctx context.Context, do Do) error {
	return db.WriteAfter(ctx, lookAtNothing, do)
}

// WriteAfter is Write with look-ups.
func (db *DB) WriteAfter(ctx context.Context, look Look, do Do) error {
	return db.failure(db.writeAfter(ctx, look, do))
}

func (db *DB) writeAfter(ctx context.Context, look Look, do Do) error {
	site, err := Site(ctx)
	if err != nil {
		return err
	}
	return db.repeat(ctx, site, tenancy.SourceOf(ctx), look, do)
}

// WriteTo is Write for the given site, without a scope. The history records source as the origin of the changes.
func (db *DB) WriteTo(ctx context.Context, site int64, source tenancy.Source, do Do) error {
	return db.failure(db.repeat(ctx, site, source, lookAtNothing, do))
}

// WriteNew is Write for a site whose id NewSite has returned. The transaction begins with the statements queued by
// create, which must create the site's row. That row is locked when do calls Hold.
func (db *DB) WriteNew(ctx context.Context, site int64, create Look, do Do) error {
	return db.failure(db.transact(ctx, site, tenancy.SourceOf(ctx), func(ctx context.Context, t *Tx) error {
		t.Site = site
		b := &pgx.Batch{}
		b.Queue("BEGIN")
		t.at.queueLock(b, site)
		create(t, b)
		return t.Send(ctx, b)
	}, do))
}

func (db *DB) repeat(ctx context.Context, site int64, source tenancy.Source, look Look, do Do) error {
	var err error
	for range 4 {
		err = db.try(ctx, site, source, look, do)
		var said *pgconn.PgError
		if !errors.As(err, &said) || said.Code != "40001" && said.Code != "40P01" {
			break
		}
	}
	return err
}

func (db *DB) try(ctx context.Context, site int64, source tenancy.Source, look Look, do Do) error {
	return db.trips.Alone(ctx, site, func() error {
		return db.transact(ctx, site, source, func(ctx context.Context, t *Tx) error {
			t.Site = site
			b := &pgx.Batch{}
			b.Queue("BEGIN")
			t.at.queueLock(b, site)
			return t.hold(ctx, b, look)
		}, do)
	})
}

// transact runs do in a transaction on a site, which begin starts.
func (db *DB) transact(ctx context.Context, site int64, source tenancy.Source, begin, do Do) error {
	return db.nodes.retryIfMoved(ctx, func() error { return db.transactOnce(ctx, site, source, begin, do) })
}

func (db *DB) transactOnce(ctx context.Context, site int64, source tenancy.Source, begin, do Do) error {
	at, err := db.nodes.homeOf(ctx, site)
	if err != nil {
		return err
	}
	conn, err := at.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	t := &Tx{conn: conn, at: at, kinds: db.kinds, failure: db.failure, Source: source, Now: db.Second(), later: &pgx.Batch{}}
	if err = begin(ctx, t); err == nil {
		if err = do(ctx, t); err == nil {
			err = db.finish(ctx, t)
		}
		if err == nil {
			err = t.commit(ctx)
		}
	}
	if err != nil {
		t.rollback()
		return err
	}
	if len(t.changes) > 0 || t.Raised {
		tenancy.NoteWrite(ctx, t.Version)
		db.committed(t)
	}
	return nil
}
