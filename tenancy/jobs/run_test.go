package jobs_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/kalends/kalends/tenancy/jobs"
)

// silent is a store whose connection is dead without notice: a query ends only with its context.
type silent struct {
	jobs.Store
	asked int
}

func (s *silent) Take(ctx context.Context, _ *jobs.Hold) (*jobs.Job, error) {
	s.asked++
	<-ctx.Done()
	return nil, ctx.Err()
}

func (s *silent) Expired(context.Context) ([]*jobs.Job, error) { return nil, nil }

// A query for work that is never answered is not the last.
func TestLooksForWorkAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &silent{}
		ctx, stop := context.WithTimeout(t.Context(), jobs.StoreTimeout*3)
		defer stop()
		jobs.New(store, nil, nil, nil, jobs.Options{}).Run(ctx)
		if store.asked < 3 {
			t.Errorf("looked for work %d times", store.asked)
		}
	})
}
