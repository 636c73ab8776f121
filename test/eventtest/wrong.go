package eventtest

// WrongDays are days of which something else is counted than is there.
const WrongDays = `
	SELECT COALESCE(d.start_day, o.start_day) || ' to ' || COALESCE(d.end_day, o.end_day) || ': ' ||
	       COALESCE(d.occurrences, 0) || ' counted, ' || COALESCE(o.n, 0) || ' there'
	FROM (SELECT * FROM occurrence_days WHERE site_id = $1) d
	FULL JOIN (
		SELECT start_local::date AS start_day,
		       end_local::date AS end_day,
		       count(*) AS n
		FROM occurrences
		WHERE site_id = $1
		  AND listed
		GROUP BY 1, 2
	) o ON o.start_day = d.start_day AND o.end_day = d.end_day
	WHERE COALESCE(d.occurrences, 0) <> COALESCE(o.n, 0)`

// WrongLinks are titles of events whose own lists of links differ from the stored links.
const WrongLinks = `
	SELECT e.title
	FROM events e
	WHERE e.site_id = $1
	  AND (e.venue_ids <> ARRAY(SELECT x.venue_id FROM event_venues x
	          WHERE x.site_id = $1 AND x.event_id = e.id ORDER BY x.position)
	    OR e.organizer_ids <> ARRAY(SELECT x.organizer_id FROM event_organizers x
	          WHERE x.site_id = $1 AND x.event_id = e.id ORDER BY x.position)
	    OR ARRAY(SELECT unnest(e.term_ids) ORDER BY 1) <> ARRAY(SELECT x.term_id FROM event_terms x
	          WHERE x.site_id = $1 AND x.event_id = e.id ORDER BY 1))`
