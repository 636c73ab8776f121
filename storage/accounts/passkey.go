package accounts

import (
	"context"
	"crypto/sha256"
	"encoding/binary"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// passkeys implements accounts.PasskeyStore.
type passkeys struct{ db *pg.DB }

// Passkeys returns the store of passkeys.
func Passkeys(db *pg.DB) accounts.PasskeyStore { return passkeys{db} }

// passkeyColumns are the columns of passkeys p that passkeyRow reads.
const passkeyColumns = `
	p.id,
	p.user_id,
	p.name,
	p.sign_count,
	p.data,
	p.created_at,
	p.last_used_at`

// passkeyRow returns the destinations of passkeyColumns.
func passkeyRow(p *accounts.Passkey) []any {
	return []any{&p.ID, &p.UserID, &p.Name, &p.SignCount, &p.Data, (*pg.UTC)(&p.Created), (*pg.Sometime)(&p.LastUsed)}
}

// List returns a user's passkeys, the newest first.
func (s passkeys) List(ctx context.Context, user int64) (found []*accounts.Passkey, err error) {
	const list = `SELECT` + passkeyColumns + `
		FROM passkeys p
		WHERE p.site_id = $1
		  AND p.user_id = $2
		ORDER BY p.created_at DESC, p.id`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(list, site, user).Query(pg.All(&found, func(row pgx.CollectableRow) (*accounts.Passkey, error) {
			p := &accounts.Passkey{}
			return p, row.Scan(passkeyRow(p)...)
		}))
	})
	return found, err
}

// Create stores a passkey of an existing user unless its id is taken.
func (s passkeys) Create(ctx context.Context, p *accounts.Passkey) (free bool, err error) {
	err = writeIn(ctx, s.db, func(ctx context.Context, t *pg.Tx) error {
		free, err = createPasskey(ctx, t, p)
		return err
	})
	return free, err
}

// createPasskey stores a passkey of an existing user in a transaction, unless its id is taken.
func createPasskey(ctx context.Context, t *pg.Tx, p *accounts.Passkey) (free bool, err error) {
	const create = `
		INSERT INTO passkeys (site_id, id, user_id, name, sign_count, data, created_at)
		SELECT u.site_id, @id, u.id, @name, @count, @data, @created
		FROM users u
		WHERE u.site_id = @site
		  AND u.id = @user
		ON CONFLICT ON CONSTRAINT passkeys_pkey DO NOTHING`
	b := &pgx.Batch{}
	b.Queue(create, pgx.NamedArgs{
		"site":    t.Site,
		"id":      p.ID,
		"user":    p.UserID,
		"name":    p.Name,
		"count":   p.SignCount,
		"data":    p.Data,
		"created": p.Created,
	}).Exec(pg.OneChanged(&free))
	if err := t.Send(ctx, b); err != nil || !free {
		return free, err
	}
	t.Log("passkey", passkeyNumber(p.ID), "create", nil)
	return true, nil
}

// passkeyNumber returns the number of a passkey in the history, which names items by numbers. Every reader of JSON can
// represent it exactly.
func passkeyNumber(id []byte) int64 {
	sum := sha256.Sum256(id)
	return int64(binary.BigEndian.Uint64(sum[:]) >> 11)
}

// Find returns the passkey with this id and its user.
func (s passkeys) Find(ctx context.Context, id []byte) (*accounts.Passkey, *tenancy.User, error) {
	const find = `SELECT` + passkeyColumns + `,` + userColumns + `
		FROM passkeys p
		JOIN users u ON u.site_id = p.site_id AND u.id = p.user_id
		WHERE p.site_id = $1
		  AND p.id = $2`
	p, u := &accounts.Passkey{}, &tenancy.User{}
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(find, site, id).QueryRow(pg.One(append(passkeyRow(p), userRow(u)...)...))
	})
	if err != nil {
		return nil, nil, pg.NotFound(err, accounts.ErrNoPasskey)
	}
	return p, u, nil
}

// Use stores a sign-in if the passkey's counter has risen, or the device does not count sign-ins. The condition is
// part of the update, so only one of two nodes with the same count succeeds.
func (s passkeys) Use(ctx context.Context, p *accounts.Passkey) (goesOn bool, err error) {
	const use = `
		UPDATE passkeys
		SET sign_count = $3,
		    data = $4,
		    last_used_at = $5
		WHERE site_id = $1
		  AND id = $2
		  AND (sign_count < $3 OR sign_count = 0 AND $3 = 0)`
	err = s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(use, site, p.ID, int64(p.SignCount), p.Data, p.LastUsed).Exec(pg.OneChanged(&goesOn))
	})
	return goesOn, err
}

// Rename renames a passkey of a user.
func (s passkeys) Rename(ctx context.Context, user int64, id []byte, name string) error {
	const rename = `
		WITH was AS (
		    SELECT id, name
		    FROM passkeys
		    WHERE site_id = $1
		      AND user_id = $2
		      AND id = $3
		    FOR UPDATE
		)
		UPDATE passkeys p
		SET name = $4
		FROM was
		WHERE p.site_id = $1
		  AND p.id = was.id
		RETURNING was.name`
	return s.alter(ctx, id, "update", func(ctx context.Context, t *pg.Tx) (pg.Document, error) {
		var was string
		err := t.QueryRow(ctx, rename, t.Site, user, id, name).Scan(&was)
		return passkeyDocument(user, was).Unlike(passkeyDocument(user, name)), err
	})
}

// Delete removes a passkey of a user. The site is locked, so two simultaneous calls run one after the other.
func (s passkeys) Delete(ctx context.Context, user int64, id []byte, last bool) error {
	const others = `
		SELECT count(*) FILTER (WHERE id <> $3) > 0 OR count(*) = 0
		FROM passkeys
		WHERE site_id = $1
		  AND user_id = $2`
	const remove = `
		DELETE FROM passkeys
		WHERE site_id = $1
		  AND user_id = $2
		  AND id = $3
		RETURNING name`
	return s.alter(ctx, id, "delete", func(ctx context.Context, t *pg.Tx) (pg.Document, error) {
		if !last {
			var more bool
			if err := t.QueryRow(ctx, others, t.Site, user, id).Scan(&more); err != nil {
				return nil, err
			}
			if !more {
				return nil, args.Invalid("passkey", "problem.passkey.last", nil)
			}
		}
		var was string
		err := t.QueryRow(ctx, remove, t.Site, user, id).Scan(&was)
		return passkeyDocument(user, was), err
	})
}

// alter changes a passkey and notes the replaced values, if there are any.
func (s passkeys) alter(ctx context.Context, id []byte, action string,
	do func(context.Context, *pg.Tx) (before pg.Document, err error),
) error {
	return pg.NotFound(s.db.Write(ctx, func(ctx context.Context, t *pg.Tx) error {
		before, err := do(ctx, t)
		if err == nil && len(before) > 0 {
			t.Log("passkey", passkeyNumber(id), action, before)
		}
		return err
	}), accounts.ErrNoPasskey)
}

// number finds the passkey that has this number in the history. It returns accounts.ErrNoPasskey if there is none.
func (s passkeys) number(ctx context.Context, number int64) (found *accounts.Passkey, err error) {
	const list = `SELECT` + passkeyColumns + `
		FROM passkeys p
		WHERE p.site_id = $1`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		p := &accounts.Passkey{}
		b.Queue(list, site).Query(pg.Each(passkeyRow(p), func() error {
			if passkeyNumber(p.ID) == number {
				one := *p
				found = &one
			}
			p.ID, p.Data = nil, nil
			return nil
		}))
	})
	if err == nil && found == nil {
		err = accounts.ErrNoPasskey
	}
	return found, err
}
