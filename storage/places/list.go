package places

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
)

var lackingInPlaces = content.LackingIn("p.translations", "@lacking")

var listPlaces = `
	WITH found AS (
		SELECT p.id,
		       p.published_at,
		       CASE WHEN @by_name THEN split_part(p.search, E'\n', 1) END AS name,
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
		  AND (@translated::text = '' OR ` + content.TranslatedIn("p.translations", "@translated") + `)
		  AND (@ids::bigint[] IS NULL OR p.id = ANY (@ids))
		  AND (@lacking::text = '' OR ` + lackingInPlaces + `)
		  AND (@event::bigint = 0 OR EXISTS (
			SELECT
			FROM event_{place}s l
			JOIN events e ON e.site_id = @site AND e.id = l.event_id
			WHERE l.site_id = @site
			  AND l.{place}_id = p.id
			  AND l.event_id = ` + content.LinkedAs + `
			  AND NOT (` + content.Masked + `)))
		  AND (@has::boolean IS NULL OR @has = EXISTS (
			SELECT
			FROM event_{place}s l
			JOIN events e ON e.site_id = @site AND e.id = l.event_id
			WHERE l.site_id = @site
			  AND l.{place}_id = p.id
			  AND e.status IN ('publish', 'future', 'private')
			  AND (e.status = 'publish' OR @all OR e.author = @user)
			  AND NOT (` + content.Masked + `)))
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
			  AND NOT (` + content.Masked + `)))
		ORDER BY name, p.published_at DESC, p.id DESC
		LIMIT @limit
		OFFSET @offset
	)
	SELECT f.total,
	       {record}
	FROM found f
	JOIN {place}s p ON p.site_id = @site AND p.id = f.id
	LEFT JOIN images i ON i.site_id = @site AND i.id = p.image_id
	ORDER BY f.name, f.published_at DESC, f.id DESC`

// List implements calendar.PlaceStore.
func (s store[T]) List(ctx context.Context, q calendar.PlaceQuery) (calendar.Page[T], error) {
	var p calendar.Page[T]
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		p = calendar.Page[T]{}
		content.QueueVersion(b, site, &p.Version)
		content.QueueVisible(b, site, q.Event, q.Viewer)
		list := s.kind.list
		if q.Texts.Several {
			list = s.kind.listIn
		}
		b.Queue(list, placeArgs(site, q)).Query(content.ReadPage(&p, s.kind.Read))
	})
	if err == nil && q.Page > 1 && len(p.Items) == 0 {
		err = calendar.ErrPage
	}
	return p, err
}

const placeCounts = `
	SELECT x.{place}_id,
	       count(DISTINCT COALESCE(e.series_id, e.id))
	FROM event_{place}s x
	JOIN events e ON e.site_id = $1 AND e.id = x.event_id
	WHERE x.site_id = $1
	  AND x.{place}_id = ANY ($2)
	  AND e.status <> 'trash'
	  AND ($3::boolean OR e.author = NULLIF($4::bigint, 0) OR e.status = 'publish' AND e.password IS NULL)
	GROUP BY x.{place}_id`

// EventCounts implements calendar.PlaceStore.
func (s store[T]) EventCounts(ctx context.Context, ids []int64, viewer calendar.Viewer) (map[int64]int, error) {
	each, _, err := s.db.Linked(ctx, s.kind.counts, ids, viewer.All, viewer.User)
	return each, err
}

// placeArgs returns the arguments of the list statements.
func placeArgs(site int64, q calendar.PlaceQuery) pgx.NamedArgs {
	var after *time.Time
	if !q.UpcomingAfter.IsZero() {
		after = &q.UpcomingAfter
	}
	statuses := make([]string, 0, len(q.Statuses))
	for _, s := range q.Statuses {
		statuses = append(statuses, string(s))
	}
	return content.OpenerArgs(q.Opener, pgx.NamedArgs{
		"site":     site,
		"words":    content.Patterns(q.Search.Words),
		"without":  content.Patterns(q.Search.Without),
		"event":    q.Event,
		"ids":      q.IDs,
		"has":      q.HasEvents,
		"after":    after,
		"statuses": statuses,
		"all":      q.Viewer.All,
		"user":     q.Viewer.User,
		"by_name":  q.ByName,
		"limit":    q.PerPage,
		"offset":   content.Offset(q.Page, q.PerPage),

		"languages":  append([]string{}, q.Texts.In...),
		"translated": q.Texts.Translated,
		"lacking":    q.Texts.Lacking,
	})
}
