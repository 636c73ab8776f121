package storage

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// submissionStore implements submissions.Store.
type submissionStore struct{ db *DB }

// Submissions implements calendar.Store.
func (db *DB) Submissions() submissions.Store { return submissionStore{db} }

// heedSubmissions locks the site, as every write does first, and makes its submissions due at $2 unless they are
// due earlier.
const heedSubmissions = `
	UPDATE sites
	SET submissions_due = least(submissions_due, $2)
	WHERE id = $1`

// holdSubmission counts the submissions and adds one under the site's lock.
const holdSubmission = `
	INSERT INTO unconfirmed_submissions (site_id, id, email, client, network, sent, image, bytes, created_at, expires_at)
	SELECT @site, @id, @email, @client, @network, @sent, @image, @bytes, @created, @expires
	FROM (
	    SELECT count(*) FILTER (WHERE u.email = @email) AS of_email,
	           count(*) FILTER (WHERE u.client = @client) AS of_client,
	           COALESCE(sum(u.bytes), 0) AS bytes
	    FROM unconfirmed_submissions u
	    WHERE u.site_id = @site
	      AND u.expires_at > @created
	) n,
	(SELECT ` + pg.HoldingMedia + `
	 FROM sites s
	 JOIN plans p ON p.name = s.plan
	 WHERE s.id = @site) held (used, may)
	WHERE n.of_email < @most_of_email
	  AND n.of_client < @most_of_client
	  AND (@bytes::bigint = 0 OR held.may IS NULL OR held.used + n.bytes + @bytes <= held.may)
	  AND (SELECT w.total < @most::bigint
	         AND w.of_network < CASE WHEN w.total < @most_waiting::bigint THEN @most_of_network::bigint ELSE @few::bigint END
	       FROM (
	           SELECT count(*) AS total,
	                  count(*) FILTER (WHERE w.network = @network) AS of_network
	           FROM submissions w
	           JOIN events e ON e.site_id = w.site_id AND e.id = w.event_id
	           WHERE w.site_id = @site
	             AND e.status = 'pending'
	       ) w)`

// crowdOut deletes submissions beyond the limits. The newest submission of each network is kept first, then the
// second newest of each, and so on.
const crowdOut = `
	DELETE FROM unconfirmed_submissions
	WHERE site_id = $1
	  AND id IN (
	      SELECT o.id
	      FROM (
	          SELECT r.id,
	                 row_number() OVER later AS place,
	                 sum(r.bytes) OVER later AS bytes
	          FROM (
	              SELECT u.id,
	                     u.created_at,
	                     u.bytes,
	                     row_number() OVER (PARTITION BY u.network ORDER BY u.created_at DESC, u.id) AS nth
	              FROM unconfirmed_submissions u
	              WHERE u.site_id = $1
	          ) r
	          WINDOW later AS (ORDER BY r.nth, r.created_at DESC, r.id)
	      ) o
	      WHERE o.place > $2 OR o.bytes > $3)
	RETURNING image`

// pictureRoom reads how many bytes of pictures a site stores, how many it may store, and how many wait unconfirmed.
const pictureRoom = `
	SELECT ` + pg.HoldingMedia + `,
	       (SELECT COALESCE(sum(u.bytes), 0)::bigint
	        FROM unconfirmed_submissions u
	        WHERE u.site_id = $1
	          AND u.expires_at > $2)
	FROM sites s
	JOIN plans p ON p.name = s.plan
	WHERE s.id = $1`

// Hold stores a submission until it is confirmed. One statement counts the submissions and adds one, under the
// site's lock. Beyond the limits, it deletes the oldest submissions of the networks that have the most.
func (s submissionStore) Hold(ctx context.Context, h *submissions.Held, most submissions.Limits) (gone []*calendar.Image, err error) {
	sent, image, err := heldColumns(h)
	if err != nil {
		return nil, err
	}
	kept, bytes := false, int64(0)
	if h.Image != nil {
		bytes = content.PictureUsage(h.Image, 1).MediaBytes
	}
	var used, others int64
	var may *int64
	err = s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		gone = nil
		b.Queue(heedSubmissions, site, h.Expires)
		b.Queue(pictureRoom, site, h.Created).QueryRow(pg.One(&used, &may, &others))
		b.Queue(holdSubmission, pgx.NamedArgs{
			"site":            site,
			"id":              h.Hash,
			"email":           tenancy.Fold(h.Sent.Email),
			"client":          h.Client,
			"network":         h.Network,
			"sent":            sent,
			"image":           image,
			"bytes":           bytes,
			"created":         h.Created,
			"expires":         h.Expires,
			"most_of_email":   most.OfEmail,
			"most_of_client":  most.OfClient,
			"most_waiting":    most.Waiting,
			"most_of_network": most.OfNetwork,
			"few":             most.Few,
			"most":            most.Most,
		}).Exec(pg.OneChanged(&kept))
		b.Queue(crowdOut, site, most.Unconfirmed, most.Bytes).Query(collectImages(&gone))
	})
	switch {
	case err != nil || kept:
	case bytes > 0 && may != nil && used+others+bytes > *may:
		err = &tenancy.LimitError{What: "media_bytes", Max: *may, Have: used + others, Want: bytes}
	default:
		err = submissions.ErrManySent
	}
	return gone, err
}

func heldColumns(h *submissions.Held) (sent []byte, image *string, err error) {
	if sent, err = json.Marshal(h.Sent); err != nil || h.Image == nil {
		return sent, nil, err
	}
	raw, err := json.Marshal(h.Image) //nolint:musttag // Held reads the same fields
	text := string(raw)
	return sent, &text, err
}

// collectImages reads rows of one picture each, which may be NULL.
func collectImages(into *[]*calendar.Image) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var image *calendar.Image
		_, err := pgx.ForEachRow(rows, []any{&image}, func() error {
			if image != nil {
				*into = append(*into, image)
			}
			image = nil
			return nil
		})
		return err
	}
}

// Held returns the unconfirmed submission with this hash.
func (s submissionStore) Held(ctx context.Context, hash []byte, at time.Time) (*submissions.Held, error) {
	const held = `
		SELECT u.id,
		       u.client,
		       u.sent,
		       u.image,
		       u.created_at,
		       u.expires_at
		FROM unconfirmed_submissions u
		WHERE u.site_id = $1
		  AND u.id = $2
		  AND u.expires_at > $3`
	h := &submissions.Held{}
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(held, site, hash, at).QueryRow(pg.One(&h.Hash, &h.Client, &h.Sent, &h.Image, (*pg.UTC)(&h.Created), (*pg.UTC)(&h.Expires)))
	})
	if err != nil {
		return nil, err
	}
	return h, nil
}

// Drop removes the unconfirmed submission with this hash, or returns calendar.ErrNotFound.
func (s submissionStore) Drop(ctx context.Context, hash []byte) error {
	const drop = `
		DELETE FROM unconfirmed_submissions
		WHERE site_id = $1
		  AND id = $2`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) { b.Queue(drop, site, hash).Exec(pg.OneRow(calendar.ErrNotFound)) })
}

// submissionColumns are the columns of submissions w and events e that readSubmission reads.
const submissionColumns = `
	w.event_id,
	w.id,
	w.link,
	w.sent,
	w.proved,
	w.created_at,
	w.settled,
	w.settled_at,
	w.settled_by,
	w.message`

const ofSubmissions = `
	FROM submissions w
	JOIN events e ON e.site_id = w.site_id AND e.id = w.event_id
	WHERE w.site_id = $1`

func readSubmission(row pgx.CollectableRow) (*submissions.Stored, error) {
	r := &submissions.Stored{}
	err := row.Scan(&r.Event, &r.Hash, &r.Link, &r.Sent, &r.Proved, (*pg.UTC)(&r.Created), &r.Settle, (*pg.Sometime)(&r.Settled),
		&r.By, &r.Message)
	return r, err
}

// Find returns the submission with this hash.
func (s submissionStore) Find(ctx context.Context, hash []byte) (*submissions.Stored, error) {
	const find = `SELECT` + submissionColumns + ofSubmissions + `
		  AND (w.id = $2 OR w.link = $2)`
	return s.one(ctx, find, hash)
}

// Get returns the submission of an event.
func (s submissionStore) Get(ctx context.Context, event int64) (*submissions.Stored, error) {
	const get = `SELECT` + submissionColumns + ofSubmissions + `
		  AND w.event_id = $2`
	return s.one(ctx, get, event)
}

// Among returns the submissions of some events.
func (s submissionStore) Among(ctx context.Context, events []int64) (list []*submissions.Stored, err error) {
	const among = `SELECT` + submissionColumns + ofSubmissions + `
		  AND w.event_id = ANY($2)`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) { b.Queue(among, site, events).Query(pg.All(&list, readSubmission)) })
	return list, err
}

func (s submissionStore) one(ctx context.Context, query string, key any) (found *submissions.Stored, err error) {
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(query, site, key).Query(func(rows pgx.Rows) (err error) {
			found, err = pgx.CollectExactlyOneRow(rows, readSubmission)
			return err
		})
	})
	return found, err
}

// List returns one page of submissions.
func (s submissionStore) List(ctx context.Context, q submissions.Query) (calendar.Page[submissions.Stored], error) {
	const waiting = `
		  AND e.status = 'pending'
		  AND `
	const decided = `
		  AND e.status <> 'pending'
		  AND `
	const count = `
		SELECT count(*),
		       (SELECT s.version FROM sites s WHERE s.id = $1)` + ofSubmissions
	which, order := waiting, `w.created_at, w.event_id`
	if !q.Waiting {
		which, order = decided, `w.settled_at DESC NULLS FIRST, w.event_id DESC`
	}
	which += content.InArea("$2::bigint[]", "$3::bigint[]", "$4::bigint[]")
	list := `SELECT` + submissionColumns + ofSubmissions + which + `
		ORDER BY ` + order + `
		LIMIT $5
		OFFSET $6`
	area := []any{content.IDs(q.Area.Categories), content.IDs(q.Area.Venues), content.IDs(q.Area.Organizers)}
	var page calendar.Page[submissions.Stored]
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(count+which, append([]any{site}, area...)...).QueryRow(pg.One(&page.Total, &page.Version))
		b.Queue(list, append(append([]any{site}, area...), q.PerPage, (q.Page-1)*q.PerPage)...).Query(pg.All(&page.Items, readSubmission))
	})
	return page, err
}

// noteSubmission changes a submission together with its event. It checks the conditions before the commit, so that
// nothing is written if they do not hold.
func noteSubmission(ctx context.Context, t *pg.Tx) error {
	const confirm = `
		DELETE FROM unconfirmed_submissions
		WHERE site_id = $1
		  AND id = $2
		RETURNING email, sent, created_at, network`
	const add = `
		INSERT INTO submissions (site_id, event_id, id, email, sent, proved, created_at, network)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
	w := submissions.WriteOf(ctx)
	if w == nil {
		return nil
	}
	for _, c := range t.Changes() {
		switch {
		case c.Kind != "event":
		case w.Confirm == nil:
			return changeSubmission(ctx, t, c.ID, w)
		case c.Action == "create":
			var email, sent string
			var created time.Time
			var network []byte
			if err := t.QueryRow(ctx, confirm, t.Site, w.Confirm).Scan(&email, &sent, (*pg.UTC)(&created), &network); err != nil {
				return t.Failure(err)
			}
			t.Queue(add, t.Site, c.ID, w.Confirm, email, sent, w.Proved, created, network)
			t.Queue(heedSubmissions, t.Site, t.Now.Add(settleAgain))
			return nil
		}
	}
	return nil
}

// changeSubmission corrects or settles the submission of an event. It returns ErrNotFound if the event has none.
func changeSubmission(ctx context.Context, t *pg.Tx, event int64, w *submissions.Write) error {
	const correct = `
		UPDATE submissions
		SET sent = $3,
		    settled = CASE WHEN settled = 'returned' THEN '' ELSE settled END,
		    settled_at = CASE WHEN settled = 'returned' THEN NULL ELSE settled_at END,
		    settled_by = CASE WHEN settled = 'returned' THEN 0 ELSE settled_by END,
		    letter_at = CASE WHEN settled = 'returned' THEN NULL ELSE letter_at END
		WHERE site_id = $1
		  AND event_id = $2`
	const settle = `
		UPDATE submissions
		SET settled = $3,
		    settled_at = $4,
		    settled_by = $5,
		    message = $6,
		    letter_at = $7,
		    letters = 0
		WHERE site_id = $1
		  AND event_id = $2`
	sql, arguments := settle, []any{t.Site, event, w.Settle, t.Now, w.By, w.Message, someTime(w.LetterAt)}
	if w.Correct != nil {
		sent, err := json.Marshal(w.Correct)
		if err != nil {
			return err
		}
		sql, arguments = correct, []any{t.Site, event, sent}
	}
	tag, err := t.Exec(ctx, sql, arguments...)
	if err != nil {
		return err
	}
	if !w.LetterAt.IsZero() {
		t.Queue(heedSubmissions, t.Site, w.LetterAt)
	}
	return pg.OneRow(calendar.ErrNotFound)(tag)
}
