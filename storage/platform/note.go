package platform

import (
	"context"
	"time"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// Change is what the provider did to a site, a plan or a token.
type Change struct {
	Kind   string // "site", "plan", "token"
	Action string
	ID     int64  // 0 for plans, which have no id
	Name   string // slug of the site, name of the plan or token
	Before pg.Document
	After  pg.Document
}

// Note records a change by the provider together with its request, in the transaction of the change. It does
// nothing if the change is not by the provider.
func Note(ctx context.Context, db *pg.DB, in pg.Executor, c Change) error {
	const note = `
		INSERT INTO provider_changes (at, kind, action, object, name, who, via, address, before, after)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::text::jsonb, $10::text::jsonb)`
	if !tenancy.ByProvider(ctx) {
		return nil
	}
	from := tenancy.SourceOf(ctx)
	who := from.Name
	if who == "" {
		who = from.Who
	}
	now := db.Time().UTC().Truncate(time.Second)
	_, err := in.Exec(ctx, note, now, c.Kind, c.Action, c.ID, c.Name,
		who, string(from.Via), from.Address, c.Before.Text(), c.After.Text())
	if err != nil {
		return err
	}
	return NoteRepeatable(ctx, in, c.Kind, c.ID, now)
}
