package storage

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/accounts"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// tx is a writing transaction, with what it learns of links.
type tx struct {
	*pg.Tx

	counts map[int64]int // of events of terms, known once committed
	seen   *linked.Fresh // what look-ups read at the version of the links
	slugs  *slugs        // of an import, which asks for many at once; else nil
}

// own returns the transaction as this package has it: one, whoever shares it.
func own(in *pg.Tx) *tx {
	t, there := in.Own.(*tx)
	if !there {
		t = &tx{Tx: in, seen: linked.NewFresh(), counts: map[int64]int{}}
		in.Own = t
	}
	return t
}

// alone is no transaction, only what a statement that is one by itself goes by.
func (db *DB) alone(site int64) *tx { return &tx{Tx: &pg.Tx{Site: site, Now: db.Second()}} }

// look has look-ups made of a transaction as this package has it.
func look(queue func(*tx, *pgx.Batch)) pg.Look {
	return func(t *pg.Tx, b *pgx.Batch) { queue(own(t), b) }
}

// doing has do done by a transaction as this package has it.
func doing(do func(ctx context.Context, t *tx) error) pg.Do {
	return func(ctx context.Context, in *pg.Tx) error { return do(ctx, own(in)) }
}

// finish notes what the form whose work a transaction is has made, and what became of a
// submission.
func finish(ctx context.Context, t *pg.Tx) error {
	accounts.NoteForm(ctx, t)
	return noteSubmission(ctx, t)
}

// accompanied reports whether a write notes something beside what it changes, so that it
// can't go its quick way.
func accompanied(ctx context.Context) bool {
	return tenancy.FormOf(ctx) != nil || calendar.SubmissionOf(ctx) != nil
}

// write is pg.DB.Write.
func (db *DB) write(ctx context.Context, do func(ctx context.Context, t *tx) error) error {
	return db.Write(ctx, doing(do))
}

// writeAfter is pg.DB.WriteAfter.
func (db *DB) writeAfter(ctx context.Context, queue func(*tx, *pgx.Batch), do func(ctx context.Context, t *tx) error) error {
	return db.WriteAfter(ctx, look(queue), doing(do))
}

// writeAs is pg.DB.WriteTo.
func (db *DB) writeAs(ctx context.Context, site int64, source tenancy.Source, do func(ctx context.Context, t *tx) error) error {
	return db.WriteTo(ctx, site, source, doing(do))
}

// change is pg.DB.Change, of the event with this id; of one that is not known by it, and where
// a form wants to know what was made, writeAfter.
func (db *DB) change(ctx context.Context, event int64, quick func(site int64) (bool, error), queue func(*tx, *pgx.Batch),
	do func(context.Context, *tx) error,
) error {
	if event == 0 || accompanied(ctx) {
		return db.writeAfter(ctx, queue, do)
	}
	return db.Change(ctx, event, quick, look(queue), doing(do))
}

// committed tells of a new version, and keeps what the transaction learned about links.
func (db *DB) committed(in *pg.Tx) {
	db.onVersion(in.Site, in.Version, in.ContentOnly())
	t := own(in)
	if t.Linked {
		db.links.Forget(t.Site)
		return
	}
	if !t.seen.Empty() {
		db.links.Add(t.Site, t.Links, t.seen)
	}
	if t.Counted {
		db.links.Recount(t.Site, t.Links, t.Version, t.counts)
	}
}
