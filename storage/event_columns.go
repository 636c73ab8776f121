package storage

import "github.com/kalends/kalends/calendar"

// eventOwn are the columns of an event e with its image, for a statement whose
// first argument is the site.
const eventOwn = `
	e.id,
	e.version,
	e.author,
	e.status,
	e.slug,
	e.published_at,
	e.dated,
	e.modified_at,
	e.title,
	e.description,
	e.excerpt,
	e.timezone,
	e.all_day,
	e.start_local,
	e.end_local,
	e.start_utc,
	e.end_utc,
	e.cost,
	e.website,
	e.show_map,
	e.show_map_link,
	e.hidden,
	e.sticky,
	e.featured,
	e.parent_id,
	e.password,
	e.tickets,
	CASE WHEN e.image_id IS NOT NULL THEN (
		SELECT ` + imageRecord + `
		FROM images i
		WHERE i.site_id = $1
		  AND i.id = e.image_id
	) END`

// eventColumns are an event with everything it is linked to, and eventLean with
// the ids of that; readEvent reads both.
const (
	eventColumns = eventOwn + eventNested
	eventLean    = eventOwn + `,
	e.venue_ids,
	e.organizer_ids,
	e.term_ids`
)

const eventNested = `,
	ARRAY(
		SELECT ` + venueRecord + `
		FROM event_venues x
		JOIN venues v ON v.site_id = x.site_id AND v.id = x.venue_id
		LEFT JOIN images i ON i.site_id = v.site_id AND i.id = v.image_id
		WHERE x.site_id = $1
		  AND x.event_id = e.id
		ORDER BY x.position
	),
	ARRAY(
		SELECT ` + organizerRecord + `
		FROM event_organizers x
		JOIN organizers g ON g.site_id = x.site_id AND g.id = x.organizer_id
		LEFT JOIN images i ON i.site_id = g.site_id AND i.id = g.image_id
		WHERE x.site_id = $1
		  AND x.event_id = e.id
		ORDER BY x.position
	),
	ARRAY(
		SELECT ` + termRecord + `
		FROM event_terms x
		JOIN terms c ON c.site_id = x.site_id AND c.id = x.term_id
		WHERE x.site_id = $1
		  AND x.event_id = e.id
	)`

// readEvent reads eventColumns, or eventLean where n remembers.
func readEvent(f *fields, n *nested) *calendar.Event {
	e := &calendar.Event{Post: readPost(f)}
	e.Title = f.text()
	e.Description = f.text()
	e.Excerpt = f.text()
	e.Timezone = f.text()
	e.AllDay = f.bool()
	e.Start = f.time()
	e.End = f.time()
	e.StartUTC = f.time()
	e.EndUTC = f.time()
	e.Cost = f.texts()
	e.Website = f.text()
	e.ShowMap = f.bool()
	e.ShowMapLink = f.bool()
	e.Hidden = f.bool()
	e.Sticky = f.bool()
	e.Featured = f.bool()
	e.Parent = f.int64()
	e.Password = f.bytes()
	f.json(&e.Tickets)
	e.Image = readImage(f)
	n.read(f, e)
	return e
}

// readPost reads what events, venues and organizers begin with.
func readPost(f *fields) calendar.Post {
	return calendar.Post{
		ID:       f.int64(),
		Version:  f.int64(),
		Author:   f.int64(),
		Status:   calendar.Status(f.text()),
		Slug:     f.text(),
		Date:     f.time(),
		Dated:    f.bool(),
		Modified: f.time(),
	}
}
