package pg

// RecountTerms returns the statement that recounts the published events without a password of the terms t of site
// $1 that meet a condition. A series counts once. The statement returns the ids and counts of the terms. It looks
// up each event by its key; otherwise Postgres, which has no statistics on rows that were just written, would read
// all events of the site for each link.
func RecountTerms(which string) string {
	return `
	UPDATE terms t
	SET count = (
		SELECT count(DISTINCT e.series)
		FROM (
			SELECT x.event_id
			FROM event_terms x
			WHERE x.site_id = $1
			  AND x.term_id = t.id
			OFFSET 0
		) x
		CROSS JOIN LATERAL (
			SELECT COALESCE(e.series_id, e.id) AS series
			FROM events e
			WHERE e.site_id = $1
			  AND e.id = x.event_id
			  AND e.status = 'publish'
			  AND e.password IS NULL
			OFFSET 0
		) e)
	WHERE t.site_id = $1
	  AND ` + which + `
	RETURNING t.id,
	          t.count`
}
