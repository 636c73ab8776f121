package pg

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/tenancy"
)

// change is a write that changes one item and creates none.
type change struct {
	ctx  context.Context
	id   int64 // of the item
	look Look
	do   Do
	err  error // the result, unless it must run alone

	wrote bool // it changed something
}

// MostTogether is how many writes share a transaction.
const MostTogether = 16

// differ reports whether a change may share a transaction with others: each must change a different item.
func differ(all []*Member[*change], next *Member[*change]) bool {
	return len(all) < MostTogether &&
		!slices.ContainsFunc(all, func(one *Member[*change]) bool { return one.Of.id == next.Of.id })
}

// Change is WriteAfter for a change of one item, which has this id. Writes to a site follow one another, so changes
// that arrive while a write is in progress wait for it, and then share the next transaction: one lock, one version,
// one flush (ADR 27).
//
// The look-ups of a change do not show what the others do. A change that may depend on that runs again, alone: one
// that creates items, or that the database refuses.
//
// A change that runs alone tries quick first, if there is one. quick reports whether it did everything.
func (db *DB) Change(ctx context.Context, id int64, quick func(site int64) (bool, error), look Look, do Do) error {
	site, err := Site(ctx)
	if err != nil {
		return err
	}
	if tenancy.ByProvider(ctx) {
		return db.WriteAfter(ctx, look, do)
	}
	one := &change{ctx: ctx, id: id, look: look, do: do}
	alone := func() error {
		one.err = nil // the error of the shared run
		if quick != nil {
			if done, err := quick(site); done || err != nil {
				return err
			}
		}
		return db.writeAfter(ctx, look, do)
	}
	together := func(all []*Member[*change]) error { return db.changeAll(ctx, site, all) }
	if err = db.changes.Share(ctx, site, one, alone, together); err == nil {
		err = one.err
	}
	return db.failure(err)
}

// Waiting returns how many changes of a site wait for a transaction to share, and whether such a transaction is in
// progress.
func (db *DB) Waiting(site int64) (n int, busy bool) { return db.changes.Waiting(site) }

// changeAll makes changes in one transaction.
func (db *DB) changeAll(ctx context.Context, site int64, all []*Member[*change]) error {
	look := func(t *Tx, b *pgx.Batch) {
		for _, one := range all {
			one.Of.look(t, b)
		}
	}
	var version int64
	own := tenancy.WithReceipt(ctx, &tenancy.Receipt{}) // context of the first member, even if that member changes nothing
	err := db.try(own, site, tenancy.Source{}, look, func(_ context.Context, t *Tx) error {
		t.Together = true
		for _, one := range all {
			if err := t.changeOne(one); err != nil {
				return err
			}
		}
		version = t.Version
		return nil
	})
	if err == nil {
		for _, one := range all {
			if one.Of.wrote {
				tenancy.NoteWrite(one.Of.ctx, version)
			}
		}
	}
	return err
}

// ErrEntangled says that a change cannot be undone separately from the others in its transaction. A change of
// several rows, such as a change of a series, returns it before it writes anything, and then runs again alone.
var ErrEntangled = errors.New("a change that shares its transaction made something")

// changeOne makes one of several changes. If the change fails, it removes the statements that the change has
// queued. It returns an error if all changes must run alone.
func (t *Tx) changeOne(one *Member[*change]) error {
	last, counted, use := t.Last, t.Counted, t.use
	queued, changes, sources := len(t.later.QueuedQueries), len(t.changes), len(t.sources)
	t.Source = tenancy.SourceOf(one.Of.ctx)
	err := one.Of.do(one.Of.ctx, t)
	one.Of.wrote = err == nil && len(t.changes) > changes
	if _, refused := errors.AsType[*pgconn.PgError](err); refused || errors.Is(err, ErrEntangled) {
		return err
	}
	if t.Last != last || t.Linked || t.beyond {
		return ErrEntangled
	}
	if err != nil {
		t.later.QueuedQueries, t.changes, t.sources = t.later.QueuedQueries[:queued], t.changes[:changes], t.sources[:sources]
		t.Counted, t.use = counted, use
		one.Of.err = err
	}
	return nil
}
