package webhooks

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/storage/pg"
)

// How many messages of a webhook, and of a site, all nodes together send at a time. A failing receiver gets one at
// a time.
const (
	ofWebhook = 4
	ofSite    = 8
)

// lease is how long a node holds a message. It is longer than any attempt takes.
const lease = 45 * time.Second

// hold makes nodes claim messages of a site one after another. See heed.
const hold = `
	SELECT
	FROM webhook_rounds
	WHERE site_id = $1
	FOR UPDATE`

// taken selects the number of messages of a webhook w that are being sent.
const taken = `(SELECT count(*)
	FROM webhook_messages l
	WHERE l.site_id = @site
	  AND l.webhook_id = w.id
	  AND l.lease_until > statement_timestamp())`

// claim takes messages that are due. The oldest messages of each webhook come first. A message whose lease has
// ended can be claimed again.
const claim = `
	WITH room AS MATERIALIZED (
		SELECT w.id,
		       w.active,
		       w.failing OR w.slow AS troubled,
		       CASE WHEN w.failing THEN 1 ELSE @of_webhook::bigint END - ` + taken + ` AS free
		FROM webhooks w
		WHERE w.site_id = @site
		  AND (w.paused_until IS NULL OR w.paused_until <= @now)
	), due AS (
		SELECT r.id,
		       r.troubled,
		       m.kind,
		       m.object,
		       row_number() OVER (PARTITION BY r.troubled ORDER BY m.due_at, m.version) AS place,
		       row_number() OVER (ORDER BY r.troubled, m.due_at, m.version) AS of_all
		FROM room r
		CROSS JOIN LATERAL (
			(SELECT m.kind, m.object, m.due_at, m.version
			FROM webhook_messages m
			WHERE m.site_id = @site
			  AND m.webhook_id = r.id
			  AND m.lease_until IS NULL
			  AND m.due_at <= @now
			  AND (r.active OR m.kind = 'test')
			ORDER BY m.due_at
			LIMIT GREATEST(r.free, 0))
			UNION ALL
			(SELECT m.kind, m.object, m.due_at, m.version
			FROM webhook_messages m
			WHERE m.site_id = @site
			  AND m.webhook_id = r.id
			  AND m.lease_until <= statement_timestamp()
			  AND m.due_at <= @now
			  AND (r.active OR m.kind = 'test')
			ORDER BY m.lease_until
			LIMIT GREATEST(r.free, 0))
			ORDER BY 3, 4
			LIMIT GREATEST(r.free, 0)
		) m
	)
	UPDATE webhook_messages m
	SET lease = @lease,
	    lease_until = statement_timestamp() + @for::interval,
	    tries = m.tries + 1
	FROM due d
	JOIN webhooks w ON w.site_id = @site AND w.id = d.id
	WHERE m.site_id = @site
	  AND m.webhook_id = d.id
	  AND m.kind = d.kind
	  AND m.object = d.object
	  AND d.place <= CASE WHEN d.troubled THEN @others::bigint ELSE @well::bigint END
	  AND d.of_all <= @of_site::bigint - (
	      SELECT count(*)
	      FROM webhook_messages l
	      WHERE l.site_id = @site
	        AND l.lease_until > statement_timestamp())
	RETURNING` + webhookColumns + `,
	    m.message,
	    m.kind,
	    m.object,
	    CASE WHEN m.keeps <> '' THEN m.keeps ELSE m.event END,
	    m.version,
	    m.at,
	    m.tries,
	    m.step,
	    m.planned_at,
	    w.misses,
	    d.troubled`

// next sets when a site is due again: when the next message can be sent, or when the lease of a lost node ends. It
// waits at least a second, because every message that can be sent now has been claimed.
const next = `
	UPDATE webhook_rounds r
	SET due_at = GREATEST(LEAST(
	    (SELECT min(LEAST(
	         (SELECT min(m.lease_until)
	          FROM webhook_messages m
	          WHERE m.site_id = @site
	            AND m.webhook_id = w.id
	            AND m.lease_until IS NOT NULL),
	         CASE WHEN (w.active OR EXISTS (
	                  SELECT
	                  FROM webhook_messages t
	                  WHERE t.site_id = @site
	                    AND t.webhook_id = w.id
	                    AND t.kind = 'test'))
	              AND ` + taken + ` < CASE WHEN w.failing THEN 1 ELSE @of_webhook::bigint END
	              THEN GREATEST(w.paused_until, (
	                  SELECT min(m.due_at)
	                  FROM webhook_messages m
	                  WHERE m.site_id = @site
	                    AND m.webhook_id = w.id
	                    AND m.lease_until IS NULL)) END,
	         w.tell_at))
	     FROM webhooks w
	     WHERE w.site_id = @site),
	    @now::timestamptz + interval '1 hour'), @now::timestamptz + interval '1 second')
	WHERE r.site_id = @site`

// tidy removes attempts older than 30 days, once a day.
const tidy = `
	WITH today AS (
		UPDATE webhook_rounds r
		SET tidied = ($2::timestamptz AT TIME ZONE 'UTC')::date
		WHERE r.site_id = $1
		  AND r.tidied < ($2::timestamptz AT TIME ZONE 'UTC')::date
		RETURNING r.site_id
	)
	DELETE FROM webhook_deliveries d
	USING today
	WHERE d.site_id = $1
	  AND d.at < $2::timestamptz - interval '30 days'`

// Claim implements webhooks.Rounds.
func (s Store) Claim(ctx context.Context, well, others int, now time.Time) (list []*webhooks.Attempt, err error) {
	name := rand.Text()
	err = s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		list = nil
		a := pgx.NamedArgs{"site": site, "now": now, "of_webhook": ofWebhook, "of_site": ofSite, "well": well, "others": others,
			"lease": name, "for": lease}
		b.Queue(hold, site)
		b.Queue(claim, a).Query(pg.All(&list, func(row pgx.CollectableRow) (*webhooks.Attempt, error) {
			w, m := &webhooks.Webhook{}, &webhooks.Attempt{Lease: name}
			m.Webhook = w
			return m, row.Scan(append(webhookRow(w), &m.Name, &m.Kind, &m.Object, &m.Event, &m.Version, (*pg.UTC)(&m.At), &m.Try, &m.Step,
				(*pg.UTC)(&m.Planned), &m.Misses, &m.Troubled)...)
		}))
		b.Queue(next, a)
		b.Queue(tidy, site, now)
	})
	return list, err
}

// noteReceiver records an attempt and the receiver's response. If the receiver accepts a message again after
// failures, all waiting messages become due: immediately the first few times, then with growing delays, because the
// receiver may never accept some of the messages.
const noteReceiver = `
	WITH was AS MATERIALIZED (
		SELECT w.failing
		FROM webhooks w
		WHERE w.site_id = @site
		  AND w.id = @id
		FOR NO KEY UPDATE
	), now AS (
		UPDATE webhooks w
		SET failing = NOT @done::boolean,
		    slow = @slow,
		    misses = @misses,
		    paused_until = @paused::timestamptz,
		    deliveries = w.deliveries + 1,
		    active = w.active AND @off::text = '',
		    off = CASE WHEN w.active AND @off::text <> '' THEN @off::text ELSE w.off END,
		    off_at = CASE WHEN w.active AND @off::text <> '' THEN @now ELSE w.off_at END,
		    tell_at = CASE WHEN w.active AND @off::text <> '' THEN @now ELSE w.tell_at END
		FROM was
		WHERE w.site_id = @site
		  AND w.id = @id
		RETURNING w.deliveries
	), forward AS (
		UPDATE webhook_messages m
		SET due_at = LEAST(m.due_at, @now::timestamptz + CASE
		        WHEN m.extra < 5 THEN interval '0'
		        ELSE interval '10 seconds' * 2 ^ LEAST(m.extra - 5, 12)
		    END),
		    extra = m.extra + 1
		FROM was
		WHERE was.failing
		  AND @done::boolean
		  AND m.site_id = @site
		  AND m.webhook_id = @id
		  AND m.due_at > @now
		  AND m.lease_until IS NULL
	)
	INSERT INTO webhook_deliveries (site_id, webhook_id, id, message, event, kind, object, version, changed_at, try, at, took, request,
		status, answer, problem)
	SELECT @site, @id, now.deliveries, @message, @event, @kind, @object, @version, @changed, @try, @at, @took, @request,
		@status, @answer, @problem
	FROM now`

// The statements about the message that was sent. A later message may have replaced it in the meantime.
const (
	// sent removes a message that the receiver has accepted.
	sent = `
		DELETE FROM webhook_messages
		WHERE site_id = @site
		  AND webhook_id = @id
		  AND kind = @kind
		  AND object = @object
		  AND message = @message`
	// delay makes a message wait for its next attempt.
	delay = `
		UPDATE webhook_messages
		SET step = @step,
		    planned_at = @planned,
		    due_at = @due,
		    lease = '',
		    lease_until = NULL
		WHERE site_id = @site
		  AND webhook_id = @id
		  AND kind = @kind
		  AND object = @object
		  AND message = @message
		  AND lease = @lease`
	// free releases the message that has replaced the sent one. If the receiver has accepted the sent one, the object
	// is no longer new to it.
	free = `
		UPDATE webhook_messages
		SET keeps = CASE WHEN @done::boolean THEN '' ELSE keeps END,
		    fresh = fresh AND NOT @done::boolean,
		    lease = '',
		    lease_until = NULL
		WHERE site_id = @site
		  AND webhook_id = @id
		  AND kind = @kind
		  AND object = @object
		  AND message <> @message
		  AND lease = @lease`
)

// Finish implements webhooks.Rounds.
func (s Store) Finish(ctx context.Context, a *webhooks.Attempt, r *webhooks.Result) error {
	now := r.At.Add(r.Took)
	v := pgx.NamedArgs{
		"id":      a.ID,
		"done":    r.Done,
		"slow":    r.Slow,
		"misses":  r.Misses,
		"paused":  nil,
		"off":     string(r.Off),
		"now":     now,
		"message": a.Name,
		"event":   a.Event,
		"kind":    a.Kind,
		"object":  a.Object,
		"version": a.Version,
		"changed": a.At,
		"try":     a.Try,
		"at":      r.At,
		"took":    r.Took.Milliseconds(),
		"request": r.Request,
		"status":  r.Status,
		"answer":  r.Answer,
		"problem": r.Problem,
		"step":    r.Step,
		"planned": r.Planned,
		"due":     r.Due,
		"lease":   a.Lease,
	}
	if !r.Paused.IsZero() {
		v["paused"] = r.Paused
	}
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		v["site"] = site
		b.Queue(heed, site, now)
		b.Queue(noteReceiver, v)
		if r.Done || a.Kind == "test" {
			b.Queue(sent, v)
		} else {
			b.Queue(delay, v)
		}
		b.Queue(free, v)
	})
}

// SwitchOff implements webhooks.Rounds.
func (s Store) SwitchOff(ctx context.Context, id int64, why webhooks.Reason, now time.Time) error {
	const off = `
		UPDATE webhooks
		SET active = false,
		    off = $3,
		    off_at = $4,
		    tell_at = $4
		WHERE site_id = $1
		  AND id = $2
		  AND active`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(heed, site, now)
		b.Queue(off, site, id, string(why), now)
	})
}

// letterLease is how long a node has to tell people by e-mail that a webhook is switched off.
const letterLease = 15 * time.Minute

// Tell implements webhooks.Rounds.
func (s Store) Tell(ctx context.Context, now time.Time) (list []*webhooks.Webhook, err error) {
	const tell = `
		UPDATE webhooks w
		SET tell_at = $3
		WHERE w.site_id = $1
		  AND w.tell_at <= $2
		RETURNING` + webhookColumns
	err = s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(tell, site, now, now.Add(letterLease)).Query(pg.All(&list, func(row pgx.CollectableRow) (*webhooks.Webhook, error) {
			w := &webhooks.Webhook{}
			return w, row.Scan(webhookRow(w)...)
		}))
	})
	return list, err
}

// Told implements webhooks.Rounds.
func (s Store) Told(ctx context.Context, id int64) error {
	const told = `
		UPDATE webhooks
		SET tell_at = NULL
		WHERE site_id = $1
		  AND id = $2`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) { b.Queue(told, site, id) })
}
