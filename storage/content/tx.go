package content

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// Tx is a write transaction, together with the linked items and counts that it has read.
type Tx struct {
	*pg.Tx

	Counts map[int64]int // number of events by term; known after the commit
	Seen   *linked.Fresh // linked items that look-ups read, at the current version of the links
	Slugs  *Slugs        // of an import, which needs many slugs; otherwise nil
}

// own returns the Tx that wraps in. All callers with the same in share it.
func own(in *pg.Tx) *Tx {
	t, there := in.Own.(*Tx)
	if !there {
		t = &Tx{Tx: in, Seen: linked.NewFresh(), Counts: map[int64]int{}}
		in.Own = t
	}
	return t
}

// On returns the Tx that wraps in.
func On(in *pg.Tx) *Tx { return own(in) }

// Alone returns a Tx without a transaction, with only the site and the time, for a single statement.
func (db *DB) Alone(site int64) *Tx { return &Tx{Tx: &pg.Tx{Site: site, Now: db.Second()}} }

// look turns look-ups of a Tx into a pg.Look.
func look(queue func(*Tx, *pgx.Batch)) pg.Look {
	return func(t *pg.Tx, b *pgx.Batch) { queue(own(t), b) }
}

// doing turns a function of a Tx into a pg.Do.
func doing(do func(ctx context.Context, t *Tx) error) pg.Do {
	return func(ctx context.Context, in *pg.Tx) error { return do(ctx, own(in)) }
}

// Accompanied reports whether a write also stores other rows, such as a form or a decision, or comes from a user or key
// with limits, which are checked at the end. Such a write cannot use the quick path or share a transaction.
func Accompanied(ctx context.Context) bool {
	return accounts.FormOf(ctx) != nil || imports.NoteOf(ctx) != nil || imports.ReturnOf(ctx) != nil ||
		submissions.WriteOf(ctx) != nil || tenancy.RepeatableOf(ctx) != nil ||
		tenancy.Current(ctx).Principal.Limited()
}

// Write is pg.DB.Write with a Tx of this package.
func (db *DB) Write(ctx context.Context, do func(ctx context.Context, t *Tx) error) error {
	return db.DB.Write(ctx, doing(do))
}

// WriteAfter is pg.DB.WriteAfter with a Tx of this package.
func (db *DB) WriteAfter(ctx context.Context, queue func(*Tx, *pgx.Batch), do func(ctx context.Context, t *Tx) error) error {
	return db.DB.WriteAfter(ctx, look(queue), doing(do))
}

// WriteTo is pg.DB.WriteTo with a Tx of this package.
func (db *DB) WriteTo(ctx context.Context, site int64, source tenancy.Source, do func(ctx context.Context, t *Tx) error) error {
	return db.DB.WriteTo(ctx, site, source, doing(do))
}

// Change is pg.DB.Change for the event with this id. For an unknown id (0) or an Accompanied write it calls
// WriteAfter.
func (db *DB) Change(ctx context.Context, event int64, quick func(site int64) (bool, error), queue func(*Tx, *pgx.Batch),
	do func(context.Context, *Tx) error,
) error {
	if event == 0 || Accompanied(ctx) {
		return db.WriteAfter(ctx, queue, do)
	}
	return db.DB.Change(ctx, event, quick, look(queue), doing(do))
}

// committed reports the new version, and remembers the linked items that the transaction read.
func (db *DB) committed(in *pg.Tx) {
	db.OnVersion(in.Site, in.Version, in.ContentOnly())
	t := own(in)
	if t.Linked {
		db.Links.Forget(t.Site)
		return
	}
	if !t.Seen.Empty() {
		db.Links.Add(t.Site, t.Links, t.Seen)
	}
	if t.Counted {
		db.Links.Recount(t.Site, t.Links, t.Version, t.Counts)
	}
}

// PostID returns the id of a new item: the id from the import if there is one, otherwise the next free id.
func (t *Tx) PostID(wanted int64) int64 {
	if wanted == 0 {
		return t.NextPost()
	}
	t.Last.Post = max(t.Last.Post, wanted)
	return wanted
}
