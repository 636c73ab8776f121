package pg

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Stirring is how often a transaction that waits for something else shows that its node
// lives: often enough for the limit that tune sets on those that idle.
const Stirring = 5 * time.Second

// Awake is a transaction that waits for files and pictures, too, as long as they take. The limit on
// idling holds for it all the same: a node that is frozen within it would keep what it has
// locked from the node that takes over, so Postgres ends it.
type Awake struct {
	pgx.Tx
	mu sync.Mutex // a connection does one thing at a time
}

// Execute runs a statement; it may be called while During runs.
func (a *Awake) Execute(ctx context.Context, sql string, arguments ...any) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, err := a.Exec(ctx, sql, arguments...)
	return err
}

// During runs do, which uses the transaction by Execute alone, and stirs the transaction meanwhile.
func (a *Awake) During(ctx context.Context, every time.Duration, do func() error) error {
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
			if a.Execute(context.WithoutCancel(ctx), "SELECT 1") != nil {
				return // do will find out
			}
		}
	})
	err := do()
	stop()
	stirred.Wait()
	return err
}
