package events

// Unchecked is the condition that calendar.Check applies to an event e of site $1: it is public and not cancelled,
// and comes neither from a source nor from another site. The limits on its age and dates are conditions of their
// own.
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
