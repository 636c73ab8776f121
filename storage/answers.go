package storage

import (
	"context"
	"time"

	accountstore "github.com/kalends/kalends/storage/accounts"
	platformstore "github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
)

// answers stores answers to a site's requests with the site, and answers to the provider's requests separately.
type answers struct{ ofSite, ofProvider tenancy.AnswerStore }

// Answers returns the store of answers to repeatable requests.
func (db *DB) Answers() tenancy.AnswerStore {
	return answers{accountstore.Answers(db.Engine()), platformstore.Answers(db.Engine())}
}

func (s answers) of(ctx context.Context) tenancy.AnswerStore {
	if tenancy.ByProvider(ctx) {
		return s.ofProvider
	}
	return s.ofSite
}

// Find implements tenancy.AnswerStore.
func (s answers) Find(ctx context.Context, id []byte, since time.Time) (*tenancy.KeptAnswer, error) {
	return s.of(ctx).Find(ctx, id, since)
}

// Keep implements tenancy.AnswerStore.
func (s answers) Keep(ctx context.Context, r *tenancy.Repeatable, a *tenancy.KeptAnswer, now time.Time) error {
	return s.of(ctx).Keep(ctx, r, a, now)
}
