package lists

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/bounded"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// coming holds the entries of a site's public lists from one moment on, in order and with their links, at one
// version of the site. It spares public pages from reading thousands of events to count or find entries (ADR 63).
// It is immutable.
type coming struct {
	version    int64
	from       time.Time // in local time: coming has exactly the entries that end later
	entries    []entry
	more       bool // the site has more entries after the last one
	terms      map[int64]*term
	cities     map[int64]*term // by published venue; venues in the same city share a term
	organizers map[int64]*term
	access     map[int64]facts // accessibility features, by published venue
}

// entry is an entry of a list: an event that happens once, or an occurrence.
type entry struct {
	id, event, series          int64 // series: the id of the event for an event that happens once
	start, end                 int64 // in local time, in the unit of Postgres
	over                       int64 // the instant of the end
	terms, venues, organizers  []int64
	access, audience, spoken   facts // as stated by the event itself
	added                      []answer
	masked, featured, free     bool
	dated, offline, onlineOnly bool // dated: an occurrence of a series
}

// term is a category or tag, a published organizer, or a city. Visitors can filter entries by it.
type term struct {
	calendar.Facet
	kind   string
	parent int64
	above  []*term // of a category or tag: the term itself and its ancestors
	rank   int     // by name
}

const (
	mostComing  = mostCountedIn + 500 // entries kept per site
	mostNoted   = 200                 // changes that are applied one by one
	comingBytes = 24 << 20            // for all sites together
)

func newComing() bounded.Cache[int64, *coming] {
	return bounded.New(bounded.Options[int64, *coming]{
		Bytes: comingBytes,
		Weigh: func(_ int64, c *coming) uint32 {
			return uint32(200*len(c.entries) + 200*(len(c.terms)+len(c.organizers)+len(c.cities)) + 500)
		},
	})
}

// countable returns the parts of a statement that read the entries of found, and what is free among their costs: each
// distinct cost is checked only once. from has the occurrences o and their events e; over is the instant of an entry's end.
func countable(over, from string) string {
	return addedKeys + `, found AS MATERIALIZED (
		SELECT o.id, o.event_id, o.n, o.start_local, o.end_local, ` + over + ` AS end_utc, COALESCE(e.series_id, e.id) AS series,
		       e.term_ids, e.venue_ids, e.organizer_ids,
		       e.password IS NOT NULL AS masked, e.featured, e.attendance, e.cost, e.accessibility, e.audience,
		       e.event_language, ` + addedAnswers + ` AS added` + from + `
	), costs AS MATERIALIZED (
		SELECT e.cost, ` + isFree + ` AS free
		FROM (SELECT DISTINCT f.cost FROM found f) e
	)`
}

// countedColumns are the columns of an entry.
const countedColumns = `
	       f.id,
	       f.event_id,
	       f.series,
	       f.start_local,
	       f.end_local,
	       f.end_utc,
	       f.term_ids,
	       f.venue_ids,
	       f.organizer_ids,
	       f.masked,
	       f.featured,
	       c.free,
	       f.n <> 0,
	       f.attendance,
	       f.accessibility,
	       f.audience,
	       f.event_language,
	       f.added`

// readComing reads what has changed in a site's list since version $3 (NoVersion if there is no list yet): nothing,
// some entries, or everything. Some entries are enough if all changes since then were to events that happen once.
// The history does not say which dates of a series changed, or that more of them were stored.
var readComing = `
	WITH noted AS MATERIALIZED (
		SELECT c.version, c.id, c.kind <> 'event' OR c.via = 'schedule' AS other
		FROM changes c
		WHERE c.site_id = $1
		  AND c.version > $3
		  AND c.n = 0
		  AND $3 <> -1
		LIMIT $5
	), state AS MATERIALIZED (
		SELECT s.version,
		       CASE
		           WHEN s.version = $3 THEN 'same'
		           WHEN s.version > $3 AND $3 <> -1
		             AND (SELECT count(*) < $5 AND count(DISTINCT n.version) = s.version - $3 AND NOT bool_or(n.other) FROM noted n)
		             AND NOT EXISTS (
			SELECT
			FROM noted n
			JOIN events e ON e.site_id = $1 AND e.id = n.id
			WHERE e.rules IS NOT NULL OR e.series_id IS NOT NULL)
		             AND NOT EXISTS (
			SELECT
			FROM noted n
			JOIN occurrences o ON o.site_id = $1 AND o.n = n.id AND o.n <> 0) THEN 'some'
		           ELSE 'all'
		       END AS news
		FROM sites s
		WHERE s.id = $1
	), base AS MATERIALIZED (
		(SELECT o.id, o.event_id, o.n, o.start_local, o.end_local, o.end_utc
		FROM occurrences o
		WHERE o.site_id = $1
		  AND o.listed
		  AND o.end_local > $2
		  AND o.start_local >= ` + earliest("$2") + `
		  AND (SELECT news FROM state) = 'all'
		ORDER BY o.start_local, o.id
		LIMIT $4)
		UNION ALL
		SELECT o.id, o.event_id, o.n, o.start_local, o.end_local, o.end_utc
		FROM (SELECT DISTINCT n.id FROM noted n) n
		JOIN occurrences o ON o.site_id = $1 AND o.event_id = n.id
		WHERE o.listed
		  AND o.end_local > $2
		  AND (SELECT news FROM state) = 'some'
	), ` + countable("o.end_utc", `
		FROM base o
		JOIN events e ON e.site_id = $1 AND e.id = o.event_id`) + `
	SELECT s.version,
	       s.news,
	       CASE WHEN s.news = 'some' THEN ARRAY(SELECT DISTINCT n.id FROM noted n) END,` + countedColumns + `
	FROM state s
	LEFT JOIN (found f JOIN costs c ON c.cost = f.cost) ON true
	ORDER BY f.start_local, f.id`

// news is the result of readComing.
type news struct {
	version int64
	what    string // same, some or all
	touched []int64
	entries []entry
}

func (n *news) read(rows pgx.Rows) error {
	f := &pg.Fields{}
	for rows.Next() {
		f.Row(rows)
		if n.version = f.Int64(); n.what == "" {
			n.what = f.Text()
			n.touched = f.Int64s()
		} else {
			f.Skip(2)
		}
		if f.Peek() == nil {
			continue // there are none
		}
		n.entries = append(n.entries, readCounted(f))
	}
	if f.Err() != nil {
		return f.Err()
	}
	return rows.Err()
}

// readCounted reads the countedColumns.
func readCounted(f *pg.Fields) entry {
	e := entry{id: f.Int64(), event: f.Int64(), series: f.Int64(), start: f.Int64(), end: f.Int64(), over: f.Int64(), terms: f.Int64s(),
		venues: f.Int64s(), organizers: f.Int64s(), masked: f.Bool(), featured: f.Bool(), free: f.Bool(), dated: f.Bool()}
	e.dated = e.dated || e.series != e.event
	attendance := f.Text()
	e.offline, e.onlineOnly = attendance == "offline", attendance == "online"
	e.access, e.audience, e.spoken = accessWords.read(f), audienceWords.read(f), spokenWords.read(f)
	e.added = readAnswers(f)
	return e
}

// coming returns the entries of a site from a moment on. They are at least as new as the database was when coming
// was called. It adds the statements of also to the round trip.
func (s *Lists) coming(ctx context.Context, from time.Time, also pg.Queue) (*coming, error) {
	id, err := pg.Site(ctx)
	if err != nil {
		return nil, err
	}
	known, _ := s.upcoming.Get(id)
	if known != nil && !known.from.Equal(from) {
		known = nil
	}
	for {
		version := int64(tenancy.NoVersion)
		if known != nil {
			version = known.version
		}
		n := &news{}
		err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
			*n = news{}
			also(site, b)
			b.Queue(readComing, site, from, version, mostComing, mostNoted).Query(n.read)
		})
		if err != nil {
			return nil, err
		}
		switch n.what {
		case "same":
			return known, nil
		case "some":
			if next := known.with(n); next != nil {
				s.keep(id, next)
				return next, nil
			}
			known = nil // read everything instead
			continue
		}
		fresh := &coming{version: n.version, from: from, entries: n.entries, more: len(n.entries) == mostComing}
		if err := s.db.Read(ctx, fresh.queueLinks); err != nil {
			return nil, err
		}
		fresh.climb()
		s.keep(id, fresh)
		return fresh, nil
	}
}

// comingSince returns the day from which a remembered list must start to have all entries that end after an
// instant, in any time zone. All instants of a day give the same result.
func comingSince(at time.Time) time.Time {
	return at.UTC().Add(-farthest).Truncate(24 * time.Hour)
}

// after returns the entries that end after an instant.
func (c *coming) after(at time.Time) []*entry {
	now := at.UnixMicro() - pg.MicrosecondsTo2000
	list := make([]*entry, 0, len(c.entries))
	for i := range c.entries {
		if e := &c.entries[i]; at.IsZero() || e.over > now {
			list = append(list, e)
		}
	}
	return list
}

// keep remembers c unless a newer list is remembered.
func (s *Lists) keep(site int64, c *coming) {
	s.upcoming.Change(site, func(old *coming, _ bool) (*coming, bounded.Outcome) {
		if old != nil && old.version >= c.version && old.from.Equal(c.from) {
			return old, bounded.Leave
		}
		return c, bounded.Keep
	})
}

// with returns a copy of c with the changed events of n, or nil if everything must be read again.
func (c *coming) with(n *news) *coming {
	touched := map[int64]bool{}
	for _, id := range n.touched {
		touched[id] = true
	}
	next := *c
	next.version = n.version
	next.entries = make([]entry, 0, len(c.entries)+len(n.entries))
	for i := range c.entries {
		e := &c.entries[i]
		if !touched[e.id] && !touched[e.event] && !touched[e.series] {
			next.entries = append(next.entries, *e)
		} else if e.dated {
			return nil
		}
	}
	for i := range n.entries {
		e := &n.entries[i]
		if c.more && e.compare(&c.entries[len(c.entries)-1]) > 0 {
			continue // beyond the last remembered entry
		}
		at, _ := slices.BinarySearchFunc(next.entries, e, func(a entry, b *entry) int { return a.compare(b) })
		next.entries = slices.Insert(next.entries, at, *e)
	}
	if c.more && len(next.entries) <= mostCountedIn || len(next.entries) > 2*mostComing {
		return nil
	}
	return &next
}

func (e *entry) compare(with *entry) int {
	return cmp.Or(cmp.Compare(e.start, with.start), cmp.Compare(e.id, with.id))
}
