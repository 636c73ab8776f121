package content

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
)

// GetOrFormer reads an item by key. If no item has the slug and the key allows former slugs, it reads the item that the
// slug redirects to. This second query runs only after a failed look-up.
func GetOrFormer[T any](ctx context.Context, db *DB, kind string, key calendar.Key, get func(calendar.Key) (*T, error)) (*T, error) {
	now := key
	now.Former = false
	item, err := get(now)
	if !errors.Is(err, calendar.ErrNotFound) || !key.Former {
		return item, err
	}
	slug := key.Slug
	if key.ID != 0 {
		slug = calendar.FormerID(key.ID)
	}
	id, err := db.LeadsTo(ctx, kind, slug)
	if err != nil {
		return nil, err
	}
	return get(calendar.Key{ID: id, On: key.On})
}

// LeadsTo returns the id of the item that a slug redirects to, or calendar.ErrNotFound.
func (db *DB) LeadsTo(ctx context.Context, kind, slug string) (id int64, err error) {
	const leads = `
		SELECT r.id
		FROM redirects r
		WHERE r.site_id = $1
		  AND r.kind = $2
		  AND r.slug = $3`
	err = db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(leads, site, kind, slug).QueryRow(pg.One(&id))
	})
	return id, err
}

// LeaveSlug makes the old slug of a published item redirect to the item when its slug changes.
func (t *Tx) LeaveSlug(kind string, was, p *calendar.Post) {
	if was.Slug != p.Slug && was.Slug != "" && was.Status == calendar.Publish && !p.Trashed() {
		t.Redirect(kind, was.Slug, p.ID)
	}
}

// Redirect makes a slug redirect to an item. The redirect works only while no item has the slug.
func (t *Tx) Redirect(kind, slug string, id int64) {
	const lead = `
		INSERT INTO redirects (site_id, kind, slug, id)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT ON CONSTRAINT redirects_pkey DO UPDATE
		SET id = excluded.id`
	t.Queue(lead, t.Site, kind, slug, id)
}

// RedirectAll changes all redirects to the others into redirects to keep.
func (t *Tx) RedirectAll(kind string, keep int64, others []int64) {
	const lead = `
		UPDATE redirects
		SET id = $3
		WHERE site_id = $1
		  AND kind = $2
		  AND id = ANY($4)`
	t.Queue(lead, t.Site, kind, keep, others)
}

// GiveSlugs removes the slugs of the others' translations and makes them redirect to keep, whose translations may
// use them afterwards.
func (t *Tx) GiveSlugs(ctx context.Context, kind string, keep int64, others []int64) error {
	const give = `
		WITH gone AS (
			DELETE FROM translated_slugs l
			WHERE l.site_id = $1
			  AND l.kind = $2
			  AND l.id = ANY($4)
			RETURNING l.slug
		)
		INSERT INTO redirects (site_id, kind, slug, id)
		SELECT DISTINCT $1::bigint, $2, gone.slug, $3::bigint
		FROM gone
		ON CONFLICT ON CONSTRAINT redirects_pkey DO UPDATE
		SET id = excluded.id`
	_, err := t.Exec(ctx, give, t.Site, kind, keep, others)
	return err
}

// ForgetSlugs removes the redirects to a deleted item.
func (t *Tx) ForgetSlugs(kind string, id int64) {
	const forget = `
		DELETE FROM redirects
		WHERE site_id = $1
		  AND kind = $2
		  AND id = $3`
	t.Queue(forget, t.Site, kind, id)
	t.Queue(dropSlugs, t.Site, kind, []int64{id})
}
