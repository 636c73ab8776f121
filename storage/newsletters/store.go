// Package newsletters stores who receives letters with coming events by e-mail, and which node sends them.
package newsletters

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/newsletters"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
)

// Store implements newsletters.Store.
type Store struct {
	db    *pg.DB
	clock func() time.Time
}

// New returns the store. clock determines what is due.
func New(db *pg.DB, clock func() time.Time) Store { return Store{db, clock} }

var _ newsletters.Store = Store{}

func (s Store) now() time.Time { return s.clock().UTC() }

// columns are the columns of subscriptions l that readSubscription reads.
const columns = `
	l.id,
	l.email,
	l.language,
	l.period,
	l.filter,
	l.home,
	l.created_at,
	l.confirmed_at,
	l.expires_at,
	l.issue_at,
	l.tries,
	l.refused`

func readSubscription(row pgx.CollectableRow) (*newsletters.Subscription, error) {
	l := &newsletters.Subscription{}
	return l, row.Scan(&l.ID, &l.Email, &l.Language, &l.Period, &l.Filter, &l.Home, (*pg.UTC)(&l.Created), (*pg.Sometime)(&l.Confirmed),
		(*pg.Sometime)(&l.Expires), (*pg.UTC)(&l.Issue), &l.Tries, &l.Refused)
}

// heed makes the letters of site $1 due at $2, and locks the site's row.
const heed = `
	INSERT INTO letter_rounds (site_id, due_at)
	VALUES ($1, $2)
	ON CONFLICT ON CONSTRAINT letter_rounds_pkey DO UPDATE
	SET due_at = LEAST(letter_rounds.due_at, excluded.due_at)`

// Hold implements newsletters.Store. One statement counts the subscriptions and adds one, under the lock of heed.
func (s Store) Hold(ctx context.Context, l *newsletters.Subscription, most newsletters.Limits) error {
	const room = `
		SELECT n.of_client < @of_client
		   AND n.total < @most
		   AND n.of_network < CASE WHEN n.total < @waiting::bigint THEN @of_network::bigint ELSE @few::bigint END
		FROM (
		    SELECT count(*) AS total,
		           count(*) FILTER (WHERE w.client = @client) AS of_client,
		           count(*) FILTER (WHERE w.network = @network) AS of_network
		    FROM letter_subscriptions w
		    WHERE w.site_id = @site
		      AND w.confirmed_at IS NULL
		      AND w.created_at > @since
		) n`
	const add = `
		INSERT INTO letter_subscriptions (site_id, id, email, email_key, language, period, filter, home, client, network, created_at,
		    expires_at, issue_at, next_at)
		SELECT @site, @id, @email, @key, @language, @period, @filter, @home, @client, @network, @now, @expires, @now, @now
		WHERE (` + room + `)
		  AND NOT EXISTS (
		      SELECT
		      FROM letter_subscriptions o
		      WHERE o.site_id = @site
		        AND o.email_key = @key
		        AND o.confirmed_at IS NULL
		        AND o.created_at > @since)`
	open := false
	err := s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		a := pgx.NamedArgs{
			"site":       site,
			"id":         l.ID,
			"email":      l.Email,
			"key":        tenancy.Fold(l.Email),
			"language":   l.Language,
			"period":     string(l.Period),
			"filter":     l.Filter,
			"home":       l.Home,
			"client":     l.Client,
			"network":    l.Network,
			"now":        l.Created,
			"expires":    l.Expires,
			"since":      l.Created.AddDate(0, 0, -1),
			"of_client":  most.OfClient,
			"of_network": most.OfNetwork,
			"few":        most.Few,
			"waiting":    most.Waiting,
			"most":       most.Most,
		}
		b.Queue(heed, site, l.Created)
		b.Queue(room, a).QueryRow(pg.One(&open))
		b.Queue(add, a)
	})
	if err == nil && !open {
		err = newsletters.ErrMany
	}
	return err
}

// Get implements newsletters.Store.
func (s Store) Get(ctx context.Context, id int64, now time.Time) (found *newsletters.Subscription, err error) {
	const get = `SELECT` + columns + `
		FROM letter_subscriptions l
		WHERE l.site_id = $1
		  AND l.id = $2
		  AND (l.confirmed_at IS NOT NULL OR l.expires_at > $3)`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(get, site, id, now).Query(func(rows pgx.Rows) (err error) {
			found, err = pgx.CollectExactlyOneRow(rows, readSubscription)
			return pg.NotFound(err, calendar.ErrNotFound)
		})
	})
	return found, err
}

// Confirm implements newsletters.Store.
func (s Store) Confirm(ctx context.Context, id int64, next, now time.Time) error {
	const confirm = `
		UPDATE letter_subscriptions
		SET confirmed_at = COALESCE(confirmed_at, $4),
		    issue_at = CASE WHEN confirmed_at IS NULL THEN $3 ELSE issue_at END,
		    next_at = CASE WHEN confirmed_at IS NULL THEN $3 ELSE next_at END,
		    expires_at = NULL,
		    client = NULL,
		    network = NULL,
		    tries = 0,
		    refused = 0
		WHERE site_id = $1
		  AND id = $2
		  AND (confirmed_at IS NOT NULL OR expires_at > $4)`
	const replace = `
		DELETE FROM letter_subscriptions o
		USING letter_subscriptions l
		WHERE l.site_id = $1
		  AND l.id = $2
		  AND o.site_id = $1
		  AND o.email_key = l.email_key
		  AND (o.filter = l.filter OR o.period = 'day_before' AND l.period = 'day_before')
		  AND o.confirmed_at IS NOT NULL
		  AND o.id <> l.id`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(heed, site, next)
		b.Queue(confirm, site, id, next, now).Exec(pg.OneRow(calendar.ErrNotFound))
		b.Queue(replace, site, id)
	})
}

// Leave implements newsletters.Store.
func (s Store) Leave(ctx context.Context, id int64, now time.Time) error {
	const leave = `
		WITH gone AS (
		    DELETE FROM letter_subscriptions
		    WHERE site_id = $1
		      AND id = $2
		    RETURNING confirmed_at
		)
		INSERT INTO letter_months AS m (site_id, month, ended)
		SELECT $1, date_trunc('month', $3::timestamptz AT TIME ZONE 'UTC')::date, 1
		FROM gone
		WHERE gone.confirmed_at IS NOT NULL
		ON CONFLICT ON CONSTRAINT letter_months_pkey DO UPDATE
		SET ended = m.ended + 1
		WHERE m.site_id = excluded.site_id`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(heed, site, now)
		b.Queue(leave, site, id, now)
	})
}

// Numbers implements newsletters.Store.
func (s Store) Numbers(ctx context.Context, month time.Time) (*newsletters.Numbers, error) {
	const people = `
		SELECT count(*) FILTER (WHERE l.confirmed_at IS NOT NULL AND l.period <> 'day_before'),
		       count(*) FILTER (WHERE l.confirmed_at IS NOT NULL AND l.period = 'weekly'),
		       count(*) FILTER (WHERE l.confirmed_at IS NOT NULL AND l.period = 'daily'),
		       count(*) FILTER (WHERE l.confirmed_at IS NOT NULL AND l.period = 'day_before'),
		       count(*) FILTER (WHERE l.confirmed_at IS NULL AND l.expires_at > $2)
		FROM letter_subscriptions l
		WHERE l.site_id = $1`
	const months = `
		SELECT COALESCE(sum(m.ended), 0)::bigint,
		       COALESCE(sum(m.sent) FILTER (WHERE m.month = $2), 0)::bigint,
		       max(m.last_at)
		FROM letter_months m
		WHERE m.site_id = $1`
	n := &newsletters.Numbers{}
	return n, s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(people, site, s.now()).QueryRow(pg.One(&n.Confirmed, &n.Weekly, &n.Daily, &n.Reminders, &n.Waiting))
		b.Queue(months, site, month).QueryRow(pg.One(&n.Ended, &n.Month, (*pg.Sometime)(&n.Last)))
	})
}

const whyAsked = "sites for which letters are due, by an index, once a node and some seconds"

// Take implements newsletters.Store. The site that has waited longest comes first.
func (s Store) Take(ctx context.Context, hold *newsletters.Hold) (ids []int64, err error) {
	const take = `
		UPDATE letter_rounds
		SET lease = $2,
		    lease_until = $3
		WHERE site_id IN (
		    SELECT r.site_id
		    FROM letter_rounds r
		    WHERE r.due_at <= $1
		      AND (r.lease_until IS NULL OR r.lease_until <= $1)
		    ORDER BY r.due_at, r.site_id
		    LIMIT 1
		    FOR UPDATE SKIP LOCKED)
		RETURNING site_id`
	now := s.now()
	err = s.db.Everywhere(ctx, whyAsked, take, []any{now, hold.Key, now.Add(hold.For)}, pg.More(&ids, pgx.RowTo[int64]))
	return ids, err
}

// Site implements newsletters.Store.
func (s Store) Site(ctx context.Context, id int64) (*tenancy.Site, error) {
	return platform.SiteAt(ctx, s.db, s.db.At("a site whose letters are due", id), id)
}

// holds checks that the scope's site is still held, and locks its row until the commit.
const holds = `
	SELECT
	FROM letter_rounds
	WHERE site_id = $1
	  AND lease = $2
	FOR NO KEY UPDATE`

// Extend implements newsletters.Store.
func (s Store) Extend(ctx context.Context, hold *newsletters.Hold) error {
	const extend = `
		UPDATE letter_rounds
		SET lease_until = $3
		WHERE site_id = $1
		  AND lease = $2`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(extend, site, hold.Key, s.now().Add(hold.For)).Exec(pg.OneRow(newsletters.ErrLost))
	})
}

// Due implements newsletters.Store.
func (s Store) Due(ctx context.Context, letters bool, most int) (list []*newsletters.Subscription, err error) {
	const due = `SELECT` + columns + `
		FROM letter_subscriptions l
		WHERE l.site_id = $1
		  AND l.next_at <= $2
		  AND ($3 AND l.confirmed_at IS NOT NULL OR l.confirmed_at IS NULL AND l.expires_at > $2)
		ORDER BY l.confirmed_at IS NOT NULL, l.next_at, l.id
		LIMIT $4`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(due, site, s.now(), letters, most).Query(pg.All(&list, readSubscription))
	})
	return list, err
}

// Done implements newsletters.Store. It does not restore a subscription that has ended in the meantime.
func (s Store) Done(ctx context.Context, hold *newsletters.Hold, r *newsletters.Result, month time.Time) error {
	const (
		drop = `
		DELETE FROM letter_subscriptions
		WHERE site_id = $1
		  AND id = $2`
		next = `
		UPDATE letter_subscriptions
		SET issue_at = $3,
		    next_at = $4,
		    tries = $5,
		    refused = $6
		WHERE site_id = $1
		  AND id = $2
		  AND (confirmed_at IS NOT NULL) = $7`
		count = `
		INSERT INTO letter_months AS m (site_id, month, sent, ended, last_at)
		VALUES ($1, $2, $3::bigint, $4::bigint, $5)
		ON CONFLICT ON CONSTRAINT letter_months_pkey DO UPDATE
		SET sent = m.sent + excluded.sent,
		    ended = m.ended + excluded.ended,
		    last_at = COALESCE(excluded.last_at, m.last_at)
		WHERE m.site_id = excluded.site_id`
	)
	var at *time.Time
	sent, ended := 0, 0
	if r.Sent {
		now := s.now()
		at, sent = &now, 1
	}
	if r.Drop {
		ended = 1
	}
	var again *time.Time
	if !r.Next.IsZero() {
		again = &r.Next
	}
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(holds, site, hold.Key).Exec(pg.OneRow(newsletters.ErrLost))
		if r.Drop || r.Over {
			b.Queue(drop, site, r.ID)
		} else {
			b.Queue(next, site, r.ID, r.Issue, again, r.Tries, r.Refused, !r.Confirmed.IsZero())
		}
		if sent+ended > 0 {
			b.Queue(count, site, month, sent, ended, at)
		}
	})
}

// Release implements newsletters.Store. It deletes the row of a site without subscriptions.
func (s Store) Release(ctx context.Context, hold *newsletters.Hold, before time.Time) error {
	const tidy = `
		DELETE FROM letter_subscriptions
		WHERE site_id = $1
		  AND confirmed_at IS NULL
		  AND expires_at <= $2`
	const release = `
		UPDATE letter_rounds
		SET lease = '',
		    lease_until = NULL,
		    due_at = GREATEST($3, LEAST($4::timestamptz + interval '1 hour', (
		        SELECT min(l.next_at)
		        FROM letter_subscriptions l
		        WHERE l.site_id = $1
		          AND l.next_at IS NOT NULL)))
		WHERE site_id = $1
		  AND lease = $2`
	const over = `
		DELETE FROM letter_rounds r
		WHERE r.site_id = $1
		  AND NOT EXISTS (SELECT FROM letter_subscriptions l WHERE l.site_id = $1)`
	now := s.now()
	err := s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(holds, site, hold.Key).Exec(pg.OneRow(newsletters.ErrLost))
		b.Queue(tidy, site, now)
		b.Queue(release, site, hold.Key, before, now)
		b.Queue(over, site)
	})
	if errors.Is(err, newsletters.ErrLost) {
		return nil // another node took over
	}
	return err
}
