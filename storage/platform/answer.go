package platform

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

// answers implements tenancy.AnswerStore for requests of the provider.
type answers struct{ db *pg.DB }

// Answers returns the store of answers to the provider's repeatable requests.
func Answers(db *pg.DB) tenancy.AnswerStore { return answers{db} }

func (s answers) platform() pg.Across {
	return s.db.Across("requests of the provider belong to the platform")
}

// Find implements tenancy.AnswerStore.
func (s answers) Find(ctx context.Context, id []byte, since time.Time) (*tenancy.KeptAnswer, error) {
	const find = `
		SELECT fingerprint,
		       kind,
		       object,
		       status,
		       COALESCE(headers, '{}'),
		       body
		FROM provider_answers
		WHERE id = $1
		  AND at > $2`
	a, headers := &tenancy.KeptAnswer{}, []byte(nil)
	err := s.platform().QueryRow(ctx, find, id, since).Scan(&a.Fingerprint, &a.Kind, &a.Object, &a.Status, &headers, &a.Body)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, nil //nolint:nilnil // nothing is kept
	case err != nil:
		return nil, s.db.Failure(err)
	}
	return a, json.Unmarshal(headers, &a.Headers)
}

// noteAnswer stores an answer. It replaces an answer with the same id only if that one is old or belongs to the
// same attempt.
const noteAnswer = `
	INSERT INTO provider_answers (id, attempt, fingerprint, at, kind, object, status, headers, body)
	VALUES ($1, $2, $3, $4, $6, $7, $8, $9, $10)
	ON CONFLICT ON CONSTRAINT provider_answers_pkey DO UPDATE
	SET attempt = excluded.attempt,
	    fingerprint = excluded.fingerprint,
	    at = excluded.at,
	    kind = CASE
	        WHEN provider_answers.attempt = excluded.attempt AND excluded.kind = '' THEN provider_answers.kind
	        ELSE excluded.kind
	    END,
	    object = CASE
	        WHEN provider_answers.attempt = excluded.attempt AND excluded.kind = '' THEN provider_answers.object
	        ELSE excluded.object
	    END,
	    status = excluded.status,
	    headers = excluded.headers,
	    body = excluded.body
	WHERE provider_answers.at <= $5
	   OR provider_answers.attempt = excluded.attempt`

// NoteRepeatable records the provider's request, in the transaction of its write. It returns tenancy.ErrRepeated if
// the request was made before; then nothing may be written.
func NoteRepeatable(ctx context.Context, in pg.Executor, kind string, object int64, now time.Time) error {
	r := tenancy.RepeatableOf(ctx)
	if r == nil || !tenancy.ByProvider(ctx) || r.Fingerprint == nil {
		return nil
	}
	done, err := in.Exec(ctx, noteAnswer, r.ID, r.Attempt, r.Fingerprint, now, now.Add(-tenancy.AnswerAge), kind, object, 0, nil, nil)
	if err == nil && done.RowsAffected() == 0 {
		err = tenancy.ErrRepeated
	}
	return err
}

// PurgeAnswers deletes the answers that are too old to be given again.
func PurgeAnswers(ctx context.Context, db *pg.DB) error {
	const purge = `DELETE FROM provider_answers WHERE at <= now() - $1::interval`
	_, err := answers{db}.platform().Exec(ctx, purge, tenancy.AnswerAge)
	return db.Failure(err)
}

// Keep implements tenancy.AnswerStore.
func (s answers) Keep(ctx context.Context, r *tenancy.Repeatable, a *tenancy.KeptAnswer, now time.Time) error {
	headers, err := json.Marshal(a.Headers)
	if err != nil {
		return fmt.Errorf("keep answer: %w", err)
	}
	done, err := s.platform().Exec(ctx, noteAnswer, r.ID, r.Attempt, r.Fingerprint, now, now.Add(-tenancy.AnswerAge), a.Kind, a.Object,
		a.Status, headers, a.Body)
	switch {
	case err != nil:
		return s.db.Failure(err)
	case done.RowsAffected() == 0:
		return tenancy.ErrRepeated
	}
	return nil
}
