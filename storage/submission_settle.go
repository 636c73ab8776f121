package storage

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
)

// After how long a site with waiting submissions is checked again, how long a node has to send the letters it took,
// and how often it tries to send a letter.
const (
	settleAgain = 5 * time.Minute
	letterLease = 15 * time.Minute
	mostLetters = 8
)

// Due returns sites whose submissions have work that is due, and postpones the sites by settleAgain, so that no other
// node takes them.
func (s submissionStore) Due(ctx context.Context, now time.Time) ([]*tenancy.Site, error) {
	const take = `
		UPDATE sites
		SET submissions_due = $2
		WHERE id IN (
		    SELECT d.id
		    FROM sites d
		    WHERE d.submissions_due <= $1
		    ORDER BY d.submissions_due, d.id
		    LIMIT 50
		    FOR NO KEY UPDATE SKIP LOCKED)
		RETURNING id`
	const why = "sites whose submissions are due, 50 of a shard at most, by an index, once a node and minute"
	var ids []int64
	err := s.db.Everywhere(ctx, why, take, []any{now, now.Add(settleAgain)}, pg.More(&ids, pgx.RowTo[int64]))
	if len(ids) == 0 {
		return nil, err
	}
	var sites []*tenancy.Site
	slices.Sort(ids)
	for _, id := range ids { // a site whose server fails now is due again later
		site, failed := platform.SiteAt(ctx, s.db.Engine(), s.db.At(why, id), id)
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		sites = append(sites, site)
	}
	return sites, err
}

// The statements of Settle, in their order. $1 is always the site.
const (
	// restoreSubmissions reopens submissions whose event is pending again.
	restoreSubmissions = `
		UPDATE submissions w
		SET settled = '',
		    settled_at = NULL,
		    settled_by = 0,
		    message = '',
		    letter_at = NULL
		FROM events e
		WHERE w.site_id = $1
		  AND e.site_id = $1
		  AND e.id = w.event_id
		  AND e.status = 'pending'
		  AND w.settled <> ''
		  AND w.settled_at <= $2
		RETURNING` + submissionColumns
	// noteSubmissions settles submissions that were decided elsewhere, such as in the form of the event. The sender
	// gets a letter if the event was published or sent back with a note, but not if it was removed, made a draft or made private. In these
	// cases, an approval that the sender has not been told about is withdrawn.
	noteSubmissions = `
		UPDATE submissions w
		SET settled = CASE WHEN e.status = 'trash' THEN 'refused'
		                   WHEN e.status = 'draft' AND e.review_note <> '' THEN 'returned'
		                   WHEN e.status IN ('draft', 'private') THEN 'accepted' ELSE 'approved' END,
		    settled_at = $2,
		    settled_by = 0,
		    message = '',
		    letter_at = CASE WHEN e.status IN ('publish', 'future') OR e.status = 'draft' AND e.review_note <> '' THEN $2::timestamptz END,
		    letters = 0
		FROM events e
		WHERE w.site_id = $1
		  AND e.site_id = $1
		  AND e.id = w.event_id
		  AND (e.status IN ('publish', 'future') AND w.settled <> 'approved'
		      OR e.status = 'draft' AND e.review_note <> '' AND w.settled <> 'returned'
		      OR e.status IN ('draft', 'private', 'trash')
		         AND (w.settled = '' OR w.settled = 'approved' AND w.letter_at IS NOT NULL AND w.letters = 0))
		RETURNING` + submissionColumns
	// forgetSenders deletes submissions some time after the decision, or after the event if there was no decision.
	forgetSenders = `
		DELETE FROM submissions w
		USING events e
		WHERE w.site_id = $1
		  AND e.site_id = $1
		  AND e.id = w.event_id
		  AND CASE WHEN w.settled = '' THEN greatest(e.end_utc, w.created_at) ELSE w.settled_at END <= $2`
	forgetUnconfirmed = `
		DELETE FROM unconfirmed_submissions
		WHERE site_id = $1
		  AND expires_at <= $2
		RETURNING image`
	forgetReports = `
		DELETE FROM reports
		WHERE site_id = $1
		  AND created_at <= $2`
	takeLetters = `
		WITH taken AS (
		    UPDATE submissions
		    SET letter_at = CASE WHEN letters < $4 THEN $3::timestamptz END,
		        letters = letters + 1
		    WHERE site_id = $1
		      AND letter_at <= $2
		    RETURNING event_id
		)
		SELECT` + submissionColumns + ofSubmissions + `
		  AND w.event_id IN (SELECT t.event_id FROM taken t)`
	// lookAgain sets the time of a site's next check: when the next work is due, or after settleAgain, because an
	// editor may have decided in the meantime.
	lookAgain = `
		UPDATE sites
		SET submissions_due = least(
		    (SELECT min(u.expires_at) FROM unconfirmed_submissions u WHERE u.site_id = $1),
		    (SELECT min(least(w.letter_at, CASE WHEN w.settled = 'approved'
		                     THEN (w.settled_at AT TIME ZONE 'UTC' + $3::interval) AT TIME ZONE 'UTC' ELSE $2::timestamptz END))
		     FROM submissions w
		     WHERE w.site_id = $1),
		    (SELECT (min(r.created_at) AT TIME ZONE 'UTC' + $4::interval) AT TIME ZONE 'UTC' FROM reports r WHERE r.site_id = $1))
		WHERE id = $1`
)

// Settle does the due work on a site's submissions in one transaction.
func (s submissionStore) Settle(ctx context.Context, now time.Time) (*submissions.Settlement, error) {
	due := &submissions.Settlement{}
	err := s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		*due = submissions.Settlement{}
		b.Queue(heedSubmissions, site, now)
		b.Queue(restoreSubmissions, site, now).Query(pg.More(&due.Reverted, readSubmission))
		b.Queue(noteSubmissions, site, now).Query(pg.More(&due.Reverted, readSubmission))
		b.Queue(forgetSenders, site, now.Add(-submissions.SenderLife))
		b.Queue(forgetUnconfirmed, site, now).Query(collectImages(&due.Gone))
		b.Queue(forgetReports, site, now.Add(-submissions.ReportLife))
		b.Queue(takeLetters, site, now, now.Add(letterLease), mostLetters).Query(pg.More(&due.Letters, readSubmission))
		b.Queue(lookAgain, site, now.Add(settleAgain), submissions.SenderLife, submissions.ReportLife)
	})
	return due, err
}

// Link stores the digest of a new link for the sender, unless there is a newer decision.
func (s submissionStore) Link(ctx context.Context, row *submissions.Stored, hash []byte) error {
	const link = `
		UPDATE submissions
		SET link = $4
		WHERE site_id = $1
		  AND event_id = $2
		  AND settled_at = $3`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(link, site, row.Event, row.Settled, hash).Exec(pg.OneRow(calendar.ErrNotFound))
	})
}

// Told records that the letter about a decision was sent, unless there is a newer decision.
func (s submissionStore) Told(ctx context.Context, row *submissions.Stored) error {
	const told = `
		UPDATE submissions
		SET letter_at = NULL
		WHERE site_id = $1
		  AND event_id = $2
		  AND settled_at = $3`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) { b.Queue(told, site, row.Event, row.Settled) })
}
