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

// Report counts and adds under the site's lock, which deletions of events also take.
func (s submissionStore) Report(ctx context.Context, r *submissions.StoredReport, most submissions.ReportLimits) error {
	const report = `
		INSERT INTO reports (site_id, id, event_id, date_id, day, said, email, email_key, network, created_at)
		SELECT @site, @id, @event, @date, @day, @said, @email, @email_key, @network, @created
		FROM (
		    SELECT count(*) AS total,
		           count(*) FILTER (WHERE r.network = @network) AS of_network,
		           count(*) FILTER (WHERE r.id = @id) AS known
		    FROM reports r
		    WHERE r.site_id = @site
		) n
		WHERE n.known = 1
		   OR n.total < @most::bigint
		      AND n.of_network < CASE WHEN n.total < @waiting::bigint THEN @most_of_network::bigint ELSE @few::bigint END
		      AND EXISTS (SELECT FROM events e WHERE e.site_id = @site AND e.id = @event)
		ON CONFLICT ON CONSTRAINT reports_pkey DO UPDATE
		SET said = excluded.said`
	kept := false
	err := s.db.Note(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(heedSubmissions, site, r.Created.Add(submissions.ReportLife))
		b.Queue(report, pgx.NamedArgs{"site": site, "id": r.ID, "event": r.Event, "date": r.Date, "day": r.Day, "said": r.Text,
			"email": r.Email, "email_key": tenancy.Fold(r.Email), "network": r.Network, "created": r.Created,
			"most": most.Most, "waiting": most.Waiting, "most_of_network": most.OfNetwork, "few": most.Few}).Exec(pg.OneChanged(&kept))
		b.Queue(pg.Heed, site, r.Created)
	})
	if err == nil && !kept {
		err = submissions.ErrManySent
	}
	return err
}

// Reports returns one page of reports.
func (s submissionStore) Reports(ctx context.Context, q submissions.Query) (calendar.Page[submissions.StoredReport], error) {
	const ofReports = `
		FROM reports r
		JOIN events e ON e.site_id = r.site_id AND e.id = r.event_id
		WHERE r.site_id = $1
		  AND e.status <> 'trash'`
	const count = `
		SELECT count(*),
		       (SELECT s.version FROM sites s WHERE s.id = $1)` + ofReports
	const list = `
		SELECT r.id,
		       r.event_id,
		       r.date_id,
		       r.day,
		       r.said,
		       r.email,
		       r.created_at` + ofReports + `
		ORDER BY r.created_at, r.id
		LIMIT $2
		OFFSET $3`
	var page calendar.Page[submissions.StoredReport]
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(count, site).QueryRow(func(row pgx.Row) error { return row.Scan(&page.Total, &page.Version) })
		b.Queue(list, site, q.PerPage, (q.Page-1)*q.PerPage).Query(func(rows pgx.Rows) (err error) {
			page.Items, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*submissions.StoredReport, error) {
				r := &submissions.StoredReport{}
				return r, row.Scan(&r.ID, &r.Event, &r.Date, &r.Day, &r.Text, &r.Email, (*pg.UTC)(&r.Created))
			})
			return err
		})
	})
	return page, err
}

// DecideReport deletes a report. The history names the event and who decided, not what a stranger typed.
func (s submissionStore) DecideReport(ctx context.Context, id string, verdict submissions.Verdict) error {
	const remove = `
		DELETE FROM reports r
		USING events e
		WHERE r.site_id = $1
		  AND r.id = $2
		  AND e.site_id = $1
		  AND e.id = r.event_id
		RETURNING e.id, e.title`
	return s.db.Write(ctx, func(ctx context.Context, t *content.Tx) error {
		var event int64
		var title string
		err := t.QueryRow(ctx, remove, t.Site, id).Scan(&event, &title)
		if errors.Is(err, pgx.ErrNoRows) {
			return submissions.ErrSettled
		}
		if err == nil {
			t.Log("report", event, string(verdict), pg.Document{"title": title})
		}
		return err
	})
}
