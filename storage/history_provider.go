package storage

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/tenancy"
)

// providerChange is what the provider did to a site, a plan or a token.
type providerChange struct {
	kind   string // "site", "plan", "token"
	action string
	id     int64  // 0 of a plan, which has none
	name   string // slug of the site, name of the plan or token
	before document
	after  document
}

// executor runs one statement within a transaction.
type executor interface {
	Exec(ctx context.Context, sql string, arguments ...any) (pgconn.CommandTag, error)
}

// noteProvider notes what the provider does, in the transaction that does it.
// Where somebody else acts it does nothing.
func (db *DB) noteProvider(ctx context.Context, in executor, c providerChange) error {
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
	_, err := in.Exec(ctx, note, db.Time().UTC().Truncate(time.Second), c.kind, c.action, c.id, c.name,
		who, string(from.Via), from.Address, c.before.text(), c.after.text())
	return err
}
