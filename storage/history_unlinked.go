package storage

import "github.com/kalends/kalends/calendar"

// What an event loses when a venue, organizer or term goes is a change of the
// event too; its row keeps the version it has.
const (
	noteUnlinked = `
		INSERT INTO changes (site_id, version, kind, id, action, user_id, at, who, via, via_name, address, before)
		SELECT x.site_id, $3, 'event', x.event_id, 'update', $4, $5, $6, $7, $8, $9, jsonb_build_object($10::text, (`
	noteUnlinkedEnd = `
		ON CONFLICT ON CONSTRAINT changes_pkey DO NOTHING`

	noteNoPlace = noteUnlinked + `
			SELECT jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) ORDER BY o.position)
			FROM event_{place}s o
			JOIN {place}s p ON p.site_id = o.site_id AND p.id = o.{place}_id
			WHERE o.site_id = $1
			  AND o.event_id = x.event_id))
		FROM event_{place}s x
		WHERE x.site_id = $1
		  AND x.{place}_id = $2` + noteUnlinkedEnd
	noteNoTerm = noteUnlinked + `
			SELECT jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) ORDER BY c.id)
			FROM event_terms o
			JOIN terms c ON c.site_id = o.site_id AND c.id = o.term_id
			WHERE o.site_id = $1
			  AND o.event_id = x.event_id
			  AND c.taxonomy = (SELECT gone.taxonomy FROM terms gone WHERE gone.site_id = $1 AND gone.id = $2)))
		FROM event_terms x
		WHERE x.site_id = $1
		  AND x.term_id = $2` + noteUnlinkedEnd
)

// queueUnlinked notes in the history of every event what it was linked to, by
// one of the statements above and under that field. It comes before the links
// go.
func (t *tx) queueUnlinked(note string, gone int64, field string) {
	from := &t.Source
	t.Queue(note, t.Site, gone, t.Version, from.UserID, t.Now, from.Who, string(from.Via), from.Name, from.Address, field)
}

// termField is the field of an event that holds terms of a taxonomy.
func termField(t calendar.Taxonomy) string {
	if t == calendar.Categories {
		return "categories"
	}
	return "tags"
}
