package webhooks

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// Deliveries implements webhooks.Store.
func (s Store) Deliveries(ctx context.Context, id int64, page, perPage int) (list tenancy.Page[webhooks.Delivery], err error) {
	const of = `
		FROM webhook_deliveries d
		WHERE d.site_id = $1
		  AND d.webhook_id = $2`
	const count = `SELECT count(*)` + of
	const some = `
		SELECT d.id,
		       d.message,
		       d.event,
		       d.kind,
		       d.object,
		       d.version,
		       d.changed_at,
		       d.try,
		       d.at,
		       d.took,
		       d.request,
		       d.status,
		       d.answer,
		       d.problem` + of + `
		ORDER BY d.id DESC
		LIMIT $3
		OFFSET $4`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(count, site, id).QueryRow(pg.One(&list.Total))
		b.Queue(some, site, id, perPage, (page-1)*perPage).
			Query(pg.All(&list.Items, func(row pgx.CollectableRow) (*webhooks.Delivery, error) {
				d, took := &webhooks.Delivery{}, int64(0)
				err := row.Scan(&d.ID, &d.Message, &d.Event, &d.Kind, &d.Object, &d.Version, (*pg.UTC)(&d.Changed), &d.Try,
					(*pg.UTC)(&d.At), &took, &d.Request, &d.Status, &d.Answer, &d.Problem)
				d.Took = time.Duration(took) * time.Millisecond
				return d, err
			}))
	})
	return list, err
}

// heed makes site $1 due at $2 unless it is due earlier. Like hold, it locks the row of the site's webhooks, and it
// must come first in a transaction: locks in a different order could cause a deadlock.
const heed = `
	UPDATE webhook_rounds
	SET due_at = LEAST(due_at, $2)
	WHERE site_id = $1`

// Again implements webhooks.Store.
func (s Store) Again(ctx context.Context, id, delivery int64) error {
	const again = `
		INSERT INTO webhook_messages (site_id, webhook_id, kind, object, message, event, fresh, leaves, version, at, tries,
			planned_at, due_at)
		SELECT $1, $2, d.kind, d.object, d.message, d.event, false, false, d.version, d.changed_at, d.try, $4, $4
		FROM webhook_deliveries d
		WHERE d.site_id = $1
		  AND d.webhook_id = $2
		  AND d.id = $3
		ON CONFLICT ON CONSTRAINT webhook_messages_pkey DO UPDATE
		SET due_at = LEAST(webhook_messages.due_at, excluded.due_at)`
	return s.wait(ctx, webhooks.ErrNoDelivery, func(site int64, now time.Time, b *pgx.Batch) *pgx.QueuedQuery {
		return b.Queue(again, site, id, delivery, now)
	})
}

// Try implements webhooks.Store.
func (s Store) Try(ctx context.Context, id int64, message string) error {
	const try = `
		INSERT INTO webhook_messages (site_id, webhook_id, kind, object, message, event, fresh, leaves, version, at, planned_at, due_at)
		SELECT $1, $2, 'test', $2, $3, $4, false, false, s.version, $5, $5, $5
		FROM sites s
		WHERE s.id = $1
		ON CONFLICT ON CONSTRAINT webhook_messages_pkey DO UPDATE
		SET message = excluded.message,
		    version = excluded.version,
		    at = excluded.at,
		    tries = 0,
		    due_at = excluded.due_at`
	return s.wait(ctx, webhooks.ErrNoWebhook, func(site int64, now time.Time, b *pgx.Batch) *pgx.QueuedQuery {
		return b.Queue(try, site, id, message, webhooks.Test, now)
	})
}

// wait stores a message to be sent. It returns the error none if the statement affected no row.
func (s Store) wait(ctx context.Context, none error, queue func(site int64, now time.Time, b *pgx.Batch) *pgx.QueuedQuery) error {
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		now := s.db.Second()
		b.Queue(heed, site, now)
		queue(site, now, b).Exec(pg.OneRow(none))
	})
}
