package storage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/tenancy"
)

// pace begins a step of long-running work. The caller calls rest after the step: it waits as long as the pace
// requires, and returns the error of ctx if the work must end.
type pace func(ctx context.Context) (rest func() error)

// hurried is the pace of work that someone is waiting for: it never rests.
func hurried(ctx context.Context) func() error { return ctx.Err }

// background is the pace of work that nobody waits for. It rests three times as long as a step took, so requests keep most of
// the processors and of the database even while every node does the same work.
func background(ctx context.Context) func() error {
	began := time.Now()
	return func() error {
		rest := time.NewTimer(3 * time.Since(began))
		defer rest.Stop()
		select {
		case <-rest.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// derivation is data that the program derives from other stored data by rules that change from release to release.
type derivation struct {
	column string // of the table installation, with the number of the rules by which the data was derived
	rules  int    // number of the rules of this program
	what   string // for errors
}

// deriveLater calls one for every site if the data was derived by older rules, and then records the rules of this program. It
// returns the sum of what one returns; ok reports whether the rules were older. If one works in several transactions,
// deriveLater can be interrupted, repeated, and run on two nodes at the same time.
func (db *DB) deriveLater(
	ctx context.Context,
	d derivation,
	one func(ctx context.Context, site int64) (int, error),
) (changed int, ok bool, err error) {
	outside := db.Across("by which rules data was derived is known of the installation")
	stored := 0
	err = outside.QueryRow(ctx, `SELECT `+d.column+` FROM installation`).Scan(&stored)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && stored >= d.rules {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, db.Failure(err)
	}
	list, err := db.siteIDs(ctx)
	if err != nil {
		return 0, false, err
	}
	for _, site := range list {
		n, err := one(ctx, site)
		if changed += n; err != nil && !errors.Is(err, tenancy.ErrNoSite) { // it may be deleted in the meantime
			return changed, false, fmt.Errorf("derive the %s of site %d: %w", d.what, site, err)
		}
	}
	_, err = outside.Exec(ctx, `UPDATE installation SET `+d.column+` = GREATEST(`+d.column+`, $1)`, d.rules)
	return changed, true, db.Failure(err)
}

// derive writes derived data of a site by a statement whose first argument is the site. The site gets a new version, because
// its pages may change.
func (db *DB) derive(ctx context.Context, site int64, write string, arguments ...any) error {
	ctx = tenancy.AsProvider(ctx, tenancy.Provider{Scheduled: true}) // so that it works in a read-only site, too
	return db.WriteTo(ctx, site, tenancy.Source{Via: tenancy.ViaSchedule}, func(_ context.Context, t *content.Tx) error {
		t.Raised = true
		t.Queue(write, append([]any{t.Site}, arguments...)...)
		return nil
	})
}
