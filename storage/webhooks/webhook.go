// Package webhooks stores the webhooks of sites, the waiting messages, and the attempts to send them.
package webhooks

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// Store implements webhooks.Store and webhooks.Rounds.
type Store struct{ db *pg.DB }

// New returns the store.
func New(db *pg.DB) Store { return Store{db} }

var (
	_ webhooks.Store  = Store{}
	_ webhooks.Rounds = Store{}
)

// webhookColumns are the columns of webhooks w that webhookRow reads.
const webhookColumns = `
	w.id,
	w.version,
	w.url,
	w.events,
	w.filter,
	w.payload,
	w.language,
	w.home,
	w.user_id,
	w.credential_id,
	w.secrets,
	w.active,
	w.off,
	w.off_at,
	w.seen_version,
	w.seen_kind,
	w.seen_id,
	w.created_at`

// webhookRow returns the destinations of webhookColumns.
func webhookRow(w *webhooks.Webhook) []any {
	return []any{&w.ID, &w.Version, &w.URL, &w.Events, &w.Filter, &w.Payload, &w.Language, &w.Home, &w.User, &w.Credential, &w.Secrets,
		&w.Active, &w.Off, (*pg.Sometime)(&w.OffAt), &w.Seen.Version, &w.Seen.Kind, &w.Seen.ID, (*pg.UTC)(&w.Created)}
}

// shown selects the webhooks of a site with the number of waiting messages and their last attempts.
const shown = `SELECT` + webhookColumns + `,
		(SELECT count(*) FROM webhook_messages m WHERE m.site_id = $1 AND m.webhook_id = w.id AND m.kind <> 'test'),
		d.id IS NOT NULL,
		COALESCE(d.at, w.created_at),
		COALESCE(d.status, 0),
		COALESCE(d.problem, ''),
		COALESCE(d.event, '')
	FROM webhooks w
	LEFT JOIN webhook_deliveries d ON d.site_id = $1 AND d.webhook_id = w.id AND d.id = w.deliveries
	WHERE w.site_id = $1`

func readShown(row pgx.CollectableRow) (*webhooks.Webhook, error) {
	w, last, tried := &webhooks.Webhook{}, &webhooks.Delivery{}, false
	err := row.Scan(append(webhookRow(w), &w.Waiting, &tried, (*pg.UTC)(&last.At), &last.Status, &last.Problem, &last.Event)...)
	if tried {
		w.Last = last
	}
	return w, err
}

// List implements webhooks.Store.
func (s Store) List(ctx context.Context) (list []*webhooks.Webhook, version int64, err error) {
	const all = shown + `
		ORDER BY w.id`
	const versionOf = `SELECT version FROM sites WHERE id = $1`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(versionOf, site).QueryRow(pg.One(&version))
		b.Queue(all, site).Query(pg.All(&list, readShown))
	})
	return list, version, err
}

// Get implements webhooks.Store.
func (s Store) Get(ctx context.Context, id int64) (w *webhooks.Webhook, err error) {
	const one = shown + `
		AND w.id = $2`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(one, site, id).Query(func(rows pgx.Rows) (err error) {
			w, err = pgx.CollectExactlyOneRow(rows, readShown)
			return err
		})
	})
	return w, pg.NotFound(err, webhooks.ErrNoWebhook)
}

// Create implements webhooks.Store. The id of the webhook is the site's version in this write.
func (s Store) Create(ctx context.Context, w *webhooks.Webhook, most int64) error {
	const count = `SELECT count(*) FROM webhooks WHERE site_id = $1`
	const create = `
		INSERT INTO webhooks (site_id, id, version, url, events, filter, payload, language, home, user_id, credential_id, secrets,
			active, off_at, seen_version, created_at)
		VALUES (@site, @id, @id, @url, @events, @filter, @payload, @language, @home, @user, @credential, @secrets, @active,
			@off_at, @id, @now)`
	const begin = `
		INSERT INTO webhook_rounds (site_id, looked, due_at)
		VALUES ($1, $2, $3)
		ON CONFLICT ON CONSTRAINT webhook_rounds_pkey DO NOTHING`
	return s.db.Write(ctx, func(ctx context.Context, t *pg.Tx) error {
		var have int64
		if err := t.QueryRow(ctx, count, t.Site).Scan(&have); err != nil {
			return err
		}
		if have >= most {
			return &tenancy.LimitError{What: tenancy.LimitWebhooks, Max: most, Have: have, Want: 1}
		}
		w.ID, w.Version, w.Created = t.Version, t.Version, t.Now
		w.Seen = webhooks.Mark{Version: t.Version}
		a, err := columns(w)
		if err != nil {
			return err
		}
		a["site"], a["now"] = t.Site, t.Now
		t.Queue(create, a)
		t.Queue(begin, t.Site, t.Version, t.Now)
		t.Log("webhook", w.ID, "create", nil)
		return nil
	})
}

// columns returns the values of a webhook that people can set.
func columns(w *webhooks.Webhook) (pgx.NamedArgs, error) {
	secrets, err := json.Marshal(w.Secrets)
	if err != nil {
		return nil, err
	}
	a := pgx.NamedArgs{"id": w.ID, "version": w.Version, "url": w.URL, "events": w.Events, "filter": nil, "payload": w.Payload,
		"language": w.Language, "home": w.Home, "user": w.User, "credential": w.Credential, "secrets": string(secrets), "active": w.Active,
		"off": w.Off, "off_at": nil, "seen": w.Seen.Version, "seen_kind": w.Seen.Kind, "seen_id": w.Seen.ID}
	if !w.OffAt.IsZero() {
		a["off_at"] = w.OffAt
	}
	if w.Filter != nil {
		filter, err := json.Marshal(w.Filter)
		if err != nil {
			return nil, err
		}
		a["filter"] = string(filter)
	}
	return a, nil
}

func holdFirst(t *pg.Tx, b *pgx.Batch) { b.Queue(hold, t.Site) }

// Update implements webhooks.Store.
func (s Store) Update(ctx context.Context, id int64, change func(*webhooks.Webhook) error) (*webhooks.Webhook, error) {
	const get = `SELECT` + webhookColumns + `
		FROM webhooks w
		WHERE w.site_id = $1
		  AND w.id = $2
		FOR UPDATE`
	const update = `
		UPDATE webhooks
		SET version = @version,
		    url = @url,
		    events = @events,
		    filter = @filter,
		    payload = @payload,
		    language = @language,
		    secrets = @secrets,
		    active = @active,
		    off = @off,
		    off_at = @off_at,
		    tell_at = CASE WHEN @active THEN NULL ELSE tell_at END,
		    paused_until = CASE WHEN active THEN paused_until END,
		    misses = CASE WHEN active THEN misses ELSE 0 END,
		    seen_version = @seen,
		    seen_kind = @seen_kind,
		    seen_id = @seen_id
		WHERE site_id = @site
		  AND id = @id`
	const forget = `
		DELETE FROM webhook_messages
		WHERE site_id = $1
		  AND webhook_id = $2`
	// again restarts the messages that waited while the webhook was switched off.
	const again = `
		UPDATE webhook_messages
		SET step = 0,
		    planned_at = $3,
		    due_at = $3
		WHERE site_id = $1
		  AND webhook_id = $2`
	const look = `
		UPDATE webhook_rounds
		SET looked = LEAST(looked, $2),
		    due_at = LEAST(due_at, $3)
		WHERE site_id = $1`
	w := &webhooks.Webhook{}
	err := s.db.WriteAfter(ctx, holdFirst, func(ctx context.Context, t *pg.Tx) error {
		*w = webhooks.Webhook{}
		if err := t.QueryRow(ctx, get, t.Site, id).Scan(webhookRow(w)...); err != nil {
			return err
		}
		was, before := *w, document(w)
		if err := change(w); err != nil {
			return err
		}
		w.Version = t.Version
		if w.Seen.Version == 0 {
			w.Seen = webhooks.Mark{Version: t.Version}
			t.Queue(forget, t.Site, id)
		}
		a, err := columns(w)
		if err != nil {
			return err
		}
		a["site"] = t.Site
		t.Queue(update, a)
		if w.Active && !was.Active {
			t.Queue(again, t.Site, id, t.Now)
		}
		t.Queue(look, t.Site, w.Seen.Version, t.Now)
		t.Log("webhook", id, "update", before.Unlike(document(w)))
		return nil
	})
	return w, pg.NotFound(err, webhooks.ErrNoWebhook)
}

// document returns the fields of a webhook as the history keeps them. It stores only scheme and host of the URL,
// because the rest may be secret.
func document(w *webhooks.Webhook) pg.Document {
	address := ""
	if u, err := url.Parse(w.URL); err == nil {
		address = u.Scheme + "://" + u.Host
	}
	return pg.Document{"url": address, "events": w.Events, "filter": w.Filter, "payload": w.Payload, "language": w.Language,
		"active": w.Active, "ed25519": w.Public() != ""}
}

// Present returns the fields of a webhook as the history keeps them, or webhooks.ErrNoWebhook.
func (s Store) Present(ctx context.Context, id int64) (pg.Document, error) {
	w, err := s.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	return document(w), nil
}

// Delete implements webhooks.Store.
func (s Store) Delete(ctx context.Context, id int64, cond calendar.Condition) (*webhooks.Webhook, error) {
	const remove = `
		DELETE FROM webhooks w
		WHERE w.site_id = $1
		  AND w.id = $2
		RETURNING` + webhookColumns
	const end = `
		DELETE FROM webhook_rounds
		WHERE site_id = $1
		  AND NOT EXISTS (
		      SELECT
		      FROM webhooks
		      WHERE site_id = $1)`
	w := &webhooks.Webhook{}
	err := s.db.WriteAfter(ctx, holdFirst, func(ctx context.Context, t *pg.Tx) error {
		*w = webhooks.Webhook{}
		if err := t.QueryRow(ctx, remove, t.Site, id).Scan(webhookRow(w)...); err != nil {
			return err
		}
		if err := cond.Check(w.Version); err != nil {
			return err
		}
		t.Queue(end, t.Site)
		t.Log("webhook", id, "delete", document(w))
		return nil
	})
	return w, pg.NotFound(err, webhooks.ErrNoWebhook)
}
