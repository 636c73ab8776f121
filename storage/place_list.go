package storage

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

// linkedAs is the event whose links the event @event of the site has: of an
// occurrence that doesn't differ from its series, those of the series.
const linkedAs = `COALESCE((
				SELECT o.event_id
				FROM occurrences o
				WHERE o.site_id = @site
				  AND o.n = @event::bigint
				  AND o.n <> 0), @event)`

var lackingInPlaces = lackingIn("p.translations", "@lacking")

var listPlaces = `
	WITH found AS (
		SELECT p.id,
		       p.published_at,
		       count(*) OVER () AS total
		FROM {place}s p
		WHERE p.site_id = @site
		  AND (p.status = 'publish' OR @all OR p.author = @user)
		  AND CASE WHEN @statuses::text[] = '{}' THEN p.status <> 'trash' ELSE p.status = ANY (@statuses) END
		  AND (@words::text[] = '{}' OR p.search LIKE ALL (@words) AND EXISTS (
			SELECT
			FROM string_to_table(p.search, E'\n') AS line
			WHERE line LIKE ALL (@words)))
		  AND NOT p.search LIKE ANY (@without::text[])
		  AND (@translated::text = '' OR p.translations ? @translated)
		  AND (@ids::bigint[] IS NULL OR p.id = ANY (@ids))
		  AND (@lacking::text = '' OR ` + lackingInPlaces + `)
		  AND (@event::bigint = 0 OR EXISTS (
			SELECT
			FROM event_{place}s l
			JOIN events e ON e.site_id = @site AND e.id = l.event_id
			WHERE l.site_id = @site
			  AND l.{place}_id = p.id
			  AND l.event_id = ` + linkedAs + `
			  AND NOT (` + masked + `)))
		  AND (@has::boolean IS NULL OR @has = EXISTS (
			SELECT
			FROM event_{place}s l
			JOIN events e ON e.site_id = @site AND e.id = l.event_id
			WHERE l.site_id = @site
			  AND l.{place}_id = p.id
			  AND e.status IN ('publish', 'future', 'private')
			  AND NOT (` + masked + `)))
		  AND (@after::timestamptz IS NULL OR EXISTS (
			SELECT
			FROM event_{place}s l
			JOIN events e ON e.site_id = @site AND e.id = l.event_id
			WHERE l.site_id = @site
			  AND l.{place}_id = p.id
			  AND COALESCE(e.last_start_utc, e.start_utc) > @after
			  AND (e.last_start_utc IS NULL OR EXISTS (
				SELECT
				FROM occurrences o
				WHERE o.site_id = @site
				  AND o.event_id = e.id
				  AND o.start_utc > @after))
			  AND e.status <> 'trash'
			  AND (e.status = 'publish' OR @all OR e.author = @user)
			  AND NOT (` + masked + `)))
		ORDER BY p.published_at DESC, p.id DESC
		LIMIT @limit
		OFFSET @offset
	)
	SELECT f.total,
	       {record}
	FROM found f
	JOIN {place}s p ON p.site_id = @site AND p.id = f.id
	LEFT JOIN images i ON i.site_id = @site AND i.id = p.image_id
	ORDER BY f.published_at DESC, f.id DESC`

// List implements calendar.PlaceStore: the newest first.
func (s placeStore[T]) List(ctx context.Context, q calendar.PlaceQuery) (calendar.Page[T], error) {
	var p calendar.Page[T]
	err := s.db.Public(ctx, func(site int64, b *pgx.Batch) {
		p = calendar.Page[T]{}
		queueVersion(b, site, &p.Version)
		queueVisible(b, site, q.Event, q.Viewer)
		list := s.kind.list
		if q.Texts.Several {
			list = s.kind.listIn
		}
		b.Queue(list, placeArgs(site, q)).Query(readPage(&p, s.kind.read))
	})
	if err == nil && q.Page > 1 && len(p.Items) == 0 {
		err = calendar.ErrPage
	}
	return p, err
}

const placeTwins = `
	WITH named AS (
		SELECT p.id,
		       split_part(p.search, E'\n', 1) AS name,
		       {apart} AS apart,
		       count(*) OVER (PARTITION BY split_part(p.search, E'\n', 1), {apart}) AS n
		FROM {place}s p
		WHERE p.site_id = $1
		  AND p.status <> 'trash'
	)
	SELECT {record}
	FROM named
	JOIN {place}s p ON p.site_id = $1 AND p.id = named.id
	LEFT JOIN images i ON i.site_id = $1 AND i.id = p.image_id
	WHERE named.n > 1
	ORDER BY named.name, named.apart, p.id
	LIMIT $2`

// Twins implements calendar.PlaceStore. The first line of what is searched is the
// folded name.
func (s placeStore[T]) Twins(ctx context.Context, most int) (list []*T, err error) {
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(s.kind.twins, site, most).Query(readAll(&list, s.kind.read))
	})
	return list, err
}

// placeArgs names what the lists of venues and organizers ask for.
func placeArgs(site int64, q calendar.PlaceQuery) pgx.NamedArgs {
	var after *time.Time
	if !q.UpcomingAfter.IsZero() {
		after = &q.UpcomingAfter
	}
	statuses := make([]string, 0, len(q.Statuses))
	for _, s := range q.Statuses {
		statuses = append(statuses, string(s))
	}
	return openerArgs(q.Opener, pgx.NamedArgs{
		"site":     site,
		"words":    within(q.Search.Words),
		"without":  within(q.Search.Without),
		"event":    q.Event,
		"ids":      q.IDs,
		"has":      q.HasEvents,
		"after":    after,
		"statuses": statuses,
		"all":      q.Viewer.All,
		"user":     q.Viewer.User,
		"limit":    q.PerPage,
		"offset":   offset(q.Page, q.PerPage),

		"languages":  append([]string{}, q.Texts.In...),
		"translated": q.Texts.Translated,
		"lacking":    q.Texts.Lacking,
	})
}

func offset(page, perPage int) int64 { return int64(max(page, 1)-1) * int64(perPage) }

// within returns LIKE patterns for texts that contain the words.
func within(words []string) []string {
	patterns := make([]string, 0, len(words))
	for _, w := range words {
		patterns = append(patterns, containing(strings.Join(strings.Fields(w), " ")))
	}
	return patterns
}

// queueVersion reads the version of the site.
func queueVersion(b *pgx.Batch, site int64, version *int64) {
	const read = `
		SELECT version
		FROM sites
		WHERE id = $1`
	b.Queue(read, site).QueryRow(func(row pgx.Row) error { return row.Scan(version) })
}

// queueVisible refuses a list of what belongs to an event that isn't there for
// the viewer. Event 0 is not asked for.
func queueVisible(b *pgx.Batch, site, event int64, viewer calendar.Viewer) {
	const visible = `
		SELECT e.id
		FROM events e
		WHERE e.site_id = @site
		  AND e.id = ` + linkedAs + `
		  AND (e.status = 'publish' OR @all OR e.author = @user)`
	if event == 0 {
		return
	}
	named := pgx.NamedArgs{"site": site, "event": event, "all": viewer.All, "user": viewer.User}
	b.Queue(visible, named).QueryRow(func(row pgx.Row) error {
		err := row.Scan(nil)
		if errors.Is(err, pgx.ErrNoRows) {
			return args.Invalid("event", "problem.event.unknown", nil)
		}
		return err
	})
}
