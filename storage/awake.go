package storage

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// stirring is how often a transaction that waits for something else shows that its node
// lives: often enough for the limit that tune sets on those that idle.
const stirring = 5 * time.Second

// awake is a transaction that waits for files and pictures, too, as long as they take. The limit on
// idling holds for it all the same: a node that is frozen within it would keep what it has
// locked from the node that takes over, so Postgres ends it.
type awake struct {
	pgx.Tx
	mu sync.Mutex // a connection does one thing at a time
}

// exec runs a statement; it may be called while during runs.
func (a *awake) exec(ctx context.Context, sql string, arguments ...any) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, err := a.Exec(ctx, sql, arguments...)
	return err
}

// during runs do, which uses the transaction by exec alone, and stirs the transaction meanwhile.
func (a *awake) during(ctx context.Context, every time.Duration, do func() error) error {
	ctx, stop := context.WithCancel(ctx)
	var stirred sync.WaitGroup
	stirred.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if a.exec(context.WithoutCancel(ctx), "SELECT 1") != nil {
				return // do will find out
			}
		}
	})
	err := do()
	stop()
	stirred.Wait()
	return err
}
