package storage

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/storage/pg"
)

// drafts implements editing.DraftStore.
type drafts struct{ db *DB }

// Drafts implements calendar.Store.
func (db *DB) Drafts() editing.DraftStore { return drafts{db} }

// Get returns the draft of a user.
func (s drafts) Get(ctx context.Context, user, id int64, since time.Time) (*editing.FormDraft, error) {
	const get = `
		SELECT d.id,
		       d.base,
		       d.form,
		       d.at
		FROM drafts d
		WHERE d.site_id = $1
		  AND d.user_id = $2
		  AND d.kind = 'event'
		  AND d.id = $3
		  AND d.at >= $4`
	d := &editing.FormDraft{}
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(get, site, user, id, since).QueryRow(pg.One(&d.ID, &d.Base, &d.Form, (*pg.UTC)(&d.At)))
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Others returns which other users have a draft of an event, the latest first.
func (s drafts) Others(ctx context.Context, user, id int64, since time.Time) (list []editing.Typist, err error) {
	const others = `
		SELECT COALESCE(NULLIF(u.name, ''), u.login),
		       d.at
		FROM drafts d
		JOIN users u ON u.site_id = $1 AND u.id = d.user_id
		WHERE d.site_id = $1
		  AND d.kind = 'event'
		  AND d.id = $3
		  AND d.user_id <> $2
		  AND d.at >= $4
		ORDER BY d.at DESC, d.user_id
		LIMIT 5`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(others, site, user, id, since).Query(pg.All(&list, func(row pgx.CollectableRow) (editing.Typist, error) {
			t := editing.Typist{}
			err := row.Scan(&t.Name, (*pg.UTC)(&t.At))
			return t, err
		}))
	})
	return list, err
}

// Save stores a draft and removes old drafts of the site.
func (s drafts) Save(ctx context.Context, user int64, d *editing.FormDraft, since time.Time) error {
	const clean = `
		DELETE FROM drafts
		WHERE site_id = $1
		  AND at < $2`
	const save = `
		INSERT INTO drafts (site_id, user_id, kind, id, form, base, at)
		VALUES ($1, $2, 'event', $3, $4, $5, $6)
		ON CONFLICT ON CONSTRAINT drafts_pkey DO UPDATE
		SET form = excluded.form,
		    base = excluded.base,
		    at = excluded.at`
	form, err := json.Marshal(d.Form)
	if err != nil {
		return err
	}
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(clean, site, since)
		b.Queue(save, site, user, d.ID, form, d.Base, d.At)
	})
}

// Drop removes a draft of a user.
func (s drafts) Drop(ctx context.Context, user, id int64) error {
	const drop = `
		DELETE FROM drafts
		WHERE site_id = $1
		  AND user_id = $2
		  AND kind = 'event'
		  AND id = $3`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) { b.Queue(drop, site, user, id) })
}
