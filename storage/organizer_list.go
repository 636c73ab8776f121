package storage

import (
	"context"

	"github.com/kalends/kalends/calendar"
)

// List returns one page of organizers, the newest first.
func (s organizers) List(ctx context.Context, q calendar.PlaceQuery) (calendar.Page[calendar.Organizer], error) {
	const list = `
		WITH found AS (
			SELECT o.id,
			       o.published_at,
			       count(*) OVER () AS total
			FROM organizers o
			WHERE o.site_id = @site
			  AND (o.status = 'publish' OR @all OR o.author = @user)
			  AND CASE WHEN @statuses::text[] = '{}' THEN o.status <> 'trash' ELSE o.status = ANY (@statuses) END
			  AND (@words::text[] = '{}' OR o.search LIKE ALL (@words) AND EXISTS (
				SELECT
				FROM string_to_table(o.search, E'\n') AS line
				WHERE line LIKE ALL (@words)))
			  AND NOT o.search LIKE ANY (@without::text[])
			  AND (@event::bigint = 0 OR EXISTS (
				SELECT
				FROM event_organizers l
				WHERE l.site_id = @site
				  AND l.organizer_id = o.id
				  AND l.event_id = @event))
			  AND (@has::boolean IS NULL OR @has = EXISTS (
				SELECT
				FROM event_organizers l
				JOIN events e ON e.site_id = @site AND e.id = l.event_id
				WHERE l.site_id = @site
				  AND l.organizer_id = o.id
				  AND e.status IN ('publish', 'future', 'private')))
			  AND (@after::timestamptz IS NULL OR EXISTS (
				SELECT
				FROM event_organizers l
				JOIN events e ON e.site_id = @site AND e.id = l.event_id
				WHERE l.site_id = @site
				  AND l.organizer_id = o.id
				  AND e.start_utc > @after
				  AND e.status <> 'trash'
				  AND (e.status = 'publish' OR @all OR e.author = @user)))
			ORDER BY o.published_at DESC, o.id DESC
			LIMIT @limit
			OFFSET @offset
		)
		SELECT f.total,` + organizerColumns + `,` + imageColumns + `
		FROM found f
		JOIN organizers o ON o.site_id = @site AND o.id = f.id
		LEFT JOIN images i ON i.site_id = @site AND i.id = o.image_id
		ORDER BY f.published_at DESC, f.id DESC`
	return listPlaces(ctx, s.db, list, q, organizerRow)
}
