package storage

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/tenancy"
)

// eventChange is a write that changes one event and makes nothing.
type eventChange struct {
	ctx   context.Context
	event int64 // its id
	look  func(*tx, *pgx.Batch)
	do    func(context.Context, *tx) error
	err   error // what came of it, unless it is to be done alone
}

// mostWrites is how many share a transaction.
const mostWrites = 16

// differ reports whether a change may share a transaction with others: each has
// an event of its own.
func differ(all []*rider[*eventChange], next *rider[*eventChange]) bool {
	return len(all) < mostWrites &&
		!slices.ContainsFunc(all, func(one *rider[*eventChange]) bool { return one.of.event == next.of.event })
}

// change changes an event. Writes to a site follow one another, so those that
// come while one is on its way wait for it, and then share the next transaction:
// one lock, one version, one flush (ADR 27).
//
// What the others do isn't in what a change looks up, so whatever may depend on
// that is done again, alone: what makes things, or is refused by the database.
//
// A change that goes alone tries quick first, if there is any, which says whether it
// did everything.
func (db *DB) change(ctx context.Context, event int64, quick func(site int64) (bool, error), look func(*tx, *pgx.Batch),
	do func(context.Context, *tx) error,
) error {
	id, err := site(ctx)
	if err != nil {
		return err
	}
	if event == 0 || tenancy.ByProvider(ctx) || tenancy.FormOf(ctx) != nil {
		return db.writeAfter(ctx, look, do)
	}
	one := &eventChange{ctx: ctx, event: event, look: look, do: do}
	alone := func() error {
		one.err = nil // of what was done together
		if quick != nil {
			if done, err := quick(id); done || err != nil {
				return err
			}
		}
		return db.writeAfter(ctx, look, do)
	}
	together := func(all []*rider[*eventChange]) error { return failure(db.changeAll(ctx, id, all)) }
	if err = db.changes.share(ctx, id, one, alone, together); err != nil {
		return err
	}
	return one.err
}

// changeAll makes changes in one transaction.
func (db *DB) changeAll(ctx context.Context, site int64, all []*rider[*eventChange]) error {
	look := func(t *tx, b *pgx.Batch) {
		for _, one := range all {
			one.of.look(t, b)
		}
	}
	return db.try(ctx, site, tenancy.Source{}, look, func(_ context.Context, t *tx) error {
		t.together = true
		for _, one := range all {
			if err := t.changeOne(one); err != nil {
				return err
			}
		}
		return nil
	})
}

// errEntangled says that a change did what can't be taken back alone.
var errEntangled = errors.New("a change that shares its transaction made something")

// changeOne makes one of several changes. What it queued is taken back if it
// fails; an error means that all have to be done alone.
func (t *tx) changeOne(one *rider[*eventChange]) error {
	last, counted, use := t.last, t.counted, t.use
	queued, changes, sources := len(t.later.QueuedQueries), len(t.changes), len(t.sources)
	t.source = tenancy.SourceOf(one.of.ctx)
	err := one.of.do(one.of.ctx, t)
	if _, refused := errors.AsType[*pgconn.PgError](err); refused {
		return err
	}
	if t.last != last || t.linked || t.beyond {
		return errEntangled
	}
	if err != nil {
		t.later.QueuedQueries, t.changes, t.sources = t.later.QueuedQueries[:queued], t.changes[:changes], t.sources[:sources]
		t.counted, t.use = counted, use
		one.of.err = failure(err)
	}
	return nil
}
