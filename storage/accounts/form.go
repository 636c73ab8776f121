package accounts

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy/accounts"
)

// forms implements accounts.FormStore.
type forms struct{ db *pg.DB }

// Forms returns the store of forms that may take effect only once.
func Forms(db *pg.DB) accounts.FormStore { return forms{db} }

// Begin records that a form is being processed. If another request has processed it, it returns the id of the created
// item. mine reports whether the caller may process the form, because no other request does. The row stays locked until
// the caller knows both. Begin also removes old forms, but skips locked ones to avoid deadlocks.
func (s forms) Begin(ctx context.Context, hash []byte, now, abandoned, forgotten time.Time) (mine bool, made int64, err error) {
	const begin = `
		INSERT INTO forms (site_id, id, at)
		VALUES ($1, $2, $3)
		ON CONFLICT ON CONSTRAINT forms_pkey DO UPDATE
		SET at = excluded.at
		WHERE forms.made = 0
		  AND forms.at < $4`
	const look = `
		SELECT made
		FROM forms
		WHERE site_id = $1
		  AND id = $2`
	const clean = `
		DELETE FROM forms
		WHERE site_id = $1
		  AND id IN (
		      SELECT f.id
		      FROM forms f
		      WHERE f.site_id = $1
		        AND f.at < $2
		      ORDER BY f.at
		      LIMIT 100
		      FOR UPDATE SKIP LOCKED)`
	err = s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(begin, site, hash, now, abandoned).Exec(pg.OneChanged(&mine))
		b.Queue(look, site, hash).QueryRow(pg.One(&made))
		b.Queue(clean, site, forgotten)
	})
	return mine, made, err
}

// NoteForm records which item a form has made, within the transaction that makes it.
func NoteForm(ctx context.Context, t *pg.Tx) {
	const note = `
		UPDATE forms
		SET made = $3
		WHERE site_id = $1
		  AND id = $2
		  AND made = 0`
	form := accounts.FormOf(ctx)
	if form == nil {
		return
	}
	if form.Kind == accounts.Batch && len(t.Changes()) > 0 {
		t.Queue(note, t.Site, form.Hash, t.Version)
	}
	for _, c := range t.Changes() {
		if c.Kind == form.Kind && c.Action == "create" {
			t.Queue(note, t.Site, form.Hash, c.ID)
		}
	}
}

// Drop forgets a form that made nothing.
func (s forms) Drop(ctx context.Context, hash []byte) error {
	const drop = `
		DELETE FROM forms
		WHERE site_id = $1
		  AND id = $2
		  AND made = 0`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) { b.Queue(drop, site, hash) })
}

// QueueMade records which item a form has made, in the batch that makes it.
func QueueMade(ctx context.Context, b *pgx.Batch, site int64, kind string, id int64) {
	const note = `
		UPDATE forms
		SET made = $3
		WHERE site_id = $1
		  AND id = $2
		  AND made = 0`
	if form := accounts.FormOf(ctx); form != nil && form.Kind == kind {
		b.Queue(note, site, form.Hash, id)
	}
}
