package accounts

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy/accounts"
)

// seconds implements accounts.SecondFactorStore.
type seconds struct{ db *pg.DB }

// SecondFactors returns the store of authenticator apps that people sign in with.
func SecondFactors(db *pg.DB) accounts.SecondFactorStore { return seconds{db} }

// Find returns the app of a user.
func (s seconds) Find(ctx context.Context, user int64) (*accounts.SecondFactor, error) {
	const find = `
		SELECT secret,
		       last_step,
		       codes,
		       created_at
		FROM second_factors
		WHERE site_id = $1
		  AND user_id = $2`
	f := &accounts.SecondFactor{UserID: user}
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(find, site, user).QueryRow(pg.One(&f.Secret, &f.LastStep, &f.Codes, (*pg.UTC)(&f.Created)))
	})
	if err != nil {
		return nil, pg.NotFound(err, accounts.ErrNoSecondFactor)
	}
	return f, nil
}

// Create stores the authenticator app of a user who has none, and ends their sessions except the one named by but.
// free is false if the user has one already.
func (s seconds) Create(ctx context.Context, f *accounts.SecondFactor, but []byte) (free bool, err error) {
	const create = `
		INSERT INTO second_factors (site_id, user_id, secret, last_step, codes, created_at)
		SELECT u.site_id, u.id, $3, $4, $5, $6
		FROM users u
		WHERE u.site_id = $1
		  AND u.id = $2
		ON CONFLICT ON CONSTRAINT second_factors_pkey DO NOTHING`
	const end = `
		DELETE FROM sessions
		WHERE site_id = $1
		  AND user_id = $2
		  AND id <> $3`
	err = writeIn(ctx, s.db, func(ctx context.Context, t *pg.Tx) error {
		b := &pgx.Batch{}
		b.Queue(create, t.Site, f.UserID, f.Secret, f.LastStep, f.Codes, f.Created).Exec(pg.OneChanged(&free))
		if err := t.Send(ctx, b); err != nil || !free {
			return err
		}
		t.Queue(end, t.Site, f.UserID, but)
		t.Log("user", f.UserID, "update", pg.Document{"second_factor": secondFactor(false)})
		return nil
	})
	return free, err
}

// Advance records that a code was used. The condition is part of the update, so if two nodes get the same code,
// only one of them accepts it.
func (s seconds) Advance(ctx context.Context, user, step int64) (done bool, err error) {
	const advance = `
		UPDATE second_factors
		SET last_step = $3
		WHERE site_id = $1
		  AND user_id = $2
		  AND last_step < $3`
	err = s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) { b.Queue(advance, site, user, step).Exec(pg.OneChanged(&done)) })
	return done, err
}

// Spend removes a recovery code.
func (s seconds) Spend(ctx context.Context, user int64, hash []byte) (done bool, err error) {
	const spend = `
		UPDATE second_factors
		SET codes = array_remove(codes, $3)
		WHERE site_id = $1
		  AND user_id = $2
		  AND $3 = ANY (codes)`
	err = s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) { b.Queue(spend, site, user, hash).Exec(pg.OneChanged(&done)) })
	return done, err
}

// Renew replaces the recovery codes.
func (s seconds) Renew(ctx context.Context, user int64, codes [][]byte) error {
	const renew = `
		UPDATE second_factors
		SET codes = $3
		WHERE site_id = $1
		  AND user_id = $2`
	return s.change(ctx, user, renew, codes)
}

// Delete removes the app of a user.
func (s seconds) Delete(ctx context.Context, user int64) error {
	const remove = `
		DELETE FROM second_factors
		WHERE site_id = $1
		  AND user_id = $2`
	return s.change(ctx, user, remove)
}

// change changes the app of a user and notes this in the history.
func (s seconds) change(ctx context.Context, user int64, sql string, more ...any) error {
	return writeIn(ctx, s.db, func(ctx context.Context, t *pg.Tx) error {
		done, err := t.Exec(ctx, sql, append([]any{t.Site, user}, more...)...)
		if err != nil {
			return err
		}
		if done.RowsAffected() == 0 {
			return accounts.ErrNoSecondFactor
		}
		t.Log("user", user, "update", pg.Document{"second_factor": secondFactor(true)})
		return nil
	})
}
