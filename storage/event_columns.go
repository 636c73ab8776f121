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
	e.several,
	e.series_id,
	e.original_start,
	e.event_status,
	e.status_reason,
	e.previous_start,
	e.attendance,
	e.virtual_url,
	e.virtual_shown,
	e.uid,
	e.sequence,
	e.seo_title,
	e.seo_description,
	e.languages,
	e.translations,
	CASE WHEN e.image_id IS NOT NULL THEN (
		SELECT ` + imageRecord + `
		FROM images i
		WHERE i.site_id = $1
		  AND i.id = e.image_id
	) END`

// eventColumns are an event with the ids of what it is linked to; readEvent reads
// them.
const eventColumns = eventOwn + `,
	e.venue_ids,
	e.organizer_ids,
	e.term_ids`

// linkedColumns are the records of venues, organizers and terms with these ids,
// each once; nested.learn reads them.
func linkedColumns(venueIDs, organizerIDs, termIDs string) (venues, organizers, terms string) {
	return `ARRAY(
		SELECT ` + venueRecord + `
		FROM venues p
		LEFT JOIN images i ON i.site_id = p.site_id AND i.id = p.image_id
		WHERE p.site_id = $1
		  AND p.id = ANY(` + venueIDs + `)
	)`, `ARRAY(
		SELECT ` + organizerRecord + `
		FROM organizers p
		LEFT JOIN images i ON i.site_id = p.site_id AND i.id = p.image_id
		WHERE p.site_id = $1
		  AND p.id = ANY(` + organizerIDs + `)
	)`, `ARRAY(
		SELECT ` + termRecord + `
		FROM terms c
		WHERE c.site_id = $1
		  AND c.id = ANY(` + termIDs + `)
	)`
}

// readEvent reads eventColumns.
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
	e.Several = f.bool()
	if series, original := f.int64(), f.moment(); series != 0 {
		e.Series = &calendar.Series{ID: series, OriginalStart: original}
		e.Slug = ownSlug(e.Slug)
	}
	e.Happening = calendar.Happening{Status: unless(f.text(), "scheduled"), Reason: f.text()}
	e.PreviousStart = f.moment()
	e.Attendance = calendar.Attendance{Mode: unless(f.text(), "offline"), URL: f.text(), Shown: unless(f.text(), "always")}
	e.UID = f.text()
	e.Sequence = f.int()
	e.SEO = calendar.SEO{Title: f.text(), Description: f.text()}
	e.Texts = readEventTexts(f)
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
