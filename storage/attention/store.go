// Package attention finds what the people of a site have to deal with, and records what they have been notified of.
package attention

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/attention"
	"github.com/kalends/kalends/internal/bounded"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
)

// Store implements attention.Store.
type Store struct {
	db    *pg.DB
	stale bounded.Cache[staleKey, staleCount]
}

// New returns the store.
func New(db *pg.DB) Store { return Store{db, newStaleCounts()} }

var _ attention.Store = Store{}

// unsettled is the condition that user u has not accepted the invitation: the user has no password, passkey or sign-in
// identity.
const unsettled = `
	u.password_hash = ''
	AND NOT EXISTS (SELECT FROM passkeys p WHERE p.site_id = $1 AND p.user_id = u.id)
	AND NOT EXISTS (SELECT FROM sign_in_identities i WHERE i.site_id = $1 AND i.user_id = u.id)`

// theirs is the condition that event e is in the area of the principal.
var theirs = content.InArea("$9::bigint[]", "$10::bigint[]", "$11::bigint[]")

// counts returns the number of waiting items of each kind.
var counts = `
	SELECT (SELECT count(*)
	        FROM events e
	        WHERE e.site_id = $1
	          AND e.status = 'draft'
	          AND e.review_note <> ''
	          AND e.series_id IS NULL
	          AND e.author = $3),
	       (SELECT count(*)
	        FROM events e
	        JOIN submissions w ON w.site_id = $1 AND w.event_id = e.id
	        WHERE e.site_id = $1
	          AND e.status = 'pending'
	          AND ` + theirs + `),
	       (SELECT count(*)
	        FROM events e
	        WHERE e.site_id = $1
	          AND e.status = 'pending'
	          AND e.series_id IS NULL
	          AND NOT EXISTS (SELECT FROM submissions w WHERE w.site_id = $1 AND w.event_id = e.id)
	          AND ` + theirs + `),
	       (SELECT count(*)` + content.OfReports + `
	          AND ` + content.ReportInArea("$9::bigint[]", "$10::bigint[]", "$11::bigint[]", "$3") + `),
	       (SELECT count(*)
	        FROM sources w
	        WHERE w.site_id = $1
	          AND w.active
	          AND w.failing_since <= $2),
	       (SELECT count(*)
	        FROM (SELECT max(v.expires_at) AS ends
	              FROM vouchers v
	              JOIN users u ON u.site_id = $1 AND u.id = v.user_id
	              WHERE v.site_id = $1
	                AND v.kind = 'invitation'
	                AND ` + unsettled + `
	              GROUP BY u.id) i
	        WHERE i.ends > $13
	          AND i.ends <= $14),
	       ` + countStale

// Counts implements attention.Store.
func (s Store) Counts(ctx context.Context, now time.Time) (map[attention.Kind]int, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	var returned, sent, review, reports, failing, ending, stale int
	check, area := calendar.Unchecked(scope, now), scope.Principal.Area
	key := staleKeyOf(scope, check)
	known, remembered := s.stale.Get(key)
	if !remembered {
		known.version = tenancy.NoVersion
	}
	found := staleCount{}
	err = s.db.Quick(ctx, func(site int64, b *pgx.Batch) {
		asked := b.Queue(counts, site, now.Add(-attention.Failing), scope.Principal.UserID, known.version,
			check.From, check.Until, check.Changed, check.Author,
			content.IDs(area.Categories), content.IDs(area.Venues), content.IDs(area.Organizers),
			attention.MostStale, now, now.Add(attention.Expiring))
		asked.QueryRow(func(row pgx.Row) error {
			return row.Scan(&returned, &sent, &review, &reports, &failing, &ending, &found.version, &stale)
		})
	})
	if err != nil {
		return nil, err
	}
	if found.events = stale; remembered && found.version == known.version {
		found = known
	}
	s.stale.Set(key, found)
	return map[attention.Kind]int{
		attention.Submission: sent,
		attention.Review:     review,
		attention.Returned:   returned,
		attention.Report:     reports,
		attention.Stale:      found.events,
		attention.Source:     failing,
		attention.Invitation: ending,
	}, nil
}

const whyAsked = "sites that have changed since people were told what waits, or whose time has come, once a node and ten seconds"

// Due implements attention.Store. A site without a row has never been checked.
func (s Store) Due(ctx context.Context, now time.Time, most int) (ids []int64, err error) {
	const due = `
		SELECT s.id
		FROM sites s
		LEFT JOIN attention_rounds r ON r.site_id = s.id
		WHERE (s.version > COALESCE(r.looked, 0) OR r.due_at <= $1)
		  AND (r.lease_until IS NULL OR r.lease_until <= $1)
		  AND s.state = 'active'
		  AND s.deleted_at IS NULL
		ORDER BY r.due_at, s.id
		LIMIT $2`
	err = s.db.Everywhere(ctx, whyAsked, due, []any{now, most}, pg.More(&ids, pgx.RowTo[int64]))
	return ids, err
}

// Site implements attention.Store.
func (s Store) Site(ctx context.Context, id int64) (*tenancy.Site, error) {
	return platform.SiteAt(ctx, s.db, s.db.At("a site whose people are told what waits", id), id)
}

// Take implements attention.Store.
func (s Store) Take(ctx context.Context, hold *attention.Hold, now time.Time) error {
	const take = `
		INSERT INTO attention_rounds AS r (site_id, lease, lease_until)
		VALUES ($1, $2, $3)
		ON CONFLICT ON CONSTRAINT attention_rounds_pkey DO UPDATE
		SET lease = excluded.lease,
		    lease_until = excluded.lease_until,
		    due_at = 'infinity'
		WHERE r.site_id = excluded.site_id
		  AND (r.lease_until IS NULL OR r.lease_until <= $4)`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(take, site, hold.Key, now.Add(hold.For), now).Exec(pg.OneRow(attention.ErrLost))
	})
}

// Extend implements attention.Store.
func (s Store) Extend(ctx context.Context, hold *attention.Hold, now time.Time) error {
	const extend = `
		UPDATE attention_rounds
		SET lease_until = $3
		WHERE site_id = $1
		  AND lease = $2`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(extend, site, hold.Key, now.Add(hold.For)).Exec(pg.OneRow(attention.ErrLost))
	})
}

// noted finds the entries of the history in which an editor asked for changes to an event e.
const noted = `
	FROM changes c
	WHERE c.site_id = $1
	  AND c.kind = 'event'
	  AND c.id = e.id
	  AND c.action <> 'create'
	  AND c.before ->> 'review_note' IS NOT NULL`

// within finds the editors with an area that item t is in.
var within = `
	SELECT u.id
	FROM users u
	WHERE u.site_id = $1
	  AND u.role = 'editor'
	  AND u.told <> 'never'
	  AND u.categories || u.venues || u.organizers <> '{}'
	  AND CASE WHEN t.report IS NULL THEN EXISTS (
	          SELECT
	          FROM events e
	          WHERE e.site_id = $1
	            AND e.id = t.event
	            AND ` + content.InArea("u.categories", "u.venues", "u.organizers") + `)
	      ELSE EXISTS (
	          SELECT` + content.OfReports + `
	            AND r.id = t.report
	            AND ` + content.ReportInArea("u.categories", "u.venues", "u.organizers", "u.id") + `) END`

// items lists what has been waiting on site $1 since $2, at most $3 of each kind. The history says since when an
// event is pending. A source counts after failing for $4, and an invitation counts from $5 before it expires. The
// other parameters are those of staleItems.
var items = `
	SELECT t.kind,
	       t.title,
	       t.note,
	       t.since,
	       t.author,
	       t.concerns,
	       ARRAY(` + within + `)
	FROM (
	    SELECT CASE WHEN w.event_id IS NULL THEN 'review' ELSE 'submission' END AS kind,
	           e.title,
	           '' AS note,
	           COALESCE((SELECT max(c.at)
	                     FROM changes c
	                     WHERE c.site_id = $1
	                       AND c.kind = 'event'
	                       AND c.id = e.id
	                       AND c.action <> 'create'
	                       AND c.before ->> 'status' <> 'pending'), e.created_at) AS since,
	           COALESCE(e.author, 0) AS author,
	           0::bigint AS concerns,
	           e.id AS event,
	           NULL AS report
	    FROM (
	        SELECT n.id, n.title, n.author, CASE WHEN n.dated THEN n.modified_at ELSE n.published_at END AS created_at
	        FROM events n
	        WHERE n.site_id = $1
	          AND n.status = 'pending'
	          AND n.series_id IS NULL
	          AND n.modified_at > $2
	        ORDER BY n.modified_at DESC, n.id
	        LIMIT $3
	    ) e
	    LEFT JOIN submissions w ON w.site_id = $1 AND w.event_id = e.id
	    UNION ALL
	    SELECT 'returned',
	           e.title,
	           e.review_note,
	           COALESCE((` + "SELECT max(c.at)" + noted + `), e.modified_at),
	           COALESCE((` + "SELECT c.user_id" + noted + ` ORDER BY c.version DESC LIMIT 1), 0),
	           e.author,
	           e.id,
	           NULL
	    FROM (
	        SELECT n.id, n.title, n.review_note, n.author, n.modified_at
	        FROM events n
	        WHERE n.site_id = $1
	          AND n.status = 'draft'
	          AND n.review_note <> ''
	          AND n.series_id IS NULL
	          AND n.author IS NOT NULL
	          AND n.modified_at > $2
	        ORDER BY n.modified_at DESC, n.id
	        LIMIT $3
	    ) e
	    UNION ALL
	    (SELECT 'report',` + content.ReportedTitle + `,` + content.ReportedKind + `,
	            r.created_at,
	            0,
	            0,
	            0,
	            r.id` + content.OfReports + `
	     ORDER BY r.created_at DESC, r.id
	     LIMIT $3)
	    UNION ALL
	    ` + staleItems + `
	    UNION ALL
	    (SELECT 'source',
	            w.name,
	            '',
	            w.failing_since + $4::interval,
	            0,
	            0,
	            0,
	            NULL
	     FROM sources w
	     WHERE w.site_id = $1
	       AND w.active
	       AND w.failing_since IS NOT NULL
	     ORDER BY w.failing_since DESC, w.id
	     LIMIT $3)
	    UNION ALL
	    (SELECT 'invitation',
	            u.name,
	            '',
	            max(v.expires_at) - $5::interval,
	            0,
	            0,
	            0,
	            NULL
	     FROM vouchers v
	     JOIN users u ON u.site_id = $1 AND u.id = v.user_id
	     WHERE v.site_id = $1
	       AND v.kind = 'invitation'
	       AND ` + unsettled + `
	     GROUP BY u.id, u.name
	     ORDER BY max(v.expires_at) DESC, u.id
	     LIMIT $3)
	) t
	WHERE t.since > $2
	ORDER BY t.since, t.kind, t.title`

// Look implements attention.Store. It reads the version first, so that a later write causes another check.
func (s Store) Look(ctx context.Context, now time.Time, most int) (*attention.State, error) {
	const version = `
		SELECT version
		FROM sites
		WHERE id = $1`
	const people = `
		SELECT u.id,
		       u.login,
		       u.email,
		       u.name,
		       u.role,
		       u.language,
		       u.categories,
		       u.venues,
		       u.organizers,
		       u.told,
		       u.told_at
		FROM users u
		WHERE u.site_id = $1
		  AND u.told <> 'never'
		  AND u.email <> ''
		  AND (u.role IN ('administrator', 'editor') OR EXISTS (
		      SELECT
		      FROM events e
		      WHERE e.site_id = $1
		        AND e.author = u.id
		        AND (e.status = 'draft' AND e.review_note <> '' AND e.modified_at > $2
		             OR u.role = 'author' AND e.status = 'publish' AND e.modified_at < $3)))
		  AND NOT (` + unsettled + `)
		ORDER BY u.id`
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	state, since := &attention.State{}, now.Add(-attention.Old)
	check := soonStale(scope, now)
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(version, site).QueryRow(pg.One(&state.Version))
		waiting := b.Queue(items, site, since, most, attention.Failing, attention.Expiring, check.From, check.Until, check.Changed,
			calendar.CheckMonths, calendar.CheckAhead)
		waiting.Query(pg.All(&state.Items, func(row pgx.CollectableRow) (i attention.Item, err error) {
			return i, row.Scan(&i.Kind, &i.Title, &i.Note, (*pg.UTC)(&i.Since), &i.By, &i.For, &i.Within)
		}))
		b.Queue(people, site, since, check.Changed).Query(pg.All(&state.People, func(row pgx.CollectableRow) (*attention.Person, error) {
			p := &attention.Person{User: &tenancy.User{}}
			u := p.User
			return p, row.Scan(&u.ID, &u.Login, &u.Email, &u.Name, &u.Role, &u.Language,
				&u.Area.Categories, &u.Area.Venues, &u.Area.Organizers, &u.Told, (*pg.UTC)(&p.Told))
		}))
	})
	return state, err
}

// holds checks that the scope's site is still held, and locks its row until the commit.
const holds = `
	SELECT
	FROM attention_rounds
	WHERE site_id = $1
	  AND lease = $2
	FOR NO KEY UPDATE`

// Told implements attention.Store.
func (s Store) Told(ctx context.Context, hold *attention.Hold, user int64, to time.Time) error {
	const told = `
		UPDATE users
		SET told_at = GREATEST(told_at, $3)
		WHERE site_id = $1
		  AND id = $2`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(holds, site, hold.Key).Exec(pg.OneRow(attention.ErrLost))
		b.Queue(told, site, user, to)
	})
}

// Release implements attention.Store. A site that became due in the meantime stays due.
func (s Store) Release(ctx context.Context, hold *attention.Hold, version int64, next time.Time) error {
	const release = `
		UPDATE attention_rounds
		SET lease = '',
		    lease_until = NULL,
		    looked = GREATEST(looked, $3),
		    due_at = LEAST(due_at, COALESCE($4, 'infinity'::timestamptz))
		WHERE site_id = $1
		  AND lease = $2`
	var at *time.Time
	if !next.IsZero() {
		at = &next
	}
	err := s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(release, site, hold.Key, version, at).Exec(pg.OneRow(attention.ErrLost))
	})
	if errors.Is(err, attention.ErrLost) {
		return nil // another node took over
	}
	return err
}
