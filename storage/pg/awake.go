package pg

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Stirring is how often a waiting transaction runs a statement to show that its node is alive. It is shorter than
// the limit that tune sets on idle transactions.
const Stirring = 5 * time.Second

// Awake is a transaction that may stay open while files and pictures are transferred, however long that takes. The
// limit on idle transactions still applies: if the node freezes, Postgres ends its transaction, so that its locks
// do not block the node that takes over.
type Awake struct {
	pgx.Tx
	mu sync.Mutex // a connection runs one statement at a time
}

// Execute runs a statement; it may be called while During runs.
func (a *Awake) Execute(ctx context.Context, sql string, arguments ...any) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, err := a.Exec(ctx, sql, arguments...)
	return err
}

// During runs do, and meanwhile runs a statement in the transaction at regular intervals. do may use the
// transaction only through Execute.
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
				return // do will notice
			}
		}
	})
	err := do()
	stop()
	stirred.Wait()
	return err
}
