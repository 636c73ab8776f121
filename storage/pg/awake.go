package pg

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Stirring is how often a waiting transaction runs a statement to show that its node is alive. That is often enough for the
// limit that tune sets on idle transactions.
const Stirring = 5 * time.Second

// Awake is a transaction that also waits for files and pictures, as long as they take. The limit on idle transactions still
// holds: a frozen node would keep its locks from the node that takes over, so Postgres ends its transaction.
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

// During runs do and stirs the transaction at intervals meanwhile. do may use the transaction only through Execute.
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
