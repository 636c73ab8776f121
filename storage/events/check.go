package events

// Unchecked is the condition that event e of site $1 is one that somebody should check if it has not been changed for long
// and has a date soon (calendar.Check).
const Unchecked = `e.status = 'publish'
	AND NOT e.hidden
	AND e.event_status <> 'cancelled'
	AND e.series_id IS NULL
	AND e.given IS NULL
	AND NOT EXISTS (
	    SELECT
	    FROM sources w
	    WHERE w.site_id = $1
	      AND w.id = e.source_id)`
