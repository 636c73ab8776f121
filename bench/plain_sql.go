package main

// ownColumns are the columns of an event e.
const ownColumns = `
	e.id, e.author, e.status, e.published_at, e.modified_at, e.slug, e.title, e.description, e.excerpt,
	e.all_day, e.start_local, e.end_local, e.start_utc, e.end_utc, e.timezone, e.cost, e.website,
	e.show_map, e.show_map_link, e.hidden, e.sticky, e.featured`

// The columns of a term t, a venue v and an organizer o.
const (
	termColumns  = `t.id, t.taxonomy, t.name, t.slug, t.description, t.parent_id, t.count`
	venueColumns = `
	v.id, v.author, v.status, v.published_at, v.modified_at, v.slug, v.name, v.description, v.address, v.city, v.country,
	v.zip, v.phone, v.website, v.geo_lat, v.geo_lng, v.show_map, v.show_map_link`
	organizerColumns = `o.id, o.author, o.status, o.published_at, o.modified_at, o.slug, o.name, o.description, o.phone, o.website, o.email`
)

// plainColumns are the columns of an event e with its venue v and everything else nested.
const plainColumns = ownColumns + `,
	ARRAY(
		SELECT ROW(` + termColumns + `)
		FROM plain.event_terms x JOIN plain.terms t ON t.site_id = x.site_id AND t.id = x.term_id
		WHERE x.site_id = $1 AND x.event_id = e.id
		ORDER BY t.name_key COLLATE "C", t.id
	),` + venueColumns + `,
	ARRAY(
		SELECT ROW(` + organizerColumns + `)
		FROM plain.event_organizers x JOIN plain.organizers o ON o.site_id = x.site_id AND o.id = x.organizer_id
		WHERE x.site_id = $1 AND x.event_id = e.id
		ORDER BY x.position
	)`

const plainWindow = `
	FROM plain.events
	WHERE site_id = $1 AND status = 'publish' AND NOT hidden AND start_local >= $2 AND end_local <= $3`

const plainFound = `
	FROM plain.event_terms l JOIN plain.events f ON f.site_id = l.site_id AND f.id = l.event_id
	WHERE l.site_id = $1 AND l.term_id = $6 AND f.status = 'publish' AND NOT f.hidden AND f.start_local >= $2 AND f.end_local <= $3
	  AND f.search LIKE $7`

// plainStatements are all statements, each prepared once per connection. They count matches where all of them have to
// be found anyway.
var plainStatements = map[string]string{
	"list": `
		WITH page AS MATERIALIZED (SELECT id, start_local ` + plainWindow + ` ORDER BY start_local, id LIMIT $4 OFFSET $5)
		SELECT (SELECT count(*) ` + plainWindow + `),` + plainColumns + `
		FROM page p
		JOIN plain.events e ON e.site_id = $1 AND e.id = p.id
		LEFT JOIN plain.venues v ON v.site_id = $1 AND v.id = e.venue_id
		ORDER BY p.start_local, p.id`,
	"lean": `
		WITH page AS MATERIALIZED (SELECT id, start_local ` + plainWindow + ` ORDER BY start_local, id LIMIT $4 OFFSET $5)
		SELECT (SELECT count(*) ` + plainWindow + `),` + ownColumns + `, e.venue_id, e.organizer_ids, e.term_ids
		FROM page p
		JOIN plain.events e ON e.site_id = $1 AND e.id = p.id
		ORDER BY p.start_local, p.id`,
	"venues":     `SELECT ` + venueColumns + ` FROM plain.venues v WHERE v.site_id = $1`,
	"organizers": `SELECT ` + organizerColumns + ` FROM plain.organizers o WHERE o.site_id = $1`,
	"terms":      `SELECT ` + termColumns + ` FROM plain.terms t WHERE t.site_id = $1 ORDER BY t.name_key COLLATE "C", t.id`,
	"find": `
		WITH page AS MATERIALIZED (
			SELECT f.id, f.start_local, count(*) OVER () AS total ` + plainFound + ` ORDER BY f.start_local, f.id LIMIT $4 OFFSET $5)
		SELECT p.total,` + plainColumns + `
		FROM page p
		JOIN plain.events e ON e.site_id = $1 AND e.id = p.id
		LEFT JOIN plain.venues v ON v.site_id = $1 AND v.id = e.venue_id
		ORDER BY p.start_local, p.id`,
	"single": `
		SELECT` + plainColumns + `
		FROM plain.events e
		LEFT JOIN plain.venues v ON v.site_id = $1 AND v.id = e.venue_id
		WHERE e.site_id = $1 AND e.id = $2`,
}
