package content

// IDs returns list, or an empty list for nil: nil would be NULL in a statement, not an empty array.
func IDs(list []int64) []int64 { return append([]int64{}, list...) }

// inCategories is the condition that event e has one of these categories or one of their descendants.
func inCategories(list string) string {
	return `EXISTS (
		WITH RECURSIVE below AS (
			SELECT unnest(` + list + `) AS id
			UNION
			SELECT c.id
			FROM below
			JOIN terms c ON c.site_id = $1 AND c.parent_id = below.id
		)
		SELECT
		FROM below
		WHERE below.id = ANY(e.term_ids))`
}

// InArea is the condition that event e of site $1 is in a tenancy.Area with these lists of IDs.
func InArea(categories, venues, organizers string) string {
	return `(` + categories + ` = '{}' OR ` + inCategories(categories) + `)
		AND (` + venues + ` = '{}' OR e.venue_ids && ` + venues + `)
		AND (` + organizers + ` = '{}' OR e.organizer_ids && ` + organizers + `)`
}

// ReportInArea is the condition that report r, as in OfReports, is about something that a user with an area may change: an event in
// the area, or a venue or organizer that the area names or the user has entered.
func ReportInArea(categories, venues, organizers, user string) string {
	return `CASE
		WHEN r.event_id IS NOT NULL THEN ` + InArea(categories, venues, organizers) + `
		WHEN ` + categories + ` = '{}' AND ` + venues + ` = '{}' AND ` + organizers + ` = '{}' THEN true
		ELSE COALESCE(
			COALESCE(v.author, o.author) = ` + user + ` OR v.id = ANY(` + venues + `) OR o.id = ANY(` + organizers + `),
			false) END`
}
