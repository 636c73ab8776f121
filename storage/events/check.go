package events

// Unchecked is the condition that an event e of site $1 is one of those that somebody should check when they have not been
// changed for long and have a date soon (calendar.Check).
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
