package storage

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// Report counts the reports and adds one under the site's lock, which deletions of events take as well.
func (s submissionStore) Report(ctx context.Context, r *submissions.Report, most submissions.ReportLimits) error {
	const report = `
		INSERT INTO reports (site_id, id, event_id, venue_id, organizer_id, date_id, day, said, email, email_key, network, created_at)
		SELECT @site, @id, a.event, a.venue, a.organizer, @date, @day, @said, @email, @email_key, @network, @created
		FROM (
		    SELECT count(*) AS total,
		           count(*) FILTER (WHERE r.network = @network) AS of_network,
		           count(*) FILTER (WHERE r.id = @id) AS known
		    FROM reports r
		    WHERE r.site_id = @site
		) n,
		(
		    SELECT (SELECT e.id FROM events e WHERE e.site_id = @site AND e.id = @about AND @kind = 'event') AS event,
		           (SELECT v.id FROM venues v WHERE v.site_id = @site AND v.id = @about AND @kind = 'venue') AS venue,
		           (SELECT o.id FROM organizers o WHERE o.site_id = @site AND o.id = @about AND @kind = 'organizer') AS organizer
		) a
		WHERE n.known = 1
		   OR n.total < @most::bigint
		      AND n.of_network < CASE WHEN n.total < @waiting::bigint THEN @most_of_network::bigint ELSE @few::bigint END
		      AND num_nonnulls(a.event, a.venue, a.organizer) = 1
		ON CONFLICT ON CONSTRAINT reports_pkey DO UPDATE
		SET said = excluded.said`
	kept := false
	err := s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(heedSubmissions, site, r.Created.Add(submissions.ReportLife))
		b.Queue(report, pgx.NamedArgs{
			"site":            site,
			"id":              r.ID,
			"kind":            r.About.Kind,
			"about":           r.About.ID,
			"date":            r.Date,
			"day":             r.Day,
			"said":            r.Text,
			"email":           r.Email,
			"email_key":       tenancy.Fold(r.Email),
			"network":         r.Network,
			"created":         r.Created,
			"most":            most.Most,
			"waiting":         most.Waiting,
			"most_of_network": most.OfNetwork,
			"few":             most.Few,
		}).Exec(pg.OneChanged(&kept))
		b.Queue(pg.Heed, site, r.Created)
	})
	if err == nil && !kept {
		err = submissions.ErrManySent
	}
	return err
}

// reportsFor is the condition that a report concerns user $5, whose area is $2, $3 and $4.
var reportsFor = content.ReportInArea("$2::bigint[]", "$3::bigint[]", "$4::bigint[]", "$5::bigint")

// aboutOne is the condition that a report is about item $6 of kind $7, if these are given.
const aboutOne = `
		  AND ($6::bigint = 0 OR COALESCE(r.event_id, r.venue_id, r.organizer_id) = $6 AND` + content.ReportedKind + ` = $7::text)`

// Reports returns one page of reports.
func (s submissionStore) Reports(ctx context.Context, q submissions.Query) (calendar.Page[submissions.Report], error) {
	const count = `
		SELECT count(*),
		       (SELECT s.version FROM sites s WHERE s.id = $1)` + content.OfReports + `
		  AND `
	const list = `
		SELECT r.id,` + content.ReportedKind + `,
		       COALESCE(r.event_id, r.venue_id, r.organizer_id),` + content.ReportedTitle + `,
		       r.date_id,
		       CASE WHEN r.day = '' AND e.rules IS NULL THEN COALESCE(to_char(e.start_local, 'YYYY-MM-DD'), '') ELSE r.day END,
		       r.said,
		       r.email,
		       r.created_at` + content.OfReports + `
		  AND `
	const paged = `
		ORDER BY r.created_at, r.id
		LIMIT $8
		OFFSET $9`
	area := []any{content.IDs(q.Area.Categories), content.IDs(q.Area.Venues), content.IDs(q.Area.Organizers), q.User,
		q.About.ID, q.About.Kind}
	var page calendar.Page[submissions.Report]
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(count+reportsFor+aboutOne, append([]any{site}, area...)...).QueryRow(pg.One(&page.Total, &page.Version))
		b.Queue(list+reportsFor+aboutOne+paged, append(append([]any{site}, area...), q.PerPage, (q.Page-1)*q.PerPage)...).
			Query(pg.All(&page.Items, func(row pgx.CollectableRow) (*submissions.Report, error) {
				r := &submissions.Report{}
				return r, row.Scan(&r.ID, &r.About.Kind, &r.About.ID, &r.Title, &r.Date, &r.Day, &r.Text, &r.Email, (*pg.UTC)(&r.Created))
			}))
	})
	return page, err
}

// DecideReport deletes a report. The history stores the subject of the report and who decided, but not what a
// stranger typed.
func (s submissionStore) DecideReport(ctx context.Context, id string, verdict submissions.Verdict) error {
	find := `
		SELECT` + content.ReportedKind + `,
		       COALESCE(r.event_id, r.venue_id, r.organizer_id),` + content.ReportedTitle + `,
		       ` + reportsFor + content.OfReports + `
		  AND r.id = $6`
	const remove = `
		DELETE FROM reports
		WHERE site_id = $1
		  AND id = $2`
	return s.db.Write(ctx, func(ctx context.Context, t *content.Tx) error {
		var about submissions.Subject
		var title string
		var concerned bool
		p := tenancy.Current(ctx).Principal
		in := p.Area
		err := t.QueryRow(ctx, find, t.Site, content.IDs(in.Categories), content.IDs(in.Venues), content.IDs(in.Organizers), p.UserID, id).
			Scan(&about.Kind, &about.ID, &title, &concerned)
		if errors.Is(err, pgx.ErrNoRows) {
			return submissions.ErrSettled
		}
		if err != nil {
			return err
		}
		if !concerned {
			return tenancy.ErrOutside
		}
		field := about.Kind
		if field == "event" {
			field = "title"
		}
		t.Queue(remove, t.Site, id)
		t.Log("report", about.ID, string(verdict), pg.Document{field: title})
		return nil
	})
}
