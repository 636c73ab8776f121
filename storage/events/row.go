package events

import (
	"encoding/json"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/storage/content"
)

// eventRow returns an event's columns, in the order of insertEvent and
// updateEvent.
func eventRow(site int64, e *calendar.Event) ([]any, error) {
	cost := e.Cost
	if cost == nil {
		cost = []string{}
	}
	var image *int64
	if e.Image != nil {
		image = content.NullID(e.Image.ID)
	}
	var tickets, password []byte
	if len(e.Tickets) > 0 {
		var err error
		if tickets, err = json.Marshal(e.Tickets); err != nil {
			return nil, err
		}
	}
	if e.Protected() {
		password = e.Password
	}
	row := []any{
		site, e.ID, e.Version, content.NullID(e.Author), string(e.Status), storedSlug(e), e.Date, e.Dated, e.Modified, image,
		e.Title, e.Description, e.Excerpt, e.Timezone, e.AllDay, e.Start, e.End, e.StartUTC, e.EndUTC,
		cost, e.Website, e.ShowMap, e.ShowMapLink, e.Hidden, e.Sticky, e.Featured, content.NullID(e.Parent),
		password, tickets, Searched(e), venueIDs(e), organizerIDs(e), termIDs(e),
	}
	row = append(row, seriesRow(e)...)
	return append(row, e.SEO.Title, e.SEO.Description, e.Texts.Column(), e.Texts.Raw()), nil
}

// unless returns "" for what is so unless somebody says otherwise.
func unless(text, usual string) string {
	if text == usual {
		return ""
	}
	return text
}

// eventInserts are the parts of a statement that write a new event with when it
// happens, its links and the counts of its terms, whose sums counted returns.
// Id and version come from the part before them, site.
const eventInserts = `made AS (
		INSERT INTO events (
			site_id,
			id,
			version,
			author,
			status,
			slug,
			published_at,
			dated,
			modified_at,
			image_id,
			title,
			description,
			excerpt,
			timezone,
			all_day,
			start_local,
			end_local,
			start_utc,
			end_utc,
			cost,
			website,
			show_map,
			show_map_link,
			hidden,
			sticky,
			featured,
			parent_id,
			password,
			tickets,
			search,
			venue_ids,
			organizer_ids,
			term_ids,
			rules,
			several,
			stored_until,
			last_start_utc,
			series_id,
			original_start,
			overrides,
			event_status,
			status_reason,
			previous_start,
			attendance,
			virtual_url,
			virtual_shown,
			uid,
			sequence,
			seo_title,
			seo_description,
			languages,
			translations
		)
		SELECT $1, site.id, site.version, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
		       $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30,
		       $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52
		FROM site
	), happens AS (
		INSERT INTO occurrences (site_id, event_id, n, start_local, end_local, start_utc, end_utc, listed)
		SELECT $1, site.id, 0, $16, $17, $18, $19, $53
		FROM site
		WHERE $34::jsonb IS NULL
	), at_venues AS (
		INSERT INTO event_venues (site_id, event_id, venue_id, position)
		SELECT $1, site.id, v.id, v.position
		FROM site, unnest($31::bigint[]) WITH ORDINALITY v (id, position)
	), by_organizers AS (
		INSERT INTO event_organizers (site_id, event_id, organizer_id, position)
		SELECT $1, site.id, o.id, o.position
		FROM site, unnest($32::bigint[]) WITH ORDINALITY o (id, position)
	), under_terms AS (
		INSERT INTO event_terms (site_id, event_id, term_id)
		SELECT $1, site.id, c.id
		FROM site, unnest($33::bigint[]) c (id)
	), counted AS (
		UPDATE terms
		SET count = count + 1
		FROM site, unnest($33::bigint[]) c (id)
		WHERE site_id = $1
		  AND terms.id = c.id
		  AND c.id ` + byKey + `
		  AND $54
		RETURNING terms.id, count
	)`

const insertEvent = `
	WITH site AS (
		SELECT $2::bigint AS id,
		       $3::bigint AS version
	), ` + eventInserts + `
	SELECT id,
	       count
	FROM counted`

// queueNewEvent writes a new event with when it happens, its links and the
// counts of its terms, in one statement.
func queueNewEvent(t *content.Tx, row []any, e *calendar.Event) {
	t.Queue(insertEvent, append(row, listed(e), counts(e))...).Query(recounted(t))
	t.Counted = t.Counted || counts(e) && len(e.Categories)+len(e.Tags) > 0
}

// counts reports whether the event counts by itself in its terms. A series counts once,
// with all of its occurrences.
func counts(e *calendar.Event) bool { return e.Status == calendar.Publish && alone(e) }

// alone reports whether the event happens once and belongs to no series.
func alone(e *calendar.Event) bool { return e.Series == nil && !e.Recurring() }

// listed reports whether the event's occurrences are in public lists.
func listed(e *calendar.Event) bool { return e.Status == calendar.Publish && !e.Hidden }

const updateEvent = `
	UPDATE events
	SET version = $3,
	    author = $4,
	    status = $5,
	    slug = $6,
	    published_at = $7,
	    dated = $8,
	    modified_at = $9,
	    image_id = $10,
	    title = $11,
	    description = $12,
	    excerpt = $13,
	    timezone = $14,
	    all_day = $15,
	    start_local = $16,
	    end_local = $17,
	    start_utc = $18,
	    end_utc = $19,
	    cost = $20,
	    website = $21,
	    show_map = $22,
	    show_map_link = $23,
	    hidden = $24,
	    sticky = $25,
	    featured = $26,
	    parent_id = $27,
	    password = $28,
	    tickets = $29,
	    search = $30,
	    venue_ids = $31,
	    organizer_ids = $32,
	    term_ids = $33,
	    rules = $34,
	    several = $35,
	    stored_until = $36,
	    last_start_utc = $37,
	    series_id = $38,
	    original_start = $39,
	    overrides = $40,
	    event_status = $41,
	    status_reason = $42,
	    previous_start = $43,
	    attendance = $44,
	    virtual_url = $45,
	    virtual_shown = $46,
	    uid = $47,
	    sequence = $48,
	    seo_title = $49,
	    seo_description = $50,
	    languages = $51,
	    translations = $52
	WHERE site_id = $1
	  AND id = $2`

const upsertOccurrence = `
	INSERT INTO occurrences (
		site_id,
		event_id,
		n,
		start_local,
		end_local,
		start_utc,
		end_utc,
		listed
	) VALUES ($1, $2, 0, $3, $4, $5, $6, $7)
	ON CONFLICT ON CONSTRAINT occurrences_pkey DO UPDATE
	SET start_local = excluded.start_local,
	    end_local = excluded.end_local,
	    start_utc = excluded.start_utc,
	    end_utc = excluded.end_utc,
	    listed = excluded.listed`

// queueEventRow writes a changed event, and when it happens where that changed.
func queueEventRow(t *content.Tx, row []any, was, e *calendar.Event) {
	t.Queue(updateEvent, row...)
	if !happensAlike(was, e) && !e.Recurring() {
		t.Queue(upsertOccurrence, t.Site, e.ID, e.Start, e.End, e.StartUTC, e.EndUTC, listed(e))
	}
}

// happensAlike reports whether an event's rows of occurrences stay as they are.
func happensAlike(was, e *calendar.Event) bool {
	return was.Recurring() == e.Recurring() && was.Start.Equal(e.Start) && was.End.Equal(e.End) &&
		was.StartUTC.Equal(e.StartUTC) && was.EndUTC.Equal(e.EndUTC) &&
		listed(was) == listed(e)
}

// Searched returns what searches look through in an event: title, description
// and excerpt without their tags, folded, one per line, and those of other languages
// behind them.
func Searched(e *calendar.Event) string {
	return content.WithTexts(content.SearchLines(e.Title, wording.PlainText(e.Description), wording.PlainText(e.Excerpt)), e.Texts)
}
