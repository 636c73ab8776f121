package platform

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy/accounts"
)

// tokens implements accounts.TokenStore. Tokens belong to the platform.
type tokens struct{ db *pg.DB }

// Tokens returns the store of provider tokens.
func Tokens(db *pg.DB) accounts.TokenStore { return tokens{db} }

// tokenColumns are the columns that tokenRow reads.
const tokenColumns = `
	id,
	name,
	hash,
	created_at,
	last_used_at`

// tokenRow returns the destinations of tokenColumns.
func tokenRow(t *accounts.Token) []any {
	return []any{&t.ID, &t.Name, &t.Hash, (*pg.UTC)(&t.Created), (*pg.Sometime)(&t.LastUsed)}
}

func (s tokens) platform() pg.Across { return s.db.Across("provider tokens belong to the platform") }

// List returns the tokens, the newest first.
func (s tokens) List(ctx context.Context) ([]*accounts.Token, error) {
	const list = `SELECT` + tokenColumns + `
		FROM provider_tokens
		ORDER BY id DESC`
	rows, err := s.platform().Query(ctx, list)
	if err != nil {
		return nil, s.db.Failure(err)
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*accounts.Token, error) {
		t := &accounts.Token{}
		return t, row.Scan(tokenRow(t)...)
	})
	return found, s.db.Failure(err)
}

// Create stores a token.
func (s tokens) Create(ctx context.Context, t *accounts.Token) error {
	const create = `
		INSERT INTO provider_tokens (name, hash, created_at)
		VALUES ($1, $2, $3)
		RETURNING id`
	made := s.db.Second()
	err := pgx.BeginFunc(ctx, s.platform(), func(in pgx.Tx) error {
		if err := in.QueryRow(ctx, create, t.Name, t.Hash, made).Scan(&t.ID); err != nil {
			return err
		}
		return Note(ctx, s.db, in, Change{"token", "create", t.ID, t.Name, nil, pg.Document{"name": t.Name}})
	})
	if err != nil {
		return s.db.Failure(err)
	}
	t.Created = made
	return nil
}

// Delete removes a token.
func (s tokens) Delete(ctx context.Context, id int64) error {
	const remove = `
		DELETE FROM provider_tokens
		WHERE id = $1
		RETURNING name`
	return pg.NotFound(s.db.Failure(pgx.BeginFunc(ctx, s.platform(), func(in pgx.Tx) error {
		var name string
		if err := in.QueryRow(ctx, remove, id).Scan(&name); err != nil {
			return err
		}
		return Note(ctx, s.db, in, Change{"token", "delete", id, name, pg.Document{"name": name}, nil})
	})), accounts.ErrNoKey)
}

// Touch records when tokens were last used.
func (s tokens) Touch(ctx context.Context, used map[int64]time.Time) error {
	const touch = `
		UPDATE provider_tokens t
		SET last_used_at = now.at
		FROM unnest(@ids::bigint[], @times::timestamptz[]) AS now (id, at)
		WHERE t.id = now.id
		  AND (t.last_used_at IS NULL OR t.last_used_at < now.at)`
	_, err := s.platform().Exec(ctx, touch, pg.UseArgs(used))
	return s.db.Failure(err)
}
