package attention

import (
	"fmt"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/bounded"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/tenancy"
)

// staleKey identifies a count of stale events. It changes at midnight.
type staleKey struct {
	site, author int64
	day          time.Time
	area         string
}

// staleCount is how many stale events a site had at a version.
type staleCount struct {
	version int64
	events  int
}

// staleBytes limits the memory for counts of all sites.
const staleBytes = 1 << 20

func newStaleCounts() bounded.Cache[staleKey, staleCount] {
	const each = 150 // with its key
	return bounded.New(bounded.Options[staleKey, staleCount]{
		Bytes: staleBytes,
		Weigh: func(k staleKey, _ staleCount) uint32 { return each + uint32(len(k.area)) },
	})
}

func staleKeyOf(s *tenancy.Scope, c calendar.Check) staleKey {
	k := staleKey{site: s.Site.ID, author: c.Author, day: c.Changed}
	if !s.Principal.Area.Whole() {
		k.area = fmt.Sprint(s.Principal.Area)
	}
	return k
}

// mostDates is how many upcoming dates are checked. If there are more, the later ones are checked when they are
// closer.
const mostDates = "2000"

// datedSoon finds the events that visitors find in lists and that have a date between two wall-clock times, with
// the first of these dates. The inner query needs only one index. It looks up each event by its ID; otherwise
// Postgres would read all events of the site.
func datedSoon(from, until, changed string) string {
	return `
		FROM (
		    SELECT n.event_id AS id,
		           min(n.start_local) AS first
		    FROM (
		        SELECT o.event_id,
		               o.start_local
		        FROM occurrences o
		        WHERE o.site_id = $1
		          AND o.listed
		          AND o.start_local >= ` + from + `
		          AND o.start_local < ` + until + `
		        ORDER BY o.start_local, o.id
		        LIMIT ` + mostDates + `
		    ) n
		    GROUP BY n.event_id
		) d
		CROSS JOIN LATERAL (
		    SELECT *
		    FROM events e
		    WHERE e.site_id = $1
		      AND e.id = d.id
		      AND e.modified_at < ` + changed + `
		      AND ` + events.Unchecked + `
		    OFFSET 0
		) e`
}

// countStale selects the version of the site and the number of stale events, at most $12. It does not count if the
// site still has version $4.
var countStale = `s.version,
		       CASE WHEN s.version = $4 THEN 0 ELSE (
		           SELECT count(*)
		           FROM (
		               SELECT` + datedSoon("$5::timestamp", "$6::timestamp", "$7") + `
		               WHERE ($8::bigint = 0 OR e.author = $8)
		                 AND ` + theirs + `
		               LIMIT $12
		           ) t) END
		FROM sites s
		WHERE s.id = $1`

// staleItems lists the events that have become stale, or will before $8 and $7. An event is stale if it has not
// been changed for $9 months and has a date within $10 days. Its author is notified only if the event is in their
// area.
var staleItems = `(SELECT 'stale',
	            e.title,
	            '',
	            GREATEST(e.modified_at + make_interval(months => $9, days => 1),
	                     d.first AT TIME ZONE e.timezone - make_interval(days => $10)) AS since,
	            0,
	            COALESCE(a.id, 0),
	            e.id,
	            NULL` + datedSoon("$6::timestamp", "$7::timestamp", "$8") + `
	     LEFT JOIN users a ON a.site_id = $1 AND a.id = e.author AND ` + content.InArea("a.categories", "a.venues", "a.organizers") + `
	     ORDER BY since DESC, e.id
	     LIMIT $3)`

// soonStale selects the events that are stale now or will be within a day.
func soonStale(s *tenancy.Scope, now time.Time) calendar.Check {
	c := calendar.Unchecked(s, now.Add(24*time.Hour))
	c.From = calendar.Unchecked(s, now).From
	return c
}
