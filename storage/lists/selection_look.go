package lists

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/storage/content"
)

// look builds a statement that brings the log of a selection up to date. There are two statements, and each does
// nothing if the other is needed. One follows the history since the last look. The other compares the whole
// selection. It is needed if the history does not say what has changed in the selection: on the first look, after a
// change of an item that events are linked to, after the history was purged, or if very much has changed.
type look struct {
	*changes.Selection
	query *eventQuery // conditions on events; for other types only the parameters
	whole bool
	key   string // placeholder
	links string // condition on the site s: the names in the filter still mean the items in the query
}

func newLook(site int64, of *changes.Selection, n *meanings, whole bool) *look {
	l := &look{Selection: of, whole: whole}
	if of.Type == changes.Event {
		l.query = newEventQuery(site, of.Events, n)
	} else {
		l.query = &eventQuery{}
		l.query.Viewer = of.Viewer
		l.query.arg(site)
	}
	l.key = l.query.arg(of.Key)
	l.links = "true"
	if n != nil {
		l.links = "s.links_version = " + l.query.arg(n.links)
	}
	return l
}

// statement returns the whole statement.
func (l *look) statement() string {
	with := []string{`was AS MATERIALIZED (
		SELECT x.looked
		FROM selections x
		WHERE x.site_id = $1
		  AND x.key = ` + l.key + `
	)`, `site AS MATERIALIZED (
		SELECT s.version,
		       s.changed_at AS at
		FROM sites s
		WHERE s.id = $1
		  AND ` + l.links + `
	)`, l.linked(), `mode AS MATERIALIZED (
		SELECT was.looked < 0
		       OR ` + many + `
		       OR (SELECT d.version IS NOT NULL FROM linked d)
		       OR COALESCE((SELECT min(c.version) FROM changes c WHERE c.site_id = $1) > was.looked + 1, false) AS whole
		FROM was
		CROSS JOIN site
		WHERE was.looked < site.version
	)`, l.touched(), l.objects()}
	if l.whole {
		with = append(with, l.matchedWhole(), l.goneWhole(), l.keptWhole(), l.comeWhole())
	} else {
		with = append(with, l.candidates(), l.matched(), l.gone(), l.keptOn(), l.come())
	}
	return "WITH " + strings.Join(with, ", ") + `
	UPDATE selections x
	SET looked = site.version,
	    kept = CASE WHEN x.looked < 0 THEN site.version ELSE x.kept END
	FROM site, mode
	WHERE x.site_id = $1
	  AND x.key = ` + l.key + `
	  AND mode.whole = ` + strconv.FormatBool(l.whole)
}

// many is the condition that more has changed since the last look than is worth looking up by its ids.
const many = `(
		           SELECT count(*)
		           FROM (
		               SELECT
		               FROM changes c
		               WHERE c.site_id = $1
		                 AND c.version > was.looked
		               LIMIT 1001) c) > 1000`

// showing is the condition that a change c may affect which images something public shows: that of an item that has an image,
// had one, or is a series, to whose dates the same may have happened.
const showing = `c.kind IN ('event', 'venue', 'organizer')
		  AND (c.before IS NULL OR c.before ?| '{image,status,post_password,recurrence}')
		  AND (jsonb_typeof(c.before -> 'image') = 'object'
		       OR c.before ? 'recurrence'
		       OR EXISTS (
		           SELECT
		           FROM events e
		           WHERE e.site_id = $1
		             AND (e.id = c.id OR e.series_id = c.id)
		             AND e.image_id IS NOT NULL)
		       OR EXISTS (SELECT FROM venues v WHERE v.site_id = $1 AND v.id = c.id AND v.image_id IS NOT NULL)
		       OR EXISTS (SELECT FROM organizers g WHERE g.site_id = $1 AND g.id = c.id AND g.image_id IS NOT NULL))`

// linked is the last change of an item that can affect which events a filter finds, or which images are shown.
func (l *look) linked() string {
	of := "false"
	switch {
	case l.Filtered:
		of = "c.kind IN ('venue', 'organizer', 'category', 'tag')"
	case l.Shown:
		of = showing
	}
	return `linked AS MATERIALIZED (
		SELECT max(c.version) AS version,
		       max(c.at) AS at
		FROM changes c
		WHERE c.site_id = $1
		  AND c.version > (SELECT was.looked FROM was)
		  AND ` + of + `
	)`
}

// touched are the changes of objects since the last look. A date of a series counts as its series.
func (l *look) touched() string {
	object, join := "c.id", ""
	if l.Type == changes.Event {
		object = "COALESCE(e.series_id, o.event_id, r.series_id, c.id)"
		join = `
		LEFT JOIN events e ON e.site_id = $1 AND e.id = c.id
		LEFT JOIN occurrences o ON o.site_id = $1 AND o.n = c.id AND o.n <> 0
		LEFT JOIN removed_occurrences r ON r.site_id = $1 AND r.id = c.id`
	}
	return `touched AS MATERIALIZED (
		SELECT ` + object + ` AS id,
		       c.id = ` + object + ` AS itself,
		       c.version,
		       c.n,
		       c.at,
		       c.action,
		       c.before
		FROM changes c` + join + `
		WHERE c.site_id = $1
		  AND c.version > (SELECT was.looked FROM was)
		  AND c.kind = '` + l.Type + `'
		  AND (SELECT was.looked FROM was) >= 0
		  AND (SELECT mode.whole FROM mode) = ` + strconv.FormatBool(l.whole) + `
	), ` + l.before()
}

// before selects the versions that may have made an object invisible: according to its own fields, the object was
// visible before them. The former value of a field is in the entry itself, otherwise in the next entry that changed
// the field, and otherwise it is the present value.
func (l *look) before() string {
	if l.Type == changes.Category || l.Type == changes.Tag || l.Type == changes.Image {
		return `visible AS (
		SELECT t.id,
		       t.version
		FROM touched t
		WHERE t.action = 'delete'
	)`
	}
	hidden, decides := "'false'", "true"
	if l.Type == changes.Event {
		hidden = "COALESCE(max(f.hide_from_listings) OVER (PARTITION BY f.id, f.n_hide_from_listings), p.hidden::text, 'false')"
		decides = l.decides()
	}
	var count strings.Builder
	for _, field := range []string{"status", "author", "hide_from_listings"} {
		value := "t.before ->> '" + field + "'"
		count.WriteString(`,
			       ` + value + ` AS ` + field + `,
			       count(` + value + `) OVER (PARTITION BY t.id ORDER BY t.version DESC, t.n DESC) AS n_` + field)
	}
	return `visible AS (
		SELECT v.id,
		       v.version
		FROM (
			SELECT f.id,
			       f.version,
			       f.decides,
			       COALESCE(max(f.status) OVER (PARTITION BY f.id, f.n_status), p.status) AS status,
			       COALESCE((max(f.author) OVER (PARTITION BY f.id, f.n_author))::bigint, p.author) AS author,
			       ` + hidden + ` AS hidden
			FROM (
				SELECT t.id,
				       t.version,
				       ` + decides + ` AS decides` + count.String() + `
				FROM touched t
				WHERE t.itself
			) f
			LEFT JOIN ` + l.Type + `s p ON p.site_id = $1 AND p.id = f.id
		) v
		WHERE v.decides
		  AND v.hidden = 'false'
		  AND v.status <> 'trash'
		  AND ` + l.query.readable("v") + `
	)`
}

// decides is the condition that an entry t may have removed an event from the selection. A filter by nothing but
// links and featured needs only the entries that changed these fields or the visibility.
func (l *look) decides() string {
	q := l.Events
	fields := []string{"status", "author", "hide_from_listings", "post_password"}
	for field, asked := range map[string]bool{
		"categories": len(q.Categories)+len(q.But.Categories) > 0,
		"tags":       len(q.Tags)+len(q.But.Tags) > 0,
		"venue":      len(q.Venues)+len(q.But.Venues) > 0,
		"organizer":  len(q.Organizers) > 0,
		"featured":   q.Featured != nil,
	} {
		if asked {
			fields = append(fields, field)
		}
	}
	q.Categories, q.Tags, q.Venues, q.Organizers, q.But, q.Featured = nil, nil, nil, nil, calendar.But{}, nil
	if !q.Everything() || q.Texts.Translated != "" {
		return "true"
	}
	slices.Sort(fields)
	return "(t.before IS NULL OR t.before ?| " + l.query.arg(fields) + ")"
}

// objects selects the changed objects, each with the version of its last change and, if it has left the selection,
// the version at which it left. It reads each set once, however many objects have changed.
func (l *look) objects() string {
	return `objects AS MATERIALIZED (
		SELECT t.id,
		       max(t.version) AS version,
		       max(t.at) AS at,
		       COALESCE(max(t.seen), max(t.version)) AS went
		FROM (
			SELECT t.id,
			       t.version,
			       t.at,
			       NULL::bigint AS seen
			FROM touched t
			UNION ALL
			SELECT v.id,
			       NULL,
			       NULL,
			       v.version
			FROM visible v
		) t
		GROUP BY t.id
	)`
}

// candidates selects the ids of objects that may have entered the selection, changed, or left it. For a series they
// include the dates that differ from it.
func (l *look) candidates() string {
	more := ""
	if l.Type == changes.Event {
		more = `
			UNION
			SELECT e.id
			FROM events e
			WHERE e.site_id = $1
			  AND e.series_id IN (SELECT k.id FROM objects k)`
	}
	return `candidates AS MATERIALIZED (
		SELECT ARRAY(
			SELECT k.id
			FROM objects k` + more + `) AS ids
	)`
}

// matched selects the candidates that are in the selection now.
func (l *look) matched() string {
	if l.Type == changes.Event {
		l.query.ids = "((SELECT k.ids FROM candidates k)::bigint[])"
		l.query.choose("(o.event_id = ANY(" + l.query.ids + ") OR o.n <> 0 AND o.n = ANY(" + l.query.ids + "))")
		return `matched AS MATERIALIZED (
		SELECT DISTINCT COALESCE(e.series_id, e.id) AS id` + l.query.matches(true) + `
	)`
	}
	return `matched AS MATERIALIZED (
		SELECT p.id` + l.others() + `
		  AND p.id IN (SELECT k.id FROM objects k)
	)`
}

// matchedWhole selects all objects that are in the selection now.
func (l *look) matchedWhole() string {
	var from string
	id, version := "p.id", "p.version"
	at := "(SELECT s.changed_at FROM sites s WHERE s.id = $1)"
	switch l.Type {
	case changes.Event:
		l.query.chosen = true // events are looked up by id: Postgres may have no statistics on a site that was just filled
		id, version, at, from = "COALESCE(e.series_id, e.id)", "max(e.version)", "max(e.modified_at)", l.query.matches(true)
	case changes.Venue, changes.Organizer:
		at, from = "p.modified_at", l.others()
	case changes.Image:
		at, from = "p.created_at", l.others()
	default:
		from = l.others()
	}
	group := ""
	if l.Type == changes.Event {
		group = " GROUP BY 1"
	}
	return `matched AS MATERIALIZED (
		SELECT ` + id + ` AS id,
		       ` + version + ` AS version,
		       ` + at + ` AS at` + from + `
		  AND (SELECT mode.whole FROM mode)` + group + `
	)`
}

// others returns FROM and WHERE for the objects that a reader may see, for types other than events.
func (l *look) others() string {
	switch l.Type {
	case changes.Venue, changes.Organizer:
		return ` FROM ` + l.Type + `s p WHERE p.site_id = $1 AND p.status <> 'trash' AND ` + l.query.readable("p")
	case changes.Image:
		if !l.Shown {
			return ` FROM images p WHERE p.site_id = $1`
		}
		return ` FROM images p WHERE p.site_id = $1 AND (p.author = ` + l.query.arg(cmp.Or(l.Viewer.User, -1)) +
			` OR p.id IN (` + content.ShownImages + `))`
	}
	return ` FROM terms p WHERE p.site_id = $1 AND p.taxonomy = '` + l.Type + `'`
}

// there is the condition that a row s of the log is an object that is still in the selection. The statements
// compare sets with NOT IN, which reads each set only once, even if Postgres has no statistics on a site that was
// just filled and plans as if it were empty.
func (l *look) there() string { return "s.key = " + l.key + " AND s.went IS NULL" }

func (l *look) gone() string {
	return `gone AS (
		UPDATE selected_objects s
		SET went = k.went,
		    at = k.at
		FROM objects k
		WHERE s.site_id = $1
		  AND ` + l.there() + `
		  AND s.id = k.id
		  AND k.id NOT IN (SELECT m.id FROM matched m)
	)`
}

func (l *look) keptOn() string {
	return `kept AS (
		UPDATE selected_objects s
		SET changed = k.version,
		    at = k.at
		FROM objects k
		JOIN matched m ON m.id = k.id
		WHERE s.site_id = $1
		  AND ` + l.there() + `
		  AND s.id = k.id
	)`
}

func (l *look) come() string {
	return `come AS (
		INSERT INTO selected_objects (site_id, key, id, came, changed, at)
		SELECT $1, ` + l.key + `, k.id, k.version, k.version, k.at
		FROM objects k
		JOIN matched m ON m.id = k.id
		WHERE k.id NOT IN (SELECT s.id FROM selected_objects s WHERE s.site_id = $1 AND ` + l.there() + `)
		ON CONFLICT ON CONSTRAINT selected_objects_pkey DO UPDATE
		SET went = NULL,
		    changed = excluded.changed
	)`
}

func (l *look) goneWhole() string {
	return `gone AS (
		UPDATE selected_objects s
		SET went = n.went,
		    at = n.at
		FROM (
			SELECT o.id,
			       COALESCE(k.went, d.version, site.version) AS went,
			       COALESCE(k.at, d.at, site.at) AS at
			FROM selected_objects o
			CROSS JOIN site
			CROSS JOIN mode
			CROSS JOIN linked d
			LEFT JOIN objects k ON k.id = o.id
			WHERE o.site_id = $1
			  AND o.key = ` + l.key + `
			  AND o.went IS NULL
			  AND mode.whole
			  AND o.id NOT IN (SELECT m.id FROM matched m)
		) n
		WHERE s.site_id = $1
		  AND ` + l.there() + `
		  AND s.id = n.id
	)`
}

func (l *look) keptWhole() string {
	return `kept AS (
		UPDATE selected_objects s
		SET changed = GREATEST(m.version, k.version),
		    at = COALESCE(k.at, m.at)
		FROM matched m
		LEFT JOIN objects k ON k.id = m.id
		WHERE s.site_id = $1
		  AND ` + l.there() + `
		  AND s.id = m.id
		  AND s.changed < GREATEST(m.version, k.version)
	)`
}

func (l *look) comeWhole() string {
	return `come AS (
		INSERT INTO selected_objects (site_id, key, id, came, changed, at)
		SELECT $1, ` + l.key + `, n.id, n.version, n.version, n.at
		FROM (
			SELECT m.id,
			       CASE WHEN was.looked < 0 THEN m.version
			            ELSE COALESCE(k.version, d.version, site.version) END AS version,
			       CASE WHEN was.looked < 0 THEN m.at
			            ELSE COALESCE(k.at, d.at, site.at) END AS at
			FROM matched m
			CROSS JOIN was
			CROSS JOIN site
			CROSS JOIN linked d
			LEFT JOIN objects k ON k.id = m.id
		) n
		WHERE n.id NOT IN (SELECT s.id FROM selected_objects s WHERE s.site_id = $1 AND ` + l.there() + `)
		ON CONFLICT ON CONSTRAINT selected_objects_pkey DO UPDATE
		SET went = NULL,
		    changed = excluded.changed
	)`
}
