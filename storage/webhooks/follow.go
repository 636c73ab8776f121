package webhooks

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
)

// Due implements webhooks.Rounds.
func (s Store) Due(ctx context.Context, now time.Time, most int) (sites []int64, err error) {
	const due = `
		SELECT r.site_id
		FROM webhook_rounds r
		JOIN sites s ON s.id = r.site_id
		WHERE (s.version > r.looked OR r.due_at <= $1 OR r.tidied < ($1::timestamptz AT TIME ZONE 'UTC')::date)
		  AND s.state IN ('active', 'read_only')
		  AND s.deleted_at IS NULL
		ORDER BY r.due_at
		LIMIT $2`
	err = s.db.Everywhere(ctx, "what is due now, of the sites with webhooks, which are few, once a node and second", due, []any{now, most},
		pg.More(&sites, pgx.RowTo[int64]))
	return sites, err
}

// Sites implements webhooks.Rounds.
func (s Store) Sites(ctx context.Context) (sites []int64, err error) {
	const all = `SELECT site_id FROM webhook_rounds`
	err = s.db.Everywhere(ctx, "which sites have webhooks, so that writes of others cost nothing, every ten seconds", all, nil,
		pg.More(&sites, pgx.RowTo[int64]))
	return sites, err
}

// overdue is how long messages wait at most in normal operation.
const overdue = 5 * time.Second

// Waiting returns how many sites have overdue messages.
func (s Store) Waiting(ctx context.Context, now time.Time) (sites int, err error) {
	const waiting = `SELECT count(*) FROM webhook_rounds WHERE due_at <= $1`
	err = s.db.Across("counted by an index when Prometheus asks").QueryRow(ctx, waiting, now.Add(-overdue)).Scan(&sites)
	return sites, s.db.Failure(err)
}

// Site implements webhooks.Rounds.
func (s Store) Site(ctx context.Context, id int64) (*tenancy.Site, error) {
	return platform.SiteAt(ctx, s.db, s.db.At("a site whose webhooks are seen to", id), id)
}

// Active implements webhooks.Rounds.
func (s Store) Active(ctx context.Context) (list []*webhooks.Webhook, err error) {
	const active = `SELECT` + webhookColumns + `
		FROM webhooks w
		WHERE w.site_id = $1
		  AND w.active
		ORDER BY w.id`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(active, site).Query(pg.All(&list, func(row pgx.CollectableRow) (*webhooks.Webhook, error) {
			w := &webhooks.Webhook{}
			return w, row.Scan(webhookRow(w)...)
		}))
	})
	return list, err
}

// told selects the version up to which a webhook can read the history: the version of the site or, for a webhook
// with a filter, the version of its selection's last look.
const told = `
		SELECT CASE WHEN @key::uuid IS NULL THEN s.version
		            ELSE LEAST(s.version, (SELECT x.looked FROM selections x WHERE x.site_id = @site AND x.key = @key)) END AS version
		FROM sites s
		WHERE s.id = @site`

// steps selects what happened to objects, with one row per object and version. A date of a series counts as its
// series. The value of a field before a version is in the entry of that version, unless the field did not change.
// The value after it is in the next entry that changed the field, or else in the object. An event is in a filter if
// the selection had it at that version: an event can enter and leave a selection without a history entry of its
// own.
var steps = `
	WITH until AS MATERIALIZED (` + told + `
	), entries AS MATERIALIZED (
		SELECT c.version,
		       c.kind,
		       c.id,
		       CASE WHEN c.kind = 'event'
		            THEN COALESCE(e.series_id, o.event_id, r.series_id, (c.before -> 'series' ->> 'id')::bigint, c.id)
		            ELSE c.id END AS object,
		       c.action,
		       c.before,
		       c.at,
		       c.via
		FROM changes c
		LEFT JOIN events e ON c.kind = 'event' AND e.site_id = @site AND e.id = c.id
		LEFT JOIN occurrences o ON c.kind = 'event' AND o.site_id = @site AND o.n = c.id AND o.n <> 0
		LEFT JOIN removed_occurrences r ON c.kind = 'event' AND r.site_id = @site AND r.id = c.id
		WHERE c.site_id = @site
		  AND c.version >= @version
		  AND c.version <= (SELECT u.version FROM until u)
		  AND c.kind = ANY(@kinds)
		UNION ALL
		SELECT v.version,
		       'event',
		       0,
		       x.id,
		       '',
		       NULL,
		       x.at,
		       ''
		FROM selected_objects x
		CROSS JOIN LATERAL (VALUES (x.came), (x.went)) v (version)
		WHERE x.site_id = @site
		  AND x.key = @key
		  AND v.version >= @version
		  AND v.version <= (SELECT u.version FROM until u)
	), objects AS MATERIALIZED (
		SELECT n.version,
		       n.kind,
		       n.object,
		       max(n.at) AS at,
		       COALESCE(max(n.action) FILTER (WHERE n.id = n.object), '') AS action,
		       (array_agg(n.before) FILTER (WHERE n.id = n.object))[1] AS before,
		       bool_or(n.via = 'submission') AS sent
		FROM entries n
		WHERE n.version > @version
		   OR @kind <> '' AND (n.kind, n.object) > (@kind, @object)
		GROUP BY n.version, n.kind, n.object
		ORDER BY n.version, n.kind, n.object
		LIMIT @most + 1
	), states AS (
		SELECT b.*,
		       COALESCE(` + later("status") + `, e.status, p.status, g.status) AS status,
		       COALESCE(` + later("event_status") + `, e.event_status) = 'cancelled' AS cancelled,
		       COALESCE(` + later("hide_from_listings") + `, e.hidden::text, 'false') = 'true' AS hidden
		FROM objects b
		LEFT JOIN events e ON b.kind = 'event' AND e.site_id = @site AND e.id = b.object
		LEFT JOIN venues p ON b.kind = 'venue' AND p.site_id = @site AND p.id = b.object
		LEFT JOIN organizers g ON b.kind = 'organizer' AND g.site_id = @site AND g.id = b.object
	)
	SELECT t.version,
	       t.kind,
	       t.object,
	       t.at,
	       t.action,
	       t.sent,
	       CASE WHEN @key::uuid IS NOT NULL AND t.kind = 'event' THEN EXISTS (
	                SELECT
	                FROM selected_objects x
	                WHERE x.site_id = @site
	                  AND x.key = @key
	                  AND x.id = t.object
	                  AND x.came < t.version
	                  AND (x.went IS NULL OR x.went >= t.version
	                       OR t.action = 'delete' AND EXISTS (
	                          SELECT
	                          FROM changes c
	                          WHERE c.site_id = @site
	                            AND c.kind = 'event'
	                            AND c.id = t.object
	                            AND c.version = x.went
	                            AND c.action = 'trash')))
	            WHEN t.action = 'create' OR t.action = 'restore' THEN false
	            WHEN t.kind = 'event' AND t.action = 'delete' THEN true
	            ELSE COALESCE(COALESCE(t.before ->> 'status', t.status) <> 'trash', true) END,
	       COALESCE(COALESCE(t.before ->> 'status', t.status) = 'publish', false)
	           AND COALESCE((t.before ->> 'hide_from_listings')::boolean, t.hidden) = false,
	       COALESCE(COALESCE(t.before ->> 'event_status' = 'cancelled', t.cancelled), false),
	       CASE WHEN @key::uuid IS NOT NULL AND t.kind = 'event' THEN EXISTS (
	                SELECT
	                FROM selected_objects x
	                WHERE x.site_id = @site
	                  AND x.key = @key
	                  AND x.id = t.object
	                  AND x.came <= t.version
	                  AND (x.went IS NULL OR x.went > t.version))
	            WHEN t.action = 'delete' THEN false
	            ELSE COALESCE(t.status <> 'trash', true) END,
	       COALESCE(t.status = 'publish', false) AND NOT t.hidden,
	       COALESCE(t.cancelled, false),
	       (SELECT u.version FROM until u)
	FROM states t
	ORDER BY t.version, t.kind, t.object`

// later is SQL for the value of a field of the object b after its version: from the first later entry that changed the field,
// or NULL.
func later(field string) string {
	return `(SELECT c.before ->> '` + field + `'
		FROM changes c
		WHERE c.site_id = @site
		  AND c.kind = b.kind
		  AND c.id = b.object
		  AND c.version > b.version
		  AND c.action <> 'create'
		  AND c.before ? '` + field + `'
		ORDER BY c.version
		LIMIT 1)`
}

// Steps implements webhooks.Rounds.
func (s Store) Steps(ctx context.Context, w *webhooks.Webhook, kinds []string, in *changes.Selection, most int,
) (list []webhooks.Step, to webhooks.Mark, more bool, err error) {
	a := pgx.NamedArgs{"version": w.Seen.Version, "kind": w.Seen.Kind, "object": w.Seen.ID, "kinds": kinds, "key": nil, "most": most}
	if in != nil {
		a["key"] = in.Key
	}
	var until int64
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		list, a["site"] = nil, site
		b.Queue(told, a).QueryRow(pg.One(&until))
		one := webhooks.Step{Filtered: in != nil}
		b.Queue(steps, a).
			Query(pg.Each([]any{&one.Position.Version, &one.Position.Kind, &one.Position.ID, (*pg.UTC)(&one.At), &one.Action, &one.Sent,
				&one.Was.Inside, &one.Was.Public, &one.Was.Cancelled, &one.Is.Inside, &one.Is.Public, &one.Is.Cancelled, &until},
				func() error {
					list = append(list, one)
					return nil
				}))
	})
	if more = len(list) > most; more {
		list = list[:most]
		return list, list[most-1].Position, true, err
	}
	return list, webhooks.Mark{Version: max(until, w.Seen.Version)}, false, err
}

const put = `
	WITH moved AS (
		UPDATE webhooks
		SET seen_version = @version,
		    seen_kind = @kind,
		    seen_id = @object
		WHERE site_id = @site
		  AND id = @id
		  AND active
		  AND (seen_version, seen_kind, seen_id) = (@from_version, @from_kind, @from_object)
		RETURNING id
	), news AS MATERIALIZED (
		SELECT n.*
		FROM moved
		CROSS JOIN unnest(@kinds::text[], @objects::bigint[], @messages::text[], @events::text[], @keeps::text[], @enters::boolean[],
			@leaves::boolean[], @instead::text[], @versions::bigint[], @times::timestamptz[])
			n (kind, object, message, event, keeps, enters, leaves, instead, version, at)
	), untold AS (
		DELETE FROM webhook_messages m
		USING news n
		WHERE m.site_id = @site
		  AND m.webhook_id = @id
		  AND m.kind = n.kind
		  AND m.object = n.object
		  AND n.leaves
		  AND m.fresh
		  AND m.tries = 0
		RETURNING m.kind, m.object
	)
	INSERT INTO webhook_messages (site_id, webhook_id, kind, object, message, event, keeps, fresh, leaves, instead, version, at,
		planned_at, due_at)
	SELECT @site, @id, n.kind, n.object, n.message, n.event, n.keeps, n.enters, n.leaves, n.instead, n.version, n.at, @now, @now
	FROM news n
	WHERE NOT EXISTS (SELECT FROM untold u WHERE u.kind = n.kind AND u.object = n.object)
	ON CONFLICT ON CONSTRAINT webhook_messages_pkey DO UPDATE
	SET message = excluded.message,
	    event = excluded.event,
	    keeps = CASE WHEN excluded.leaves THEN ''
	                 WHEN excluded.event = 'event.unpublished' THEN CASE WHEN webhook_messages.fresh THEN excluded.instead ELSE '' END
	                 WHEN excluded.keeps <> '' THEN excluded.keeps
	                 ELSE webhook_messages.keeps END,
	    fresh = webhook_messages.fresh AND webhook_messages.tries = 0,
	    leaves = excluded.leaves,
	    instead = excluded.instead,
	    version = excluded.version,
	    at = excluded.at,
	    tries = 0,
	    step = 0,
	    extra = 0,
	    planned_at = excluded.planned_at,
	    due_at = excluded.due_at`

// Put implements webhooks.Rounds.
func (s Store) Put(ctx context.Context, w *webhooks.Webhook, to webhooks.Mark, news []webhooks.Named, now time.Time) error {
	column := func(of func(n *webhooks.Named) any) []any {
		list := make([]any, len(news))
		for i := range news {
			list[i] = of(&news[i])
		}
		return list
	}
	a := pgx.NamedArgs{"id": w.ID, "version": to.Version, "kind": to.Kind, "object": to.ID, "now": now,
		"from_version": w.Seen.Version, "from_kind": w.Seen.Kind, "from_object": w.Seen.ID,
		"kinds":    column(func(n *webhooks.Named) any { return n.Kind }),
		"objects":  column(func(n *webhooks.Named) any { return n.Object }),
		"messages": column(func(n *webhooks.Named) any { return n.Name }),
		"events":   column(func(n *webhooks.Named) any { return n.Event }),
		"keeps":    column(func(n *webhooks.Named) any { return n.Keeps }),
		"enters":   column(func(n *webhooks.Named) any { return n.Enters }),
		"leaves":   column(func(n *webhooks.Named) any { return n.Leaves }),
		"instead":  column(func(n *webhooks.Named) any { return n.Instead }),
		"versions": column(func(n *webhooks.Named) any { return n.Version }),
		"times":    column(func(n *webhooks.Named) any { return n.At }),
	}
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		a["site"] = site
		if len(news) > 0 {
			b.Queue(heed, site, now)
		} else {
			b.Queue(hold, site)
		}
		b.Queue(put, a)
	})
}

// Looked implements webhooks.Rounds. It skips webhooks created after the caller listed them, because these have not
// been followed up to that version.
func (s Store) Looked(ctx context.Context, version int64) error {
	const looked = `
		UPDATE webhook_rounds
		SET looked = GREATEST(looked, LEAST($2, (
		    SELECT min(CASE WHEN w.seen_kind = '' THEN w.seen_version ELSE w.seen_version - 1 END)
		    FROM webhooks w
		    WHERE w.site_id = $1
		      AND w.active)))
		WHERE site_id = $1`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) { b.Queue(looked, site, version) })
}
