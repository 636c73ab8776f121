package eventtest

import "time"

// bulk are the statements that fill a site with $2 events, an hour apart from
// monday on: 50 venues, 30 organizers, 20 categories in two levels, 40 tags. The
// texts of more than 2,000 are indexed.
var bulk = []string{
	`INSERT INTO venues (site_id, id, version, author, status, slug, published_at, dated, modified_at, name, name_key, address, city,
		geo_lat, geo_lng, search)
	SELECT $1::bigint, 1000000 + n, 1, 1, 'publish', 'venue-' || n, $3, true, $3, 'Venue ' || n, 'venue ' || n, n || ' Main Street', 'Springfield',
		40 + n * 0.1, -70 - n * 0.1, 'venue ' || n
	FROM generate_series(1, 50) n WHERE $2::int > 0`,
	`INSERT INTO organizers (site_id, id, version, author, status, slug, published_at, dated, modified_at, name, name_key, email, search)
	SELECT $1::bigint, 2000000 + n, 1, 1, 'publish', 'organizer-' || n, $3, true, $3, 'Organizer ' || n, 'organizer ' || n, 'o@example.org',
		'organizer ' || n
	FROM generate_series(1, 30) n WHERE $2::int > 0`,
	`INSERT INTO terms (site_id, id, version, taxonomy, name, name_key, slug, search, parent_id)
	SELECT $1::bigint, n, 1, CASE WHEN n <= 20 THEN 'category' ELSE 'tag' END, 'Term ' || n, 'term ' || n, 'term-' || n, '',
		CASE WHEN n BETWEEN 11 AND 20 THEN n - 10 END
	FROM generate_series(1, 60) n WHERE $2::int > 0 AND $3::timestamptz IS NOT NULL`,
	`INSERT INTO events (site_id, id, version, author, status, slug, published_at, dated, modified_at, title, description, timezone,
		start_local, end_local, start_utc, end_utc, cost, website, featured, tickets, search, texts_indexed, venue_ids, organizer_ids, term_ids)
	SELECT $1::bigint, n, 1, 1 + n % 3, CASE WHEN n % 20 = 0 THEN 'draft' ELSE 'publish' END, 'event-' || n, $3, true, $3, 'Event ' || n,
		'<p>' || repeat('What happens here is worth telling. ', 15) || '</p>', 'Europe/Berlin', at, at + interval '2 hours',
		at AT TIME ZONE 'Europe/Berlin', (at + interval '2 hours') AT TIME ZONE 'Europe/Berlin', '{10}', 'https://example.org/' || n,
		n % 10 = 0, CASE WHEN n % 7 = 0 THEN '[{"name": "Seat"}]'::jsonb END,
		'event ' || n || E'\n' || repeat('what happens here is worth telling. ', 15) || CASE WHEN n % 500 = 1 THEN 'zebra' ELSE '' END,
		$2 > 2000, ARRAY[1000001 + n % 50], ARRAY[2000001 + n % 30], ARRAY[1 + n % 20, 21 + n % 40]
	FROM generate_series(1, $2::int) n, LATERAL (SELECT $3::timestamptz AT TIME ZONE 'UTC' + n * interval '1 hour' AS at) t`,
	`INSERT INTO occurrences (site_id, event_id, start_local, end_local, start_utc, end_utc, listed)
	SELECT site_id, id, start_local, end_local, start_utc, end_utc, status = 'publish' AND NOT hidden
	FROM events WHERE site_id = $1 AND $2::int > 0 AND $3::timestamptz IS NOT NULL`,
	`INSERT INTO event_venues (site_id, event_id, venue_id, position)
	SELECT $1::bigint, n, 1000001 + n % 50, 1 FROM generate_series(1, $2::int) n WHERE $3::timestamptz IS NOT NULL`,
	`INSERT INTO event_organizers (site_id, event_id, organizer_id, position)
	SELECT $1::bigint, n, 2000001 + n % 30, 1 FROM generate_series(1, $2::int) n WHERE $3::timestamptz IS NOT NULL`,
	`INSERT INTO event_terms (site_id, event_id, term_id)
	SELECT $1::bigint, n, 1 + n % 20 FROM generate_series(1, $2::int) n WHERE $3::timestamptz IS NOT NULL
	UNION ALL
	SELECT $1::bigint, n, 21 + n % 40 FROM generate_series(1, $2::int) n`,
	`UPDATE sites SET texts_indexed = $2::int > 2000 WHERE id = $1 AND $3::timestamptz IS NOT NULL`,
}

// Fill gives a site many events.
func (k *Kit) Fill(site int64, events int) {
	k.Helper()
	for _, sql := range bulk {
		k.Exec(site, sql, site, events, Monday)
	}
}

// Vacuum does what autovacuum would after a while, until no older transaction
// keeps the rows of lists from being seen in their indexes alone.
func (k *Kit) Vacuum() {
	k.Helper()
	owner := k.Owner()
	for _, table := range []string{"sites", "events", "venues", "organizers", "terms", "event_venues", "event_organizers",
		"event_terms", "images"} {
		_, err := owner.Exec(k.Context(), "VACUUM ANALYZE "+table)
		k.Must(err)
	}
	visible := false
	for range 100 {
		if visible {
			return
		}
		_, err := owner.Exec(k.Context(), "VACUUM ANALYZE occurrences")
		k.Must(err)
		k.Must(owner.QueryRow(k.Context(), `
			SELECT relallvisible >= relpages - 1 FROM pg_class WHERE relname = 'occurrences'`).Scan(&visible))
		time.Sleep(20 * time.Millisecond)
	}
}
