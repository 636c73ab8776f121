package content

// OfReports are the reports r of the site $1 whose subject is not in the trash: the event e, the venue v or the organizer o.
const OfReports = `
		FROM reports r
		LEFT JOIN events e ON e.site_id = $1 AND e.id = r.event_id
		LEFT JOIN venues v ON v.site_id = $1 AND v.id = r.venue_id
		LEFT JOIN organizers o ON o.site_id = $1 AND o.id = r.organizer_id
		WHERE r.site_id = $1
		  AND COALESCE(e.status, v.status, o.status) <> 'trash'`

// ReportedKind and ReportedTitle are columns of OfReports: the kind and the title of a report's subject.
const (
	ReportedKind  = ` CASE WHEN r.event_id IS NOT NULL THEN 'event' WHEN r.venue_id IS NOT NULL THEN 'venue' ELSE 'organizer' END`
	ReportedTitle = ` COALESCE(e.title, v.name, o.name)`
)
