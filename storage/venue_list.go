package storage

import (
	"context"

	"github.com/kalends/kalends/calendar"
)

// List returns one page of venues, the newest first.
func (s venues) List(ctx context.Context, q calendar.PlaceQuery) (calendar.Page[calendar.Venue], error) {
	const list = `
		WITH found AS (
			SELECT v.id,
			       v.published_at,
			       count(*) OVER () AS total
			FROM venues v
			WHERE v.site_id = @site
			  AND (v.status = 'publish' OR @all OR v.author = @user)
			  AND CASE WHEN @statuses::text[] = '{}' THEN v.status <> 'trash' ELSE v.status = ANY (@statuses) END
			  AND (@words::text[] = '{}' OR v.search LIKE ALL (@words) AND EXISTS (
				SELECT
				FROM string_to_table(v.search, E'\n') AS line
				WHERE line LIKE ALL (@words)))
			  AND NOT v.search LIKE ANY (@without::text[])
			  AND (@event::bigint = 0 OR EXISTS (
				SELECT
				FROM event_venues l
				WHERE l.site_id = @site
				  AND l.venue_id = v.id
				  AND l.event_id = @event))
			  AND (@has::boolean IS NULL OR @has = EXISTS (
				SELECT
				FROM event_venues l
				JOIN events e ON e.site_id = @site AND e.id = l.event_id
				WHERE l.site_id = @site
				  AND l.venue_id = v.id
				  AND e.status IN ('publish', 'future', 'private')))
			  AND (@after::timestamptz IS NULL OR EXISTS (
				SELECT
				FROM event_venues l
				JOIN events e ON e.site_id = @site AND e.id = l.event_id
				WHERE l.site_id = @site
				  AND l.venue_id = v.id
				  AND e.start_utc > @after
				  AND e.status <> 'trash'
				  AND (e.status = 'publish' OR @all OR e.author = @user)))
			ORDER BY v.published_at DESC, v.id DESC
			LIMIT @limit
			OFFSET @offset
		)
		SELECT f.total,` + venueColumns + `,` + imageColumns + `
		FROM found f
		JOIN venues v ON v.site_id = @site AND v.id = f.id
		LEFT JOIN images i ON i.site_id = @site AND i.id = v.image_id
		ORDER BY f.published_at DESC, f.id DESC`
	return listPlaces(ctx, s.db, list, q, venueRow)
}
