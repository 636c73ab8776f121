package storage

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
)

// previews implements calendar.PreviewStore.
type previews struct{ db *DB }

// Previews implements calendar.Store.
func (db *DB) Previews() calendar.PreviewStore { return previews{db} }

// previewColumns are the columns of a preview.
const previewColumns = `
		       p.event_id,
		       p.token,
		       p.made_by,
		       p.made_at,
		       p.expires_at`

// Of returns the preview of an event.
func (s previews) Of(ctx context.Context, event int64, at time.Time) (*calendar.Preview, error) {
	const of = `
		SELECT ` + previewColumns + `
		FROM previews p
		WHERE p.site_id = $1
		  AND p.event_id = $2
		  AND p.expires_at > $3`
	return s.one(ctx, of, event, at)
}

// Find returns the preview with a token.
func (s previews) Find(ctx context.Context, token string, at time.Time) (*calendar.Preview, error) {
	const find = `
		SELECT ` + previewColumns + `
		FROM previews p
		WHERE p.site_id = $1
		  AND p.token = $2
		  AND p.expires_at > $3`
	return s.one(ctx, find, token, at)
}

func (s previews) one(ctx context.Context, query string, key any, at time.Time) (*calendar.Preview, error) {
	p := &calendar.Preview{}
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(query, site, key, at).QueryRow(pg.One(&p.Event, &p.Token, &p.By, (*pg.UTC)(&p.Made), (*pg.UTC)(&p.Expires)))
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Save stores the preview of an event and removes those of the site that have expired.
func (s previews) Save(ctx context.Context, p *calendar.Preview) error {
	const clean = `
		DELETE FROM previews
		WHERE site_id = $1
		  AND expires_at <= $2`
	const save = `
		INSERT INTO previews (site_id, event_id, token, made_by, made_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT ON CONSTRAINT previews_pkey DO UPDATE
		SET token = excluded.token,
		    made_by = excluded.made_by,
		    made_at = excluded.made_at,
		    expires_at = excluded.expires_at`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(clean, site, p.Made)
		b.Queue(save, site, p.Event, p.Token, p.By, p.Made, p.Expires)
	})
}

// Drop removes the preview of an event.
func (s previews) Drop(ctx context.Context, event int64) error {
	const drop = `
		DELETE FROM previews
		WHERE site_id = $1
		  AND event_id = $2`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) { b.Queue(drop, site, event) })
}
