package accounts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// answers implements tenancy.AnswerStore.
type answers struct{ db *pg.DB }

// Answers returns the store of answers to repeatable requests.
func Answers(db *pg.DB) tenancy.AnswerStore { return answers{db} }

// Find implements tenancy.AnswerStore.
func (s answers) Find(ctx context.Context, id []byte, since time.Time) (a *tenancy.KeptAnswer, err error) {
	const find = `
		SELECT fingerprint,
		       role,
		       kind,
		       object,
		       status,
		       COALESCE(headers, '{}'),
		       body
		FROM kept_answers
		WHERE site_id = $1
		  AND id = $2
		  AND at > $3`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		a = nil
		b.Queue(find, site, id, since).QueryRow(func(row pgx.Row) error {
			one, headers := &tenancy.KeptAnswer{}, []byte(nil)
			err := row.Scan(&one.Fingerprint, &one.Role, &one.Kind, &one.Object, &one.Status, &headers, &one.Body)
			switch {
			case errors.Is(err, pgx.ErrNoRows):
				return nil
			case err != nil:
				return err
			}
			a = one
			return json.Unmarshal(headers, &one.Headers)
		})
	})
	return a, err
}

// noteAnswer stores an answer, and deletes up to 100 old ones. It replaces an answer with the same id only if that
// one is old.
const noteAnswer = `
	WITH old AS (
		DELETE FROM kept_answers k
		WHERE k.site_id = $1
		  AND k.id IN (
		      SELECT o.id
		      FROM kept_answers o
		      WHERE o.site_id = $1
		        AND o.at <= $6
		        AND o.id <> $2
		      ORDER BY o.at
		      LIMIT 100
		      FOR UPDATE SKIP LOCKED)
	)
	INSERT INTO kept_answers (site_id, id, fingerprint, role, at, kind, object, status, headers, body)
	VALUES ($1, $2, $3, $4, $5, $7, $8, $9, $10, $11)
	ON CONFLICT ON CONSTRAINT kept_answers_pkey DO UPDATE
	SET fingerprint = excluded.fingerprint,
	    role = excluded.role,
	    at = excluded.at,
	    kind = excluded.kind,
	    object = excluded.object,
	    status = excluded.status,
	    headers = excluded.headers,
	    body = excluded.body
	WHERE kept_answers.at <= $6`

// NoteRepeatable notes the request within the transaction that does its work. It returns tenancy.ErrRepeated if the request
// was made before; then nothing may be written.
func NoteRepeatable(ctx context.Context, t *pg.Tx) error {
	r := tenancy.RepeatableOf(ctx)
	// Only the first write of a request is noted; its later writes belong to it.
	if r == nil || tenancy.ByProvider(ctx) || len(t.Changes()) == 0 || tenancy.Wrote(ctx) > 0 {
		return nil
	}
	about := t.Changes()[0]
	for _, c := range t.Changes() {
		if c.Kind == r.Kind { // and not the venue or tag that an event brings along
			about = c
			break
		}
	}
	done, err := t.Exec(ctx, noteAnswer, t.Site, r.ID, r.Fingerprint, string(r.Role), t.Now, t.Now.Add(-tenancy.AnswerAge),
		about.Kind, about.ID, 0, nil, nil)
	if err == nil && done.RowsAffected() == 0 {
		err = tenancy.ErrRepeated
	}
	return err
}

// Keep implements tenancy.AnswerStore.
func (s answers) Keep(ctx context.Context, r *tenancy.Repeatable, a *tenancy.KeptAnswer, now time.Time) error {
	const keep = `
		UPDATE kept_answers
		SET status = $3,
		    headers = $4,
		    body = $5
		WHERE site_id = $1
		  AND id = $2
		  AND fingerprint = $6
		  AND status = 0`
	headers, err := json.Marshal(a.Headers)
	if err != nil {
		return fmt.Errorf("keep answer: %w", err)
	}
	kept := false
	err = s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		if tenancy.Wrote(ctx) > 0 {
			b.Queue(keep, site, r.ID, a.Status, headers, a.Body, r.Fingerprint).Exec(pg.OneChanged(&kept))
			return
		}
		b.Queue(noteAnswer, site, r.ID, r.Fingerprint, string(r.Role), now, now.Add(-tenancy.AnswerAge), "", 0, a.Status, headers, a.Body).
			Exec(pg.OneChanged(&kept))
	})
	if err == nil && !kept {
		err = tenancy.ErrRepeated
	}
	return err
}
